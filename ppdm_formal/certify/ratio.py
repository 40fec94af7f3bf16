"""Amplification against a bound: max p[x1 -> y] / p[x2 -> y], over the reachable outputs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.view import View

EVIDENCE = {"kind": "ratio"}


def decide_amplification(
    views: Sequence[View], claim: BoundClaim, deadline: Deadline = NEVER
) -> Finding:
    """Decide max p[x1 -> y] / p[x2 -> y] <= bound (or <); bounds on epsilon are its logarithm's."""
    witness: BoundWitness | None = None
    for position, view in enumerate(views):
        deadline.check()
        if not view.reachable:
            continue
        value = view.amplification
        if witness is None or _above(value, witness.value):
            witness = BoundWitness(position, *view.extremes(), value)
    assert witness is not None, "every operator reaches some output"
    gain, bound = witness.value, claim.limit
    holds = gain is not None and (gain <= bound if claim.relation == "<=" else gain < bound)
    shown = "infinite" if gain is None else number_text(gain)
    reason = f"the amplification is {shown}"
    if holds:
        return Finding(Verdict.CERTIFIED, reason, EVIDENCE, worst=(witness,))
    return Finding(Verdict.BREACHED, reason, EVIDENCE, witness, worst=(witness,))


def _above(one: Fraction | None, other: Fraction | None) -> bool:
    """Whether one amplification is greater; None is infinite."""
    return other is not None and (one is None or one > other)
