"""CSV tables: a first line of column names, then one line a row; read and written in blocks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import IO, Any, Literal

import numpy as np

from ppdm_formal.declare.operators.report import Report
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.report_columns import check_cells_hold
from ppdm_formal.run.streams import BLOCK_BYTES, Source
from ppdm_formal.run.tables import BLOCK_ROWS, Block, TableReader


class CsvReader:
    """A CSV table: comma-separated unless another delimiter is said, quoted by RFC 4180, UTF-8.

    Messages name lines and the columns that were asked for, never a cell: without a header
    even the first line holds original values.
    """

    place = "line"

    def __init__(
        self,
        source: Source,
        columns: Mapping[str, Cells],
        keep: Sequence[str],
        delimiter: str = ",",
    ) -> None:
        self._source = source
        self._delimiter = delimiter
        self._columns = columns
        self._rows = csv.reader(source.lines(), strict=True, delimiter=delimiter)
        header = next(self._checked(), None)
        if header is None:
            raise DataError(f"{source.path}: the file is empty; a table has a line of column names")
        names = [name.strip() for name in header[1]]
        self._width = len(names)
        self._where = {name: self._find(name, names) for name in (*columns, *keep)}
        self.order = sorted(self._where, key=self._where.__getitem__)
        self.kinds: dict[str, Any] = {}

    def _find(self, name: str, names: Sequence[str]) -> int:
        count = names.count(name)
        if count != 1:
            wrong = "has no column" if count == 0 else f"has {count} columns"
            raise DataError(
                f"{self._source.path}: the first line {wrong} named {name} "
                f"({self._width} names, separated by {self._apart(names)})"
            )
        return names.index(name)

    def _apart(self, names: Sequence[str]) -> str:
        """What was taken to keep cells apart, and what else may; no name is shown."""
        said = {",": "commas", "\t": "tabs"}.get(self._delimiter, self._delimiter)
        other = next((mark for mark in ";\t|," if any(mark in name for name in names)), None)
        if other is None:
            return said
        return f"{said}; say --delimiter {'tab' if other == chr(9) else repr(other)} if that is it"

    def _checked(self) -> Iterator[tuple[int, list[str]]]:
        """Rows with the line that each begins at."""
        line = self._rows.line_num + 1
        try:
            for row in self._rows:
                yield line, row
                line = self._rows.line_num + 1
        except csv.Error as problem:
            other = "" if "expected after" not in str(problem) else "; another delimiter is said "
            other += "with --delimiter" if other else ""
            raise DataError(
                f"{self._source.path}, line {self._rows.line_num}: not readable as CSV: "
                f"{problem}{other}"
            ) from None

    def blocks(self) -> Iterator[Block]:
        """All rows; an empty line is an empty cell of a one-column table, and no row of others."""
        rows = self._checked()
        while read := self._some(rows):
            if any(len(row) != self._width for _, row in read):
                read = [self._whole(line, row) for line, row in read if row or self._width == 1]
            cells = {name: [row[k] for _, row in read] for name, k in self._where.items()}
            coded = {name: cell.positions(cells[name]) for name, cell in self._columns.items()}
            kept = {name: column for name, column in cells.items() if name not in coded}
            yield Block(coded, kept, [line for line, _ in read])

    def _some(self, rows: Iterator[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
        """The next rows: not too many, and not too long together."""
        found: list[tuple[int, list[str]]] = []
        end = self._source.consumed + BLOCK_BYTES
        while self._source.consumed < end and len(found) < BLOCK_ROWS:
            some = list(islice(rows, 256))
            if not some:
                break
            found += some
        return found

    def _whole(self, line: int, row: list[str]) -> tuple[int, list[str]]:
        if not row:
            return line, [""]
        if len(row) != self._width:
            raise DataError(
                f"{self._source.path}, line {line}: {len(row)} cells where the first line has "
                f"{self._width}"
            )
        return line, row

    def share(self) -> float:
        """The share of the file that has been read."""
        return self._source.share()


class CsvWriter:
    """A CSV table being written: quoted only where needed, lines end in a line feed."""

    def __init__(
        self,
        stream: IO[bytes],
        columns: Mapping[str, Cells],
        reader: TableReader,
        reports: Mapping[str, Report],
    ) -> None:
        self._stream = stream
        self._order = reader.order
        self._reports = reports
        for name, report in reports.items():
            check_cells_hold(name, report)
        self._spelled = {
            name: np.array([*cells.texts], dtype=object) for name, cells in columns.items()
        }
        self._rows([tuple(self._order)])

    def _rows(self, rows: Iterable[Sequence[str]]) -> None:
        rows = list(rows)
        written = _lines(rows, csv.QUOTE_MINIMAL)
        if "\r" in written:  # the writer leaves these unquoted, and no reader takes them so
            written = _lines(rows, csv.QUOTE_ALL)
        self._stream.write(written.encode())

    def write(self, block: Block) -> None:
        """Append rows."""
        columns = []
        for name in self._order:
            if name in self._reports:
                columns.append(self._reports[name].texts(block.packed[name]))
            elif name in self._spelled:
                columns.append(self._spelled[name][block.coded[name]].tolist())
            else:
                columns.append(as_texts(block.kept[name]))
        self._rows(zip(*columns, strict=True))

    def finish(self, metadata: Mapping[str, str]) -> None:
        """A CSV file has no place for metadata."""


def _lines(rows: Iterable[Sequence[str]], quoting: Literal[0, 1]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", quoting=quoting).writerows(rows)
    return text.getvalue()


def as_texts(column: Any) -> list[str]:
    """A kept column as text: CSV cells as they were, Arrow values as Arrow writes them."""
    if isinstance(column, list):
        return column
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        text = pc.cast(column, pa.string())
        return ["" if cell is None else cell for cell in text.to_pylist()]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise DataError(f"a kept column of type {column.type} cannot be written as CSV") from None
    except UnicodeDecodeError:
        raise DataError("a kept column holds text that is not UTF-8") from None
