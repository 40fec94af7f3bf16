"""An operator with one free parameter at a few of its values, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit, PriorMeasures
from ppdm_formal.certify.frontier import worst_posterior_for
from ppdm_formal.declare.arithmetic.enclosure import Unit
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import (
    at_most,
    bound_percent,
    brief,
    number_words,
    percent,
)
from ppdm_formal.derive.measures.information import information
from ppdm_formal.derive.measures.utility import Utility, utility
from ppdm_formal.report.parts.blocks import Table
from ppdm_formal.report.pictures.parameter_values import holds_at, sample_values
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.utility_words import CONFIDENCE, about, asked, utility_of
from ppdm_formal.report.words.visible import clean

_PRIORS = 2
_TENTH = Fraction(1, 10)


def samples_table(found: OperatorAudit, claims: Sequence[Decided]) -> Table | None:
    """What the closed forms come to; None unless there is exactly one free parameter."""
    if len(found.operator.parameters) != 1 or found.amplification is None:
        return None
    parameter = found.operator.parameters[0]
    known = [(c.number, c.certificate.region) for c in claims if c.certificate.region is not None]
    priors = [
        (p, p.information.unit)
        for p in found.priors
        if p.information and {q.name for q in p.prior.parameters} <= {parameter.name}
    ][:_PRIORS]
    head = [clean(parameter.name, 20), *(f"claim {number}" for number, _ in known)]
    head += ["odds grow at most by", "10% becomes at most"]
    costs = isinstance(utility_of(found), Utility)
    head += ["people for one point"] if costs else []
    for part, unit in priors:
        name = clean(part.prior.name, 16)
        head += [f"{sign}, {name} ({unit})" for sign in ("I", "I_w", "J_w")]
    rows = []
    for value in sample_values(parameter, claims):
        gain = found.amplification.at({parameter.name: value})
        reach = "" if gain is None else bound_percent(worst_posterior_for(_TENTH, gain), up=True)
        factor = number_words(gain) if is_number(gain) else str(gain or "")
        rows.append(
            [
                _value(value),
                *("holds" if holds_at(region, value) else "fails" for _, region in known),
                factor,
                reach,
                *([_people(found, value)] if costs else []),
                *(cell for part, unit in priors for cell in _information(found, part, value, unit)),
            ]
        )
    caption = f"At a few values of {clean(parameter.name, 20)}"
    if costs:
        caption += f"; people to know {asked()}, {CONFIDENCE}"
    if priors:
        caption += "; information (I, I_w, J_w) is rounded up"
    return Table(head, rows, caption, range(1 + len(known), len(head)))


def _people(found: OperatorAudit, value: Fraction) -> str:
    parameter = found.operator.parameters[0]
    return about(utility(found.operator.substitute({parameter.name: value})).best.people)


def _information(
    found: OperatorAudit, part: PriorMeasures, value: Fraction, unit: Unit
) -> list[str]:
    parameter = found.operator.parameters[0]
    operator = found.operator.substitute({parameter.name: value})
    prior = part.prior.substitute({parameter.name: value})
    seen = information(operator, prior, unit)
    return [
        at_most(measured)
        for measured in (seen.mutual, seen.worst_case.value, seen.inverse_worst_case.value)
    ]


def _value(value: Fraction) -> str:
    shown = brief(value)
    return shown if value.denominator == 1 else f"{shown} ({percent(value)})"
