"""How many values clients hold, and what remains of a support where they report at most L of them.

A client that holds s > L values reports L of them at random. Where a value is held the likelier,
the more is held, P[held given s] = 1 - exp(-c s), so that with the law of s

    kept(c) = E (1 - exp(-c s)) min(1, L / s),    all(c) = E (1 - exp(-c s))

From the kept support follows c, and from c the support. Values differ in this, so that what a cut
takes away is known to within UNEVEN of itself: an error that no number of clients removes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CLASSES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 19, 24, 31, 41, 56, 76, 111)
"""The least length of each class of lengths."""

SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40)
"""Sizes that clients are cut to."""

UNEVEN = 0.3

_RATES = np.geomspace(1e-7, 60, 500)


def classes_up_to(most: int) -> tuple[int, ...]:
    """The classes that lengths of at most so many values fall into; at least two."""
    return tuple(one for one in CLASSES if one <= max(1, most))


@dataclass(frozen=True)
class RoundLengths:
    """The law of the number of values held."""

    sizes: Floats
    shares: Floats

    @classmethod
    def of(cls, histogram: Mapping[int, float]) -> RoundLengths:
        """From how many clients hold each number of values.

        >>> RoundLengths.of({1: 3, 5: 1}).mean
        2.0
        """
        sizes = np.array(sorted(histogram), dtype=float)
        counts = np.array([histogram[int(size)] for size in sizes], dtype=float)
        return cls(sizes, counts / counts.sum())

    @classmethod
    def told(cls, shares: Floats, least: tuple[int, ...]) -> RoundLengths:
        """From estimated shares of classes, which may be negative: the nearest law that is none.

        Between its least lengths a class is told by its geometric middle.
        """
        ends = np.array([*least[1:], least[-1] * 1.6 + 1], dtype=float)
        middles = np.sqrt(np.maximum(np.array(least, dtype=float), 0.5) * np.maximum(ends - 1, 0.5))
        middles[0] = 0.0
        return cls(middles, _nearest_law(shares))

    @property
    def mean(self) -> float:
        """How many values a client holds on average."""
        return float(self.sizes @ self.shares)

    def cut(self, size: int) -> LengthCut:
        """What remains where at most so many are reported."""
        return LengthCut(self, size)


def _nearest_law(found: Floats) -> Floats:
    """The nearest point of the simplex."""
    falling = np.sort(found)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(found) + 1)
    level = over[np.flatnonzero(falling > over)[-1]]
    return np.asarray(np.maximum(found - level, 0))


@dataclass(frozen=True)
class LengthCut:
    """Supports before and after cutting."""

    lengths: RoundLengths
    size: int

    @cached_property
    def _curve(self) -> tuple[Floats, Floats]:
        held = 1 - np.exp(-np.outer(_RATES, self.lengths.sizes))
        stays = np.minimum(1, self.size / np.maximum(self.lengths.sizes, 1))
        return held @ (self.lengths.shares * stays), held @ self.lengths.shares

    def kept(self, support: float) -> float:
        """What remains of a support."""
        kept, whole = self._curve
        return float(np.interp(support, whole, kept))

    def whole(self, kept: Floats) -> Floats:
        """The supports of which so much remains; near zero, and below, in proportion."""
        left, whole = self._curve
        slope = whole[0] / max(left[0], 1e-300)
        return np.asarray(np.where(kept <= left[0], kept * slope, np.interp(kept, left, whole)))

    def slope(self, support: float) -> float:
        """By how much the support changes with what remains."""
        left, whole = self._curve
        place = int(np.clip(np.searchsorted(whole, support), 1, len(whole) - 1))
        step = float(left[place] - left[place - 1])
        if step <= 0:  # beyond what these lengths can hold
            return 1.0
        return max(1.0, float(whole[place] - whole[place - 1]) / step)

    def error(self, variance: Callable[[float], float], support: float, clients: float) -> float:
        """The standard error of so many clients, with what is not known of the cut."""
        kept = self.kept(support)
        noise = math.sqrt(variance(kept) / max(clients, 1)) * self.slope(support)
        return math.hypot(noise, UNEVEN * (support - kept))
