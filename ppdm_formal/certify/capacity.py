"""Channel capacities against a bound: an output law that every input is near, or a prior.

C <= max over x of KL(p[x -> .] || q) for any q, and C >= I(X; Y) for any prior: what Blahut and
Arimoto's iteration ends at, in rationals, is evidence for the one and a witness for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.information.balls import in_unit
from ppdm_formal.derive.information.capacity import channel_capacity


def decide_capacity(
    views: Sequence[View], claim: BoundClaim, deadline: Deadline = NEVER
) -> Finding:
    """Decide the largest capacity of the channels that the views show."""
    groups: dict[Any, list[int]] = {}
    for position, view in enumerate(views):
        groups.setdefault(view.known, []).append(position)
    found: list[Enclosure] = []
    laws: list[list[str]] = []
    for places in groups.values():
        deadline.check()
        shown = [views[place] for place in places]
        best = channel_capacity(_rows(shown))
        found.append(in_unit(best.nats, claim.unit or "nat"))
        if not _may_hold(found[-1].lo, claim):
            prior = [number_text(share) for share in best.prior]
            evidence = {"kind": "capacity", "prior": prior}
            reason = "under a prior the mutual information is above the bound"
            return Finding(
                Verdict.BREACHED, reason, evidence, BoundWitness(places[0]), measured=found[-1]
            )
        laws.append([number_text(_mean(view, best.prior)) for view in shown])
    whole = Enclosure(max(one.lo for one in found), max(one.hi for one in found))
    if not _may_hold(whole.hi, claim):
        return Finding(Verdict.UNKNOWN, f"the capacity, {whole}, is too close to the bound")
    shown_to_hold: dict[str, Any] = {"kind": "capacity", "laws": laws}
    return Finding(Verdict.CERTIFIED, "no prior passes the bound", shown_to_hold, measured=whole)


def _may_hold(value: Fraction, claim: BoundClaim) -> bool:
    return value < claim.bound or (value == claim.bound and claim.relation == "<=")


def _rows(shown: Sequence[View]) -> list[list[Any]]:
    """Row by row; outputs that show the same are one, so many times as likely."""
    return [
        [view.outputs * view.classes[x].likelihood for view in shown]
        for x in range(len(shown[0].classes))
    ]


def _mean(view: View, prior: Sequence[Fraction]) -> Any:
    """P[Y = y] of one of the view's outputs."""
    terms = [r * part.likelihood for r, part in zip(prior, view.classes, strict=True)]
    return sum(terms[1:], terms[0])
