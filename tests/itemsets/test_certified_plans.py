"""A plan certifies at every size; the paper's equality is breached, as it says."""

from __future__ import annotations

from fractions import Fraction

from written_plans import written_design

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.design.plan_file import plan_of

F = Fraction
NO_BREACH = BreachClaim(F(1, 20), F(1, 2))


def test_plans_certify_at_every_size():
    plan = written_design([1, 2, 5, 8], 5_000_000, "5%", "50%", 3, items=100_000)
    for entry in plan["sizes"]:
        operator = plan_of(plan).only.operator(entry["size"], 100_000)
        assert certify(operator, NO_BREACH).verdict is Verdict.CERTIFIED
        bound = BoundClaim("amplification", "<=", F(entry["amplification"]))
        assert certify(operator, bound).verdict is Verdict.CERTIFIED
        below = BoundClaim("amplification", "<", F(entry["amplification"]))
        assert certify(operator, below).verdict is Verdict.BREACHED


def test_equality_is_breached():
    plan = written_design([5], 5_000_000, "5%", "50%", 3, paper=True)
    found = certify(plan_of(plan).only.operator(5, 1000), NO_BREACH)
    assert found.verdict is Verdict.BREACHED
    assert found.witness.before == F(1, 20)
    assert found.witness.after == F(1, 2)
