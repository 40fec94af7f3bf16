"""Every measure equals its definition on random dense matrices; every witness attains it."""

from __future__ import annotations

from fractions import Fraction

import measures_oracle as oracle
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures_strategies import FEW, MANY, build, cases, matrices, members

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.derive.measures.amplification import amplification, view_amplification
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.f_information import (
    inverse_worst_case_f_information,
    worst_case_f_information,
)
from ppdm_formal.derive.measures.information import (
    information,
    inverse_worst_case_information,
    mutual_information,
    output_information,
    worst_case_information,
)
from ppdm_formal.derive.measures.local_dp import local_dp
from ppdm_formal.derive.measures.posterior import (
    class_posteriors,
    posterior,
    view_posteriors,
    worst_posterior,
)
from ppdm_formal.derive.measures.vulnerability import min_entropy_capacity, vulnerability


@pytest.fixture(autouse=True, scope="module")
def _digits():
    with mpmath.workdps(oracle.DPS):
        yield


def same(found, expected, unit="nat"):
    if expected is None:
        return found is INFINITY
    scale = mpmath.log(2) if unit == "bit" else 1
    return isinstance(found, Enclosure) and oracle.encloses(found, expected / scale)


@MANY
@given(matrices())
def test_amplification_and_local_dp(rows):
    found = amplification(build(rows))
    expected = oracle.amplification(rows)
    epsilon = local_dp(build(rows)).epsilon
    where = found.witness
    likely, unlikely = rows[where.likely][where.output], rows[where.unlikely][where.output]
    if expected is None:
        assert found.value is INFINITY
        assert epsilon is INFINITY
        assert likely > 0 == unlikely
    else:
        assert found.value == expected == likely / unlikely
        assert epsilon.is_exact == (expected == 1)
        assert oracle.encloses(epsilon, mpmath.log(oracle.mp(expected)))


@FEW
@given(matrices())
def test_amplification_of_each_view(rows):
    operator = build(rows)
    for y, column in enumerate(oracle.columns(rows)):
        view = operator.view_of(y)
        if not any(column):
            with pytest.raises(ValueError, match="no input produces"):
                view_amplification(view)
        else:
            value = view_amplification(view).value
            assert value == (max(column) / min(column) if min(column) else INFINITY)


@MANY
@given(cases(), st.integers(0, 31))
def test_posteriors(case, mask):
    rows, prior = case
    operator, known = build(rows, prior)
    chosen = members(operator, mask)
    before = sum((prior[x] for x in chosen.members), Fraction(0))
    after = {}
    for y in range(len(rows[0])):
        if oracle.output_mass(rows, prior, y) == 0:
            with pytest.raises(ValueError, match="has probability 0"):
                posterior(operator, known, chosen, y)
            continue
        exact = oracle.posterior(rows, prior, y)
        after[y] = sum((exact[x] for x in chosen.members), Fraction(0))
        found = posterior(operator, known, chosen, y)
        assert (found.before, found.after, found.output) == (before, after[y], y)
        for part in class_posteriors(operator.view_of(y, known)):
            assert part.each == exact[part.inputs.example]
            assert part.together == part.each * part.inputs.count
    for direction, choose in (("upward", max), ("downward", min)):
        worst = worst_posterior(operator, known, chosen, direction)
        assert worst.after == choose(after.values()) == after[worst.output]
    for seen in view_posteriors(operator, known, [chosen]):
        assert seen.after == (after[seen.view.output],)
        assert seen.probability == oracle.output_mass(rows, prior, seen.view.output)


