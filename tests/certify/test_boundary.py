"""Amplification exactly at the bound is a breach; 10^-30 below it is none."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ppdm_formal.certify import EXACTLY, Verdict, certify
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.randomization import Operator

RHO1, RHO2 = Fraction(1, 7), Fraction(1, 2)
BOUND = RHO2 * (1 - RHO1) / (RHO1 * (1 - RHO2))


def amplifying(gamma: Fraction) -> Operator:
    """Two inputs, two outputs, p[0 -> 0] / p[1 -> 0] = gamma, less at the other output."""
    low = Fraction(1, 100)
    return Operator.from_matrix([[gamma * low, 1 - gamma * low], [low, 1 - low]])


@pytest.mark.parametrize("direction", ["upward", "downward", "both"])
def test_equality_is_breached_and_less_is_certified(direction):
    claim = BreachClaim(RHO1, RHO2, direction)
    at = certify(amplifying(BOUND), claim)
    assert at.verdict is Verdict.BREACHED
    assert len([p for p in at.witness.parts if p.mass_inside or p.mass_outside]) == 2
    ends = {at.witness.before, at.witness.after}
    assert ends == {RHO1, RHO2}
    below = certify(amplifying(BOUND - Fraction(1, 10**30)), claim)
    assert below.verdict is Verdict.CERTIFIED
    assert below.trust == EXACTLY
    said = f"on every view the greatest likelihood is below {BOUND} times the least"
    assert below.reason == said


def test_the_threshold_itself_is_breached():
    operator = amplifying(Fraction(5))
    thresholds = certify(operator, BreachClaim(RHO1, RHO2)).thresholds
    tiny = Fraction(1, 10**30)
    for claim, verdict in (
        (BreachClaim(RHO1, thresholds.rho2_above), Verdict.BREACHED),
        (BreachClaim(RHO1, thresholds.rho2_above + tiny), Verdict.CERTIFIED),
        (BreachClaim(thresholds.rho1_below, RHO2), Verdict.BREACHED),
        (BreachClaim(thresholds.rho1_below - tiny, RHO2), Verdict.CERTIFIED),
    ):
        assert certify(operator, claim).verdict is verdict


def test_infinite_amplification_has_no_thresholds():
    secret = certify(Operator.from_matrix([[1, 0], [0, 1]]), BreachClaim(RHO1, RHO2))
    assert secret.verdict is Verdict.BREACHED
    assert (secret.thresholds.rho2_above, secret.thresholds.rho1_below) == (None, None)


def test_one_input_and_unreachable_outputs_never_breach():
    alone = Operator.from_matrix([["1/3", "2/3", 0]])
    found = certify(alone, BreachClaim(RHO1, RHO2))
    assert found.verdict is Verdict.CERTIFIED
    assert found.thresholds.rho2_above == RHO1
    assert found.thresholds.rho1_below == RHO2


def test_a_verdict_has_no_truth_value():
    verdict = certify(Operator.from_matrix([[1]]), BreachClaim(RHO1, RHO2)).verdict
    with pytest.raises(TypeError, match="no truth value"):
        bool(verdict)
