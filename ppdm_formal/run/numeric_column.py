"""Numeric columns: numbers of a table as doubles, with the place of whatever is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ppdm_formal.numeric.channel import Floats
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.tables import TableFile, open_table


def numeric_columns(path: Path, names: Sequence[str]) -> dict[str, Floats]:
    """The columns of a table; DataError with the line for a cell that is no finite number."""
    found: dict[str, list[Floats]] = {name: [] for name in names}
    with open_table(TableFile.named(path), {}, names) as reader:
        for block in reader.blocks():
            for name in names:
                cells = block.kept[name]
                column = cells if isinstance(cells, list) else cells.to_pylist()
                found[name].append(_doubles(column, name, path, reader.place, block.places))
    columns = {name: np.concatenate(parts or [np.empty(0)]) for name, parts in found.items()}
    if any(column.size == 0 for column in columns.values()):
        raise DataError(f"{path}: the table has no rows")
    return columns


def _doubles(
    cells: Sequence[object], name: str, path: Path, place: str, places: Sequence[int]
) -> Floats:
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
        where = f"{place} {places[first]}" if len(places) > first else f"row {first + 1}"
        raise DataError(
            f"{path}, {where}, column {name}: the cell is {what}; every record needs a number "
            f"({len(wrong):,} such cells so far)"
        )
    return values


def _double(cell: object) -> float:
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
