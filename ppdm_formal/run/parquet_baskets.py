"""Transactions in Parquet: a column of lists of items, and beside it group and size of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from ppdm_formal.run.basket_files import (
    BLOCK_ITEMS,
    GROUP,
    ITEMS,
    SIZE,
    BasketBlock,
    Items,
    RowSpan,
    list_type,
)
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import EMPTY
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.parquet_table import RowGroups, check_type, guarded, positions

BATCH = 1 << 12
"""Transactions read at a time: few, since each may be long."""

ROW_GROUP_ITEMS = 8 * BLOCK_ITEMS
"""Items of a row group: also what is held in memory while writing."""


@contextmanager
def open_parquet_baskets(
    path: Path, items: Items, column: str | None, identifier: str | None
) -> Iterator[ParquetBasketReader]:
    """A reader of one list column (the only one there is where none is named), and of clients."""
    with path.open("rb") as raw:
        with guarded(path) as pa:
            file = pa.parquet.ParquetFile(raw, pre_buffer=False, page_checksum_verification=True)
        yield ParquetBasketReader(path, file, items, column, identifier)


class ParquetBasketReader:
    """Transactions of a list column of numbers or names."""

    place = "row"

    def __init__(
        self, path: Path, file: Any, items: Items, column: str | None, identifier: str | None
    ) -> None:
        self._path = path
        self._file = file
        self._items = items
        self._read = 0
        self._total = file.metadata.num_rows
        schema = file.schema_arrow
        lists = [field.name for field in schema if list_type(field.type)]
        if column is None and len(lists) != 1:
            raise DataError(f"{path}: {len(lists)} columns hold lists; name one with --column")
        self.column = lists[0] if column is None else column
        if lists.count(self.column) != 1:
            raise DataError(f"{path}: there is no column of lists named {self.column}")
        kind = schema.field(self.column).type.value_type
        check_type(path, self.column, kind, items.cells)
        self._identifier = identifier
        if identifier is not None:
            _check_identifier(path, schema, identifier)

    def blocks(self, only: RowSpan | None = None) -> Iterator[BasketBlock]:
        """All transactions; a missing list is a transaction with one item that is none."""
        with guarded(self._path):
            named = [] if self._identifier is None else [self._identifier]
            columns = [self.column, *named]
            groups = None
            if only is not None:
                self._read, groups = only.first, only.row_groups
            for batch in self._file.iter_batches(
                BATCH, columns=columns, row_groups=groups, use_threads=False
            ):
                clients = batch.column(self._identifier) if named else None
                yield self._block(batch.column(self.column), clients)

    def _block(self, lists: Any, clients: Any) -> BasketBlock:
        values = positions(lists.flatten(), self._items.cells)
        sizes = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        baskets = Baskets.joined(values, sizes)
        missing = lists.is_null().to_numpy(zero_copy_only=False)
        if missing.any():
            longer = np.insert(values, baskets.offsets[:-1][missing], EMPTY)
            baskets = Baskets.joined(longer, sizes + missing)
        start = self._read + 1
        self._read += len(baskets)
        places = range(start, self._read + 1)
        if clients is None:
            return BasketBlock(baskets, places)
        identifiers = clients.to_pylist()
        if None in identifiers:
            row = places[identifiers.index(None)]
            raise DataError(f"{self._path}, row {row}: a client without {self._identifier}")
        return BasketBlock(baskets, places, identifiers)

    def share(self) -> float:
        """The share of the rows that have been read."""
        return self._read / self._total if self._total else 1.0


def _check_identifier(path: Path, schema: Any, name: str) -> None:
    """Refuse a column that cannot name clients: one text or whole number each."""
    import pyarrow.types as types

    if schema.names.count(name) != 1:
        raise DataError(f"{path}: there is no column named {name} to tell clients apart by")
    kind = schema.field(name).type
    if not (types.is_integer(kind) or types.is_string(kind) or types.is_large_string(kind)):
        raise DataError(f"{path}, column {name}: clients are named by whole numbers or text")


@contextmanager
def create_parquet_baskets(raw: IO[bytes], items: Items) -> Iterator[ParquetBasketWriter]:
    """A Parquet file being written to `raw`."""
    with guarded("Parquet output") as pa:
        writer = ParquetBasketWriter(pa, raw, items)
    try:
        yield writer
    finally:
        writer.close()


class ParquetBasketWriter:
    """Lists of numbers, or of names where items have them, with the original sizes."""

    def __init__(self, pa: Any, raw: IO[bytes], items: Items) -> None:
        self._pa = pa
        self._names = None if items.names is None else pa.array(items.names, pa.string())
        inner = pa.int32() if items.names is None else pa.string()
        self._kind = pa.list_(inner)
        columns = [(GROUP, pa.string()), (SIZE, pa.int32()), (ITEMS, self._kind)]
        schema = pa.schema(columns)
        self._groups = RowGroups(pa, raw, schema, ROW_GROUP_ITEMS)
        self.finish, self.close = self._groups.finish, self._groups.close

    def write(self, group: str, size: int, baskets: Baskets) -> None:
        """Append reports of clients of a group, whose baskets had `size` items."""
        pa = self._pa
        numbers = pa.array(baskets.items.astype(np.int32))
        values = numbers if self._names is None else self._names.take(numbers)
        lists = pa.ListArray.from_arrays(pa.array(baskets.offsets.astype(np.int32)), values)
        sizes = pa.array(np.full(len(baskets), size, dtype=np.int32))
        columns = [pa.repeat(group, len(baskets)), sizes, lists.cast(self._kind)]
        self._groups.append(columns, len(baskets) + len(baskets.items))
