"""Parquet tables: columns read as positions in domains, batch by batch, and written back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from ppdm_formal.declare.machine.room import MemoryNeeded, need_memory
from ppdm_formal.declare.operators.report import Report
from ppdm_formal.run.cells import EMPTY, Cells, Positions
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.report_columns import arrow_type, to_arrow
from ppdm_formal.run.tables import BLOCK_ROWS, Block, TableReader

ROW_GROUP = 16 * BLOCK_ROWS
"""Rows of a row group: also what is held in memory, for the columns that are written."""

MAX_PAGE = 1 << 31
"""Bytes of the longest page that the format knows."""

UNFOLDED = 1 << 26
"""Bytes of kept texts that are unfolded at a time, and a row more."""

_LONG = 256
"""A row of more bytes counts as several, so that rows of long cells do not fill the memory."""


@contextmanager
def guarded(path: Path | str) -> Iterator[Any]:
    """pyarrow, whose errors may quote data: they become a DataError that quotes nothing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise DataError(
            f"{path}: Parquet needs the package pyarrow: pip install 'ppdm_formal[run]'"
        ) from None
    try:
        yield pa
    except UnicodeDecodeError:
        raise DataError(f"{path}: holds text that is not UTF-8") from None
    except MemoryError as problem:  # also Arrow's own
        if isinstance(problem, MemoryNeeded):
            raise
        raise MemoryNeeded(
            f"{path}: its content unfolds to more than the memory there is"
        ) from None
    except pa.ArrowCapacityError:
        raise DataError(f"{path}: a column unfolds to more than 2 GB in one block") from None
    except pa.ArrowException:
        raise DataError(f"{path}: not a whole Parquet file (damaged, or cut short)") from None
    except OSError as problem:
        if problem.errno is None:  # Arrow's own reading errors carry no number, only text
            raise DataError(f"{path}: not a whole Parquet file (damaged, or cut short)") from None
        raise OSError(problem.errno, problem.strerror, str(path)) from None


@contextmanager
def open_parquet(
    path: Path,
    columns: Mapping[str, Cells],
    keep: Sequence[str],
    groups: Sequence[int] | None = None,
) -> Iterator[ParquetReader]:
    """A reader of some columns of a Parquet file."""
    with path.open("rb") as raw:
        with guarded(path) as pa:
            file = pa.parquet.ParquetFile(raw, pre_buffer=False)
            schema, wanted = file.schema_arrow, {*columns, *keep}
            # A text that is repeated is held once: a small file may unfold to gigabytes.
            texts = [field.name for field in schema if field.name in wanted and _is_text(field)]
            named = [name for name in texts if "." not in name]  # dots mean parts of a column
            file = pa.parquet.ParquetFile(
                raw, pre_buffer=False, read_dictionary=named, metadata=file.metadata
            )
            check_pages(path, file.metadata, wanted)
        yield ParquetReader(path, file, schema, columns, keep, groups)


def _is_text(field: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_string(field.type))


def check_pages(path: Path, metadata: Any, wanted: set[str]) -> None:
    """MemoryNeeded where a page, which is unpacked whole, would not fit: at most what all take."""
    largest = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        chunks = [group.column(place) for place in range(group.num_columns)]
        sizes = [
            c.total_uncompressed_size for c in chunks if c.path_in_schema.split(".")[0] in wanted
        ]
        largest = max(largest, sum(min(size, MAX_PAGE) for size in sizes))
    need_memory(largest, f"{path}: unpacking one of its blocks")


def column_names(path: Path) -> list[str]:
    """The names of the columns."""
    with path.open("rb") as raw, guarded(path) as pa:
        return list(pa.parquet.read_schema(raw).names)


def row_groups(path: Path) -> list[int]:
    """How many rows each row group has."""
    with path.open("rb") as raw, guarded(path) as pa:
        found = pa.parquet.read_metadata(raw)
        return [found.row_group(k).num_rows for k in range(found.num_row_groups)]


def metadata_of(path: Path) -> dict[str, str]:
    """The texts that a Parquet file carries in its metadata."""
    with path.open("rb") as raw, guarded(path) as pa:
        found = pa.parquet.read_metadata(raw).metadata or {}
        return {key.decode(): text.decode() for key, text in found.items()}


