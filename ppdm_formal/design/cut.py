"""Cut: how much of a support remains where longer baskets give a random part of M items.

A k-itemset in a basket of m > M items is in the part with chance (M)_k / (m)_k, where (x)_k is
x (x - 1) ... (x - k + 1). Estimates are of the support that remains: too small, never too large.
Where baskets are at hand, they say what remains of each item: long baskets hold more items, so
that less remains than if every item were in the same share of the baskets of each size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.design.at_hand import AtHand

Floats: TypeAlias = npt.NDArray[np.float64]

NEAR = 1.5
"""Items whose supports differ by less than this factor are taken for alike."""


@dataclass(frozen=True)
class Remains:
    """The share of a k-itemset's support that remains after cutting to M items.

    evenly: where the itemset is in the same share of the baskets of each size that can hold it.
    least: where it is in the longest baskets alone.
    """

    itemset: int
    evenly: Fraction
    least: Fraction


def remaining(histogram: Mapping[int, int], most: int, itemset: int) -> Remains:
    """What remains of supports where baskets of these sizes are cut to at most M items.

    >>> pairs = remaining({2: 1, 4: 1}, 2, 2)
    >>> str(pairs.evenly), str(pairs.least)
    ('7/12', '1/6')
    """
    counts = {size: count for size, count in histogram.items() if size >= itemset}
    if not counts:
        return Remains(itemset, Fraction(1), Fraction(1))
    kept = {size: stays(size, most, itemset) for size in counts}
    whole = sum(counts.values())
    evenly = sum((counts[size] * kept[size] for size in counts), Fraction(0)) / whole
    return Remains(itemset, evenly, kept[max(counts)])


def stays(size: int, most: int, itemset: int) -> Fraction:
    """The chance that k given items of a basket are in a random part of at most M items."""
    if size <= most:
        return Fraction(1)
    return Fraction(math.comb(most, itemset), math.comb(size, itemset))


def item_shares(data: AtHand, most: int) -> Floats:
    """What remains of each item's support where the baskets at hand are cut to M items.

    1 for items that no basket holds.

    >>> item_shares(AtHand.of(3, [[0], [0, 1, 2], [1]]), 1).round(3).tolist()
    [0.667, 0.667, 0.333]
    """
    sizes = data.sizes
    weights = np.repeat(np.minimum(1.0, most / np.maximum(sizes, 1)), sizes)
    counts = data.item_counts()
    left = np.bincount(data.members, weights, minlength=data.items)
    return np.asarray(np.where(counts > 0, left / np.maximum(counts, 1), 1.0))


@dataclass(frozen=True)
class Around:
    """What remains of supports near one: the least of all items, their mean, and the most."""

    least: float
    mean: float
    most: float


@dataclass(frozen=True, eq=False)
class KeptShares:
    """What remains of items' supports after cutting: shares, by the supports before, rising."""

    supports: Floats
    shares: Floats

    @classmethod
    def of(cls, data: AtHand, most: int) -> KeptShares:
        """That of the items of baskets at hand; all of it where there are none.

        >>> KeptShares.of(AtHand.of(3, [[0], [0, 1, 2], [1]]), 1).around(0.6)
        Around(least=0.6666666666666666, mean=0.6666666666666666, most=0.6666666666666666)
        """
        counts = data.item_counts()
        order = np.argsort(counts, kind="stable")
        order = order[counts[order] > 0]
        if not len(order):
            return cls.alike(1.0)
        return cls(counts[order] / len(data), item_shares(data, most)[order])

    @classmethod
    def alike(cls, share: float) -> KeptShares:
        """The same share of every support."""
        return cls(np.array([1.0]), np.array([float(share)]))

    @property
    def whole(self) -> bool:
        """Whether nothing is cut."""
        return bool((self.shares == 1.0).all())

    @cached_property
    def _sums(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(self.shares)])

    def _near(self, support: float) -> tuple[int, int]:
        """The items whose supports are near this one; near the nearest where there are none."""
        low = int(np.searchsorted(self.supports, support / NEAR, "left"))
        high = int(np.searchsorted(self.supports, support * NEAR, "right"))
        if low < high:
            return low, high
        ends = self.supports[max(0, low - 1) : low + 1]
        return self._near(float(ends[np.argmin(np.abs(ends - support))]))

    def mean(self, support: float) -> float:
        """What remains of a support like this one, on average over such items."""
        low, high = self._near(support)
        return float(self._sums[high] - self._sums[low]) / (high - low)

    def around(self, support: float) -> Around:
        """The same with the items of which least and most remains."""
        low, high = self._near(support)
        some = self.shares[low:high]
        return Around(float(some.min()), self.mean(support), float(some.max()))
