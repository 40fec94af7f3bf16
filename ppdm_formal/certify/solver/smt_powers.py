"""Numbers with e^q in questions to solvers as polynomials in a symbol e.

It lies between two rationals around E = e^step: what is impossible for all of its values is so for
E. Where a claim is met exactly, which no rounding shows (one_sided.py), the polynomials cancel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ppdm_formal.certify.one_sided import NotAsked
from ppdm_formal.certify.solver.smt import real
from ppdm_formal.certify.solver.smt_text import SmtQuestion, Symbol
from ppdm_formal.declare.arithmetic.enclosure import real_enclosure
from ppdm_formal.declare.arithmetic.exponential import (
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
    """Numbers as quotients of polynomials in the symbol e; d is 1 over a common denominator."""

    def __init__(self, values: Iterable[Real], digits: int) -> None:
        """Those numbers, and no others, can be written. NotAsked where powers are too high."""
        numbers = {value for value in values if isinstance(value, ExpNumber)}
        self.step = common_step(number.step for number in numbers)
        self.around = real_enclosure(exp_of(self.step), digits)
        try:
            self.parts = {number: spread(number, self.step) for number in numbers}
        except TooManyPowers:
            raise too_high() from None
        _check(part for parts in self.parts.values() for part in parts)

    def quotient(self, value: Real) -> tuple[str, str]:
        """A number as what stands above and below the line, which is positive at E."""
        if not isinstance(value, ExpNumber):
            return real(Fraction(value.numerator)), real(Fraction(value.denominator))
        top, bottom = self.parts[value]
        return _nested(top), _nested(bottom)

    def text(self, value: Real) -> str:
        """A number as a term, with d."""
        if not isinstance(value, ExpNumber):
            return real(value)
        return f"(* d {_nested(self._tops[value])})"

    @cached_property
    def _bottom(self) -> Any:
        """The least common denominator, positive at E."""
        found: Any = None
        for _, bottom in self.parts.values():
            found = bottom if found is None else found * (bottom / found.gcd(bottom))
            _check([found])
        return found if polynomial_sign(found, self.step) > 0 else -found

    @cached_property
    def _tops(self) -> dict[ExpNumber, Any]:
        found = {n: top * (self._bottom / bottom) for n, (top, bottom) in self.parts.items()}
        _check(found.values())
        return found

    def block(self, conditions: Sequence[str]) -> SmtQuestion:
        """The question whether conditions on these numbers, as quotients, can hold together."""
        around = f"(< {real(self.around.lo)} e {real(self.around.hi)})"
        return SmtQuestion("QF_NRA", (Symbol("e", around),), tuple(conditions))

    def block_with_d(self, conditions: Sequence[str]) -> SmtQuestion:
        """The same with numbers as terms."""
        inverse = Symbol("d", f"(and (> d 0.0) (= (* d {_nested(self._bottom)}) 1.0))")
        block = self.block(conditions)
        return replace(block, symbols=(*block.symbols, inverse))


def _check(polynomials: Iterable[Any]) -> None:
    if any(polynomial.degree() > MAX_POWER for polynomial in polynomials):
        raise too_high()


def product(one: Any, two: Any) -> Real:
    """One times two; NotAsked where powers are too high."""
    try:
        found: Real = one * two
    except TooManyPowers:
        raise too_high() from None
    return found


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


def too_high() -> NotAsked:
    """Why there is no question."""
    return NotAsked(f"it is not asked about powers of e^q above {MAX_POWER}")
