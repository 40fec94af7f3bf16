"""Noise: the law of a number that is added to a value: uniform, normal, laplace or triangular.

Its parameters are exact. Its density is a closed form on pieces; `ball_pdf` and `ball_cdf` enclose
it in ball arithmetic, `pdf` and `cdf` are floats, for numeric work that decides nothing.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import arb

from ppdm_formal.numbers.enclosure import Enclosure, ball_of, enclose
from ppdm_formal.numbers.exact import parse_number
from ppdm_formal.numbers.exponential import Real, exp_of
from ppdm_formal.numbers.spelling import number_text

Floats: TypeAlias = npt.NDArray[np.float64]
End: TypeAlias = Fraction | None
"""An end of an interval; None where it goes on without end."""

LARGEST = Fraction(10**30)
"""No parameter of a noise law is larger; where it must be positive, none is below 1/LARGEST."""


@dataclass(frozen=True)
class Noise(ABC):
    """A law with a density f on the real line; frozen, with exact parameters."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def support(self) -> tuple[End, End]:
        """The least interval outside of which the density is 0."""

    @property
    @abstractmethod
    def variance(self) -> Fraction:
        """The variance, exactly."""

    @property
    @abstractmethod
    def center(self) -> Fraction:
        """The mean; all these laws are symmetric about it, and none is denser elsewhere."""

    @property
    @abstractmethod
    def kinks(self) -> tuple[Fraction, ...]:
        """Where the density is not smooth, in order: the ends of its pieces."""

    @abstractmethod
    def pdf(self, values: npt.ArrayLike) -> Floats:
        """f(v), in floats."""

    @abstractmethod
    def cdf(self, values: npt.ArrayLike) -> Floats:
        """P[noise <= v], in floats."""

    @abstractmethod
    def ball_pdf(self, v: Any) -> Any:
        """f(v) for a ball v that lies in one piece; v may be complex, inside the piece."""

    @abstractmethod
    def ball_cdf(self, v: Any) -> Any:
        """P[noise <= v], enclosed for every v of a ball."""

    @abstractmethod
    def ball_width(self, confidence: Any) -> Any:
        """The length of the shortest interval that has a probability `confidence` in (0, 1)."""

    @abstractmethod
    def mirrored(self) -> Noise:
        """The law of the number with its sign changed."""

    @abstractmethod
    def ball_integral(self, v: Any) -> Any:
        """The integral of the distribution up to v, E[max(v - noise, 0)], for an exact v."""

    @abstractmethod
    def ball_entropy(self) -> Any:
        """The differential entropy -integral of f ln f, in nats."""

    def exact_pdf(self, v: Fraction) -> Real | None:
        """f(v) exactly (above, at a jump, the larger value); None where it is no such number."""
        return None

    def exact_cdf(self, v: Fraction) -> Real | None:
        """P[noise <= v] exactly; None where it is no such number."""
        return None

    @property
    def sd(self) -> float:
        """The standard deviation, in floats."""
        return math.sqrt(self.variance)

    def shortest(self, confidence: Fraction) -> Enclosure:
        """The length of the shortest interval with this probability: Evf02's privacy at c%.

        >>> print(parse_noise("uniform(-1, 1)").shortest(Fraction(1, 2)))
        1
        >>> print(parse_noise("normal(1)").shortest(Fraction(95, 100)))
        3.91992...
        """
        if not 0 < confidence < 1:
            raise ValueError(f"a confidence lies between 0 and 1, not {number_text(confidence)}")
        return enclose(lambda: self.ball_width(ball_of(confidence)), nonzero=True)

    def __str__(self) -> str:
        """As models write it."""
        values = ", ".join(number_text(getattr(self, field.name)) for field in fields(self))
        return f"{self.name}({values})"


@dataclass(frozen=True)
class Bounded(Noise):
    """A law on an interval, symmetric about its middle."""

    lo: Fraction
    hi: Fraction

    def __post_init__(self) -> None:
        _check_ends(self)

    @property
    def support(self) -> tuple[End, End]:
        """Its two ends."""
        return self.lo, self.hi

    @property
    def center(self) -> Fraction:
        """The middle."""
        return (self.lo + self.hi) / 2


@dataclass(frozen=True)
class Uniform(Bounded):
    """f = 1/(hi - lo) between lo and hi."""

    name: ClassVar[str] = "uniform"

    @property
    def variance(self) -> Fraction:
        """(hi - lo)^2/12."""
        return (self.hi - self.lo) ** 2 / 12

    @property
    def kinks(self) -> tuple[Fraction, ...]:
        """Its two ends."""
        return self.lo, self.hi

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
        return ball_of(1 / (self.hi - self.lo)) if _middle_in(v, self.lo, self.hi) else arb(0)

    def ball_cdf(self, v: Any) -> Any:
        """A line, cut at 0 and 1."""
        return _cut((v - ball_of(self.lo)) / ball_of(self.hi - self.lo))

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
        inside = _positive(v - ball_of(self.lo))
        beyond = _positive(v - ball_of(self.hi))
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


