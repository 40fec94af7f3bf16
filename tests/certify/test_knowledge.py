"""Background knowledge (EGS03 4.1): nothing new under all priors, new breaches under one."""

from __future__ import annotations

import random
from fractions import Fraction

from certify_cases import distribution, matrix
from how_many import cases

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

RARE, LIKELY = Fraction(1, 4), Fraction(1, 2)


def test_knowledge_can_create_a_breach_under_a_known_prior():
    # One half of the people are in group a, where the secret is rare: 1 of 5; in group b it is
    # common. Overall the secret is not rare, so that learning it is no breach; knowing the
    # group makes it rare, and the same answer becomes a breach.
    people = Domain(["a yes", "a no", "b yes", "b no"])
    prior = Prior.of(
        people, {"a yes": "1/10", "a no": "4/10", "b yes": "4/10", "b no": "1/10"}, "X"
    )
    ask = Operator.from_matrix(
        [["4/5", "1/5"], ["1/5", "4/5"], ["4/5", "1/5"], ["1/5", "4/5"]], people, ["yes", "no"], "R"
    )
    group = Operator.from_matrix([[1, 0], [1, 0], [0, 1], [0, 1]], people, ["a", "b"], "Z")
    secret = Property.of(people, ["a yes", "b yes"], "secret")
    plain = BreachClaim(RARE, LIKELY, "upward", prior, secret)
    assert certify(ask, plain).verdict is Verdict.CERTIFIED
    informed = certify(ask, BreachClaim(RARE, LIKELY, "upward", prior, secret, group))
    assert informed.verdict is Verdict.BREACHED
    assert (informed.witness.before, informed.witness.after) == (Fraction(1, 5), Fraction(1, 2))
    assert informed.summary()["witness"]["known"] == "a"


def test_knowledge_changes_nothing_under_all_priors_where_it_excludes_no_input():
    chance = random.Random(5)
    seen = set()
    for _ in range(cases(60, 150)):
        size = chance.randrange(2, 6)
        operator = Operator.from_matrix(matrix(chance, size, 3), name="R")
        known = Operator.from_matrix([distribution(chance, 2, 0.0) for _ in range(size)], name="Z")
        low, high = sorted(chance.sample(range(1, 20), 2))
        rho1, rho2 = Fraction(low, 20), Fraction(high, 20)
        plain = certify(operator, BreachClaim(rho1, rho2))
        informed = certify(operator, BreachClaim(rho1, rho2, knowing=known))
        assert plain.verdict is informed.verdict
        assert plain.thresholds == informed.thresholds
        seen.add(plain.verdict)
    assert len(seen) == 2


def test_knowledge_never_creates_a_breach_under_all_priors():
    chance = random.Random(6)
    removed = 0
    for _ in range(cases(60, 150)):
        size = chance.randrange(2, 6)
        operator = Operator.from_matrix(matrix(chance, size, 2), name="R")
        known = Operator.from_matrix([distribution(chance, 3, 0.5) for _ in range(size)], name="Z")
        plain = certify(operator, BreachClaim(RARE, LIKELY))
        informed = certify(operator, BreachClaim(RARE, LIKELY, knowing=known))
        if plain.verdict is Verdict.CERTIFIED:
            assert informed.verdict is Verdict.CERTIFIED
        removed += plain.verdict is not informed.verdict
    assert removed > 0


def test_who_knows_everything_learns_nothing():
    reveal = Operator.from_matrix([[1, 0], [0, 1]], name="Z")
    claim = BreachClaim(RARE, LIKELY, knowing=reveal)
    assert certify(reveal, claim).verdict is Verdict.CERTIFIED
    assert certify(reveal, BreachClaim(RARE, LIKELY)).verdict is Verdict.BREACHED
