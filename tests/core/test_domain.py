"""Domains: ordered finite sets, ranges unexpanded."""

from __future__ import annotations

import pytest
from core_strategies import SOME
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.operators.canonical import LONG, value_json
from ppdm_formal.declare.operators.domain import Domain, product, show_value

VALUES = st.one_of(
    st.integers(-5, 5),
    st.sampled_from(["a", "b", "<b>"]),
    st.tuples(st.integers(0, 2), st.sampled_from("xy")),
)


@SOME
@given(
    st.lists(VALUES, min_size=1, max_size=8, unique=True), VALUES, st.randoms(use_true_random=False)
)
def test_a_domain_is_the_list_of_its_values(values, other, random):
    domain = Domain(values)
    assert list(domain) == values
    assert [domain.index(value) for value in values] == list(range(len(values)))
    assert (other in domain) == (other in values)
    if other not in values:
        with pytest.raises(ValueError, match="is not in"):
            domain.index(other)
    shuffled = random.sample(values, len(values))
    assert (Domain(shuffled) == domain) == (shuffled == values)
    assert Domain(shuffled).same_members(domain)
    assert not Domain([*values, "new"]).same_members(domain)
    assert domain[0] == values[0]
    assert domain[-1] == values[-1]
    assert tuple(domain[1:]) == tuple(values[1:])


def test_ranges_stay_unexpanded():
    huge = Domain(range(10**15))
    assert huge.size == 10**15
    assert huge.index(10**14) == 10**14
    assert 10**15 not in huge
    assert str(huge) == f"0..{10**15 - 1}"
    assert Domain(huge).integers == range(10**15)
    assert Domain(range(0, 6, 2)).integers is None


def test_ranges_and_lists_of_the_same_numbers_are_equal():
    assert Domain(range(3)) == Domain([0, 1, 2])
    assert hash(Domain(range(3))) == hash(Domain([0, 1, 2]))
    assert Domain(range(3)) != Domain([0, 2, 1])
    assert Domain(range(3)) != [0, 1, 2]


@pytest.mark.parametrize("domain", [Domain(range(3)), Domain([0, 1, "a"])])
def test_truth_values_are_not_numbers(domain):
    assert True not in domain
    with pytest.raises(ValueError, match="True is not in"):
        domain.index(True)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([], ValueError),
        (range(0), ValueError),
        ([1, 1], ValueError),
        ([0.5], TypeError),
        ([True], TypeError),
    ],
)
def test_bad_domains_are_refused(values, error):
    with pytest.raises(error):
        Domain(values)


def test_products_are_flat():
    pairs = product([Domain([1, 2]), Domain("ab")])
    assert list(pairs) == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert product([pairs, Domain([9])])[0] == (1, "a", 9)


NESTED = st.recursive(
    st.integers(-3, 3)
    | st.sampled_from(["a", "1", "-1", "1, 1", "(1)", "", " a", "if", '"', "\\"]),
    lambda parts: st.lists(parts, max_size=2).map(tuple) | st.frozensets(parts, max_size=2),
    max_leaves=4,
)


@given(NESTED, NESTED)
def test_no_two_values_look_alike(first, second):
    assert (show_value(first) == show_value(second)) == (first == second)


def test_labels_that_mislead_are_quoted():
    assert show_value("1") == '"1"'
    assert show_value("50%") == '"50%"'
    assert show_value("18-24") == "18-24"
    assert show_value('a"b\\') == '"a\\"b\\\\"'
    assert show_value("größe_2") == "größe_2"
    assert show_value(("1", "<=50K"), quoted=False) == "(1, <=50K)"
    assert show_value(10**5000) == hex(10**5000)
    with pytest.raises(ValueError, match=r'"1" is not in 0\.\.1'):
        Domain(range(2)).index("1")


def test_values_as_people_write_them():
    assert show_value((1, "a", frozenset([2, 1]))) == "(1, a, {1, 2})"
    assert str(Domain("abcdefgh")) == "{a, b, c, d, e, f, ... 8 values}"
    assert str(Domain(range(5), "Small")) == "Small"


def test_only_sets_of_more_than_a_thousand_integers_are_written_in_runs():
    assert list(value_json(frozenset(range(LONG)))) == ["set"]
    assert value_json(frozenset(range(LONG + 1))) == {"runs": [[0, LONG]]}
