"""Noise: the law of a number that is added to a value.

Its parameters are exact. Its density is a closed form on pieces; `ball_pdf` and `ball_cdf` enclose
it in ball arithmetic, `pdf` and `cdf` are floats, for numeric work that decides nothing.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import acb, arb

from ppdm_formal.numbers.enclosure import Enclosure, ball_of, enclose
from ppdm_formal.numbers.exponential import Real
from ppdm_formal.numbers.spelling import number_text

Floats: TypeAlias = npt.NDArray[np.float64]
End: TypeAlias = Fraction | None
"""An end of an interval; None where it goes on without end."""

Place: TypeAlias = tuple[Any, Fraction]
"""A ball, and a number that says on which piece it lies."""

LARGEST = Fraction(10**30)
"""No parameter of a noise law is larger; where it must be positive, none is below 1/LARGEST."""


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

        >>> from ppdm_formal.noises.by_place import parse_noise
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
