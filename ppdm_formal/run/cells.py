"""Cells: how the text or number in a table's cell names a value of a domain, and back.

A value is spelled 7, yes, (1, 2), {a, b}, labels just as they are. A cell names the value that is
spelled like it, blanks around it aside. Integers may have a sign, leading zeros and a decimal
part of zeros (7, +7, 007, 7.0); sets may list their members in any order. Where the values are a
grid of real numbers, a number names the nearest of them. What names no value has a reason: empty,
NaN, or outside the domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.run.errors import DataError

Positions = npt.NDArray[np.int64]
"""Where values stand in their domain; negative where a cell names none."""

OUTSIDE, EMPTY, NAN = -1, -2, -3
REASONS = {OUTSIDE: "outside", EMPTY: "empty", NAN: "nan"}
"""Why a cell names no value of the domain."""

MAX_VALUES = 1 << 24
"""Largest domain of which a table's column can hold values."""

_REMEMBERED, _SHORT = 1 << 18, 64
"""How many distinct cells are remembered with their position, and how long they may be."""

_INTEGER = re.compile(r"([+-]?)0*([0-9]{1,40})(?:\.0*)?", re.ASCII)
_MARKS = re.compile(r"[(){},]")
_INT64 = np.iinfo(np.int64)


def spelled(value: Value) -> str:
    """A value as a cell holds it; a label is its own text, also where that looks like a number."""
    if isinstance(value, tuple):
        return "(" + ", ".join(spelled(part) for part in value) + ")"
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(spelled(part) for part in value)) + "}"
    return str(value)


class Cells:
    """The cells of one column, whose values are in a domain.

    >>> Cells(Domain(range(10, 20))).positions(["12", "012.0", "", "nan", "x"]).tolist()
    [2, 2, -2, -3, -1]
    >>> Cells(Domain([frozenset({1, 2}), "no"])).positions(["{2,1}", " no "]).tolist()
    [0, 1]
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        if domain.size > MAX_VALUES:
            raise DataError(
                f"the operator's values ({domain}) are too many for a column of a table; "
                "sets of items are randomized with --plan, single values in Python by randomize() "
                "and by ppdm client"
            )
        self._known = _Known(self._find)
        if domain.integers is None:
            self._check_spelling()

    @cached_property
    def texts(self) -> list[str]:
        """Every value as it is written, by position."""
        return [spelled(value) for value in self.domain]

    @cached_property
    def _spelled(self) -> dict[str, int]:
        return {text: position for position, text in enumerate(self.texts)}

    @cached_property
    def _structured(self) -> bool:
        return any(isinstance(value, tuple | frozenset) for value in self.domain)

    def _check_spelling(self) -> None:
        try:
            distinct = len(self._spelled)
        except TooLarge as problem:
            raise DataError(f"{problem}; sets of items are randomized with --plan") from None
        if distinct < self.domain.size:
            raise DataError(f"two values of {self.domain} are spelled alike: cells cannot tell")
        if self._structured and any(map(_unclear, _labels(self.domain))):
            raise DataError(
                f"a label within the tuples or sets of {self.domain} has a comma, a bracket or "
                "blanks at its ends: cells cannot tell where it ends"
            )

    def positions(self, cells: Iterable[str]) -> Positions:
        """Where the value of each cell stands, or why it has none."""
        return np.fromiter(map(self._known.__getitem__, cells), dtype=np.int64)

    def _find(self, cell: str) -> int:
        integers = self.domain.integers
        if integers is None and cell in self._spelled:
            return self._spelled[cell]
        bare = cell.strip()
        if not bare:
            return EMPTY
        if integers is None and bare in self._spelled:
            return self._spelled[bare]
        if isinstance(self.domain, Grid):
            return self._nearest(self.domain, bare)
        match = _INTEGER.fullmatch(bare)
        if match is not None:
            number = int(match[2])
            value = -number if match[1] == "-" else number
            return self.domain.index(value) if value in self.domain else OUTSIDE
        if integers is None and self._structured and bare[0] in "({":
            return self._spelled.get(_respelled(bare), OUTSIDE)
        return NAN if bare.lower() in ("nan", "+nan", "-nan") else OUTSIDE

    @staticmethod
    def _nearest(grid: Grid, bare: str) -> int:
        """A number of the grid's interval is rounded to the nearest of its values."""
        try:
            place = grid.nearest(parse_number(bare))
        except ValueError:
            return NAN if bare.lower() in ("nan", "+nan", "-nan") else OUTSIDE
        return OUTSIDE if place is None else place

    @cached_property
    def whole_numbers(self) -> bool:
        """Whether every value is an integer that fits in 64 bits, and no cell is rounded to one."""
        if isinstance(self.domain, Grid):
            return False
        numbers = self.domain.integers
        ends = self.domain if numbers is None else (numbers[0], numbers[-1])
        return all(isinstance(v, int) and _INT64.min <= v <= _INT64.max for v in ends)

    @cached_property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The values by position, where all are whole numbers."""
        numbers = self.domain.integers
        if numbers is not None:
            return np.arange(numbers[0], numbers[-1] + 1, dtype=np.int64)
        return np.array(list(self.domain), dtype=np.int64)

    def positions_of_numbers(self, numbers: npt.NDArray[np.generic]) -> Positions:
        """Where numbers of a domain of whole numbers stand; floats count where they are whole."""
        values, known = _whole(numbers)
        integers = self.domain.integers
        if integers is not None:
            known &= (values >= integers[0]) & (values <= integers[-1])
            found = np.where(known, values - np.where(known, integers[0], 0), OUTSIDE)
        else:
            order = np.argsort(self.numbers)
            places = np.searchsorted(self.numbers, values, sorter=order)
            nearest = order[np.minimum(places, len(order) - 1)]
            found = np.where(known & (self.numbers[nearest] == values), nearest, OUTSIDE)
        if numbers.dtype.kind == "f":
            found[np.isnan(numbers.astype(np.float64))] = NAN
        return found


class _Known(dict[str, int]):
    """Cells met before, so that each distinct one is read once; limited, so memory is."""

    def __init__(self, find: object) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, cell: str) -> int:
        found: int = self._find(cell)  # type: ignore[operator]
        if len(self) < _REMEMBERED and len(cell) <= _SHORT:
            self[cell] = found
        return found


def _whole(numbers: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Numbers as 64-bit integers, and which of them are such."""
    kind = numbers.dtype.kind
    if kind == "f":
        real = numbers.astype(np.float64)
        # 2^63 is a float, the largest 64-bit integer is not: below it the cast is exact.
        known = (np.abs(real) < 2.0**63) & (np.floor(real) == real)
        return np.where(known, real, 0).astype(np.int64), known
    if numbers.dtype == np.uint64:
        wide = np.asarray(numbers, dtype=np.uint64)
        known = wide <= np.uint64(_INT64.max)
        return np.where(known, wide, np.uint64(0)).astype(np.int64), known
    return numbers.astype(np.int64), np.ones(len(numbers), dtype=bool)


