"""Regions of claims after one or several reports, against every sequence and property."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F
from math import prod

import pytest

from ppdm_formal import BoundClaim, BreachClaim, Operator, Parameter, Prior
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.exact import substitute

P = Parameter("p", "1/10", "9/10")
SYMBOL = P.symbol
FORMS = [SYMBOL / 2, (1 - SYMBOL) / 2, SYMBOL**2, SYMBOL * (1 - SYMBOL), SYMBOL / 3 + F(1, 6)]
RHOS = [F(1, 10), F(1, 5), F(1, 3), F(1, 2), F(2, 3), F(4, 5)]


def seen(rows, reports):
    """The likelihoods of each sequence of outputs, from each input."""
    for sequence in itertools.product(range(len(rows[0])), repeat=reports):
        yield [prod(row[y] for y in sequence) for row in rows]


def breached(rows, claim, prior):
    for likelihoods in seen(rows, claim.reports):
        whole = sum(a * b for a, b in zip(prior, likelihoods, strict=True))
        for inside in itertools.product((0, 1), repeat=len(rows)):
            before = sum(m * a for m, a in zip(inside, prior, strict=True))
            held = zip(inside, prior, likelihoods, strict=True)
            after = sum(m * a * b for m, a, b in held) / whole
            up = before <= claim.rho1 and after >= claim.rho2
            down = before >= claim.rho2 and after <= claim.rho1
            if (up and claim.direction != "downward") or (down and claim.direction != "upward"):
                return True
    return False


def too_high(rows, claim):
    gain = max(max(column) / min(column) for column in seen(rows, claim.reports))
    if isinstance(claim, BoundClaim):
        return gain > claim.bound if claim.relation == "<=" else gain >= claim.bound
    return gain >= claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))


@pytest.mark.parametrize("seed", range(6))
def test_regions_are_those_of_the_definitions_and_are_accepted(seed):
    chance = random.Random(seed)
    inputs = chance.choice([2, 3])
    rows = []
    for _ in range(inputs):
        a = chance.choice(FORMS)
        b = (1 - a) * chance.choice([F(1, 2), F(1, 3), SYMBOL])
        rows.append([a, b, 1 - a - b])
    operator = Operator.from_matrix(rows, name="R", parameters=[P])
    weights = [chance.randint(1, 5) for _ in range(inputs)]
    prior = [F(weight, sum(weights)) for weight in weights]
    low, high = sorted(chance.sample(RHOS, 2))
    reports, direction = chance.choice([1, 2, 3]), chance.choice(["both", "upward", "downward"])
    known = Prior.of(operator.inputs, dict(zip(operator.inputs, prior, strict=True)), "K")
    relation = chance.choice(["<", "<="])
    for claim in (
        BreachClaim(low, high, direction, known, reports=reports),
        BreachClaim(low, high, direction, reports=reports),
        BoundClaim("amplification", relation, chance.choice([2, 5, 20]), reports=reports),
    ):
        found = certify(operator, claim)
        assert found.region is not None
        assert check_certificate(found.to_json()).accepted
        for _ in range(3):
            x = F(1, 10) + F(8 * chance.randint(1, 999), 10_000)
            at = [[substitute(value, {"p": x}) for value in row] for row in rows]
            by_prior = isinstance(claim, BreachClaim) and claim.under is not None
            wrong = breached(at, claim, prior) if by_prior else too_high(at, claim)
            assert (x in found.region) != wrong


def test_the_digits_of_an_end_are_its_own():
    """0.18274399..., of which a number near it would show 0.182744."""
    rows = [[(1 - SYMBOL) ** 2 / 20, 1 - (1 - SYMBOL) ** 2 / 20], [SYMBOL**2, 1 - SYMBOL**2]]
    operator = Operator.from_matrix(rows, name="R", parameters=[P])
    found = certify(operator, BoundClaim("amplification", "<=", 1))
    assert "0.182743... (a root of -1 + 2*p + 19*p^2)" in found.region.text
    assert check_certificate(found.to_json()).accepted
