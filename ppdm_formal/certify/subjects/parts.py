"""Records in parts: claims about them, and certificates of the kind "parts".

They hold the views of every part's operator, the dependence among the parts that is given, and for
a breach two records, or a law of the parts, and outputs (docs/certificate.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ppdm_formal.certify.canonical import operator_json
from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.certify.parts import Shown, TwoRecords, breaking
from ppdm_formal.certify.rebuild import bound_of
from ppdm_formal.certify.subject import Rebuilt, Subject, named
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.parts import Parts, PartsClaim
from ppdm_formal.declare.operators.view import View

if TYPE_CHECKING:
    from ppdm_formal.declare.language.model import Model

EVIDENCE = {"kind": "product"}

_OF_RATIOS = BoundClaim("amplification", "<=", 1)
"""The views that a ratio of likelihoods needs."""


class RecordInParts(Subject[Parts, PartsClaim]):
    """A record in parts, each through a sanitizer of its own, and what is claimed of it.

    >>> from fractions import Fraction
    >>> from ppdm_formal import Operator, certify
    >>> from ppdm_formal.declare.operators.parts import SanitizedPart
    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> record = Parts("Two", (SanitizedPart("a", coin), SanitizedPart("b", coin)))
    >>> found = certify(record, PartsClaim("record", None, "<=", Fraction(2)))
    >>> found.verdict, found.witness_json()["value"]
    (<Verdict.BREACHED: 'breached'>, '9')
    """

    kinds: ClassVar[tuple[str, ...]] = ("parts",)

    def decide(self, views: tuple[View, ...], deadline: Deadline, cross_check: bool) -> Finding:
        """By the greatest ratio of each part's operator."""
        parts, claim = self.operator, self.claim
        why = _not_decided(parts, claim)
        if why:
            return Finding(Verdict.UNKNOWN, why)
        shown = parts_views(parts, claim)
        broken, reason = breaking(parts, claim, shown, deadline)
        verdict = Verdict.CERTIFIED if broken is None else Verdict.BREACHED
        return Finding(verdict, reason, EVIDENCE, in_parts=shown, broken=broken)

    def operator_json(self, finding: Finding) -> dict[str, Any]:
        """The record, with the operators that decide."""
        return record_json(self.operator, finding.in_parts)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text."""
        return claim_json(self.claim)

    def witness_json(self, finding: Finding) -> dict[str, Any] | None:
        """Two records, or a law of the parts, and outputs."""
        broken = finding.broken

        def place(part: int, extreme: BoundWitness) -> dict[str, Any]:
            """An output of a part, and the classes of its likely and its unlikely value."""
            return {
                "view": extreme.view,
                "output": value_json(finding.in_parts[part][extreme.view].output),
                "likely": extreme.likely,
                "unlikely": extreme.unlikely,
            }

        if broken is None:
            return None
        if isinstance(broken, TwoRecords):
            value = "infinity" if broken.value is None else number_text(broken.value)
            return {
                "parts": [place(i, one) for i, one in enumerate(broken.extremes)],
                "value": value,
            }
        return {
            "part": broken.part,
            "other": broken.other,
            "place": place(broken.part, broken.extreme),
            "law": [[number_text(cell) for cell in row] for row in broken.law],
            "before": number_text(broken.before),
            "after": number_text(broken.after),
        }

    def asked_json(self) -> dict[str, Any]:
        """The claim as an audit lists it."""
        return {"text": str(self.claim)}

    @classmethod
    def rebuilt(cls, document: Mapping[str, Any], model: Model) -> Rebuilt:
        """Record and claim of a certificate, derived from its names alone."""
        parts, raw = named(model.parts, document["operator"]["name"], "parts"), document["claim"]
        claim = PartsClaim(raw["of"], raw["part"], raw["relation"], bound_of(raw["bound"]))
        return Rebuilt(record_json(parts, parts_views(parts, claim)), claim_json(claim))


SUBJECT = RecordInParts


def _not_decided(parts: Parts, claim: PartsClaim) -> str:
    """Why a claim cannot be decided, by the parts that it rests on; empty where it can."""
    for part in (parts.parts[position] for position in parts.rests_on(claim)):
        if part.operator.parameters:
            names = ", ".join(parameter.name for parameter in part.operator.parameters)
            return f"{part.name} has free parameters: give values with --set ({names})"
        if part.operator.within is not None:
            return f"{part.name} is known up to rounding: read its matrix with normalize: yes"
    return ""


def parts_views(parts: Parts, claim: PartsClaim) -> Shown:
    """Of each part's operator on which the claim rests."""
    return {
        position: _OF_RATIOS.views(parts.parts[position].operator)
        for position in parts.rests_on(claim)
    }


def record_json(parts: Parts, shown: Shown) -> dict[str, Any]:
    """The record as a certificate describes it: what is given, and the operators that decide."""
    described = []
    for position, part in enumerate(parts.parts):
        inputs, operator = count_json(part.operator.inputs.size), None
        if position in shown:
            operator = operator_json(part.operator, _OF_RATIOS, shown[position])
        described.append({"name": part.name, "inputs": inputs, "operator": operator})
    return {
        "kind": "parts",
        "name": parts.name,
        "dependence": None if parts.among is None else number_text(parts.among),
        "parts": described,
    }


def claim_json(claim: PartsClaim) -> dict[str, Any]:
    """The claim, with its text."""
    return {
        "kind": "parts",
        "text": str(claim),
        "of": claim.of,
        "part": claim.part,
        "relation": claim.relation,
        "bound": number_text(claim.bound),
    }