def _labels(values: Iterable[Value]) -> Iterable[str]:
    """The labels within tuples and sets."""
    for value in values:
        if isinstance(value, tuple | frozenset):
            yield from (part for part in value if isinstance(part, str))
            yield from _labels(value)


def _unclear(label: str) -> bool:
    return label != label.strip() or not label or _MARKS.search(label) is not None


def _respelled(cell: str) -> str:
    """A tuple or set as it is spelled here: one blank after a comma, members of sets in order."""
    opened: list[tuple[str, list[str]]] = [("", [])]
    word = ""
    for part in re.split(f"({_MARKS.pattern})", cell):
        mark, members = opened[-1]
        if part in ("(", "{") and not word:
            opened.append((part, []))
        elif part == ",":
            if not word:
                return ""
            members.append(word)
            word = ""
        elif part in (")", "}"):
            if mark + part not in ("()", "{}") or (members and not word):
                return ""
            opened.pop()
            word = _joined(mark, [*members, word] if word else [])
        else:
            word += part.strip()
    return word if len(opened) == 1 and not opened[0][1] else ""


def _joined(mark: str, members: Sequence[str]) -> str:
    members = [plain_integer(member) for member in members]
    if mark == "(":
        return "(" + ", ".join(members) + ")"
    return "{" + ", ".join(sorted(set(members))) + "}"


def plain_integer(member: str) -> str:
    """An integer without sign of plus, leading zeros and decimal part; other text as it is."""
    match = _INTEGER.fullmatch(member)
    return member if match is None else str(int(match[2]) * (-1 if match[1] == "-" else 1))
