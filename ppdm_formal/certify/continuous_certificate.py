"""The certificate of a claim about a continuous operator, of the kind "additive".

It holds the operator (interval, noise, window), the density and the property that the claim names,
and evidence: that extremes decide, or the cuts between intervals of z whose odds are enclosed
(docs/certificate.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from ppdm_formal.certify.canonical import claim_json
from ppdm_formal.certify.continuous import decide_continuous
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.certify.rebuild import NotInModel, rebuilt_claim
from ppdm_formal.certify.recheck import rechecked
from ppdm_formal.certify.written import Written
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Bell, Density
from ppdm_formal.declare.reals.reals import RealProperty


@dataclass(frozen=True)
class ContinuousCertificate(Written):
    """What was claimed of a continuous operator, what was found, and why."""

    operator: ContinuousOperator
    claim: Claim
    finding: Finding
    provenance: Mapping[str, Any] | None = None

    @property
    def evidence(self) -> Mapping[str, Any]:
        """What re-derives the verdict, apart from a witness."""
        return {k: v for k, v in self.finding.evidence.items() if k != "witness"}

    @property
    def witness(self) -> Mapping[str, Any] | None:
        """Inputs and outputs that show a breach."""
        found: Mapping[str, Any] | None = self.finding.evidence.get("witness")
        return found

    @cached_property
    def operator_json(self) -> dict[str, Any]:
        """The operator, with the density and the property that the claim names."""
        return operator_json(self.operator, self.claim)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""
        return claim_json(self.claim)

    def witness_json(self) -> Mapping[str, Any] | None:
        """Inputs and outputs that show a breach."""
        return self.witness

    def summary(self, file: str | None = None) -> dict[str, Any]:
        """The certificate as an audit lists it; `file` is where it was written."""
        claim = {key: part for key, part in claim_json(self.claim).items() if key != "properties"}
        if isinstance(self.claim, BreachClaim):
            about = self.claim.about
            claim |= {
                "under": self.claim.under_text,
                "for": None if about is None else about.name,
            }
        return {
            "claim": claim,
            "verdict": self.verdict.value,
            "vacuous": self.vacuous,
            "trust": None if self.trust is None else str(self.trust),
            "reason": self.finding.reason,
            "file": file,
            "witness": self.witness,
        }


def certify_continuous(
    operator: ContinuousOperator,
    claim: Claim,
    timeout: float = 60,
    provenance: Mapping[str, Any] | None = None,
) -> ContinuousCertificate:
    """Decide a claim within a time limit."""
    deadline = Deadline.after(timeout)
    try:
        finding = deadline.enforce(lambda: decide_continuous(operator, claim, deadline))
    except DeadlinePassed:
        finding = Finding(Verdict.UNKNOWN, f"not decided within {timeout:g} s", vacuous=None)
    return rechecked(ContinuousCertificate(operator, claim, finding, provenance), timeout)


def operator_json(operator: ContinuousOperator, claim: Claim) -> dict[str, Any]:
    """The operator with the density and the property that the claim names."""
    noise, window = operator.noise, operator.window
    under = claim.under if isinstance(claim, BreachClaim) else None
    about = claim.about if isinstance(claim, BreachClaim) else None
    return {
        "kind": "additive",
        "name": operator.name,
        "inputs": _texts(operator.inputs.lo, operator.inputs.hi),
        "noise": {
            "law": noise.name,
            "parameters": _texts(*(getattr(noise, field.name) for field in fields(noise))),
        },
        "window": None
        if window is None
        else {"kind": window.kind, "ends": _texts(window.lo, window.hi)},
        "density": density_json(under) if isinstance(under, Density) else None,
        "property": [_texts(*part) for part in about.intervals]
        if isinstance(about, RealProperty)
        else None,
    }


def density_json(density: Density) -> list[dict[str, Any]]:
    """The parts of a mixture."""
    shown = []
    for part in density.components:
        bell = isinstance(part, Bell)
        numbers = (part.mean, part.law.deviation) if isinstance(part, Bell) else part.support
        shown.append(
            {
                "law": "normal" if bell else "uniform",
                "parameters": _texts(*numbers),
                "weight": number_text(part.weight),
            }
        )
    return shown


def _texts(*numbers: Fraction) -> list[str]:
    return [number_text(number) for number in numbers]


def rebuilt_continuous(
    document: Mapping[str, Any],
    densities: Mapping[str, Density],
    properties: Mapping[str, RealProperty],
    operators: Mapping[str, ContinuousOperator],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Operator and claim of a certificate, derived from its names alone."""
    name = document["operator"]["name"]
    if name not in operators:
        raise NotInModel(f"the model declares no continuous operator {name}")
    claim = rebuilt_claim(document["claim"], densities, properties, {})
    return operator_json(operators[name], claim), claim_json(claim)
