"""Laws that every measure obeys: data processing, order, symmetry, precision."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from measures_strategies import FEW, build, cases, distributions, matrices

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.information import information
from ppdm_formal.derive.measures.local_dp import local_dp
from ppdm_formal.derive.measures.vulnerability import vulnerability


def low(value):
    return value.lo if isinstance(value, Enclosure) else value


def high(value):
    return value.hi if isinstance(value, Enclosure) else value


def not_above(first, second):
    """Whether first <= second, as far as enclosures tell."""
    return second is INFINITY or (first is not INFINITY and low(first) <= high(second))


def everything(operator, known, digits=15):
    found = information(operator, known, "nat", digits)
    return {
        "amplification": amplification(operator).value,
        "mutual": found.mutual,
        "worst": found.worst_case.value,
        "inverse": found.inverse_worst_case.value,
        "dependence": dependence(operator, known, digits).epsilon,
        "leakage": vulnerability(operator, known, digits).leakage,
    }


@FEW
@given(cases(), st.data())
def test_post_processing_does_not_increase(case, data):
    rows, prior = case
    operator, known = build(rows, prior)
    size = len(rows[0])
    after = build(data.draw(matrices(inputs=size)))
    before = everything(operator, known)
    later = everything(operator.then(after), known)
    for name, value in later.items():
        assert not_above(value, before[name]), name


@FEW
@given(cases())
def test_order_of_measures(case):
    rows, prior = case
    operator, known = build(rows, prior)
    found = everything(operator, known)
    assert found["amplification"] >= 1
    assert not_above(found["mutual"], found["worst"])
    assert not_above(found["worst"], found["dependence"])
    assert not_above(found["inverse"], found["dependence"])
    assert not_above(found["dependence"], local_dp(operator).epsilon)
    for name, value in found.items():
        assert low(value) >= 0, name


@FEW
@given(cases(), st.randoms(use_true_random=False))
def test_order_of_inputs_and_outputs_does_not_matter(case, random):
    rows, prior = case
    operator, known = build(rows, prior)
    names = list(range(len(rows)))
    columns = list(range(len(rows[0])))
    random.shuffle(names)
    random.shuffle(columns)
    turned = Operator.from_matrix(
        [[rows[x][y] for y in columns] for x in names], inputs=names, outputs=columns
    )
    expected = everything(operator, known)
    for name, value in everything(turned, known).items():
        # The order of summation may move the last digit of an enclosure.
        assert not_above(value, expected[name]), name
        assert not_above(expected[name], value), name


@FEW
@given(cases())
def test_more_digits_lie_inside_fewer(case):
    rows, prior = case
    operator, known = build(rows, prior)
    coarse, fine = everything(operator, known), everything(operator, known, 30)
    for name, value in coarse.items():
        if isinstance(value, Enclosure):
            assert value.lo <= fine[name].lo <= fine[name].hi <= value.hi, name
            assert fine[name].width * 10**30 <= fine[name].hi, name
        else:
            assert fine[name] == value


@FEW
@given(st.integers(1, 5), st.data())
def test_an_output_that_says_nothing_costs_nothing(size, data):
    row = data.draw(distributions(4))
    operator, known = build([row] * size, data.draw(distributions(size)))
    for name, value in everything(operator, known).items():
        if isinstance(value, Enclosure):
            assert value == Enclosure.exactly(0), name
        else:
            assert value == Fraction(1)
