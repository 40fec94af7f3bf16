"""Counting: how many transactions hold each of many candidate itemsets, from columns of bits.

Candidates come in groups with the same prefix: the prefix's columns are combined once, then each
last item costs an AND and a count of bits for each word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.machine.threads import in_threads, processors
from ppdm_formal.infer.baskets import kernels
from ppdm_formal.infer.baskets.kernels import Counts, Numbers, Words
from ppdm_formal.infer.baskets.packed import Packed

CALL_WORDS = 1 << 28
"""Words that one call of a kernel counts: some tens of milliseconds, so that Ctrl-C is heard."""

_NUMPY_AT_ONCE = 1 << 17


@dataclass(frozen=True)
class Candidates:
    """Itemsets of k >= 2 items: prefixes[g] with each of last[starts[g] : starts[g + 1]] added.

    >>> some = Candidates.of(np.array([[0, 1], [0, 2], [1, 2]]))
    >>> some.prefixes.tolist(), some.starts.tolist(), some.last.tolist()
    ([[0], [1]], [0, 2, 3], [1, 2, 2])
    """

    prefixes: Numbers
    starts: Counts
    last: Numbers

    @classmethod
    def of(cls, sets: Numbers) -> Candidates:
        """From a table with one itemset a row; equal prefixes that follow each other share."""
        heads = sets[:, :-1]
        first = np.ones(len(sets), dtype=bool)
        first[1:] = (heads[1:] != heads[:-1]).any(axis=1)
        starts = np.append(np.flatnonzero(first), len(sets)).astype(np.int64)
        return cls(_plain(heads[first]), starts, _plain(sets[:, -1]))

    def __len__(self) -> int:
        return len(self.last)


def counts_of(packed: Packed, candidates: Candidates) -> Counts:
    """How many transactions hold each candidate."""
    counts = np.zeros(len(candidates), dtype=np.int64)
    blocks = packed.blocks
    if not len(counts):
        return counts
    kernel = compiled(kernels.count_groups)
    if kernel is None:
        for block in blocks:
            _count_block(block, candidates, counts)
        return counts
    parts = list(_parts(candidates.starts, 4 * processors()))
    step = max(1, CALL_WORDS // (len(counts) * blocks.shape[2]))
    for at in range(0, len(blocks), step):
        some = blocks[at : at + step]

        def count(number: int, some: Words = some) -> None:
            part = parts[number]
            starts = candidates.starts[part.start : part.stop + 1]
            kernel(some, candidates.prefixes[part], starts, candidates.last, counts)

        in_threads(count, range(len(parts)))
    return counts


def _parts(starts: Counts, wanted: int) -> Iterator[slice]:
    """Runs of groups with about the same number of candidates each."""
    groups = len(starts) - 1
    goals = np.linspace(0, starts[-1], min(wanted, groups) + 1)[1:-1]
    cuts = np.unique(np.concatenate([[0], np.searchsorted(starts, goals), [groups]]))
    for start, stop in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        yield slice(start, stop)


def _count_block(block: Words, candidates: Candidates, counts: Counts) -> None:
    """The twin of the kernel, for one block."""
    step = max(1, _NUMPY_AT_ONCE // block.shape[1])
    for group, prefix in enumerate(candidates.prefixes):
        held = np.bitwise_and.reduce(block[prefix], axis=0)
        if not held.any():
            continue
        stop = int(candidates.starts[group + 1])
        for at in range(int(candidates.starts[group]), stop, step):
            some = slice(at, min(at + step, stop))
            counts[some] += ones(held & block[candidates.last[some]]).sum(axis=1, dtype=np.int64)


def ones(words: Words) -> Words:
    """How many bits of each word are set.

    >>> ones(np.array([0, 5, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 2, 64]
    """
    if hasattr(np, "bitwise_count"):
        counted: Words = np.bitwise_count(words).astype(np.uint64)
        return counted
    pairs, fours, eights = (np.uint64(mask) for mask in _MASKS)  # NumPy before 2.0
    x = words - ((words >> np.uint64(1)) & pairs)
    x = (x & fours) + ((x >> np.uint64(2)) & fours)
    x = (x + (x >> np.uint64(4))) & eights
    added: Words = (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return added


_MASKS = (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)


def _plain(numbers: Numbers) -> Numbers:
    return np.ascontiguousarray(numbers, dtype=np.int32)
