"""CSV matrices: outputs in the first line, inputs in the first column, both or neither."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.language.csv_layout import CsvLayout, DeclaredLabels, Unclear, found_layout
from ppdm_formal.declare.language.errors import ModelError, Place, nth_line
from ppdm_formal.declare.operators.domain import Value, integer_or_label

MAX_BYTES = 64_000_000
MAX_ENTRIES = 4_000_000
"""Largest matrix read from a file."""

_ROWS = "expected rows of numbers such as 1/2, 0.5 or 50%"


@dataclass(frozen=True)
class CsvMatrix:
    """The entries and the line of each row; the labels where the file has them.

    guessed, header_guessed: nobody said whether the first column or the first line holds labels.
    """

    rows: list[list[Fraction]]
    inputs: list[Value] | None
    outputs: list[Value] | None
    lines: list[int]
    guessed: bool = True
    header_guessed: bool = True


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


def read_csv(
    path: Path,
    index: bool | None = None,
    header: bool | None = None,
    declared: DeclaredLabels | None = None,
) -> CsvMatrix:
    """Read a matrix file; index, header: whether its first column and line hold labels.

    declared: the names that a model expects, which tell labels where nothing is said.
    """
    text = read_text(path)
    try:
        return _Reader(_with_line_feeds(text), index, header, declared).read()
    except ModelError as problem:
        raise problem.in_file(str(path), _with_line_feeds(text)) from None


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_csv(text: str, index: bool | None = None, header: bool | None = None) -> CsvMatrix:
    r"""Read a matrix: labels in the first line, in the first column, in both or in neither.

    >>> parse_csv("30%,7/10\n0.5,0.5").rows[0]
    [Fraction(3, 10), Fraction(7, 10)]
    """
    return _Reader(_with_line_feeds(text), index, header).read()


class _Reader:
    """Reads all lines, finds out which hold labels, then reads the numbers.

    Equal spellings share one number.
    """

    def __init__(
        self,
        text: str,
        index: bool | None,
        header: bool | None,
        declared: DeclaredLabels | None = None,
    ) -> None:
        self.text = text
        self.index = index
        self.header = header
        self.declared = declared
        self.known: dict[str, Fraction] = {}

    def read(self) -> CsvMatrix:
        """The whole file."""
        if "\0" in self.text:
            raise ModelError("the file holds a zero byte: not a text file")
        lines = self._lines()
        if not lines:
            raise ModelError("the matrix is empty", None, _ROWS)
        layout = self._layout(lines)
        outputs: dict[Value, None] | None = None
        start = 1 if layout.index else 0
        if layout.header:
            line, cells = lines[0]
            outputs = {}
            for position in range(layout.corner, len(cells)):
                self._label(outputs, cells[position], "output", line, position)
            if not outputs:
                hint = "expected entries apart by commas"
                raise ModelError("a first line without outputs", Place(line, 1), hint)
            if len(lines) == 1:
                raise ModelError("a first line of outputs, but no rows", None, _ROWS)
        body = lines[1:] if layout.header else lines
        width = len(body[0][1]) - start if outputs is None else len(outputs)
        inputs: dict[Value, None] = {}
        rows: list[list[Fraction]] = []
        for line, cells in body:
            if layout.index:
                self._label(inputs, cells[0], "input", line, 0)
            if len(cells) - start != width:
                raise ModelError(
                    f"a row of {len(cells) - start} entries; expected {width}", Place(line, 1)
                )
            if not width:
                raise ModelError("a row without entries", Place(line, 1), _ROWS)
            rows.append([self._entry(cells[k], line, k) for k in range(start, len(cells))])
        return CsvMatrix(
            rows,
            list(inputs) if layout.index else None,
            None if outputs is None else list(outputs),
            [line for line, _ in body],
            self.index is None,
            self.header is None,
        )

    def _layout(self, lines: list[tuple[int, list[str]]]) -> CsvLayout:
        """Which cells are labels, as was said or else guessed."""
        header = self.header
        if header is None and self.declared is not None and self.declared.heads(lines[0][1]):
            header = True
        try:
            return found_layout([cells for _, cells in lines], self.index, header)
        except Unclear as problem:
            place = self._place(lines[problem.line][0], problem.cell)
            raise ModelError(str(problem), place, problem.hint) from None

    def _lines(self) -> list[tuple[int, list[str]]]:
        """The lines that are not blank, each with its number."""
        reader = csv.reader(
            io.StringIO(self.text, newline="\n"), skipinitialspace=True, strict=True
        )
        found: list[tuple[int, list[str]]] = []
        line = 1
        entries = 0
        try:
            for cells in reader:
                stripped = [cell.strip() for cell in cells]
                if any(stripped):
                    found.append((line, stripped))
                    entries += len(cells)
                    if entries > MAX_ENTRIES + 2 * len(found) + len(found[0][1]):
                        raise ModelError(
                            f"a matrix of more than {MAX_ENTRIES:,} entries", Place(line, 1)
                        )
                line = reader.line_num + 1
        except csv.Error as problem:
            raise ModelError(f"not a CSV file: {problem}", Place(line, 1)) from None
        return found

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
        label = integer_or_label(cell)
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