class ParquetReader:
    """The wanted columns of a Parquet file."""

    place = "row"

    def __init__(
        self,
        path: Path,
        file: Any,
        schema: Any,
        columns: Mapping[str, Cells],
        keep: Sequence[str],
        groups: Sequence[int] | None = None,
    ) -> None:
        self._path = path
        self._groups = groups
        self._file = file
        self._columns = columns
        self.rows: int = file.metadata.num_rows
        first = 0 if not groups else min(groups)
        self._read = sum(file.metadata.row_group(k).num_rows for k in range(first))
        names: list[str] = list(schema.names)
        for name in (*columns, *keep):
            if names.count(name) != 1:
                wrong = "is no column" if name not in names else f"are {names.count(name)} columns"
                raise DataError(f"{path}: there {wrong} named {name}")
        self.order = [name for name in names if name in columns or name in keep]
        self.kinds = {name: schema.field(name).type for name in keep}
        for name, cells in columns.items():
            check_type(path, name, schema.field(name).type, cells)

    def blocks(self) -> Iterator[Block]:
        """All rows, in batches."""
        # What goes wrong where the blocks are used does not pass through here.
        with guarded(self._path):
            chosen = {} if self._groups is None else {"row_groups": list(self._groups)}
            for batch in self._file.iter_batches(
                BLOCK_ROWS, columns=self.order, use_threads=False, **chosen
            ):
                for part in self._unfoldable(batch):
                    yield self._block(part)

    def _unfoldable(self, batch: Any) -> Iterator[Any]:
        """The rows in parts whose kept texts are not too long together."""
        import pyarrow.compute as pc

        weights = np.zeros(len(batch), dtype=np.int64)
        for name, kind in self.kinds.items():
            column = batch.column(name)
            if column.type != kind:  # held as different texts and their places
                lengths = pc.fill_null(pc.binary_length(column.dictionary), 0).to_numpy()
                places = pc.fill_null(column.indices, len(lengths)).to_numpy(zero_copy_only=False)
                weights += np.append(lengths, 0)[places]
        ends = np.cumsum(weights)
        start = 0
        while start < len(batch):
            before = ends[start - 1] if start else 0
            end = max(start + 1, int(np.searchsorted(ends, before + UNFOLDED, side="right")))
            yield batch.slice(start, end - start)
            start = end

    def _block(self, batch: Any) -> Block:
        found = dict(zip(batch.schema.names, batch.columns, strict=True))
        coded = {name: positions(found[name], cells) for name, cells in self._columns.items()}
        kept = {
            name: _unfolded(found[name], kind)
            for name, kind in self.kinds.items()
            if name not in coded
        }
        start = self._read + 1
        self._read += len(batch)
        return Block(coded, kept, range(start, self._read + 1))

    def share(self) -> float:
        """The share of the rows that have been read."""
        return self._read / self.rows if self.rows else 1.0


def _unfolded(column: Any, kind: Any) -> Any:
    """A kept column as it was in the file."""
    return column if column.type == kind else column.dictionary.take(column.indices).cast(kind)


def check_type(path: Path, name: str, kind: Any, cells: Cells) -> None:
    """Refuse a column whose type cannot hold the values of the domain."""
    import pyarrow.types as types

    inner = kind.value_type if types.is_dictionary(kind) else kind
    text = types.is_string(inner) or types.is_large_string(inner)
    number = types.is_integer(inner) or (types.is_floating(inner) and cells.whole_numbers)
    if not (text or number or types.is_null(inner)):
        raise DataError(
            f"{path}: column {name} is of type {kind}, which does not hold values of {cells.domain}"
        )


