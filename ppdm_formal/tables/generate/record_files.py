"""Files of records: CSV tables and transactions, and lists of columns with their values."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

import numpy as np

from ppdm_formal.declare.machine.files import settle
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import SUFFIX
from ppdm_formal.run.streams import bare_suffix, compression_of, reading, sha256_of
from ppdm_formal.tables.generate.records import MAX_CELLS, MISSING, RecordColumn, Records

MAX_VALUES = 1000
"""Most values of a column: more of them are numbers or names, which are to be grouped before."""


TAKEN = "# taken from data by ppdm domains and not protected: delete this line to declare the rest"
"""The first line of a list of columns that was taken from data."""


def read_records(
    path: Path,
    columns: Sequence[RecordColumn] | None = None,
    delimiter: str = ",",
    *,
    header: bool = True,
) -> Records:
    """A CSV table, or transactions (.dat, .num); with columns, no other values.

    header: whether the first line of a table has the names of its columns. Where it has not, they
    are those declared, or column1, column2, ...
    """
    if bare_suffix(path) == ".csv":
        return _table(path, columns, header, delimiter)
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


def check_described(path: Path) -> None:
    """Refuse generated data that are not those of the description beside them, if there is one."""
    with suppress(OSError):
        settle(path)
    beside = Path(f"{path}{SUFFIX}")
    if not beside.is_file():
        return
    try:
        named = json.loads(beside.read_bytes())["data"]["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return  # another file of that name
    if named != sha256_of(path):
        raise DataError(f"{path}: not the data that {beside.name} describes (another digest)")


def read_columns(path: Path) -> list[RecordColumn]:
    """Declared columns: a CSV line each, its name and then its values; an empty one is no item."""
    found: list[RecordColumn] = []
    for number, cells in _lines(path):
        if not found and _marks(cells):
            continue
        name, values = cells[0].strip(), [cell.strip() for cell in cells[1:]]
        if not name or not values or len(set(values)) < len(values):
            raise DataError(
                f"{path}, line {number}: a column is its name and then its values, all different"
            )
        if name in (column.name for column in found):
            raise DataError(f"{path}, line {number}: column {name} again")
        found.append(RecordColumn(name, tuple(values)))
    if not found:
        raise DataError(f"{path}: no columns")
    return found


def taken_from_data(path: Path) -> bool:
    """Whether a list of columns says that it was taken from data, and not declared since."""
    return any(_marks(cells) for _, cells in _lines(path))


def _marks(cells: Sequence[str]) -> bool:
    """Also where a spreadsheet has split, quoted or padded the line."""
    return cells[0].strip().lstrip("#").strip().startswith("taken from data by ppdm domains")


def columns_text(columns: Sequence[RecordColumn]) -> str:
    """What read_columns reads, marked as taken from data."""
    return _csv_line([TAKEN]) + "".join(_csv_line([c.name, *c.values]) for c in columns)


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


def _csv_line(cells: Sequence[str], delimiter: str = ",") -> str:
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


def _table(
    path: Path, declared: Sequence[RecordColumn] | None, header: bool, delimiter: str
) -> Records:
    lines = _lines(path, delimiter)
    first = next(lines, (0, []))
    head = [name.strip() for name in first[1]]
    if not head:
        raise DataError(f"{path}: no line with the names of columns, and no records")
    if not header:
        lines = chain([first], lines)
        head = [f"column{place}" for place in range(1, len(head) + 1)]
        if declared is not None:
            head = [column.name for column in declared]
    elif declared is not None and head != [column.name for column in declared]:
        raise DataError(
            f"{path}: the first line has other columns than those declared; a table without a line "
            "of names needs --no-header"
        )
    if len(set(head)) < len(head) or not all(head):
        raise DataError(f"{path}: the names of columns are not all different, or one is empty")
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
        return Records(tuple(declared), codes, "table", declared=True)
    columns = []
    for place, values in enumerate(known):
        order = sorted(values)  # by their names, not in the order in which they occur
        rank = np.empty(len(order), dtype=np.int32)
        rank[[values[value] for value in order]] = np.arange(len(order))
        codes[:, place] = rank[codes[:, place]]
        columns.append(RecordColumn(head[place], tuple(order)))
    return Records(tuple(columns), codes, "table")


def check_names(path: Path, columns: Sequence[RecordColumn]) -> None:
    """Refuse names that look like a record: they would be published as they are."""
    for column in columns:
        if column.name in column.values or _is_number(column.name):
            raise DataError(
                f"{path}: the first line looks like a record, not like the names of columns (one "
                "of its cells is a number, or a value of its own column): declare the columns "
                "(--columns), or say --no-header"
            )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
