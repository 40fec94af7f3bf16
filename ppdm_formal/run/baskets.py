"""Baskets: many transactions in two arrays, number i being items[offsets[i] : offsets[i + 1]]."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.draw import Bits

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Baskets:
    """Transactions; items are numbers from 0 on, negative ones stand for what is no item.

    >>> some = Baskets.of([[2, 0], [], [1, 1]])
    >>> len(some), some.sizes.tolist(), some.distinct().lists()
    (3, [2, 0, 2], [[0, 2], [], [1]])
    """

    items: Integers
    offsets: Integers

    @classmethod
    def of(cls, transactions: Iterable[Iterable[int]]) -> Baskets:
        """From lists of items."""
        rows = [list(row) for row in transactions]
        items = np.array([item for row in rows for item in row], dtype=np.int64)
        return cls.joined(items, np.array([len(row) for row in rows], dtype=np.int64))

    @classmethod
    def joined(cls, items: Integers, sizes: Integers) -> Baskets:
        """From all items one after the other, and how many each transaction has."""
        return cls(items, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Integers:
        """How many items each transaction has."""
        return np.diff(self.offsets)

    def lists(self) -> list[list[int]]:
        """The transactions as lists, for few of them."""
        items = self.items.tolist()
        ends = self.offsets.tolist()
        return [items[start:end] for start, end in itertools.pairwise(ends)]

    def owners(self) -> Integers:
        """The transaction of each item."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def take(self, which: Integers) -> Baskets:
        """Some of the transactions, in the order given."""
        sizes = self.sizes[which]
        ends = np.cumsum(sizes)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        return Baskets.joined(self.items[np.repeat(self.offsets[which], sizes) + within], sizes)

    def distinct(self) -> Baskets:
        """The same transactions as sets: items in rising order, each once."""
        owners = self.owners()
        order = np.lexsort((self.items, owners))
        owners, items = owners[order], self.items[order]
        first = np.ones(len(items), dtype=bool)
        first[1:] = (owners[1:] != owners[:-1]) | (items[1:] != items[:-1])
        sizes = np.bincount(owners[first], minlength=len(self))
        return Baskets.joined(items[first], sizes.astype(np.int64))


def sampled(baskets: Baskets, size: int, bits: Bits) -> Baskets:
    """From each transaction a subset of that size, every one equally likely.

    Selection sampling: of the k items left, the next stays with probability needed / k.
    """
    sizes = baskets.sizes
    needed = np.full(len(baskets), size, dtype=np.int64)
    stays = np.zeros(len(baskets.items), dtype=bool)
    for place in range(int(sizes.max(initial=0))):
        rows = np.flatnonzero((sizes > place) & (needed > 0))
        chosen = bits.below(sizes[rows] - place) < needed[rows]
        stays[baskets.offsets[rows] + place] = chosen
        needed[rows] -= chosen
    return Baskets.joined(baskets.items[stays], np.full(len(baskets), size, dtype=np.int64))
