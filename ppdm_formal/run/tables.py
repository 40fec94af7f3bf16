"""Tables: blocks of rows with some columns as positions in domains, from CSV or Parquet, and back.

Only the columns that are asked for are read. Memory is bounded by the size of a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from ppdm_formal.declare.operators.report import Batch, Report
from ppdm_formal.run.cells import Cells, Positions
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import Compression, bare_suffix, compression_of, reading, writing

TableFormat = Literal["csv", "parquet"]

BLOCK_ROWS = 1 << 16
"""Rows that are held at a time."""

_FORMATS: dict[str, TableFormat] = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}


@dataclass(frozen=True)
class TableFile:
    """A table on disk: where it is and how it is written."""

    path: Path
    format: TableFormat
    compression: Compression | None = None
    delimiter: str = ","

    @classmethod
    def named(cls, path: Path, delimiter: str = ",") -> TableFile:
        """The table whose format and compression the file's name says."""
        packed, kind = compression_of(path), _FORMATS.get(bare_suffix(path))
        if kind is None:
            raise DataError(f"{path}: a table's name ends in .csv, .csv.gz, .csv.xz or .parquet")
        if kind == "parquet" and packed is not None:
            raise DataError(f"{path}: Parquet is compressed inside: name it .parquet")
        if kind == "parquet" and delimiter != ",":
            raise DataError(f"{path}: Parquet has no delimiter")
        return cls(path, kind, packed, delimiter)


@dataclass(frozen=True)
class Block:
    """Some rows: positions of the columns asked for, kept columns as they are, where they stand."""

    coded: Mapping[str, Positions]
    kept: Mapping[str, Any] = field(default_factory=dict)
    places: Sequence[int] = ()
    """The line (CSV) or row (Parquet) of each row, from 1 on."""
    packed: Mapping[str, Batch] = field(default_factory=dict)
    """Columns of packed reports, to be written."""


class TableReader(Protocol):
    """An open table: the order of its columns, and its rows in blocks."""

    place: str
    """What `places` counts: line or row."""

    @property
    def order(self) -> Sequence[str]:
        """The columns asked for, in the order of the file."""

    @property
    def kinds(self) -> Mapping[str, Any]:
        """The Arrow types of kept columns, where the file has types."""

    def blocks(self) -> Iterator[Block]:
        """All rows, in order."""

    def share(self) -> float:
        """The share that has been read, between 0 and 1."""


class TableWriter(Protocol):
    """A table being written."""

    def write(self, block: Block) -> None:
        """Append rows: positions in the domains of outputs, kept columns as they were read."""

    def finish(self, metadata: Mapping[str, str]) -> None:
        """Write what is left; metadata goes into formats that can hold it."""


@contextmanager
def open_table(
    file: TableFile,
    columns: Mapping[str, Cells],
    keep: Sequence[str] = (),
    groups: Sequence[int] | None = None,
) -> Iterator[TableReader]:
    """A reader of some columns by their cells, and of others kept as they are.

    groups: of a Parquet file, the row groups to be read.
    """
    if file.format == "csv":
        from ppdm_formal.run.csv_table import CsvReader

        with reading(file.path, file.compression) as source:
            yield CsvReader(source, columns, keep, file.delimiter)
        return
    from ppdm_formal.run.parquet_table import open_parquet

    with open_parquet(file.path, columns, keep, groups) as reader:
        yield reader


@contextmanager
def create_table(
    file: TableFile,
    raw: IO[bytes],
    columns: Mapping[str, Cells],
    reader: TableReader,
    reports: Mapping[str, Report] | None = None,
) -> Iterator[TableWriter]:
    """A writer to `raw` of the reader's columns, those in `columns` spelled by their cells.

    reports: of columns that are packed.
    """
    if file.format == "csv":
        from ppdm_formal.run.csv_table import CsvWriter

        with writing(raw, file.compression) as stream:
            yield CsvWriter(stream, columns, reader, reports or {})
        return
    from ppdm_formal.run.parquet_table import create_parquet

    with create_parquet(raw, columns, reader, reports or {}) as writer:
        yield writer
