"""Real baskets as (owner, item) arrays, their true frequent items, pairs and links, and scores.

No benchmark of its own: benchmarks/baskets_against.py measures with it.
"""

from __future__ import annotations

import csv
import lzma
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FILES = {
    "retail": "retail.dat.xz",
    "groceries": "groceries.csv.xz",
    "msnbc": "msnbc990928.seq.xz",
    "T10I4D100K": "T10I4D100K.dat.xz",
}


@dataclass(frozen=True)
class Owned:
    """Entry e says that client owner[e] holds item[e]; by owner, then item, none twice."""

    name: str
    n: int
    d: int
    owner: Integers
    item: Integers

    @classmethod
    def of(cls, name: str, rows: list[list[int]]) -> Owned:
        sizes = [len(row) for row in rows]
        flat = np.fromiter((x for row in rows for x in row), np.int64)
        d = int(flat.max()) + 1
        key = np.unique(np.repeat(np.arange(len(rows)), sizes) * d + flat)
        return cls(name, len(rows), d, key // d, key % d)

    @cached_property
    def supports(self) -> Floats:
        return np.bincount(self.item, minlength=self.d) / self.n

    @cached_property
    def sizes(self) -> Integers:
        return np.bincount(self.owner, minlength=self.n)

    def of_values(self, values: Integers, several: int = 1) -> tuple[Integers, Integers]:
        """Who holds which of these items (or pairs, rows of two): owners and places of values."""
        place = np.full(self.d, -1)
        if several == 1:
            place[values] = np.arange(len(values))
            keep = place[self.item] >= 0
            return self.owner[keep], place[self.item[keep]]
        items = np.unique(values)
        place[items] = np.arange(len(items))
        table = np.full((len(items), len(items)), -1)
        table[place[values[:, 0]], place[values[:, 1]]] = np.arange(len(values))
        keep = place[self.item] >= 0
        return _pairs(self.owner[keep], place[self.item[keep]], table)


def _pairs(owner: Integers, item: Integers, table: Integers) -> tuple[Integers, Integers]:
    """All (owner, pair) whose two items are held; table[i, j] is the pair's number, or -1."""
    start = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    size = np.diff(np.r_[start, len(owner)])
    rank = np.arange(len(owner)) - np.repeat(start, size)
    more = np.repeat(size, size) - 1 - rank
    left = np.repeat(np.arange(len(owner)), more)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(more) - more, more)
    found = table[item[left], item[right]]
    return owner[left][found >= 0], found[found >= 0]


def read(name: str, folder: Path) -> Owned:
    """One of the data sets, without empty baskets."""
    with lzma.open(folder / FILES[name], "rt", newline="") as text:
        if name == "groceries":
            ids: dict[str, int] = {}
            rows = [[ids.setdefault(x, len(ids)) for x in row if x] for row in csv.reader(text)]
        else:
            rows = [[int(x) for x in line.split()] for line in text if line[:1].isdigit()]
    return Owned.of(name, [row for row in rows if row])


class Judge:
    """What is true of baskets: the top items and pairs, and the strongest links."""

    def __init__(self, baskets: Owned) -> None:
        few = baskets.d < 50
        self.top_items, self.top_pairs = (10 if few else 50), 50
        self.true = baskets.supports
        order = np.argsort(-self.true, kind="stable")
        self.items = order[: self.top_items]
        pool = np.sort(order[: min(300, baskets.d)])
        i, j = np.triu_indices(len(pool), 1)
        pairs = np.stack([pool[i], pool[j]], axis=1)
        _, held = baskets.of_values(pairs, 2)
        support = np.bincount(held, minlength=len(pairs)) / baskets.n
        best = np.argsort(-support, kind="stable")[:200]
        pairs, support = pairs[best], support[best]
        pairs, support = pairs[support > 0], support[support > 0]
        self.pairs = {tuple(p): s for p, s in zip(pairs[:50].tolist(), support[:50], strict=True)}
        self.known = {tuple(p) for p in pairs.tolist()}
        lever = support - self.true[pairs].prod(axis=1)
        strongest = np.argsort(-lever, kind="stable")[:20]
        self.links = {tuple(p) for p in pairs[strongest].tolist()}

    def of_items(self, estimates: Floats) -> dict[str, float]:
        got = np.argsort(-estimates, kind="stable")[: self.top_items].tolist()
        error = np.maximum(estimates[self.items], 0) - self.true[self.items]
        right = len(set(got) & set(self.items.tolist()))
        return {"items": right, "items: squared error": float((error**2).mean())}

    def of_pairs(
        self, pairs: Integers, estimates: Floats, links: Floats | None
    ) -> dict[str, float]:
        rows = [tuple(p) for p in pairs.tolist()]
        got = {rows[k] for k in np.argsort(-estimates, kind="stable")[: self.top_pairs].tolist()}
        told = {p: max(float(x), 0.0) for p, x in zip(rows, estimates, strict=True)}
        error = np.mean([(told.get(p, 0.0) - s) ** 2 for p, s in self.pairs.items()])
        found = {"pairs": float(len(got & self.pairs.keys())), "pairs: squared error": float(error)}
        if links is not None:
            some = {rows[k] for k in np.argsort(-links, kind="stable")[:20].tolist()}
            found["links"] = float(len(some & self.links))
        return found
