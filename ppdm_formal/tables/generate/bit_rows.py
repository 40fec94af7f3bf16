"""BitRows: the distinct transactions of a database as sets of bits, and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.kernels import Counts, Words
from ppdm_formal.infer.baskets.rows import Rows


@dataclass(frozen=True)
class BitRows:
    """Row r holds item i where bit i % 64 of words[r, i // 64] is set.

    >>> few = BitRows.of(Rows.of([[0, 2], [1], [2, 0]], 3))
    >>> few.words.tolist(), few.weights.tolist(), few.numbers.tolist()
    ([[2], [5]], [1, 2], [1, 0, 1])
    >>> few.columns().tolist()
    [[2], [1], [2]]
    """

    words: Words
    weights: Counts
    numbers: Counts
    """The number of each transaction's row."""
    items: int

    @classmethod
    def of(cls, rows: Rows) -> BitRows:
        """All transactions."""
        words = bits_of_sets(rows)
        found = np.unique(words, axis=0, return_inverse=True, return_counts=True)
        distinct, numbers, weights = found
        return cls(distinct, weights.astype(np.int64), numbers.reshape(-1), rows.count)

    def columns(self) -> Words:
        """Which rows hold each item, as bits."""
        found = np.zeros((self.items, -(-len(self.words) // 64)), dtype="<u8")
        filled = np.zeros(found.shape[1] * 64, dtype=np.uint8)
        for item in range(self.items):
            filled[: len(self.words)] = self._holds(item)
            found[item] = np.packbits(filled, bitorder="little").view("<u8")
        return found.astype(np.uint64)

    def item_counts(self) -> Counts:
        """How many transactions hold each item."""
        counts = np.zeros(self.items, dtype=np.int64)
        for item in range(self.items):
            counts[item] = self.weights[self._holds(item)].sum()
        return counts

    def _holds(self, item: int) -> npt.NDArray[np.bool_]:
        bit = (self.words[:, item // 64] >> np.uint64(item % 64)) & np.uint64(1)
        return bit.astype(bool)


def bits_of_sets(rows: Rows) -> Words:
    """Each transaction as bits."""
    words = np.zeros((len(rows), max(1, -(-rows.count // 64))), dtype=np.uint64)
    owners = np.repeat(np.arange(len(rows)), np.diff(rows.offsets))
    bits = np.uint64(1) << (rows.items % 64).astype(np.uint64)
    np.bitwise_or.at(words, (owners, rows.items // 64), bits)
    return words


def items_of_bits(words: Words) -> list[int]:
    """The items of one set of bits, rising.

    >>> items_of_bits(np.array([5, 1], dtype=np.uint64))
    [0, 2, 64]
    """
    found = []
    for number, word in enumerate(words.tolist()):
        while word:
            lowest = word & -word
            found.append(64 * number + lowest.bit_length() - 1)
            word ^= lowest
    return found
