"""Laplace noise: e^(-|v|/scale), without end on both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.arithmetic.exponential import Real, exp_of
from ppdm_formal.declare.noises.noise import (
    End,
    Floats,
    Noise,
    Place,
    bell_between,
    check_positive,
    middle_in,
    monotone,
    positive,
)

if TYPE_CHECKING:
    from ppdm_formal.declare.noises.normal import Normal


@dataclass(frozen=True)
class Laplace(Noise):
    """f = e^(-|v|/scale)/(2 scale)."""

    scale: Fraction
    name: ClassVar[str] = "laplace"
    example: ClassVar[str] = "laplace(5/2)"

    def __post_init__(self) -> None:
        check_positive(self, self.scale, "scale")

    @property
    def support(self) -> tuple[End, End]:
        """The whole line."""
        return None, None

    @property
    def variance(self) -> Fraction:
        """2 scale^2."""
        return 2 * self.scale**2

    @property
    def center(self) -> Fraction:
        """0."""
        return Fraction(0)

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """The peak."""
        return (Fraction(0),)

    @classmethod
    def around_zero(cls, size: Fraction) -> Laplace:
        """Its scale."""
        return cls(size)

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """By NumPy."""
        return random.laplace(0.0, float(self.scale), count)

    def pdf(self, values: npt.ArrayLike) -> Floats:
        """As defined."""
        v = np.asarray(values, dtype=np.float64)
        scale = float(self.scale)
        return np.exp(-np.abs(v) / scale) / (2 * scale)

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """Half of e^(v/scale) below 0, one minus half of e^(-v/scale) above."""
        v = np.asarray(values, dtype=np.float64) / float(self.scale)
        tail = np.exp(-np.abs(v)) / 2
        return np.where(v < 0, tail, 1 - tail)

    def ball_pdf(self, v: Any) -> Any:
        """One exponential on each side of 0."""
        return self._side(v, middle_in(v, None, Fraction(0)))

    def piece_pdf(self, v: Any, at: Fraction) -> Any:
        """The same, of one side."""
        return self._side(v, at < 0)

    def _side(self, v: Any, below: bool) -> Any:
        scale = ball_of(self.scale)
        return ((v if below else -v) / scale).exp() / (2 * scale)

    def ball_cdf(self, v: Any) -> Any:
        """Monotone, so that the ends of a ball enclose all of it."""
        return monotone(self._cdf_at, v)

    def _cdf_at(self, v: Any) -> Any:
        tail = (-abs(v) / ball_of(self.scale)).exp() / 2
        return tail if v < 0 else 1 - tail

    def piece_cdf(self, v: Any, at: Fraction) -> Any:
        """One exponential on each side of 0."""
        scale = ball_of(self.scale)
        return (v / scale).exp() / 2 if at < 0 else 1 - (-v / scale).exp() / 2

    def piece_log(self, v: Any, at: Fraction, analytic: bool) -> Any:
        """Below 0 by parts, and mirrored above."""
        scale = ball_of(self.scale)
        if at >= 0:
            rest = self.piece_log(-v, -abs(at) or Fraction(-1), analytic)
            return -(2 * scale).log() - 1 - rest
        w = v / scale
        return -w.exp() / 2 * (2 * scale).log() - (1 - w) * w.exp() / 2

    def piece_between(self, most: Place, least: Place, sign: int) -> Callable[[Any], Any]:
        """Divided by the scale once for all x."""
        slope, unit = sign / ball_of(self.scale), ball_of(self.scale)
        forms = [(end / unit, place < 0) for end, place in (most, least)]

        def share(x: Any) -> Any:
            over, under = (
                (slope * x + end).exp() / 2 if first else 1 - (-slope * x - end).exp() / 2
                for end, first in forms
            )
            return over - under

        return share

    @property
    def tail(self) -> Fraction:
        """The scale."""
        return self.scale

    def log_form(self, at: Fraction) -> Callable[[Any], Any]:
        """-|v|/scale."""
        scale = ball_of(self.scale)
        return lambda v: (-v if at > 0 else v) / scale

    def constant_from(
        self, x1: Fraction, x2: Fraction, lo: Fraction, hi: Fraction
    ) -> Fraction | None:
        """Above both numbers, or below both."""
        return lo if hi <= x2 else (max(x1, lo) if hi > x1 else None)

    def times_bell(
        self, mean: Fraction, law: Normal, z: Any, ends: Sequence[Any], at: Fraction, apart: End
    ) -> Any:
        """e^(+-(z - x)/scale) only moves the normal law."""
        deviation = ball_of(law.deviation)
        rate = (1 if at > 0 else -1) / ball_of(self.scale)
        lift = (rate * (ball_of(mean) - z) + (rate * deviation) ** 2 / 2).exp()
        moved = ball_of(mean) + rate * deviation**2
        return lift * abs(rate) / 2 * bell_between(ends, moved, deviation)

    def mirrored(self) -> Laplace:
        """Itself."""
        return self

    def exact_pdf(self, v: Fraction) -> Real:
        """As defined."""
        return exp_of(-abs(v) / self.scale) / (2 * self.scale)

    def exact_cdf(self, v: Fraction) -> Real:
        """One exponential on each side of 0."""
        tail = exp_of(-abs(v) / self.scale) / 2
        return tail if v < 0 else 1 - tail

    def client(self, step: Fraction) -> dict[str, Any]:
        """How many half steps make the exponent 1."""
        half = step / (2 * self.scale)
        return {"exponent": [hex(half.numerator), hex(half.denominator)]}

    def ball_integral(self, v: Any) -> Any:
        """max(v, 0) + scale e^(-|v|/scale)/2."""
        scale = ball_of(self.scale)
        return positive(v) + scale * (-abs(v) / scale).exp() / 2

    def ball_entropy(self) -> Any:
        """1 + ln(2 scale)."""
        return 1 + ball_of(2 * self.scale).log()

    def ball_width(self, confidence: Any) -> Any:
        """-2 scale ln(1 - c)."""
        return -2 * ball_of(self.scale) * (1 - confidence).log()
