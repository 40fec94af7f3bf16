"""Evidence "arithmetic": one prior and one property, by Bayes' rule."""

from __future__ import annotations

from typing import Any

from .certificate import Certificate, Evidence, need_no_more
from .claim import BreachClaim, Claim
from .decision import Decision, Limits, shift
from .limits import ONE, ZERO
from .view import View


def arithmetic(views: list[View], claim: BreachClaim) -> Decision:
    """Compute before and after on each reached view."""
    above, below, breached = ZERO, ONE, False
    assert claim.about is not None
    for view in views:
        masses = [part.count * part.prior for part in view.classes]
        own = [m * c.member[claim.about] for m, c in zip(masses, view.classes, strict=True)]
        moved = shift(view, own, masses)
        if moved is None:
            continue
        for direction in claim.directions:
            low, high = moved if direction == "upward" else (moved[1], moved[0])
            if low <= claim.rho1:
                above = max(above, high)
            if high >= claim.rho2:
                below = min(below, low)
            breached = breached or claim.breached(direction, *moved)
    return Decision(breached, Limits(above, above, below, below))


class ByArithmetic(Evidence):
    """Nothing but the views."""

    kind, of = "arithmetic", ("finite", "sets")

    def suits(self, subject: Any, claim: Claim) -> bool:
        """One prior and one property, without free parameters."""
        breach = isinstance(claim, BreachClaim) and claim.about is not None
        return breach and claim.prior is not None and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of the views that speak for all outputs."""
        need_no_more(certificate)
        return arithmetic(certificate.subject.deciding, certificate.claim)
