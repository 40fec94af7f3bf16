"""Reals: an interval of real numbers as a domain, and properties that are unions of intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.spelling import number_text

Interval: TypeAlias = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Reals:
    """All real numbers from lo to hi."""

    lo: Fraction
    hi: Fraction
    name: str = ""

    def __post_init__(self) -> None:
        if not self.lo < self.hi:
            raise ValueError(f"reals {self.ends}: the lower end comes first, below the other")

    @property
    def ends(self) -> str:
        """As models write it: 0..100."""
        return f"{number_text(self.lo)}..{number_text(self.hi)}"

    @property
    def width(self) -> Fraction:
        """How long the interval is."""
        return self.hi - self.lo

    def __str__(self) -> str:
        return self.name or f"reals {self.ends}"


@dataclass(frozen=True)
class RealProperty:
    """A union of disjoint intervals of a domain, in order; what happens at their ends is left open.

    A density gives an end no probability, and a supremum over priors does not depend on it.

    >>> young = RealProperty(Reals(Fraction(0), Fraction(100)), ((Fraction(0), Fraction(18)),))
    >>> young.complement.intervals == ((Fraction(18), Fraction(100)),)
    True
    """

    domain: Reals
    intervals: tuple[Interval, ...]
    name: str = ""

    @property
    def complement(self) -> RealProperty:
        """All other numbers of the domain."""
        cuts = [self.domain.lo, *(end for part in self.intervals for end in part), self.domain.hi]
        pairs = zip(cuts[::2], cuts[1::2], strict=True)
        return RealProperty(self.domain, tuple((a, b) for a, b in pairs if a < b), self.name)

    @property
    def ends(self) -> Interval:
        """Its least and its greatest number."""
        return self.intervals[0][0], self.intervals[-1][1]

    def __str__(self) -> str:
        return " or ".join(f"{number_text(a)}..{number_text(b)}" for a, b in self.intervals)


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """The same points as disjoint intervals in order; those of no length are left out."""
    found: list[Interval] = []
    for lo, hi in sorted(part for part in intervals if part[0] < part[1]):
        if found and lo <= found[-1][1]:
            found[-1] = found[-1][0], max(hi, found[-1][1])
        else:
            found.append((lo, hi))
    return tuple(found)


def common(one: Iterable[Interval], other: Iterable[Interval]) -> tuple[Interval, ...]:
    """What lies in both."""
    others = list(other)
    return merged((max(a, c), min(b, d)) for a, b in one for c, d in others)
