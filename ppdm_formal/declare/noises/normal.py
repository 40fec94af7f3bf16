"""Normal noise: the bell, whose distribution is no exact number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from flint import acb, arb, arb_poly

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.noise import (
    End,
    Floats,
    Noise,
    Place,
    bell_between,
    check_positive,
    monotone,
)

_POWERS = 64
_NEGLIGIBLE = -200


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

    @property
    def spread(self) -> Fraction:
        """The standard deviation."""
        return self.deviation

    @classmethod
    def around_zero(cls, size: Fraction) -> Normal:
        """Its standard deviation."""
        return cls(size)

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """By NumPy."""
        return random.normal(0.0, float(self.deviation), count)

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

    def piece_pdf(self, v: Any, at: Fraction) -> Any:
        """One piece."""
        return self.ball_pdf(v)

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

    def log_form(self, at: Fraction) -> Callable[[Any], Any]:
        """-v^2/(2 deviation^2)."""
        unit = ball_of(2 * self.variance)
        return lambda v: -v * v / unit

    def nats(self, near: Fraction, far: Fraction) -> Fraction:
        """Half the difference of the squares, in variances."""
        return (far**2 - near**2) / (2 * self.variance)

    def times_bell(
        self, mean: Fraction, law: Normal, z: Any, ends: Sequence[Any], at: Fraction, apart: End
    ) -> Any:
        """The bell of the sum, times a share of another one."""
        a, b = ball_of(law.variance), ball_of(self.variance)
        gap = z - ball_of(mean)
        height = (-gap * gap / (2 * (a + b))).exp() / (2 * arb.pi() * (a + b)).sqrt()
        center = ball_of(mean) + gap * a / (a + b)
        return height * bell_between(ends, center, (a * b / (a + b)).sqrt())

    def most_around(self, away: Any, height: Any) -> Any:
        """|e^(-(s + it)^2/2)| = e^(-s^2/2) e^(t^2/2)."""
        return self.ball_pdf(away) * ((height / ball_of(self.deviation)) ** 2 / 2).exp()

    def sum_around(
        self, nodes: Sequence[tuple[Any, Any]], middle: Fraction, radius: Fraction
    ) -> Callable[[Any], Any]:
        """A power series around the middle, with what its tail is at most.

        The sum is e^(-(z - m)(z + m - 2 c)/(2 deviation^2)) times a power series in z - m, where c
        may be anything, and is where most of the weight lies.
        """
        m, variance, wide = ball_of(middle), ball_of(self.variance), ball_of(radius)
        here = [(x, weight * self.ball_pdf(m - x)) for x, weight in nodes]
        total = sum((abs(weight) for _, weight in here), arb(0))
        if not total > 0:
            return lambda z: arb(0)
        mean = sum((x * abs(weight) for x, weight in here), arb(0)) / total
        center = arb(mean.mid())
        least = total * arb(2) ** _NEGLIGIBLE
        tail = arb(0)
        kept = []
        for x, weight in here:
            slope = (x - center) / variance
            size = abs(slope) * wide
            if abs(weight) * size.exp() < least:
                tail += abs(weight) * size.exp()
            else:
                kept.append((weight, slope, size))
        count = _POWERS + 3 * max(int(float(size)) for _, _, size in kept)
        last = arb(count + 1).gamma()
        powers = [arb(0)] * count
        for weight, slope, size in kept:
            tail += abs(weight) * size.exp() * size**count / last
            for k in range(count):
                powers[k] += weight
                weight = weight * slope
        for k in range(count):
            powers[k] /= arb(k + 1).gamma()
        series, tail = arb_poly(powers), tail.upper()
        tilt = center - m

        def at(z: Any) -> Any:
            gap = acb(z - m)
            if not abs(gap) <= wide:
                return acb(arb("nan"))
            rest = arb(0, tail)
            return (gap * (2 * tilt - gap) / (2 * variance)).exp() * (series(gap) + acb(rest, rest))

        return at

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
