"""Domain: an ordered finite set of values (integers, labels, tuples, sets of values).

Ranges of integers stay unexpanded, so that a domain of a million numbers costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias, Union

from ppdm_formal.declare.arithmetic.spelling import integer_text

Value: TypeAlias = Union[int, str, tuple["Value", ...], "frozenset[Value]"]


ALL_BUT = "all but"
"""Marks a set given by what it leaves out, as ("all but", {7, 8}): short for nearly full sets."""

MANY = 64
"""Sets of more integers are shown by runs: {0..999}."""

_MISLEADING = re.compile(
    r"""|[-+]?\d+(?:[./]\d+)?(?:[eE][-+]?\d+)?%?|.*[(){}",\\].*|\s.*|.*\s""",
    re.DOTALL,
)
"""Labels that would read as a number, a tuple, a set or several values: quoted, as models do."""


class Numeral(str):
    """The text of a number that is no integer, as a value; it is shown without quotes."""

    __slots__ = ()


def show_value(value: Value, *, quoted: bool = True) -> str:
    r"""A value as people write it: 7, yes, (1, 2), {a, b}; no two look alike.

    Labels that would mislead are quoted, unless they are wanted bare (as cells of a file).

    >>> show_value(("a", "1", 1, "<=50K")), show_value(("a", "1"), quoted=False)
    ('(a, "1", 1, <=50K)', '(a, 1)')
    >>> show_value(frozenset(range(1000)) - {7}), show_value(("all but", frozenset({7})))
    ('{0..6, 8..999}', 'all but {7}')
    """
    if isinstance(value, tuple) and value[:1] == (ALL_BUT,) and isinstance(value[-1], frozenset):
        return " ".join([ALL_BUT, *(show_value(part, quoted=quoted) for part in value[1:])])
    if isinstance(value, tuple):
        return "(" + ", ".join(show_value(part, quoted=quoted) for part in value) + ")"
    if isinstance(value, frozenset):
        if quoted and len(value) > MANY and all(type(part) is int for part in value):
            return _shown_runs(value)
        shown = sorted(show_value(part, quoted=quoted) for part in value)
        return "{" + ", ".join(shown) + "}"
    if isinstance(value, int):
        return integer_text(value)
    bare = isinstance(value, Numeral) or not quoted
    if isinstance(value, str) and not bare and _MISLEADING.fullmatch(value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)


def runs_of(numbers: Iterable[Any]) -> list[tuple[int, int]]:
    """Integers in order, by the first and the last of each run.

    >>> runs_of({3, 1, 2, 7})
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    first = last = None
    for number in sorted(numbers):
        if first is None or last is None or number != last + 1:
            if first is not None and last is not None:
                found.append((first, last))
            first = number
        last = number
    return found if first is None or last is None else [*found, (first, last)]


def _shown_runs(value: frozenset[Value]) -> str:
    runs = runs_of(value)
    shown = [
        integer_text(first) if first == last else f"{integer_text(first)}..{integer_text(last)}"
        for first, last in runs[:MANY]
    ]
    rest = f"... ({len(value):,} in all)" if len(runs) > MANY else ""
    return "{" + ", ".join([*shown, *([rest] if rest else [])]) + "}"


_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")


def integer_or_label(cell: str) -> Value:
    """What a cell of a file stands for: an integer where it spells one, otherwise a label.

    >>> integer_or_label("10"), integer_or_label("010")
    (10, '010')
    """
    return int(cell) if _INTEGER.fullmatch(cell) else cell


class Domain(Sequence[Value]):
    """An ordered finite set; equality is by members and their order.

    >>> Domain(range(3)).index(2), list(Domain(["yes", "no"]))
    (2, ['yes', 'no'])
    """

    def __init__(self, values: Iterable[Value], name: str = "") -> None:
        if isinstance(values, Domain):
            values = values._values
        self.name = name
        self._values: range | tuple[Value, ...]
        if isinstance(values, range) and values.step == 1:
            self._values = values
        else:
            self._values = tuple(values)
            if any(isinstance(value, (bool, float)) for value in self._values):
                raise TypeError("a domain holds integers, labels, tuples and sets of them")
            if len(self._positions) != len(self._values):
                raise ValueError("a value occurs twice in the domain")
        if not self._values:
            raise ValueError("a domain needs at least one value")

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self._values)

    @property
    def integers(self) -> range | None:
        """The range, where the domain is one."""
        return self._values if isinstance(self._values, range) else None

    @property
    def subsets(self) -> tuple[int, int | None] | None:
        """Where the values are all sets of so many items, or those of one size: both numbers."""
        return None

    @property
    def pairs(self) -> tuple[int, int] | None:
        """Where the values are all (a, b) with a and b below two numbers: both of these."""
        return None

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, position):  # type: ignore[no-untyped-def]
        return self._values[position]

    def __iter__(self) -> Iterator[Value]:
        return iter(self._values)

    @cached_property
    def _positions(self) -> dict[Value, int]:
        return {value: position for position, value in enumerate(self._values)}

    def index(self, value: object, *_: object) -> int:
        """Where a value stands; ValueError if it is not a member."""
        if isinstance(self._values, range):
            if value in self:
                return self._values.index(value)  # type: ignore[arg-type]
        elif not isinstance(value, bool):
            position = self._positions.get(value)  # type: ignore[call-overload]
            if position is not None:
                return int(position)
        raise ValueError(f"{show_value(value)} is not in {self}")  # type: ignore[arg-type]

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool):
            return False
        if isinstance(self._values, range):
            return isinstance(value, int) and value in self._values
        return value in self._positions

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain):
            return NotImplemented
        return self._values == other._values or (
            self.size == other.size and all(a == b for a, b in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash((self.size, self._values[0], self._values[-1]))

    def same_members(self, other: Domain) -> bool:
        """Whether both hold the same values, in whatever order."""
        return self == other or (self.size == other.size and all(v in other for v in self))

    def __str__(self) -> str:
        if self.name:
            return self.name
        if isinstance(self._values, range) and self.size > 1:
            return f"{self._values[0]}..{self._values[-1]}"
        shown = [show_value(value) for value in self._values[:6]]
        if self.size > 6:
            shown.append(f"... {self.size} values")
        return "{" + ", ".join(shown) + "}"

    def __repr__(self) -> str:
        return f"Domain({self})"


def flat_tuple(parts: Iterable[Any]) -> Any:
    """The parts in one tuple, those of tuples among them; a single part is itself.

    >>> flat_tuple([1, (2, 3)]), flat_tuple([1])
    ((1, 2, 3), 1)
    """
    flat: list[Any] = []
    for part in parts:
        flat.extend(part if isinstance(part, tuple) else (part,))
    return tuple(flat) if len(flat) > 1 else flat[0]


def flat_tuples(parts: Sequence[Iterable[Value]]) -> list[Value]:
    """All tuples, flat: the product of pairs and numbers has triples."""
    rows: list[tuple[Value, ...]] = [()]
    for part in parts:
        values = [value if isinstance(value, tuple) else (value,) for value in part]
        rows = [row + value for row in rows for value in values]
    return list(rows)


def product(parts: Sequence[Domain]) -> Domain:
    """The domain of all tuples of members."""
    return Domain(flat_tuples(parts))
