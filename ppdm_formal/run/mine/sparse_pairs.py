"""Pairs in sparse transactions: each occurrence of an item delivers to the larger items after it.

As many steps as there are pairs of occurrences, sum over transactions of C(|t|, 2), whatever the
number of items; memory for one counter an item and thread. Only frequent pairs are kept.
"""

from __future__ import annotations

import numpy as np

from ppdm_formal.operator.threads import in_threads, processors
from ppdm_formal.run.compress.kernels import compiled
from ppdm_formal.run.mine import kernels
from ppdm_formal.run.mine.kernels import Counts, Numbers
from ppdm_formal.run.mine.rows import Rows

ROOM = 1 << 16
"""Pairs that a call of the kernel may return, and as many more as there are items."""

AT_ONCE = 1 << 22
"""Pairs of occurrences that are listed at a time where there is no compiled kernel."""

Pairs = tuple[Numbers, Counts]
"""Pairs (i, j), i < j, a row each, in order; and how many transactions hold each."""


def steps(rows: Rows) -> int:
    """How many pairs of occurrences there are."""
    sizes = np.diff(rows.offsets)
    return int((sizes * (sizes - 1) // 2).sum())


def frequent_pairs(rows: Rows, least: int, most: int) -> Pairs:
    """All pairs that at least `least` transactions hold, least >= 1.

    Where they are more than `most`, some of them, and more than that.
    """
    kernel, lay_out = compiled(kernels.pairs_of), compiled(kernels.lay_out)
    if kernel is None or lay_out is None:
        return _without_kernel(rows, least)
    firsts = np.concatenate([[0], np.cumsum(rows.item_counts())]).astype(np.int64)
    ended = np.empty(len(rows.items) + len(rows), dtype=np.int32)
    places = np.empty(len(rows.items), dtype=np.int64)
    lay_out(rows.items, rows.offsets, firsts.copy(), ended, places)
    cuts = np.linspace(0, rows.count, 8 * processors() + 1).astype(np.int64)
    parts: list[list[Pairs]] = [[] for _ in cuts[1:]]

    def deliver(part: int) -> None:
        at, stop = int(cuts[part]), int(cuts[part + 1])
        found = np.empty((ROOM + rows.count, 2), dtype=np.int32)
        counts = np.empty(len(found), dtype=np.int64)
        while at < stop and sum(len(held) for done in parts for held, _ in done) <= most:
            at, some = kernel(ended, places, firsts, at, stop, least, found, counts)
            parts[part].append((found[:some].copy(), counts[:some].copy()))

    in_threads(deliver, range(len(parts)))
    return _joined([pairs for part in parts for pairs in part])


def _joined(parts: list[Pairs]) -> Pairs:
    empty = np.zeros((0, 2), dtype=np.int32), np.zeros(0, dtype=np.int64)
    pairs, counts = zip(empty, *parts, strict=True)
    return np.concatenate(pairs), np.concatenate(counts)


def _without_kernel(rows: Rows, least: int) -> Pairs:
    """The twin of the kernel: lists pairs of occurrences by their distance within a transaction."""
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
