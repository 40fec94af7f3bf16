"""Closed forms in free parameters agree with the same operators at chosen values."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.value import INFINITY, value_text
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.f_information import worst_case_f_information
from ppdm_formal.derive.measures.information import information, output_information
from ppdm_formal.derive.measures.local_dp import local_dp
from ppdm_formal.derive.measures.posterior import posterior, worst_posterior
from ppdm_formal.derive.measures.vulnerability import min_entropy_capacity, vulnerability

P = Parameter("p", Fraction(0), Fraction(1))
Q = Parameter("q", Fraction(0), Fraction(1))
p, q = P.symbol, Q.symbol
half = sympy.Rational(1, 2)


def warner(low="1/2"):
    above = Parameter("p", Fraction(low), Fraction(1))
    return Operator.from_matrix([[p, 1 - p], [1 - p, p]], parameters=[above])


def at(form, **values):
    chosen = {symbol: values[symbol.name] for symbol in form.free_symbols}
    return form.subs({s: sympy.Rational(v.numerator, v.denominator) for s, v in chosen.items()})


def test_warner():
    found = amplification(warner())
    assert found.text == "p/(1 - p)"
    assert len(found.pieces) == 1
    assert (found.witness.likely, found.witness.unlikely) == (0, 1)
    assert local_dp(warner()).text == "ln(p/(1 - p))"


def test_randomized_response_switches_at_one_tenth():
    operator = randomized_response(10, p, parameters=[P])
    found = amplification(operator)
    assert found.text == "(1 - p)/(9*p) if p <= 1/10, 9*p/(1 - p) if p >= 1/10"
    first, second = found.pieces
    assert (first.lower, first.upper, second.lower, second.upper) == (
        Fraction(0),
        Fraction(1, 10),
        Fraction(1, 10),
        Fraction(1),
    )
    tenth = {"p": Fraction(1, 10)}
    assert at(first.value, **tenth) == at(second.value, **tenth) == 1
    assert (first.witness.likely, second.witness.likely) == (1, 0)
    for where, value in ((Fraction(1, 28), 3), (Fraction(1, 10), 1), (Fraction(1, 4), 3)):
        assert found.at({"p": where}) == value
    assert local_dp(operator).text == "ln((1 - p)/(9*p)) if p <= 1/10, ln(9*p/(1 - p)) if p >= 1/10"


@pytest.mark.parametrize(
    "rows",
    [
        [[p, 1 - p], [1 - p, p]],
        [[p**2, 1 - p**2], [half, half]],
        [[p**2, 1 - p**2], [p, 1 - p], ["1/3", "2/3"]],
        [[p, p * (1 - p), (1 - p) ** 2], [(1 - p) ** 2, p * (1 - p), p]],
        [["1/2", "1/2"], ["1/4", "3/4"], [p / 2, 1 - p / 2]],
    ],
)
def test_one_parameter_is_decided_everywhere(rows):
    operator = Operator.from_matrix(rows, parameters=[P])
    prior = Prior.of(operator.inputs, _falling(operator.inputs.size))
    gamma, ratio = amplification(operator).value, dependence(operator, prior).ratio
    told = information(operator, prior)
    for step in range(1, 24):
        value = Fraction(step, 24)
        fixed = operator.substitute({"p": value})
        assert at(sympy.sympify(gamma), p=value) == amplification(fixed).value
        assert at(sympy.sympify(ratio), p=value) == dependence(fixed, prior).ratio
        if step % 6 == 1:
            expected = information(fixed, prior)
            for form, enclosed in (
                (told.mutual, expected.mutual),
                (told.worst_case.value, expected.worst_case.value),
                (told.inverse_worst_case.value, expected.inverse_worst_case.value),
            ):
                assert near(at(form, p=value), enclosed)


def near(number, enclosure):
    assert isinstance(enclosure, Enclosure)
    exact = Fraction(str(sympy.N(number, 40)))
    slack = Fraction(1, 10**30)
    return enclosure.lo - slack <= exact <= enclosure.hi + slack


def _falling(size):
    return {x: Fraction(2 * (size - x), size * (size + 1)) for x in range(size)}


def test_a_likelihood_that_is_zero_throughout_is_infinite():
    operator = Operator.from_matrix([[p, 1 - p], [0, 1]], parameters=[P])
    found = amplification(operator)
    assert found.value is INFINITY
    assert found.text == "infinity"
    assert (found.witness.output, found.witness.likely, found.witness.unlikely) == (0, 0, 1)
    prior = Prior.uniform(operator.inputs)
    assert dependence(operator, prior).text == "infinity"
    assert information(operator, prior).inverse_worst_case.value is INFINITY


def test_several_parameters():
    operator = Operator.from_matrix(
        [[(1 + p) / 2, (1 - p) / 2], [q / 2, 1 - q / 2]], parameters=[P, Q]
    )
    found = amplification(operator)
    assert found.text == "max((1 + p)/q, (2 - q)/(1 - p))"
    for a in (Fraction(1, 9), Fraction(1, 2), Fraction(8, 9)):
        for b in (Fraction(1, 7), Fraction(6, 7)):
            fixed = amplification(operator.substitute({"p": a, "q": b})).value
            assert at(found.value, p=a, q=b) == fixed


def test_several_parameters_without_an_order():
    operator = Operator.from_matrix([[p, 1 - p], [q, 1 - q]], parameters=[P, Q])
    assert amplification(operator).text == "max((1 - p)/(1 - q), (1 - q)/(1 - p), p/q, q/p)"


def test_information_in_closed_form():
    operator = warner()
    prior = Prior.uniform(operator.inputs)
    found = information(operator, prior)
    assert found.mutual == found.worst_case.value
    assert "log2(2*p)" in value_text(found.mutual)
    assert "ln(2*p)" in value_text(information(operator, prior, "nat").mutual)
    skewed = Prior.of(operator.inputs, {0: "1/3", 1: "2/3"})
    assert value_text(information(operator, skewed).worst_case.value).startswith("max(")
    listed = output_information(operator, skewed, "nat")
    fixed = output_information(operator.substitute({"p": "2/3"}), skewed, "nat")
    for form, number in zip(listed, fixed, strict=True):
        assert near(at(form.divergence, p=Fraction(2, 3)), number.divergence)
        assert near(at(form.inverse, p=Fraction(2, 3)), number.inverse)


def test_a_parameter_in_the_prior():
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    domain = Domain(range(2))
    import numpy as np

    prior = Prior(domain, np.array([0, 1]), [p, 1 - p], "X", [P])
    seen = posterior(operator, prior, Property.of(domain, [0]), 0)
    assert sympy.cancel(seen.after - 3 * p / (1 + 2 * p)) == 0
    assert seen.before == p
    ratio = dependence(operator, prior).ratio
    told = information(operator, prior).mutual
    for step in (1, 5, 11):
        fixed = prior.substitute({"p": Fraction(step, 12)})
        assert at(ratio, p=Fraction(step, 12)) == dependence(operator, fixed).ratio
        assert near(at(told, p=Fraction(step, 12)), information(operator, fixed).mutual)


def test_what_needs_values_says_so():
    operator = warner()
    prior = Prior.uniform(operator.inputs)
    for ask in (
        lambda: worst_posterior(operator, prior, Property.of(operator.inputs, [0])),
        lambda: vulnerability(operator, prior),
        lambda: min_entropy_capacity(operator),
        lambda: worst_case_f_information(operator, prior, "t-1"),
    ):
        with pytest.raises(ValueError, match=r"\bp\b"):
            ask()
