"""Noise: the law of a number that is added to a value.

Its parameters are exact. Its density is a closed form on pieces; `ball_pdf` and `ball_cdf` enclose
it in ball arithmetic, `pdf` and `cdf` are floats, for numeric work that decides nothing.

Every law is symmetric about its center and log-concave: all privacy questions rest on that. It
is 0 beyond two ends (`support`), or falls as e^(-v/tail) beyond its kinks (`tail`), or falls ever
faster without end (`spread`); it may be made of straight lines (`lines`). Whoever asks what a
noise is like asks for these, never for its class.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import acb, arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of, enclose
from ppdm_formal.declare.arithmetic.exponential import Real, dyadic
from ppdm_formal.declare.arithmetic.spelling import number_text

Floats: TypeAlias = npt.NDArray[np.float64]
End: TypeAlias = Fraction | None
"""An end of an interval; None where it goes on without end."""

Place: TypeAlias = tuple[Any, Fraction]
"""A ball, and a number that says on which piece it lies."""

if TYPE_CHECKING:
    from ppdm_formal.declare.noises.normal import Normal

LARGEST = Fraction(10**30)
"""No parameter of a noise law is larger; where it must be positive, none is below 1/LARGEST."""

POINT = 2.0**-70
"""A ball that is narrower counts as a point."""


@dataclass(frozen=True)
class LinePiece:
    """A piece of a density that is a straight line: f at its two ends."""

    lo: Fraction
    hi: Fraction
    first: Fraction
    last: Fraction

    @cached_property
    def slope(self) -> Fraction:
        """How much f rises for each unit."""
        return (self.last - self.first) / (self.hi - self.lo)

    @cached_property
    def mass(self) -> Fraction:
        """The area below it."""
        return (self.hi - self.lo) * (self.first + self.last) / 2

    def at(self, v: Fraction) -> Fraction:
        """F at v."""
        return self.first + self.slope * (v - self.lo)

    @cached_property
    def lower(self) -> tuple[Fraction, Fraction]:
        """The end where f is not above its value at the other one, and that value."""
        return (self.lo, self.first) if self.first <= self.last else (self.hi, self.last)


@dataclass(frozen=True)
class Noise(ABC):
    """A law with a density f on the real line; frozen, with exact parameters."""

    name: ClassVar[str]
    example: ClassVar[str]

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

    @classmethod
    @abstractmethod
    def around_zero(cls, size: Fraction) -> Noise:
        """The law around 0 of some size, which grows in proportion with it."""

    @abstractmethod
    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """So many seeded draws in floats, for experiments; they protect nobody."""

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

    @abstractmethod
    def piece_pdf(self, v: Any, at: Fraction) -> Any:
        """f(v) for a complex v, as the closed form of the piece that `at` lies in."""

    @abstractmethod
    def piece_cdf(self, v: Any, at: Fraction) -> Any:
        """F(v) for a complex v, as the closed form of the piece that `at` lies in."""

    @abstractmethod
    def piece_log(self, v: Any, at: Fraction, analytic: bool) -> Any:
        """The integral of f ln f up to v, for a complex v, on the piece of `at`."""

    def piece_between(self, most: Place, least: Place, sign: int) -> Callable[[Any], Any]:
        """F(most + sign x) - F(least + sign x) for many x, at the precision in force now.

        Each end comes with the place that says which piece it is on.
        """
        (high, there), (low, here) = most, least
        return lambda x: (
            self.piece_cdf(high + sign * x, there) - self.piece_cdf(low + sign * x, here)
        )

    @property
    def tail(self) -> Fraction | None:
        """The scale of tails that are e^(-v/scale) beyond the kinks, on both sides; or None."""
        return None

    @property
    def spread(self) -> Fraction | None:
        """About a standard deviation, where f falls ever faster without end; None elsewhere.

        Likelihoods of outputs far out then tell inputs ever further apart.
        """
        return None

    @property
    def lines(self) -> tuple[LinePiece, ...]:
        """The straight lines that f is made of, in order; none where it is not made of lines."""
        return ()

    def line_at(self, v: Fraction) -> LinePiece | None:
        """The line on which v lies, the lower one of two that meet there."""
        return next((line for line in self.lines if line.lo < v <= line.hi), None)

    def log_form(self, at: Fraction) -> Callable[[Any], Any] | None:
        """The logarithm of f over its maximum on the piece of `at`; None: it has no closed form.

        Where f is a constant: lines that are not level fall to 0, and ln f has no end there.
        """
        line = self.line_at(at)
        if line is None or line.slope:
            return None
        top = max(max(line.first, line.last) for line in self.lines)
        level = acb(ball_of(line.first / top).log())
        return lambda v: level

    def constant_from(
        self, x1: Fraction, x2: Fraction, lo: Fraction, hi: Fraction
    ) -> Fraction | None:
        """From where on, up to hi, f(z - x1)/f(z - x2) does not change for z of lo..hi, x1 > x2.

        None where it changes just below hi.
        """
        here, there = self.line_at(hi - x1), self.line_at(hi - x2)
        if here is None or there is None or here.slope or there.slope:
            return None
        return max(lo, x1 + here.lo, x2 + there.lo)

    def times_bell(
        self, mean: Fraction, law: Normal, z: Any, ends: Sequence[Any], at: Fraction, apart: End
    ) -> Any:
        """The integral of law(x - mean) f(z - x) over x between two (complex) ends.

        z - x lies on the piece of `at`; apart: how far apart both ends are, if that is known.
        """
        line = self.line_at(at)
        if line is None:
            start, length = ends[0], ends[1] - ends[0]

            def moved(u: Any, _: bool) -> Any:
                x = start + u * length
                return law.ball_pdf(x - ball_of(mean)) * self.piece_pdf(z - x, at) * length

            return acb.integral(moved, 0, 1)
        middle, deviation = ball_of(mean), ball_of(law.deviation)
        place, height = line.lower
        if not line.slope:
            return ball_of(height) * bell_between(ends, middle, deviation, apart)
        share = bell_between(ends, middle, deviation)
        low, high = (law.ball_pdf(end - middle) for end in ends)
        rising = (z - ball_of(place) - middle) * share + deviation**2 * (high - low)
        return ball_of(line.slope) * rising + (ball_of(height) * share if height else 0)

    def nats(self, near: Fraction, far: Fraction) -> Fraction:
        """The logarithm of f(near)/f(far), or a little more; asked where f falls ever faster."""
        with ctx.workprec(64):
            ratio = self.ball_pdf(ball_of(near)) / self.ball_pdf(ball_of(far))
            return Fraction(dyadic(ratio.log().upper()))

    def most_around(self, away: Any, height: Any) -> Any:
        """No |f(v)| is greater, v complex: away from 0 on the line by so much, and so high above.

        Asked where f falls ever faster; None where that is not known.
        """
        return None

    def sum_around(
        self, nodes: Sequence[tuple[Any, Any]], middle: Fraction, radius: Fraction
    ) -> Callable[[Any], Any]:
        """The sum of weight f(z - x) over nodes (x, weight), for complex z within a radius.

        Asked where f falls ever faster, and hence has one piece.
        """
        return lambda z: sum((weight * self.ball_pdf(z - x) for x, weight in nodes), acb(0))

    def exact_pdf(self, v: Fraction) -> Real | None:
        """f(v) exactly (above, at a jump, the larger value); None where it is no such number."""
        return None

    def exact_cdf(self, v: Fraction) -> Real | None:
        """P[noise <= v] exactly; None where it is no such number."""
        return None

    def client(self, step: Fraction) -> dict[str, Any] | None:
        """The formula by which clients know the distribution between steps; None: they list it."""
        return None

    @property
    def sd(self) -> float:
        """The standard deviation, in floats."""
        return math.sqrt(self.variance)

    def shortest(self, confidence: Fraction) -> Enclosure:
        """The length of the shortest interval with this probability: Evf02's privacy at c%.

        >>> from ppdm_formal.declare.noises.by_place import parse_noise
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


