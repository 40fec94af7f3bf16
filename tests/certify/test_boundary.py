"""Amplification exactly at the bound is a breach; 10^-30 below it is none."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.certify import EXACTLY, Verdict, certify
from ppdm_formal.certify.actual import actual_changes
from ppdm_formal.certify.solver.parametric_smt import _beyond
from ppdm_formal.declare.arithmetic.algebraic import Root
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior, Property
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


@pytest.mark.parametrize("direction", ["upward", "downward"])
@pytest.mark.parametrize(("off", "breached"), [(0, True), (1, False), (-1, True)])
def test_equality_under_one_prior_and_for_one_property(direction, off, breached):
    """The posterior is 3/4 at one output and 1/4 at the other, the prior 1/2: ends included."""
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    prior = Prior.uniform(operator.inputs)
    first = Property(operator.inputs, np.array([True, False]), "first")
    tiny = Fraction(off, 10**30)
    ends = {"upward": (RHO2, 3 * RHO2 / 2 + tiny), "downward": (RHO2 / 2 - tiny, RHO2)}
    claim = BreachClaim(*ends[direction], direction, under=prior, about=first)
    found = certify(operator, claim)
    assert found.verdict is (Verdict.BREACHED if breached else Verdict.CERTIFIED)


def truth(text, s0):
    """An SMT-LIB formula at a number, by its brackets."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()

    def value(place):
        if tokens[place] != "(":
            return (s0 if tokens[place] == "s0" else Fraction(tokens[place])), place + 1
        name, parts, place = tokens[place + 1], [], place + 2
        while tokens[place] != ")":
            part, place = value(place)
            parts.append(part)
        first, rest = parts[0], parts[1:]
        if name in ("and", "or"):
            return {"and": all, "or": any}[name](parts), place + 1
        if name == "-":
            return (-first if not rest else first - sum(rest)), place + 1
        if name == "+":
            return sum(parts), place + 1
        if name in ("*", "/"):
            for part in rest:
                first = first * part if name == "*" else first / part
            return first, place + 1
        (other,) = rest
        truths = {
            ">": first > other,
            "<": first < other,
            ">=": first >= other,
            "<=": first <= other,
        }
        return truths[name], place + 1

    return value(0)[0]


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("included", [True, False])
@pytest.mark.parametrize(("coefficients", "ends"), [((-2, 0, 1), (1, 2)), ((2, -4, 1), (0, 1))])
def test_solvers_are_asked_about_the_right_side_of_an_irrational_end(
    side, included, coefficients, ends
):
    """The roots sqrt(2), where the polynomial rises, and 2 - sqrt(2), where it falls."""
    root = Root(tuple(map(Fraction, coefficients)), *map(Fraction, ends))
    text = _beyond(root, side, included, None)
    middle = 2**0.5 if coefficients[0] < 0 else 2 - 2**0.5
    for number in (Fraction(k, 40) for k in range(-20, 160)):
        assert truth(text, number) == ((number > middle) == (side == 1))


def test_actual_changes_are_those_of_a_prior_and_a_property_that_are_named():
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    prior = Prior.uniform(operator.inputs)
    first = Property(operator.inputs, np.array([True, False]), "first")
    for under, about in ((None, None), (None, first), (prior, None)):
        claim = BreachClaim(RHO1, RHO2, under=under, about=about)
        assert actual_changes(certify(operator, claim)) is None
    both = BreachClaim(RHO1, RHO2, under=prior, about=first)
    assert actual_changes(certify(operator, both)) is not None
