"""A pytest plugin for mutation runs: Hypothesis fails at once, without a search for less."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Once Hypothesis is there; its own settings name phases, which tests fix themselves."""
    from hypothesis.internal.conjecture import engine

    assert engine.MAX_SHRINKS > 0, "Hypothesis names its limits otherwise now"
    engine.MAX_SHRINKS = engine.MAX_SHRINKING_SECONDS = 0
