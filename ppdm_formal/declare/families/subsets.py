"""Subsets: all subsets of n items, or those of one size, as a domain that is never listed.

Items are 0..n-1. Subsets of size m stand in lexicographic order, all 2^n subsets in the
order of their bit masks, so that positions are computed instead of looked up. Small
domains (up to MAX_LISTED members) can still be listed like any other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.domain import ALL_BUT, Domain, Value, show_value
from ppdm_formal.declare.operators.matrix import TooLarge

MAX_LISTED = 1 << 20
"""Most members that are ever written out one by one."""


_LONG = 20_000
"""From so many items on binomial coefficients have so many digits that FLINT is far quicker."""


_MANY = 16
"""Sets of more members are ranked item by item."""


def ways(items: int, chosen: int) -> int:
    """C(n, m), also for a million items.

    >>> ways(4, 2), ways(30_000, 2), ways(3, 5)
    (6, 449985000, 0)
    """
    if items < _LONG:
        return math.comb(items, chosen)
    from flint import fmpz

    return int(fmpz.bin_uiui(items, chosen))


class Subsets(Domain):
    """The subsets of {0, ..., items - 1}; with `size`, those of that size only.

    >>> pairs = Subsets(4, 2)
    >>> pairs.size, [sorted(t) for t in pairs][:4], pairs.index(frozenset({1, 2}))
    (6, [[0, 1], [0, 2], [0, 3], [1, 2]], 3)
    >>> Subsets(1_000_000).size == 2**1_000_000
    True
    """

    def __init__(self, items: int, members: int | None = None, name: str = "") -> None:
        if items < 0 or (members is not None and not 0 <= members <= items):
            raise ValueError(f"there are no {members}-item subsets of {items} items")
        self.items = items
        self.members = members
        self.name = name

    @cached_property
    def _count(self) -> int:
        if self.members is None:
            return 1 << self.items
        return ways(self.items, self.members)

    @property
    def size(self) -> int:
        """How many subsets there are: 2^n, or C(n, m)."""
        return self._count

    @property
    def integers(self) -> None:
        """Never a range."""
        return

    @property
    def subsets(self) -> tuple[int, int | None]:
        """Of how many items, and of which size."""
        return self.items, self.members

    @cached_property
    def _values(self) -> tuple[Value, ...]:  # type: ignore[override]
        return tuple(self)

    def __len__(self) -> int:
        if self.size > MAX_LISTED:
            raise TooLarge(f"{self} are too many to list; .size counts them")
        return self.size

    def __iter__(self) -> Iterator[Value]:
        len(self)  # refuses before anything is listed
        if self.members is None:
            for mask in range(self.size):
                yield frozenset(i for i in range(self.items) if mask >> i & 1)
        else:
            for chosen in itertools.combinations(range(self.items), self.members):
                yield frozenset(chosen)

    def __getitem__(self, position):  # type: ignore[no-untyped-def]
        if isinstance(position, slice):
            return self._values[position]
        place = position + self.size if position < 0 else position
        if not 0 <= place < self.size:
            raise IndexError(f"{self} has no member number {position}")
        if self.members is None:
            return frozenset(i for i, bit in enumerate(reversed(bin(place)[2:])) if bit == "1")
        return self._unranked(place)

    def _unranked(self, place: int) -> Value:
        """Lexicographic order is the reverse of colexicographic order on n - 1 - item."""
        assert self.members is not None
        if place in (0, self.size - 1):  # the first and the last, however many members
            start = self.items - self.members if place else 0
            return frozenset(range(start, start + self.members))
        if self.members > _MANY:
            return self._walked(place)
        left = self.size - 1 - place
        chosen = []
        for count in range(self.members, 0, -1):
            low, high = count - 1, self.items - 1
            while low < high:  # the largest item with C(item, count) <= left
                middle = (low + high + 1) // 2
                if math.comb(middle, count) <= left:
                    low = middle
                else:
                    high = middle - 1
            left -= math.comb(low, count)
            chosen.append(self.items - 1 - low)
        return frozenset(chosen)

    def _walked(self, place: int) -> Value:
        """The same item by item, from one binomial coefficient to the next."""
        assert self.members is not None
        chosen: list[int] = []
        rest, left = self.items, self.members
        begin = self.size * left // rest  # how many sets begin with the next item
        for item in range(self.items):
            rest -= 1
            if place < begin:
                chosen.append(item)
                left -= 1
                if not left:
                    break
                begin = begin * left // rest
            else:
                place -= begin
                begin = begin * (rest - left + 1) // rest
        return frozenset(chosen)

    def _rank(self, chosen: frozenset[int]) -> int:
        """How many sets of this size stand before, item by item."""
        place, rest, left = 0, self.items, len(chosen)
        begin = self.size * left // rest if rest else 0
        for item in range(max(chosen, default=-1) + 1):
            rest -= 1
            if item in chosen:
                left -= 1
                begin = begin * left // rest if rest else 0
            else:
                place += begin
                begin = begin * (rest - left + 1) // rest
        return place

    def as_set(self, value: object) -> frozenset[int]:
        """The set that a value spells, also in the form ("all but", {...})."""
        if isinstance(value, tuple) and len(value) == 2 and value[0] == ALL_BUT:
            left_out = value[1]
            if isinstance(left_out, frozenset) and self._within(left_out):
                return frozenset(range(self.items)) - left_out
        elif isinstance(value, frozenset) and self._within(value):
            return value
        raise ValueError(f"{show_value(value)} is not in {self}")  # type: ignore[arg-type]

    def incidence(self) -> npt.NDArray[np.int64]:
        """Row i, column a: 1 where the i-th subset holds item a; for domains that can be listed."""
        rows = len(self)
        if self.members is None:
            return np.asarray(np.arange(rows)[:, None] >> np.arange(self.items) & 1)
        chosen = np.array(list(itertools.combinations(range(self.items), self.members)))
        held = np.zeros((rows, self.items), dtype=np.int64)
        held[np.arange(rows)[:, None], chosen.astype(np.int64)] = 1
        return held

    def _within(self, value: frozenset[object]) -> bool:
        return all(
            isinstance(item, int) and not isinstance(item, bool) and 0 <= item < self.items
            for item in value
        )

    def first(self, count: int) -> Value:
        """The first subset of that size: {0, ..., count - 1}."""
        if count <= max(64, self.items // 2):
            return frozenset(range(count))
        return (ALL_BUT, frozenset(range(count, self.items)))

    def index(self, value: object, *_: object) -> int:
        """Where a subset stands; ValueError if it is not a member."""
        chosen = self.as_set(value)
        if self.members is None:
            mask = bytearray(self.items // 8 + 1)
            for item in chosen:
                mask[item // 8] |= 1 << item % 8
            return int.from_bytes(mask, "little")
        if len(chosen) != self.members:
            raise ValueError(f"{show_value(chosen)} is not in {self}")
        if self.members > _MANY:
            return self._rank(chosen)
        mirrored = sorted(self.items - 1 - item for item in chosen)
        rank = sum(math.comb(item, count) for count, item in enumerate(mirrored, start=1))
        return self.size - 1 - rank

    def __contains__(self, value: object) -> bool:
        try:
            return self.members in (None, len(self.as_set(value)))
        except ValueError:
            return False

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Subsets):
            return (self.items, self.members) == (other.items, other.members)
        if not isinstance(other, Domain):
            return NotImplemented
        return self.size == other.size and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self.size, self[0], self[-1]))

    def same_members(self, other: Domain) -> bool:
        """Whether both hold the same subsets, in whatever order."""
        return self == other or (self.size == other.size and all(v in self for v in other))

    def __str__(self) -> str:
        if self.name:
            return self.name
        which = "subsets" if self.members is None else f"{self.members}-item subsets"
        return f"the {which} of {self.items} items"
