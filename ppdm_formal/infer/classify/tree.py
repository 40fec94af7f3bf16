"""Decision trees on cells: binary splits at cell edges by the gini index, pruned by MDL.

Growing is as usual. Pruning compares description lengths from the leaves up (Mehta, Rissanen,
Agrawal 1995): a leaf costs a bit and the stochastic complexity of its classes, a split a bit, the
choice of its attribute and edge, and its two parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ppdm_formal.infer.classify.association import Codes
from ppdm_formal.infer.undoing.channel import Floats

Recode = Callable[[Codes, Codes, frozenset[int]], Codes]
"""New codes for the records of a node, given their codes and the attributes split on above."""


@dataclass
class Node:
    """The records that reach a place of the tree: class counts, and how they are split, if so."""

    counts: Floats
    attribute: int = -1
    below: int = 0
    """Codes up to and without this one go left."""
    left: int = -1
    right: int = -1


@dataclass
class Tree:
    """Nodes, the root first."""

    sizes: tuple[int, ...]
    """How many cells each attribute has."""
    nodes: list[Node] = field(default_factory=list)

    def leaves_of(self, codes: Codes) -> Codes:
        """The node that each record ends in."""
        at = np.zeros(len(codes), dtype=np.int64)
        attribute = np.array([node.attribute for node in self.nodes])
        below = np.array([node.below for node in self.nodes])
        left = np.array([node.left for node in self.nodes])
        right = np.array([node.right for node in self.nodes])
        moving = np.arange(len(codes))
        while len(moving):
            here = at[moving]
            moving, here = moving[attribute[here] >= 0], here[attribute[here] >= 0]
            goes_left = codes[moving, attribute[here]] < below[here]
            at[moving] = np.where(goes_left, left[here], right[here])
        return at

    @property
    def leaves(self) -> int:
        """How many there are."""
        return self._reached(lambda node: node.left < 0)

    @property
    def depth(self) -> int:
        """The longest way from the root."""
        depth, level = 0, [0]
        while level := [
            k for at in level for k in (self.nodes[at].left, self.nodes[at].right) if k >= 0
        ]:
            depth += 1
        return depth

    def _reached(self, wanted: Callable[[Node], bool]) -> int:
        found, waiting = 0, [0]
        while waiting:
            node = self.nodes[waiting.pop()]
            found += wanted(node)
            waiting += [k for k in (node.left, node.right) if k >= 0]
        return found


def grow(
    codes: Codes,
    weights: Codes,
    classes: int,
    sizes: Sequence[int],
    *,
    least: int,
    deepest: int,
    recode: Recode | None = None,
) -> Tree:
    """A tree for records with these codes (a column an attribute) and classes (`weights`).

    least: records that a leaf has at least; deepest: splits on a path at most.
    """
    tree = Tree(tuple(sizes))
    everything = np.arange(len(codes))
    tree.nodes.append(Node(_counted(weights, classes)))
    waiting = [(0, everything, codes, 0, frozenset[int]())]
    while waiting:
        at, records, mine, depth, used = waiting.pop()
        node = tree.nodes[at]
        if depth >= deepest or len(records) < 2 * least or (node.counts > 0).sum() < 2:
            continue
        if recode is not None and depth > 0:
            mine = recode(records, mine, used)
        found = best_split(mine, weights[records], classes, sizes, least)
        if found is None:
            continue
        node.attribute, node.below = found
        goes_left = mine[:, node.attribute] < node.below
        for side in (goes_left, ~goes_left):
            child = len(tree.nodes)
            part = records[side]
            tree.nodes.append(Node(_counted(weights[part], classes)))
            waiting.append((child, part, mine[side], depth + 1, used | {node.attribute}))
            if side is goes_left:
                node.left = child
            else:
                node.right = child
    return tree


def best_split(
    codes: Codes, labels: Codes, classes: int, sizes: Sequence[int], least: int
) -> tuple[int, int] | None:
    """The attribute and edge with the least gini index; ties go to the first ones."""
    total = len(labels)
    whole = _counted(labels, classes)
    widest, attributes = max(sizes), len(sizes)
    # one table of counts for all attributes: attribute, cell, class
    flat = (codes + widest * np.arange(attributes)) * classes + labels[:, None]
    table = np.bincount(flat.ravel(), minlength=attributes * widest * classes)
    table = table.reshape(attributes, widest, classes)
    left = np.cumsum(table, axis=1)[:, :-1].astype(np.float64)
    right = whole - left
    n_left = left.sum(axis=2)
    n_right = total - n_left
    possible = (n_left >= least) & (n_right >= least)
    if not possible.any():
        return None
    pure = np.zeros(possible.shape)
    for part, size in ((left, n_left), (right, n_right)):
        squares = np.einsum("akc,akc->ak", part, part)
        pure += np.divide(squares, size, out=np.zeros_like(size), where=possible)
    place = int(np.argmax(np.where(possible, pure, -1.0)))
    attribute, edge = divmod(place, widest - 1)
    if pure[attribute, edge] <= float(whole @ whole) / total + 1e-9 * total:
        return None
    return attribute, edge + 1


def prune(tree: Tree) -> None:
    """Make leaves of nodes whose split costs more than it saves."""
    attributes = math.log2(max(1, sum(size > 1 for size in tree.sizes)))
    costs = [0.0] * len(tree.nodes)
    for at in reversed(range(len(tree.nodes))):  # children come after their parent
        node = tree.nodes[at]
        costs[at] = 1 + complexity(node.counts)
        if node.left < 0:
            continue
        edges = math.log2(max(1, tree.sizes[node.attribute] - 1))
        split = 1 + attributes + edges + costs[node.left] + costs[node.right]
        if split < costs[at]:
            costs[at] = split
        else:
            node.attribute, node.left, node.right = -1, -1, -1


def complexity(counts: Floats) -> float:
    """Stochastic complexity of classes in bits: their code length with their shares unknown."""
    total, classes = float(counts.sum()), len(counts)
    if total <= 0:
        return 0.0
    seen = counts[counts > 0]
    known = float((seen * np.log2(total / seen)).sum())
    volume = classes / 2 * math.log2(math.pi) - math.lgamma(classes / 2) / math.log(2)
    return known + (classes - 1) / 2 * math.log2(max(total / 2, 1.0)) + volume


def _counted(labels: Codes, classes: int) -> Floats:
    return np.bincount(labels, minlength=classes).astype(np.float64)
