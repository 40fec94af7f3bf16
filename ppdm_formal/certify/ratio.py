"""Amplification against a bound: max p[x1 -> y] / p[x2 -> y], over the reachable outputs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.claim import BoundClaim
from ppdm_formal.numbers.deadline import NEVER, Deadline
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.view import View

EVIDENCE = {"kind": "ratio"}


def decide_amplification(
    views: Sequence[View], claim: BoundClaim, deadline: Deadline = NEVER
) -> Finding:
    """Decide max p[x1 -> y] / p[x2 -> y] <= bound (or <), over the reachable outputs."""
    worst: tuple[Fraction, Fraction, BoundWitness] | None = None
    for position, view in enumerate(views):
        deadline.check()
        order = sorted(range(len(view.classes)), key=lambda i: view.classes[i].likelihood)
        most, least = view.classes[order[-1]].likelihood, view.classes[order[0]].likelihood
        if most == 0:
            continue
        if worst is None or most * worst[1] > worst[0] * least:
            value = None if least == 0 else most / least
            worst = (most, least, BoundWitness(position, order[-1], order[0], value))
    assert worst is not None, "every operator reaches some output"
    most, least, witness = worst
    limit = claim.bound * least
    holds = least > 0 and (most < limit or (most == limit and claim.relation == "<="))
    shown = "infinite" if witness.value is None else number_text(witness.value)
    reason = f"the amplification is {shown}"
    if holds:
        return Finding(Verdict.CERTIFIED, reason, EVIDENCE, worst=(witness,))
    return Finding(Verdict.BREACHED, reason, EVIDENCE, witness, worst=(witness,))
