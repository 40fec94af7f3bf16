"""Dependent code tree: paths of items with the probability of each (Dor18 sections 3.4.1 to 3.4.4).

Everything here is made from sanitized records alone. Candidates are itemsets whose corrected
support reaches a threshold; sanitized KRIMP keeps those that compress the sanitized records;
unions of these whose corrected support is above the threshold become paths, items in the order of
their columns, and every single item hangs on the root. A node's probability is the corrected
support of its path.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.tables.generate.bit_rows import bits_of_sets
from ppdm_formal.tables.generate.code_search import Search
from ppdm_formal.tables.generate.itemset_quality import counts_in
from ppdm_formal.tables.generate.krimp import CodeCandidates, krimp
from ppdm_formal.tables.generate.krimp_kernels import Floats
from ppdm_formal.tables.generate.records import Codes
from ppdm_formal.tables.generate.sanitized import Item, Sanitized

MAX_CANDIDATES = 1 << 17
"""Itemsets that KRIMP tries at most."""

MAX_UNIONS = 1 << 15
"""Unions of its itemsets that are tried as paths, at most."""

Path = tuple[Item, ...]


@dataclass(frozen=True)
class CodeTree:
    """Probabilities of paths; every prefix of a path is one."""

    values: tuple[Floats, ...]
    """For each column the probability of each value: the children of the root, and no item."""
    nodes: dict[Path, float]
    """Paths of two or more items."""
    cut: bool = False
    """Whether there were more candidates or unions than are tried."""

    def children(self) -> dict[Path, list[Path]]:
        """The paths that go on from each path."""
        found: dict[Path, list[Path]] = {}
        for path in self.nodes:
            found.setdefault(path[:-1], []).append(path)
        return found


def candidates(sanitized: Sanitized, least: float) -> list[Path]:
    """Itemsets of two or more columns with a corrected support of at least `least`."""
    items = sanitized.items()
    features = [sanitized.features[c][:, v] for c, v in items]
    root_n = np.sqrt(len(sanitized))
    found: list[Path] = []
    waiting: list[tuple[tuple[int, ...], Floats]] = [
        ((k,), features[k]) for k, one in enumerate(items) if sanitized.support([one]).clear(least)
    ]
    single = [chosen[0] for chosen, _ in waiting]
    while waiting and len(found) < MAX_CANDIDATES:
        chosen, product = waiting.pop()
        for k in single:
            if k <= chosen[-1] or items[k][0] == items[chosen[-1]][0]:
                continue
            both = product * features[k]
            share = float(both.mean())
            if share >= least and share * root_n > 2 * float(both.std()):
                found.append(tuple(items[place] for place in (*chosen, k)))
                waiting.append(((*chosen, k), both))
    return found[:MAX_CANDIDATES]


def sanitized_krimp(sanitized: Sanitized, some: list[Path]) -> list[Path]:
    """Those of the candidates that compress the sanitized records (Algorithm 1)."""
    if not some:
        return []
    items = sanitized.items()
    place = {item: k for k, item in enumerate(items)}
    data = sanitized.transactions()
    sets = [tuple(place[item] for item in path) for path in some]
    counts = counts_in(data.rows, sets)
    sets = sorted((s for s in sets if counts[s]), key=lambda s: (-counts[s], -len(s), s))
    search = Search(data)
    krimp(
        search,
        CodeCandidates(
            bits_of_sets(Rows.of(sets, len(items))),
            np.array([len(s) for s in sets], dtype=np.int64),
            np.array([counts[s] for s in sets], dtype=np.int64),
            np.array([search.lengths[list(s)].sum() for s in sets]),
        ),
    )
    return [tuple(items[item] for item in one.items) for one in search.table().chosen()]


def code_tree(sanitized: Sanitized, least: float) -> CodeTree:
    """The tree of sanitized records; `least`: the threshold of supports, as a share."""
    some = candidates(sanitized, least)
    chosen = sanitized_krimp(sanitized, some)
    paths: set[Path] = set()
    known: dict[Path, bool] = {}

    def clear(path: Path) -> bool:
        if path not in known:
            different = len({column for column, _ in path}) == len(path)
            known[path] = different and sanitized.support(path).clear(least)
        return known[path]

    waiting: list[tuple[Path, int]] = [((), 0)]
    while waiting and len(known) < MAX_UNIONS:
        path, start = waiting.pop()
        for number in range(start, len(chosen)):
            union = tuple(sorted({*path, *chosen[number]}))
            if union != path and clear(union):
                paths.add(union)
                waiting.append((union, number + 1))
    prefixes = {path[:size] for path in paths for size in range(2, len(path) + 1)}
    nodes = {path: max(0.0, sanitized.support(path).share) for path in sorted(prefixes)}
    values = tuple(distribution(features.mean(axis=0)) for features in sanitized.features)
    return CodeTree(values, nodes, bool(waiting) or len(some) == MAX_CANDIDATES)


def distribution(shares: Floats) -> Floats:
    """Shares that are none below 0 and add up to 1.

    >>> distribution(np.array([0.5, -0.25, 0.5])).tolist()
    [0.5, 0.0, 0.5]
    """
    some = np.maximum(shares, 0.0)
    whole = some.sum()
    return np.asarray(some / whole if whole > 0 else np.full(len(some), 1 / len(some)))


def generate_from(tree: CodeTree, columns: int, count: int, random: np.random.Generator) -> Codes:
    """Records drawn from a tree, column after column, as in section 3.4.4.

    For each column there are proposals, the root among them; one of them is taken at random. The
    root means a value of the column by its probability. The node then proposes one of its
    children, with that child's conditional probability, for the column of the child.
    """
    paths = list(tree.nodes)
    number = {path: k for k, path in enumerate(paths)}
    children = tree.children()
    root = -1
    taken = np.full((count, columns), root, dtype=np.int64)
    proposals = np.ones((count, columns), dtype=np.int64)
    codes = np.zeros((count, columns), dtype=np.int32)
    for column in range(columns):
        shares = tree.values[column]
        drawn = random.choice(len(shares), count, p=shares)
        at = taken[:, column]
        for node in np.unique(at[at != root]).tolist():
            drawn[at == node] = paths[node][-1][1]
        codes[:, column] = drawn
        for node in np.unique(at).tolist():
            for value in np.unique(drawn[at == node]).tolist():
                path = ((column, value),) if node == root else paths[node]
                offered = children.get(path, [])
                if not offered:
                    continue
                own = float(shares[value]) if node == root else tree.nodes[path]
                weights = np.array([tree.nodes[one] for one in offered]) / max(own, 1e-12)
                weights /= max(1.0, weights.sum())
                rows = np.flatnonzero((at == node) & (drawn == value))
                which = np.searchsorted(np.cumsum(weights), random.random(len(rows)), "right")
                for k, one in enumerate(offered):
                    some, place = rows[which == k], one[-1][0]
                    proposals[some, place] += 1
                    lucky = random.random(len(some)) * proposals[some, place] < 1
                    taken[some[lucky], place] = number[one]
    return codes
