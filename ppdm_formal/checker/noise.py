"""Noise: what evidence asks of a law of noise; each law is a file of its own (noise_*.py).

All are log-concave with one peak (docs/numeric.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from .limits import ONE, ZERO
from .result import Rejected, need
from .spans import Span
from .table import table_of


class Noise(ABC):
    """A law of noise.

    exact: density and distribution are computed exactly, otherwise enclosed. settles: far out, the
    likelihoods of all x fall by one factor, so that beliefs no longer change. surer: far out, the
    nearest x outweighs all others, without bound and evenly.
    """

    kind: ClassVar[str]
    exact: ClassVar[bool] = True
    settles: ClassVar[bool] = False
    surer: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def read(cls, numbers: list[Fraction]) -> Noise:
        """The law with these numbers, if there is such a one."""

    @property
    def support(self) -> tuple[Fraction | None, Fraction | None]:
        """Its ends, where it has some."""
        return None, None

    @property
    def center(self) -> Fraction:
        """Its middle."""
        return ZERO

    def mirrored(self) -> Noise:
        """The law of the negative number."""
        return self

    @abstractmethod
    def density(self, v: Fraction) -> Any:
        """Exactly, ends included; only where it is exact."""

    @abstractmethod
    def below(self, v: Fraction) -> Any:
        """The distribution, exactly; only where it is exact."""

    @abstractmethod
    def log_ratio(self, one: Fraction, other: Fraction) -> Fraction:
        """The logarithm of one density by another; only without ends."""

    def in_proportion(self, one: Fraction, other: Fraction) -> tuple[Any, Any]:
        """Two densities up to a common factor, exactly."""
        return self.density(one), self.density(other)

    def constant(self, one: Fraction, other: Fraction) -> bool:
        """Whether the ratio of the densities at two places, one < other, is so just below them."""
        return False

    @abstractmethod
    def height(self, v: Fraction, bits: int) -> Span:
        """The density."""

    @abstractmethod
    def distribution(self, v: Fraction, bits: int) -> Span:
        """The distribution."""

    @abstractmethod
    def integral(self, v: Fraction, bits: int) -> Span:
        """The integral of the distribution up to v."""

    def heights(self, low: Fraction, high: Fraction, bits: int) -> Span:
        """The least and the greatest density between two numbers: it has one peak."""
        ends = [self.height(v, bits)[0] for v in (low, high)]
        return min(ends), self.height(min(max(self.center, low), high), bits)[1]

    def between(self, low: Fraction, high: Fraction, bits: int) -> Span:
        """How likely it lies between two numbers."""
        one, two = self.distribution(low, bits), self.distribution(high, bits)
        return max(two[0] - one[1], ZERO), max(two[1] - one[0], ZERO)


@dataclass(frozen=True)
class Bounded(Noise):
    """A law between two ends, all of whose numbers are rational."""

    a: Fraction
    b: Fraction

    @classmethod
    def read(cls, numbers: list[Fraction]) -> Self:
        """The two ends."""
        need(len(numbers) == 2, "noise: too many or too few numbers")
        need(numbers[0] < numbers[1], "noise: no such law")
        return cls(*numbers)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """Its ends."""
        return self.a, self.b

    @property
    def center(self) -> Fraction:
        """Its middle."""
        return (self.a + self.b) / 2

    def mirrored(self) -> Self:
        """The law of the negative number."""
        return type(self)(-self.b, -self.a)

    def share(self, v: Fraction) -> Fraction:
        """How much of the interval lies below."""
        return min(max((v - self.a) / (self.b - self.a), ZERO), ONE)

    def log_ratio(self, one: Fraction, other: Fraction) -> Fraction:
        """A density with ends is 0 somewhere."""
        raise Rejected("noise with ends has no such ratio")

    @abstractmethod
    def density(self, v: Fraction) -> Fraction:
        """Exactly, ends included."""

    @abstractmethod
    def below(self, v: Fraction) -> Fraction:
        """The distribution."""

    @abstractmethod
    def below_integral(self, v: Fraction) -> Fraction:
        """The integral of the distribution up to v."""

    def height(self, v: Fraction, bits: int) -> Span:
        """The density."""
        return self.density(v), self.density(v)

    def distribution(self, v: Fraction, bits: int) -> Span:
        """The distribution."""
        return self.below(v), self.below(v)

    def integral(self, v: Fraction, bits: int) -> Span:
        """The integral of the distribution up to v."""
        found = self.below_integral(v)
        return found, found


def read_noise(word: str, numbers: list[Fraction]) -> Noise:
    """The law of a name, with its numbers."""
    laws: dict[str, type[Noise]] = table_of(Noise)
    need(word in laws, "unknown noise")
    return laws[word].read(numbers)


def read_scale(numbers: list[Fraction]) -> Fraction:
    """The one number of a law without ends."""
    need(len(numbers) == 1, "noise: too many or too few numbers")
    need(numbers[0] > 0, "noise: no such law")
    return numbers[0]
