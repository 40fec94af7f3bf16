"""AtHand: baskets that are at hand when a plan is designed, such as last year's.

A plan uses their sizes; predictions of what it finds use their supports.

Projected sizes are how many of the items that a first phase chooses they hold. An item of support
s is chosen where its estimate reaches a threshold, with the normal chance q(s) = P[s + noise >=
threshold]; items are chosen independently of each other. The number of chosen items in a basket is
then a sum of independent coins, one for each of its items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Integers: TypeAlias = npt.NDArray[np.int64]
Itemset: TypeAlias = tuple[int, ...]

MAX_CANDIDATES = 2_000_000
"""Most itemsets of one size that are counted."""


_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1)
"""How many bits of a byte are set."""


class TooMany(ValueError):
    """More itemsets are frequent than are counted; the message says how many there would be."""


@dataclass(frozen=True)
class AtHand:
    """Baskets as sets: number i holds the items members[offsets[i] : offsets[i + 1]], rising."""

    items: int
    members: Integers
    offsets: Integers

    @classmethod
    def of(cls, items: int, baskets: Sequence[Sequence[int]]) -> AtHand:
        """From lists, for few of them.

        >>> AtHand.of(4, [[1, 3], [], [3]]).histogram
        {0: 1, 1: 1, 2: 1}
        """
        sets = [sorted(set(basket)) for basket in baskets]
        members = np.array([item for basket in sets for item in basket], dtype=np.int64)
        ends = np.cumsum([0, *map(len, sets)]).astype(np.int64)
        return cls(items, members, ends)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Integers:
        """How many items each basket has."""
        return np.diff(self.offsets)

    @property
    def histogram(self) -> dict[int, int]:
        """How many baskets there are of each size that occurs; also of size 0."""
        return _counted(self.sizes)

    def item_counts(self) -> Integers:
        """How many baskets hold each item."""
        return np.bincount(self.members, minlength=self.items)

    def projected(self, chosen: Sequence[int]) -> AtHand:
        """The baskets with only the chosen items, which are numbered anew in their order."""
        places = np.full(self.items, -1, dtype=np.int64)
        places[np.asarray(chosen, dtype=np.int64)] = np.arange(len(chosen))
        found = places[self.members]
        stays = found >= 0
        kept = np.concatenate([[0], np.cumsum(stays)])
        members = found[stays]
        ends = kept[self.offsets].astype(np.int64)
        if len(chosen) and (np.diff(np.asarray(chosen)) < 0).any():
            owners = np.repeat(np.arange(len(self)), np.diff(ends))
            members = members[np.lexsort((members, owners))]
        return AtHand(len(chosen), members, ends)

    def frequent(self, itemset: int, least: int) -> Mapping[Itemset, int]:
        """The itemsets of up to k items that at least so many baskets hold, with their counts.

        Level by level: an itemset is counted where all its parts are frequent; a basket is a bit.
        """
        least = max(1, least)
        counts = self.item_counts()
        items = np.flatnonzero(counts >= least).tolist()
        found: dict[Itemset, int] = {(item,): int(counts[item]) for item in items}
        held = self._bits(items)
        level: dict[Itemset, npt.NDArray[np.uint8]] = {(i,): held[i] for i in items}
        for size in range(2, itemset + 1):
            candidates = _joined(level, size)
            next_level = {}
            for whole in candidates:
                both = level[whole[:-1]] & held[whole[-1]]
                count = int(_ONES[both].sum())
                if count >= least:
                    found[whole] = count
                    next_level[whole] = both
            level = next_level
        return found

    def _bits(self, items: Sequence[int]) -> dict[int, npt.NDArray[np.uint8]]:
        """For each of some items the baskets that hold it, eight to a byte."""
        owners = np.repeat(np.arange(len(self)), self.sizes)
        order = np.argsort(self.members, kind="stable")
        sorted_items, sorted_owners = self.members[order], owners[order]
        bits = {}
        for item in items:
            low, high = np.searchsorted(sorted_items, [item, item + 1])
            mask = np.zeros(len(self), dtype=bool)
            mask[sorted_owners[low:high]] = True
            bits[item] = np.packbits(mask)
        return bits


def _joined(level: Mapping[Itemset, object], size: int) -> list[Itemset]:
    """Sets of k items all of whose parts of k - 1 are there."""
    by_start: dict[Itemset, list[int]] = {}
    for part in sorted(level):
        by_start.setdefault(part[:-1], []).append(part[-1])
    many = sum(len(ends) * (len(ends) - 1) // 2 for ends in by_start.values())
    if many > MAX_CANDIDATES:
        raise TooMany(
            f"{many:,} itemsets of {size} items would be counted; at most {MAX_CANDIDATES:,} are"
        )
    return [
        (*start, a, b)
        for start, ends in by_start.items()
        for a, b in combinations(ends, 2)
        if all(part in level for part in combinations((*start, a, b), size - 1))
    ]


def _counted(sizes: Integers) -> dict[int, int]:
    counts = np.bincount(sizes) if sizes.size else np.zeros(0, dtype=np.int64)
    return {int(size): int(counts[size]) for size in np.flatnonzero(counts)}


Floats: TypeAlias = npt.NDArray[np.float64]

MOST = 60
"""Larger projected sizes are counted as this one."""

_BLOCK = 1 << 12  # baskets worked on at a time


def chances(data: AtHand, chosen: Callable[[float], float], shares: Floats | None = None) -> Floats:
    """Q for each item of the data, from the chance that an item of a support is chosen.

    shares: what remains of each item's support where baskets are cut; `chosen` is of that.
    """
    counts = data.item_counts().astype(np.float64)
    if shares is not None:
        counts = np.rint(counts * shares)  # whole: fewer chances to compute
    supports, where = np.unique(counts / max(1, len(data)), return_inverse=True)
    return np.array([chosen(s) for s in supports.tolist()])[where]


def expected_sizes(data: AtHand, chosen: Floats) -> dict[int, float]:
    """How many baskets are expected to hold 0, 1, 2, ... chosen items.

    >>> data = AtHand.of(3, [[0, 1], [1, 2], [2]])
    >>> {m: round(x, 3) for m, x in expected_sizes(data, np.array([1.0, 0.5, 0.0])).items()}
    {0: 1.5, 1: 1.0, 2: 0.5}
    """
    sizes = data.sizes
    order = np.argsort(-sizes, kind="stable")  # the longest first: those still active are in front
    whole = np.zeros(MOST + 1)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        whole += _spread(data, rows, sizes[rows], chosen)
    return {size: float(count) for size, count in enumerate(whole) if count > 0}


def _spread(
    data: AtHand, rows: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], chosen: Floats
) -> Floats:
    wide = min(MOST, int(sizes[0]) if len(sizes) else 0)
    spread = np.zeros((len(rows), wide + 1))
    spread[:, 0] = 1.0
    for place in range(int(sizes[0]) if len(sizes) else 0):
        active = int(np.searchsorted(-sizes, -place, side="left"))  # baskets longer than `place`
        coin = chosen[data.members[data.offsets[rows[:active]] + place]][:, None]
        part = spread[:active]
        moved = part * coin
        part -= moved
        part[:, 1:] += moved[:, :-1]
        part[:, -1] += moved[:, -1]  # stays at the most
    found = np.zeros(MOST + 1)
    found[: wide + 1] = spread.sum(axis=0)
    return found


def independent_sizes(supports: Sequence[float], clients: int) -> dict[int, float]:
    """The same where nothing but the chosen items' supports is known: items are independent.

    >>> {m: round(x, 2) for m, x in independent_sizes([0.5, 0.5], 100).items()}
    {0: 25.0, 1: 50.0, 2: 25.0}
    """
    spread = np.zeros(min(MOST, len(supports)) + 1)
    spread[0] = 1.0
    for support in supports:
        moved = spread * min(1.0, max(0.0, support))
        spread -= moved
        spread[1:] += moved[:-1]
        spread[-1] += moved[-1]
    return {size: clients * float(share) for size, share in enumerate(spread) if share > 0}


def whole_counts(expected: Mapping[int, float], clients: int) -> dict[int, int]:
    """Whole numbers of clients near the expected ones, in all as many as there are.

    >>> whole_counts({0: 1.5, 1: 1.0, 2: 0.5}, 6)
    {0: 3, 1: 2, 2: 1}
    """
    scale = clients / math.fsum(expected.values())
    ends = np.cumsum([count * scale for _, count in sorted(expected.items())])
    parts = np.diff(np.concatenate([[0], np.rint(ends).astype(np.int64)])).tolist()
    return {size: part for size, part in zip(sorted(expected), parts, strict=True) if part}
