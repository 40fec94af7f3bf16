"""Kernels of code tables: covering transactions, and what one more or one less itemset changes.

Written in the part of Python that numba compiles; without numba they run as they are, slowly.
Callers ignore overflow, which the products below rely on.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import part_of_kernels
from ppdm_formal.infer.baskets.kernels import Counts, Numbers, Words

Floats: TypeAlias = npt.NDArray[np.float64]

LEAST_GAIN = 1e-7
"""Bits below which a gain is taken for rounding."""

_0, _1 = np.uint64(0), np.uint64(1)
_SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
_58 = np.uint64(58)
_PLACE = np.zeros(64, dtype=np.int64)
with np.errstate(over="ignore"):
    for _bit in range(64):
        _PLACE[int((_SEQUENCE << np.uint64(_bit)) >> _58)] = _bit


class State(NamedTuple):
    """A database, and the code table that covers it; elements 0..n-1 are the single items.

    held[r, :many[r]]: the elements of two or more items that row r holds, in cover order.
    change, marked and touched: what adding or removing one element would do to the usages.
    """

    rows: Words
    """rows[r, w]: the items of distinct transaction r, as bits."""
    weights: Counts
    """How often each occurs."""
    columns: Words
    """columns[i, w]: which rows hold item i, as bits."""
    bits: Words
    """bits[e, w]: the items of element e."""
    sizes: Counts
    supports: Counts
    standard: Floats
    """Bits of an element's items in the standard code table."""
    usage: Counts
    held: Numbers
    many: Counts
    change: Counts
    marked: npt.NDArray[np.bool_]
    touched: Numbers


@part_of_kernels
def inside(some: Words, rest: Words) -> bool:
    """Whether all items of `some` are in `rest`."""
    missing = _0
    for word in range(some.shape[0]):
        missing |= some[word] & ~rest[word]
    return bool(missing == _0)


@part_of_kernels
def before(state: State, one: int, other: int) -> bool:
    """Standard cover order: longer first, then by support, then lexicographically."""
    if state.sizes[one] != state.sizes[other]:
        return bool(state.sizes[one] > state.sizes[other])
    if state.supports[one] != state.supports[other]:
        return bool(state.supports[one] > state.supports[other])
    for word in range(state.bits.shape[1]):
        differ = state.bits[one, word] ^ state.bits[other, word]
        if differ != _0:
            lowest = differ & (~differ + _1)
            return bool(state.bits[one, word] & lowest != _0)
    return False


@part_of_kernels
def alter(state: State, element: int, by: int, touched: int) -> int:
    """Note a change of usage; back comes how many elements have been touched."""
    if not state.marked[element]:
        state.marked[element] = True
        state.touched[touched] = element
        touched += 1
    state.change[element] += by
    return touched


@part_of_kernels
def alter_singles(state: State, old: Words, new: Words, weight: int, touched: int) -> int:
    """What is left over is covered by single items: the difference of two such rests."""
    for word in range(old.shape[0]):
        differ = old[word] ^ new[word]
        while differ != _0:
            lowest = differ & (~differ + _1)
            item = 64 * word + _PLACE[(lowest * _SEQUENCE) >> _58]
            touched = alter(state, item, -weight if old[word] & lowest else weight, touched)
            differ ^= lowest
    return touched


@part_of_kernels
def rows_with(state: State, element: int, found: Words) -> None:
    """Which rows hold all items of an element, as bits."""
    first = True
    for word in range(state.bits.shape[1]):
        left = state.bits[element, word]
        while left != _0:
            lowest = left & (~left + _1)
            column = state.columns[64 * word + _PLACE[(lowest * _SEQUENCE) >> _58]]
            left ^= lowest
            if first:
                for at in range(found.shape[0]):
                    found[at] = column[at]
                first = False
            else:
                for at in range(found.shape[0]):
                    found[at] &= column[at]


def support(state: State, element: int) -> int:
    """How many transactions hold an element."""
    found = np.empty(state.columns.shape[1], dtype=np.uint64)
    rows_with(state, element, found)
    total = 0
    for word in range(found.shape[0]):
        left = found[word]
        while left != _0:
            lowest = left & (~left + _1)
            total += state.weights[64 * word + _PLACE[(lowest * _SEQUENCE) >> _58]]
            left ^= lowest
    return total


@part_of_kernels
def changed(state: State, element: int, adding: bool, found: Words) -> int:
    """What usages become with the element added, or removed; back comes how many change.

    Only rows that hold it can change, and only from its place in cover order on.
    """
    words = state.rows.shape[1]
    old, new = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    bits = state.bits[element]
    touched = 0
    rows_with(state, element, found)
    for block in range(found.shape[0]):
        left = found[block]
        while left != _0:
            lowest = left & (~left + _1)
            row = 64 * block + _PLACE[(lowest * _SEQUENCE) >> _58]
            left ^= lowest
            for word in range(words):
                old[word] = state.rows[row, word]
            at = 0
            while at < state.many[row] and before(state, state.held[row, at], element):
                some = state.bits[state.held[row, at]]
                if inside(some, old):
                    for word in range(words):
                        old[word] &= ~some[word]
                at += 1
            if not inside(bits, old):
                continue
            weight = state.weights[row]
            touched = alter(state, element, weight if adding else -weight, touched)
            for word in range(words):
                new[word] = old[word]
                if adding:
                    new[word] &= ~bits[word]
                else:
                    old[word] &= ~bits[word]
            if not adding:
                at += 1
            while at < state.many[row]:
                other = state.held[row, at]
                some = state.bits[other]
                was, is_now = inside(some, old), inside(some, new)
                if was:
                    for word in range(words):
                        old[word] &= ~some[word]
                if is_now:
                    for word in range(words):
                        new[word] &= ~some[word]
                if was != is_now:
                    touched = alter(state, other, -weight if was else weight, touched)
                at += 1
            touched = alter_singles(state, old, new, weight, touched)
    return touched


