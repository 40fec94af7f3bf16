"""Counting itemsets in reports: for each set A how many reports hold exactly l of its items.

Columns of the items that are asked for are kept as bits, 64 reports a word. With e_i the sum
over the i-subsets B of A of the reports that hold all of B (an AND and a count of bits),

    e_i = sum over reports of C(l, i),        hence  c_l = sum over i of (-1)^(i - l) C(i, l) e_i

reports hold exactly l. Everything is an integer; reports may come in blocks of any size.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.baskets import Baskets, Integers

Columns = npt.NDArray[np.uint8]
"""A row an item, of bits: which reports hold it."""

BLOCK_CELLS = 1 << 26
"""Reports times items that are held at a time, before they are counted."""

BLOCK_BYTES = 1 << 24
"""Bytes of ANDs at a time."""


class OverlapCounter:
    """Counts of |A ∩ report| for given sets A, all of w items below `universe`.

    >>> counter = OverlapCounter(4, np.array([[0, 1], [1, 3]]))
    >>> counter.add(Baskets.of([[0, 1], [1], [2], [0, 1, 3]]))
    >>> counter.counts().tolist()
    [[1, 1, 2], [1, 2, 1]]
    """

    def __init__(self, universe: int, sets: Integers) -> None:
        self.sets = sets
        self.reports = 0
        self._alone = sets.shape[1] == 1
        self._asked, places = np.unique(sets, return_inverse=True)
        self._places = places.reshape(sets.shape)
        self._universe = universe
        self._singles = np.zeros(len(self._asked), dtype=np.int64)
        self._sums = np.zeros((len(sets), sets.shape[1] + 1), dtype=np.int64)
        self._waiting: list[tuple[Integers, Integers]] = []
        self._rows = 0

    def add(self, reports: Baskets) -> None:
        """Count some more reports."""
        columns = self._column[reports.items]
        asked = columns >= 0
        self.reports += len(reports)
        if self._alone:
            self._singles += np.bincount(columns[asked], minlength=len(self._asked))
            return
        self._waiting.append((reports.owners()[asked] + self._rows, columns[asked]))
        self._rows += len(reports)
        if self._rows * len(self._asked) >= BLOCK_CELLS:
            self._flush()

    def add_columns(self, held: npt.NDArray[np.bool_]) -> None:
        """Count reports given as a table: a row a report, a column each of the items asked for.

        The columns stand in rising order of the items.
        """
        self.reports += len(held)
        self._count(held)

    def add_packed(self, rows: int, words: npt.NDArray[np.uint64]) -> None:
        """The same of so many reports given as columns of bits, which end in zeros."""
        self.reports += rows
        self._singles += np.bitwise_count(words).sum(axis=1, dtype=np.int64)
        self._count_words(words)

    @cached_property
    def _column(self) -> Integers:
        """The place of each item of the universe among those asked for, or -1."""
        found = np.full(self._universe, -1, dtype=np.int64)
        found[self._asked] = np.arange(len(self._asked))
        return found

    @property
    def asked(self) -> Integers:
        """All items that occur in the sets, rising."""
        return self._asked

    def counts(self) -> Integers:
        """c_0, ..., c_w for each set."""
        self._flush()
        width = self.sets.shape[1]
        sums = self._sums.copy()
        sums[:, 0] = self.reports
        if width:
            sums[:, 1] = self._singles[self._places].sum(axis=1)
        found = np.zeros_like(sums)
        for held in range(width + 1):
            for i in range(held, width + 1):
                found[:, held] += (-1) ** (i - held) * math.comb(i, held) * sums[:, i]
        return found

    def _flush(self) -> None:
        """Count what waits."""
        step = max(1, BLOCK_CELLS // max(1, len(self._asked)))
        owners = np.concatenate([np.empty(0, dtype=np.int64), *(o for o, _ in self._waiting)])
        columns = np.concatenate([np.empty(0, dtype=np.int64), *(c for _, c in self._waiting)])
        for start in range(0, self._rows, step):
            rows = min(step, self._rows - start)
            inside = slice(*np.searchsorted(owners, [start, start + rows]))
            held = np.zeros((rows, len(self._asked)), dtype=bool)
            held[owners[inside] - start, columns[inside]] = True
            self._count(held)
        self._waiting, self._rows = [], 0

    def _count(self, held: npt.NDArray[np.bool_]) -> None:
        self._singles += np.count_nonzero(held, axis=0)
        if self._alone or not len(held):
            return
        self._count_words(_words(np.ascontiguousarray(np.packbits(held, axis=0).T)))

    def _count_words(self, words: npt.NDArray[np.uint64]) -> None:
        """The sums e_2, ..., e_k of ANDs of columns."""
        step = max(1, BLOCK_BYTES // (8 * max(1, words.shape[1])))
        for start in range(0, len(self.sets), step):
            some = self._places[start : start + step]
            for size in range(2, some.shape[1] + 1):
                for chosen in combinations(range(some.shape[1]), size):
                    both = words[some[:, chosen[0]]]
                    for place in chosen[1:]:
                        both &= words[some[:, place]]
                    alike = np.bitwise_count(both).sum(axis=1, dtype=np.int64)
                    self._sums[start : start + step, size] += alike


def _words(bits: Columns) -> npt.NDArray[np.uint64]:
    """The same bits in words of 64, filled up with zeros."""
    missing = -bits.shape[1] % 8
    padded = np.pad(bits, ((0, 0), (0, missing)))
    return np.ascontiguousarray(padded).view(np.uint64)