@MANY
@given(cases(), st.sampled_from(["bit", "nat"]))
def test_information(case, unit):
    rows, prior = case
    operator, known = build(rows, prior)
    found = information(operator, known, unit)
    assert found.unit == unit
    assert same(found.mutual, oracle.mutual_information(rows, prior), unit)
    for part, expected in (
        (found.worst_case, oracle.worst_case(rows, prior)),
        (found.inverse_worst_case, oracle.inverse_worst_case(rows, prior)),
    ):
        assert same(part.value, expected, unit)
    at = oracle.posterior(rows, prior, found.worst_case.output)
    assert same(found.worst_case.value, oracle.kl(at, prior), unit)
    shut = found.inverse_worst_case
    at = oracle.posterior(rows, prior, shut.output)
    assert same(shut.value, oracle.kl(prior, at), unit)
    if shut.value is INFINITY:
        assert at[shut.excluded] == 0 < prior[shut.excluded]
    assert mutual_information(operator, known, unit) == found.mutual
    assert worst_case_information(operator, known, unit) == found.worst_case
    assert inverse_worst_case_information(operator, known, unit) == found.inverse_worst_case


@FEW
@given(cases())
def test_information_of_each_output(case):
    rows, prior = case
    operator, known = build(rows, prior)
    listed = output_information(operator, known, "nat")
    assert sum(one.outputs for one in listed) == len(oracle.possible_outputs(rows, prior))
    for one in listed:
        at = oracle.posterior(rows, prior, one.output)
        assert same(one.divergence, oracle.kl(at, prior))
        assert same(one.inverse, oracle.kl(prior, at))


@MANY
@given(cases(), st.sampled_from([*oracle.FUNCTIONS, *oracle.ROOTS]))
def test_information_with_respect_to_f(case, name):
    rows, prior = case
    operator, known = build(rows, prior)
    divergence = oracle.kl_f(name)
    for measure, expected, turned in (
        (worst_case_f_information, oracle.worst_case(rows, prior, divergence), False),
        (
            inverse_worst_case_f_information,
            oracle.inverse_worst_case(rows, prior, divergence),
            True,
        ),
    ):
        found = measure(operator, known, name)
        at = oracle.posterior(rows, prior, found.output)
        attained = divergence(prior, at) if turned else divergence(at, prior)
        if expected is None:
            assert found.value is INFINITY
            assert attained is None
        elif name in oracle.FUNCTIONS:
            assert found.value == expected == attained
        else:
            assert abs(oracle.as_fraction(expected)) < oracle.SLACK or same(found.value, expected)
            assert found.value.lo - oracle.SLACK <= oracle.as_fraction(attained)


@MANY
@given(cases())
def test_dependence(case):
    rows, prior = case
    operator, known = build(rows, prior)
    found = dependence(operator, known)
    expected = oracle.dependence_ratio(rows, prior)
    x, y = found.witness.input, found.witness.output
    mass = oracle.output_mass(rows, prior, y)
    assert prior[x] * mass > 0
    if expected is None:
        assert found.ratio is INFINITY
        assert found.epsilon is INFINITY
        assert rows[x][y] == 0
    else:
        assert found.ratio == expected == max(rows[x][y] / mass, mass / rows[x][y])
        assert oracle.encloses(found.epsilon, mpmath.log(oracle.mp(expected)))


@MANY
@given(cases())
def test_vulnerability(case):
    rows, prior = case
    operator, known = build(rows, prior)
    found = vulnerability(operator, known)
    before, after = oracle.vulnerability(rows, prior)
    assert (found.before, found.after) == (before, after)
    assert prior[found.guess] == before
    guessed = sum(
        one.outputs * prior[one.input] * rows[one.input][one.output] for one in found.guesses
    )
    assert guessed == after
    assert oracle.encloses(found.leakage, mpmath.log(oracle.mp(after / before), 2))
    capacity = min_entropy_capacity(operator)
    assert capacity.factor == oracle.capacity_factor(rows)
    assert oracle.encloses(capacity.capacity, mpmath.log(oracle.mp(capacity.factor), 2))
    uniform = [Fraction(1, len(rows))] * len(rows)
    attained = oracle.vulnerability(rows, uniform)
    assert attained[1] / attained[0] == capacity.factor >= after / before
