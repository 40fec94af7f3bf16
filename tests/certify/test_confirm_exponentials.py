"""z3 on verdicts with e^q: confirmed on both sides and exactly at a bound; mistakes are not."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from test_confirm import turned
from test_exponentials import random_operator

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.one_sided import Rounding
from ppdm_formal.certify.solver.confirm import Confirmer
from ppdm_formal.declare.arithmetic.exponential import Ln, exp_of
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator

E = exp_of(Fraction(1))
KEEP = E**2 / (E**2 + 3)
OTHER = 1 / (E**2 + 3)
FOUR = Operator.from_matrix([[KEEP if x == y else OTHER for y in range(4)] for x in range(4)])
EVEN = Prior.of(FOUR.inputs, dict.fromkeys(range(4), "1/4"), "Even")
NEAR, TOO_NEAR = Fraction(1, 10**40), Fraction(1, 10**400)


def mild_operator(dice):
    """No likelihood is much greater than another."""
    rows = []
    for _ in range(3):
        weights = [3 + exp_of(Fraction(dice.randint(-1, 1), 2)) for _ in range(3)]
        rows.append([weight / sum(weights, Fraction(0)) for weight in weights])
    return Operator.from_matrix(rows)


def claims_about(operator):
    """Each kind of breach claim, some kept and some broken."""
    domain = operator.inputs
    prior = Prior.of(domain, {0: 1 / (2 * E), 1: Fraction(1, 3), 2: Fraction(2, 3) - 1 / (2 * E)})
    first = Property.of(domain, [0], "first")
    family = PriorFamily((Constraint(((Fraction(1), first),), "<=", Fraction(1, 4)),))
    for rho2 in (Fraction(1, 4), E / (E + 1)):
        for named in ({}, {"about": first}):
            yield BreachClaim(Fraction(1, 5), rho2, **named)
            yield BreachClaim(Fraction(1, 5), rho2, under=prior, **named)
            yield BreachClaim(Fraction(1, 5), rho2, under=family, **named)
            yield BreachClaim(Fraction(1, 5), rho2, knowing=operator, **named)


def test_every_kind_of_breach_claim_and_mistakes_in_each():
    confirmer, seen = Confirmer(6000), set()
    for operator in (mild_operator(random.Random(1)), random_operator(random.Random(2))):
        for claim in claims_about(operator):
            found = certify(operator, claim)
            said = confirmer.confirmed(found)
            assert said.verdict is found.verdict
            assert said.confirmation.solver.startswith("z3 "), (str(claim), said.confirmation)
            mistaken = confirmer.confirmed(turned(found))
            assert mistaken.confirmation.disagrees, str(claim)
            kind = type(claim.under), claim.about is None, claim.knowing is None
            seen.add((found.verdict, kind))
    assert len(seen) == 16, seen


AT = [
    ("amplification", E**2, None, None),
    ("epsilon", Fraction(2), None, None),
    ("total_variation", KEEP - Fraction(1, 4), EVEN, None),
    ("vulnerability", KEEP, EVEN, None),
    ("delta", KEEP - E * OTHER, None, Fraction(1)),
    ("delta", KEEP - 3 * OTHER, None, Ln(Fraction(3))),
]


@pytest.mark.parametrize(("measure", "value", "prior", "at"), AT)
def test_bounds_at_the_value_itself_and_beside_it(measure, value, prior, at):
    confirmer = Confirmer(6000)
    asked = [("<=", value, "certified"), ("<", value, "breached")]
    asked += [("<=", value - NEAR, "breached"), ("<", value + NEAR, "certified")]
    for relation, bound, verdict in asked:
        found = certify(FOUR, BoundClaim(measure, relation, bound, prior, at=at))
        assert found.verdict.value == verdict
        said = confirmer.confirmed(found)
        assert said.verdict is found.verdict
        assert said.confirmation.solver, said.confirmation
        assert confirmer.confirmed(turned(found)).confirmation.disagrees


def test_a_rational_operator_with_a_bound_on_epsilon():
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    for bound in (Fraction(1), Fraction(11, 10)):
        found = Confirmer(6000).confirmed(certify(coin, BoundClaim("epsilon", "<=", bound)))
        assert found.verdict is (Verdict.BREACHED if bound == 1 else Verdict.CERTIFIED)
        assert found.confirmation.solver


@pytest.mark.parametrize("under", [None, EVEN])
def test_breaches_exactly_as_far_as_is_forbidden(under):
    before = Fraction(1, 2) if under is None else Fraction(1, 4)
    after = E**2 / (1 + E**2) if under is None else KEEP
    confirmer = Confirmer(6000)
    found = certify(FOUR, BreachClaim(before, after, "upward", under))
    assert found.verdict is Verdict.BREACHED
    assert confirmer.confirmed(found).confirmation.solver
    # Without its case, no rounding shows it: a mistake is not confirmed.
    mistaken = confirmer.confirmed(turned(found)).confirmation
    assert (mistaken.solver, mistaken.why) == ("", "192 digits of its numbers e^q leave it open")
    for more, confirmed in ((NEAR, True), (TOO_NEAR, False)):
        found = certify(FOUR, BreachClaim(before, after + more, "upward", under))
        assert found.verdict is Verdict.CERTIFIED
        said = confirmer.confirmed(found).confirmation
        assert bool(said.solver) is confirmed
        assert ("leave it open" in said.why) is not confirmed


def test_powers_that_are_too_high_are_not_asked_about():
    t = exp_of(Fraction(1, 100))
    rows = [[t**100 / (1 + t**100), 1 / (1 + t**100)], [1 / (1 + t), t / (1 + t)]]
    operator = Operator.from_matrix(rows)
    value = t * (1 + t**100) / (1 + t)
    exactly = Confirmer(6000).confirmed(certify(operator, BoundClaim("amplification", "<=", value)))
    assert exactly.verdict is Verdict.CERTIFIED
    assert exactly.confirmation.why == "it is not asked about powers of e^q above 60"
    beside = BoundClaim("amplification", "<=", value + NEAR)
    assert Confirmer(6000).confirmed(certify(operator, beside)).confirmation.solver


def test_cross_checking_asks_both_solvers():
    pytest.importorskip("cvc5")
    for rho2, verdict in (("1/2", "certified"), ("9/20", "breached")):
        claim = BreachClaim(Fraction(1, 10), Fraction(rho2), "upward")
        found = certify(FOUR, claim, cross_check=True)
        assert found.verdict.value == verdict
        assert {q.solver.split()[0] for q in found.finding.questions} == {"z3", "cvc5"}


def test_rounding_is_outward():
    for number in (E, KEEP, OTHER, -E):
        for digits in (12, 192):
            helps, hinders = Rounding(True, digits), Rounding(False, digits)
            assert helps.under(number) < number < helps.over(number)
            assert (hinders.over(number), hinders.under(number)) == (
                helps.under(number),
                helps.over(number),
            )
