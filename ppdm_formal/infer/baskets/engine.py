"""Engine: who counts the chunks of a collection; here this process, one chunk after the other.

Counts are whole numbers, and sums of them do not depend on who counted what, or in which order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from ppdm_formal.infer.baskets.chunks import Layout
from ppdm_formal.infer.baskets.counting import Candidates, counts_of
from ppdm_formal.infer.baskets.kernels import Counts
from ppdm_formal.infer.baskets.packed import BLOCK, MEMORY, WORDS, Packed
from ppdm_formal.infer.baskets.reports import Reports

PartCounts = dict[int, Counts]
"""For each part that a chunk has reports of, how many of them hold each of what was asked."""

Columns = list[tuple[int, Packed]]
"""The reports of a chunk as columns of bits, piece by piece, with the number of their part."""


class Engine(Protocol):
    """Counts in chunks, in any order; `numbers` are by part, in the universe of its reports."""

    def held(
        self, lifted: int, numbers: Sequence[Counts], chunks: Sequence[int]
    ) -> Iterator[tuple[int, PartCounts]]:
        """How many reports of groups that report sets of that size hold each of the numbers."""

    def choose(self, numbers: Sequence[Counts]) -> None:
        """From now on candidates are sets of these numbers, called 0, 1, ..."""

    def count(
        self, candidates: Candidates, chunks: Sequence[int]
    ) -> Iterator[tuple[int, PartCounts]]:
        """How many reports hold each candidate, in groups that report items."""

    def close(self) -> None:
        """Let go of what was begun."""


class LocalEngine:
    """This process, in a thread a processor; columns are kept where all fit in the memory."""

    def __init__(self, layout: Layout, memory: int = MEMORY) -> None:
        self._layout = layout
        self._memory = memory
        self._numbers: Sequence[Counts] = ()
        self._kept: dict[int, Columns] | None = None

    def held(
        self, lifted: int, numbers: Sequence[Counts], chunks: Sequence[int]
    ) -> Iterator[tuple[int, PartCounts]]:
        """See Engine."""
        for chunk, pieces in self._layout.reports(chunks, lifted):
            yield chunk, held_in(pieces, numbers)

    def choose(self, numbers: Sequence[Counts]) -> None:
        """See Engine."""
        self._numbers = numbers
        width = max(map(len, numbers), default=0)
        self._kept = {} if column_bytes(self._layout, width) <= self._memory else None

    def count(
        self, candidates: Candidates, chunks: Sequence[int]
    ) -> Iterator[tuple[int, PartCounts]]:
        """See Engine."""
        kept = {} if self._kept is None else self._kept
        for chunk in chunks:
            if chunk in kept:
                yield chunk, counted_in(kept[chunk], candidates)
        for chunk, pieces in self._layout.reports([c for c in chunks if c not in kept]):
            if self._kept is None:
                columns = packed_in(pieces, self._numbers)
                yield chunk, counted_in(columns, candidates)
            else:
                kept[chunk] = list(packed_in(pieces, self._numbers))
                yield chunk, counted_in(kept[chunk], candidates)

    def close(self) -> None:
        """See Engine."""
        self._kept = None


def held_in(pieces: Iterator[tuple[int, Reports]], numbers: Sequence[Counts]) -> PartCounts:
    """How many reports of a chunk hold each number of their part."""
    found: PartCounts = {}
    for part, reports in pieces:
        _add(found, part, reports.held(numbers[part]))
    return found


def packed_in(
    pieces: Iterator[tuple[int, Reports]], numbers: Sequence[Counts]
) -> Iterator[tuple[int, Packed]]:
    """The reports of a chunk as columns."""
    for part, reports in pieces:
        yield part, reports.packed(numbers[part])


def counted_in(columns: Iterator[tuple[int, Packed]] | Columns, asked: Candidates) -> PartCounts:
    """How many reports of a chunk hold each candidate."""
    found: PartCounts = {}
    for part, packed in columns:
        _add(found, part, counts_of(packed, asked))
    return found


def _add(found: PartCounts, part: int, counts: Counts) -> None:
    if part in found:
        found[part] += counts
    else:
        found[part] = counts.astype(np.int64, copy=False)


def column_bytes(layout: Layout, width: int) -> int:
    """What so many columns of all reports take, with the blocks filled up."""
    blocks = sum(
        -(-rows // BLOCK)
        for number in range(len(layout.chunks))
        for rows in layout.rows_of(number).values()
    )
    return blocks * width * WORDS * 8