@dataclass(frozen=True)
class Triangular(Bounded):
    """f rises in a line from lo to the middle, and falls in a line to hi."""

    name: ClassVar[str] = "triangular"

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
        if not _middle_in(v, self.lo, self.hi):
            return arb(0)
        rising = _middle_in(v, self.lo, self.center)
        rest = v - ball_of(self.lo) if rising else ball_of(self.hi) - v
        return rest / ball_of(self.half**2)

    def ball_cdf(self, v: Any) -> Any:
        """Monotone, so that the ends of a ball enclose all of it."""
        return _monotone(self._cdf_at, v)

    def _cdf_at(self, v: Any) -> Any:
        t = (v - ball_of(self.lo)) / ball_of(self.half)
        second = _cut(t - 1)
        return _cut(t) ** 2 / 2 + second - second**2 / 2

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
        lo, center, hi = (_positive(v - ball_of(end)) for end in self.kinks)
        return (lo**3 - 2 * center**3 + hi**3) / ball_of(6 * self.half**2)

    def ball_entropy(self) -> Any:
        """1/2 + ln(half)."""
        return arb(1) / 2 + ball_of(self.half).log()

    def ball_width(self, confidence: Any) -> Any:
        """(hi - lo)(1 - sqrt(1 - c))."""
        return ball_of(self.hi - self.lo) * (1 - (1 - confidence).sqrt())


@dataclass(frozen=True)
class Laplace(Noise):
    """f = e^(-|v|/scale)/(2 scale)."""

    scale: Fraction
    name: ClassVar[str] = "laplace"

    def __post_init__(self) -> None:
        _check_positive(self, self.scale, "scale")

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
        scale = ball_of(self.scale)
        below = _middle_in(v, None, Fraction(0))
        return ((v if below else -v) / scale).exp() / (2 * scale)

    def ball_cdf(self, v: Any) -> Any:
        """Monotone, so that the ends of a ball enclose all of it."""
        return _monotone(self._cdf_at, v)

    def _cdf_at(self, v: Any) -> Any:
        tail = (-abs(v) / ball_of(self.scale)).exp() / 2
        return tail if v < 0 else 1 - tail

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

    def ball_integral(self, v: Any) -> Any:
        """max(v, 0) + scale e^(-|v|/scale)/2."""
        scale = ball_of(self.scale)
        return _positive(v) + scale * (-abs(v) / scale).exp() / 2

    def ball_entropy(self) -> Any:
        """1 + ln(2 scale)."""
        return 1 + ball_of(2 * self.scale).log()

    def ball_width(self, confidence: Any) -> Any:
        """-2 scale ln(1 - c)."""
        return -2 * ball_of(self.scale) * (1 - confidence).log()


@dataclass(frozen=True)
class Normal(Noise):
    """f = e^(-v^2/(2 deviation^2))/(deviation sqrt(2 pi))."""

    deviation: Fraction
    name: ClassVar[str] = "normal"

    def __post_init__(self) -> None:
        _check_positive(self, self.deviation, "standard deviation")

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
        return _monotone(
            lambda end: (-end / (ball_of(self.deviation) * arb(2).sqrt())).erfc() / 2, v
        )

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


LAWS: dict[str, type[Noise]] = {law.name: law for law in (Uniform, Normal, Laplace, Triangular)}
"""The laws of noise, by the names that models use."""

_WRITTEN = re.compile(r"\s*([a-z]+)\s*\(([^()]*)\)\s*", re.ASCII)


def parse_noise(text: str) -> Noise:
    """Read "uniform(-1, 1)", "normal(10)", "laplace(5/2)" or "triangular(-3, 3)".

    >>> print(parse_noise("laplace(2.5)"))
    laplace(5/2)
    """
    match = _WRITTEN.fullmatch(text) if len(text) <= 4000 else None
    if match is None or match[1] not in LAWS:
        raise ValueError(
            f"{text[:60]!r} is no noise; it is written as uniform(-1, 1), normal(10), laplace(5/2) "
            "or triangular(-3, 3)"
        )
    return noise_of(match[1], [parse_number(part) for part in match[2].split(",")])


def noise_of(name: str, values: list[Fraction]) -> Noise:
    """The noise of a name with its parameters, or what is wrong with them."""
    law = LAWS[name]
    wanted = [field.name for field in fields(law)]
    if len(values) != len(wanted):
        raise ValueError(f"{name}({', '.join(wanted)}) takes {len(wanted)}, not {len(values)}")
    return law(*values)


def _check_ends(noise: Bounded) -> None:
    if max(abs(noise.lo), abs(noise.hi)) > LARGEST:
        raise ValueError(f"{noise} is beyond what is read: at most 10^30")
    if noise.hi - noise.lo < 1 / LARGEST:
        raise ValueError(f"{noise} needs two ends, the lower one first")


def _check_positive(noise: Noise, value: Fraction, what: str) -> None:
    if not 1 / LARGEST <= value <= LARGEST:
        raise ValueError(f"{noise}: the {what} must be above 0 and within 10^-30 to 10^30")


def _middle_in(v: Any, lo: End, hi: End) -> bool:
    """Whether the middle of a ball (real or complex) lies between two ends."""
    middle = getattr(v, "real", v).mid()
    return (lo is None or middle >= ball_of(lo)) and (hi is None or middle <= ball_of(hi))


def _positive(ball: Any) -> Any:
    """The greater of a number and 0."""
    return ball.max(arb(0))


def _cut(ball: Any) -> Any:
    """A ball cut to [0, 1], monotone."""
    return _monotone(lambda end: end.max(arb(0)).min(arb(1)), ball)


def _monotone(function: Any, v: Any) -> Any:
    """An increasing function of all points of a ball."""
    if v.is_exact():
        return function(v)
    return function(v.lower()).union(function(v.upper()))
