"""Numeric columns: numbers of a table as doubles, with the place of whatever is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.room import need_memory
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.tables import TableFile, open_table

Floats = npt.NDArray[np.float64]
CELL = 16
"""Bytes that a number takes while the parts of its column are joined."""


def numeric_columns(path: Path, names: Sequence[str], delimiter: str = ",") -> dict[str, Floats]:
    """The columns of a table; DataError with the line for a cell that is no finite number."""
    found: dict[str, list[Floats]] = {name: [] for name in names}
    for name, column, where in _columns(path, names, delimiter):
        found[name].append(_doubles(column, name, path, where))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def text_column(path: Path, name: str, delimiter: str = ",") -> list[str]:
    """A column as text, blanks around it aside; DataError with the line for an empty cell."""
    found: list[str] = []
    for _, column, where in _columns(path, [name], delimiter):
        texts = ["" if cell is None else str(cell).strip() for cell in column]
        if "" in texts:
            raise DataError(f"{path}, {where(texts.index(''))}, column {name}: the cell is empty")
        found += texts
    return found


def _columns(
    path: Path, names: Sequence[str], delimiter: str
) -> Iterator[tuple[str, Sequence[object], Callable[[int], str]]]:
    """Each column of each block, and how to say where a cell stands."""
    some = False
    with open_table(TableFile.named(path, delimiter), {}, names) as reader:
        rows = getattr(reader, "rows", 0)  # a file may say many in few bytes
        need_memory(rows * len(names) * CELL, f"{path}: {rows:,} rows")
        for block in reader.blocks():
            places, kind = block.places, reader.place

            def where(at: int, places: Sequence[int] = places, kind: str = kind) -> str:
                return f"{kind} {places[at]}"

            for name in names:
                cells = block.kept[name]
                column = cells if isinstance(cells, list) else cells.to_pylist()
                some = some or bool(column)
                yield name, column, where
    if not some:
        raise DataError(f"{path}: the table has no rows")


def _doubles(cells: Sequence[object], name: str, path: Path, where: Callable[[int], str]) -> Floats:
    try:
        values = np.array(cells, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array([_double(cell) for cell in cells])
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        first = int(wrong[0])
        cell = cells[first]
        empty = cell is None or (isinstance(cell, str) and not cell.strip())
        what = "empty" if empty else "NaN, infinite or no number"
        raise DataError(
            f"{path}, {where(first)}, column {name}: the cell is {what}; every record "
            "needs a number"
        )
    return values


def _double(cell: object) -> float:
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
