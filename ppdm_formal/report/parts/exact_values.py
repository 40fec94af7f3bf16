"""Every number that was found of an operator, exactly: fractions, closed forms, enclosures."""

from __future__ import annotations

from collections.abc import Iterator

from ppdm_formal.certify.audit.audited import Found, OperatorAudit, PosteriorRow
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BoundWitness, Threshold
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import INFINITY, value_text
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.derive.measures.record import NotComputed
from ppdm_formal.report.parts.blocks import Table
from ppdm_formal.report.words.visible import clean

_LONGEST = 200

Named = tuple[str, str]


def exact_values(found: OperatorAudit) -> Table:
    """A row a number, each number once; the longest are cut."""
    rows = dict.fromkeys((name, _cut(value)) for name, value in _all(found))
    caption = f"Operator {clean(found.operator.name)}"
    return Table(["quantity", "exact value"], list(rows), caption, (), (1,))


def _all(found: OperatorAudit) -> Iterator[Named]:
    for reading in found.readings:
        yield from _reading(reading)
    for row in sorted(found.posteriors, key=lambda row: row.worst is not None):
        yield from _posterior(row)
    for part in found.priors:
        for reading in part.readings:
            yield from _reading(reading)
    for certificate in found.certificates:
        yield from _claim(certificate)


def _reading(found: Found) -> Iterator[Named]:
    if isinstance(found, NotComputed):
        return
    under = "" if found.prior is None else f" under {clean(found.prior.name)}"
    name = found.measure.title + under + (f" ({found.unit})" if found.unit else "")
    if found.before is not None:
        yield f"{name}, before", number_text(found.before)
        name += ", after"
    if is_number(found.value):
        yield name, number_text(found.value)
    elif isinstance(found.value, Enclosure):
        yield name, _ends(found.value)
    else:
        yield name, found.text


def _posterior(row: PosteriorRow) -> Iterator[Named]:
    name, under = f"P[{clean(row.property.name)}", f"under {clean(row.prior.name)}"
    which = f" ({row.worst})" if row.worst else ""
    after = "cannot occur" if row.after is None else number_text(row.after)
    yield f"{name}] {under}", number_text(row.before)
    yield f"{name} | {clean(show_value(row.given))}] {under}{which}", after


def _claim(certificate: Certificate) -> Iterator[Named]:
    name = clean(str(certificate.claim), 80)
    thresholds, witness = certificate.thresholds, certificate.witness
    if certificate.finding.clients_from is not None:
        yield f"{name}: clients_from", str(certificate.finding.clients_from)
    if thresholds is not None:
        yield f"{name}: rho2_above", _threshold(thresholds.rho2_above)
        yield f"{name}: rho1_below", _threshold(thresholds.rho1_below)
    if isinstance(witness, BoundWitness):
        if witness.likely is not None:
            value = INFINITY if witness.value is None else witness.value
            yield f"{name}: witness value", value_text(value)
    elif witness is not None:
        yield f"{name}: witness before", number_text(witness.before)
        yield f"{name}: witness after", number_text(witness.after)


def _threshold(value: Threshold) -> str:
    if isinstance(value, Enclosure):
        return f"between {number_text(value.lo)} and {number_text(value.hi)}"
    return "none" if value is None else number_text(value)


def _ends(value: Enclosure) -> str:
    ends = value.to_json()
    low, high = ends["lo"], ends["hi"]
    return low if low == high else f"between {low} and {high}"


def _cut(shown: str) -> str:
    if len(shown) <= _LONGEST:
        return shown
    return f"{shown[:_LONGEST]}... ({len(shown)} characters; whole in the JSON)"
