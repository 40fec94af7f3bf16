"""Baskets at hand, histograms of sizes, and requests for plans."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.design import at_hand
from ppdm_formal.design.at_hand import AtHand, TooMany
from ppdm_formal.design.request import Request, read_histogram

F = Fraction
BASKETS = st.lists(st.lists(st.integers(0, 6), max_size=6), min_size=1, max_size=30)


@given(BASKETS, st.integers(1, 4), st.integers(0, 6))
def test_frequent_itemsets_are_counted(baskets, k, least):
    found = AtHand.of(7, baskets).frequent(k, least)
    sets = [set(basket) for basket in baskets]
    expected = {}
    for size in range(1, k + 1):
        for itemset in itertools.combinations(range(7), size):
            count = sum(set(itemset) <= held for held in sets)
            if count >= max(1, least):
                expected[itemset] = count
    assert found == expected


@given(BASKETS, st.permutations(range(7)), st.integers(0, 7))
def test_projections_keep_the_chosen_items(baskets, order, count):
    chosen = order[:count]
    data = AtHand.of(7, baskets).projected(chosen)
    assert data.items == count
    rows = [data.members[a:b].tolist() for a, b in itertools.pairwise(data.offsets)]
    assert rows == [sorted(chosen.index(i) for i in set(b) if i in chosen) for b in baskets]
    sizes = [len(row) for row in rows]
    assert data.histogram == {m: sizes.count(m) for m in sorted(set(sizes))}


def test_too_many_candidates_are_not_counted(monkeypatch):
    monkeypatch.setattr(at_hand, "MAX_CANDIDATES", 20)
    data = AtHand.of(7, [range(7)])
    assert len(data.frequent(1, 1)) == 7
    with pytest.raises(TooMany, match="21 itemsets of 2 items"):
        data.frequent(2, 1)


def test_no_baskets_at_all():
    empty = AtHand(3, np.empty(0, dtype=np.int64), np.zeros(1, dtype=np.int64))
    assert (len(empty), empty.histogram, empty.frequent(2, 1)) == (0, {}, {})


@pytest.mark.parametrize(
    "text",
    [
        "1,30\n2,12\n",
        "size,count\r\n1,30\r\n2,12\r\n",
        "\ufeffsize;count\n1;30\n2;12",
        "# sizes\n\n2 12\n1\t30\n3,0\n",
        '"size","count"\n"1","30"\n"2","12"\n',
    ],
)
def test_histograms_are_read(text):
    assert read_histogram(text) == {1: 30, 2: 12}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no baskets"),
        ("size,count\n", "no baskets"),
        ("1,0\n", "no baskets"),
        ("1,30\n1,2\n", "line 2: size 1 again"),
        ("1,30\nsize,count\n", "line 2: not a size"),
        ("1;30;4\n", "line 1: not a size"),
        ("-1,30\n", "line 1: not a size"),
        ("1,3.5\n", "line 1: not a size"),
        ("1,99999999999999\n", "line 1: not a size"),
        ("1,9999999999999\n", "line 1: sizes go up"),
        ("9999999,1\n", "line 1: sizes go up"),
        ("٣,٣\n", "line 1: not a size"),
    ],
)
def test_other_histograms_are_refused(text, says):
    with pytest.raises(ValueError, match=says):
        read_histogram(text)


def request(**change):
    given = {"rho1": F(1, 20), "rho2": F(1, 2), "histogram": {0: 5, 2: 7, 4: 1}, "itemsets": 2}
    return Request(**given | change)


def test_longer_baskets_are_counted_with_the_longest():
    assert request().sizes == {2: 7, 4: 1}
    assert request(longest=3).sizes == {2: 7, 3: 1}
    assert request(longest=2).sizes == {2: 8}
    assert (request().clients, request().largest) == (13, 4)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"histogram": {}}, "needs baskets"),
        ({"histogram": {2: 0}}, "needs baskets"),
        ({"histogram": {-1: 2}}, "needs baskets"),
        ({"histogram": {0: 3}}, "all baskets are empty"),
        ({"histogram": {2: 10**13}}, "at most 1,000,000,000,000"),
        (
            {"histogram": {3: 5, 2000: 1}},
            "baskets of 2,000 items: plans take up to 1,000; --longest",
        ),
        ({"items": 3}, "baskets of 4 items, and of 3 items in all"),
        ({"itemsets": 5}, "fit in no transaction: the largest size is 4"),
        ({"longest": 1}, "fit in no transaction: the largest size is 1"),
        ({"longest": 3, "hidden": "pad"}, "padding takes baskets up to the largest, of 4"),
    ],
)
def test_requests_that_cannot_be_met(change, says):
    with pytest.raises(ValueError, match=says):
        request(**change)
