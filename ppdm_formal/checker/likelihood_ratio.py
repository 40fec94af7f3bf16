"""Evidence "ratio": all priors, and amplification, by the ratio of likelihoods of each view."""

from __future__ import annotations

from itertools import product
from typing import Any

from .certificate import Certificate, Evidence, need_no_more
from .claim import BoundClaim, Claim
from .decision import Decision, Limits
from .limits import ONE, ZERO
from .view import View


def ratio(views: list[View], claim: Claim) -> Decision:
    """Statement 1 of EGS03 and its converse on each view; and amplification."""
    if isinstance(claim, BoundClaim):
        return Decision(any(not keeps_amplification(view, claim) for view in views))
    above, below, breached = ZERO, ONE, False
    rho1, rho2 = claim.rho1, claim.rho2
    for view, direction in product(views, claim.directions):
        inside, outside = [], []
        for part in view.classes:
            if part.knowledge == 0:
                continue  # what is known excludes these inputs
            has = None if claim.about is None else part.member[claim.about]
            # Downward is upward for the complement.
            if has is None or has == (direction == "upward"):
                inside.append(part.likelihood)
            if has is None or has != (direction == "upward"):
                outside.append(part.likelihood)
        if not outside or not any(inside):
            continue
        # The worst prior has two points: the likeliest input inside Q, the least likely outside.
        most, least = max(inside), min(outside)
        breached = breached or rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least
        above = max(above, rho1 * most / (rho1 * most + (1 - rho1) * least))
        below = min(below, rho2 * least / (rho2 * least + (1 - rho2) * most))
    return Decision(breached, Limits(above, above, below, below))


def keeps_amplification(view: View, claim: BoundClaim) -> bool:
    """Whether the likelihoods of a view keep the bound on their ratio; so does one never seen."""
    most = max(part.likelihood for part in view.classes)
    least = min(part.likelihood for part in view.classes)
    return most == 0 or (least > 0 and claim.allows(most / least, claim.limit))


class ByRatio(Evidence):
    """Nothing but the views."""

    kind, of = "ratio", ("finite", "sets")

    def suits(self, subject: Any, claim: Claim) -> bool:
        """All priors, and bounds on the ratio; without free parameters."""
        return not subject.free and claim.of_ratio

    def decide(self, certificate: Certificate) -> Decision:
        """Of the views that speak for all outputs."""
        need_no_more(certificate)
        return ratio(certificate.subject.deciding, certificate.claim)
