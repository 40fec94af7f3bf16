"""Density: what is known of a real x beforehand: a mixture of uniform and truncated normal laws.

p(x) = sum of weight_i / (hi_i - lo_i) on lo_i..hi_i
     + sum of weight_j phi((x - m_j)/s_j) / (s_j (Phi((hi - m_j)/s_j) - Phi((lo - m_j)/s_j)))
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of, enclose
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.noises.named import Normal
from ppdm_formal.declare.reals.reals import Interval, RealProperty, Reals, common


@dataclass(frozen=True)
class Flat:
    """Uniform on lo..hi, with a weight."""

    weight: Fraction
    lo: Fraction
    hi: Fraction

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """Where it is above 0."""
        return self.lo, self.hi

    @property
    def height(self) -> Fraction:
        """Its density."""
        return self.weight / (self.hi - self.lo)

    def ball_mass(self, lo: Fraction, hi: Fraction) -> Any:
        """Its mass between two points of its support."""
        return ball_of(self.height * (hi - lo))

    def ball_pdf(self, x: Any) -> Any:
        """Its density at points of its support."""
        return ball_of(self.height)

    def __str__(self) -> str:
        return f"uniform({number_text(self.lo)}, {number_text(self.hi)})"


@dataclass(frozen=True)
class Bell:
    """Normal with a mean and a standard deviation, cut off at lo and hi, with a weight."""

    weight: Fraction
    mean: Fraction
    law: Normal
    lo: Fraction
    hi: Fraction

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """Where it is above 0."""
        return self.lo, self.hi

    def ball_between(self, lo: Fraction, hi: Fraction) -> Any:
        """The mass of the whole normal law between two points."""
        a, b = lo - self.mean, hi - self.mean
        if a > 0:  # far out on the right, mirrored: digits are not lost
            a, b = -b, -a
        return self.law.ball_cdf(ball_of(b)) - self.law.ball_cdf(ball_of(a))

    def ball_pdf_factor(self) -> Any:
        """What a whole normal law is multiplied with: the weight over the share not cut off."""
        return _factor(self, ctx.prec)

    def ball_mass(self, lo: Fraction, hi: Fraction) -> Any:
        """Its mass between two points of its support."""
        return self.ball_pdf_factor() * self.ball_between(lo, hi)

    def ball_pdf(self, x: Any) -> Any:
        """Its density at points of its support."""
        return self.ball_pdf_factor() * self.law.ball_pdf(x - ball_of(self.mean))

    def __str__(self) -> str:
        return f"normal({number_text(self.mean)}, {number_text(self.law.deviation)})"


@lru_cache(maxsize=256)
def _factor(bell: Bell, precision: int) -> Any:
    """The factor of a bell; precision: that of the context."""
    return ball_of(bell.weight) / bell.ball_between(bell.lo, bell.hi)


Component: TypeAlias = Flat | Bell


@dataclass(frozen=True)
class DensityPiece:
    """An interval on which the density is one closed form: a number, and some bells."""

    lo: Fraction
    hi: Fraction
    height: Fraction
    bells: tuple[Bell, ...]

    def ball_pdf(self, x: Any) -> Any:
        """The density at points of the piece; x may be complex."""
        return sum((bell.ball_pdf(x) for bell in self.bells), ball_of(self.height))


@dataclass(frozen=True)
class Density:
    """A prior with a density on an interval of real numbers.

    >>> ages = Reals(Fraction(0), Fraction(100))
    >>> flat = Density(ages, (Flat(Fraction(1), Fraction(0), Fraction(100)),))
    >>> young = RealProperty(ages, ((Fraction(0), Fraction(18)),))
    >>> print(flat.mass(young))
    0.18
    """

    domain: Reals
    components: tuple[Component, ...]
    name: str = ""

    def __post_init__(self) -> None:
        weights = [part.weight for part in self.components]
        if min(weights, default=Fraction(0)) <= 0:
            raise ValueError("every part of a density needs a weight above 0")
        if sum(weights) != 1:
            raise ValueError(f"the density sums to {number_text(Fraction(sum(weights)))}, not to 1")
        for part in self.components:
            lo, hi = part.support
            if not self.domain.lo <= lo < hi <= self.domain.hi:
                raise ValueError(f"{part} does not lie in {self.domain.ends}")

    @property
    def flat(self) -> bool:
        """Whether it is constant on pieces."""
        return all(isinstance(part, Flat) for part in self.components)

    def pieces(self) -> Iterator[DensityPiece]:
        """Where the density is above 0, in order, cut where its form changes."""
        cuts = sorted({end for part in self.components for end in part.support})
        for lo, hi in itertools.pairwise(cuts):
            here = [p for p in self.components if p.support[0] <= lo and hi <= p.support[1]]
            height = sum((part.height for part in here if isinstance(part, Flat)), Fraction(0))
            bells = tuple(part for part in here if isinstance(part, Bell))
            if height or bells:
                yield DensityPiece(lo, hi, height, bells)

    def _shared(self, intervals: Sequence[Interval]) -> list[tuple[Component, Fraction, Fraction]]:
        """What each part has in common with some intervals."""
        return [
            (part, lo, hi)
            for part in self.components
            for lo, hi in common(intervals, [part.support])
        ]

    def ball_mass(self, lo: Fraction, hi: Fraction) -> Any:
        """P[x lies between two numbers]."""
        return sum((part.ball_mass(a, b) for part, a, b in self._shared([(lo, hi)])), arb(0))

    def mass(self, property: RealProperty) -> Enclosure:
        """P[x has the property]; exact where the density is constant on pieces."""
        parts = self._shared(property.intervals)
        if all(isinstance(part, Flat) for part, _, _ in parts):
            heights = (p.height * (b - a) for p, a, b in parts if isinstance(p, Flat))
            return Enclosure.exactly(sum(heights, Fraction(0)))
        return enclose(lambda: sum((p.ball_mass(a, b) for p, a, b in parts), arb(0)), nonzero=True)

    def __str__(self) -> str:
        return "; ".join(f"{part} : {number_text(part.weight)}" for part in self.components)
