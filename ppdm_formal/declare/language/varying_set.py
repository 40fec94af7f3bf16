"""Sets that vary from world to world.

A set that differs from a constant one by a few elements (Number without x) is kept as that
constant set and its edits, so that it is never written out for each x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ppdm_formal.declare.language.columns import (
    Coded,
    Column,
    Const,
    Index,
    Ints,
    Mask,
    apply,
    apply_two,
    check_worlds,
    coded,
    fast_integers,
    settle,
    take,
    truth_mask,
)
from ppdm_formal.declare.language.finite_set import MAX_PARTS, FiniteSet
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.matrix import pair_codes

_MAX_SETS = 100_000
"""Most different sets written out at once."""


@dataclass(frozen=True)
class Edited:
    """A constant set with elements taken out ("-") and put in ("+"), in that order."""

    base: FiniteSet
    edits: tuple[tuple[str, Column], ...]


Sets: TypeAlias = Const | Coded | Edited
"""A set in each world: Const and Coded hold FiniteSets."""


def contains(sets: Sets, element: Column, size: int) -> Mask:
    """Whether each world's element is in its set."""
    if isinstance(sets, Edited):
        inside = contains(Const(sets.base), element, size)
        for sign, column in sets.edits:
            inside = np.where(same(column, element, size), sign == "+", inside)
        return inside
    if (
        isinstance(sets, Const)
        and isinstance(sets.value.values, range)
        and isinstance(element, Ints)
    ):
        numbers = sets.value.values
        return (element.values >= numbers.start) & (element.values < numbers.stop)
    mask = truth_mask(apply_two(element, sets, size, lambda value, within: value in within), size)
    assert mask is not None
    return mask


def same(first: Column, second: Column, size: int) -> Mask:
    """Where two columns hold equal values."""
    quick = fast_integers("==", first, second)
    found = apply_two(first, second, size, lambda a, b: bool(a == b)) if quick is None else quick
    mask = truth_mask(found, size)
    assert mask is not None
    return mask


def check_distinct(first: Column, second: Column, size: int, members: int = 1) -> None:
    """Do not write out a set for each of too many pairs of values."""
    if isinstance(first, Const) and isinstance(second, Const):
        return
    left, right = coded(first, size), coded(second, size)
    _, pairs, _ = pair_codes(left.codes, len(left.values), right.codes, len(right.values))
    check_worlds(pairs.size, _MAX_SETS)
    check_worlds(pairs.size * members, MAX_PARTS // 2)


def combine_sets(
    first: Const | Coded,
    second: Const | Coded,
    size: int,
    function: Callable[[FiniteSet, FiniteSet], FiniteSet],
    members: Callable[[int, int], int] = lambda a, b: a + b,
) -> Const | Coded:
    """A set made of two, written out once a distinct pair; `members` bounds its size."""
    largest = [max(map(len, coded(sets, size).values)) for sets in (first, second)]
    check_distinct(first, second, size, members(*largest))
    found = apply_two(first, second, size, function)
    assert isinstance(found, (Const, Coded))
    return found


def written_out(sets: Sets, size: int) -> Const | Coded:
    """The set of each world as a FiniteSet, for what has no quicker way."""
    if not isinstance(sets, Edited):
        return sets
    current: Const | Coded = Const(sets.base)
    for sign, column in sets.edits:
        singles = apply(column, size, lambda value: FiniteSet([value]))
        assert isinstance(singles, (Const, Coded))
        change = FiniteSet.union if sign == "+" else FiniteSet.minus
        current = combine_sets(current, singles, size, change)
    return current


def as_sets(column: Column, size: int) -> Const | Coded | None:
    """A column whose values are sets (subsets(k of A)) as FiniteSets; None for other values."""
    values = (
        [column.value]
        if isinstance(column, Const)
        else (column.values if isinstance(column, Coded) else [None])
    )
    if not all(isinstance(value, frozenset) for value in values):
        return None
    found = apply(column, size, lambda value: FiniteSet(sorted(value, key=show_value)))
    assert isinstance(found, (Const, Coded))
    return found


def single(value: Column) -> Edited:
    """The set of one value in each world."""
    return Edited(FiniteSet([]), (("+", value),))


def only_member(sets: Sets) -> Column | None:
    """The value of a set made by `single`; None for other sets."""
    if isinstance(sets, Edited) and not len(sets.base) and len(sets.edits) == 1:
        return sets.edits[0][1]
    return None


def changes(sets: Edited, size: int) -> list[tuple[Column, Index]]:
    """Each edited element, with 1 where it joins the constant set, -1 where it leaves it."""
    found: list[tuple[Column, Index]] = []
    for position, (_, column) in enumerate(sets.edits):
        before = contains(Const(sets.base), column, size).astype(np.int64)
        change = contains(sets, column, size).astype(np.int64) - before
        for _, earlier in sets.edits[:position]:
            change[same(earlier, column, size)] = 0
        found.append((column, change))
    return found


def sizes(sets: Sets, size: int) -> Column:
    """How many members each world's set has."""
    if only_member(sets) is not None:
        return Const(1)
    if isinstance(sets, Edited):
        counts = np.full(size, len(sets.base), dtype=np.int64)
        for _, change in changes(sets, size):
            counts += change
        return settle(coded(Ints(counts), size))
    return apply(sets, size, len)


def in_both(first: Sets, second: Sets, size: int) -> Any:
    """A value that is in both sets of some world, or None."""
    for one, other in ((first, second), (second, first)):
        value = only_member(one)
        if value is not None:
            where = np.flatnonzero(contains(other, value, size))
            return coded(take(value, where[:1]), 1).values[0] if where.size else None

    def common(a: FiniteSet, b: FiniteSet) -> Any:
        fewer, more = (a, b) if len(a) <= len(b) else (b, a)
        return next((value for value in fewer if value in more), None)

    shared = apply_two(written_out(first, size), written_out(second, size), size, common)
    return next((value for value in coded(shared, size).values if value is not None), None)
