"""The certificate of a claim about a record in parts, of the kind "parts".

It holds the views of every part's operator, the dependence among the parts that is given, and for a
breach two records, or a law of the parts, and outputs (docs/certificate.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ppdm_formal.certify.canonical import operator_json
from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.certify.parts import Broken, Shown, TwoRecords, breaking
from ppdm_formal.certify.rebuild import NotInModel, bound_of
from ppdm_formal.certify.recheck import rechecked
from ppdm_formal.certify.written import Written
from ppdm_formal.declare.arithmetic.exponential import TooManyPowers
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.parts import Parts, PartsClaim

EVIDENCE = {"kind": "product"}

_OF_RATIOS = BoundClaim("amplification", "<=", 1)
"""The views that a ratio of likelihoods needs."""


@dataclass(frozen=True)
class PartsCertificate(Written):
    """What was claimed of a record in parts, what was found, and why."""

    operator: Parts
    claim: PartsClaim
    views: Shown
    finding: Finding
    broken: Broken | None = None
    provenance: Mapping[str, Any] | None = None

    @property
    def parts(self) -> Parts:
        """The record, which stands where certificates have an operator."""
        return self.operator

    @cached_property
    def operator_json(self) -> dict[str, Any]:
        """The record, with the operators that decide."""
        return record_json(self.parts, self.views)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text."""
        return claim_json(self.claim)

    @property
    def witness(self) -> dict[str, Any] | None:
        """What breaks the claim, as a certificate holds it."""
        return self.witness_json()

    def witness_json(self) -> dict[str, Any] | None:
        """Two records, or a law of the parts, and outputs."""
        broken = self.broken
        if broken is None:
            return None
        if isinstance(broken, TwoRecords):
            value = "infinity" if broken.value is None else number_text(broken.value)
            places = [self._place(i, one) for i, one in enumerate(broken.extremes)]
            return {"parts": places, "value": value}
        return {
            "part": broken.part,
            "other": broken.other,
            "place": self._place(broken.part, broken.extreme),
            "law": [[number_text(cell) for cell in row] for row in broken.law],
            "before": number_text(broken.before),
            "after": number_text(broken.after),
        }

    def _place(self, part: int, extreme: BoundWitness) -> dict[str, Any]:
        """An output of a part, and the classes of its likely and its unlikely value."""
        return {
            "view": extreme.view,
            "output": value_json(self.views[part][extreme.view].output),
            "likely": extreme.likely,
            "unlikely": extreme.unlikely,
        }

    def summary(self, file: str | None = None) -> dict[str, Any]:
        """The certificate as an audit lists it; `file` is where it was written."""
        return {
            "text": str(self.claim),
            "verdict": self.verdict.value,
            "trust": None if self.trust is None else str(self.trust),
            "reason": self.finding.reason,
            "file": file,
            "witness": self.witness,
        }


def certify_parts(
    parts: Parts,
    claim: PartsClaim,
    timeout: float = 60,
    provenance: Mapping[str, Any] | None = None,
) -> PartsCertificate:
    """Decide a claim within a time limit.

    >>> from fractions import Fraction
    >>> from ppdm_formal import Operator
    >>> from ppdm_formal.declare.operators.parts import SanitizedPart
    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> record = Parts("Two", (SanitizedPart("a", coin), SanitizedPart("b", coin)))
    >>> found = certify_parts(record, PartsClaim("record", None, "<=", Fraction(2)))
    >>> found.verdict, found.witness["value"]
    (<Verdict.BREACHED: 'breached'>, '9')
    """
    deadline = Deadline.after(timeout)
    why = _not_decided(parts, claim)
    views: Shown = {}
    try:
        if why:
            return PartsCertificate(parts, claim, {}, Finding(Verdict.UNKNOWN, why))
        views = deadline.enforce(lambda: parts_views(parts, claim))
        broken, reason = deadline.enforce(lambda: breaking(parts, claim, views, deadline))
    except (DeadlinePassed, TooLarge, TooManyPowers) as problem:
        late = isinstance(problem, DeadlinePassed)
        reason = f"not decided within {timeout:.3g} s" if late else str(problem)
        return PartsCertificate(parts, claim, views, Finding(Verdict.UNKNOWN, reason))
    verdict = Verdict.CERTIFIED if broken is None else Verdict.BREACHED
    finding = Finding(verdict, reason, EVIDENCE)
    return rechecked(PartsCertificate(parts, claim, views, finding, broken, provenance), timeout)


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


def rebuilt_parts(
    document: Mapping[str, Any], records: Mapping[str, Parts]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Record and claim of a certificate, derived from its names alone."""
    name, raw = document["operator"]["name"], document["claim"]
    if name not in records:
        raise NotInModel(f"the model declares no parts {name}")
    parts = records[name]
    claim = PartsClaim(raw["of"], raw["part"], raw["relation"], bound_of(raw["bound"]))
    return record_json(parts, parts_views(parts, claim)), claim_json(claim)
