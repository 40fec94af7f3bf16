"""Comparing what was mined from a release with the original transactions, by size of itemsets."""

from __future__ import annotations

import statistics
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.run.mine.counting import Candidates, counts_of
from ppdm_formal.run.mine.packed import chunks
from ppdm_formal.run.mine.plain import mine_plain
from ppdm_formal.run.mine.plain_data import PlainData
from ppdm_formal.run.mine.randomized import MinedRelease


@dataclass(frozen=True)
class SizeCompared:
    """Itemsets of one size: frequent in the original data, listed, and how the wrong ones lie.

    Shares of the original transactions: of false drops the largest and the median support, of
    false positives the smallest and the median; None where there are none.
    """

    size: int
    frequent: int
    listed: int
    true_positives: int
    largest_dropped: Fraction | None
    median_dropped: Fraction | None
    smallest_invented: Fraction | None
    median_invented: Fraction | None

    @property
    def false_drops(self) -> int:
        """Frequent sets that were not listed."""
        return self.frequent - self.true_positives

    @property
    def false_positives(self) -> int:
        """Sets that were listed, and are not frequent."""
        return self.listed - self.true_positives


@dataclass(frozen=True)
class Compared:
    """The original transactions against what was found."""

    transactions: int
    sizes: tuple[SizeCompared, ...]


def compared(found: MinedRelease, truth: PlainData) -> Compared:
    """With the same least share of all transactions, and the same largest size."""
    share = found.min_support.share(found.transactions)
    exact = mine_plain(truth, min(share, Fraction(1)), max_size=found.max_size)
    true = {frozenset(one.items): one.support for one in exact.itemsets()}
    listed = {frozenset(one.items) for one in found.itemsets()}
    invented = exact_supports(truth, listed - true.keys())
    sizes = []
    for size in range(1, max(map(len, true.keys() | listed), default=0) + 1):
        frequent = {one for one in true if len(one) == size}
        own = {one for one in listed if len(one) == size}
        dropped = [true[one] for one in frequent - own]
        wrong = [invented[one] for one in own - frequent]
        sizes.append(
            SizeCompared(
                size,
                len(frequent),
                len(own),
                len(frequent & own),
                max(dropped, default=None),
                statistics.median(dropped) if dropped else None,
                min(wrong, default=None),
                statistics.median(wrong) if wrong else None,
            )
        )
    return Compared(len(truth.rows), tuple(sizes))


def exact_supports(
    data: PlainData, itemsets: Collection[frozenset[str]]
) -> dict[frozenset[str], Fraction]:
    """The shares of transactions that hold each set; items that never occur are in none.

    >>> few = PlainData.of([["a", "b"], ["a"]])
    >>> one, two = frozenset("ab"), frozenset("ax")
    >>> found = exact_supports(few, [one, two])
    >>> found[one], found[two]
    (Fraction(1, 2), Fraction(0, 1))
    """
    place: dict[str, int] = {label: item for item, label in enumerate(data.labels)}
    number = len(data.rows)
    found = {one: Fraction(0) for one in itemsets}
    known = [one for one in itemsets if all(item in place for item in one)]
    singles = data.rows.item_counts()
    items = np.array(sorted({place[item] for one in known for item in one}), dtype=np.int64)
    column = {int(item): at for at, item in enumerate(items)}
    rows = data.rows.keep(items)
    for size in {len(one) for one in known}:
        sets: list[frozenset[str]] = [one for one in known if len(one) == size]
        table = [sorted(column[place[item]] for item in one) for one in sets]
        if size == 1:
            counts = singles[items[np.array(table)[:, 0]]]
        else:
            candidates = Candidates.of(np.array(table, dtype=np.int32))
            counts = sum(
                (counts_of(part, candidates) for part in chunks(rows)),
                np.zeros(len(table), dtype=np.int64),
            )
        for one, count in zip(sets, counts.tolist(), strict=True):
            found[one] = Fraction(count, number)
    return found
