"""FiniteSet: an ordered set of values, as written."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from ppdm_formal.declare.language.columns import Coded, Column, Ints
from ppdm_formal.declare.operators.domain import Value, flat_tuples

MAX_MEMBERS = 1_000_000
"""Largest set."""

MAX_PARTS = 4_000_000
"""Most parts of tuples, and most members of sets, written out for one set of them."""

LARGEST = 10**18
"""Ranges are of integers up to this size, which machine integers hold."""


class SetTooLarge(ValueError):
    """A set with more members than the language allows."""


def check_size(size: int, what: str = "a set") -> None:
    """Refuse a set that is too large, before it is built."""
    if size > MAX_MEMBERS:
        many = f"{size:,}" if size < 10**30 else "far more than a million"
        raise SetTooLarge(f"{what} of {many} members; at most {MAX_MEMBERS:,}")


def integers(first: int, last: int) -> FiniteSet:
    """All integers from first to last; none where last < first."""
    if last < first:
        return FiniteSet(())
    if max(-first, last) > LARGEST:
        raise SetTooLarge("a range beyond 10^18")
    check_size(last - first + 1, "a range")
    return FiniteSet(range(first, last + 1))


class FiniteSet:
    """An ordered set of values; a range of integers stays unexpanded."""

    def __init__(self, values: Iterable[Value]) -> None:
        self.values: range | tuple[Value, ...] = (
            values if isinstance(values, range) else tuple(dict.fromkeys(values))
        )
        check_size(len(self.values))

    @cached_property
    def _members(self) -> frozenset[Value]:
        return frozenset(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def __contains__(self, value: object) -> bool:
        if isinstance(self.values, range):
            return type(value) is int and value in self.values
        return value in self._members

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteSet):
            return NotImplemented
        return self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def column(self) -> Column:
        """All members, one a world."""
        if isinstance(self.values, range):
            return Ints(np.arange(self.values.start, self.values.stop, dtype=np.int64))
        return Coded(np.arange(len(self.values), dtype=np.int64), self.values)

    def minus(self, other: FiniteSet) -> FiniteSet:
        """The members that the other set lacks, in this set's order."""
        return FiniteSet([value for value in self if value not in other])

    def union(self, other: FiniteSet) -> FiniteSet:
        """This set's members, then the other's that are new."""
        mine, theirs = self.values, other.values
        if isinstance(mine, range) and isinstance(theirs, range) and mine.stop == theirs.start:
            check_size(len(mine) + len(theirs))
            return FiniteSet(range(mine.start, theirs.stop))
        return FiniteSet(itertools.chain(self, other))


def product(parts: Sequence[FiniteSet]) -> FiniteSet:
    """All tuples, flat: A * B * C has triples."""
    size = math.prod(len(part) for part in parts)
    check_size(size, "a product")
    if size * len(parts) > MAX_PARTS:
        raise SetTooLarge(f"a product of {size:,} tuples of {len(parts)} parts is too large")
    return FiniteSet(flat_tuples(parts))


_ENOUGH = 100
"""So many members already make too many tuples or subsets."""


def power_size(members: int, times: int) -> int:
    """How many tuples of so many members there are, or enough to refuse them."""
    return members ** min(times, _ENOUGH) if members > 1 else 1


def power(of: FiniteSet, times: int) -> FiniteSet:
    """All tuples of so many members, flat; the first power is the set itself."""
    if times == 1:
        return of
    size = power_size(len(of), times)
    check_size(size, "a power")
    if size * times > MAX_PARTS:
        raise SetTooLarge(f"a power of {size:,} tuples of {times:,} parts is too large")
    return product([of] * times)


def subsets_size(members: int, size: int) -> int:
    """How many subsets of a size there are, or enough to refuse them."""
    return math.comb(members, max(0, min(size, members - size, _ENOUGH)))


def subsets(size: int, of: FiniteSet) -> FiniteSet:
    """All subsets of the given size."""
    count = subsets_size(len(of), size)
    check_size(count, "a set of all subsets")
    if count * max(size, 10) > MAX_PARTS:
        raise SetTooLarge(f"{count:,} subsets of {size} members are too many")
    return FiniteSet([frozenset(chosen) for chosen in itertools.combinations(of, size)])
