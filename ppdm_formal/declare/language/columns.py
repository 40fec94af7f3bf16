"""Columns: one value a world, for all worlds at once.

A program runs once on the vector of all inputs, not once an input. A column is a constant,
an array of integers, an array of truth values, or codes into a list of distinct values
(fractions, closed forms, labels, tuples, sets). Exact work is done once a distinct value
or pair of values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.matrix import pair_codes

Index: TypeAlias = npt.NDArray[np.int64]
Mask: TypeAlias = npt.NDArray[np.bool_]

_SAFE = 1 << 62

MAX_WORLDS = 4_000_000
"""Most worlds worked on at a time; more inputs are done in blocks."""


class TooManyWorlds(Exception):
    """More worlds, or more different sets in them, than are worked on at a time."""


def check_worlds(count: float, most: int = MAX_WORLDS) -> None:
    """Stop before the worlds fill the memory."""
    if count > most:
        raise TooManyWorlds


@dataclass(frozen=True)
class Const:
    """The same value in every world."""

    value: Any


@dataclass(frozen=True)
class Ints:
    """An integer a world."""

    values: Index


@dataclass(frozen=True)
class Truth:
    """A truth value a world."""

    values: Mask


@dataclass(frozen=True)
class Coded:
    """A code a world, into a list of distinct values."""

    codes: Index
    values: Sequence[Any]


Column: TypeAlias = Const | Ints | Truth | Coded


def plain(value: Any) -> Any:
    """Integers as int, so that 4/2 equals 2 in a domain as well."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value


def code_values(values: Sequence[Any]) -> tuple[list[int], list[Any]]:
    """Number distinct values; 1 and True, which Python takes for equal, stay apart."""
    seen: dict[Any, int] = {}
    kept: list[Any] = []
    codes = []
    for value in values:
        key = (type(value) is bool, value)
        if key not in seen:
            seen[key] = len(kept)
            kept.append(value)
        codes.append(seen[key])
    return codes, kept


def coded(column: Column, size: int) -> Coded:
    """Any column as codes; every listed value occurs in some world."""
    if isinstance(column, Coded):
        return column
    if isinstance(column, Const):
        return Coded(np.zeros(size, dtype=np.int64), [column.value])
    if isinstance(column, Truth):
        return present(Coded(column.values.astype(np.int64), [False, True]))
    values = column.values
    if not values.size:
        return Coded(values, [])
    low, high = int(values.min()), int(values.max())
    if high - low <= max(65_536, 4 * values.size):
        return present(Coded(values - low, range(low, high + 1)))
    found, codes = np.unique(values, return_inverse=True)
    return Coded(codes, [int(value) for value in found])


def present(column: Coded) -> Coded:
    """Only the values that occur."""
    used = np.zeros(len(column.values), dtype=bool)
    used[column.codes] = True
    if used.all():
        return Coded(column.codes, column.values)
    kept = np.flatnonzero(used)
    renumber = np.zeros(len(column.values), dtype=np.int64)
    renumber[kept] = np.arange(kept.size)
    return Coded(renumber[column.codes], [column.values[int(k)] for k in kept])


def settle(column: Coded) -> Column:
    """The simplest kind of column that holds these values."""
    values = column.values
    if len(values) == 1:
        return Const(values[0])
    if all(type(value) is bool for value in values):
        return Truth(np.array(values, dtype=bool)[column.codes])
    if all(type(value) is int and abs(value) < _SAFE for value in values):
        return Ints(np.array(values, dtype=np.int64)[column.codes])
    return column


def take(column: Column, index: Index | Mask) -> Column:
    """The column in some of the worlds (or in repeated ones)."""
    if isinstance(column, Const):
        return column
    if isinstance(column, Ints):
        return Ints(column.values[index])
    if isinstance(column, Truth):
        return Truth(column.values[index])
    return present(Coded(column.codes[index], column.values))


def apply(column: Column, size: int, function: Callable[[Any], Any]) -> Column:
    """A function of one column."""
    if isinstance(column, Const):
        return Const(function(column.value))
    source = coded(column, size)
    codes, values = code_values([function(value) for value in source.values])
    return settle(Coded(np.array(codes, dtype=np.int64)[source.codes], values))


