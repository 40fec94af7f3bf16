"""AtHand: baskets that are at hand when a plan is designed, such as last year's.

A plan uses their sizes; predictions of what it finds use their supports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
