"""Priors and bounds with large denominators: decided, and accepted by the checker."""

from fractions import Fraction as F

import pytest

from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.operators.canonical import canonical


def checked(certificate):
    return check_certificate((canonical(certificate.to_json()) + "\n").encode())


@pytest.mark.parametrize("large", [10**9, 10**12, 10**40])
def test_a_known_prior_of_very_unequal_weights(large):
    operator = Operator.from_matrix([["1/2", "1/2"], ["1/4", "3/4"]])
    prior = Prior.of(operator.inputs, {0: F(1, large + 1), 1: F(large, large + 1)}, "X")
    found = certify(operator, BreachClaim(F(1, 6), F(2, 3), "both", prior))
    assert found.verdict is Verdict.CERTIFIED
    assert checked(found).accepted


def test_four_decimals_everywhere():
    rows = [["0.4123", "0.5877"], ["0.3391", "0.6609"], ["0.7013", "0.2987"]]
    background = [["0.1237", "0.8763"], ["0.5391", "0.4609"], ["0.2219", "0.7781"]]
    operator = Operator.from_matrix(rows, name="R")
    known = Operator.from_matrix(background, name="Z")
    prior = Prior.of(operator.inputs, {0: "0.1237", 1: "0.3391", 2: "0.5372"}, "X")
    found = certify(operator, BreachClaim(F(1, 7), F(1, 2), "both", prior, None, known))
    assert found.verdict is not Verdict.UNKNOWN
    assert checked(found).accepted


@pytest.mark.parametrize("digits", [3, 7, 20, 60])
@pytest.mark.parametrize("relation", ["<", "<="])
def test_information_exactly_at_the_bound(digits, relation):
    # One output gives likelihood ratios 2, 1/2 and 1: its information is exactly t bits.
    t = F(1, 2 * 10**digits)
    weights = {0: t, 1: 2 * t, 2: 1 - 3 * t}
    operator = Operator.from_matrix([["1/2", "1/2"], ["1/8", "7/8"], ["1/4", "3/4"]])
    prior = Prior.of(operator.inputs, weights, "X")
    found = certify(operator, BoundClaim("worst_case_information", relation, t, prior, "bit"))
    assert found.verdict is (Verdict.CERTIFIED if relation == "<=" else Verdict.BREACHED)
    assert checked(found).accepted
