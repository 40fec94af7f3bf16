"""Frequent itemsets of plain transactions, counted exactly.

Where numba is installed they grow depth first (growth.py). Otherwise they are found level by level
(Apriori): pairs in whichever way takes fewer steps, by occurrences or in columns of bits; larger
sets in columns of bits, packed once where they fit in the memory given, else chunk by chunk of
transactions at every level.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.infer.baskets import growth_kernels
from ppdm_formal.infer.baskets.counting import Candidates, counts_of
from ppdm_formal.infer.baskets.growth import TooManyError, grown
from ppdm_formal.infer.baskets.kernels import Counts, Numbers
from ppdm_formal.infer.baskets.packed import MEMORY, WORDS, Packed, chunks
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.trie import Counted, Nodes, Trie
from ppdm_formal.run.errors import DataError

AT_ONCE = 1 << 22
"""Pairs of occurrences that are listed at a time."""

Pairs = tuple[Numbers, Counts]
"""Pairs (i, j), i < j, a row each, in order; and how many transactions hold each."""


def steps(rows: Rows) -> int:
    """How many pairs of occurrences there are."""
    sizes = np.diff(rows.offsets)
    return int((sizes * (sizes - 1) // 2).sum())


def frequent_pairs(rows: Rows, least: int) -> Pairs:
    """All pairs that at least `least` transactions hold, least >= 1.

    Pairs of occurrences are listed by their distance within a transaction.
    """
    sizes = np.diff(rows.offsets)
    ends = np.repeat(rows.offsets[1:], sizes)
    keys, counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    waiting: list[Counts] = []
    held = 0
    for distance in range(1, int(sizes.max(initial=0))):
        first = np.flatnonzero(np.arange(len(ends)) + distance < ends)
        for at in range(0, len(first), AT_ONCE):
            some = first[at : at + AT_ONCE]
            waiting.append(rows.items[some].astype(np.int64) * rows.count)
            waiting[-1] += rows.items[some + distance]
            held += len(some)
            if held >= AT_ONCE:
                keys, counts = _merged(keys, counts, waiting)
                waiting, held = [], 0
    keys, counts = _merged(keys, counts, waiting)
    kept = counts >= least
    pairs = np.stack(np.divmod(keys[kept], max(1, rows.count)), axis=1)
    return pairs.astype(np.int32), counts[kept]


def _merged(keys: Counts, counts: Counts, more: list[Counts]) -> tuple[Counts, Counts]:
    every, where = np.unique(np.concatenate([keys, *more]), return_inverse=True)
    sums = np.ones(len(where), dtype=np.int64)
    sums[: len(keys)] = counts
    totals = np.zeros(len(every), dtype=np.int64)
    np.add.at(totals, where, sums)
    return every, totals


MAX_ITEMSETS = 1 << 22
"""Most frequent itemsets that are kept: beyond, nobody reads them, and memory would go."""

STEP_WORDS = 4
"""One delivery of an occurrence costs about as much as this many words of columns."""

Say = Callable[[str], object]


def frequent(
    rows: Rows,
    least: int,
    largest: int | None = None,
    memory: int = MEMORY,
    say: Say = str,
    share: Callable[[float], object] = float,
) -> tuple[Counted, Counts]:
    """All sets of at most `largest` items in at least `least` transactions.

    Back come the sets, in items 0..m-1, and which of the rows' items those are.

    >>> found, items = frequent(Rows.of([[0, 1, 3], [0, 3], [3, 0, 2]], 4), 2)
    >>> items.tolist(), found.trie.members(2).tolist(), found.counts.tolist()
    ([0, 3], [[0, 1]], [3, 3, 3, 3])
    """
    if least < 1:
        raise ValueError("a frequent itemset is held by at least one transaction")
    counts = rows.item_counts()
    items = np.flatnonzero(counts >= least)
    few = rows.keep(items)
    try:
        if compiled(growth_kernels.grow) is None:
            found = _by_levels(few, counts[items], least, largest, memory, say, share)
        else:
            say(f"itemsets of {len(items):,} items")
            found = grown(few, least, largest, MAX_ITEMSETS - 1, memory, share)
    except TooManyError:
        raise DataError(
            f"more than {MAX_ITEMSETS:,} frequent itemsets: raise the least support, or limit "
            "their size"
        ) from None
    return found, items


def _by_levels(
    rows: Rows,
    found: Counts,
    least: int,
    largest: int | None,
    memory: int,
    say: Say,
    share: Callable[[float], object],
) -> Counted:
    """Size by size, from items that are `found` so often."""
    trie = Trie(rows.count)
    levels = [np.array([len(rows)], dtype=np.int64)]
    columns = _Columns(rows, memory, share)
    parents: Nodes = np.zeros(rows.count, dtype=np.int64)
    last: Numbers = np.arange(rows.count, dtype=np.int32)
    while len(found):
        trie.grow(parents, last)
        levels.append(found)
        if len(trie) > MAX_ITEMSETS:
            raise TooManyError
        if largest is not None and trie.size >= largest:
            break
        say(f"itemsets of {trie.size + 1} items: {len(found):,} of {trie.size} are frequent")
        if trie.size == 1 and by_occurrences(rows):
            pairs, found = frequent_pairs(rows, least)
            parents, last = 1 + pairs[:, 0].astype(np.int64), pairs[:, 1]
        else:
            parents, last, found = _next(trie, columns, least)
    return Counted(trie, np.concatenate(levels))


def by_occurrences(rows: Rows) -> bool:
    """Whether pairs take fewer steps by occurrences than in columns of bits."""
    words = rows.count * (rows.count - 1) // 2 * (-(-len(rows) // 64))
    return STEP_WORDS * steps(rows) < words


def _next(trie: Trie, columns: _Columns, least: int) -> tuple[Nodes, Numbers, Counts]:
    """The frequent sets of the next size."""
    kept: list[tuple[Nodes, Numbers, Counts]] = []
    held = len(trie)
    for parents, last in trie.candidates():
        if held > MAX_ITEMSETS:
            break  # refused by the caller
        counts = columns.count(grouped(trie, parents, last))
        stays = counts >= least
        kept.append((parents[stays], last[stays], counts[stays]))
        held += int(stays.sum())
    none = np.zeros(0, dtype=np.int64)
    kept.append((none, none.astype(np.int32), none))
    return (
        np.concatenate([parents for parents, _, _ in kept]),
        np.concatenate([last for _, last, _ in kept]),
        np.concatenate([counts for _, _, counts in kept]),
    )


def grouped(trie: Trie, parents: Nodes, last: Numbers) -> Candidates:
    """Candidates of a trie for counting."""
    first = np.ones(len(parents), dtype=bool)
    first[1:] = parents[1:] != parents[:-1]
    starts = np.append(np.flatnonzero(first), len(parents)).astype(np.int64)
    return Candidates(trie.members(trie.size, parents[first]), starts, last.astype(np.int32))


class _Columns:
    """The rows as columns of bits: all at once where they fit, otherwise part after part."""

    def __init__(self, rows: Rows, memory: int, share: Callable[[float], object]) -> None:
        self._rows = rows
        self._share = share
        self._memory = memory
        self._whole: Packed | None = None
        self._fits = -(-len(rows) // (64 * WORDS)) * rows.count * WORDS * 8 <= memory

    def count(self, candidates: Candidates) -> Counts:
        """How many transactions hold each candidate."""
        if not len(candidates):
            return np.zeros(0, dtype=np.int64)
        if self._fits and self._whole is None:
            self._whole = Packed.of(self._rows)
        if self._whole is not None:
            return counts_of(self._whole, candidates)
        found, done = np.zeros(len(candidates), dtype=np.int64), 0
        for part in chunks(self._rows, self._memory):
            found += counts_of(part, candidates)
            done += part.transactions
            self._share(done / len(self._rows))
        return found
