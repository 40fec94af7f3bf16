"""The two engines, compiled and NumPy alone: every test of results runs on both."""

from contextlib import contextmanager

import pytest

from ppdm_formal.infer.baskets import counting, fimi, frequent, packed

ENGINES = ("compiled", "numpy")


@contextmanager
def engine(name):
    """Without numba where the name says so."""
    with pytest.MonkeyPatch.context() as patch:
        if name == "numpy":
            for module in (counting, fimi, packed, frequent):
                patch.setattr(module, "compiled", lambda _: None)
        else:
            pytest.importorskip("numba")
        yield
