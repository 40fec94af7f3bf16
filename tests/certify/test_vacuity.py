"""Claims that no case can test: exactly those for which brute force over beliefs finds none."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from certify_cases import random_case
from how_many import cases
from test_families_of_priors import (
    as_claim,
    constraint_rows,
    random_family_case,
    strictly_feasible,
)

from ppdm_formal.certify import NoCase, Verdict, certify
from ppdm_formal.certify.vacuity import vacuity
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

TINY = Fraction(1, 10**6)
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
COIN = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="coin")


def starts(belief, claim):
    """Whether the claim forbids a change from this belief."""
    low = claim.direction != "downward" and 0 < belief <= claim.rho1
    return low or (claim.direction != "upward" and claim.rho2 <= belief < 1)


def beliefs_beforehand(size, prior, about, knowledge):
    """P[Q | z] for every prior (all priors: on one or two inputs), z and property."""
    priors = [prior]
    if prior is None:
        priors = []
        for pair in itertools.product(range(size), repeat=2):
            for mass in (TINY, 1 - TINY, HALF):
                one = [Fraction(0)] * size
                one[pair[0]] += mass
                one[pair[1]] += 1 - mass
                priors.append(one)
    columns = [[Fraction(1)] * size]
    if knowledge is not None:
        columns = [list(column) for column in zip(*knowledge, strict=True)]
    for masses, known in itertools.product(priors, columns):
        held = [m * k for m, k in zip(masses, known, strict=True)]
        if sum(held):
            for members in range(1 << size) if about is None else [about]:
                inside = sum(h for x, h in enumerate(held) if members >> x & 1)
                yield inside / sum(held)


def test_against_every_property():
    many = cases(600, 3000)
    found = {True: 0, False: 0}
    for seed in range(many):
        case = random_case(seed)
        before = set(beliefs_beforehand(len(case.rows), case.prior, case.about, case.knowledge))
        truth = not any(starts(belief, case.claim) for belief in before)
        vacuous, why, _ = vacuity(case.claim.views(case.operator), case.claim)
        assert vacuous is truth, case
        certain = before <= {0, 1}
        assert why is (None if not truth else NoCase.CERTAIN if certain else NoCase.ELSEWHERE)
        found[truth] += 1
    assert min(found.values()) > many / 30


def test_families_against_vertices():
    found = {True: 0, False: 0}
    for seed in range(cases(150, 300)):
        rows, constraints, about, direction, rho1, rho2 = case = random_family_case(seed)
        size, claim = len(rows), as_claim(*case)
        family = constraint_rows(size, constraints)
        if not strictly_feasible(family, size):
            continue

        def possible(members, limits, family=family, size=size):
            inside = [members >> x & 1 for x in range(size)]
            outside = [1 - i for i in inside]
            rows = [(inside, 0, ">"), (outside, 0, ">"), *limits(inside), *family]
            return strictly_feasible(rows, size)

        limits = []
        if direction != "downward":
            limits.append(lambda inside, rho1=rho1: [([rho1 - i for i in inside], 0, ">=")])
        if direction != "upward":
            limits.append(lambda inside, rho2=rho2: [([i - rho2 for i in inside], 0, ">=")])
        properties = range(1 << size) if about is None else [about]
        truth = not any(possible(q, limit) for q in properties for limit in limits)
        certain = not any(possible(q, lambda _: []) for q in properties)
        vacuous, why, _ = vacuity(claim.views(Operator.from_matrix(rows)), claim)
        assert vacuous is truth, case
        assert why is (None if not truth else NoCase.CERTAIN if certain else NoCase.ELSEWHERE)
        found[truth] += 1
    assert min(found.values()) > cases(7, 15)


def test_the_belief_that_the_old_sentence_denied():
    prior = Prior.of(COIN.inputs, {0: "60%", 1: "40%"}, "V")
    found = certify(COIN, BreachClaim(TENTH, HALF, "downward", prior))
    assert found.verdict is Verdict.CERTIFIED
    assert found.vacuous is False
    assert "want of a case" not in found.reason
    upward = certify(COIN, BreachClaim(TENTH, HALF, "upward", prior))
    assert upward.vacuous is True
    assert upward.no_case is NoCase.ELSEWHERE
    assert "above 0 and at most 1/10" in upward.reason
    assert upward.to_json()["vacuous"] is upward.summary()["vacuous"] is True


def test_knowledge_that_leaves_one_input():
    tells = Operator.from_matrix([[1, 0], [0, 1]], name="Z")
    found = certify(COIN, BreachClaim(TENTH, HALF, knowing=tells))
    assert found.vacuous is True
    assert found.no_case is NoCase.CERTAIN
    assert certify(COIN, BoundClaim("amplification", "<=", Fraction(3))).vacuous is False


def parametric_prior(parameter, first):
    return Prior(Domain(range(2)), np.array([0, 1]), [first, 1 - first], "X", [parameter])


@pytest.mark.parametrize(
    ("lower", "upper", "closed", "vacuous"),
    [
        (Fraction(1, 5), Fraction(2, 5), False, True),
        (Fraction(1, 10), Fraction(2, 5), False, True),
        (Fraction(1, 10), Fraction(2, 5), True, False),  # only at the end, p = 1/10
        (Fraction(1, 20), Fraction(2, 5), False, False),
        (Fraction(0), Fraction(1), True, False),
    ],
)
def test_a_parameter_of_the_prior(lower, upper, closed, vacuous):
    p = Parameter("p", lower, upper, includes_lower=closed)
    claim = BreachClaim(TENTH, Fraction(9, 10), "upward", parametric_prior(p, p.symbol))
    assert vacuity(claim.views(COIN), claim, [p])[0] is vacuous


def test_what_is_not_decided_is_none():
    """Two parameters: the sum of the masses touches the bound on a curve, off every grid."""
    p = Parameter("p", Fraction(0), Fraction(1))
    q = Parameter("q", Fraction(0), Fraction(1))
    x, y = p.symbol, q.symbol
    first = (1 + (3 * x * x + 7 * y * y - 2) ** 2) / 101
    prior = Prior(Domain(range(2)), np.array([0, 1]), [first, 1 - first], "X", [p, q])
    claim = BreachClaim(Fraction(1, 101), Fraction(100, 101), "upward", prior)
    assert vacuity(claim.views(COIN), claim, [p, q])[0] in (None, False)
    low = BreachClaim(Fraction(1, 200), Fraction(199, 200), "upward", prior)
    assert vacuity(low.views(COIN), low, [p, q])[0] is not False


def test_an_operator_parameter_does_not_matter():
    p = Parameter("p", HALF, Fraction(1))
    warner = Operator.from_matrix(
        [[p.symbol, 1 - p.symbol], [1 - p.symbol, p.symbol]], name="W", parameters=[p]
    )
    nothing = Property.of(warner.inputs, [], "nothing")
    found = certify(warner, BreachClaim(TENTH, HALF, about=nothing))
    assert (found.verdict, found.vacuous) == (Verdict.CERTIFIED, True)
    assert "true of no possible input" in found.reason
