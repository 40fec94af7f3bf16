"""Cut: how much of a support remains where longer baskets give a random part of M items.

A k-itemset in a basket of m > M items is in the part with chance (M)_k / (m)_k, where (x)_k is
x (x - 1) ... (x - k + 1). Estimates are of the support that remains: too small, never too large.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Remains:
    """The share of a k-itemset's support that remains after cutting to M items.

    evenly: where the itemset is in the same share of the baskets of each size that can hold it.
    least: where it is in the longest baskets alone.
    """

    itemset: int
    evenly: Fraction
    least: Fraction


def remaining(histogram: Mapping[int, int], most: int, itemset: int) -> Remains:
    """What remains of supports where baskets of these sizes are cut to at most M items.

    >>> pairs = remaining({2: 1, 4: 1}, 2, 2)
    >>> str(pairs.evenly), str(pairs.least)
    ('7/12', '1/6')
    """
    counts = {size: count for size, count in histogram.items() if size >= itemset}
    if not counts:
        return Remains(itemset, Fraction(1), Fraction(1))
    kept = {size: stays(size, most, itemset) for size in counts}
    whole = sum(counts.values())
    evenly = sum((counts[size] * kept[size] for size in counts), Fraction(0)) / whole
    return Remains(itemset, evenly, kept[max(counts)])


def stays(size: int, most: int, itemset: int) -> Fraction:
    """The chance that k given items of a basket are in a random part of at most M items."""
    if size <= most:
        return Fraction(1)
    return Fraction(math.comb(most, itemset), math.comb(size, itemset))
