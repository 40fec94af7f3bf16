"""The verdict: that it follows from the subject by evidence that suits the claim."""

from __future__ import annotations

from typing import Any

from .canonical import canonical
from .certificate import Certificate, Evidence
from .decision import thresholds_json
from .result import need
from .table import table_of


def suitable_evidence(subject: Any, claim: Any) -> dict[str, Evidence]:
    """What evidence suits a claim, by kind; where arithmetic decides, no solver is trusted."""
    every: dict[str, Evidence] = {kind: made() for kind, made in table_of(Evidence).items()}
    return {
        kind: evidence
        for kind, evidence in every.items()
        if subject.kind in evidence.of and evidence.suits(subject, claim)
    }


def verify(certificate: Certificate) -> bool | None:
    """Check all that a certificate says of its subject; whether that is nothing (vacuous).

    None: not known, of a claim about free parameters.
    """
    claim, raw, subject = certificate.claim, certificate.raw, certificate.subject
    suits, kind = suitable_evidence(subject, claim), certificate.evidence["kind"]
    need(kind in suits, f"the evidence of such a claim is {' or '.join(suits) or 'not known'}")
    evidence = suits[kind]
    need(evidence.trusting or not certificate.questions, "evidence that needs no solver")
    need((raw["region"] is not None) == evidence.regional, "a region without its evidence")
    need(subject.free or raw["tested"] is None, "tested: there is no free parameter")
    decision = evidence.decide(certificate)
    said = certificate.verdict
    need(decision.verdict == said, f"the views and the evidence do not say {said}")
    if certificate.witness is not None:
        subject.replay(certificate)
    shown = thresholds_json(decision, claim)
    need(canonical(raw["thresholds"]) == canonical(shown), f"the thresholds are {shown}")
    vacuous: bool | None = subject.vacuous(certificate)
    stated = raw["vacuous"]
    good = stated is None or (type(stated) is bool and stated == vacuous)
    found = "the claim is vacuous" if vacuous else "the claim is not vacuous"
    need(good, "whether the claim is vacuous is not shown" if vacuous is None else found)
    return vacuous
