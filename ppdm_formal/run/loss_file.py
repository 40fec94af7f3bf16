"""Losses from CSV files: a row for each input, a column for each output, all cells numbers.

A first line or a first column that holds no number at all is one of labels, and left out.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

from ppdm_formal.numbers.exact import parse_number
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import compression_of, reading

MAX_LINES = 40_001


def read_loss(path: Path) -> list[list[Fraction]]:
    """The table; a DataError says where it is none."""
    lines: list[tuple[int, list[str]]] = []
    with reading(path, compression_of(path)) as source:
        rows = csv.reader(source.lines(), strict=True)
        try:
            for row in rows:
                if any(cell.strip() for cell in row):
                    lines.append((rows.line_num, [cell.strip() for cell in row]))
                if len(lines) > MAX_LINES:
                    raise DataError(f"{path}: more than {MAX_LINES:,} lines")
        except csv.Error as problem:
            raise DataError(f"{path}, line {rows.line_num}: not CSV: {problem}") from None
    if lines and not any(map(_is_number, lines[0][1])):
        lines = lines[1:]
    if lines and not any(_is_number(cells[0]) for _, cells in lines):
        lines = [(line, cells[1:]) for line, cells in lines]
    if not lines or not lines[0][1]:
        raise DataError(f"{path}: no losses; a row for each input, such as 0,1")
    width = len(lines[0][1])
    found = []
    for line, cells in lines:
        if len(cells) != width:
            raise DataError(f"{path}, line {line}: {len(cells)} cells; expected {width}")
        try:
            found.append([parse_number(cell) for cell in cells])
        except ValueError as problem:
            raise DataError(f"{path}, line {line}: {problem}") from None
    return found


def _is_number(cell: str) -> bool:
    try:
        parse_number(cell)
    except ValueError:
        return False
    return True
