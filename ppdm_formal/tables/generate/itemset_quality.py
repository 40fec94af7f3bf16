"""Frequent itemsets of two databases: in common, missed and invented, and how supports differ.

Normalized frequency difference (Dor18 section 4): the mean of |s - s'| / s over some itemsets, s
and s' being their supports, as shares, in the original and in the generated database.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ppdm_formal.infer.baskets.counting import Candidates, counts_of
from ppdm_formal.infer.baskets.frequent import frequent
from ppdm_formal.infer.baskets.packed import chunks
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.threshold import Threshold

Itemset = tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """Some itemsets: how many, and their normalized frequency difference.

    never: how many of them the original has not at all; they are not in the mean.
    """

    itemsets: int
    nfd: float | None
    never: int = 0


@dataclass(frozen=True)
class ItemsetQuality:
    """What became of frequent itemsets."""

    original: int
    generated: int
    common: Difference
    missed: Difference
    """Frequent in the original alone: false negatives."""
    invented: Difference
    """Frequent in the generated database alone: false positives."""
    all_original: Difference
    """All that are frequent in the original."""


def frequent_counts(rows: Rows, least: Threshold) -> dict[Itemset, int]:
    """All frequent itemsets, and how many transactions hold each.

    >>> frequent_counts(Rows.of([[0, 2], [0, 2], [1]], 3), Threshold.of("50%"))
    {(0,): 2, (2,): 2, (0, 2): 2}
    """
    counted, items = frequent(rows, least.least(len(rows)))
    found: dict[Itemset, int] = {}
    for size in range(1, counted.trie.size + 1):
        members = items[counted.trie.members(size)].tolist()
        counts = counted.counts[list(counted.trie.nodes(size))].tolist()
        found.update(zip(map(tuple, members), counts, strict=True))
    return found


def counts_in(rows: Rows, itemsets: list[Itemset]) -> dict[Itemset, int]:
    """How many transactions hold each of some itemsets."""
    singles = rows.item_counts()
    found: dict[Itemset, int] = {}
    for size, some in groupby(sorted(itemsets, key=lambda x: (len(x), x)), key=len):
        sets = list(some)
        if size == 1:
            found.update((one, int(singles[one[0]])) for one in sets)
            continue
        candidates = Candidates.of(np.array(sets, dtype=np.int32))
        counts = np.zeros(len(sets), dtype=np.int64)
        for packed in chunks(rows):
            counts += counts_of(packed, candidates)
        found.update(zip(sets, counts.tolist(), strict=True))
    return found


def itemset_quality(
    original: Rows, known: dict[Itemset, int], generated: Rows, least: Threshold
) -> ItemsetQuality:
    """Of a generated database; known: the frequent itemsets of the original."""
    made = frequent_counts(generated, least)
    common = [one for one in known if one in made]
    missed = [one for one in known if one not in made]
    invented = [one for one in made if one not in known]
    before = known | counts_in(original, invented)
    after = made | counts_in(generated, missed)

    def difference(some: list[Itemset]) -> Difference:
        s = np.array([before[one] for one in some]) / len(original)
        t = np.array([after[one] for one in some]) / len(generated)
        real = s > 0
        nfd = float((np.abs(s - t)[real] / s[real]).mean()) if real.any() else None
        return Difference(len(some), nfd, int(np.count_nonzero(~real)))

    return ItemsetQuality(
        len(known),
        len(made),
        difference(common),
        difference(missed),
        difference(invented),
        difference([*common, *missed]),
    )
