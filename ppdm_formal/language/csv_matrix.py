"""CSV matrices: outputs in the first line and inputs in the first column, or neither."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ppdm_formal.language.errors import ModelError, Place, nth_line
from ppdm_formal.numbers.exact import parse_number
from ppdm_formal.operator.domain import Value

MAX_BYTES = 64_000_000
MAX_ENTRIES = 4_000_000
"""Largest matrix read from a file."""

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


@dataclass(frozen=True)
class CsvMatrix:
    """The entries and the line of each row; the labels where the file has them."""

    rows: list[list[Fraction]]
    inputs: list[Value] | None
    outputs: list[Value] | None
    lines: list[int]


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """A text file of reasonable size, or a ModelError that says what is wrong with it."""
    try:
        if path.is_dir():
            raise ModelError("this is a directory, not a file").in_file(str(path))
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ModelError(f"cannot be read: {reason}").in_file(str(path)) from None
    if len(raw) > limit:
        raise ModelError(f"the file is larger than {limit:,} bytes").in_file(str(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = raw[: problem.start].count(b"\n") + 1
        column = problem.start - raw.rfind(b"\n", 0, problem.start)
        raise ModelError(
            f"byte {problem.start:,} is not UTF-8 text",
            Place(line, column),
            "save the file as UTF-8",
        ).in_file(str(path)) from None


def read_csv(path: Path) -> CsvMatrix:
    """Read a matrix file."""
    text = read_text(path)
    try:
        return parse_csv(text)
    except ModelError as problem:
        raise problem.in_file(str(path), _with_line_feeds(text)) from None


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_csv(text: str) -> CsvMatrix:
    r"""Read a matrix: labels in the first line and column, or numbers only.

    >>> parse_csv("30%,7/10\n0.5,0.5").rows[0]
    [Fraction(3, 10), Fraction(7, 10)]
    """
    return _Reader(_with_line_feeds(text)).read()


class _Reader:
    """Reads row after row; equal spellings share one number."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known: dict[str, Fraction] = {}
        self.rows: list[list[Fraction]] = []
        self.lines: list[int] = []
        self.inputs: dict[Value, None] = {}
        self.outputs: dict[Value, None] | None = None
        self.width = 0

    def read(self) -> CsvMatrix:
        """The whole file."""
        if "\0" in self.text:
            raise ModelError("the file holds a zero byte: not a text file")
        lines = io.StringIO(self.text, newline="\n")
        reader = csv.reader(lines, skipinitialspace=True, strict=True)
        line, first = 1, True
        try:
            for cells in reader:
                stripped = [cell.strip() for cell in cells]
                if any(stripped):
                    self._first(stripped, line) if first else self._row(stripped, line)
                    first = False
                line = reader.line_num + 1
        except csv.Error as problem:
            raise ModelError(f"not a CSV file: {problem}", Place(line, 1)) from None
        if not self.rows:
            what = "the matrix is empty" if first else "a first line of outputs, but no rows"
            raise ModelError(what, None, "expected rows of numbers such as 1/2, 0.5 or 50%")
        labelled = self.outputs is not None
        return CsvMatrix(
            self.rows,
            list(self.inputs) if labelled else None,
            list(self.outputs) if self.outputs is not None else None,
            self.lines,
        )

    def _first(self, cells: list[str], line: int) -> None:
        """A first line of numbers is a row; any other holds the outputs."""
        if all(map(_is_number, cells)):
            self.width = len(cells)
            self._row(cells, line)
            return
        self.outputs = {}
        self.width = len(cells) - 1
        for position, cell in enumerate(cells[1:], 1):
            self._label(self.outputs, cell, "output", line, position)
        if not self.outputs:
            raise ModelError(
                "a first line without outputs", Place(line, 1), "expected entries apart by commas"
            )

    def _row(self, cells: list[str], line: int) -> None:
        start = 0
        if self.outputs is not None:
            self._label(self.inputs, cells[0], "input", line, 0)
            start = 1
        if len(cells) - start != self.width:
            raise ModelError(
                f"a row of {len(cells) - start} entries; expected {self.width}", Place(line, 1)
            )
        if (len(self.rows) + 1) * self.width > MAX_ENTRIES:
            raise ModelError(f"a matrix of more than {MAX_ENTRIES:,} entries", Place(line, 1))
        self.rows.append([self._entry(cells[k], line, k) for k in range(start, len(cells))])
        self.lines.append(line)

    def _entry(self, cell: str, line: int, position: int) -> Fraction:
        found = self.known.get(cell)
        if found is None:
            try:
                found = self.known[cell] = parse_number(cell)
            except ValueError:
                what = f"{cell[:40]} is not a number" if cell else "an empty cell"
                hint = "expected an entry such as 0.3, 3/10 or 30%"
                if ";" in cell:
                    hint += "; entries are kept apart by commas"
                raise ModelError(what, self._place(line, position), hint) from None
        return found

    def _label(
        self, labels: dict[Value, None], cell: str, what: str, line: int, position: int
    ) -> None:
        """An integer where the cell spells one, otherwise a label; none may occur twice."""
        if not cell or not cell.isprintable():
            raise ModelError(f"an {what} without a name", self._place(line, position))
        label: Value = int(cell) if _INTEGER.fullmatch(cell) else cell
        if label in labels:
            raise ModelError(f"the {what} {cell[:40]} occurs twice", self._place(line, position))
        labels[label] = None

    def _place(self, line: int, position: int) -> Place:
        """Where a cell starts: after that many commas outside quotes."""
        quoted = False
        for column, character in enumerate(nth_line(self.text, line), 1):
            if position == 0 and character not in " \t":
                return Place(line, column)
            if character == '"':
                quoted = not quoted
            elif character == "," and not quoted:
                position -= 1
                if position < 0:
                    return Place(line, column)
        return Place(line, max(1, len(nth_line(self.text, line)) + 1))


def _is_number(cell: str) -> bool:
    try:
        parse_number(cell)
    except ValueError:
        return False
    return True
