"""Numbers with e^q in questions to solvers as polynomials in a symbol e.

It lies between two rationals around E = e^step: what is impossible for all of its values is so for
E. Where a claim is met exactly, which no rounding shows (one_sided.py), the polynomials cancel.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.one_sided import NotAsked
from ppdm_formal.certify.smt import real
from ppdm_formal.numbers.enclosure import real_enclosure
from ppdm_formal.numbers.exponential import (
    ExpNumber,
    Real,
    TooManyPowers,
    common_step,
    exp_of,
    polynomial_sign,
    spread,
)

MAX_POWER = 60
"""The highest power of E of which a solver is asked."""


class Powers:
    """Numbers as polynomials in the symbol e, times the symbol d: 1 over their denominator."""

    def __init__(self, values: Iterable[Real], digits: int) -> None:
        """Those numbers, and no others, can be written. NotAsked where powers are too high."""
        numbers = {value for value in values if isinstance(value, ExpNumber)}
        self.step = common_step(number.step for number in numbers)
        self.around = real_enclosure(exp_of(self.step), digits)
        try:
            parts = {number: spread(number, self.step) for number in numbers}
        except TooManyPowers:
            raise _too_high() from None
        self.bottom: Any = None
        for _, bottom in parts.values():
            self.bottom = bottom if self.bottom is None else _common(self.bottom, bottom)
            if self.bottom.degree() > MAX_POWER:
                raise _too_high()
        if polynomial_sign(self.bottom, self.step) < 0:
            self.bottom = -self.bottom
        self.tops = {n: top * (self.bottom / bottom) for n, (top, bottom) in parts.items()}
        if any(top.degree() > MAX_POWER for top in self.tops.values()):
            raise _too_high()

    def text(self, value: Real) -> str:
        """A number as a term."""
        if not isinstance(value, ExpNumber):
            return real(value)
        return f"(* d {_nested(self.tops[value])})"

    @property
    def declared(self) -> list[str]:
        """What is known of the symbols: e lies around E, and d is positive there."""
        return [
            "(declare-const e Real)",
            "(declare-const d Real)",
            f"(assert (> e {real(self.around.lo)}))",
            f"(assert (< e {real(self.around.hi)}))",
            "(assert (> d 0.0))",
            f"(assert (= (* d {_nested(self.bottom)}) 1.0))",
        ]


def _common(one: Any, two: Any) -> Any:
    """The least common multiple, but for its sign."""
    return one * (two / one.gcd(two))


def _nested(polynomial: Any) -> str:
    """By Horner's rule."""
    found = ""
    for coefficient in reversed(polynomial.coeffs()):
        number = real(Fraction(int(coefficient)))
        if not found:
            found = number
        else:
            found = f"(+ {number} (* e {found}))" if coefficient else f"(* e {found})"
    return found


def _too_high() -> NotAsked:
    return NotAsked(f"it is not asked about powers of e^q above {MAX_POWER}")
