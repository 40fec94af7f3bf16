"""Files of transactions: FIMI .dat, CSV baskets and Parquet lists, read and written in blocks.

FIMI (LUCS-KDD's .num as well) has one transaction a line, items separated by blanks; CSV baskets
have commas, and names quoted where needed; Parquet has a column of lists. Items are named by a
list of names, or are the numbers 0..N-1.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, Protocol

import numpy as np

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import (
    BLOCK_BYTES,
    Compression,
    Source,
    bare_suffix,
    compression_of,
    reading,
    writing,
)

BasketFormat = Literal["fimi", "baskets", "parquet", "seeds", "seeds-parquet"]

BLOCK_TRANSACTIONS, BLOCK_ITEMS = 1 << 15, 1 << 19
"""Transactions, and items, that are read at a time."""

MAX_ITEMS = 1 << 24
"""Most items that there may be: a coin is tossed for each, for each transaction."""

GROUP, SIZE, ITEMS = "group", "size", "items"
"""The columns of a Parquet file that is written: who reports, the size of each, and the lists."""

_FORMATS: dict[str, BasketFormat] = {
    ".dat": "fimi",
    ".num": "fimi",
    ".csv": "baskets",
    ".parquet": "parquet",
    ".pq": "parquet",
}


@dataclass(frozen=True)
class BasketFile:
    """Transactions on disk: where they are and how they are written."""

    path: Path
    format: BasketFormat
    compression: Compression | None = None

    @classmethod
    def named(cls, path: Path) -> BasketFile:
        """The file whose format and compression its name says."""
        packed, kind = compression_of(path), _FORMATS.get(bare_suffix(path))
        if kind is None:
            raise DataError(
                f"{path}: transactions are in .dat or .num (FIMI), .csv or .parquet, the text also "
                "with .gz or .xz"
            )
        if kind == "parquet" and packed is not None:
            raise DataError(f"{path}: Parquet is compressed inside: name it .parquet")
        return cls(path, kind, packed)

    @classmethod
    def of_seeds(cls, path: Path) -> BasketFile:
        """A file of seeds: Parquet where its name says so, else a binary stream."""
        if compression_of(path) is not None:
            raise DataError(f"{path}: seeds are random bits, which nothing compresses further")
        parquet = _FORMATS.get(bare_suffix(path)) == "parquet"
        return cls(path, "seeds-parquet" if parquet else "seeds")


class Items:
    """All items there are: 0..N-1, or a list of names whose order numbers them."""

    def __init__(self, count: int, names: Sequence[str] | None = None) -> None:
        if count > MAX_ITEMS:
            raise DataError(f"{count:,} items; at most {MAX_ITEMS:,} are randomized")
        self.count = count
        self.names = None if names is None else tuple(names)
        self.cells = Cells(Domain(range(count) if names is None else names))

    @classmethod
    def read(cls, path: Path) -> Items:
        """A file with one name a line."""
        with reading(path, compression_of(path)) as source:
            names = [line.rstrip("\r\n") for line in source.lines()]
        for number, name in enumerate(names, start=1):
            if not name.strip():
                raise DataError(f"{path}, line {number}: an item needs a name")
        if not names:
            raise DataError(f"{path}: the list of items is empty")
        seen: dict[str, int] = {}
        for number, name in enumerate(names, start=1):
            if seen.setdefault(name.strip(), number) != number:
                raise DataError(
                    f"{path}, line {number}: the item of line {seen[name.strip()]} again"
                )
        return cls(len(names), [name.strip() for name in names])

    def check_for(self, file: BasketFile) -> None:
        """Refuse names that the format cannot hold."""
        if file.format == "fimi" and any(len(name.split()) > 1 for name in self.names or ()):
            raise DataError(f"{file.path}: FIMI files separate items by blanks, and a name has one")


@dataclass(frozen=True)
class BasketBlock:
    """Some transactions as they were read, and the line or row of each, from 1 on.

    identifiers: of their clients, where a column of them was asked for.
    """

    baskets: Baskets
    places: Sequence[int]
    identifiers: Sequence[object] | None = None


@dataclass(frozen=True)
class RowSpan:
    """Rows first <= row < last of a Parquet file: those of row groups start <= group < stop."""

    first: int
    last: int
    start: int
    stop: int

    @property
    def row_groups(self) -> list[int]:
        """The row groups, as Arrow takes them."""
        return list(range(self.start, self.stop))


class BasketReader(Protocol):
    """An open file of transactions."""

    place: str

    def blocks(self, only: RowSpan | None = None) -> Iterator[BasketBlock]:
        """All transactions, in order, or those of a span of a Parquet file.

        What is no item is negative (see cells.py).
        """

    def share(self) -> float:
        """The share that has been read, between 0 and 1."""


class BasketWriter(Protocol):
    """A file of transactions being written."""

    def write(self, group: str, size: int, reports: Baskets) -> None:
        """Append reports of clients of a group, whose baskets had `size` items."""

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what is left; metadata goes into formats that can hold it."""


