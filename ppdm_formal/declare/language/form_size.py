"""Sizes of closed forms in free parameters: when they grow too large."""

from __future__ import annotations

from math import comb

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic

MAX_DEGREE = 100
"""Highest degree of a closed form in the free parameters."""

MAX_TERMS = 1000
"""Most terms of a polynomial in several free parameters."""


def degrees(value: Exact) -> tuple[int, int]:
    """The total degrees of a closed form's numerator and denominator."""
    if not is_symbolic(value):
        return 0, 0
    from ppdm_formal.declare.arithmetic.rational_function import total_degrees

    return total_degrees(value)


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
