"""Compiled: inner loops as machine code where numba is installed; each has a NumPy twin."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """The function as machine code, which holds no lock; None where numba is not installed."""
    try:
        import numba
    except ImportError:
        return None
    try:
        kernel: Callable[..., Any] = numba.njit(function, nogil=True, cache=True)
    except RuntimeError:  # no folder to keep compiled code in
        kernel = numba.njit(function, nogil=True)
    return kernel
