"""Triangular noise: its density rises to the middle of two ends and falls again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .limits import ZERO
from .noise import Bounded
from .spans import HALF


@dataclass(frozen=True)
class Triangular(Bounded):
    """A peak in the middle, 0 at both ends."""

    kind = "triangular"

    def density(self, v: Fraction) -> Fraction:
        """Exactly, ends included."""
        half = (self.b - self.a) / 2
        return max(half - abs(v - self.center), ZERO) / half**2

    def below(self, v: Fraction) -> Fraction:
        """The distribution."""
        t = self.share(v)
        return 2 * t * t if t < HALF else 1 - 2 * (1 - t) ** 2

    def below_integral(self, v: Fraction) -> Fraction:
        """The integral of the distribution up to v."""
        first, last = max(v - self.a, ZERO), max(v - self.b, ZERO)
        middle = max(v - self.center, ZERO)
        return 2 * (first**3 - 2 * middle**3 + last**3) / (3 * (self.b - self.a) ** 2)
