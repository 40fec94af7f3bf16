"""Identities: two closed forms that are the same for all values of their symbols, decided exactly.

Rational functions are brought over one denominator and expanded: equal iff nothing is left. Sums
and products of a stated length are written out first, so that a size is a scope, not a symbol.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.statement.outcome import EXACT, Outcome
from ppdm_formal.declare.machine.deadline import Deadline

_TRIED = (2, 3, 5, 7, 11, 13)
"""Where a difference that is not 0 is looked at, one number a symbol, moved until it shows."""


def prove_identities(
    pairs: Mapping[str, tuple[Any, Any]], deadline: Deadline, scope: str = ""
) -> Outcome:
    """Proved if left = right for every pair, as rational functions of all symbols.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> soon = Deadline.after(9)
    >>> prove_identities({"square": ((x + y) ** 2, x**2 + 2 * x * y + y**2)}, soon).kind
    'proved'
    >>> prove_identities({"square": ((x + y) ** 2, x**2 + y**2)}, soon).counterexample
    {'square': 'at x = 2, y = 3: left = 25, right = 13'}
    """
    import sympy

    for name, (left, right) in pairs.items():
        deadline.check()
        first, second = sympy.Add(left, 0), sympy.Add(right, 0)  # integers become sympy's
        numerator, _ = sympy.fraction(sympy.together(first - second))
        if sympy.expand(numerator) != 0:
            return _refuted(name, first, second)
    names = ", ".join(pairs)
    return Outcome("proved", names, scope, ("symbolic identity",), trust=EXACT)


def _refuted(name: str, left: Any, right: Any) -> Outcome:
    """Refuted at a point where both sides exist and differ; unknown where none is found."""
    from sympy import Rational

    symbols = sorted(left.free_symbols | right.free_symbols, key=str)
    for shift in range(50):
        point = {
            symbol: Rational(_TRIED[k % len(_TRIED)] + shift, 1 + shift // 5)
            for k, symbol in enumerate(symbols)
        }
        values = [side.subs(point) for side in (left, right)]
        if all(value.is_Rational for value in values) and values[0] != values[1]:
            at = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
            shown = f"at {at}: left = {values[0]}, right = {values[1]}"
            return Outcome(
                "refuted",
                f"{name} fails",
                means=("exact arithmetic",),
                counterexample={name: shown},
                trust=EXACT,
            )
    return Outcome("unknown", f"{name}: the difference is not 0, and no point shows it")


def fraction_of(value: Any) -> Fraction:
    """A sympy rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))
