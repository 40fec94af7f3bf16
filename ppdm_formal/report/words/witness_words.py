"""The witness of a failed claim in a sentence: which output takes which belief where."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BoundWitness, BreachWitness, Verdict
from ppdm_formal.certify.region_words import exponent_of
from ppdm_formal.certify.witness import MAX_LISTED, Concrete
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.exponential import Ln
from ppdm_formal.declare.arithmetic.logarithm import exponent_words, ln
from ppdm_formal.declare.arithmetic.people import (
    brief,
    moved_share,
    number_words,
    share,
    show_count,
)
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity, value_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.report.words.several import seen_words
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.weighed import witness_view

_LISTED = 6


def at_values(values: Mapping[str, Fraction] | None) -> str:
    """Free parameters with their values: p = 9/10, q = 1/3."""
    return ", ".join(
        f"{clean(name, 20)} = {_given(value)}" for name, value in (values or {}).items()
    )


def at_witness(certificate: Certificate) -> str:
    """The values at which a claim fails: p = 9/10; eps = 1.38629... (exp(eps/2) = 2)."""
    values = {} if certificate.witness is None else certificate.witness.parameters or {}
    known = {p.name: p for p in certificate.claim.parameters(certificate.operator)}
    said = []
    for name, value in values.items():
        shown, parameter = at_values({name: value}), known[name]
        if parameter.of is not None:
            found = exponent_of(value, parameter)
            shown = f"{clean(parameter.told.name, 20)} = {found} ({shown})"
        said.append(shown)
    return ", ".join(said)


def _given(value: Any) -> str:
    return number_text(value) if isinstance(value, Ln) else brief(value)


def witness_words(certificate: Certificate, fails: str) -> str:
    """The example of a breach; `fails` is said before it, unless the claim fails in part only."""
    witness = certificate.witness
    assert witness is not None
    values = at_witness(certificate)
    at = f"at {values} " if values else ""
    if not fails:
        at = f"For example, {at}"
    if isinstance(witness, BoundWitness):
        return f"{fails}{at}{_bound_words(certificate, witness)}."
    if fails and not is_worst(certificate):
        at = f"for example, {at}"
    return f"{fails}{at}{_breach_words(certificate, witness)}."


def _bound_words(certificate: Certificate, witness: BoundWitness) -> str:
    view = witness_view(certificate)
    output = seen_words(view, certificate.claim)
    if witness.likely is None or witness.unlikely is None:
        return measured_words(certificate, output) or f"{certificate.reason}, at output {output}"
    likely, unlikely = (
        clean(show_value(view.classes[index].example))
        for index in (witness.likely, witness.unlikely)
    )
    claim = certificate.claim
    if isinstance(claim, BoundClaim) and claim.at is not None and witness.value is not None:
        return (
            f"some outputs together are more likely from {likely} than "
            f"e^({number_text(claim.at)}) times from {unlikely}, by {number_words(witness.value)}"
        )
    if witness.value is None:
        return f"output {output} can come from {likely}, but never from {unlikely}"
    ratio = f"{number_words(witness.value)} times as likely"
    if isinstance(claim, BoundClaim) and claim.measure == "epsilon":
        return (
            f"epsilon is {exponent_words(ln(witness.value))}: output {output} is {ratio} "
            f"from {likely} as from {unlikely}"
        )
    return f"output {output} is {ratio} from {likely} as from {unlikely}"


def measured_words(certificate: Certificate, output: str = "") -> str:
    """The value that a bound was compared with, and the bound; output: the one that breaks it."""
    claim, value = certificate.claim, certificate.finding.measured
    if value is None or not isinstance(claim, BoundClaim):
        return ""
    measure = measure_named(claim.measure)
    told = f"{number_words(value) if is_number(value) else value_text(value)}{_unit(claim)}"
    if isinstance(value, Infinity):
        told = "infinite"
    whose, most = "", ""
    if output and measure.tree is not None and measure.tree.over == "sum":
        most = f"; output {output} adds the most"
        if measure.tree.each == "person":
            most = f", for person {_person(certificate)}{most}"
    elif output and measure.tree is not None:
        whose = f" of output {output}"
    limit = f"the limit of {number_words(claim.bound)}{_unit(claim)}"
    low = value.lo if isinstance(value, Enclosure) else value
    beyond = "above" if low > claim.bound else "not below"
    if certificate.verdict is Verdict.CERTIFIED:
        beyond = "exactly at" if value == claim.bound else "within"
    return f"the {measure.said}{whose} is {told}, {beyond} {limit}{most}"


def _person(certificate: Certificate) -> int:
    """The one of whom a broken claim's outputs tell most, counted from 1 on."""
    assert certificate.witness is not None
    known = certificate.views[certificate.witness.view].known
    assert isinstance(known, int)
    return known + 1


def _unit(claim: BoundClaim) -> str:
    return f" {claim.unit}" if claim.unit else ""


def _breach_words(certificate: Certificate, witness: BreachWitness) -> str:
    view = witness_view(certificate)
    when = f"output {seen_words(view, certificate.claim)}"
    if view.known is not None:
        when += f" to a server that knows {clean(show_value(view.known))}"
    change = f"from {share(witness.before)} to {moved_share(witness.before, witness.after)}"
    return (
        f"{when} takes {_property_words(certificate, witness)} {change}{_prior_words(certificate)}"
    )


def is_worst(certificate: Certificate) -> bool:
    """Whether no breach of the claim goes further than its witness does."""
    witness, thresholds = certificate.witness, certificate.thresholds
    if thresholds is None or not isinstance(witness, BreachWitness):
        return False
    reached = witness.after if witness.direction == "upward" else witness.before
    most = thresholds.rho2_above
    return reached == (1 if most is None else most)


def _listed(certificate: Certificate) -> Concrete | None:
    """The witness by inputs, where they are few."""
    concrete = certificate.concrete
    if concrete is None or max(len(concrete.prior), len(concrete.members)) > MAX_LISTED:
        return None
    return concrete


def _property_words(certificate: Certificate, witness: BreachWitness) -> str:
    claim = certificate.claim
    assert isinstance(claim, BreachClaim)
    if claim.about is not None:
        return f"the property {clean(claim.about.name)}"
    concrete = _listed(certificate)
    if concrete is not None:
        members = [clean(show_value(member)) for member in concrete.members]
        more = f", ... {len(members)} inputs" if len(members) > _LISTED else ""
        return "the property {" + ", ".join(members[:_LISTED]) + more + "}"
    classes = witness_view(certificate).classes
    inside = [(classes[part.index], part.inside) for part in witness.parts if part.inside]
    parts = []
    for group, count in inside[:_LISTED]:
        example = clean(show_value(group.example))
        many = f"{show_count(count)} of the {show_count(group.count)}"
        if count == group.count:
            many = f"all {show_count(count)}"
        parts.append(example if group.count == 1 else f"{many} inputs alike, such as {example}")
    more = ", ..." if len(inside) > _LISTED else ""
    return "the property {" + ", ".join(parts) + more + "}"


def _prior_words(certificate: Certificate) -> str:
    concrete = _listed(certificate)
    if concrete is None:
        return ""
    parts = [
        f"{brief(mass)} on {clean(show_value(x))}"
        for x, mass in list(concrete.prior.items())[:_LISTED]
    ]
    more = ", ..." if len(concrete.prior) > _LISTED else ""
    return ", under the prior with " + ", ".join(parts) + more
