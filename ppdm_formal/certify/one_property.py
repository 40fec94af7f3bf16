"""One prior, one property: before = P[Q | z] and after = P[Q | y, z] on each view, compared."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.certify.beliefs import beliefs
from ppdm_formal.certify.finding import (
    BreachWitness,
    Finding,
    Thresholds,
    Verdict,
    WitnessPart,
    clipped_above,
    clipped_below,
)
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.view import View

Direction: TypeAlias = Literal["upward", "downward"]

EVIDENCE = {"kind": "arithmetic"}


def decide_one_property(views: Sequence[View], claim: BreachClaim, deadline: Deadline) -> Finding:
    """Decide a claim under one prior and for one property (the views' first)."""
    rho1, rho2 = claim.rho1, claim.rho2
    above, below = [Fraction(0)], [Fraction(1)]
    started: dict[Direction, list[BreachWitness]] = {"upward": [], "downward": []}
    found: BreachWitness | None = None
    for position, view in enumerate(views):
        deadline.check()
        changes = before_and_after(view)
        if changes is None:
            continue
        before, after = changes
        if claim.direction != "downward":
            above += [after] if before <= rho1 else []
            below += [before] if after >= rho2 else []
            if before <= rho1:
                started["upward"].append(_case("upward", position, view, changes))
                if found is None and after >= rho2:
                    found = started["upward"][-1]
        if claim.direction != "upward":
            above += [before] if after <= rho1 else []
            below += [after] if before >= rho2 else []
            if before >= rho2:
                started["downward"].append(_case("downward", position, view, changes))
                if found is None and after <= rho1:
                    found = started["downward"][-1]
    thresholds = Thresholds(clipped_above(max(above), rho1), clipped_below(min(below), rho2))
    worst = (
        *sorted(started["upward"], key=lambda case: -case.after)[:1],
        *sorted(started["downward"], key=lambda case: case.after)[:1],
    )
    if found is not None:
        reason = f"the property goes from {number_text(found.before)} to {number_text(found.after)}"
        return Finding(Verdict.BREACHED, reason, EVIDENCE, found, thresholds, worst=worst)
    reason = "the property's posterior probability was computed for every view"
    return Finding(Verdict.CERTIFIED, reason, EVIDENCE, None, thresholds, worst=worst)


def _case(
    direction: Direction, position: int, view: View, changes: tuple[Fraction, Fraction]
) -> BreachWitness:
    parts = tuple(
        WitnessPart(index, part.count) for index, part in enumerate(view.classes) if part.member[0]
    )
    return BreachWitness(direction, position, parts, *changes)


def before_and_after(view: View) -> tuple[Fraction, Fraction] | None:
    """P[Q | z] and P[Q | y, z] of the first property; None where the view has probability 0."""
    nothing = Fraction(0)
    masses = ((part, part.count * part.prior) for part in view.classes)  # type: ignore[operator]
    return beliefs((p, m, nothing) if p.member[0] else (p, nothing, m) for p, m in masses)
