"""Shuffle: rows in a uniformly random order, exactly, in bounded memory and temporary files.

Every row draws one of B buckets, independently and uniformly; the buckets follow one another, the
rows of each in the order that Fisher and Yates draw. Every order of n rows is then equally likely:
one order arises in as many ways as there are bucket sizes c_1 + ... + c_B = n (its first c_1 rows
drew bucket 1, and so on), each with the probability B^-n times the product of 1/c_b!, and this
sum does not depend on the order. Only that the rows of a bucket stand in uniform order is used,
so a bucket that is too large may be shuffled in this same way again. All draws are exact (Bits).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.run.baskets import Baskets, Integers

Column: TypeAlias = npt.NDArray[Any] | Baskets
"""A part of each row: an entry along the first axis of an array, or a basket of any length."""

Rows: TypeAlias = tuple[Column, ...]
"""Rows: columns of one length."""

BUCKETS = 256

DRAWN = 1 << 16
"""Places that are drawn at a time."""


@dataclass(frozen=True)
class Held:
    """How much is held in memory at a time; what is more waits in a file."""

    rows: int = 1 << 20
    bytes: int = 1 << 26

    def exceeded_by(self, rows: int, size: int) -> bool:
        """Whether so much is too much; one row is held whatever its size."""
        return rows > 1 and (rows > self.rows or size > self.bytes)


@dataclass(frozen=True)
class _Place:
    """Rows in the file: where they begin, how many they are, and the entries of their columns."""

    start: int
    rows: int
    entries: tuple[int, ...]
    bytes: int


class Shuffle:
    """Rows that are added in any order, and come out in one that is uniformly random.

    The file has no name where the system knows such files, and is gone when the process ends.
    """

    def __init__(
        self, bits: Bits, folder: Path, held: Held | None = None, buckets: int = BUCKETS
    ) -> None:
        self._bits, self._folder = bits, folder
        self._most, self._buckets = held or Held(), buckets
        self._held: list[Rows] = []
        self._held_rows = self._held_bytes = 0
        self._forms: tuple[tuple[np.dtype[Any], tuple[int, ...]], ...] = ()
        self._file: IO[bytes] | None = None
        self._places: list[list[_Place]] = [[] for _ in range(buckets)]
        self.rows = self.bytes = 0
        """How much has been added."""

    def __enter__(self) -> Shuffle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, rows: Rows) -> None:
        """More rows, all with columns of the same kinds."""
        count, size = _length(rows), _bytes(rows)
        if not count:
            return
        self._held.append(rows)
        self._held_rows += count
        self._held_bytes += size
        self.rows += count
        self.bytes += size
        if self._most.exceeded_by(self._held_rows, self._held_bytes):
            self._scatter()

    def drain(self) -> Iterator[Rows]:
        """All rows, in random order, block by block."""
        if self._file is None:
            if self._held:
                yield self._permuted(self._held)
            return
        self._scatter()
        for places in self._places:
            rows, size = sum(p.rows for p in places), sum(p.bytes for p in places)
            if self._most.exceeded_by(rows, size):
                with Shuffle(self._bits, self._folder, self._most, self._buckets) as again:
                    for place in places:
                        again.add(self._load(place))
                    yield from again.drain()
            elif rows:
                yield self._permuted([self._load(place) for place in places])

    def _permuted(self, parts: Sequence[Rows]) -> Rows:
        rows = _joined(parts)
        return _taken(rows, permutation(_length(rows), self._bits))

    def _scatter(self) -> None:
        """What is held goes to the buckets that it draws, and these to the file."""
        if not self._held:
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
        rows, count = _joined(self._held), self._held_rows
        self._held, self._held_rows, self._held_bytes = [], 0, 0
        drawn = np.concatenate(
            [
                self._bits.below(np.full(min(DRAWN, count - start), self._buckets, dtype=np.int64))
                for start in range(0, count, DRAWN)
            ]
        )
        order = np.argsort(drawn, kind="stable")
        ends = np.searchsorted(drawn[order], np.arange(self._buckets + 1))
        for bucket in range(self._buckets):
            which = order[ends[bucket] : ends[bucket + 1]]
            if which.size:
                self._places[bucket].append(self._save(_taken(rows, which)))

    def _save(self, rows: Rows) -> _Place:
        assert self._file is not None
        self._forms = tuple(_form(column) for column in rows)
        start = self._file.tell()
        entries = []
        for column in rows:
            if isinstance(column, Baskets):
                self._file.write(column.sizes.tobytes())
                column = column.items
            self._file.write(np.ascontiguousarray(column).tobytes())
            entries.append(len(column))
        return _Place(start, _length(rows), tuple(entries), _bytes(rows))

    def _load(self, place: _Place) -> Rows:
        assert self._file is not None
        self._file.seek(place.start)
        found: list[Column] = []
        for (kind, shape), entries in zip(self._forms, place.entries, strict=True):
            if shape == _RAGGED:
                sizes = self._read(np.dtype(np.int64), (place.rows,))
                found.append(Baskets.joined(self._read(kind, (entries,)), sizes))
            else:
                found.append(self._read(kind, (entries, *shape)))
        return tuple(found)

    def _read(self, kind: np.dtype[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
        assert self._file is not None
        content = self._file.read(int(np.prod(shape)) * kind.itemsize)
        return np.frombuffer(content, dtype=kind).reshape(shape)


def permutation(count: int, bits: Bits) -> Integers:
    """A uniformly random order of 0..count-1, by Fisher and Yates: exactly count! equal ways.

    From the last place on, each gets one of the entries that are left: k entries, k draws alike.
    """
    order = list(range(count))
    for start in range(count, 1, -DRAWN):
        left = np.arange(start, max(1, start - DRAWN), -1)
        for last, chosen in zip((left - 1).tolist(), bits.below(left).tolist(), strict=True):
            order[last], order[chosen] = order[chosen], order[last]
    return np.array(order, dtype=np.int64)


_RAGGED = (-1,)
"""Stands for the shape of an entry where entries are baskets."""


def _form(column: Column) -> tuple[np.dtype[Any], tuple[int, ...]]:
    if isinstance(column, Baskets):
        return column.items.dtype, _RAGGED
    return column.dtype, column.shape[1:]


def _length(rows: Rows) -> int:
    return len(rows[0])


def _bytes(rows: Rows) -> int:
    return sum(
        column.items.nbytes + column.offsets.nbytes
        if isinstance(column, Baskets)
        else column.nbytes
        for column in rows
    )


def _taken(rows: Rows, which: Integers) -> Rows:
    return tuple(
        column.take(which) if isinstance(column, Baskets) else column[which] for column in rows
    )


def _joined(parts: Sequence[Rows]) -> Rows:
    """The rows of all parts, one after another."""
    if len(parts) == 1:
        return parts[0]
    found: list[Column] = []
    for columns in zip(*parts, strict=True):
        if isinstance(columns[0], Baskets):
            items = np.concatenate([column.items for column in columns])
            found.append(Baskets.joined(items, np.concatenate([c.sizes for c in columns])))
        else:
            found.append(np.concatenate(columns))
    return tuple(found)
