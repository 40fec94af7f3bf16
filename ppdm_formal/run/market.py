"""Market: made-up market baskets with patterns in them, after the Quest generator.

As Agrawal and Srikant describe it (VLDB 1994, section 4.1): patterns are sets of items that tend to
be bought together; each takes some items from the one before it, has a weight and a corruption
level; a basket is filled with patterns drawn by weight, of which items drop out as long as a coin
with the pattern's corruption level says so. Other than there, every basket has exactly the size
drawn for it: a last pattern that is too large is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.files import written_together
from ppdm_formal.run.basket_files import BasketFile, Items, create_baskets
from ppdm_formal.run.baskets import Baskets, Integers

BLOCK = 1 << 14
"""Baskets that are made at a time."""

AT_ONCE, ROUNDS = 8, 8
"""Patterns put into a basket at a time, and how many times; then single items fill it."""

SINGLE = 1 << 22
"""Single items that are drawn at a time."""


@dataclass(frozen=True)
class Market:
    """What baskets to make: T10.I4.D100K of the literature is transactions=100_000, items=1000.

    The same market has the same baskets, and the first ones of a longer one.

    >>> market = Market(transactions=1000, items=50, mean_size=5, patterns=20, seed=7)
    >>> baskets = market.all()
    >>> len(baskets), bool(4.5 < baskets.sizes.mean() < 5.5)
    (1000, True)
    >>> longer = Market(transactions=9000, items=50, mean_size=5, patterns=20, seed=7).all()
    >>> longer.lists()[:1000] == baskets.lists()
    True
    """

    transactions: int
    items: int
    mean_size: float = 10.0
    """Mean of the Poisson law of sizes, before smallest and largest."""
    pattern_size: float = 4.0
    """Mean number of items of a pattern."""
    patterns: int = 2000
    correlation: float = 0.5
    """Mean share of a pattern's items that come from the one before."""
    corruption: float = 0.5
    """Mean corruption level."""
    smallest: int = 1
    largest: int | None = None
    """Bounds of sizes: what is drawn outside is moved to the nearer one."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.transactions < 0 or self.items < 1 or self.patterns < 1:
            raise ValueError("a market needs items and patterns, and no fewer than 0 transactions")
        if not 0 <= self.smallest <= self._largest <= self.items:
            raise ValueError(
                f"sizes from {self.smallest} to {self._largest} are not among 0..{self.items}"
            )
        if not (self.mean_size >= 0 and self.pattern_size >= 1):
            raise ValueError("mean sizes are at least 0, those of patterns at least 1")
        if not (0 <= self.correlation <= 1 and 0 <= self.corruption <= 1):
            raise ValueError("correlation and corruption are between 0 and 1")

    @property
    def _largest(self) -> int:
        return self.items if self.largest is None else self.largest

    def blocks(self) -> Iterator[Baskets]:
        """All baskets, in blocks; the items of each rise."""
        draw = np.random.default_rng(self.seed)
        made = _Patterns.drawn(self, draw)
        for start in range(0, self.transactions, BLOCK):
            sizes = np.clip(draw.poisson(self.mean_size, BLOCK), self.smallest, self._largest)
            block = _filled(made, sizes, self.items, draw)
            yield block.take(np.arange(min(BLOCK, self.transactions - start)))

    def all(self) -> Baskets:
        """All baskets at once."""
        blocks = list(self.blocks())
        none = [np.zeros(0, dtype=np.int64)]
        return Baskets.joined(
            np.concatenate(none + [block.items for block in blocks]),
            np.concatenate(none + [block.sizes for block in blocks]),
        )

    def write(self, path: Path) -> None:
        """A file of the baskets: .dat, .csv or .parquet, by its name."""
        file = BasketFile.named(path)
        with written_together(path) as [raw], create_baskets(file, raw, Items(self.items)) as out:
            for block in self.blocks():
                # A writer takes baskets of one size: runs of equal sizes, which text does not tell.
                told = block.sizes if file.format == "parquet" else block.sizes[:0]
                for some in np.split(np.arange(len(block)), np.flatnonzero(np.diff(told)) + 1):
                    out.write("all", int(block.sizes[some[0]]), block.take(some))
            out.finish({})


@dataclass(frozen=True)
class _Patterns:
    """table[p]: the items of pattern p, then -1."""

    table: Integers
    sizes: Integers
    cumulated: npt.NDArray[np.float64]
    corruption: npt.NDArray[np.float64]

    @classmethod
    def drawn(cls, market: Market, draw: np.random.Generator) -> _Patterns:
        sizes = np.clip(draw.poisson(market.pattern_size, market.patterns), 1, market.items)
        table = np.full((market.patterns, int(sizes.max())), -1, dtype=np.int64)
        before = np.zeros(0, dtype=np.int64)
        for row, size in enumerate(sizes.tolist()):
            share = min(1.0, draw.exponential(market.correlation))
            kept = draw.permutation(before)[: round(share * size)]
            fresh = draw.permutation(np.setdiff1d(np.arange(market.items), kept))
            before = np.concatenate([kept, fresh])[:size]
            table[row, :size] = before
        weights = draw.exponential(size=market.patterns)
        levels = np.clip(draw.normal(market.corruption, 0.1**0.5, market.patterns), 0, 1)
        return cls(table, sizes.astype(np.int64), np.cumsum(weights) / weights.sum(), levels)

    def chosen(self, many: int, draw: np.random.Generator) -> Baskets:
        """Patterns by weight, each corrupted, its items in random order."""
        which = np.searchsorted(self.cumulated, draw.random(many), side="right")
        which = np.minimum(which, len(self.sizes) - 1)
        rows, level = self.table[which], self.corruption[which]
        # Items drop as long as coins of that level say so: their number is geometric.
        size = self.sizes[which]
        chance = draw.random(many)  # P[d or more drop] = level^d
        dropped = sum(chance < level**number for number in range(1, int(size.max(initial=0)) + 1))
        stay = np.maximum(size - dropped, 0)
        order = np.where(rows < 0, 2.0, draw.random(rows.shape)).argsort(axis=1)
        kept = np.arange(rows.shape[1]) < stay[:, None]
        mixed = np.take_along_axis(rows, order, axis=1)
        return Baskets.joined(mixed[kept], kept.sum(axis=1).astype(np.int64))


def _filled(made: _Patterns, sizes: Integers, items: int, draw: np.random.Generator) -> Baskets:
    """Baskets of these sizes."""
    baskets = Baskets.joined(np.zeros(0, dtype=np.int64), np.zeros(len(sizes), dtype=np.int64))
    for _ in range(ROUNDS):
        lacking = np.repeat(np.flatnonzero(baskets.sizes < sizes), AT_ONCE)
        if not len(lacking):
            break
        baskets = _added(baskets, lacking, made.chosen(len(lacking), draw), sizes, items)
    lacking = np.flatnonzero(baskets.sizes < sizes)
    for some in np.array_split(lacking, -(-len(lacking) * items // SINGLE) or 1):
        every = draw.permuted(np.tile(np.arange(items), (len(some), 1)), axis=1)
        single = Baskets.joined(every.ravel(), np.full(len(some), items, dtype=np.int64))
        baskets = _added(baskets, some, single, sizes, items)
    return baskets.distinct()


def _added(
    baskets: Baskets, which: Integers, more: Baskets, sizes: Integers, items: int
) -> Baskets:
    """Add items to some baskets, each item once, in their order, as long as there is room."""
    owners = np.concatenate([baskets.owners(), which[more.owners()]])
    numbers = np.concatenate([baskets.items, more.items])
    order = np.argsort(owners * items + numbers, kind="stable")
    keys = (owners * items + numbers)[order]
    first = np.ones(len(keys), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    new = np.sort(order[first])  # by arrival again, and below by basket
    new = new[np.argsort(owners[new], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(np.bincount(owners[new], minlength=len(sizes)))])
    fits = np.arange(len(new)) - starts[owners[new]] < sizes[owners[new]]
    kept = np.bincount(owners[new][fits], minlength=len(sizes))
    return Baskets.joined(numbers[new][fits], kept.astype(np.int64))