@part_of_kernels
def worth(usage: int, standard: float) -> float:
    """What an element adds to -L: (u + 1) log2(u) less its items' standard codes; 0 if unused."""
    if usage == 0:
        return 0.0
    return float((usage + 1) * np.log2(usage) - standard)


@part_of_kernels
def growth(state: State, touched: int, total: int, used: int) -> float:
    """By how many bits L = (U + k) log2(U) - sum of worths grows with the changes noted.

    U: the sum of usages, k: how many elements are used at all.
    """
    worths = 0.0
    total_now, used_now = total, used
    for at in range(touched):
        element = state.touched[at]
        was = state.usage[element]
        now = was + state.change[element]
        worths += worth(now, state.standard[element]) - worth(was, state.standard[element])
        total_now += now - was
        used_now += (1 if now > 0 else 0) - (1 if was > 0 else 0)
    before_it = (total + used) * np.log2(total)
    return float((total_now + used_now) * np.log2(total_now) - before_it - worths)


@part_of_kernels
def forget(state: State, touched: int) -> None:
    """Drop the changes noted."""
    for at in range(touched):
        element = state.touched[at]
        state.change[element] = 0
        state.marked[element] = False


def tried(state: State, element: int, adding: bool, total: int, used: int) -> tuple[int, float]:
    """How many usages change with an element added or removed, and by how many bits L grows.

    The changes stay noted; `settle` ends them.
    """
    found = np.empty(state.columns.shape[1], dtype=np.uint64)
    touched = changed(state, element, adding, found)
    return touched, growth(state, touched, total, used)


def next_gain(
    state: State,
    candidates: Words,
    sizes: Counts,
    supports: Counts,
    standard: Floats,
    start: int,
    spot: int,
    total: int,
    used: int,
) -> tuple[int, int, float]:
    """The first candidate from `start` on that makes L smaller, put at `spot`.

    Back come its number (that of all candidates if there is none), how many usages change, and
    the growth; the changes stay noted.
    """
    found = np.empty(state.columns.shape[1], dtype=np.uint64)
    for number in range(start, candidates.shape[0]):
        state.bits[spot, :] = candidates[number]
        state.sizes[spot] = sizes[number]
        state.supports[spot] = supports[number]
        state.standard[spot] = standard[number]
        touched = changed(state, spot, True, found)
        if touched == 0:
            continue
        grown = growth(state, touched, total, used)
        if grown < -LEAST_GAIN:
            return number, touched, grown
        forget(state, touched)
    return candidates.shape[0], 0, 0.0


def settle(state: State, element: int, adding: bool, touched: int) -> None:
    """Make the changes noted, and add the element to the rows that hold it, or take it away."""
    for at in range(touched):
        state.usage[state.touched[at]] += state.change[state.touched[at]]
    forget(state, touched)
    found = np.empty(state.columns.shape[1], dtype=np.uint64)
    rows_with(state, element, found)
    for block in range(found.shape[0]):
        left = found[block]
        while left != _0:
            lowest = left & (~left + _1)
            row = 64 * block + _PLACE[(lowest * _SEQUENCE) >> _58]
            left ^= lowest
            at = 0
            while at < state.many[row] and before(state, state.held[row, at], element):
                at += 1
            if adding:
                for place in range(state.many[row], at, -1):
                    state.held[row, place] = state.held[row, place - 1]
                state.held[row, at] = element
                state.many[row] += 1
            else:
                state.many[row] -= 1
                for place in range(at, state.many[row]):
                    state.held[row, place] = state.held[row, place + 1]


def discard(state: State, touched: int) -> None:
    """Drop the changes noted by `tried`."""
    forget(state, touched)


def used_together(state: State, place: Numbers, together: Counts) -> None:
    """Add to together[a, b], a < b, how many transactions are covered with both elements.

    place[e]: the row and column of element e there.
    """
    words = state.rows.shape[1]
    rest = np.empty(words, dtype=np.uint64)
    cover = np.empty(64 * words, dtype=np.int64)
    for row in range(state.rows.shape[0]):
        many = 0
        for word in range(words):
            rest[word] = state.rows[row, word]
        for at in range(state.many[row]):
            element = state.held[row, at]
            if inside(state.bits[element], rest):
                for word in range(words):
                    rest[word] &= ~state.bits[element, word]
                cover[many] = place[element]
                many += 1
        for word in range(words):
            while rest[word] != _0:
                lowest = rest[word] & (~rest[word] + _1)
                cover[many] = place[64 * word + _PLACE[(lowest * _SEQUENCE) >> _58]]
                rest[word] ^= lowest
                many += 1
        for first in range(many):
            for second in range(first):
                one, other = cover[first], cover[second]
                if one < other:
                    together[one, other] += state.weights[row]
                else:
                    together[other, one] += state.weights[row]


def covered(rows: Words, elements: Words, covers: npt.NDArray[np.bool_]) -> None:
    """covers[r, e]: whether row r is covered with element e, the elements being in cover order."""
    words = rows.shape[1]
    rest = np.empty(words, dtype=np.uint64)
    for row in range(rows.shape[0]):
        some = _0
        for word in range(words):
            rest[word] = rows[row, word]
            some |= rest[word]
        element = 0
        while some != _0 and element < elements.shape[0]:
            if inside(elements[element], rest):
                covers[row, element] = True
                some = _0
                for word in range(words):
                    rest[word] &= ~elements[element, word]
                    some |= rest[word]
            element += 1
