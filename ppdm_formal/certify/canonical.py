"""Canonical JSON of views and claims: one spelling each, hence digests.

The forms are those of docs/certificate.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.operators.canonical import digest, value_json
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.prior import Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.repeated import AlikeRows, rows_of
from ppdm_formal.declare.operators.sets import ValueSets, groups_of
from ppdm_formal.declare.operators.view import ChosenSet, View
from ppdm_formal.declare.operators.within import Within
from ppdm_formal.derive.measures.discovery import measure_named


def view_json(view: View) -> dict[str, Any]:
    """A view with its classes; keys that the question does not need are left out."""
    classes = []
    for part in view.classes:
        shown: dict[str, Any] = {
            "likelihood": number_text(part.likelihood),
            "count": count_json(part.count),
            "example": value_json(part.example),
        }
        if part.prior is not None:
            shown["prior"] = number_text(part.prior)
        if part.member:
            shown["member"] = list(part.member)
        if part.knowledge is not None:
            shown["knowledge"] = number_text(part.knowledge)
        classes.append(shown)
    document = {
        "classes": classes,
        "outputs": count_json(view.outputs),
        "output": value_json(view.output),
    }
    if view.known is not None:
        document["known"] = value_json(view.known)
    return document


def claim_json(claim: Claim) -> dict[str, Any]:
    """The claim, with its text and all that it names."""
    properties = claim.properties
    if not isinstance(claim, BreachClaim):
        document: dict[str, Any] = {
            "kind": "bound",
            "text": str(claim),
            "measure": claim.measure,
            "relation": claim.relation,
            "bound": number_text(claim.bound),
            "prior": None if claim.prior is None else claim.prior.name,
            "unit": claim.unit,
            "properties": [],
            **_reports_json(claim),
            **_crowd_json(claim.crowd),
        }
        measure = measure_named(claim.measure)
        if claim.at is not None:
            document["at"] = number_text(claim.at)
        if measure.certified == "formula" and measure.tree is not None:
            document["formula"] = measure.tree.to_json()
        return document
    return {
        "kind": "breach",
        "text": str(claim),
        "direction": claim.direction,
        "rho1": number_text(claim.rho1),
        "rho2": number_text(claim.rho2),
        "under": _under_json(claim, properties),
        "properties": [property.name for property in properties],
        "for": None if claim.about is None else properties.index(claim.about),
        "knowing": None if claim.knowing is None else claim.knowing.name,
        **_reports_json(claim),
        **({} if claim.exception is None else {"except": number_text(claim.exception)}),
        **_crowd_json(claim.crowd),
    }


def _reports_json(claim: Claim) -> dict[str, int]:
    """The number of reports, where it is not one."""
    return {} if claim.reports == 1 else {"reports": claim.reports}


def _crowd_json(crowd: Crowd | None) -> dict[str, Any]:
    """Among how many reports that of a client is hidden, where it is."""
    if crowd is None:
        return {}
    return {
        "crowd": {
            "how": crowd.how,
            "clients": crowd.clients,
            "colluding": crowd.colluding,
            "missing": crowd.missing,
            "others": _others_json(crowd.others),
        }
    }


def _others_json(others: Prior | PriorFamily | None) -> Any:
    if not isinstance(others, PriorFamily):
        return None if others is None else others.name
    named = others.properties
    return {"properties": [p.name for p in named], "constraints": _family_json(others, named)}


def _under_json(claim: BreachClaim, properties: Sequence[Property]) -> Any:
    if claim.under is None:
        return "all priors"
    if not isinstance(claim.under, PriorFamily):
        return {"prior": claim.under.name}
    return {"constraints": _family_json(claim.under, properties)}


def _family_json(family: PriorFamily, properties: Sequence[Property]) -> list[Any]:
    return [
        {
            "terms": [[number_text(f), properties.index(p)] for f, p in constraint.terms],
            "relation": constraint.relation,
            "bound": number_text(constraint.bound),
        }
        for constraint in family.constraints
    ]


def operator_json(operator: Operator, claim: Claim, views: Sequence[View]) -> dict[str, Any]:
    """The operator as a certificate describes it: sizes, views and their digest."""
    if claim.of_crowd:
        from ppdm_formal.certify.crowd_described import CrowdDescribed

        return CrowdDescribed.of(operator, claim).to_json()
    if operator.within is not None:
        return _rounded_json(operator, claim, operator.within)
    groups = list(groups_of(views))
    shown = [view_json(v) if v.chosen is None else _chosen_json(v, v.chosen, groups) for v in views]
    parameters = claim.parameters(operator)
    reports = claim.reports if claim.by_counts else 1
    document = {
        "name": operator.name,
        "inputs": count_json(operator.inputs.size),
        "outputs": count_json(operator.outputs.size**reports),
        "views": shown,
        "views_sha256": digest(shown),
    }
    if groups:
        return {"kind": "sets", **document, "sets": _sets_json(groups)}
    return {
        "kind": "finite",
        **document,
        "likelihoods": next((view.kind.value for view in views), "probabilities"),
        "parameters": [{"name": p.name, "interval": p.interval} for p in parameters],
        **({"one_report": _one_report(operator, claim)} if claim.by_counts else {}),
    }


def _chosen_json(view: View, chosen: ChosenSet, groups: Sequence[ValueSets]) -> dict[str, Any]:
    """A view of sets: how many values of each kind its output holds, and which output that is."""
    place = next(place for place, sets in enumerate(groups) if sets is chosen.sets)
    return {"group": place, "held": list(chosen.held), "output": value_json(view.output)}


def _sets_json(groups: Sequence[ValueSets]) -> dict[str, Any]:
    """How likely sets are that hold a value or lack it, their sizes, and the values by kind."""
    odds = groups[0].odds
    rows = []
    for sets in groups:
        kinds = []
        for kind in sets.kinds:
            shown: dict[str, Any] = {"count": kind.count}
            if kind.prior is not None:
                shown["prior"] = number_text(kind.prior)
            if kind.member:
                shown["member"] = list(kind.member)
            if kind.knowledge is not None:
                shown["knowledge"] = number_text(kind.knowledge)
            kinds.append(shown)
        known = {} if sets.known is None else {"known": value_json(sets.known)}
        rows.append({"kinds": kinds, **known})
    return {
        "held": number_text(odds.held),
        "lacking": number_text(odds.lacking),
        "least": odds.least,
        "most": odds.most,
        "groups": rows,
    }


def _rounded_json(operator: Operator, claim: Claim, within: Within) -> dict[str, Any]:
    """A rounded matrix: an interval for every entry instead of views."""
    prior, knowing = _prior_and_knowledge(claim)
    rows = []
    for x, low, high in zip(operator.inputs, within.least, within.most, strict=True):
        row: dict[str, Any] = {"example": value_json(x)}
        if prior is not None:
            row["prior"] = number_text(prior.probability(x))
        if claim.properties:
            row["member"] = [x in property for property in claim.properties]
        if knowing is not None:
            row["knowledge"] = [number_text(knowing.probability(x, z)) for z in knowing.outputs]
        rows.append(
            row | {"least": list(map(number_text, low)), "most": list(map(number_text, high))}
        )
    known = {} if knowing is None else {"known": [value_json(z) for z in knowing.outputs]}
    return {
        "kind": "rounded",
        "name": operator.name,
        "inputs": count_json(operator.inputs.size),
        "outputs": count_json(operator.outputs.size),
        "columns": [value_json(y) for y in operator.outputs],
        "rows": rows,
        **known,
    }


def _prior_and_knowledge(claim: Claim) -> tuple[Prior | None, Operator | None]:
    if not isinstance(claim, BreachClaim):
        return claim.prior, None
    return (claim.under if isinstance(claim.under, Prior) else None), claim.knowing


def _one_report(operator: Operator, claim: Claim) -> list[dict[str, Any]]:
    """The rows of one report, for each known z, from which the views of several follow."""
    prior, knowing = _prior_and_knowledge(claim)
    document = []
    for known, rows in rows_of(operator, prior, claim.properties, knowing):
        entry = rows_json(rows, "knowledge")
        document.append(entry if known is None else entry | {"known": value_json(known)})
    return document


def rows_json(rows: AlikeRows, third: str) -> dict[str, Any]:
    """Rows with their columns; third: what the last of the meanings of an input is called."""
    shown = []
    for n, example, meaning, row in zip(
        rows.counts, rows.examples, rows.meanings, rows.rows, strict=True
    ):
        one: dict[str, Any] = {"count": count_json(n), "example": value_json(example)}
        if meaning[0] is not None:
            one["prior"] = number_text(meaning[0])
        if meaning[1]:
            one["member"] = list(meaning[1])
        if meaning[2] is not None:
            # Of a family of priors: which of its properties the inputs have.
            told: Any = meaning[2]
            one[third] = list(told) if isinstance(told, tuple) else number_text(told)
        shown.append(one | {"likelihoods": [number_text(value) for value in row]})
    columns = [
        {"output": value_json(output), "outputs": count_json(many)} for many, output in rows.columns
    ]
    return {"columns": columns, "rows": shown}
