"""Delta against a bound: what p[x1 -> .] exceeds e^epsilon p[x2 -> .] by, over all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.delta import by_pair, excess

EVIDENCE = {"kind": "pairs"}


def decide_delta(views: Sequence[View], claim: BoundClaim, deadline: Deadline = NEVER) -> Finding:
    """Decide the smallest delta against the bound, on the views of pairs."""
    assert claim.at is not None
    factor = e_to(claim.at)
    first: dict[Any, int] = {}
    for position, view in enumerate(views):
        first.setdefault(view.known, position)
    worst: BoundWitness | None = None
    for pair, shown in by_pair(views).items():
        deadline.check()
        for likely, unlikely in ((0, 1), (1, 0)):
            value = excess(shown, likely, unlikely, factor)
            if worst is None or worst.value is None or value > worst.value:
                worst = BoundWitness(first[pair], likely, unlikely, value)
    if worst is None or worst.value is None:
        return Finding(Verdict.CERTIFIED, "there are no two inputs to compare", EVIDENCE)
    value = worst.value
    holds = value <= claim.bound if claim.relation == "<=" else value < claim.bound
    reason = f"the smallest delta is {said(value)}"
    if holds:
        return Finding(Verdict.CERTIFIED, reason, EVIDENCE, worst=(worst,))
    return Finding(Verdict.BREACHED, reason, EVIDENCE, worst, worst=(worst,))