def positions(column: Any, cells: Cells) -> Positions:
    """Where the values of an Arrow column stand in the domain, or why they do not."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as types

    if types.is_null(column.type):
        return np.full(len(column), EMPTY, dtype=np.int64)
    if types.is_dictionary(column.type):
        known = np.append(positions(column.dictionary, cells), EMPTY)
        where = pc.fill_null(column.indices.cast(pa.int64()), len(column.dictionary))
        return np.asarray(known[where.to_numpy(zero_copy_only=False)], dtype=np.int64)
    number = types.is_integer(column.type) or types.is_floating(column.type)
    if number and not cells.whole_numbers:
        column, number = column.cast(pa.string()), False
    if not number:
        encoded = column.dictionary_encode()
        texts = np.append(cells.positions(encoded.dictionary.to_pylist()), EMPTY)
        where = pc.fill_null(encoded.indices.cast(pa.int64()), len(encoded.dictionary))
        return np.asarray(texts[where.to_numpy(zero_copy_only=False)], dtype=np.int64)
    missing = column.is_null().to_numpy(zero_copy_only=False)
    full = pc.fill_null(column, pa.scalar(0, column.type)) if column.null_count else column
    found = cells.positions_of_numbers(full.to_numpy(zero_copy_only=False))
    found[missing] = EMPTY
    return found


class RowGroups:
    """A Parquet file being written: batches gather until they make a row group.

    The file gets its end by finish; a file without it is no Parquet file.
    """

    def __init__(self, pa: Any, raw: IO[bytes], schema: Any, most: int) -> None:
        self._pa = pa
        self._schema = schema
        self._most = most
        self._file = pa.parquet.ParquetWriter(
            raw, schema, compression="zstd", write_page_checksum=True
        )
        self._waiting: list[Any] = []
        self._weight = 0
        self._finished = False

    def append(self, columns: Sequence[Any], weight: int) -> None:
        """One more batch, of that many rows or items."""
        self._waiting.append(self._pa.record_batch(columns, schema=self._schema))
        self._weight += weight
        if self._weight >= self._most:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(self._pa.Table.from_batches(self._waiting, self._schema))
            self._waiting.clear()
            self._weight = 0

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what waits, the metadata and the end of the file."""
        self._flush()
        self._file.add_key_value_metadata(dict(metadata))
        self._file.close()
        self._finished = True

    def close(self) -> None:
        """Let go of the file; where it was not finished, what could not be written is given up."""
        if not self._finished:
            self._waiting.clear()
            with suppress(Exception):
                self._file.close()


@contextmanager
def create_parquet(
    raw: IO[bytes],
    columns: Mapping[str, Cells],
    reader: TableReader,
    reports: Mapping[str, Report],
) -> Iterator[ParquetWriter]:
    """A Parquet file being written to `raw`."""
    with guarded("Parquet output") as pa:
        writer = ParquetWriter(pa, raw, columns, reader, reports)
    try:
        yield writer
    finally:
        writer.close()


class ParquetWriter:
    """Columns of whole numbers as 64-bit integers, others as text; kept ones as they were.

    Packed reports as fixed-size bytes or integers (report_columns.py).
    """

    def __init__(
        self,
        pa: Any,
        raw: IO[bytes],
        columns: Mapping[str, Cells],
        reader: TableReader,
        reports: Mapping[str, Report],
    ) -> None:
        self._pa = pa
        self._columns = columns
        self._reports = reports
        self._order = reader.order
        self._texts = {
            name: pa.array(cells.texts, pa.string())
            for name, cells in columns.items()
            if not cells.whole_numbers
        }
        kinds = {name: pa.int64() for name in columns} | dict.fromkeys(self._texts, pa.string())
        kinds |= {name: arrow_type(report) for name, report in reports.items()}
        for name in self._order:
            kinds.setdefault(name, reader.kinds.get(name, pa.string()))
        schema = pa.schema([(name, kinds[name]) for name in self._order])
        self._groups = RowGroups(pa, raw, schema, ROW_GROUP)
        self.finish, self.close = self._groups.finish, self._groups.close

    def write(self, block: Block) -> None:
        """Append rows."""
        pa, found = self._pa, {}
        for name in self._order:
            if name in self._reports:
                found[name] = to_arrow(self._reports[name], block.packed[name])
            elif name not in self._columns:
                kept = block.kept[name]
                found[name] = pa.array(kept, pa.string()) if isinstance(kept, list) else kept
            elif name in self._texts:
                found[name] = self._texts[name].take(pa.array(block.coded[name]))
            else:
                found[name] = pa.array(self._columns[name].numbers[block.coded[name]])
        columns = [found[name] for name in self._order]
        rows = len(columns[0])
        self._groups.append(columns, max(rows, sum(column.nbytes for column in columns) // _LONG))
