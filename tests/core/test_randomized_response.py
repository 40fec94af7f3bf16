"""Randomized response: the family's views are those of its own matrix, and large ones are fast."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from core_oracle import shown
from core_strategies import FEW, SOME, P, distributions, p
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.exact import exact
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.law import MatrixLaw
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification


def as_matrix(operator):
    return Operator(
        operator.inputs,
        operator.outputs,
        MatrixLaw(operator.matrix()),
        parameters=operator.parameters,
    )


@st.composite
def responses(draw):
    k = draw(st.integers(1, 6))
    keep = (
        Fraction(1)
        if k == 1
        else draw(st.sampled_from([Fraction(n, 12) for n in range(13)] + [Fraction(1, k)]))
    )
    return k, keep


@SOME
@given(responses(), st.data())
def test_the_family_is_its_matrix(case, data):
    k, keep = case
    family = randomized_response(k, keep)
    matrix = as_matrix(family)
    assert [[family.probability(x, y) for y in range(k)] for x in range(k)] == [
        [keep if x == y else (1 - keep) / (k - 1) for y in range(k)] for x in range(k)
    ]
    prior = data.draw(
        st.none() | distributions(k).map(lambda d: Prior.of(family.inputs, dict(enumerate(d)), "X"))
    )
    chosen = data.draw(st.lists(st.sets(st.integers(0, k - 1)), max_size=2))
    properties = [Property.of(family.inputs, members, f"Q{n}") for n, members in enumerate(chosen)]
    views, expected = family.views(prior, properties), matrix.views(prior, properties)
    assert len(views) == len(expected)
    assert {shown(v): (v.outputs, v.classes) for v in views} == {
        shown(v): (v.outputs, v.classes) for v in expected
    }
    assert sum(view.outputs for view in views) == k
    for y in range(k):
        assert family.view_of(y, prior, properties) == matrix.view_of(y, prior, properties)
    assert {view.output for view in views} == {view.output for view in expected}


@FEW
@given(responses(), responses())
def test_knowing_another_answer(case, other):
    k, keep = case
    _, told = other
    family, known = randomized_response(k, keep), randomized_response(k, told if k > 1 else 1, "Z")
    views, expected = family.views(knowing=known), as_matrix(family).views(knowing=as_matrix(known))
    assert Counter((v.known, shown(v), v.outputs) for v in views) == Counter(
        (v.known, shown(v), v.outputs) for v in expected
    )


def test_free_keep_probability():
    family = randomized_response(10, p, parameters=[P])
    assert [number_text(part.likelihood) for part in family.views()[0].classes] == [
        "p",
        "(1 - p)/9",
    ]
    assert family.substitute({"p": "19/28"}) == randomized_response(10, "19/28")
    level = family.substitute({"p": "1/10"})
    assert [(part.likelihood, part.count) for part in level.views()[0].classes] == [
        (Fraction(1, 10), 10)
    ]
    assert exact(1 - p) == randomized_response(2, p, parameters=[P]).probability(0, 1)


@pytest.mark.parametrize(
    ("values", "keep", "message"),
    [
        (0, 1, "at least two values"),
        (1, "1/2", "at least two values"),
        (3, "3/2", "keep = 3/2 is not between"),
        (3, p, "undeclared"),
    ],
)
def test_bad_arguments(values, keep, message):
    with pytest.raises(ValueError, match=message):
        randomized_response(values, keep)


def test_a_million_values_take_no_matrix():
    k = 10**6
    family = randomized_response(k, "1/2")
    assert amplification(family).text == str(k - 1)
    prior = Prior(family.inputs, family_codes(k), [Fraction(1, 2), Fraction(1, 2 * (k - 1))], "X")
    first = Property.of(family.inputs, range(1000), "first")
    views = family.views(prior, [first])
    assert [(view.output, view.outputs) for view in views] == [(0, 1), (1000, k - 1000), (1, 999)]
    assert [part.count for part in views[1].classes] == [1, 999, 1, k - 1001]
    assert sum(part.count * part.prior for part in views[2].classes) == 1
    assert family.view_of(123_456).classes[1].example == 123_456
    with pytest.raises(TooLarge):
        family.matrix()


def family_codes(k):
    """Code 0 for the first input, 1 for all others."""
    import numpy as np

    return (np.arange(k) > 0).astype(np.int64)
