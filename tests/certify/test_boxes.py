"""Several free parameters: what boxes certify is true at many points, and is replayed."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest
from how_many import cases

from ppdm_formal import BoundClaim, BreachClaim, Operator, Parameter, Prior, Property, Verdict
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate

P = Parameter("p", F(0), F(1), True, True)
Q = Parameter("q", F(0), F(1, 2))
X, Y = P.symbol, Q.symbol
SHAPES = (X / 2, 1 - X / 2, X * Y, (1 + X * Y) / 2, (1 + Y) / (2 + X), X / (1 + Y), F(1, 3), 1 - Y,
          (X - 2 * Y) ** 2 / 4, 1 / (2 + X + Y))  # fmt: skip


def points() -> list[dict[str, F]]:
    return [{"p": F(i, 6), "q": F(2 * j + 1, 24)} for i in range(7) for j in range(6)]


def random_operator(chance: random.Random) -> Operator:
    rows = []
    for _ in range(chance.randrange(2, 5)):
        entry = chance.choice(SHAPES) * chance.choice([F(1), F(1, 2)])
        rows.append([entry, 1 - entry])
    return Operator.from_matrix(rows, name="R", parameters=[P, Q])


def claims(operator: Operator, chance: random.Random) -> list[BoundClaim | BreachClaim]:
    low, high = sorted(chance.sample(range(1, 20), 2))
    rho = (F(low, 20), F(high, 20))
    first = Property.of(operator.inputs, [0], "first")
    prior = Prior.uniform(operator.inputs, "U")
    direction = chance.choice(("both", "upward", "downward"))
    return [
        BoundClaim("amplification", chance.choice(("<", "<=")), F(chance.randrange(1, 9))),
        BreachClaim(*rho, direction),
        BreachClaim(*rho, direction, about=first),
        BreachClaim(*rho, direction, prior, first),
        BreachClaim(*rho, direction, prior),
    ]


def test_random_operators_at_many_points():
    chance = random.Random(11)
    seen = {"boxes": 0, "witness": 0}
    for _ in range(cases(5, 12)):
        operator = random_operator(chance)
        for claim in claims(operator, chance):
            if len(claim.parameters(operator)) < 2:
                continue
            found = certify(operator, claim, timeout=20)
            if found.verdict is Verdict.UNKNOWN or not found.trust.exact:
                continue
            result = check_certificate(found.to_json())
            assert result.status == "accepted", (str(claim), result.reason)
            kind = found.evidence["kind"]
            seen[kind] += 1
            broken = any(
                certify(operator.substitute(at), claim).verdict is Verdict.BREACHED
                for at in points()
            )
            assert kind == "witness" or not broken, claim
    assert seen["boxes"] >= cases(3, 8)
    assert seen["witness"] >= cases(3, 8)


@pytest.mark.parametrize("upper", [F(1), F(3)])
def test_many_classes_one_of_which_stands_for_all(upper):
    """Duchi's bit on 41 points, a share r of the time: 1/2 +- r x (t - 1)/(2 t + 2)."""
    t, r = Parameter("t", F(1), F(1) + upper), Parameter("r", F(0), F(1))
    bias = r.symbol * (t.symbol - 1) / (2 * t.symbol + 2)
    rows = [[F(1, 2) + F(x, 20) * bias, F(1, 2) - F(x, 20) * bias] for x in range(-20, 21)]
    operator = Operator.from_matrix(rows, name="D", parameters=[t, r])
    found = certify(operator, BoundClaim("amplification", "<", F(2)))
    if upper == 1:
        assert found.verdict is Verdict.CERTIFIED
        assert all(len(set(row)) == 1 for row in found.evidence["above"])
    else:
        assert found.verdict is Verdict.BREACHED
    assert check_certificate(found.to_json()).accepted


def test_an_end_that_belongs_counts():
    for closed, verdict in ((False, Verdict.CERTIFIED), (True, Verdict.BREACHED)):
        p = Parameter("p", F(1, 2), F(9, 10), False, closed)
        q = Parameter("q", F(0), F(1, 10))
        x, e = p.symbol, q.symbol
        rows = [[x * (1 - e), (1 - x) * (1 - e), e], [(1 - x) * (1 - e), x * (1 - e), e]]
        operator = Operator.from_matrix(rows, name="T", parameters=[p, q])
        found = certify(operator, BreachClaim(F(1, 10), F(1, 2)))
        assert found.verdict is verdict
        assert found.trust.exact
        assert check_certificate(found.to_json()).accepted


def test_an_irrational_cut_and_a_form_that_touches_zero():
    """p^2 against 2 p (1 - p): cuts where likelihoods vanish, cross, or meet the bound."""
    p = Parameter("p", F(0), F(1), True, True)
    x = p.symbol
    forms = (x**2, (2 * x - 1) ** 2 / 2, x * (1 - x))
    rows = [[form, 1 - form] for form in forms]
    operator = Operator.from_matrix(rows, name="S", parameters=[p])
    for rho1, rho2 in ((F(1, 10), F(1, 2)), (F(1, 5), F(3, 4)), (F(1, 3), F(9, 10))):
        for direction in ("both", "upward"):
            found = certify(operator, BreachClaim(rho1, rho2, direction))
            result = check_certificate(found.to_json())
            assert result.accepted, result.reason
            for n in range(61):
                at = certify(operator.substitute({"p": F(n, 60)}), found.claim)
                assert (F(n, 60) in found.region) == (at.verdict is Verdict.CERTIFIED)
