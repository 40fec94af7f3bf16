"""Chunks: the reports of all files of a collection in parts that are counted one by one.

A chunk is a run of rows of one file: in Parquet some of its row groups, which are read without
the others, anywhere; in text and in streams of seeds a number of rows, which are reached by
reading what stands before them. Where chunks begin and end depends on the files alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.infer.baskets.packed import BLOCK
from ppdm_formal.infer.baskets.pooled import Pooled
from ppdm_formal.infer.baskets.reports import Lists, Reports, Seeds
from ppdm_formal.run.basket_files import RowSpan
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.kernels import Words
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize
from ppdm_formal.run.streams import sha256_of

CHUNK_ROWS = 8 * BLOCK
"""Rows of a chunk: in Parquet at least so many, unless its file ends."""

MOST_CHUNKS = 1024
"""Chunks are longer where there would be more of them: their counts come together in one place."""

PIECE_ROWS, PIECE_ITEMS = 8 * BLOCK, 1 << 24
"""Reports, and items of reports, that are held at a time."""


@dataclass(frozen=True)
class ChunkPart:
    """Reports of one group and size, of a phase (0, or 1 for the second of two)."""

    release: int
    group: ReleasedGroup
    size: ReleasedSize


@dataclass(frozen=True)
class Chunk:
    """Rows first <= row < last of a file; span: where a Parquet file has them."""

    file: int
    first: int
    last: int
    span: RowSpan | None = None


@dataclass(frozen=True)
class Layout:
    """All files, the parts that their reports belong to, and the chunks.

    places: for each file the number of the part of a group and size. footers: digests of the ends
    of Parquet files, which tell where everything stands in them and what it is.
    """

    files: tuple[Release, ...]
    places: tuple[Mapping[tuple[str, int], int], ...]
    lifted: tuple[int, ...]
    chunks: tuple[Chunk, ...]
    footers: tuple[str | None, ...]

    @classmethod
    def of(cls, phases: Sequence[Pooled], parts: Sequence[ChunkPart]) -> Layout:
        """The layout of a collection."""
        files: list[Release] = []
        places: list[Mapping[tuple[str, int], int]] = []
        for number, phase in enumerate(phases):
            here = {
                (part.group.name, part.size.size): at
                for at, part in enumerate(parts)
                if part.release == number
            }
            files += phase.files
            places += [here] * len(phase.files)
        lifted = tuple(part.group.lifted for part in parts)
        most = sum(map(_rows, files))
        step = max(CHUNK_ROWS, -(-most // MOST_CHUNKS))
        chunks = tuple(c for at, file in enumerate(files) for c in _chunks(at, file, step))
        footers = tuple(_footer(_path(file)) if in_parquet(file) else None for file in files)
        return cls(tuple(files), tuple(places), lifted, chunks, footers)

    def digest(self) -> str:
        """Of the data and how they are cut into chunks."""
        return digest(
            {
                "data": [file.data.sha256 or sha256_of(_path(file)) for file in self.files],
                "chunks": [[chunk.file, chunk.first, chunk.last] for chunk in self.chunks],
            }
        )

    def check_file(self, number: int) -> None:
        """Refuse another Parquet file under the name of one of them, as another machine may see."""
        path = _path(self.files[number])
        if not path.is_file():
            raise ReleaseError(f"{path}: not there, as a worker sees it: files must be shared")
        if _footer(path) != self.footers[number]:
            raise ReleaseError(f"{path}: another file, as a worker sees it")

    def rows_of(self, number: int, lifted: int = 1) -> dict[int, int]:
        """How many reports of each part a chunk holds, of those that report sets of that size."""
        chunk = self.chunks[number]
        found, start = {}, 0
        described = self.files[chunk.file].transactions
        assert described is not None
        for group, size in described.parts():
            held = min(chunk.last, start + size.rows) - max(chunk.first, start)
            start += size.rows
            if held > 0 and group.lifted == lifted:
                found[self.places[chunk.file][group.name, size.size]] = held
        return found

    def reports(
        self, chunks: Sequence[int], lifted: int = 1
    ) -> Iterator[tuple[int, Iterator[tuple[int, Reports]]]]:
        """For each of the chunks (rising) its reports, by the number of their part.

        Only groups that report sets of `lifted` items.
        """
        wanted: dict[int, list[int]] = {}
        for number in chunks:
            wanted.setdefault(self.chunks[number].file, []).append(number)
        for file, numbers in wanted.items():
            if self.chunks[numbers[0]].span is None:
                yield from self._in_turn(file, numbers, lifted)
                continue
            for number in numbers:
                blocks = self._blocks(file, self.chunks[number].span)
                yield number, self._pieces(blocks, lifted)

    def _in_turn(
        self, file: int, numbers: Sequence[int], lifted: int
    ) -> Iterator[tuple[int, Iterator[tuple[int, Reports]]]]:
        """Chunks of a file that can only be read from its beginning on."""
        cutter = _Cutter(self._blocks(file, None))
        for number in numbers:
            chunk = self.chunks[number]
            blocks = cutter.rows(chunk.first, chunk.last)
            yield number, self._pieces(blocks, lifted)
        if chunk.last == _rows(self.files[file]):
            cutter.finish()  # also checks that nothing follows

    def _blocks(self, file: int, span: RowSpan | None) -> Iterator[_Block]:
        """Blocks of reports with the number of their part, and the generator of seeds."""
        release, places = self.files[file], self.places[file]
        found = release.seeds(span) if release.sent_seeds else release.baskets(span)
        for group, size, reports in found:
            generator = size.generator if release.sent_seeds else None
            yield _Block(places[group.name, size.size], generator, reports)

    def _pieces(self, blocks: Iterator[_Block], lifted: int) -> Iterator[tuple[int, Reports]]:
        """Blocks of one part joined as far as they are held at a time."""
        waiting: list[_Block] = []
        rows = items = 0
        for block in blocks:
            if self.lifted[block.part] != lifted:
                continue
            full = rows >= PIECE_ROWS or items >= PIECE_ITEMS
            if waiting and (waiting[0].part != block.part or full):
                yield waiting[0].part, _joined(waiting)
                waiting, rows, items = [], 0, 0
            waiting.append(block)
            rows += len(block.reports)
            items += len(block.reports.items) if isinstance(block.reports, Baskets) else 0
        if waiting:
            yield waiting[0].part, _joined(waiting)


@dataclass(frozen=True)
class _Block:
    part: int
    generator: Generator | None
    reports: Baskets | Words

    def rows(self, first: int, last: int) -> _Block:
        """Some of the reports."""
        if (first, last) == (0, len(self.reports)):
            return self
        if isinstance(self.reports, Baskets):
            return replace(self, reports=self.reports.take(np.arange(first, last)))
        return replace(self, reports=self.reports[first:last])


def _joined(blocks: Sequence[_Block]) -> Reports:
    generator = blocks[0].generator
    if generator is None:
        return Lists.joined([b.reports for b in blocks if isinstance(b.reports, Baskets)])
    return Seeds(generator, np.concatenate([block.reports for block in blocks]))


class _Cutter:
    """Blocks of a stream, cut where chunks end."""

    def __init__(self, blocks: Iterator[_Block]) -> None:
        self._blocks = blocks
        self._at = 0
        self._left: _Block | None = None

    def rows(self, first: int, last: int) -> Iterator[_Block]:
        """Those of the rows that were not read yet."""
        while self._at < last:
            block = self._left or next(self._blocks, None)
            if block is None:
                return
            start, whole = self._at, len(block.reports)
            stop = min(start + whole, last)
            self._left = block.rows(stop - start, whole) if stop < start + whole else None
            self._at = stop
            if stop > first:
                yield block.rows(max(0, first - start), stop - start)

    def finish(self) -> None:
        """Read to the end."""
        for _ in self._blocks:
            pass


def in_parquet(release: Release) -> bool:
    """Whether the data are in Parquet, whose row groups can be read one by one."""
    return release.data.format in ("parquet", "seeds-parquet")


def _path(release: Release) -> Path:
    if release.path is None:
        raise ReleaseError("the release was not read from files: it has no data at hand")
    return release.path


def _rows(release: Release) -> int:
    """Reports of a release's data file; clients that sent nothing have none."""
    assert release.transactions is not None
    return sum(part.rows for _, part in release.transactions.parts())


