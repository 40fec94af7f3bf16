"""The layout of a CSV matrix: whether its first line and its first column hold labels.

Where nobody says, it is guessed, but never so that a number is lost: cells that look like damaged
numbers, and lines or columns that hold numbers as well as names, are refused with what to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ppdm_formal.declare.arithmetic.damaged import is_damaged, is_number
from ppdm_formal.declare.arithmetic.exact import parse_number

_LINES_WEIGHED = 200
"""So many lines tell whether rows sum to 1 with the first column or without."""

_NEAR = Fraction(1, 4)
"""A row whose sum is further from 1 is no distribution, however it was rounded."""

_SAY_HEADER = (
    "say --header if the first line names the outputs, --no-header if it is a row of the matrix "
    "(in a model header: yes, header: no)"
)
_SAY_INDEX = (
    "say --index if the first column names the inputs, --no-index if it holds numbers "
    "(in a model index: yes, index: no)"
)
_NAMES_OUTPUTS = "correct it, or say --header (in a model header: yes) if it names an output"
_NAMES_INPUTS = "correct it, or say --index (in a model index: yes) if it names an input"

Cells = Sequence[str]


@dataclass(frozen=True)
class CsvLayout:
    """Whether the first line and column hold labels, and with which cell the outputs begin."""

    header: bool
    index: bool
    corner: int = 0


@dataclass(frozen=True)
class DeclaredLabels:
    """The inputs and outputs that a model declares, as a file spells them."""

    inputs: frozenset[str]
    outputs: frozenset[str]

    def heads(self, first: Cells) -> bool:
        """Whether a first line holds exactly the outputs, and so is no row of the matrix."""
        if set(first) == self.outputs:
            return not all(map(is_number, first))
        return set(first[1:]) == self.outputs and first[0] not in self.inputs


class Unclear(ValueError):
    """A file that may be read in two ways; `line` and `cell` are positions."""

    def __init__(self, message: str, hint: str, line: int = 0, cell: int = 0) -> None:
        super().__init__(message)
        self.hint = hint
        self.line = line
        self.cell = cell


def found_layout(
    lines: Sequence[Cells], index: bool | None = None, header: bool | None = None
) -> CsvLayout:
    """Find out which cells are labels; index, header: what was said of that.

    >>> found_layout([["", "a", "b"], ["0", "0.5", "0.5"]])
    CsvLayout(header=True, index=True, corner=1)
    >>> found_layout([["a", "b"], ["0.5", "0.5"]])
    CsvLayout(header=True, index=False, corner=0)
    """
    first = lines[0]
    if header is None:
        header = _has_header(first, lines[1:], index)
    body = lines[1:] if header else lines
    # R writes no corner above its first column.
    longer = header and bool(body) and len(body[0]) == len(first) + 1
    if index is None:
        index = _has_index(first if header else None, body, longer)
    return CsvLayout(header, index, 1 if header and index and not longer else 0)


def _has_header(first: Cells, rest: Sequence[Cells], index: bool | None) -> bool:
    """Whether the first line names the outputs."""
    for place, cell in enumerate(first):
        if is_damaged(cell) and not (index and place == 0):
            raise Unclear(_damaged(cell), _NAMES_OUTPUTS, 0, place)
    # A label or a corner in front is no part of the names or numbers.
    leads = bool(index) or (index is None and not is_number(first[0]))
    cells = first[1:] if leads else first
    numbers = [is_number(cell) for cell in cells]
    if not any(numbers):
        return True
    if not all(numbers):
        what = "the first line mixes numbers and other text"
        raise Unclear(what, f"{_SAY_HEADER}, and correct what is damaged", 0, int(leads))
    if _counts_up(cells) and not _like_counts(rest):
        return True
    if not leads:
        if not _counts_up(cells):
            return False
    elif index and is_number(first[0]):
        return False  # a corner is no number
    elif not first[0]:
        return _corner_left_empty(cells)
    elif not all(parse_number(cell).denominator == 1 for cell in cells) and (
        index or not any(is_number(row[0]) for row in rest)
    ):
        return False  # a label and a distribution, as in all other lines
    what = "the first line may be a row of the matrix or the names of its outputs"
    raise Unclear(what, _SAY_HEADER)


def _corner_left_empty(cells: Cells) -> bool:
    """Nothing, then numbers: names of outputs if they are integers in order, as pandas writes."""
    found = [parse_number(cell) for cell in cells]
    in_order = all(a < b for a, b in pairwise(found))
    if not in_order or any(value.denominator != 1 for value in found):
        raise Unclear("the first line begins with an empty cell", f"fill it, or {_SAY_HEADER}")
    return True


def _counts_up(cells: Cells) -> bool:
    """0, 1, 2, ...: names of outputs, as they sum to more than 1."""
    return len(cells) > 2 and list(cells) == [str(k) for k in range(len(cells))]


def _like_counts(rest: Sequence[Cells]) -> bool:
    """Whether rows are far from distributions, so that 0, 1, 2 may well be one of them."""
    rows = [row for row in rest[:_LINES_WEIGHED] if _plain(row[1:])]
    sums = [_total(row[1:]) for row in rows]
    sums += [_total(row) for row in rows if is_number(row[0])]
    return bool(rows) and not any(map(_near, sums))


def _has_index(header: Cells | None, body: Sequence[Cells], longer: bool) -> bool:
    """Whether the first column is more likely labels than probabilities."""
    start = 0 if header is None else 1
    column = [cells[0] for cells in body]
    for place, cell in enumerate(column):
        if is_damaged(cell):
            raise Unclear(_damaged(cell), _NAMES_INPUTS, start + place)
    numbers = [is_number(cell) for cell in column]
    if longer or (header is not None and header[0] == ""):
        _check_labels(body, start)
        return True
    if not any(numbers):
        return True
    if not all(numbers):
        return header is not None and _names_among(body, numbers)
    weighed = body[:_LINES_WEIGHED]
    if not all(map(_plain, weighed)):
        return header is not None  # whichever: the cell that is no number is refused
    return _weighed_as_labels(weighed, header is not None, start)


def _names_among(body: Sequence[Cells], numbers: Sequence[bool]) -> bool:
    """A first column of integers and names: labels, if rows sum to 1 without it."""
    for place, (cells, number) in enumerate(zip(body, numbers, strict=True)):
        label = not number or parse_number(cells[0]).denominator == 1
        if not label or (_plain(cells[1:]) and not _near(_total(cells[1:]))):
            what = "the first column mixes numbers and other text"
            odd = place if label else numbers.index(False)
            raise Unclear(what, f"{_SAY_INDEX}, and correct what is damaged", odd + 1)
    return True


def _check_labels(body: Sequence[Cells], start: int) -> None:
    """A first column that must be labels, but without which rows no longer sum to 1."""
    rows = [cells for cells in body[:_LINES_WEIGHED] if _plain(cells)]
    if rows and all(abs(_total(cells) - 1) < abs(_total(cells[1:]) - 1) for cells in rows):
        what = "rows sum to 1 with the first column, which the first line makes one of labels"
        raise Unclear(what, f"correct the first line, or {_SAY_INDEX}", start)


def _weighed_as_labels(rows: Sequence[Cells], header: bool, start: int) -> bool:
    """All are numbers: labels if rows sum to 1 more nearly without the first column."""
    rests = [_total(cells[1:]) for cells in rows]
    totals = [
        (rest + parse_number(cells[0]), rest) for cells, rest in zip(rows, rests, strict=True)
    ]
    miss_with = sum((abs(total - 1) for total, _ in totals), Fraction(0))
    miss_without = sum((abs(rest - 1) for _, rest in totals), Fraction(0))
    # As near to 1 either way: a first line of labels has a corner above the inputs.
    if miss_without > miss_with or (miss_without == miss_with and not header):
        return False
    if 2 * sum(_near(rest) for _, rest in totals) > len(rows):
        return True
    if 2 * sum(_near(total) for total, _ in totals) > len(rows):
        return False
    what = "rows sum to 1 neither with the first column nor without it"
    raise Unclear(what, _SAY_INDEX, start)


def _plain(cells: Cells) -> bool:
    return all(map(is_number, cells))


def _total(cells: Cells) -> Fraction:
    return sum(map(parse_number, cells), Fraction(0))


def _near(total: Fraction) -> bool:
    return abs(total - 1) <= _NEAR


def _damaged(cell: str) -> str:
    return f"{cell[:40]} is not a number, although it looks like one"
