"""Pairs of inputs among a crowd, in closed form, against the rows of every family.

Nothing here names a family until sizes are large: a new file in families/ is tested as it stands.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb
from unittest import mock

import pytest
from family_cases import cases, exponential, rational
from hypothesis import given, settings
from hypothesis import strategies as st
from pair_kinds_oracle import columns, is_mixture, merged, no_more_than

from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism
from ppdm_formal.declare.families.flip import flip
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.noise_on_grid import noise_on_grid
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import optimal_keep, select_a_size
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.language.families import model_families
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.design.lifted import lifted_design

F = Fraction
NAMES = model_families()
LEAST, OTHER = 2, 3


def rows_of(operator):
    matrix = operator.matrix()
    height, width = matrix.shape
    return [[matrix.entry(x, y) for y in range(width)] for x in range(height)]


def swapped(kinds):
    return [(kind[1], kind[0], *kind[2:]) for kind in kinds]


def chances_of(pair):
    """Where in its kinds the chances stand that add up to 1."""
    return (0, 1) if pair.other is None else (0, 1, OTHER)


def check_pairs(operator, exact=False):
    """Each pair is what rows say, or hides less; any two inputs are like one, or mixtures of it."""
    rows, pairs = rows_of(operator), operator.law.crowd_pairs()
    assert pairs is not None
    assert bool(pairs) == (len(rows) > 1)
    for pair in pairs:
        assert pair.first != pair.second
        true, places = columns(rows, pair.first, pair.second, pair.other), chances_of(pair)
        assert all(sum(kind[place] for kind in pair.kinds) == 1 for place in places)
        assert all(0 <= kind[LEAST] <= min(kind) for kind in pair.kinds)
        numbers = range(len(places) + 1)
        assert len(merged(pair.kinds, numbers)) == len(pair.kinds), "kinds that are one"
        assert no_more_than(pair.kinds, true, places)
        if exact:
            assert merged(pair.kinds, numbers) == merged(true, numbers)
    said = [kinds for pair in pairs for kinds in (pair.kinds, swapped(pair.kinds))]
    known = [merged(kinds, range(3)) for kinds in said]
    for one, two in itertools.permutations(range(len(rows)), 2):
        true = columns(rows, one, two)
        if merged(true, range(3)) in known:
            continue
        like = not exact and any(no_more_than(kinds, true, (0, 1)) for kinds in said)
        assert like or any(
            is_mixture(rows[one], rows[pair.first], rows[pair.second])
            and is_mixture(rows[two], rows[pair.first], rows[pair.second])
            for pair in pairs
        )


@pytest.mark.parametrize("name", NAMES)
def test_pairs_are_what_rows_show(name):
    for operator in rational(name):
        if operator.law.crowd_pairs() is not None:
            check_pairs(operator)


@pytest.mark.parametrize("name", NAMES)
def test_exponentials_are_numbers_like_others(name):
    for operator in exponential(name)[:3]:
        if operator.law.crowd_pairs() is not None and operator.inputs.size <= 4:
            check_pairs(operator)


@pytest.mark.parametrize("name", NAMES)
def test_free_parameters_are_left_to_the_rows(name):
    free = [operator for _, operator in cases(name) if operator.parameters]
    assert free
    for operator in free:
        assert operator.law.crowd_pairs() is None or all(map(is_rational, operator.law.values()))


chances = st.fractions(0, 1, max_denominator=6)
ratios = st.fractions(0, 5, max_denominator=4)


@given(st.integers(2, 6), chances)
def test_randomized_response(values, keep):
    check_pairs(randomized_response(values, keep), exact=True)


@given(st.integers(1, 5), chances, chances)
def test_unary_encoding(values, keep, flipped):
    check_pairs(unary_encoding(values, keep, flipped), exact=True)


@given(st.integers(1, 5), st.integers(2, 4), chances)
def test_local_hashing(values, buckets, keep):
    """Small ones compare their rows, which say more: here they are asked as large ones are."""
    with mock.patch("ppdm_formal.declare.families.local_hashing.MAX_COMPARED", 0):
        check_pairs(local_hashing(values, buckets, keep))


@given(st.data())
def test_subset_selection(data):
    values = data.draw(st.integers(2, 5))
    chosen = data.draw(st.integers(1, values))
    operator = subset_selection(values, data.draw(ratios), chosen)
    check_pairs(operator, exact=True)
    # Without counting, as for any number of values.
    counted, shared = operator.law.crowd_pairs(), operator.law.sets.crowd_pairs()
    assert [merged(pair.kinds, range(4)) for pair in counted] == [
        merged(pair.kinds, range(4)) for pair in shared
    ]


@given(st.integers(2, 9), ratios)
def test_hadamard_response(values, gamma):
    check_pairs(hadamard_response(values, gamma), exact=True)


@given(st.integers(2, 7), ratios)
def test_duchi_mean(values, gamma):
    check_pairs(duchi_mean(values, gamma), exact=True)


@settings(max_examples=20)
@given(st.data())
def test_lines_that_are_long_for_their_reach(data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    reach = len(weights) - 1
    values = data.draw(st.integers(8 * reach + 5, 8 * reach + 8)) if reach < 2 else 18
    if not weights[-1] and not weights[0]:
        weights[0] = 1
    check_pairs(exponential_mechanism(values, weights), exact=True)


@given(st.data())
def test_replace_items(data):
    size = data.draw(st.integers(1, 2))
    items = data.draw(st.integers(2 * size, 5))
    check_pairs(replace_items(items, size, data.draw(chances)), exact=True)


@given(st.data())
def test_select_a_size(data):
    """Exact where all transactions share items, and at the ends of rho; elsewhere b[j] is least."""
    items = data.draw(st.integers(1, 5))
    size = data.draw(st.integers(1, min(items, 3)))
    insert = data.draw(chances)
    weights = data.draw(st.lists(st.integers(0, 4), min_size=size + 1, max_size=size + 1))
    if not any(weights):
        weights[0] = 1
    keep = [F(weight, sum(weights)) for weight in weights]
    operator = select_a_size(items, size, insert, keep=keep)
    exact = items < 2 * size or insert in (0, 1)
    check_pairs(operator, exact)
    if exact:
        return
    # b[j] by the definition: outputs over what coins alone would give.
    row = rows_of(operator)[0]
    b = set()
    for t, chance in zip(operator.outputs, row, strict=True):
        b.add(chance / (insert ** len(t) * (1 - insert) ** (items - len(t))))
    for pair in operator.law.crowd_pairs():
        for kind in pair.kinds:
            assert kind[0] == 0 or kind[LEAST] / kind[0] in {min(b) / one for one in b if one}


@given(st.integers(1, 3), st.data())
def test_more_items_show_the_same_of_transactions(size, data):
    """So that what holds on twice as many items as they have holds on any number."""
    insert = data.draw(st.fractions(F(1, 8), F(7, 8), max_denominator=8))
    cutoff = data.draw(st.integers(0, size - 1))
    found = []
    for items in (2 * size, 3 * size, 5 * size, 40):
        pairs = select_a_size(items, size, insert, cutoff, 19).law.crowd_pairs()
        found.append([merged(pair.kinds, range(3)) for pair in pairs])
        assert len(pairs) == size
    assert all(one == found[0] for one in found)


def test_lifted_transactions_are_transactions_of_sets():
    """A basket of 5 of 100 items holds 10 of the 4,950 pairs of items."""
    (group,) = lifted_design({5: 100_000}, F(19), 2).groups[1:]
    form = group.sizes[0].form
    keep = optimal_keep(form.present, form.insert, form.cutoff, form.gamma)
    operator = select_a_size(comb(100, 2), comb(5, 2), form.insert, keep=keep)
    pairs = operator.law.crowd_pairs()
    assert len(pairs) == form.present == 10
    assert all(len(pair.kinds) <= 8 for pair in pairs)


LARGE = [
    (randomized_response(1_000_000, "1/2"), 4),
    (randomized_response(20_000, "1/2"), 4),
    (unary_encoding(1000, gamma=3), 8),
    (unary_encoding(1_000_000, epsilon="1/2"), 8),
    (unary_encoding(1000, "1/3", "2/3"), 8),
    (unary_encoding(1000, 1, "1/4"), 8),
    (unary_encoding(1000, "3/4", 0), 4),
    (unary_encoding(1000, "3/4", 1), 4),
    (local_hashing(20_000, 4, gamma=3), 8),
    (subset_selection(20_000, 3), 8),
    (subset_selection(1_000_000, epsilon=2), 8),
    (hadamard_response(1_000_000, 3), 9),
    (hadamard_response(20_000, epsilon=1), 9),
    (duchi_mean(1_000_000, epsilon=1), 2),
    (exponential_mechanism(20_000, [3, 1]), 16),
    (exponential_mechanism(1000, [4, 3, 2, 1]), 40),
    (rappor(128, 2, "1/2", "1/2", "3/4"), 27),
    (select_a_size(1000, 5, "51/100", cutoff=4, gamma=19), 8),
    (select_a_size(16_470, 76, "51/100", cutoff=40, gamma=19), 8),
    (select_a_size(16_470, 10, 0, keep=[F(1, 11)] * 11), 5),
    (cut_and_paste(1000, 3, 3, "1/10"), 64),
    (flip(1000, 5, "9/10"), 216),
    (replace_items(1000, 3, "1/2"), 64),
]


@pytest.mark.parametrize(("operator", "most"), LARGE)
def test_large_sizes_have_few_kinds(operator, most):
    for pair in operator.law.crowd_pairs():
        assert len(pair.kinds) <= most
        for place in chances_of(pair):
            assert sum((kind[place] for kind in pair.kinds), F(0)) == 1
        assert all(0 <= kind[LEAST] <= min(kind[:2] + kind[3:]) for kind in pair.kinds)
        assert 0 < len(str(pair.kinds)) < 100_000


def test_many_values_are_hidden_as_few_are_but_for_full_sets():
    """The bits of three values do not depend on how many others there are."""
    for keep, flipped in (("1/2", "1/4"), ("1/4", "1/2"), (1, "1/4"), (0, "1/2")):
        few, many = (unary_encoding(k, keep, flipped).law.crowd_pairs() for k in (16, 17))
        assert merged(few[0].kinds, (0, 1, 3)) == merged(many[0].kinds, (0, 1, 3))
        assert no_more_than(many[0].kinds, few[0].kinds, (0, 1, 3))
        lost = sum(a[LEAST] for a in few[0].kinds) - sum(b[LEAST] for b in many[0].kinds)
        assert 0 < lost < F(1, 2**14)


def test_what_has_no_few_kinds_is_left_to_the_rows():
    line = Domain(range(10))
    for operator in (
        truncated_geometric(1000, "1/2"),
        exponential_mechanism(2000, decay="1/2"),
        noise_on_grid(line, line, "laplace(2)", 1, "clamped"),
        flip(1000, 40, "9/10"),
        select_a_size(10_000, 200, "51/100", cutoff=40, gamma=19),
    ):
        assert operator.law.crowd_pairs() is None