class TextReader:
    """Transactions of a text file, one a line."""

    place = "line"

    def __init__(self, source: Source, kind: BasketFormat, items: Items) -> None:
        self._source = source
        self._kind = kind
        self._items = items

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Each transaction's line and cells, as they are written."""
        if self._kind == "fimi":
            for number, text in enumerate(self._source.lines(), start=1):
                yield number, text.split()
            return
        rows = csv.reader(self._source.lines(), strict=True)
        line = 1
        try:
            for row in rows:
                yield line, row
                line = rows.line_num + 1
        except csv.Error as problem:
            raise DataError(
                f"{self._source.path}, line {rows.line_num}: not readable as CSV: {problem}"
            ) from None

    def blocks(self, only: RowSpan | None = None) -> Iterator[BasketBlock]:
        """All transactions; an empty line is one without items."""
        if only is not None:
            raise DataError(f"{self._source.path}: only Parquet can be read from its middle on")
        cells: list[str] = []
        sizes: list[int] = []
        places: list[int] = []
        end = BLOCK_BYTES
        for line, row in self.rows():
            cells += row
            sizes.append(len(row))
            places.append(line)
            full = len(sizes) == BLOCK_TRANSACTIONS or len(cells) >= BLOCK_ITEMS
            if full or self._source.consumed >= end:
                yield self._block(cells, sizes, places)
                cells, sizes, places = [], [], []
                end = self._source.consumed + BLOCK_BYTES
        if sizes:
            yield self._block(cells, sizes, places)

    def _block(self, cells: list[str], sizes: list[int], places: list[int]) -> BasketBlock:
        items = self._items.cells.positions(cells)
        return BasketBlock(Baskets.joined(items, np.array(sizes, dtype=np.int64)), places)

    def share(self) -> float:
        """The share of the file that has been read."""
        return self._source.share()


class TextWriter:
    """Transactions as lines: names separated by a blank or a comma."""

    def __init__(self, stream: IO[bytes], kind: BasketFormat, items: Items) -> None:
        self._stream = stream
        bare = items.cells.texts if kind == "fimi" else [_quoted(t) for t in items.cells.texts]
        mark = " " if kind == "fimi" else ","
        self._first = np.array(bare, dtype=object)
        self._others = np.array([mark + name for name in bare], dtype=object)

    def write(self, group: str, size: int, baskets: Baskets) -> None:
        """Append lines."""
        words = np.full(len(baskets.items) + len(baskets), "\n", dtype=object)
        filled = np.ones(len(words), dtype=bool)
        filled[baskets.offsets[1:] + np.arange(len(baskets))] = False
        shown = self._others[baskets.items]
        starts = baskets.offsets[:-1][baskets.sizes > 0]
        shown[starts] = self._first[baskets.items[starts]]
        words[filled] = shown
        self._stream.write("".join(words.tolist()).encode())

    def finish(self, metadata: Mapping[str, str]) -> None:
        """A text file has no place for metadata."""


def _quoted(name: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="").writerow([name])
    return text.getvalue()


@contextmanager
def open_baskets(
    file: BasketFile, items: Items, column: str | None = None, identifier: str | None = None
) -> Iterator[BasketReader]:
    """A reader of transactions; `column` and `identifier` are columns of a Parquet file."""
    items.check_for(file)
    if file.format == "parquet":
        from ppdm_formal.run.parquet_baskets import open_parquet_baskets

        with open_parquet_baskets(file.path, items, column, identifier) as reader:
            yield reader
        return
    if column is not None or identifier is not None:
        raise DataError(f"{file.path}: only a Parquet file has columns to choose from")
    with reading(file.path, file.compression) as source:
        yield TextReader(source, file.format, items)


@contextmanager
def create_baskets(file: BasketFile, raw: IO[bytes], items: Items) -> Iterator[BasketWriter]:
    """A writer of transactions to `raw`."""
    items.check_for(file)
    if file.format == "parquet":
        from ppdm_formal.run.parquet_baskets import create_parquet_baskets

        with create_parquet_baskets(raw, items) as writer:
            yield writer
        return
    with writing(raw, file.compression) as stream:
        yield TextWriter(stream, file.format, items)


def list_type(kind: Any) -> bool:
    """Whether an Arrow type is a list."""
    import pyarrow.types as types

    return bool(types.is_list(kind) or types.is_large_list(kind))
