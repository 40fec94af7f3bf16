"""MeanError: what it costs to estimate the mean of x, where inputs are numbers.

Scores c[y] whose mean over the outputs of x is x estimate the mean without bias, with N times the
mean squared error  sum over x of pi[x] t[x] - mu^2,  t[x] = sum over y of p[x -> y] c[y]^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import INFINITY, Measured


@dataclass(frozen=True)
class MeanError:
    """N times the mean squared error of the mean, what N plain answers leave, and their ratio.

    worst: under the worst distribution, where it was worked out. width: largest less smallest x.
    """

    error: Fraction | Enclosure
    plain: Fraction
    worst: Fraction | None
    width: int

    @property
    def factor(self) -> Measured:
        """How many times as many people are needed."""
        if self.plain == 0:
            return INFINITY
        if isinstance(self.error, Enclosure):
            return Enclosure(self.error.lo / self.plain, self.error.hi / self.plain)
        return self.error / self.plain


def plain_variance(values: Sequence[int], masses: Sequence[Any]) -> Any:
    """The variance of x itself; equal masses are multiplied once."""
    sums: dict[Any, tuple[int, int]] = {}
    for x, mass in zip(values, masses, strict=True):
        first, second = sums.get(mass, (0, 0))
        sums[mass] = first + x, second + x * x
    mean = sum((mass * first for mass, (first, _) in sums.items()), start=Fraction(0))
    square = sum((mass * second for mass, (_, second) in sums.items()), start=Fraction(0))
    return square - mean * mean


def worst_mean(values: Sequence[int], squares: Sequence[Fraction]) -> Fraction:
    """The largest sum of pi[x] t[x] - mu^2 over all distributions.

    For each mean mu the best pi lies on the upper hull of the points (x, t[x]): between two
    neighbours of it the value is a parabola in mu.
    """
    hull: list[tuple[int, Fraction]] = []
    for x, t in sorted(zip(values, squares, strict=True)):
        while len(hull) > 1 and _not_above(hull[-2], hull[-1], (x, t)):
            hull.pop()
        hull.append((x, t))
    best = max(t - x * x for x, t in hull)
    for (left, low), (right, high) in pairwise(hull):
        slope = Fraction(high - low, right - left)
        top = slope / 2
        if left < top < right:
            best = max(best, low + slope * (top - left) - top * top)
    return best


def _not_above(a: tuple[int, Any], b: tuple[int, Any], c: tuple[int, Any]) -> bool:
    return bool((b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0]))
