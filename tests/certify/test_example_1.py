"""The operators of EGS03 Example 1, with the numbers that the paper gives or implies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.certify import EXACTLY, Thresholds, Verdict, certify
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator

N = 1001
DOMAIN = Domain(range(N))
FORBIDDEN = (Fraction(1, 7), Fraction(1, 2))


def circulant(near: Fraction, far: Fraction, reach: int, name: str) -> Operator:
    place = np.arange(N)
    distance = (place[:, None] - place[None, :]) % N
    codes = (np.minimum(distance, N - distance) > reach).astype(np.int64)
    return Operator.from_codes(DOMAIN, DOMAIN, CodedMatrix(codes, [near, far]), name)


@pytest.fixture(scope="module")
def operators():
    flat = Fraction(1, N)
    return {
        "R1": circulant(Fraction(1, 5), Fraction(4, 5000), 0, "R1"),
        "R2": circulant(Fraction(1, 201), Fraction(0), 100, "R2"),
        "R3": circulant((Fraction(1, 201) + flat) / 2, flat / 2, 100, "R3"),
    }


@pytest.fixture(scope="module")
def prior():
    codes = np.ones(N, dtype=np.int64)
    codes[0] = 0
    return Prior(DOMAIN, codes, [Fraction(1, 100), Fraction(99, 100000)], "X")


def test_r3_is_certified_for_all_priors_with_its_thresholds(operators):
    found = certify(operators["R3"], BreachClaim(*FORBIDDEN))
    assert found.verdict is Verdict.CERTIFIED
    assert found.trust == EXACTLY
    assert found.thresholds == Thresholds(Fraction(601, 1204), Fraction(201, 1403))
    assert found.smt == ()


@pytest.mark.parametrize("name", ["R1", "R2"])
def test_r1_and_r2_are_breached_with_witnesses(operators, name):
    found = certify(operators[name], BreachClaim(*FORBIDDEN))
    assert found.verdict is Verdict.BREACHED
    assert found.trust == EXACTLY
    shown = found.summary()["witness"]
    assert len(shown["prior"]) == 2
    assert len(shown["property"]) == 1
    # Replay once more, by hand, from what is shown.
    operator, output = operators[name], int(shown["output"])
    joint = {
        int(x): Fraction(p) * operator.probability(int(x), output)
        for x, p in shown["prior"].items()
    }
    inside = [int(x) for x in shown["property"]]
    assert sum(Fraction(shown["prior"][str(x)]) for x in inside) == Fraction(shown["before"])
    assert sum(joint[x] for x in inside) / sum(joint.values()) == Fraction(shown["after"])
    assert Fraction(shown["before"]) <= FORBIDDEN[0]
    assert Fraction(shown["after"]) >= FORBIDDEN[1]


def test_r3_under_its_prior_has_a_worst_property(operators, prior):
    found = certify(operators["R3"], BreachClaim(*FORBIDDEN, "upward", prior))
    assert found.verdict is Verdict.CERTIFIED
    assert found.trust == EXACTLY
    assert found.thresholds is not None
    assert found.thresholds.rho2_above == Fraction(5711904, 13339633)
    bound = found.evidence["upward"]["rho2_above"]
    assert bound["at_least"] == bound["at_most"] == "5711904/13339633"
    # At the threshold itself it is breached, just above it is not.
    worst = Fraction(5711904, 13339633)
    at = certify(operators["R3"], BreachClaim(FORBIDDEN[0], worst, "upward", prior))
    assert at.verdict is Verdict.BREACHED
    above = worst + Fraction(1, 10**12)
    beyond = certify(operators["R3"], BreachClaim(FORBIDDEN[0], above, "upward", prior))
    assert beyond.verdict is Verdict.CERTIFIED


def test_paper_breaches_of_r1_and_r2_under_the_prior(operators, prior):
    zero = Property.of(DOMAIN, [0], "zero")
    far = Property.where(DOMAIN, lambda x: not 200 <= x <= 800, "far")
    r1 = certify(
        operators["R1"], BreachClaim(Fraction(1, 100), Fraction(7, 10), "upward", prior, zero)
    )
    assert r1.verdict is Verdict.BREACHED
    assert (r1.witness.before, r1.witness.after) == (Fraction(1, 100), Fraction(250, 349))
    r2 = certify(
        operators["R2"], BreachClaim(Fraction(41, 100), Fraction(99, 100), "upward", prior, far)
    )
    assert r2.verdict is Verdict.BREACHED
    assert r2.witness.after == 1
    kept = certify(
        operators["R2"], BreachClaim(Fraction(40, 100), Fraction(99, 100), "upward", prior, far)
    )
    assert kept.verdict is Verdict.CERTIFIED
    assert "for want of a case" in kept.reason


def test_families_of_priors_on_r3(operators):
    zero = Property.of(DOMAIN, [0], "zero")
    far = Property.where(DOMAIN, lambda x: not 200 <= x <= 800, "far")
    family = PriorFamily(
        (
            Constraint(((Fraction(1), zero),), "<=", Fraction(1, 50)),
            Constraint(((Fraction(1), far),), ">=", Fraction(1, 3)),
        )
    )
    good = certify(operators["R3"], BreachClaim(*FORBIDDEN, under=family))
    assert good.verdict is Verdict.CERTIFIED
    assert good.evidence["kind"] == "farkas"
    bad = certify(operators["R3"], BreachClaim(Fraction(1, 6), Fraction(1, 2), under=family))
    assert bad.verdict is Verdict.BREACHED


def test_amplification_bounds(operators):
    bound = Fraction(1202, 201)
    for relation, limit, verdict in (
        ("<=", bound, Verdict.CERTIFIED),
        ("<", bound, Verdict.BREACHED),
        ("<", Fraction(6), Verdict.CERTIFIED),
        ("<=", bound - Fraction(1, 10**30), Verdict.BREACHED),
    ):
        found = certify(operators["R3"], BoundClaim("amplification", relation, limit))
        assert found.verdict is verdict
    assert (
        certify(operators["R2"], BoundClaim("amplification", "<=", Fraction(10**9))).witness.value
        is None
    )
