"""Files of records: CSV tables and transactions, and lists of columns with their values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ppdm_formal.generate.records import MAX_CELLS, MISSING, Column, Records
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.mine.plain_data import PlainData
from ppdm_formal.run.streams import bare_suffix, compression_of, reading

MAX_VALUES = 1000
"""Most values of a column: more of them are numbers or names, which are to be grouped before."""


def read_records(
    path: Path, columns: Sequence[Column] | None = None, delimiter: str = ","
) -> Records:
    """A CSV table with a head, or transactions (.dat, .num); with columns, no other values."""
    if bare_suffix(path) == ".csv":
        return _table(path, columns, delimiter)
    if delimiter != ",":
        raise DataError(f"{path}: a delimiter is for tables (.csv)")
    try:
        records = Records.of_transactions(PlainData.read(path), columns)
    except DataError as problem:
        text = str(problem)
        raise DataError(text if text.startswith(str(path)) else f"{path}: {text}") from None
    if not records.columns:
        raise DataError(f"{path}: no items at all")
    return records


def read_columns(path: Path) -> list[Column]:
    """Declared columns: a CSV line each, its name and then its values; an empty one is no item."""
    found: list[Column] = []
    seen: dict[str, str] = {}
    for number, cells in _lines(path):
        name, values = cells[0].strip(), [cell.strip() for cell in cells[1:]]
        if not name or len(values) < 2 or len(set(values)) < len(values):
            raise DataError(
                f"{path}, line {number}: a column is its name and then two or more different values"
            )
        if name in (column.name for column in found):
            raise DataError(f"{path}, line {number}: column {name} again")
        for value in values:
            seen.setdefault(value, name)
        found.append(Column(name, tuple(values)))
    if not found:
        raise DataError(f"{path}: no columns")
    return found


def records_text(records: Records, delimiter: str = ",") -> Iterator[str]:
    """As a file of the same kind: a CSV table, or a transaction a line."""
    if records.kind == "table":
        yield _csv_line([column.name for column in records.columns], delimiter)
    for row in records.codes.tolist():
        cells = [column.values[k] for column, k in zip(records.columns, row, strict=True)]
        if records.kind == "table":
            yield _csv_line(cells, delimiter)
        else:
            yield " ".join(cell for cell in cells if cell != MISSING) + "\n"


def _csv_line(cells: Sequence[str], delimiter: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", delimiter=delimiter).writerow(cells)
    return out.getvalue()


def _lines(path: Path, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    with reading(path, compression_of(path)) as source:
        reader = csv.reader(source.lines(), strict=True, delimiter=delimiter)
        try:
            for cells in reader:
                if cells:
                    yield reader.line_num, cells
        except csv.Error:
            raise DataError(f"{path}, line {reader.line_num}: not a line of CSV") from None


def _table(path: Path, declared: Sequence[Column] | None, delimiter: str) -> Records:
    lines = _lines(path, delimiter)
    head = [name.strip() for name in next(lines, (0, []))[1]]
    if not head:
        raise DataError(f"{path}: no line with the names of columns")
    if len(set(head)) < len(head) or not all(head):
        raise DataError(f"{path}: the names of columns are not all different, or one is empty")
    if declared is not None and head != [column.name for column in declared]:
        raise DataError(f"{path}: other columns than those declared")
    known = [
        {value: k for k, value in enumerate(declared[c].values)} if declared is not None else {}
        for c in range(len(head))
    ]
    rows: list[list[int]] = []
    for number, cells in lines:
        if len(cells) != len(head):
            raise DataError(f"{path}, line {number}: {len(cells)} cells, not {len(head)}")
        row = []
        for place, cell in enumerate(cells):
            values, text = known[place], cell.strip()
            if text not in values:
                if declared is not None:
                    raise DataError(
                        f"{path}, line {number}: column {head[place]} has a value that is not "
                        "among the declared ones"
                    )
                if len(values) == MAX_VALUES:
                    raise DataError(
                        f"{path}: column {head[place]} has more than {MAX_VALUES:,} values; group "
                        "them into intervals first"
                    )
                values[text] = len(values)
            row.append(values[text])
        rows.append(row)
        if len(rows) * len(head) > MAX_CELLS:
            raise DataError(f"{path}: more than {MAX_CELLS:,} cells")
    if not rows:
        raise DataError(f"{path}: no records")
    codes = np.array(rows, dtype=np.int32)
    if declared is not None:
        return Records(tuple(declared), codes, "table")
    columns = []
    for place, values in enumerate(known):
        order = sorted(values)  # by their names, not in the order in which they occur
        rank = np.empty(len(order), dtype=np.int32)
        rank[[values[value] for value in order]] = np.arange(len(order))
        codes[:, place] = rank[codes[:, place]]
        columns.append(Column(head[place], tuple(order)))
    return Records(tuple(columns), codes, "table")
