"""Records in parts: the epsilon of each part, with what the whole record costs beside it."""

from __future__ import annotations

from typing import Any

from ppdm_formal.certify.audit.audited import RecordAudit
from ppdm_formal.declare.arithmetic.people import short
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.derive.measures.parts_cost import PartCost, PartsCost
from ppdm_formal.report.parts.blocks import Block, Section, Table, Text, VerdictBlock
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.sections.verdicts import decided_block
from ppdm_formal.report.words.subjects.parts import assumed_words
from ppdm_formal.report.words.visible import clean

_FREE = "depends on a parameter"


def record_parts(found: PartsCost) -> list[Block]:
    """A table of the parts and the record, and what is assumed."""
    parts, name = found.parts, clean(found.parts.name)
    among = parts.among is not None
    rows = [_row(cost, found, among) for cost in found.costs]
    whole = [f"all of {name}", "", _shown(found.ratio), _epsilon(found.epsilon)]
    if among:
        whole.append("")
    head = ["part", "operator", "amplification", "epsilon (nat)"]
    head += ["with the other parts' help", "whole record"] if among else ["whole record"]
    rows.append([*whole, _epsilon(found.epsilon)])
    numbers = range(2, len(head))
    caption = f"{name}: what a part costs, and the whole record"
    blocks: list[Block] = [Table(head, rows, caption, numbers), Text(_assumed(found))]
    if not found.costs:
        blocks = [Text(f"{name} was not measured: limits of time or size were met.")]
    return blocks


def _row(cost: PartCost, found: PartsCost, among: bool) -> list[str]:
    gain = cost.own.amplification.value
    own = cost.own.text if cost.ratio is None else _epsilon(cost.own.epsilon)
    shown = _shown(gain) if cost.ratio is not None else clean(cost.own.amplification.text, 40)
    row = [clean(cost.part.name), clean(cost.part.operator.name), shown, clean(own, 40)]
    if among:
        row.append(_epsilon(cost.epsilon))
    return [*row, _epsilon(found.epsilon)]


def _assumed(found: PartsCost) -> str:
    assumed = assumed_words(found.parts)
    first = f"A part's epsilon bounds what all outputs tell of it only if {assumed}; "
    if found.parts.among is not None:
        first = (
            f"Given is that {assumed}, which adds to a part's epsilon (once, not twice as Dor18 "
            "Theorem 4 has it); "
        )
    return first + (
        "whatever they are, all outputs together tell of any part, and of the whole record, up to "
        "the record's epsilon, the sum over all parts."
    )


def _shown(ratio: Any) -> str:
    if ratio is None:
        return _FREE
    return "infinity" if isinstance(ratio, Infinity) else short(ratio)


def _epsilon(value: Any) -> str:
    return _FREE if value is None else str(value)


def whole(material: Material) -> list[Section]:
    """One section: all records, each with its claims."""
    blocks: list[Block] = []
    for found in material.result.parts:
        blocks += record_parts(found.cost)
        claims = _claims(material, found)
        if claims:
            blocks.append(Section(f"Verdicts of {clean(found.parts.name)}", claims, 3))
    return [Section("Records in parts", blocks, 2, "parts")] if blocks else []


def brief(material: Material) -> list[Section]:
    """The tables, and below each its claims."""
    sections = []
    for found in material.result.parts:
        sections.append(Section("", record_parts(found.cost)))
        claims = _claims(material, found)
        if claims:
            sections.append(Section(f"Claims about {clean(found.parts.name)}", claims))
    return sections


def _claims(material: Material, found: RecordAudit) -> list[VerdictBlock]:
    return [decided_block(decided) for decided in material.of(found)]


PART: Part[Material] = Part(12, whole, 12, brief)