def _chunks(number: int, release: Release, step: int) -> Iterator[Chunk]:
    rows = _rows(release)
    if not in_parquet(release):
        for first in range(0, rows, step):
            yield Chunk(number, first, min(first + step, rows))
        return
    sizes = _row_groups(_path(release))
    if sum(sizes) != rows:
        raise ReleaseError(f"{release.path}: not the number of transactions that it should have")
    first = begin = 0
    for group, last in enumerate(np.cumsum(sizes).tolist(), start=1):
        if last - first >= step or (group == len(sizes) and last > first):
            yield Chunk(number, first, last, RowSpan(first, last, begin, group))
            first, begin = last, group


def _row_groups(path: Path) -> list[int]:
    from ppdm_formal.run.parquet_table import guarded

    with path.open("rb") as raw, guarded(path) as pa:
        found = pa.parquet.read_metadata(raw)
        return [found.row_group(k).num_rows for k in range(found.num_row_groups)]


def _footer(path: Path) -> str:
    """The digest of the end of a Parquet file: its metadata, their length, and the mark."""
    with path.open("rb") as raw:
        size = raw.seek(0, 2)
        raw.seek(max(0, size - 8))
        length = int.from_bytes(raw.read(4), "little")
        raw.seek(max(0, size - 8 - length))
        return hashlib.sha256(raw.read()).hexdigest()
