"""Listed itemsets: those of at least some support, by support, so that they can be drawn directly.

Which support that is changes how fast the exponential mechanism draws, never its law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.errors import DataError
from ppdm_formal.run.mine.frequent import frequent
from ppdm_formal.run.mine.kernels import Counts
from ppdm_formal.run.mine.rows import Rows
from ppdm_formal.run.mine.trie import Trie

Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Listed:
    """All itemsets of support `cutoff` or more, in classes of min(theta, support), rising."""

    cutoff: int
    classes: tuple[tuple[int, Nodes], ...]
    trie: Trie
    items: Counts

    @property
    def many(self) -> int:
        """How many there are."""
        return sum(len(nodes) for _, nodes in self.classes)

    def itemset(self, node: int) -> tuple[int, ...]:
        """The items of one, by its node in the trie, rising."""
        found = []
        while node > 0:
            found.append(int(self.items[self.trie.last[node]]))
            node = int(self.trie.parent[node])
        return tuple(reversed(found))


def listed(rows: Rows, cutoff: int, theta: int) -> Listed:
    """List them; nothing where the cutoff is beyond all rows.

    >>> found = listed(Rows.of([[0, 1], [1], [1, 2]], 3), 2, 2)
    >>> [(support, [found.itemset(n) for n in nodes]) for support, nodes in found.classes]
    [(2, [(), (1,)])]
    """
    if cutoff > len(rows):
        return Listed(cutoff, (), Trie(0), np.zeros(0, dtype=np.int64))
    counted, items = frequent(rows, cutoff)
    capped = np.minimum(counted.counts, theta)
    classes = tuple((int(s), np.flatnonzero(capped == s)) for s in np.unique(capped))
    return Listed(cutoff, classes, counted.trie, items)


def listed_for(rows: Rows, epsilon: Fraction, theta: int) -> Listed:
    """As many as it takes; where these are too many, those of support theta, or none."""
    for cutoff in dict.fromkeys((cutoff_for(rows, epsilon, theta), theta)):
        try:
            return listed(rows, cutoff, theta)
        except DataError:  # too many of them
            continue
    return listed(rows, len(rows) + 1, theta)


def cutoff_for(rows: Rows, epsilon: Fraction, theta: int) -> int:
    """A support from which on to list: where subsets of rows alone would hardly ever be taken.

    In floats, since only speed depends on it: the weight of proposals from rows, M T, should not
    be above those of all itemsets and of one of support theta.
    """
    step = float(epsilon) / 4
    rows_weight = math.log(sum(1 << int(k) for k in np.diff(rows.offsets).tolist()))
    goal = max(rows.count * math.log(2), step * theta)

    def weight(support: int) -> float:
        grown = step * support
        above = grown if grown > 30 else math.log(math.expm1(grown))
        return above - math.log(support) + rows_weight

    if weight(theta) <= goal + math.log(4):
        return len(rows) + 1
    low, high = 0, theta  # supports up to low are proposed from rows
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if weight(middle) <= goal else (low, middle - 1)
    return low + 1