def apply_two(
    first: Column, second: Column, size: int, function: Callable[[Any, Any], Any]
) -> Column:
    """A function of two columns, called once a distinct pair."""
    if isinstance(second, Const):
        fixed = second.value
        return apply(first, size, lambda value: function(value, fixed))
    if isinstance(first, Const):
        given = first.value
        return apply(second, size, lambda value: function(given, value))
    left, right = coded(first, size), coded(second, size)
    pairs, lefts, rights = pair_codes(left.codes, len(left.values), right.codes, len(right.values))
    codes, values = code_values(
        [function(left.values[a], right.values[b]) for a, b in zip(lefts, rights, strict=True)]
    )
    return settle(Coded(np.array(codes, dtype=np.int64)[pairs], values))


def truth_mask(column: Column, size: int) -> Mask | None:
    """The column as a mask; None where it holds something that is not a truth value."""
    if isinstance(column, Truth):
        return column.values
    if isinstance(column, Const) and type(column.value) is bool:
        return np.full(size, column.value, dtype=bool)
    return None


def whole_numbers(column: Column) -> tuple[Any, int, int] | None:
    """Integers as something NumPy computes with, and their bounds; None for other columns."""
    if isinstance(column, Const):
        value = column.value
        if type(value) is int and abs(value) < _SAFE:
            return value, value, value
        return None
    if isinstance(column, Ints) and column.values.size:
        return column.values, int(column.values.min()), int(column.values.max())
    return None


def fast_integers(operation: str, first: Column, second: Column) -> Column | None:
    """Arithmetic and comparisons on machine integers; None where they would not be exact."""
    left, right = whole_numbers(first), whole_numbers(second)
    if left is None or right is None or (isinstance(first, Const) and isinstance(second, Const)):
        return None
    (a, a_low, a_high), (b, b_low, b_high) = left, right
    if operation in _COMPARE:
        return Truth(_COMPARE[operation](a, b))
    if operation in _CHOOSE:
        return Ints(_CHOOSE[operation](a, b))
    if operation == "sum":
        operation = "+"
    if operation in ("xor", "bit"):
        if min(a_low, b_low) < 0:
            return None
        return Ints(a ^ b if operation == "xor" else a >> np.minimum(b, 62) & 1)
    if operation in ("//", "mod"):
        if b_low <= 0:
            return None
        return Ints(np.floor_divide(a, b) if operation == "//" else np.mod(a, b))
    if operation in _ARITHMETIC:
        function = _ARITHMETIC[operation]
        bounds = [function(x, y) for x in (a_low, a_high) for y in (b_low, b_high)]
        if max(map(abs, bounds)) < _SAFE:
            return Ints(function(a, b))
    return None


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
_CHOOSE: dict[str, Callable[[Any, Any], Any]] = {"min": np.minimum, "max": np.maximum}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def scatter(columns: Sequence[tuple[Index, Column]]) -> Column:
    """Columns of groups of worlds put in place; every world is in one group."""
    groups = [(index, column) for index, column in columns if index.size]
    if len(groups) == 1 and isinstance(groups[0][1], Const):
        return groups[0][1]
    joined = join([(column, index.size) for index, column in groups])
    return take(joined, np.argsort(np.concatenate([index for index, _ in groups])))


def join(columns: Sequence[tuple[Column, int]]) -> Column:
    """Columns of several groups of worlds, one after the other."""
    columns = [part for part in columns if part[1]] or columns[:1]
    parts = [column for column, _ in columns]
    if all(isinstance(part, Const) for part in parts):
        codes, values = code_values([part.value for part in parts])  # type: ignore[union-attr]
        if len(values) == 1:
            return parts[0]
    if all(whole_numbers(part) is not None for part in parts):
        return Ints(
            np.concatenate(
                [
                    part.values
                    if isinstance(part, Ints)
                    else np.full(size, part.value, dtype=np.int64)  # type: ignore[union-attr]
                    for part, size in columns
                ]
            )
        )
    sources = [coded(part, size) for part, size in columns]
    codes, values = code_values([value for source in sources for value in source.values])
    numbers = np.array(codes, dtype=np.int64)
    pieces, start = [], 0
    for source in sources:
        pieces.append(numbers[start : start + len(source.values)][source.codes])
        start += len(source.values)
    return settle(Coded(np.concatenate(pieces), values))
