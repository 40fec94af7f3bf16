"""What would make a vacuous claim speak: against all beliefs, and claims that only come near."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from certify_cases import random_case
from test_families_of_priors import (
    as_claim,
    constraint_rows,
    random_family_case,
    strictly_feasible,
)
from test_vacuity import beliefs_beforehand

from ppdm_formal.certify import NoCase, Verdict, certify
from ppdm_formal.certify.speaks import speaks, untested
from ppdm_formal.certify.vacuity import vacuity
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator

TINY = Fraction(1, 10**6)


def moved(claim, direction, belief):
    """The claim of one direction that starts just at a belief."""
    rho1, rho2 = (belief, (belief + 1) / 2) if direction == "upward" else (belief / 2, belief)
    return replace(claim, rho1=rho1, rho2=rho2, direction=direction)


def test_fifty_of_every_kind_and_their_nearest_neighbours():
    """Vacuous by brute force; moved to the belief that is named they are not, just short of it."""
    kinds = Counter()
    for seed in range(1200):
        case = random_case(seed)
        if case.prior is None:
            continue
        before = set(beliefs_beforehand(len(case.rows), case.prior, case.about, case.knowledge))
        inner = sorted(belief for belief in before if 0 < belief < 1)
        views = case.claim.views(case.operator)
        if vacuity(views, case.claim)[1] is not NoCase.ELSEWHERE:
            continue
        found = speaks(views, case.claim)
        kind = (case.claim.direction, case.about is None, case.knowledge is None)
        kinds[kind] += 1
        if case.claim.direction != "downward":
            assert (found.rho1_from.belief, found.rho1_from.included) == (inner[0], True)
        if case.claim.direction != "upward":
            assert (found.rho2_to.belief, found.rho2_to.included) == (inner[-1], True)
        for direction, start in (("upward", found.rho1_from), ("downward", found.rho2_to)):
            if start is not None:
                short = start.belief - TINY if direction == "upward" else start.belief + TINY
                near = moved(case.claim, direction, start.belief)
                assert vacuity(near.views(case.operator), near)[0] is False
                assert vacuity(views, moved(case.claim, direction, short))[0] is True
    assert len(kinds) == 12
    assert sum(kinds.values()) > 50


def test_families_against_vertices():
    checked = 0
    for seed in range(300):
        rows, constraints, about, direction, _, _ = case = random_family_case(seed)
        size, claim = len(rows), as_claim(*case)
        family = constraint_rows(size, constraints)
        if not strictly_feasible(family, size):
            continue
        views = claim.views(Operator.from_matrix(rows))
        if vacuity(views, claim)[1] is not NoCase.ELSEWHERE:
            continue
        found = speaks(views, claim)

        # Downward, the complement starts low.
        own = about if about is None or direction != "downward" else ~about % (1 << size)

        def case_at(belief, family=family, size=size, own=own, strict=False):
            """Whether some prior has 0 < P[Q] <= belief (< belief), for a property of the claim."""
            for members in range(1 << size) if own is None else [own]:
                inside = [members >> x & 1 for x in range(size)]
                limit = ([belief - i for i in inside], 0, ">" if strict else ">=")
                some = [(inside, 0, ">"), ([1 - i for i in inside], 0, ">"), limit, *family]
                if strictly_feasible(some, size):
                    return True
            return False

        start = found.rho2_to if direction == "downward" else found.rho1_from
        low = 1 - start.belief if direction == "downward" else start.belief
        assert not case_at(low, strict=True)
        assert case_at(low) is start.included
        assert start.included or case_at(low + TINY)
        checked += 1
    assert checked > 15


def test_a_family_that_only_comes_near():
    domain = Domain(range(2))
    first = Property.of(domain, [0], "first")
    more = PriorFamily((Constraint(((Fraction(1), first),), ">", Fraction(3, 10)),))
    claim = BreachClaim("1/10", "1/2", "upward", more, first)
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    found = certify(coin, claim)
    assert found.says_nothing
    assert (found.speaks.rho1_from.belief, found.speaks.rho1_from.included) == (
        Fraction(3, 10),
        False,
    )
    assert found.summary()["speaks"]["rho1_from"] == {"belief": "3/10", "included": False}


def test_one_direction_without_a_case():
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    prior = Prior.of(coin.inputs, {0: "60%", 1: "40%"}, "P")
    claim = BreachClaim("1/10", "1/2", "both", prior)
    found = certify(coin, claim)
    assert (found.verdict, found.vacuous) == (Verdict.CERTIFIED, False)
    assert found.finding.untested == found.summary()["untested"] == "upward"
    assert untested(found.views, replace(claim, rho1=Fraction(2, 5))) is None
    assert check_certificate(found.to_json()).accepted


def test_all_priors_always_speak():
    claim = BreachClaim("1/10", "1/2")
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    assert certify(coin, claim).speaks is None
    assert untested(claim.views(coin), claim) is None
