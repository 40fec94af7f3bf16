"""Operators on finite sets: matrices and families, known exactly or up to rounding, and crowds.

Their certificates are of the kinds "finite", "sets", "rounded" and those of crowds: the views of
outputs, with the digest that they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ppdm_formal.certify import witness as witnesses
from ppdm_formal.certify.canonical import claim_json, operator_json, view_json
from ppdm_formal.certify.decide import decide
from ppdm_formal.certify.finding import BoundWitness, Finding, Start
from ppdm_formal.certify.rebuild import rebuilt_claim
from ppdm_formal.certify.subject import Rebuilt, Subject, named
from ppdm_formal.certify.written import region_json, thresholds_json
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.sets import groups_of
from ppdm_formal.declare.operators.view import View

if TYPE_CHECKING:
    from ppdm_formal.declare.language.model import Model


class FiniteOperator(Subject[Operator, Claim]):
    """An operator on a finite set, and what is claimed of it."""

    kinds: ClassVar[tuple[str, ...]] = ("finite", "sets", "rounded", "crowd")

    def require(self, cross_check: bool) -> None:
        """z3 and cvc5, where both are to be asked."""
        if cross_check:
            from ppdm_formal.certify.solver.by_solver import require

            require("z3", "cvc5")

    def shown(self) -> tuple[View, ...]:
        """The views; what crowds show is not made of them."""
        return () if self.claim.of_crowd else self.claim.views(self.operator)

    def decide(self, views: tuple[View, ...], deadline: Deadline, cross_check: bool) -> Finding:
        """By the deciders of the claim (deciders.py), or among a crowd."""
        return decide(self.operator, self.claim, views, deadline, cross_check)

    def operator_json(self, finding: Finding) -> dict[str, Any]:
        """The operator by its views."""
        return operator_json(self.operator, self.claim, finding.views)

    def claim_json(self) -> dict[str, Any]:
        """The claim, with its text and all that it names."""
        return claim_json(self.claim)

    def witness_json(self, finding: Finding) -> dict[str, Any] | None:
        """The breach on its view; of a rounded matrix its output."""
        witness = finding.witness
        if finding.event is not None:
            return finding.event.to_json()
        if witness is None:
            return None
        if self.operator.within is not None:
            evidence = finding.evidence
            column = (evidence.get("pair") or evidence["cuts"][0])["column"]
            return {"column": column, "output": value_json(self.operator.outputs[column])}
        view = finding.views[witness.view]
        document: dict[str, Any] = {"view": witness.view, "output": value_json(view.output)}
        if view.known is not None:
            document["known"] = value_json(view.known)
        if witness.parameters is not None and finding.instance is not None:
            document["parameters"] = {n: number_text(v) for n, v in witness.parameters.items()}
            document["instance"] = view_json(finding.instance)
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

    def asked_json(self) -> dict[str, Any]:
        """The claim as an audit lists it."""
        claim = self.claim
        if not isinstance(claim, BreachClaim):
            return {"claim": {k: v for k, v in claim_json(claim).items() if k != "properties"}}
        about, knowing = claim.about, claim.knowing
        further = ("reports", "except", "crowd")
        return {
            "claim": {
                "text": str(claim),
                "kind": "breach",
                "direction": claim.direction,
                "rho1": number_text(claim.rho1),
                "rho2": number_text(claim.rho2),
                "under": claim.under_text,
                "for": None if about is None else about.name,
                "knowing": None if knowing is None else knowing.name,
                **{key: value for key, value in claim_json(claim).items() if key in further},
            }
        }

    def told_json(self, finding: Finding) -> dict[str, Any]:
        """Thresholds, the witness by inputs, and what else is known."""
        witness = None
        if finding.witness is not None:
            view = finding.instance or finding.views[finding.witness.view]
            witness = witnesses.shown(view, finding.witness, finding.concrete)
        if finding.event is not None:
            from ppdm_formal.certify.crowd_described import CrowdDescribed

            witness = finding.event.summary(CrowdDescribed.of(self.operator, self.claim))
        document: dict[str, Any] = {"thresholds": thresholds_json(finding), "witness": witness}
        crowd = self.claim.crowd
        if crowd is not None:  # without an exception one report alone decides: none is made
            document["assumption"] = crowd.assumption if self.claim.of_crowd else None
        said = finding.confirmation
        if said is not None:
            document["confirmation"] = {
                "solver": said.solver or None,
                "agrees": not said.disagrees if said.solver else None,
                "why": said.why or None,
            }
        if finding.speaks is not None:
            document["speaks"] = {
                "rho1_from": _start_json(finding.speaks.rho1_from),
                "rho2_to": _start_json(finding.speaks.rho2_to),
            }
        if finding.untested is not None:
            document["untested"] = finding.untested
        if finding.region is not None:
            document["region"] = region_json(finding.region)
        between = finding.between
        if between is not None:
            document["between"] = {
                "holds": None if between.holds is None else _matrix_json(between.holds),
                "breaks": _matrix_json(between.breaks),
            }
        return document

    @classmethod
    def rebuilt(cls, document: Mapping[str, Any], model: Model) -> Rebuilt:
        """Everything that a certificate says of the model, derived from its names alone."""
        priors, properties = model.names_for(document["operator"]["name"])
        return rebuilt_of(document, priors, properties, model.operators, model.exponentials)


SUBJECT = FiniteOperator


def rebuilt_of(
    document: Mapping[str, Any],
    priors: Mapping[str, Prior],
    properties: Mapping[str, Property],
    operators: Mapping[str, Operator],
    exponentials: Sequence[Parameter] = (),
) -> Rebuilt:
    """What a certificate says, by the names that priors, properties and operators have."""
    operator = named(operators, document["operator"]["name"], "operator")
    claim = rebuilt_claim(document["claim"], priors, properties, operators, exponentials)
    views = FiniteOperator(operator, claim).shown()
    groups = list(groups_of(views))
    if groups and document["operator"]["kind"] == "sets":
        # Which sets were chosen is for the checker to judge; what they show is the model's word.
        rows = document["operator"]["views"]
        views = tuple(groups[row["group"]].view(tuple(row["held"])) for row in rows)
    described = operator_json(operator, claim, views)
    parameters = claim.parameters(operator)
    questions: tuple[str, ...] | None = None
    region = None
    if "questions" in document["evidence"]:
        if parameters:
            from ppdm_formal.certify.parametric import questions_of

            found, texts = questions_of(views, claim, parameters)
            region = None if found is None else region_json(found)
            questions = tuple(texts)
        elif isinstance(claim, BreachClaim):
            from ppdm_formal.certify.solver.smt import questions as asked

            questions = tuple(question.text for question in asked(claim.seen(views), claim))
    return Rebuilt(described, claim_json(claim), questions, region)


def _matrix_json(operator: Operator) -> list[list[str]]:
    """The matrix of an operator, row by row, in the order of its inputs and outputs."""
    return [
        [number_text(operator.probability(x, y)) for y in operator.outputs] for x in operator.inputs
    ]


def _start_json(start: Start | None) -> dict[str, Any] | None:
    if start is None:
        return None
    return {"belief": number_text(start.belief), "included": start.included}
