"""Counts in a release: how many reports of each group and size hold given sets of items.

Reports are read once for single items. The columns of those that matter are then packed and kept
where they fit in the memory given, or else packed anew, piece by piece, at every level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.mine.counting import Candidates, counts_of
from ppdm_formal.run.mine.kernels import Counts, Words
from ppdm_formal.run.mine.packed import BLOCK, MEMORY, WORDS, Packed
from ppdm_formal.run.mine.reports import Lists, Reports, Seeds
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize, Transactions

PIECE_ROWS, PIECE_ITEMS = 8 * BLOCK, 1 << 24
"""Reports, and items of reports, that are packed at a time."""


@dataclass(frozen=True)
class Part:
    """Reports of one group and size of a release."""

    release: int
    group: ReleasedGroup
    size: ReleasedSize


class ReleaseCounts:
    """Counts of sets in the reports of one release, or of the two phases of a plan."""

    def __init__(self, releases: Sequence[Release], memory: int = MEMORY) -> None:
        self.releases = releases
        self.described = [described(release) for release in releases]
        self.items = self.described[0].items
        self.parts = [
            Part(number, group, size)
            for number, found in enumerate(self.described)
            for group, size in found.parts()
        ]
        self._memory = memory
        self._columns = np.arange(0)
        self._kept: list[tuple[int, Packed]] | None = None

    def _reports(self, lifted: int) -> Iterator[tuple[int, Reports]]:
        """Reports of groups that report sets of so many items, with the number of their part."""
        for number, release in enumerate(self.releases):
            places = {
                (part.group.name, part.size.size): at
                for at, part in enumerate(self.parts)
                if part.release == number and part.group.lifted == lifted
            }
            if places:
                yield from (
                    _seeds(release, places) if release.sent_seeds else _lists(release, places)
                )

    def _numbers(self, part: Part, items: Counts) -> Counts:
        """What items are in the reports of a part; -1 where it has no such item."""
        chosen = part.group.chosen
        if chosen is None:
            return items
        place = np.full(self.items, -1, dtype=np.int64)
        place[list(chosen)] = np.arange(len(chosen))
        return np.asarray(place[items])

    def singles(self) -> list[Counts]:
        """How many reports of each part hold each item; of parts that report larger sets, none."""
        found = [np.zeros(self.items, dtype=np.int64) for _ in self.parts]
        every = np.arange(self.items)
        for number, reports in self._reports(1):
            found[number] += reports.held(self._numbers(self.parts[number], every))
        return found

    def lifted(self, size: int, numbers: dict[tuple[int, str], Counts]) -> list[Counts]:
        """For parts that report sets of that size: how many reports hold each number asked for.

        numbers: by the release and the name of the group.
        """
        none = np.zeros(0, dtype=np.int64)
        asked = [numbers.get((part.release, part.group.name), none) for part in self.parts]
        found = [np.zeros(len(some), dtype=np.int64) for some in asked]
        if numbers:
            for number, reports in self._reports(size):
                found[number] += reports.held(asked[number])
        return found

    def choose(self, columns: Counts) -> None:
        """From now on sets are of these items, numbered 0, 1, ..."""
        self._columns = columns
        rows = [part.size.rows for part in self.parts if part.group.lifted == 1]
        blocks = sum(-(-many // BLOCK) + many // PIECE_ROWS + 1 for many in rows)
        fits = blocks * len(columns) * WORDS * 8 <= self._memory
        self._kept = list(self._packed()) if fits else None

    def _packed(self) -> Iterator[tuple[int, Packed]]:
        for number, reports in self._reports(1):
            yield number, reports.packed(self._numbers(self.parts[number], self._columns))

    def count(self, candidates: Candidates) -> list[Counts]:
        """How many reports of each part hold each candidate; none of parts with larger sets."""
        found = [np.zeros(len(candidates), dtype=np.int64) for _ in self.parts]
        for number, packed in self._packed() if self._kept is None else self._kept:
            found[number] += counts_of(packed, candidates)
        return found


def _lists(release: Release, places: dict[tuple[str, int], int]) -> Iterator[tuple[int, Reports]]:
    waiting: list[Baskets] = []
    of = rows = items = 0
    for group, size, reports in release.baskets():
        number = places.get((group.name, size.size))
        if number is None:
            continue
        if waiting and (number != of or rows >= PIECE_ROWS or items >= PIECE_ITEMS):
            yield of, Lists.joined(waiting)
            waiting, rows, items = [], 0, 0
        of = number
        waiting.append(reports)
        rows, items = rows + len(reports), items + len(reports.items)
    if waiting:
        yield of, Lists.joined(waiting)


def _seeds(release: Release, places: dict[tuple[str, int], int]) -> Iterator[tuple[int, Reports]]:
    waiting: list[Words] = []
    of, generator = 0, None
    for group, size, seeds in release.seeds():
        number = places.get((group.name, size.size))
        if number is None:
            continue
        if waiting and (number != of or sum(map(len, waiting)) >= PIECE_ROWS):
            assert generator is not None
            yield of, Seeds(generator, np.concatenate(waiting))
            waiting = []
        of, generator = number, size.generator
        waiting.append(seeds)
    if waiting:
        assert generator is not None
        yield of, Seeds(generator, np.concatenate(waiting))


def described(release: Release) -> Transactions:
    """The transactions that a release describes."""
    if release.transactions is None:
        raise ReleaseError("the release holds a table, not transactions: see ppdm estimate")
    return release.transactions
