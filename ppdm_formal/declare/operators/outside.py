"""Numbers from outside: matrices whose entries were rounded or computed in floating point.

Three ways to read them, of which one must be chosen where rows do not sum to 1 exactly:

    exact       every entry is exactly the number that it spells; rows sum to 1
    normalize   every row is divided by its sum; how far entries moved is recorded
    rounded     to so many decimals: all matrices that round to these numbers (see within.py)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.declare.arithmetic.decimals import decimal_text
from ppdm_formal.declare.arithmetic.exact import Exact, exact, is_symbolic
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.within import NoSuchRow, Within

MAX_DECIMALS = 300

Way: TypeAlias = Literal["exact", "normalize", "rounded"]


@dataclass(frozen=True)
class MatrixReading:
    """How entries are to be read; digits: to how many decimals they were rounded.

    index, header: whether the first column and the first line of a file hold labels; None where
    that is guessed.
    """

    way: Way = "exact"
    digits: int | None = None
    index: bool | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        if (self.way == "rounded") != (self.digits is not None):
            raise ValueError("rounded numbers, and only they, say to how many decimals")
        if self.digits is not None and not 0 <= self.digits <= MAX_DECIMALS:
            raise ValueError(f"rounded to {self.digits} decimals: expected 0 to {MAX_DECIMALS}")

    @classmethod
    def of(
        cls,
        normalize: bool,
        rounded: int | None,
        index: bool | None = None,
        header: bool | None = None,
    ) -> MatrixReading:
        """From options that exclude each other."""
        if normalize and rounded is not None:
            raise ValueError("normalize and rounded exclude each other")
        way: Way = "rounded" if rounded is not None else "normalize" if normalize else "exact"
        return cls(way, rounded, index, header)

    def to_json(self) -> dict[str, object]:
        """As certificates record it: what was said of the first line only where something was."""
        said: dict[str, object] = {"way": self.way, "digits": self.digits, "index": self.index}
        return said if self.header is None else {**said, "header": self.header}


@dataclass(frozen=True)
class MatrixOrigin:
    """How a matrix from outside was read: the way, and what that did to it.

    change: the most that an entry moved when rows were divided by their sums, and where.
    header, index: whether a file's first line and column were taken for labels; guessed (of the
    column), header_guessed: without being told so.
    """

    reading: MatrixReading
    change: Fraction = Fraction(0)
    at: tuple[Value, Value] | None = None
    file: str = ""
    header: bool | None = None
    index: bool | None = None
    guessed: bool = False
    header_guessed: bool = False


@dataclass(frozen=True)
class Outside:
    """Rows that were read, all the matrices that they may stand for, and how they were read."""

    rows: Sequence[Sequence[Exact]]
    within: Within | None
    origin: MatrixOrigin

    def labelled(self, inputs: Sequence[Value], outputs: Sequence[Value]) -> MatrixOrigin:
        """The origin, with the place of the greatest change by labels instead of positions."""
        at = self.origin.at
        if at is None:
            return self.origin
        row, column = at
        assert isinstance(row, int)
        assert isinstance(column, int)
        return replace(self.origin, at=(inputs[row], outputs[column]))


class Misread(ValueError):
    """Entries that cannot be read in the way that was asked for; `row` is a position."""

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row


def read_outside(rows: Sequence[Sequence[Exact]], reading: MatrixReading) -> Outside:
    """Read exact entries in one of the three ways."""
    if reading.way == "exact":
        return Outside(rows, None, MatrixOrigin(reading))
    numbers = _numbers(rows)
    if reading.digits is None:
        return _normalized(numbers, reading)
    for place, row in enumerate(numbers):
        for value in row:
            if (value * 10**reading.digits).denominator != 1:
                shown = said(value) if decimals_of([value]) is None else decimal_text(value)
                raise Misread(f"{shown} has more than {reading.digits} decimals", place)
    try:
        within = Within.rounded(numbers, reading.digits)
    except NoSuchRow as problem:
        raise Misread(str(problem), problem.row) from None
    return Outside(within.near(numbers), within, MatrixOrigin(reading))


def _numbers(rows: Sequence[Sequence[Exact]]) -> list[list[Fraction]]:
    found = []
    for place, row in enumerate(rows):
        for value in row:
            if is_symbolic(value):
                raise Misread(f"{said(value)} is a closed form: it is exact as it is", place)
            if value < 0:
                raise Misread(f"{said(value)} is below 0", place)
        found.append([Fraction(value) for value in row])
    return found


def _normalized(rows: Sequence[Sequence[Fraction]], reading: MatrixReading) -> Outside:
    scaled: list[list[Exact]] = []
    change, at = Fraction(0), None
    for place, row in enumerate(rows):
        total = sum(row, Fraction(0))
        if total == 0:
            raise Misread("the row sums to 0 and cannot be scaled to 1", place)
        scaled.append([value / total for value in row])
        for column, value in enumerate(row):
            if abs(value / total - value) > change:
                change, at = abs(value / total - value), (place, column)
    return Outside(scaled, None, MatrixOrigin(reading, change, at))


def decimals_of(row: Sequence[Fraction]) -> int | None:
    """To how many decimals all numbers are written; None where some decimal does not end.

    >>> decimals_of([Fraction(1, 8), Fraction(1, 2)]), decimals_of([Fraction(1, 3)])
    (3, None)
    """
    most = 0
    for value in row:
        below, places = value.denominator, 0
        for prime in (2, 5):
            power = 0
            while below % prime == 0:
                below //= prime
                power += 1
            places = max(places, power)
        if below != 1:
            return None
        most = max(most, places)
    return most


def misses_by_rounding(row: Sequence[Exact]) -> int | None:
    """To how many decimals a row may have been rounded, if that is why it does not sum to 1."""
    if any(is_symbolic(value) for value in row):
        return None
    numbers = [Fraction(value) for value in row]
    digits = decimals_of(numbers)
    if digits is None or any(value < 0 for value in numbers):
        return None
    return digits if abs(sum(numbers, Fraction(0)) - 1) * 2 * 10**digits <= len(numbers) else None


def misses_by_floating(row: Sequence[Exact]) -> bool:
    """Whether a row sums to 1 but for the last bits of doubles, as computed matrices do."""
    if any(is_symbolic(value) or value < 0 for value in row):
        return False
    total = sum((Fraction(value) for value in row), Fraction(0))
    return abs(total - 1) <= Fraction(len(row), 2**52)


def plain_rows(table: Any) -> tuple[list[list[object]], list[Value] | None, list[Value] | None]:
    """Rows of Python objects from lists, a NumPy array or a pandas frame, and a frame's labels."""
    inputs = outputs = None
    if hasattr(table, "columns") and hasattr(table, "to_numpy"):
        inputs = [_label(value) for value in table.index.tolist()]
        outputs = [_label(value) for value in table.columns.tolist()]
        table = table.to_numpy(dtype=object)
    if hasattr(table, "tolist"):
        if getattr(table, "ndim", 2) != 2:
            raise ValueError(f"a matrix has two dimensions, not {table.ndim}")
        short = getattr(getattr(table, "dtype", None), "kind", "") == "f" and table.itemsize < 8
        # A short float stands for the decimal that it shows, not for its digits as a long one.
        table = [[float(str(v)) for v in row] for row in table] if short else table.tolist()
    return [list(row) for row in table], inputs, outputs


def _label(value: Any) -> Value:
    """A label of a frame: integers and tuples as they are, everything else as its text."""
    if isinstance(value, tuple):
        return tuple(map(_label, value))
    return value if isinstance(value, int) and not isinstance(value, bool) else str(value)


def decimal_entry(value: object) -> Exact:
    """An entry; a float is read as the shortest decimal that stands for it.

    >>> decimal_entry(0.1), decimal_entry("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if not isinstance(value, float):
        return exact(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{value} is not a probability")
    return Fraction(Decimal(repr(float(value))))
