"""Noise on real numbers: claims about continuous operators, and certificates of kind "additive".

They hold the operator (interval, noise, window), the density and the property that the claim names,
and evidence: that extremes decide, or the cuts between intervals of z whose odds are enclosed
(docs/certificate.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from ppdm_formal.certify.canonical import claim_json
from ppdm_formal.certify.continuous import decide_continuous
from ppdm_formal.certify.finding import Finding
from ppdm_formal.certify.rebuild import rebuilt_claim
from ppdm_formal.certify.subject import Rebuilt, Subject, named
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.view import View
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Bell, Density
from ppdm_formal.declare.reals.reals import RealProperty

if TYPE_CHECKING:
    from ppdm_formal.declare.language.model import Model


class OnReals(Subject[ContinuousOperator, Claim]):
    """Noise that is added to a real number, and what is claimed of it."""

    kinds: ClassVar[tuple[str, ...]] = ("additive",)

    def decide(self, views: tuple[View, ...], deadline: Deadline, cross_check: bool) -> Finding:
        """By extremes, or by cells under a density; there are no views."""
        return decide_continuous(self.operator, self.claim, deadline)

    def operator_json(self, finding: Finding) -> dict[str, Any]:
        """The operator, with the density and the property that the claim names."""
        return operator_json(self.operator, self.claim)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""
        return claim_json(self.claim)

    def witness_json(self, finding: Finding) -> Mapping[str, Any] | None:
        """Inputs and outputs that show a breach."""
        return None if finding.told is None else finding.told.to_json()

    def asked_json(self) -> dict[str, Any]:
        """The claim as an audit lists it."""
        claim = {key: part for key, part in claim_json(self.claim).items() if key != "properties"}
        if isinstance(self.claim, BreachClaim):
            about = self.claim.about
            claim |= {
                "under": self.claim.under_text,
                "for": None if about is None else about.name,
            }
        return {"claim": claim}

    @classmethod
    def rebuilt(cls, document: Mapping[str, Any], model: Model) -> Rebuilt:
        """Operator and claim of a certificate, derived from its names alone."""
        real, name = model.real, document["operator"]["name"]
        operator = named(real.operators, name, "continuous operator")
        claim = rebuilt_claim(document["claim"], real.densities, real.properties, {})
        return Rebuilt(operator_json(operator, claim), claim_json(claim))


SUBJECT = OnReals


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
