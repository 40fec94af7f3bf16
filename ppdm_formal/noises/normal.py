"""Normal noise: the bell, whose distribution is no exact number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from flint import arb

from ppdm_formal.noises.noise import End, Floats, Noise, Place, check_positive, monotone
from ppdm_formal.numbers.enclosure import ball_of


@dataclass(frozen=True)
class Normal(Noise):
    """f = e^(-v^2/(2 deviation^2))/(deviation sqrt(2 pi))."""

    deviation: Fraction
    name: ClassVar[str] = "normal"
    example: ClassVar[str] = "normal(10)"

    def __post_init__(self) -> None:
        check_positive(self, self.deviation, "standard deviation")

    @property
    def support(self) -> tuple[End, End]:
        """The whole line."""
        return None, None

    @property
    def variance(self) -> Fraction:
        """Its square."""
        return self.deviation**2

    @property
    def center(self) -> Fraction:
        """0."""
        return Fraction(0)

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """None: it is smooth everywhere."""
        return ()

    def pdf(self, values: npt.ArrayLike) -> Floats:
        """As defined."""
        t = np.asarray(values, dtype=np.float64) / float(self.deviation)
        return np.exp(-(t**2) / 2) / (float(self.deviation) * math.sqrt(2 * math.pi))

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """erfc(-v/(deviation sqrt 2))/2, accurate in the tail on the left."""
        t = np.asarray(values, dtype=np.float64) / (float(self.deviation) * math.sqrt(2))
        found: Floats = np.asarray(np.frompyfunc(math.erfc, 1, 1)(-t), dtype=np.float64)
        return found / 2

    def ball_pdf(self, v: Any) -> Any:
        """As defined."""
        deviation = ball_of(self.deviation)
        t = v / deviation
        return (-t * t / 2).exp() / (deviation * (2 * arb.pi()).sqrt())

    def ball_cdf(self, v: Any) -> Any:
        """Monotone, so that the ends of a ball enclose all of it."""
        return monotone(
            lambda end: (-end / (ball_of(self.deviation) * arb(2).sqrt())).erfc() / 2, v
        )

    def piece_cdf(self, v: Any, at: Fraction) -> Any:
        """One piece."""
        return (-v / (ball_of(self.deviation) * arb(2).sqrt())).erfc() / 2

    def piece_log(self, v: Any, at: Fraction, analytic: bool) -> Any:
        """By parts."""
        share = self.piece_cdf(v, at)
        flat = (ball_of(self.deviation) * (2 * arb.pi()).sqrt()).log()
        return -share * flat - (share - v * self.ball_pdf(v)) / 2

    def piece_between(self, most: Place, least: Place, sign: int) -> Callable[[Any], Any]:
        """Divided by the unit once for all x."""
        unit = ball_of(self.deviation) * arb(2).sqrt()
        high, low, slope = -most[0] / unit, -least[0] / unit, -sign / unit
        return lambda x: ((slope * x + high).erfc() - (slope * x + low).erfc()) / 2

    def mirrored(self) -> Normal:
        """Itself."""
        return self

    def ball_integral(self, v: Any) -> Any:
        """The sum v F(v) + deviation^2 f(v)."""
        return v * self.ball_cdf(v) + ball_of(self.variance) * self.ball_pdf(v)

    def ball_entropy(self) -> Any:
        """ln(deviation sqrt(2 pi e))."""
        return (2 * arb.pi()).log() / 2 + arb(1) / 2 + ball_of(self.deviation).log()

    def ball_width(self, confidence: Any) -> Any:
        """2 sqrt(2) deviation erfinv(c)."""
        return 2 * arb(2).sqrt() * ball_of(self.deviation) * confidence.erfinv()
