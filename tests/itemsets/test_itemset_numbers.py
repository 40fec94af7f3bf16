"""Numbers of itemsets: colexicographic order, both ways, exact up to the last bit."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.design.itemset_numbers import (
    MAX_ITEMSET,
    all_numbers_of,
    itemset_of,
    itemsets_of,
    most_items,
    number_of,
    numbers_of,
)


def colex(items: int, k: int) -> list[tuple[int, ...]]:
    """All k-sets, compared by their largest items first."""
    return sorted(combinations(range(items), k), key=lambda s: s[::-1])


@pytest.mark.parametrize("k", range(1, 8))
def test_the_order_is_colexicographic(k):
    listed = colex(8, k)
    assert [number_of(s) for s in listed] == list(range(len(listed)))
    assert [itemset_of(i, k) for i in range(len(listed))] == listed
    assert numbers_of(listed).tolist() == list(range(len(listed)))
    assert list(map(tuple, itemsets_of(range(len(listed)), k).tolist())) == listed


def test_numbers_do_not_depend_on_how_many_items_there_are():
    assert [number_of(s) for s in colex(9, 3)][: math.comb(6, 3)] == [
        number_of(s) for s in colex(6, 3)
    ]


@pytest.mark.parametrize("k", range(1, MAX_ITEMSET + 1))
def test_both_ways_at_the_ends_of_64_bits(k):
    n = most_items(k)
    assert math.comb(n, k) <= 2**64 < math.comb(n + 1, k)
    last = tuple(range(n - k, n))
    assert numbers_of([last]).tolist() == [math.comb(n, k) - 1] == [number_of(last)]
    ends = [0, 1, math.comb(n, k) - 1, math.comb(n, k) - 2, math.comb(n - 1, k), 1 << 53]
    ends += [math.comb(n - 1, k) - 1, 2**63 - 1, 2**63]
    known = [e for e in ends if 0 <= e < math.comb(n, k)] if k < 3 or n < 10**5 else [0, 1, 2**40]
    back = itemsets_of(known, k)
    assert [tuple(row) for row in back.tolist()] == [itemset_of(e, k) for e in known]
    assert numbers_of(back).tolist() == known


@given(st.integers(2, 6), st.data())
def test_back_and_forth(k, data):
    top = min(most_items(k), 20_000)
    sets = data.draw(
        st.lists(st.lists(st.integers(0, top - 1), min_size=k, max_size=k, unique=True), min_size=1)
    )
    numbers = numbers_of(sets)
    assert numbers.tolist() == [number_of(s) for s in sets]
    assert itemsets_of(numbers, k).tolist() == [sorted(s) for s in sets]


@given(st.integers(0, math.comb(6_074_001_000, 2) - 1))
def test_pairs_anywhere_in_64_bits(number):
    pair = itemsets_of([number], 2)
    assert tuple(pair[0].tolist()) == itemset_of(number, 2)
    assert numbers_of(pair).tolist() == [number]


@given(st.integers(0, 10**60), st.integers(1, 12))
def test_one_at_a_time_has_no_limit(number, k):
    assert number_of(itemset_of(number, k)) == number


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_all_sets_of_a_transaction(k):
    rows = np.array([[9, 3, 4, 0, 7], [1, 2, 3, 4, 5]])
    found = all_numbers_of(rows, k)
    for row, numbers in zip(rows, found.tolist(), strict=True):
        expected = sorted(number_of(s) for s in combinations(row.tolist(), k))
        assert numbers == expected


def test_no_rows():
    assert numbers_of(np.zeros((0, 3), dtype=np.int64)).shape == (0,)
    assert itemsets_of([], 3).shape == (0, 3)
    assert all_numbers_of(np.zeros((0, 4), dtype=np.int64), 2).shape == (0, 6)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: number_of([1, 1]), "different items"),
        (lambda: number_of([-1, 1]), "different items"),
        (lambda: itemset_of(-1, 2), "no set of 2 items"),
        (lambda: itemset_of(1, 0), "no set of 0 items"),
        (lambda: numbers_of([[1, 1]]), "different items"),
        (lambda: numbers_of([[-1, 1]]), "not negative"),
        (lambda: numbers_of([[0.5, 1]]), "integers"),
        (lambda: numbers_of([1, 2]), "one a row"),
        (lambda: numbers_of([[0, 2**64]]), "below 2\\^64"),
        (lambda: numbers_of([[0, most_items(2)]]), "too large"),
        (lambda: numbers_of([list(range(33))]), "1 to 32 items"),
        (lambda: itemsets_of([2**64 - 1], 3), "the greatest is"),
        (lambda: itemsets_of([1.5], 3), "integers"),
        (lambda: itemsets_of([1], 33), "1 to 32 items"),
        (lambda: all_numbers_of([[1, 2]], 3), "hold no sets of 3"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(ValueError, match=said):
        call()
