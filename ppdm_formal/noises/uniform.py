"""Uniform noise: every number between two ends is as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from flint import arb

from ppdm_formal.noises.bounded import Bounded
from ppdm_formal.noises.noise import Floats, Line, cut, middle_in, positive
from ppdm_formal.numbers.enclosure import Enclosure, ball_of
from ppdm_formal.numbers.exponential import Real


@dataclass(frozen=True)
class Uniform(Bounded):
    """f = 1/(hi - lo) between lo and hi."""

    name: ClassVar[str] = "uniform"
    example: ClassVar[str] = "uniform(-1, 1)"

    @property
    def variance(self) -> Fraction:
        """(hi - lo)^2/12."""
        return (self.hi - self.lo) ** 2 / 12

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """Its two ends."""
        return self.lo, self.hi

    @property
    def lines(self) -> tuple[Line, ...]:
        """One, which is level."""
        height = 1 / (self.hi - self.lo)
        return (Line(self.lo, self.hi, height, height),)

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """By NumPy."""
        return random.uniform(float(self.lo), float(self.hi), count)

    def pdf(self, values: npt.ArrayLike) -> Floats:
        """Both ends count as inside."""
        v = np.asarray(values, dtype=np.float64)
        lo, hi = float(self.lo), float(self.hi)
        return np.where((v >= lo) & (v <= hi), 1 / (hi - lo), 0.0)

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """A line between the ends."""
        v = np.asarray(values, dtype=np.float64)
        lo, hi = float(self.lo), float(self.hi)
        return np.clip((v - lo) / (hi - lo), 0.0, 1.0)

    def ball_pdf(self, v: Any) -> Any:
        """A constant."""
        return ball_of(1 / (self.hi - self.lo)) if middle_in(v, self.lo, self.hi) else arb(0)

    def piece_pdf(self, v: Any, at: Fraction) -> Any:
        """A constant."""
        return ball_of(1 / (self.hi - self.lo)) if self.lo < at < self.hi else arb(0)

    def ball_cdf(self, v: Any) -> Any:
        """A line, cut at 0 and 1."""
        return cut((v - ball_of(self.lo)) / ball_of(self.hi - self.lo))

    def _piece(self, v: Any, at: Fraction) -> Any:
        return (v - ball_of(self.lo)) / ball_of(self.hi - self.lo)

    def piece_log(self, v: Any, at: Fraction, analytic: bool) -> Any:
        """The share times ln f."""
        return -self.piece_cdf(v, at) * ball_of(self.hi - self.lo).log()

    def mirrored(self) -> Uniform:
        """Ends swapped."""
        return Uniform(-self.hi, -self.lo)

    def exact_pdf(self, v: Fraction) -> Real:
        """A constant."""
        return 1 / (self.hi - self.lo) if self.lo <= v <= self.hi else Fraction(0)

    def exact_cdf(self, v: Fraction) -> Real:
        """A line, cut at 0 and 1."""
        return min(max((v - self.lo) / (self.hi - self.lo), Fraction(0)), Fraction(1))

    def ball_integral(self, v: Any) -> Any:
        """(v - lo)^2/(2 (hi - lo)), and a line beyond hi."""
        inside = positive(v - ball_of(self.lo))
        beyond = positive(v - ball_of(self.hi))
        return (inside**2 - beyond**2) / ball_of(2 * (self.hi - self.lo))

    def ball_entropy(self) -> Any:
        """ln(hi - lo)."""
        return ball_of(self.hi - self.lo).log()

    def ball_width(self, confidence: Any) -> Any:
        """The share c of (hi - lo)."""
        return confidence * ball_of(self.hi - self.lo)

    def shortest(self, confidence: Fraction) -> Enclosure:
        """The same, exactly."""
        super().shortest(confidence)
        return Enclosure.exactly(confidence * (self.hi - self.lo))
