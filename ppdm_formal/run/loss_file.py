"""Losses from CSV files: a row for each input, a column for each output, all cells numbers.

A first line or a first column that holds no number at all is one of labels, and left out; cells
that look like damaged numbers are no labels, unless that is said.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

from ppdm_formal.declare.arithmetic.damaged import is_damaged, is_number
from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import compression_of, reading

MAX_LINES = 40_001


def read_loss(
    path: Path, index: bool | None = None, header: bool | None = None
) -> list[list[Fraction]]:
    """The table; a DataError says where it is none.

    index, header: whether the first column and the first line hold labels, where that is said.
    """
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
    if lines and (header is None or header):
        line, cells = lines[0]
        if header or _are_labels(path, cells, [line] * len(cells), "--header"):
            lines = lines[1:]
    if lines and (index is None or index):
        column = [cells[0] for _, cells in lines]
        if index or _are_labels(path, column, [line for line, _ in lines], "--index"):
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


def _are_labels(path: Path, cells: list[str], lines: list[int], option: str) -> bool:
    """Whether no cell is a number; a DataError where one looks like a damaged one."""
    if any(map(is_number, cells)):
        return False
    for cell, line in zip(cells, lines, strict=True):
        if is_damaged(cell):
            raise DataError(
                f"{path}, line {line}: {cell[:40]!r} is not a number, although it looks like one; "
                f"correct it, or say {option} if it is a name"
            )
    return True
