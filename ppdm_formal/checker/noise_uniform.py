"""Uniform noise: every number between two ends is as likely."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .limits import ZERO
from .noise import Bounded


@dataclass(frozen=True)
class Uniform(Bounded):
    """One density between the ends."""

    kind = "uniform"

    def density(self, v: Fraction) -> Fraction:
        """Exactly, ends included."""
        return 1 / (self.b - self.a) if self.a <= v <= self.b else ZERO

    def below(self, v: Fraction) -> Fraction:
        """The distribution."""
        return self.share(v)

    def below_integral(self, v: Fraction) -> Fraction:
        """The integral of the distribution up to v."""
        first, last = max(v - self.a, ZERO), max(v - self.b, ZERO)
        return (first**2 - last**2) / (2 * (self.b - self.a))

    def constant(self, one: Fraction, other: Fraction) -> bool:
        """The density is the same everywhere."""
        return True
