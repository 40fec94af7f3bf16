"""CodeTable: itemsets with codes of -log2(usage / all usages) bits, which cover transactions.

A transaction's cover: from the first element in cover order on, each that is still whole among
its uncovered items. L(D, CT) = L(D | CT) + L(CT | D) is the sum of all codes used, and for each
element that is used the codes of its items in the standard table (single items alone) and its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.infer.baskets.kernels import Counts, Words
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.tables.generate import krimp_kernels as kernels
from ppdm_formal.tables.generate.bit_rows import bits_of_sets
from ppdm_formal.tables.generate.krimp_kernels import Floats

AT_ONCE = 1 << 12
"""Transactions whose covers are held at a time."""


@dataclass(frozen=True)
class Element:
    """An itemset of a code table: how many transactions hold it, and are covered with it."""

    items: tuple[int, ...]
    support: int
    usage: int


@dataclass(frozen=True)
class CodeTable:
    """Elements in cover order, all single items among them, for items that are named by labels."""

    labels: tuple[str, ...]
    elements: tuple[Element, ...]
    transactions: int

    @property
    def usages(self) -> Counts:
        """How many transactions each element covers a part of."""
        return np.array([one.usage for one in self.elements], dtype=np.int64)

    def chosen(self) -> list[Element]:
        """The elements of two or more items."""
        return [one for one in self.elements if len(one.items) > 1]

    def item_counts(self) -> Counts:
        """How many transactions hold each item."""
        counts = np.zeros(len(self.labels), dtype=np.int64)
        for one in self.elements:
            if len(one.items) == 1:
                counts[one.items[0]] = one.support
        return counts

    def standard(self) -> Floats:
        """The bits of each item in the standard code table; infinity where it never occurs."""
        return code_lengths(self.item_counts())

    def data_bits(self) -> float:
        """L(D | CT): the codes of all covers."""
        return sum_of_codes(self.usages)

    def table_bits(self) -> float:
        """L(CT | D): both columns of the table, for elements that are used."""
        standard, lengths = self.standard(), code_lengths(self.usages)
        return float(
            sum(
                standard[list(one.items)].sum() + length
                for one, length in zip(self.elements, lengths.tolist(), strict=True)
                if one.usage
            )
        )

    def bits(self) -> float:
        """L(D, CT)."""
        return self.data_bits() + self.table_bits()

    def standard_bits(self) -> float:
        """L(D, ST): the same with single items alone."""
        counts = self.item_counts()
        lengths = code_lengths(counts)
        return sum_of_codes(counts) + 2 * float(lengths[counts > 0].sum())

    def ratio(self) -> float:
        """L(D, CT) / L(D, ST)."""
        whole = self.standard_bits()
        return self.bits() / whole if whole else 1.0

    def words(self) -> Words:
        """The items of each element, as bits."""
        return bits_of_sets(Rows.of([one.items for one in self.elements], len(self.labels)))

    def covers(self, rows: Rows) -> Iterator[npt.NDArray[np.bool_]]:
        """For blocks of transactions, of these items: which elements cover each."""
        elements, kernel = self.words(), compiled(kernels.covered) or kernels.covered
        words = bits_of_sets(rows)
        for start in range(0, len(words), AT_ONCE):
            some = words[start : start + AT_ONCE]
            found = np.zeros((len(some), len(elements)), dtype=bool)
            with np.errstate(over="ignore"):
                kernel(some, elements, found)
            yield found

    def lengths_of(self, rows: Rows) -> Floats:
        """The bits of each transaction, with codes as if each element had been used once more.

        So every transaction of these items has a code, also with elements never used before.
        """
        lengths = code_lengths(self.usages + 1)
        parts = [found @ lengths for found in self.covers(rows)]
        return np.concatenate([np.zeros(0), *parts])


def code_lengths(usages: Counts) -> Floats:
    """-log2(u / all), infinity where u is 0.

    >>> code_lengths(np.array([2, 1, 1, 0])).tolist()
    [1.0, 2.0, 2.0, inf]
    """
    with np.errstate(divide="ignore"):
        return np.asarray(np.log2(max(1, usages.sum())) - np.log2(usages))


def sum_of_codes(usages: Counts) -> float:
    """The sum of u code_lengths(u), over those that are used."""
    some = usages[usages > 0]
    return float((some * code_lengths(some)).sum())
