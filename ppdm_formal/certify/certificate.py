"""Certificate: what was claimed of a finite operator, what was found, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ppdm_formal.certify import witness as witnesses
from ppdm_formal.certify.canonical import claim_json, operator_json, view_json
from ppdm_formal.certify.finding import (
    BoundWitness,
    Case,
    Confirmation,
    Finding,
    NoCase,
    Speaks,
    Start,
)
from ppdm_formal.certify.witness import Concrete
from ppdm_formal.certify.written import Written, region_json, thresholds_json
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.operators.canonical import digest, value_json
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import View
from ppdm_formal.declare.result import Displayed


@dataclass(frozen=True)
class Certificate(Written, Displayed):
    """What was claimed of an operator, what was found, and why."""

    shown_in: ClassVar[str] = "sections.verdicts"

    operator: Operator
    claim: Claim
    views: tuple[View, ...]
    finding: Finding
    concrete: Concrete | None = None
    instance: View | None = None
    provenance: Mapping[str, Any] | None = None

    @property
    def witness(self) -> Case | None:
        """The breach, replayed in exact arithmetic."""
        return self.finding.witness

    @property
    def worst(self) -> tuple[Case, ...]:
        """The cases that go furthest, one for each direction of the claim, where they are known."""
        return self.finding.worst

    @property
    def no_case(self) -> NoCase | None:
        """Why no case can test the claim, where none can."""
        return self.finding.no_case

    @property
    def speaks(self) -> Speaks | None:
        """What would make a claim speak that no case can test, where that is known."""
        return self.finding.speaks

    @property
    def confirmation(self) -> Confirmation | None:
        """What a solver said of the verdict beside the exact decision, where one was asked."""
        return self.finding.confirmation

    @property
    def views_sha256(self) -> str:
        """The digest of the canonical views."""
        return str(self.operator_json.get("views_sha256", digest([])))

    @cached_property
    def operator_json(self) -> dict[str, Any]:
        """The operator by its views."""
        return operator_json(self.operator, self.claim, self.views)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""
        return claim_json(self.claim)

    def witness_json(self) -> dict[str, Any] | None:
        """The breach on its view; of a rounded matrix its output."""
        witness = self.witness
        if self.finding.event is not None:
            return self.finding.event.to_json()
        if witness is None:
            return None
        if self.operator.within is not None:
            evidence = self.evidence
            column = (evidence.get("pair") or evidence["cuts"][0])["column"]
            return {"column": column, "output": value_json(self.operator.outputs[column])}
        view = self.views[witness.view]
        document: dict[str, Any] = {"view": witness.view, "output": value_json(view.output)}
        if view.known is not None:
            document["known"] = value_json(view.known)
        if witness.parameters is not None and self.instance is not None:
            document["parameters"] = {n: number_text(v) for n, v in witness.parameters.items()}
            document["instance"] = view_json(self.instance)
        if isinstance(witness, BoundWitness):
            if witness.likely is not None:
                value = "infinity" if witness.value is None else number_text(witness.value)
                document |= {
                    "likely": witness.likely,
                    "unlikely": witness.unlikely,
                    "value": value,
                }
            return document
        classes = []
        for part in witness.parts:
            shown: dict[str, Any] = {"class": part.index, "inside": count_json(part.inside)}
            if part.mass_inside is not None and part.mass_outside is not None:
                shown["mass_inside"] = number_text(part.mass_inside)
                shown["mass_outside"] = number_text(part.mass_outside)
            classes.append(shown)
        return document | {
            "direction": witness.direction,
            "classes": classes,
            "before": number_text(witness.before),
            "after": number_text(witness.after),
        }

    def summary(self, file: str | None = None) -> dict[str, Any]:
        """The certificate as an audit lists it; `file` is where it was written."""
        claim: dict[str, Any] = {"text": str(self.claim)}
        if isinstance(self.claim, BreachClaim):
            about, knowing = self.claim.about, self.claim.knowing
            claim |= {
                "kind": "breach",
                "direction": self.claim.direction,
                "rho1": number_text(self.claim.rho1),
                "rho2": number_text(self.claim.rho2),
                "under": self.claim.under_text,
                "for": None if about is None else about.name,
                "knowing": None if knowing is None else knowing.name,
                **{
                    key: value
                    for key, value in self.claim_json().items()
                    if key in ("reports", "except", "crowd")
                },
            }
        else:
            claim = {k: v for k, v in self.claim_json().items() if k != "properties"}
        witness = None
        if self.witness is not None:
            view = self.instance or self.views[self.witness.view]
            witness = witnesses.shown(view, self.witness, self.concrete)
        if self.finding.event is not None:
            from ppdm_formal.certify.crowd_described import CrowdDescribed

            witness = self.finding.event.summary(CrowdDescribed.of(self.operator, self.claim))
        document: dict[str, Any] = {
            "claim": claim,
            "verdict": self.verdict.value,
            "vacuous": self.vacuous,
            "trust": None if self.trust is None else str(self.trust),
            "reason": self.reason,
            "file": file,
            "thresholds": thresholds_json(self.finding),
            "witness": witness,
        }
        crowd = self.claim.crowd
        if crowd is not None:  # without an exception one report alone decides: none is made
            document["assumption"] = crowd.assumption if self.claim.of_crowd else None
        said = self.confirmation
        if said is not None:
            document["confirmation"] = {
                "solver": said.solver or None,
                "agrees": not said.disagrees if said.solver else None,
                "why": said.why or None,
            }
        if self.speaks is not None:
            document["speaks"] = {
                "rho1_from": _start_json(self.speaks.rho1_from),
                "rho2_to": _start_json(self.speaks.rho2_to),
            }
        if self.finding.untested is not None:
            document["untested"] = self.finding.untested
        if self.region is not None:
            document["region"] = region_json(self.region)
        between = self.finding.between
        if between is not None:
            document["between"] = {
                "holds": None if between.holds is None else _matrix_json(between.holds),
                "breaks": _matrix_json(between.breaks),
            }
        return document

    def __repr__(self) -> str:
        said = "says nothing" if self.says_nothing else self.verdict.value
        return f"<Certificate of {self.operator.name or '?'}: {self.claim}: {said}>"


def _matrix_json(operator: Operator) -> list[list[str]]:
    """The matrix of an operator, row by row, in the order of its inputs and outputs."""
    return [
        [number_text(operator.probability(x, y)) for y in operator.outputs] for x in operator.inputs
    ]


def _start_json(start: Start | None) -> dict[str, Any] | None:
    if start is None:
        return None
    return {"belief": number_text(start.belief), "included": start.included}
