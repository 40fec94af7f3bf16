"""Reports: some reports of clients as lists or as seeds, from which columns of bits are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ppdm_formal.infer.baskets.counting import ones
from ppdm_formal.infer.baskets.kernels import Counts, Words
from ppdm_formal.infer.baskets.packed import BLOCK, WORDS, Packed
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.compress.expand import columns
from ppdm_formal.run.compress.generator import Generator

AT_ONCE = 1 << 23
"""Words of columns that are made of seeds at a time."""


class Reports(Protocol):
    """Some reports; numbers are of the universe they are made of, -1 for one in no report."""

    def __len__(self) -> int:
        """How many there are."""

    def held(self, numbers: Counts) -> Counts:
        """How many reports hold each of the numbers."""

    def packed(self, numbers: Counts) -> Packed:
        """A column of bits for each of the numbers, which differ."""


@dataclass(frozen=True)
class Lists:
    """Reports written out.

    >>> some = Lists(Baskets.of([[0, 7], [7], []]))
    >>> some.held(np.array([7, -1, 0])).tolist(), some.packed(np.array([7, 0])).blocks[0, :, 0]
    ([2, 0, 1], array([3, 1], dtype=uint64))
    """

    baskets: Baskets

    @classmethod
    def joined(cls, parts: Sequence[Baskets]) -> Lists:
        """Several blocks as one."""
        items = np.concatenate([part.items for part in parts])
        return cls(Baskets.joined(items, np.concatenate([part.sizes for part in parts])))

    def __len__(self) -> int:
        return len(self.baskets)

    def _places(self, numbers: Counts) -> Counts:
        """Which of the numbers each item of each report is; -1 where none."""
        order = np.argsort(numbers, kind="stable")
        rising = numbers[order]
        at = np.minimum(np.searchsorted(rising, self.baskets.items), len(rising) - 1)
        return np.where(rising[at] == self.baskets.items, order[at], -1)

    def held(self, numbers: Counts) -> Counts:
        """How many reports hold each of the numbers."""
        if not len(numbers):
            return np.zeros(0, dtype=np.int64)
        places = self._places(numbers)
        return np.bincount(places[places >= 0], minlength=len(numbers)).astype(np.int64)

    def packed(self, numbers: Counts) -> Packed:
        """A column of bits for each of the numbers."""
        if not len(numbers):
            return Packed(np.zeros((0, 0, WORDS), dtype=np.uint64), len(self))
        places = self._places(numbers)
        owners = self.baskets.owners()[places >= 0]
        sizes = np.bincount(owners, minlength=len(self)).astype(np.int64)
        items = places[places >= 0].astype(np.int32)
        return Packed.of(Rows.joined(items, sizes, len(numbers)))


@dataclass(frozen=True)
class Seeds:
    """Reports as seeds of a generator: nothing is written out but the columns asked for."""

    generator: Generator
    seeds: Words

    def __len__(self) -> int:
        return len(self.seeds)

    def held(self, numbers: Counts) -> Counts:
        """How many reports hold each of the numbers."""
        found = np.zeros(len(numbers), dtype=np.int64)
        step = max(1, AT_ONCE // max(1, -(-len(self) // 64)))
        for at in range(0, len(numbers), step):
            words = self._columns(numbers[at : at + step])
            found[at : at + step] = ones(words).sum(axis=1, dtype=np.int64)
        return found

    def packed(self, numbers: Counts) -> Packed:
        """A column of bits for each of the numbers."""
        words = self._columns(numbers)
        blocks = -(-len(self) // BLOCK)
        wide = np.zeros((len(numbers), blocks * WORDS), dtype=np.uint64)
        wide[:, : words.shape[1]] = words
        apart = wide.reshape(len(numbers), blocks, WORDS).transpose(1, 0, 2)
        return Packed(np.ascontiguousarray(apart), len(self))

    def _columns(self, numbers: Counts) -> Words:
        found = np.zeros((len(numbers), -(-len(self) // 64)), dtype=np.uint64)
        there = np.flatnonzero(numbers >= 0)
        found[there] = columns(self.generator, self.seeds, numbers[there].astype(np.uint64))
        return found
