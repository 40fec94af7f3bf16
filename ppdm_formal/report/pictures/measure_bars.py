"""Amplification per output and information per output, as bars; equal outputs share a row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit, PriorMeasures
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import at_most, brief
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity, Measured
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.information import OutputInformation, output_information
from ppdm_formal.report.pictures.bars import LABEL_ROOM, Bar, BarRow, MarkLine, bar_picture
from ppdm_formal.report.pictures.fitting import fitted, width
from ppdm_formal.report.pictures.svg import Picture
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.standing import badge
from ppdm_formal.report.words.visible import clean

_ROWS, _FEW = 14, 8
"""How many rows a picture has: the largest, and a word on the others."""


def amplification_bars(found: OperatorAudit, claims: Sequence[Decided]) -> Picture:
    """The largest ratio of likelihoods that each output shows."""
    values: dict[Fraction | Infinity, tuple[Value, int]] = {}
    for view in found.operator.views():
        if view.reachable:
            gain = view.amplification
            ratio = INFINITY if gain is None else gain
            first, count = values.get(ratio, (view.output, 0))
            values[ratio] = (first, count + view.outputs)
    ordered = sorted(values.items(), key=lambda pair: _length(pair[0]), reverse=True)
    rows = [
        BarRow(_label(output, count), (Bar(_length(ratio), _ratio(ratio)),))
        for ratio, (output, count) in ordered[:_ROWS]
    ]
    lines = []
    for decided in claims:
        claim = decided.certificate.claim
        if isinstance(claim, BoundClaim) and claim.measure == "amplification":
            bound = brief(claim.bound, 12, 4)
            words = f"claim {decided.number}: {claim.relation} {bound}, "
            lines.append(MarkLine(_length(claim.bound), words + badge(decided.certificate).lower()))
    title = "Amplification per output"
    caption = (
        "The largest ratio of the chances of an output from two true values; its odds can change "
        f"by no more than that; ×2 stands for two outputs alike. {_others(len(ordered))}"
    )
    return Picture(title, bar_picture(rows, ["amplification"], lines[:3], title), caption.strip())


def information_bars(operator: Operator, part: PriorMeasures, unit: str) -> Picture | None:
    """Both divergences of each output, with I, I_w and J_w; None where they are not known."""
    found = part.information
    if found is None:
        return None
    try:
        outputs = output_information(operator, part.prior, found.unit)
    except TooLarge:  # of all sets of values: too many to draw
        return None
    total = sum(seen.outputs for seen in outputs)
    infinite = sum(seen.outputs for seen in outputs if isinstance(seen.inverse, Infinity))
    endless = 2 * infinite > total
    groups: dict[tuple[str, ...], tuple[OutputInformation, int]] = {}
    for seen in outputs:
        both = (seen.divergence,) if endless else (seen.divergence, seen.inverse)
        words = tuple(at_most(value) for value in both)
        first, count = groups.get(words, (seen, 0))
        groups[words] = (first, count + seen.outputs)
    ordered = sorted(groups.items(), key=lambda pair: _length(pair[1][0].divergence), reverse=True)
    rows = [
        BarRow(
            _label(seen.output, count),
            tuple(
                Bar(_length(value), said)
                for value, said in zip((seen.divergence, seen.inverse), words, strict=False)
            ),
        )
        for words, (seen, count) in ordered[: _FEW if endless else _ROWS]
    ]
    lines = [
        MarkLine(_length(value), f"{name}{_bounded(value, unit)}")
        for name, value in (
            ("I, the average", found.mutual),
            ("I_w, the worst case", found.worst_case.value),
            ("J_w, the inverse worst case", found.inverse_worst_case.value),
        )
    ]
    name = clean(part.prior.name, 20)
    title = f"Information per output, prior {name}"
    caption = (
        f"How much an output tells about x, in {unit}: I is the average, I_w and J_w are what the "
        "most telling output tells. Numbers are rounded up; ×2 stands for two outputs alike. "
        f"{_others(len(ordered), _FEW if endless else _ROWS)}"
    )
    if endless:
        many = "every output" if infinite == total else f"{infinite} of {total} outputs"
        caption = f"{caption.strip()} KL(before || after), infinite for {many}, is not drawn."
    series = ["KL(after || before), its largest is I_w", "KL(before || after), its largest is J_w"]
    drawn = bar_picture(rows, series[:1] if endless else series, lines, title)
    return Picture(title, drawn, caption.strip())


def _others(distinct: int, shown: int = _ROWS) -> str:
    if distinct <= shown:
        return ""
    return f"Of {distinct} different values the {shown} largest are shown."


def _label(output: Value, count: int) -> str:
    """The output, and how many show the same; the output is cut where both do not fit."""
    alike = "" if count == 1 else f" ×{count}" if count < 10**6 else " ×many"
    return fitted(show_value(output), LABEL_ROOM - width(alike)) + alike


def _length(value: Measured) -> float:
    if isinstance(value, Infinity):
        return math.inf
    if isinstance(value, Enclosure):
        return float(value.hi)
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _ratio(value: Fraction | Infinity) -> str:
    if isinstance(value, Infinity):
        return "infinity"
    return brief(value, 10, 4)


def _bounded(value: Measured, unit: str) -> str:
    endless = isinstance(value, Infinity)
    return " is infinite: no line" if endless else f" = {at_most(value)} {unit}"
