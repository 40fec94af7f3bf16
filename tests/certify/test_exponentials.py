"""Claims about operators with e^q: decided as the definitions say, equality among them; checked."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from how_many import cases

from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

E = exp_of(Fraction(1))
DIGITS = 60


def about(number):
    """The number in 60 digits, from its text alone."""
    with mpmath.workdps(DIGITS):
        text = number_text(number).replace("exp(", "mpmath.exp(mpmath.mpf(1)*")
        return eval(text, {"mpmath": mpmath})


def random_operator(dice, size=3):
    """Rows proportional to small sums of powers of e."""
    rows = []
    for _ in range(size):
        weights = [
            dice.randint(0, 2) + dice.randint(0, 2) * exp_of(Fraction(dice.randint(0, 3), 2))
            for _ in range(size)
        ]
        if not any(weights):
            weights[0] = Fraction(1)
        rows.append([weight / sum(weights, Fraction(0)) for weight in weights])
    return Operator.from_matrix(rows)


def worst_after(operator, prior, rho1):
    """The most that a belief of rho1 or less in any property becomes, in 60 digits."""
    inputs, outputs = list(operator.inputs), list(operator.outputs)
    best = mpmath.mpf(-1)
    with mpmath.workdps(DIGITS):
        mass = {x: about(prior.probability(x)) for x in inputs}
        p = {(x, y): about(operator.probability(x, y)) for x in inputs for y in outputs}
        for chosen in product([False, True], repeat=len(inputs)):
            held = [x for x, inside in zip(inputs, chosen, strict=True) if inside]
            if sum(mass[x] for x in held) > rho1:
                continue
            for y in outputs:
                joint = sum(mass[x] * p[x, y] for x in inputs)
                if joint > 0:
                    best = max(best, sum(mass[x] * p[x, y] for x in held) / joint)
    return best


def test_known_prior_claims_against_all_properties():
    dice = random.Random(7)
    domain = Domain(range(3))
    prior = Prior.of(
        domain, {0: 1 / (2 * E), 1: Fraction(1, 3), 2: 1 - 1 / (2 * E) - Fraction(1, 3)}
    )
    seen = set()
    for _ in range(cases(10, 25)):
        operator = random_operator(dice)
        most = worst_after(operator, prior, mpmath.mpf(1) / 2)
        claim = BreachClaim(Fraction(1, 2), Fraction(4, 5), "upward", prior)
        found = certify(operator, claim)
        assert abs(most - mpmath.mpf(4) / 5) > 1e-20
        assert found.verdict.value == ("breached" if most >= 0.8 else "certified")
        assert check_certificate(found.to_json()).accepted
        seen.add(found.verdict.value)
    assert len(seen) == 2


CLAIMS = [
    (BoundClaim("amplification", "<=", E**2), "certified"),
    (BoundClaim("amplification", "<", E**2), "breached"),
    (BoundClaim("amplification", "<=", Fraction(7389, 1000)), "breached"),
    (BoundClaim("amplification", "<=", Fraction(7390, 1000)), "certified"),
    (BreachClaim(Fraction(1, 2), E**2 / (1 + E**2), "upward"), "breached"),
    (BreachClaim(Fraction(1, 2), E**2 / (1 + E**2) + Fraction(1, 10**40), "upward"), "certified"),
]


@pytest.mark.parametrize(("claim", "verdict"), CLAIMS)
def test_bounds_that_are_met_exactly(claim, verdict):
    keep = E**2 / (E**2 + 3)
    rows = [[keep if x == y else (1 - keep) / 3 for y in range(4)] for x in range(4)]
    operator = Operator.from_matrix(rows)
    found = certify(operator, claim)
    assert found.verdict.value == verdict
    assert check_certificate(found.to_json()).accepted
    turned = found.to_json() | {"verdict": {"certified": "breached"}.get(verdict, "certified")}
    assert not check_certificate(turned).accepted


def test_every_kind_of_claim_has_a_certificate_that_the_checker_accepts():
    operator = random_operator(random.Random(3))
    domain = operator.inputs
    prior = Prior.of(domain, {0: 1 / E, 1: 1 - 1 / E})
    first = Property.of(domain, [0], "first")
    from ppdm_formal.declare.operators.prior import Constraint, PriorFamily

    family = PriorFamily((Constraint(((Fraction(1), first),), "<=", Fraction(1, 4)),))
    claims = [
        BreachClaim(Fraction(1, 5), Fraction(9, 10)),
        BreachClaim(Fraction(1, 5), Fraction(9, 10), about=first),
        BreachClaim(Fraction(2, 5), Fraction(9, 10), under=prior),
        BreachClaim(Fraction(2, 5), Fraction(3, 5), under=prior, about=first),
        BreachClaim(Fraction(1, 5), Fraction(9, 10), under=family),
        BreachClaim(Fraction(1, 5), Fraction(9, 10), knowing=operator),
        BoundClaim("dependence", "<=", Fraction(2), prior),
        BoundClaim("worst_case_information", "<=", Fraction(1), prior, "bit"),
        BoundClaim("mutual_information", "<=", Fraction(1), prior, "bit"),
        BoundClaim("total_variation", "<=", Fraction(1, 2), prior),
        BoundClaim("vulnerability", "<=", Fraction(9, 10), prior),
    ]
    for claim in claims:
        found = certify(operator, claim)
        assert found.verdict.value in ("certified", "breached"), claim
        result = check_certificate(found.to_json())
        assert result.accepted, (str(claim), result.reason)


def test_several_reports():
    operator = Operator.from_matrix([[E / (1 + E), 1 / (1 + E)], [1 / (1 + E), E / (1 + E)]])
    for bound, verdict in ((E**3, "certified"), (E**3 - Fraction(1, 10**30), "breached")):
        claim = BoundClaim("amplification", "<=", bound, reports=3)
        found = certify(operator, claim)
        assert found.verdict.value == verdict
        assert check_certificate(found.to_json()).accepted
