"""Rules: antecedent => consequent, both parts of one frequent itemset, at a least confidence.

confidence = count(A and B) / count(A), compared exactly; lift = confidence / support(B).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.trie import Counted, Nodes
from ppdm_formal.run.errors import DataError

MAX_RULES = 1 << 22
"""Most rules that are kept."""

MAX_SUBSETS = 1 << 28
"""Most pairs of an itemset and a subset that are looked at."""

AT_ONCE = 1 << 22


@dataclass(frozen=True)
class RuleNodes:
    """Rules as nodes of a trie: the whole set, its antecedent and its consequent."""

    whole: Nodes
    antecedent: Nodes
    consequent: Nodes

    def __len__(self) -> int:
        return len(self.whole)


def rules_of(counted: Counted, confidence: Fraction) -> RuleNodes:
    """All rules of at least that confidence: the surest first, then the most frequent."""
    trie = counted.trie
    sizes = range(2, trie.size + 1)
    if sum(len(trie.nodes(size)) << size for size in sizes) > MAX_SUBSETS:
        raise DataError(
            f"the frequent itemsets, of up to {trie.size} items, have too many subsets to make "
            "rules of: raise the least support, or limit their size"
        )
    parts: list[Nodes] = [np.zeros((3, 0), dtype=np.int64)]
    held = 0
    for size in sizes:
        nodes = np.asarray(trie.nodes(size), dtype=np.int64)
        step = max(1, AT_ONCE >> size)
        for at in range(0, len(nodes), step):
            parts.append(_some(counted, size, nodes[at : at + step], confidence))
            held += parts[-1].shape[1]
            if held > MAX_RULES:
                raise DataError(
                    f"more than {MAX_RULES:,} rules: raise the least confidence or support, or "
                    "limit the size of itemsets"
                )
    whole, first, second = np.concatenate(parts, axis=1)
    counts = counted.counts
    sureness = counts[whole] / counts[first]
    order = np.lexsort((first, whole, -counts[whole], -sureness))
    return RuleNodes(whole[order], first[order], second[order])


def _some(counted: Counted, size: int, nodes: Nodes, confidence: Fraction) -> Nodes:
    """Rows whole, antecedent and consequent."""
    subsets = counted.trie.subsets(size, nodes)
    wholes = counted.counts[nodes]
    found = []
    for mask in range(1, (1 << size) - 1):
        antecedent = subsets[:, mask]
        sure = reaches(wholes, counted.counts[antecedent], confidence)
        consequent = subsets[sure, ~mask & ((1 << size) - 1)]
        found.append(np.stack([nodes[sure], antecedent[sure], consequent]))
    return np.concatenate(found, axis=1)


def reaches(
    parts: npt.NDArray[np.int64], wholes: npt.NDArray[np.int64], share: Fraction
) -> npt.NDArray[np.bool_]:
    """Whether part / whole >= share, exactly.

    >>> reaches(np.array([1, 1]), np.array([3, 2]), Fraction(1, 3) + Fraction(1, 10**30)).tolist()
    [False, True]
    """
    above, below = share.numerator, share.denominator
    if max(above, below) * int(wholes.max(initial=1)) < 1 << 62:
        return np.asarray(parts * below >= wholes * above, dtype=bool)
    return np.asarray(parts.astype(object) * below >= wholes.astype(object) * above, dtype=bool)
