"""Certificates of continuous operators, as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .additive import Additive, read_additive
from .cells import cells_decide
from .certificate import Question, check_vacuous, read_frame
from .claim import BoundClaim, BreachClaim, Claim, read_claim
from .extremes import extremes_decide
from .levels import levels_decide
from .reading import Fields
from .result import EXACTLY, need


@dataclass(frozen=True)
class ContinuousCertificate:
    """A certificate of a continuous operator that was read and verified."""

    claim: Claim
    operator: Additive
    vacuous: bool
    raw: dict[str, Any]
    questions: tuple[Question, ...] = ()


def verify_continuous(raw: dict[str, Any]) -> ContinuousCertificate:
    """The frame, and then what the evidence shows."""
    keys = "format claim model operator verdict vacuous trust reason evidence witness versions"
    fields = Fields(raw, "certificate", keys + " sha256")
    read_frame(fields)
    need(fields.text("trust") == EXACTLY, f"the evidence is {EXACTLY}")
    claim, shown = read_claim(raw["claim"]), read_additive(raw["operator"])
    need(claim.reports == 1 and claim.knowing is None, "of one report, without knowledge")
    if isinstance(claim, BoundClaim):
        need(claim.of_ratio, "no rule for this measure")
        need(shown.density is None and shown.intervals is None, "a density or property too many")
    else:
        need(claim.family is None, "a family of priors")
        need((claim.prior is None) == (shown.density is None), "a density too many or few")
        need((claim.about is None) == (shown.intervals is None), "a property too many or few")
    kind, witness = raw["evidence"]["kind"], raw["witness"]
    vacuous = False
    if kind == "extremes":
        Fields(raw["evidence"], "evidence", "kind")
        # Without a breach under any prior there is none under the claim's.
        need(shown.density is None or (witness is None and claim.about is None), "not decided so")  # type: ignore[union-attr]
        broken = extremes_decide(shown, claim, witness)
    elif kind == "levels":
        need(isinstance(claim, BreachClaim) and witness is None, "not decided so")
        assert isinstance(claim, BreachClaim)
        levels_decide(shown, claim, raw["evidence"])
        broken = False
    else:
        need(kind == "cells" and isinstance(claim, BreachClaim), "no such evidence here")
        assert isinstance(claim, BreachClaim)
        broken, vacuous = cells_decide(shown, claim, raw["evidence"], witness)
    need(broken == (raw["verdict"] == "breached"), "the evidence shows the other verdict")
    check_vacuous(raw, vacuous)
    return ContinuousCertificate(claim, shown, vacuous, raw)
