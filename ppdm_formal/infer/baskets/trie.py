"""Trie: many itemsets, each as its prefix with one larger item added, and found again quickly.

Nodes are numbered by size, and in lexicographic order within a size; node 0 is the empty set. So
parent * n + last rises from node to node, and finding the child of a node by its item is a binary
search, for many at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.kernels import Counts, Numbers

Nodes = npt.NDArray[np.int64]
"""Numbers of nodes; -1 where there is none."""

PIECE = 1 << 20
"""Candidates that are made at a time; a node with more brothers makes more."""


class Trie:
    """Itemsets of n items, closed under prefixes.

    >>> trie = Trie(4)
    >>> trie.grow(np.zeros(3, dtype=np.int64), np.array([0, 1, 3]))
    >>> trie.grow(np.array([1, 1, 2]), np.array([1, 3, 3]))
    >>> [members.tolist() for members in (trie.members(1), trie.members(2))]
    [[[0], [1], [3]], [[0, 1], [0, 3], [1, 3]]]
    >>> trie.find(np.array([[0, 3], [0, 2]])).tolist()
    [5, -1]
    >>> [[*zip(p.tolist(), l.tolist())] for p, l in trie.candidates()]
    [[(4, 3)]]
    """

    def __init__(self, items: int) -> None:
        self.items = items
        self.parent: Nodes = np.array([-1], dtype=np.int64)
        self.last: Numbers = np.array([0], dtype=np.int32)
        self.starts = [0, 1]
        """The first node of each size, and the number of all nodes."""
        self._keys: Nodes = np.array([-2], dtype=np.int64)

    @classmethod
    def of(cls, items: int, parent: Nodes, last: Numbers, starts: list[int]) -> Trie:
        """All nodes at once, in order, the root first."""
        made = cls(items)
        made._keys = parent * items + last
        made._keys[0] = -2
        made.parent, made.last, made.starts = parent, last, starts
        return made

    def __len__(self) -> int:
        return len(self.last)

    @property
    def size(self) -> int:
        """The largest size there is."""
        return len(self.starts) - 2

    def nodes(self, size: int) -> range:
        """All itemsets of a size."""
        return range(self.starts[size], self.starts[size + 1])

    def grow(self, parent: Nodes, last: npt.NDArray[np.integer]) -> None:
        """Add the itemsets of the next size, in order."""
        self.parent = np.concatenate([self.parent, parent])
        self.last = np.concatenate([self.last, last.astype(np.int32)])
        self.starts.append(len(self.last))
        self._keys = np.concatenate([self._keys, parent * self.items + last])

    def copy(self) -> Trie:
        """One that grows by itself."""
        other = Trie(self.items)
        other.parent, other.last, other._keys = self.parent, self.last, self._keys
        other.starts = list(self.starts)
        return other

    def child(self, nodes: Nodes, items: npt.NDArray[np.integer]) -> Nodes:
        """Each node with a larger item added, or -1."""
        wanted = nodes * self.items + items
        wanted[nodes < 0] = -1  # no node's key
        found = np.minimum(np.searchsorted(self._keys, wanted), len(self) - 1)
        return np.where(self._keys[found] == wanted, found, -1)

    def find(self, sets: npt.NDArray[np.integer]) -> Nodes:
        """The node of each row of rising items, or -1."""
        nodes = np.zeros(len(sets), dtype=np.int64)
        for place in range(sets.shape[1]):
            nodes = self.child(nodes, sets[:, place])
        return nodes

    def members(self, size: int, nodes: Nodes | None = None) -> Numbers:
        """The items of nodes of one size, a row each; of all where none are given."""
        at = np.arange(*self._ends(size)) if nodes is None else nodes
        sets = np.empty((len(at), size), dtype=np.int32)
        for place in reversed(range(size)):
            sets[:, place] = self.last[at]
            at = self.parent[at]
        return sets

    def _ends(self, size: int) -> tuple[int, int]:
        return self.starts[size], self.starts[size + 1]

    def subsets(self, size: int, nodes: Nodes) -> Nodes:
        """For each node all subsets: column b is the set of the items at the bits of b, or -1."""
        sets = self.members(size, nodes)
        found = np.zeros((len(sets), 1 << size), dtype=np.int64)
        for place in range(size):
            for lower in range(1 << place):
                found[:, lower | 1 << place] = self.child(found[:, lower], sets[:, place])
        return found

    def candidates(self) -> Iterator[tuple[Nodes, Numbers]]:
        """Sets of the next size all of whose subsets are here (Apriori): parent and last item."""
        size = self.size
        start, stop = self._ends(size)
        brothers = np.zeros(0, dtype=np.int64)
        if stop > start:
            parent = self.parent[start:stop]
            ends = np.searchsorted(parent, parent, side="right")
            brothers = ends - np.arange(1, stop - start + 1)
        before = np.concatenate([[0], np.cumsum(brothers)])
        at = 0
        while at < len(brothers):
            to = max(at + 1, int(np.searchsorted(before, before[at] + PIECE, side="right")) - 1)
            some = np.arange(at, to)
            parents = np.repeat(some, brothers[some])
            within = np.arange(len(parents)) - np.repeat(before[some] - before[at], brothers[some])
            partners = parents + 1 + within
            yield self._pruned(size, start + some, start + parents, self.last[start + partners])
            at = to

    def _pruned(
        self, size: int, nodes: Nodes, parents: Nodes, last: Numbers
    ) -> tuple[Nodes, Numbers]:
        """Those whose subsets without one of the parent's items, its last aside, are here."""
        sets = self.members(size, nodes)
        for place in range(size - 1):
            shorter = self.find(np.delete(sets, place, axis=1))
            stays = self.child(shorter[parents - nodes[0]], last) >= 0
            parents, last = parents[stays], last[stays]
        return parents, last


@dataclass(frozen=True)
class Counted:
    """A trie with a count for each node; that of the root is the number of transactions."""

    trie: Trie
    counts: Counts
