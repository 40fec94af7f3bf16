"""Certificates as theorems: which kinds are covered, and what is stated and computed for each.

theorem_of is the one place that says so: `ppdm theorem` writes what it returns, the extracted
checker computes it, and `ppdm check` and reports say whether it is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_formal.certify.theorem.all_priors import amplification, ratio
from ppdm_formal.certify.theorem.family import farkas
from ppdm_formal.certify.theorem.known_prior import arithmetic, knapsack
from ppdm_formal.certify.theorem.pairs import delta
from ppdm_formal.certify.theorem.regions import exponentials, region
from ppdm_formal.certify.theorem.reports import several
from ppdm_formal.certify.theorem.stated import Theorem
from ppdm_formal.certify.theorem.term import NotCovered
from ppdm_formal.certify.theorem.witness import breached, ratio_broken
from ppdm_formal.checker import Rejected
from ppdm_formal.checker.claim import BoundClaim, read_bound_claim, read_breach_claim
from ppdm_formal.checker.exponential import Exponential
from ppdm_formal.checker.finite import Finite
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.reports import to_power
from ppdm_formal.checker.verdict import suitable_evidence
from ppdm_formal.checker.view import read_view

__all__ = ["NotCovered", "Theorem", "library_of", "theorem_of"]

OTHERS = {
    "additive": "continuous operators",
    "crowd": "claims about a crowd",
    "parts": "records in parts",
    "rounded": "matrices that are known up to rounding",
    "sets": "sets chosen in place of all views",
    "extreme": "the output that shows most, in place of all views",
    "summed": "outputs that are added up",
}
"""Kinds of operators, and sorts of likelihoods, for which there is no theorem."""

CERTIFIED = {"ratio": ratio, "arithmetic": arithmetic, "knapsack": knapsack, "farkas": farkas}


def theorem_of(document: Mapping[str, Any]) -> Theorem:
    """The theorem of an accepted certificate; or NotCovered says why there is none."""
    described, kind = document["operator"], document["evidence"]["kind"]
    for sort in (described["kind"], described.get("likelihoods")):
        if sort in OTHERS:
            raise NotCovered(OTHERS[sort])
    if "crowd" in document["claim"]:
        raise NotCovered(OTHERS["crowd"])
    if described["parameters"] and kind != "region":
        raise NotCovered(f"free parameters by evidence of the kind {kind}")
    if kind not in (*CERTIFIED, "witness", "region", "pairs"):
        raise NotCovered(f"evidence of the kind {kind}")
    raw = document["claim"]
    bound = raw.get("kind") == "bound"
    claim = read_bound_claim(raw) if bound else read_breach_claim(raw)
    if kind not in suitable_evidence(Finite.read(described, claim), claim):
        raise ValueError("evidence that does not suit the claim")
    if claim.reports > 1 and described["parameters"]:
        raise NotCovered("several reports with free parameters")
    if kind == "region":
        return region(document, claim)
    rows = described["views"]
    views = [read_view(row, f"views[{i}]", claim, read_number) for i, row in enumerate(rows)]
    if isinstance(claim, BoundClaim) and claim.factor is not None:
        return delta(document, claim, views)
    holds = document["verdict"] == "certified"
    repeated = claim.reports > 1 and not claim.by_counts
    numbers = [part.likelihood for view in views for part in view.classes]
    numbers += [claim.limit] if isinstance(claim, BoundClaim) else []
    if kind == "ratio" and any(isinstance(number, Exponential) for number in numbers):
        if repeated:
            raise NotCovered("several reports with exponentials")
        return exponentials(claim, views, holds)
    if repeated and holds:
        return several(claim, views)
    if repeated:  # the output of the witness, seen in every report
        views = [to_power(view, claim.reports) for view in views]
    if isinstance(claim, BoundClaim):
        return amplification(claim, views) if holds else ratio_broken(document, claim, views)
    return CERTIFIED[kind](document, claim, views) if holds else breached(document, claim, views)


def library_of(document: Mapping[str, Any]) -> str:
    """Which file of proofs/coq covers an accepted certificate; empty where there is none.

    Reports ask before a certificate is checked: one that the checker rejects (for a name that no
    model file can have, say) is covered by nothing.
    """
    try:
        return f"{theorem_of(document).library}.v"
    except (NotCovered, Rejected):
        return ""
