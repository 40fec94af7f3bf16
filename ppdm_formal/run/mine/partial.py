"""Partial counts: how many transactions hold exactly l of an itemset's k items, l = 0..k.

With e_i the sum of the counts of all i-subsets, each transaction that holds l of the items adds
C(l, i) to e_i; so by inclusion and exclusion c_l = sum over i >= l of (-1)^(i - l) C(i, l) e_i.
No transaction is read again: every subset of a candidate was counted before it.
"""

from __future__ import annotations

import math

import numpy as np

from ppdm_formal.run.mine.kernels import Counts
from ppdm_formal.run.mine.trie import Counted, Nodes

AT_ONCE = 1 << 22
"""Counts of subsets that are looked up at a time."""


def partial_counts(counted: Counted, size: int, nodes: Nodes) -> Counts:
    """A row for each node of that size: c_0, ..., c_k; all of its subsets must be in the trie."""
    steps = range(0, len(nodes), max(1, AT_ONCE >> size))
    parts = [_some(counted, size, nodes[at : at + steps.step]) for at in steps]
    return np.concatenate(parts) if parts else np.zeros((0, size + 1), dtype=np.int64)


def _some(counted: Counted, size: int, nodes: Nodes) -> Counts:
    subsets = counted.trie.subsets(size, nodes)
    if (subsets < 0).any():
        raise ValueError("a subset of an itemset was not counted")
    held = np.array([mask.bit_count() for mask in range(1 << size)])
    sums = np.zeros((len(nodes), size + 1), dtype=np.int64)
    for i in range(size + 1):
        sums[:, i] = counted.counts[subsets[:, held == i]].sum(axis=1)
    return sums @ exactly(size)


def exactly(size: int) -> Counts:
    """The matrix M[i, j] = (-1)^(i - j) C(i, j) that makes c of e.

    >>> exactly(2).tolist()
    [[1, 0, 0], [-1, 1, 0], [1, -2, 1]]
    """
    return np.array(
        [[(-1) ** (i + j) * math.comb(i, j) for j in range(size + 1)] for i in range(size + 1)],
        dtype=np.int64,
    )
