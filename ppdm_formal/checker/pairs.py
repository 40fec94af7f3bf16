"""Evidence "pairs": delta of (epsilon, delta)-local differential privacy, by pairs of inputs."""

from __future__ import annotations

from typing import Any

from .certificate import Certificate, Evidence, need_no_more
from .claim import BoundClaim, Claim
from .decision import Decision
from .limits import ZERO
from .reading import Fields
from .result import need
from .spelling import spell
from .view import View
from .views import by_known


def excess(shown: list[View], likely: int, unlikely: int, factor: Any) -> Any:
    """The sum over outputs of max(0, p[x1 -> y] - e^epsilon p[x2 -> y]) of a pair."""
    total: Any = ZERO
    for view in shown:
        gap = view.classes[likely].likelihood - factor * view.classes[unlikely].likelihood
        if gap > 0:
            total += view.outputs * gap
    return total


def pairs(views: list[View], claim: BoundClaim) -> Decision:
    """Every pair of inputs, in both orders."""
    found = [
        excess(shown, likely, 1 - likely, claim.factor)
        for shown in by_known(views).values()
        for likely in (0, 1)
    ]
    return Decision(not all(claim.allows(value, claim.bound) for value in found))


def replay_pair(fields: Fields, views: list[View], view: View, claim: BoundClaim) -> None:
    """The pair's delta breaks the claim."""
    likely, unlikely = fields.position("likely", 2), fields.position("unlikely", 2)
    need(likely != unlikely, "the witness is no pair")
    value = excess(by_known(views)[view.known], likely, unlikely, claim.factor)
    need(fields.raw["value"] == spell(value), f"the witness's delta is {spell(value)}")
    need(not claim.allows(value, claim.bound), "the witness does not break the claim")


class ByPairs(Evidence):
    """Nothing but the views."""

    kind, of = "pairs", ("finite",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """Delta, without free parameters."""
        return isinstance(claim, BoundClaim) and claim.factor is not None and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of all pairs."""
        need_no_more(certificate)
        return pairs(certificate.subject.views, certificate.claim)
