"""All priors, exactly: a breach exists iff rho1 (1 - rho2) L >= rho2 (1 - rho1) l on some view.

L is the greatest likelihood of an input that may have the property and l the least of one that
may lack it: Statement 1 of EGS03 and its converse. The converse's witness is a prior on two
inputs, rho1 on the likely one (which alone has the property), 1 - rho1 on the unlikely one.
Knowledge Z = z leaves all priors on the inputs that z allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

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

EVIDENCE = {"kind": "ratio"}

Extremes = tuple[int, int]
"""Positions of the most likely class inside and of the least likely class outside."""


def decide_all_priors(views: Sequence[View], claim: BreachClaim, deadline: Deadline) -> Finding:
    """Decide a claim under all priors, for one property (the views' first) or for every one."""
    rho1, rho2 = claim.rho1, claim.rho2
    above, below = Fraction(0), Fraction(1)
    found: BreachWitness | None = None
    furthest: dict[str, tuple[Fraction, int, Extremes]] = {}
    for position, view in enumerate(views):
        deadline.check()
        for direction in ("upward", "downward"):
            if claim.direction not in ("both", direction):
                continue
            extremes = _extremes(view, claim, direction)
            if extremes is None:
                continue
            most = view.classes[extremes[0]].likelihood
            least = view.classes[extremes[1]].likelihood
            reached = rho1 * most / (rho1 * most + (1 - rho1) * least)
            above = max(above, reached)
            if direction not in furthest or reached > furthest[direction][0]:
                furthest[direction] = (reached, position, extremes)
            below = min(below, rho2 * least / (rho2 * least + (1 - rho2) * most))
            breached = rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least
            if found is None and breached:
                found = _two_points(position, view, extremes, claim, direction)
    thresholds = Thresholds(clipped_above(above, rho1), clipped_below(below, rho2))
    worst = tuple(
        _two_points(position, views[position], extremes, claim, direction)
        for direction, (_, position, extremes) in furthest.items()
    )
    if found is not None:
        reason = "a prior on two inputs, likely and unlikely to give this output, is a breach"
        return Finding(Verdict.BREACHED, reason, EVIDENCE, found, thresholds, worst=worst)
    bound = rho2 * (1 - rho1) / (rho1 * (1 - rho2))
    reason = f"on every view the greatest likelihood is below {number_text(bound)} times the least"
    if claim.about is not None:
        reason += ", inside the property against outside"
    return Finding(Verdict.CERTIFIED, reason, EVIDENCE, None, thresholds, worst=worst)


def _extremes(
    view: View, claim: BreachClaim, direction: Literal["upward", "downward"] | str
) -> Extremes | None:
    """Which classes decide; None where the view cannot breach in this direction."""
    possible = [i for i, c in enumerate(view.classes) if c.known > 0]
    inside = outside = possible
    if claim.about is not None:
        inner = direction == "upward"
        inside = [i for i in possible if view.classes[i].member[0] == inner]
        outside = [i for i in possible if view.classes[i].member[0] != inner]
    if not inside or not outside:
        return None
    most, least = view.extremes(inside, outside)
    return None if view.classes[most].likelihood == 0 else (most, least)


def _two_points(
    position: int, view: View, extremes: Extremes, claim: BreachClaim, direction: str
) -> BreachWitness:
    """The converse of Statement 1. With knowledge, masses are divided by P[z | x] first."""
    likely, unlikely = extremes
    upward = direction == "upward"
    small = claim.rho1 if upward else 1 - claim.rho2
    masses = {likely: small, unlikely: 1 - small}
    prior = {index: mass / view.classes[index].known for index, mass in masses.items()}
    total = sum(prior.values())
    chosen = likely if upward else unlikely
    parts = []
    for index, part in enumerate(view.classes):
        if claim.about is not None:
            inside = part.count if part.member[0] else 0
        else:
            inside = 1 if index == chosen else 0
        mass = prior.get(index, Fraction(0)) / total
        if inside or mass:
            held = mass if index == chosen else Fraction(0)
            parts.append(WitnessPart(index, inside, held, mass - held))
    most, least = view.classes[likely].likelihood, view.classes[unlikely].likelihood
    after = small * most / (small * most + (1 - small) * least)
    if not upward:
        small, after = 1 - small, 1 - after
    return BreachWitness("upward" if upward else "downward", position, tuple(parts), small, after)
