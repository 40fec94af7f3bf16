"""Numbers with e^q in questions to solvers, which do not know e: rounded, all to one side.

A rational stands beside each number, always on the side that helps a breach, or always on the one
that hinders it. What is impossible with help is impossible; what is possible in spite of
hindrance is possible. What is still open is asked again with more digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, real_enclosure
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real

DIGITS = (12, 48, 192)
"""Of the rationals beside numbers with e^q: first, and each time that an answer is left open."""


class NotAsked(ValueError):
    """Why there is no question for a solver, or no answer."""


@dataclass(frozen=True)
class Rounding:
    """Rationals beside numbers, on the side that helps a breach or on the other.

    >>> from ppdm_formal.declare.arithmetic.exponential import exp_of
    >>> e = exp_of(Fraction(1))
    >>> Rounding(True, 12).over(e) > e > Rounding(True, 12).under(e)
    True
    """

    helps: bool
    digits: int

    def over(self, value: Real) -> Fraction:
        """In place of a number that helps a breach by being greater."""
        return self._beside(value, self.helps)

    def under(self, value: Real) -> Fraction:
        """In place of a number that helps a breach by being less."""
        return self._beside(value, not self.helps)

    def _beside(self, value: Real, above: bool) -> Fraction:
        if not isinstance(value, ExpNumber):
            return value
        around = _around(value, self.digits)
        return around.hi if above else around.lo


AS_THEY_ARE = Rounding(True, DIGITS[0])
"""Rational numbers are not rounded; others help a breach, with the fewest digits."""


@lru_cache(1024)
def _around(value: ExpNumber, digits: int) -> Enclosure:
    return real_enclosure(value, digits)
