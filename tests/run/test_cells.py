"""Cells: what names a value of a domain, what does not and why."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.run.cells import EMPTY, NAN, OUTSIDE, Cells, spelled
from ppdm_formal.run.errors import DataError

NUMBERS = Domain(range(-2, 5))
LABELS = Domain(["yes", "no", "Don't know", "NaN", " x"])
TUPLES = Domain([(0, "a"), (1, "b"), ((1, 2), 3), frozenset(), frozenset({1, 12}), "plain", 7])


@pytest.mark.parametrize(
    ("domain", "cell", "expected"),
    [
        (NUMBERS, "0", 2),
        (NUMBERS, "-2", 0),
        (NUMBERS, "+3", 5),
        (NUMBERS, " 003 ", 5),
        (NUMBERS, "4.0", 6),
        (NUMBERS, "4.", 6),
        (NUMBERS, "-0", 2),
        (NUMBERS, "4.5", OUTSIDE),
        (NUMBERS, "5", OUTSIDE),
        (NUMBERS, "-3", OUTSIDE),
        (NUMBERS, "4e0", OUTSIDE),
        (NUMBERS, "0x1", OUTSIDE),
        (NUMBERS, "1_0", OUTSIDE),
        (NUMBERS, "٣", OUTSIDE),
        (NUMBERS, "9" * 10_000, OUTSIDE),
        (NUMBERS, "1 2", OUTSIDE),
        (NUMBERS, "True", OUTSIDE),
        (NUMBERS, "", EMPTY),
        (NUMBERS, " \t", EMPTY),
        (NUMBERS, "nan", NAN),
        (NUMBERS, "NaN", NAN),
        (NUMBERS, "-nan", NAN),
        (LABELS, "yes", 0),
        (LABELS, "  yes ", 0),
        (LABELS, "Yes", OUTSIDE),
        (LABELS, "Don't know", 2),
        (LABELS, "NaN", 3),
        (LABELS, "nan", NAN),
        (LABELS, " x", 4),
        (LABELS, "x", OUTSIDE),
        (LABELS, "", EMPTY),
        (Domain(["7", "a, b", '"x"']), "7", 0),
        (Domain(["7", "a, b", '"x"']), "a, b", 1),
        (Domain(["7", "a, b", '"x"']), '"x"', 2),
        (Domain(["7", "a, b", '"x"']), "x", OUTSIDE),
        (TUPLES, "(0, a)", 0),
        (TUPLES, "(0,a)", 0),
        (TUPLES, " ( 0 ,a ) ", 0),
        (TUPLES, "(a, 0)", OUTSIDE),
        (TUPLES, "((1,2), 3)", 2),
        (TUPLES, "{}", 3),
        (TUPLES, "{1, 12}", 4),
        (TUPLES, "{12,1}", 4),
        (TUPLES, "{12,1,1}", 4),
        (TUPLES, "{112}", OUTSIDE),
        (TUPLES, "{1, 12", OUTSIDE),
        (TUPLES, "{1, 12)", OUTSIDE),
        (TUPLES, "{1,, 12}", OUTSIDE),
        (TUPLES, "{1, 12,}", OUTSIDE),
        (TUPLES, "(0, a)(0, a)", OUTSIDE),
        (TUPLES, "(0, a), (0, a)", OUTSIDE),
        (TUPLES, "(0, a)x", OUTSIDE),
        (TUPLES, "0, a", OUTSIDE),
        (TUPLES, "plain", 5),
        (TUPLES, "7.0", 6),
        (TUPLES, "(" * 5000, OUTSIDE),
    ],
)
def test_a_cell_names_a_value_or_says_why_not(domain, cell, expected):
    assert Cells(domain).positions([cell]).tolist() == [expected]


values = st.recursive(
    st.integers(-20, 20) | st.text("abc", min_size=1, max_size=3),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=4,
)


@given(st.lists(values, min_size=1, max_size=8, unique_by=spelled))
def test_what_is_spelled_is_read_back(listed):
    cells = Cells(Domain(listed))
    assert cells.positions(cells.texts).tolist() == list(range(len(listed)))


@given(
    st.sampled_from(
        [Domain(range(-3, 4)), Domain([5, -1, 900, 2**62]), Domain(range(2**40, 2**40 + 5))]
    ),
    st.lists(st.integers(-10, 1000) | st.integers(-(2**63), 2**63 - 1), max_size=20),
)
def test_numbers_and_their_texts_agree(domain, numbers):
    cells = Cells(domain)
    expected = [domain.index(n) if n in domain else OUTSIDE for n in numbers]
    assert cells.positions(map(str, numbers)).tolist() == expected
    assert cells.positions_of_numbers(np.array(numbers, dtype=np.int64)).tolist() == expected


def test_floats_count_where_they_are_whole():
    cells = Cells(Domain(range(3)))
    given = np.array([0.0, -0.0, 1.0, 1.5, np.nan, np.inf, -np.inf, 1e300, 2.0**63])
    expected = [0, 0, 1, OUTSIDE, NAN, OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE]
    assert cells.positions_of_numbers(given).tolist() == expected


def test_large_unsigned_numbers_do_not_wrap():
    cells = Cells(Domain(range(-5, 3)))
    given = np.array([2, 2**64 - 1, 2**63], dtype=np.uint64)
    assert cells.positions_of_numbers(given).tolist() == [7, OUTSIDE, OUTSIDE]


@pytest.mark.parametrize(
    ("domain", "why"),
    [
        (Domain([5, "5"]), "spelled alike"),
        (Domain([("a, b",), "x"]), "comma"),
        (Domain([frozenset({" a"})]), "blanks"),
        (Domain([(("(",),)]), "bracket"),
        (Subsets(1000, 5), "--plan"),
        (Subsets(30), "--plan"),
        (Domain(range(2**24 + 1)), "too many"),
    ],
)
def test_domains_that_cells_cannot_name_are_refused(domain, why):
    with pytest.raises(DataError, match=why):
        Cells(domain)


def test_small_domains_of_sets_are_columns_too():
    cells = Cells(Subsets(4, 2))
    assert cells.positions(["{0, 1}", "{3,2}", "{0}"]).tolist() == [0, 5, OUTSIDE]


def test_distinct_cells_do_not_fill_the_memory():
    cells = Cells(Domain(range(3)))
    cells._known.update(dict.fromkeys(map(str, range(10, 10 + (1 << 18))), OUTSIDE))
    before = len(cells._known)
    assert cells.positions(["1", "x"]).tolist() == [1, OUTSIDE]
    assert len(cells._known) == before
    cells = Cells(Domain(range(3)))
    assert cells.positions(["x" * 1000, " " * 1000 + "1"]).tolist() == [OUTSIDE, 1]
    assert len(cells._known) == 0
