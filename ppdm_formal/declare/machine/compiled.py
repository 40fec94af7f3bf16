"""Compiled: inner loops as machine code where numba is installed; each has a NumPy twin."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar


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


Function = TypeVar("Function", bound=Callable[..., Any])


def part_of_kernels(function: Function) -> Function:
    """A function that compiled ones may call."""
    try:
        from numba.extending import register_jitable
    except ImportError:
        return function
    registered: Function = register_jitable(function)
    return registered
