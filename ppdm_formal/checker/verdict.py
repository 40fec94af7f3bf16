"""The verdict: that it follows from the views by evidence that suits the claim."""

from __future__ import annotations

from .arithmetic import arithmetic
from .canonical import canonical
from .capacity import capacity
from .certificate import Certificate, check_vacuous
from .claim import BoundClaim, BreachClaim, Claim
from .decision import Decision, is_vacuous, thresholds_json
from .enclosure import enclosure
from .farkas import farkas
from .formula import formula
from .knapsack import knapsack
from .likelihood_ratio import ratio
from .pairs import pairs
from .parametric import verify_parametric
from .placing import placing
from .reading import Fields
from .result import need
from .rounded import verify_rounded
from .sets import Chosen, read_chosen
from .solver_word import breached_at
from .vacuity import vacuous_anywhere
from .view import View
from .views import read_views
from .witness import replay


def suitable_evidence(claim: Claim, parameters: int, of_sets: bool = False) -> list[str]:
    """What evidence suits a claim; where arithmetic decides, no solver is trusted."""
    if of_sets:
        if isinstance(claim, BoundClaim) or parameters:
            return []
        if claim.prior is None:
            return ["ratio"] if claim.family is None else ["farkas", "witness"]
        return ["placing" if claim.about is None else "arithmetic"]
    if isinstance(claim, BoundClaim):
        if claim.formula is not None:
            return ["formula"] if not parameters else []
        if claim.factor is not None:
            free = ["region", "witness"] if claim.reports == 1 else []
            return [["pairs"], free, []][min(parameters, 2)]
        if claim.each == "channel":
            return ["capacity"] if not parameters else []
        if not claim.of_ratio:
            return ["enclosure"] if not parameters else []
    if parameters:
        return ["region", "witness"] if parameters == 1 else ["boxes", "witness", "solver"]
    if isinstance(claim, BoundClaim):
        return ["ratio"]
    if claim.prior is None and claim.family is None:
        return ["ratio", "witness"]
    if claim.prior is not None and claim.about is not None:
        return ["arithmetic", "witness"]
    return ["farkas" if claim.prior is None else "knapsack", "witness", "solver"]


def decide(certificate: Certificate, views: list[View]) -> Decision:
    """What the views and the evidence say of a claim without free parameters."""
    claim, evidence, kind = certificate.claim, certificate.evidence, certificate.kind
    if kind in ("ratio", "arithmetic", "witness", "formula", "pairs"):
        Fields(evidence, "evidence", "kind")
    if kind == "ratio":
        return ratio(views, claim)
    if isinstance(claim, BoundClaim):
        if kind == "pairs":
            return pairs(views, claim)
        if kind == "enclosure":
            return enclosure(views, claim, evidence, certificate.witness)
        if kind == "capacity":
            return capacity(views, claim, evidence, certificate.witness)
        return formula(views, claim, certificate.witness)
    if kind == "arithmetic":
        return arithmetic(views, claim)
    if kind == "knapsack":
        return knapsack(views, claim, evidence)
    if kind == "farkas":
        return farkas(views, claim, evidence)
    if kind == "solver":
        need(not breached_at(views, claim), "the claim is broken, whatever a solver says")
        return Decision(False)
    return Decision(True)  # rests on the witness


def decide_sets(certificate: Certificate, chosen: Chosen) -> Decision:
    """What is stated of all sets and the evidence say: no set is left out."""
    claim, kind = certificate.claim, certificate.kind
    assert isinstance(claim, BreachClaim)
    if kind == "arithmetic":
        Fields(certificate.evidence, "evidence", "kind")
        return arithmetic(chosen.extremes(claim), claim)
    if kind == "placing":
        return placing(chosen, claim, certificate.evidence)
    need(chosen.views, "no views")
    if kind != "witness":
        chosen.need_all_shapes()
    return decide(certificate, chosen.views)


def verify(certificate: Certificate) -> bool | None:
    """Check all that a certificate says of its operator; whether that is nothing (vacuous).

    None: not known, of a claim about free parameters.
    """
    claim, raw, described = certificate.claim, certificate.raw, certificate.described
    partly = certificate.verdict == "partly"
    need(not partly or certificate.kind == "region", "partly: without a region")
    free = raw["operator"]["likelihoods"] != "within" and described.parameters
    need(free or raw.get("tested") is None, "tested: there is no free parameter")
    if raw["operator"]["likelihoods"] == "within":
        return verify_rounded(certificate)
    suits = suitable_evidence(claim, len(described.parameters), described.of_sets)
    good = certificate.kind in suits
    need(good, f"the evidence of such a claim is {' or '.join(suits) or 'not known'}")
    need(certificate.kind == "region" or raw["region"] is None, "a region without its evidence")
    limits, vacuous = None, None
    if described.parameters:
        verify_parametric(certificate)
        vacuous = vacuous_anywhere(certificate)
    else:
        claim.given({})  # an epsilon that is a parameter's needs that parameter
        chosen = read_chosen(described, claim) if described.of_sets else None
        views = read_views(described, claim) if chosen is None else chosen.views
        if chosen is None:
            decision = decide(certificate, views)
        else:
            decision = decide_sets(certificate, chosen)
        good = decision.breached == certificate.breached
        need(good, f"the views and the evidence do not say {certificate.verdict}")
        if certificate.breached:
            replay(certificate.witness, views, claim, certificate.evidence)
        limits = decision.limits
        vacuous = is_vacuous(views if chosen is None else chosen.beforehand(), claim)
    shown = thresholds_json(limits, claim)
    need(canonical(raw["thresholds"]) == canonical(shown), f"the thresholds are {shown}")
    check_vacuous(raw, vacuous)
    return vacuous
