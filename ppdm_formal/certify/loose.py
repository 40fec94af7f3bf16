"""Loose: quotients of polynomials that are never cancelled, as the checker computes with them.

Evidence about polynomials must be about those that are met when it is replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from ppdm_formal.declare.arithmetic.exact import exact, to_flint, to_sympy
from ppdm_formal.declare.arithmetic.rational_function import fraction_terms


@dataclass(frozen=True)
class Loose:
    """top/bottom over the rationals, the bottom's leading coefficient 1."""

    top: Any
    bottom: Any

    @classmethod
    def of(cls, value: Any, symbols: tuple[Any, ...]) -> Loose:
        """A number or a closed form, in lowest terms."""
        context = _context(len(symbols))
        parts = fraction_terms(to_sympy(exact(value)), symbols)
        top, bottom = (
            context.from_dict({powers: to_flint(c) for powers, c in terms}) for terms in parts
        )
        return _monic(top, bottom)

    def number(self, value: int) -> Loose:
        """A number, as a quotient in the same parameters."""
        context = self.top.context()
        return Loose(context.constant(value), context.constant(1))

    def by(self, other: Loose) -> Loose:
        """The product."""
        return _monic(self.top * other.top, self.bottom * other.bottom)

    def raised(self, power: int) -> Loose:
        """A power of it."""
        return _monic(self.top**power, self.bottom**power)

    def plus(self, other: Loose | int, x: Fraction | int, y: Fraction | int) -> Loose:
        """This x times, and the other y times; over the product of bottoms that differ."""
        x, y = to_flint(Fraction(x)), to_flint(Fraction(y))
        if isinstance(other, int):
            other = self.number(other)
        if self.bottom == other.bottom:
            return Loose(self.top * x + other.top * y, other.bottom)
        top = self.top * other.bottom * x + other.top * self.bottom * y
        return _monic(top, self.bottom * other.bottom)

    def bottom_sign(self, point: Sequence[Fraction]) -> int:
        """The sign of the bottom at a point; it is nowhere 0."""
        total = fmpq(0)
        for powers, coefficient in self.bottom.terms():
            for x, power in zip(point, powers, strict=True):
                coefficient *= to_flint(x) ** int(power)
            total += coefficient
        return 1 if total > 0 else -1


def _monic(top: Any, bottom: Any) -> Loose:
    lead = bottom.leading_coefficient()
    return Loose(top / lead, bottom / lead)


@cache
def _context(count: int) -> Any:
    return fmpq_mpoly_ctx.get([f"s{k}" for k in range(count)], Ordering.lex)
