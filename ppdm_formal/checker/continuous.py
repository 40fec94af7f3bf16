"""Additive noise on real numbers: the operator, with the density and the property of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .additive import Additive, read_additive
from .cells import starts_nowhere
from .certificate import Certificate, Subject
from .claim import BoundClaim, Claim
from .result import need


@dataclass(frozen=True)
class OnReals(Subject):
    """An operator z = x + noise, for a claim of one report, without knowledge."""

    kind = "additive"
    name: str
    operator: Additive
    claim: Claim

    @classmethod
    def read(cls, raw: Any, claim: Claim) -> OnReals:
        """The operator; density and property are there as the claim names them."""
        shown = read_additive(raw)
        need(claim.reports == 1 and claim.knowing is None, "of one report, without knowledge")
        if isinstance(claim, BoundClaim):
            need(claim.of_ratio, "no rule for this measure")
            need(
                shown.density is None and shown.intervals is None, "a density or property too many"
            )
        else:
            need(claim.family is None, "a family of priors")
            need((claim.prior is None) == (shown.density is None), "a density too many or few")
            need((claim.about is None) == (shown.intervals is None), "a property too many or few")
        return cls(shown.name, shown, claim)

    def replay(self, certificate: Certificate) -> None:
        """Evidence of either kind replays the witness on which it rests."""

    def vacuous(self, certificate: Certificate) -> bool:
        """Under a density, where one property is nowhere that the claim starts."""
        if isinstance(self.claim, BoundClaim) or certificate.witness is not None:
            return False
        return starts_nowhere(self.operator, self.claim)
