"""ModelError: what is wrong with a model, where, and what would be right."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from fractions import Fraction

UNNAMED_REALS = "an interval of real numbers needs a name and two ends"
NAMED_REALS = (
    "declare domain Age = reals 0..100 above, and take x from Age; without ends no noise bounds"
    " what a report tells"
)


@dataclass(frozen=True)
class Place:
    """A line and a column, both from 1."""

    line: int
    column: int


class ModelError(Exception):
    """A model or matrix that cannot be used: exit code 2 of every command."""

    def __init__(self, message: str, place: Place | None = None, hint: str = "") -> None:
        if len(message) > 400:  # a number of thousands of digits
            message = f"{message[:300]}... ({len(message):,} characters)"
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint
        self.file = ""
        self.line_text = ""

    def in_file(self, file: str, text: str = "") -> ModelError:
        """Say which file it is in, and keep the line to show; the first call counts."""
        if not self.file:
            self.file = file
            if self.place is not None:
                self.line_text = nth_line(text, self.place.line)
        return self

    def __str__(self) -> str:
        where = self.file or "model"
        if self.place is not None:
            where += f":{self.place.line}:{self.place.column}"
        shown = f"{where}: {self.message}"
        if self.place is not None and self.line_text.strip():
            shown += "\n" + self._excerpt(self.place)
        if self.hint:
            shown += f"\n  {self.hint}"
        return shown

    def _excerpt(self, place: Place, width: int = 100) -> str:
        """The line and a caret under the place; a long line is cut around it."""
        line = "".join(" " if ch == "\t" or not ch.isprintable() else ch for ch in self.line_text)
        start = max(0, place.column - 1 - width // 2) if len(line) > width else 0
        number = f"{place.line} | "
        before = sum(map(_cells, line[start : place.column - 1]))
        caret = " " * (len(number) - 2) + "| " + " " * before + "^"
        return f"  {number}{line[start : start + width].rstrip()}\n  {caret}"


def nth_line(text: str, number: int) -> str:
    """One line of a text, counted from 1 by its line feeds, as the parser counts."""
    lines = text.split("\n", number)
    return lines[number - 1].rstrip("\r") if len(lines) >= number else ""


def _cells(character: str) -> int:
    """How many cells of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shortened(number: Fraction | int) -> str:
    """An exact number for a message, cut where it is absurdly long."""
    top, bottom = Fraction(number).as_integer_ratio()
    if max(top.bit_length(), bottom.bit_length()) > 1000:
        digits = (max(top.bit_length(), bottom.bit_length()) * 1233) >> 12  # log10(2) is 0.30103
        return f"a number of about {digits:,} digits"
    shown = str(number)
    return shown if len(shown) <= 80 else f"{shown[:40]}... ({len(shown)} characters)"