def check_positive(noise: Noise, value: Fraction, what: str) -> None:
    """Refuse a parameter that is no size."""
    if not 1 / LARGEST <= value <= LARGEST:
        raise ValueError(f"{noise}: the {what} must be above 0 and within 10^-30 to 10^30")


def middle_in(v: Any, lo: End, hi: End) -> bool:
    """Whether the middle of a ball (real or complex) lies between two ends."""
    middle = getattr(v, "real", v).mid()
    return (lo is None or middle >= ball_of(lo)) and (hi is None or middle <= ball_of(hi))


def positive(ball: Any) -> Any:
    """The greater of a number and 0."""
    return ball.max(arb(0))


def cut(ball: Any) -> Any:
    """A ball cut to [0, 1], monotone."""
    return monotone(lambda end: end.max(arb(0)).min(arb(1)), ball)


def monotone(function: Any, v: Any) -> Any:
    """An increasing function of all points of a ball."""
    if v.is_exact():
        return function(v)
    return function(v.lower()).union(function(v.upper()))


def bell_between(ends: Sequence[Any], mean: Any, deviation: Any, apart: End = None) -> Any:
    """How likely a normal law lies between two (complex) numbers, so far apart if that is known."""
    low, high = (acb((end - mean) / (deviation * arb(2).sqrt())) for end in ends)
    if low.real.mid() > 0:  # far out on the right, mirrored: digits are not lost
        found = (low.erfc() - high.erfc()) / 2
    else:
        found = ((-high).erfc() - (-low).erfc()) / 2
    if apart is None or low.rad() < POINT:
        return found
    # The length times the mean density is narrower where both ends are wide, and close together.
    t = low.union(high)
    other = ball_of(apart) / (deviation * (2 * arb.pi()).sqrt()) * (-t * t).exp()
    return other if other.rad() < found.rad() else found


def x_log_x(p: Any, analytic: bool) -> Any:
    """The product p ln p; 0 for p <= 0 where a real p is only enclosed, not continued."""
    p = acb(p)
    if p.is_zero():
        return p
    if analytic or p.real > 0:
        return p * p.log(analytic=analytic)
    most = p.real.upper()
    if not most > 0:
        return acb(0)
    bottom = (-arb(1)).exp()  # p ln p falls up to there, and then rises
    found = arb(0).union(most * most.log())
    return acb(found if most < bottom else found.union(-bottom))
