"""Rows: transactions as sets of items 0..n-1 in two arrays, four bytes an item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.kernels import Counts, Numbers
from ppdm_formal.run.baskets import Baskets


@dataclass(frozen=True)
class Rows:
    """Transaction t holds items[offsets[t] : offsets[t + 1]], rising, each once.

    >>> some = Rows.of([[2, 0, 2], [], [1, 2]], 3)
    >>> len(some), some.items.tolist(), some.item_counts().tolist()
    (3, [0, 2, 1, 2], [1, 1, 2])
    >>> some.keep(np.array([0, 2])).items.tolist()
    [0, 1, 1]
    """

    items: Numbers
    offsets: Counts
    count: int
    """How many items there are: n."""

    @classmethod
    def of(cls, transactions: Iterable[Iterable[int]], count: int) -> Rows:
        """From lists of items."""
        some = Baskets.of(transactions)
        return cls.joined(some.items.astype(np.int32), some.sizes, count)

    @classmethod
    def joined(cls, items: Numbers, sizes: Counts, count: int) -> Rows:
        """From all items one after the other, in any order within a transaction, also repeated."""
        offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
        np.cumsum(sizes, out=offsets[1:])
        rising = np.ones(len(items), dtype=bool)
        np.greater(items[1:], items[:-1], out=rising[1:])
        rising[offsets[:-1][sizes > 0]] = True
        if not rising.all():
            sets = Baskets(items.astype(np.int64), offsets).distinct()
            items, offsets = sets.items.astype(np.int32), sets.offsets
        return cls(items, offsets, count)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def item_counts(self) -> Counts:
        """How many transactions hold each item."""
        return np.bincount(self.items, minlength=self.count).astype(np.int64)

    def keep(self, chosen: npt.NDArray[np.int64]) -> Rows:
        """The same transactions with the chosen items alone (rising), renumbered 0, 1, ..."""
        column = np.full(self.count, -1, dtype=np.int32)
        column[chosen] = np.arange(len(chosen), dtype=np.int32)
        items = column[self.items]
        kept = items >= 0
        before = np.zeros(len(items) + 1, dtype=np.int64)
        np.cumsum(kept, out=before[1:])
        return Rows(items[kept], before[self.offsets], len(chosen))
