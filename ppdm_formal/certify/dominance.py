"""Dominance: which classes of a view stand for the others, as the most and the least likely ones.

Where one likelihood is at least another for all values of the parameters, what is said of every
pair of classes follows from what is said of those that stand for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_formal.declare.arithmetic.envelope import covered
from ppdm_formal.declare.arithmetic.exact import ZERO, Exact
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.view import View


@dataclass(frozen=True)
class DominantClasses:
    """For each class the place of one at least as likely, and of one at least as unlikely."""

    above: tuple[int, ...]
    below: tuple[int, ...]


def covers(
    views: Sequence[View], claim: Claim, parameters: Sequence[Parameter], deadline: Deadline
) -> list[DominantClasses]:
    """A cover for each view, of claims under all priors and on amplification; otherwise none."""
    if isinstance(claim, BreachClaim) and claim.under is not None:
        return []
    found = []
    for view in views:
        deadline.check()
        above, below = list(range(len(view.classes))), list(range(len(view.classes)))
        for places in _alike(view, claim):
            likelihoods = [view.classes[place].likelihood for place in places]
            for sign, cover in ((1, above), (-1, below)):
                standing = covered([sign * value for value in likelihoods], parameters)
                for place, other in zip(places, standing, strict=True):
                    cover[place] = places[other]
        found.append(DominantClasses(tuple(above), tuple(below)))
    return found


def _alike(view: View, claim: Claim) -> list[list[int]]:
    """Classes that may stand for each other: on one side of the property, equally known."""
    about = claim.about if isinstance(claim, BreachClaim) else None
    groups: dict[tuple[bool, Exact], list[int]] = {}
    for place, part in enumerate(view.classes):
        if part.known != ZERO:
            inside = about is not None and part.member[0]
            groups.setdefault((inside, part.known), []).append(place)
    return list(groups.values())
