"""Triangular noise: the likelier, the nearer to the middle, in straight lines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from flint import arb

from ppdm_formal.noises.bounded import Bounded
from ppdm_formal.noises.noise import Floats, Line, cut, middle_in, monotone, positive, x_log_x
from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numbers.exponential import Real


@dataclass(frozen=True)
class Triangular(Bounded):
    """f rises in a line from lo to the middle, and falls in a line to hi."""

    name: ClassVar[str] = "triangular"
    example: ClassVar[str] = "triangular(-3, 3)"

    @property
    def half(self) -> Fraction:
        """Half its width."""
        return (self.hi - self.lo) / 2

    @property
    def variance(self) -> Fraction:
        """(hi - lo)^2/24."""
        return (self.hi - self.lo) ** 2 / 24

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """The ends and the middle."""
        return self.lo, self.center, self.hi

    @property
    def lines(self) -> tuple[Line, ...]:
        """One rises, and one falls."""
        top = 1 / self.half
        up = Line(self.lo, self.center, Fraction(0), top)
        return up, Line(self.center, self.hi, top, Fraction(0))

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """By NumPy."""
        return random.triangular(float(self.lo), float(self.center), float(self.hi), count)

    def pdf(self, values: npt.ArrayLike) -> Floats:
        """(half - |v - center|)/half^2."""
        v = np.asarray(values, dtype=np.float64)
        half, center = float(self.half), float(self.center)
        return np.maximum(half - np.abs(v - center), 0.0) / half**2

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """t^2/2 below the middle and 1 - (2 - t)^2/2 above, where t = (v - lo)/half."""
        v = np.asarray(values, dtype=np.float64)
        t = np.clip((v - float(self.lo)) / float(self.half), 0.0, 2.0)
        return np.where(t < 1, t**2 / 2, 1 - (2 - t) ** 2 / 2)

    def ball_pdf(self, v: Any) -> Any:
        """Linear on each side of the middle."""
        if not middle_in(v, self.lo, self.hi):
            return arb(0)
        rising = middle_in(v, self.lo, self.center)
        return self._line(v, rising)

    def piece_pdf(self, v: Any, at: Fraction) -> Any:
        """The same, of one piece."""
        return self._line(v, at < self.center) if self.lo < at < self.hi else arb(0)

    def _line(self, v: Any, rising: bool) -> Any:
        rest = v - ball_of(self.lo) if rising else ball_of(self.hi) - v
        return rest / ball_of(self.half**2)

    def ball_cdf(self, v: Any) -> Any:
        """Monotone, so that the ends of a ball enclose all of it."""
        return monotone(self._cdf_at, v)

    def _cdf_at(self, v: Any) -> Any:
        t = (v - ball_of(self.lo)) / ball_of(self.half)
        second = cut(t - 1)
        return cut(t) ** 2 / 2 + second - second**2 / 2

    def _piece(self, v: Any, at: Fraction) -> Any:
        t = (v - ball_of(self.lo)) / ball_of(self.half)
        return t * t / 2 if at < self.center else 1 - (2 - t) * (2 - t) / 2

    def piece_log(self, v: Any, at: Fraction, analytic: bool) -> Any:
        """In t = (v - lo)/half below the middle, and mirrored above."""
        if at <= self.lo:
            return arb(0)
        whole = -ball_of(self.half).log() - arb(1) / 2
        if at >= self.hi:
            return whole
        if at >= self.center:
            v, at = 2 * ball_of(self.center) - v, 2 * self.center - at
            return whole - self.piece_log(v, at, analytic)
        t = (v - ball_of(self.lo)) / ball_of(self.half)
        flat = ball_of(self.half).log() + arb(1) / 2
        return t * x_log_x(t, analytic) / 2 - t * t / 2 * flat

    def mirrored(self) -> Triangular:
        """Ends swapped."""
        return Triangular(-self.hi, -self.lo)

    def exact_pdf(self, v: Fraction) -> Real:
        """(half - |v - center|)/half^2."""
        return max(self.half - abs(v - self.center), Fraction(0)) / self.half**2

    def exact_cdf(self, v: Fraction) -> Real:
        """t^2/2 below the middle and 1 - (2 - t)^2/2 above, where t = (v - lo)/half."""
        t = min(max((v - self.lo) / self.half, Fraction(0)), Fraction(2))
        return t**2 / 2 if t < 1 else 1 - (2 - t) ** 2 / 2

    def ball_integral(self, v: Any) -> Any:
        """Cubes of what lies above lo, center (twice, off) and hi, over 6 half^2."""
        lo, center, hi = (positive(v - ball_of(end)) for end in self.kinks)
        return (lo**3 - 2 * center**3 + hi**3) / ball_of(6 * self.half**2)

    def ball_entropy(self) -> Any:
        """1/2 + ln(half)."""
        return arb(1) / 2 + ball_of(self.half).log()

    def ball_width(self, confidence: Any) -> Any:
        """(hi - lo)(1 - sqrt(1 - c))."""
        return ball_of(self.hi - self.lo) * (1 - (1 - confidence).sqrt())
