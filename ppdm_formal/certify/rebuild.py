"""What a model says of a certificate: operator, claim and questions, derived anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.certify.canonical import (
    claim_json,
    operator_json,
)
from ppdm_formal.certify.written import region_json
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.reading import read_exponent, read_real
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.sets import groups_of
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty


class NotInModel(ValueError):
    """The certificate names something that the model does not declare."""


@dataclass(frozen=True)
class Rebuilt:
    """As a certificate must have it; questions and region where a solver is trusted."""

    operator: dict[str, Any]
    claim: dict[str, Any]
    questions: tuple[str, ...] | None
    region: dict[str, Any] | None


def rebuilt(
    document: Mapping[str, Any],
    priors: Mapping[str, Prior],
    properties: Mapping[str, Property],
    operators: Mapping[str, Operator],
    exponentials: Sequence[Parameter] = (),
) -> Rebuilt:
    """Everything that a certificate says of the model, derived from its names alone."""
    operator = _known(operators, document["operator"]["name"], "operator")
    claim = rebuilt_claim(document["claim"], priors, properties, operators, exponentials)
    views = () if claim.of_crowd else claim.views(operator)
    groups = list(groups_of(views))
    if groups and document["operator"]["kind"] == "sets":
        # Which sets were chosen is for the checker to judge; what they show is the model's word.
        views = tuple(
            groups[row["group"]].view(tuple(row["held"])) for row in document["operator"]["views"]
        )
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


def rebuilt_claim(
    document: Mapping[str, Any],
    priors: Mapping[str, Prior] | Mapping[str, Density],
    properties: Mapping[str, Property] | Mapping[str, RealProperty],
    operators: Mapping[str, Operator],
    exponentials: Sequence[Parameter] = (),
) -> Claim:
    """The claim of a certificate's "claim" block, about the model's own priors and properties.

    exponentials: parameters t = exp(eps) that the model uses, in its operators or beside them.
    """
    if document["kind"] == "bound":
        held = (p for o in operators.values() for p in o.parameters if p.of is not None)
        free = (*exponentials, *held)
        text = document["bound"]
        epsilon = document["measure"] == "epsilon"
        bound = read_exponent(text, free) if epsilon else _number(text)
        return BoundClaim(
            document["measure"],
            document["relation"],
            bound,
            None if document["prior"] is None else _known(priors, document["prior"], "prior"),
            document["unit"],
            document.get("reports", 1),
            read_exponent(document["at"], free) if "at" in document else None,
            _crowd(document, priors, properties),
        )
    named = [_known(properties, name, "property") for name in document["properties"]]
    under: Any = None
    if document["under"] != "all priors":
        if "prior" in document["under"]:
            under = _known(priors, document["under"]["prior"], "prior")
        else:
            under = _family(document["under"]["constraints"], named)
    knowing = document["knowing"]
    return BreachClaim(
        _number(document["rho1"]),
        _number(document["rho2"]),
        document["direction"],
        under,
        None if document["for"] is None else named[document["for"]],
        None if knowing is None else _known(operators, knowing, "operator"),
        document.get("reports", 1),
        _crowd(document, priors, properties),
        _number(document["except"]) if "except" in document else None,
    )


def _family(constraints: Sequence[Any], named: Sequence[Any]) -> PriorFamily:
    return PriorFamily(
        tuple(
            Constraint(
                tuple((_number(factor), named[i]) for factor, i in part["terms"]),
                part["relation"],
                _number(part["bound"]),
            )
            for part in constraints
        )
    )


def _crowd(
    document: Mapping[str, Any], priors: Mapping[str, Any], properties: Mapping[str, Any]
) -> Crowd | None:
    """Among how many reports that of a client is hidden."""
    if "crowd" not in document:
        return None
    said = document["crowd"]
    others = said["others"]
    if isinstance(others, dict):
        named = [_known(properties, name, "property") for name in others["properties"]]
        others = _family(others["constraints"], named)
    elif others is not None:
        others = _known(priors, others, "prior")
    return Crowd(said["clients"], said["how"], said["colluding"], said["missing"], others)


def _number(text: str) -> Any:
    """A number of a claim."""
    return read_real(text)


def bound_of(text: str) -> Any:
    """A bound: a number, or the logarithm of one."""
    return read_exponent(text) if text.startswith("ln(") else _number(text)


def _known(table: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in table:
        raise NotInModel(f"the model declares no {what} {name}")
    return table[name]
