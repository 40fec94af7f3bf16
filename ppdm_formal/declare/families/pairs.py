"""Pairs: all (a, b) with 0 <= a < first and 0 <= b < second, as a domain that is never listed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ppdm_formal.declare.families.subsets import MAX_LISTED
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.matrix import TooLarge


class Pairs(Domain):
    """By the first number, then by the second; small domains can still be listed.

    >>> some = Pairs(110, 4)
    >>> some.size, some[5], some.index((109, 3)), str(some)
    (440, (1, 1), 439, '0..109 * 0..3')
    """

    def __init__(self, first: int, second: int, name: str = "") -> None:
        if first < 1 or second < 1:
            raise ValueError("a domain needs at least one value")
        self.first = first
        self.second = second
        self.name = name

    @property
    def size(self) -> int:
        """The product."""
        return self.first * self.second

    @property
    def integers(self) -> None:
        """Never a range."""
        return

    @property
    def pairs(self) -> tuple[int, int]:
        """Both numbers."""
        return self.first, self.second

    @cached_property
    def _values(self) -> tuple[Value, ...]:  # type: ignore[override]
        return tuple(self)

    def __len__(self) -> int:
        if self.size > MAX_LISTED:
            raise TooLarge(f"{self} are too many to list; .size counts them")
        return self.size

    def __iter__(self) -> Iterator[Value]:
        len(self)  # refuses before anything is listed
        return ((a, b) for a in range(self.first) for b in range(self.second))

    def __getitem__(self, position):  # type: ignore[no-untyped-def]
        if isinstance(position, slice):
            return self._values[position]
        place = position + self.size if position < 0 else position
        if not 0 <= place < self.size:
            raise IndexError(f"{self} has no member number {position}")
        return divmod(place, self.second)

    def index(self, value: object, *_: object) -> int:
        """Where a pair stands; ValueError if it is not a member."""
        match value:
            case (int(a), int(b)) if value in self:
                return a * self.second + b
        raise ValueError(f"not a pair in {self}")

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or [type(part) for part in value] != [int, int]:
            return False
        return bool(0 <= value[0] < self.first and 0 <= value[1] < self.second)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Pairs):
            return self.pairs == other.pairs
        if not isinstance(other, Domain):
            return NotImplemented
        return self.size == other.size and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self.size, self[0], self[-1]))

    def same_members(self, other: Domain) -> bool:
        """Whether both hold the same pairs, in whatever order."""
        return self == other or (self.size == other.size and all(v in self for v in other))

    def __str__(self) -> str:
        return self.name or f"0..{self.first - 1} * 0..{self.second - 1}"
