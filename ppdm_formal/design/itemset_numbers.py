"""Numbers of itemsets: {c1 < c2 < ... < ck} is number C(c1, 1) + C(c2, 2) + ... + C(ck, k).

This is the colexicographic order of k-sets: sets of items below n have the numbers 0 to
C(n, k) - 1, whatever n is, so a number does not change when items are added. Every number is
exact: one set at a time in Python's integers, many at a time in 64 bits, or refused.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Unsigned: TypeAlias = npt.NDArray[np.uint64]

MAX_ITEMSET = 32
"""Up to this k every C(c, i), i <= k, is reached from smaller ones, which fit in 64 bits too."""

_WORD = 1 << 64


def number_of(itemset: Collection[int]) -> int:
    """The number of one set of items.

    >>> [number_of(pair) for pair in [{0, 1}, {0, 2}, {1, 2}, {0, 3}]]
    [0, 1, 2, 3]
    """
    items = sorted(itemset)
    if any(a == b for a, b in pairwise(items)) or (items and items[0] < 0):
        raise ValueError("an itemset holds different items, numbered from 0")
    return sum(math.comb(item, place) for place, item in enumerate(items, start=1))


def itemset_of(number: int, itemset: int) -> tuple[int, ...]:
    """The set of k items with this number, in ascending order.

    >>> itemset_of(3, 2), itemset_of(10**30, 1)
    ((0, 3), (1000000000000000000000000000000,))
    """
    if number < 0 or itemset < 0 or (itemset == 0 and number > 0):
        raise ValueError(f"no set of {itemset} items has the number {number}")
    found = []
    for place in range(itemset, 0, -1):
        item = _last(number, place)
        found.append(item)
        number -= math.comb(item, place)
    return tuple(reversed(found))


def _last(number: int, place: int) -> int:
    """The greatest c with C(c, i) <= number."""
    high = place
    while math.comb(high, place) <= number:
        high *= 2
    low = place - 1  # C(low, i) = 0
    while high - low > 1:
        middle = (low + high) // 2
        if math.comb(middle, place) <= number:
            low = middle
        else:
            high = middle
    return low


@lru_cache(maxsize=64)
def most_items(itemset: int) -> int:
    """The greatest n whose sets of k items all have numbers below 2^64.

    >>> most_items(2), most_items(3)
    (6074001000, 4801280)
    """
    if not 1 <= itemset <= MAX_ITEMSET:
        raise ValueError(f"numbers in 64 bits are for sets of 1 to {MAX_ITEMSET} items")
    return _last(_WORD, itemset)


def numbers_of(itemsets: npt.ArrayLike) -> Unsigned:
    """The numbers of many sets of k items: one a row, its items in any order.

    >>> numbers_of([[0, 1], [3, 0]]).tolist()
    [0, 3]
    """
    return _numbers(_rows(itemsets))


def all_numbers_of(transactions: npt.ArrayLike, itemset: int) -> Unsigned:
    """The numbers of all C(m, k) sets of k items of each transaction, one a row, ascending.

    >>> all_numbers_of([[5, 0, 2]], 2).tolist()
    [[1, 10, 12]]
    """
    rows = _rows(transactions)
    size = rows.shape[1]
    if not 1 <= itemset <= size:
        raise ValueError(f"transactions of {size} items hold no sets of {itemset} items")
    # Colex order of places is colex order of the items at them.
    places = sorted(combinations(range(size), itemset), key=lambda places: places[::-1])
    chosen = rows[:, np.array(places, dtype=np.int64)]
    return _numbers(chosen.reshape(-1, itemset)).reshape(len(rows), len(places))


def itemsets_of(numbers: npt.ArrayLike, itemset: int) -> Unsigned:
    """The sets of k items with these numbers, one a row, each in ascending order.

    >>> itemsets_of([0, 3, 12], 2).tolist()
    [[0, 1], [0, 3], [2, 5]]
    """
    left = _unsigned(numbers).ravel().copy()
    whole = math.comb(most_items(itemset), itemset)
    if left.size and int(left.max()) >= whole:
        raise ValueError(
            f"the number {int(left.max())} of a set of {itemset} items: the greatest is {whole - 1}"
        )
    found = np.empty((left.size, itemset), dtype=np.uint64)
    for place in range(itemset, 0, -1):
        items = _lasts(left, place)
        found[:, place - 1] = items
        left -= _binomials(items, place)
    return found


def _unsigned(values: npt.ArrayLike) -> Unsigned:
    """The same integers in 64 bits without sign."""
    given = np.asarray(values)
    if given.size == 0:
        return given.astype(np.uint64)
    if given.dtype.kind not in "iu":
        # Lists that mix integers on both sides of 2^63 come as floats: taken as Python integers.
        given = np.asarray(values, dtype=object)
        if not all(isinstance(value, int | np.integer) for value in given.flat):
            raise ValueError("items and numbers of itemsets are integers")
    if int(given.min()) < 0 or int(given.max()) >= _WORD:
        raise ValueError("items and numbers of itemsets are not negative and below 2^64")
    return given.astype(np.uint64)


def _rows(itemsets: npt.ArrayLike) -> Unsigned:
    """Rows of different items, sorted."""
    rows = _unsigned(itemsets)
    if rows.ndim != 2:
        raise ValueError("itemsets come one a row")
    rows = np.sort(rows, axis=1)
    if (rows[:, 1:] == rows[:, :-1]).any():
        raise ValueError("an itemset holds different items, numbered from 0")
    return rows


def _numbers(rows: Unsigned) -> Unsigned:
    size = rows.shape[1]
    most = most_items(size)
    if rows.size and int(rows.max()) >= most:
        raise ValueError(
            f"item {int(rows.max())} is too large: sets of {size} items have numbers in 64 bits "
            f"for up to {most} items"
        )
    found = np.zeros(len(rows), dtype=np.uint64)
    for place in range(1, size + 1):
        found += _binomials(rows[:, place - 1], place)
    return found


def _binomials(items: Unsigned, place: int) -> Unsigned:
    """C(c, i) for each c, exactly: C(c, t) = C(c, t - 1) (c - t + 1) / t, cancelled first."""
    found: Unsigned = np.ones(items.shape, dtype=np.uint64)
    for t in range(1, place + 1):
        step = np.uint64(t)
        common: Unsigned = np.gcd(found, step)
        # 0 where c < t, and so from there on
        factor: Unsigned = np.maximum(items, step - np.uint64(1)) - (step - np.uint64(1))
        found = found // common * (factor // (step // common))
    return found


def _lasts(numbers: Unsigned, place: int) -> Unsigned:
    """The greatest c with C(c, i) <= number, for each."""
    if place == 1 or not numbers.size:
        return numbers
    if place == 2:
        # The root in floating point is off by less than one: 8 number < 2^67.
        near = ((1 + np.sqrt(1 + 8 * numbers.astype(np.float64))) / 2).astype(np.uint64)
        near = np.minimum(near, np.uint64(most_items(2)))
        near -= _binomials(near, 2) > numbers
        near += _binomials(np.minimum(near + np.uint64(1), np.uint64(most_items(2))), 2) <= numbers
        return near
    # From i = 3 on there are few c; their binomial coefficients are listed.
    known = _listed(_last(int(numbers.max()), place) + 1, place)
    return (np.searchsorted(known, numbers, side="right") - 1).astype(np.uint64)


@lru_cache(maxsize=8)
def _listed(count: int, place: int) -> Unsigned:
    """C(c, i) for c = 0..count - 1."""
    return _binomials(np.arange(count, dtype=np.uint64), place)
