"""A free parameter at a few values: the edges of regions, and one value on each side of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ppdm_formal.audit import OperatorAudit, PriorMeasures
from ppdm_formal.measures.information import information
from ppdm_formal.numbers.enclosure import Unit
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.people import at_most, bound_percent, number_words, percent
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.report.frontier import worst_posterior_for
from ppdm_formal.report.parts.blocks import Table
from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.words.visible import clean

_MOST = 7
_PRIORS = 2
_TENTH = Fraction(1, 10)


def sample_values(parameter: Parameter, claims: Sequence[Decided]) -> list[Fraction]:
    """Rational edges of the claims' regions, and between them values of examples, or the middle.

    Quarters where there are no edges.
    """
    edges: dict[Fraction, bool] = {}
    for claim in claims:
        for piece in (claim.summary.get("region") or {}).get("holds", ()):
            for end in (piece["from"], piece["to"]):
                low, high = _ends(end)
                edges[(low + high) / 2] = low == high
    inner = sorted(edge for edge in edges if parameter.lower < edge < parameter.upper)
    inner = inner[: _MOST // 2]
    if not inner:
        width = parameter.upper - parameter.lower
        return [parameter.lower + width * Fraction(k, 4) for k in (1, 2, 3)]
    shown = [dict(c.certificate.witness.parameters or {}) for c in claims if c.certificate.witness]
    examples = [values[parameter.name] for values in shown if parameter.name in values]
    between = [
        next((example for example in examples if a < example < b), (a + b) / 2)
        for a, b in pairwise([parameter.lower, *inner, parameter.upper])
    ]
    return sorted([*between, *(edge for edge in inner if edges[edge])])


def holds_at(region: Mapping[str, Any], value: Fraction) -> bool:
    """Whether a value that is no root lies in a region."""
    for piece in region["holds"]:
        low, high = _ends(piece["from"])[1], _ends(piece["to"])[0]
        after = value > low or (value == low and piece["from_included"])
        if after and (value < high or (value == high and piece["to_included"])):
            return True
    return False


def _ends(end: Any) -> tuple[Fraction, Fraction]:
    """A number twice, or the two numbers between which a root lies."""
    if isinstance(end, Mapping):
        low, high = map(Fraction, end["between"])
        return low, high
    return Fraction(end), Fraction(end)


def samples_table(found: OperatorAudit, claims: Sequence[Decided]) -> Table | None:
    """What the closed forms come to; None unless there is exactly one free parameter."""
    if len(found.operator.parameters) != 1 or found.amplification is None:
        return None
    parameter = found.operator.parameters[0]
    known = [claim for claim in claims if claim.summary.get("region")]
    priors = [
        (p, p.information.unit)
        for p in found.priors
        if p.information and {q.name for q in p.prior.parameters} <= {parameter.name}
    ][:_PRIORS]
    head = [clean(parameter.name, 20), *(f"claim {claim.number}" for claim in known)]
    head += ["odds grow at most by", "10% becomes at most"]
    for part, unit in priors:
        name = clean(part.prior.name, 16)
        head += [f"{sign}, {name} ({unit})" for sign in ("I", "I_w", "J_w")]
    rows = []
    for value in sample_values(parameter, claims):
        gain = found.amplification.at({parameter.name: value})
        reach = "" if gain is None else bound_percent(worst_posterior_for(_TENTH, gain), up=True)
        factor = number_words(gain) if isinstance(gain, Fraction) else str(gain or "")
        rows.append(
            [
                f"{number_text(value)} ({percent(value)})"
                if value.denominator > 1
                else number_text(value),
                *("holds" if holds_at(c.summary["region"], value) else "fails" for c in known),
                factor,
                reach,
                *(cell for part, unit in priors for cell in _information(found, part, value, unit)),
            ]
        )
    caption = f"At a few values of {clean(parameter.name, 20)}"
    if priors:
        caption += "; information (I, I_w, J_w) is rounded up"
    return Table(head, rows, caption, range(1 + len(known), len(head)))


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
