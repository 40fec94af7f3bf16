"""Closed forms in free parameters: which signs they take, and when they grow too large."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from ppdm_formal.numbers.exact import Exact, is_symbolic, substitute
from ppdm_formal.numbers.parameter import (
    Parameter,
    free_parameters,
    roots_inside,
    sample_cells,
    sign_over,
)

MAX_DEGREE = 100
"""Highest degree of a closed form in the free parameters."""

MAX_TERMS = 1000
"""Most terms of a polynomial in several free parameters."""


def possible_signs(value: Exact, parameters: Sequence[Parameter]) -> set[int]:
    """The signs that a closed form takes; for several parameters perhaps more than those.

    For one parameter the answer is exact: the cells between zeros and poles, the zeros
    themselves, and the ends of the range that belong to it.
    """
    free = free_parameters([value], parameters)
    if len(free) != 1:
        sign = sign_over(value, parameters)
        return {-1, 0, 1} if sign is None else {0, sign}
    (only,) = free
    zeros = roots_inside(value, only)
    breaks = sorted({*zeros, *_poles(value, only)})
    points = [sample for _, _, sample in sample_cells(breaks, only)]
    points += [end for end in (only.lower, only.upper) if end in only]
    signs = {0} if zeros else set()
    for point in points:
        found = substitute(value, {only.name: point})
        signs.add(int(found > 0) - int(found < 0))
    return signs


def _poles(value: Exact, parameter: Parameter) -> list[Any]:
    import sympy

    return roots_inside(sympy.fraction(sympy.together(value))[1], parameter)


def degrees(value: Exact) -> tuple[int, int]:
    """The total degrees of a closed form's numerator and denominator."""
    if not is_symbolic(value):
        return 0, 0
    import sympy

    symbols = sorted(value.free_symbols, key=str)
    top, bottom = sympy.fraction(value)
    return (
        int(sympy.Poly(top, *symbols).total_degree()),
        int(sympy.Poly(bottom, *symbols).total_degree()),
    )


def too_large(operation: str, first: Exact, second: Exact) -> bool:
    """Whether first (+ - * / ^) second may have too many terms, before it is computed."""
    if not is_symbolic(first) and not is_symbolic(second):
        return False
    (top, bottom), (above, below) = degrees(first), degrees(second)
    if operation == "^":
        degree = max(top, bottom) * abs(int(second))
    elif operation in "+-":
        degree = max(top + below, above + bottom, bottom + below)
    else:
        degree = max(top, bottom) + max(above, below)
    symbols = {s for value in (first, second) if is_symbolic(value) for s in value.free_symbols}
    return degree > MAX_DEGREE or comb(degree + len(symbols), degree) > MAX_TERMS
