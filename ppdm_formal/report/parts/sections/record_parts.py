"""Records in parts: the epsilon of each part, with what the whole record costs beside it."""

from __future__ import annotations

from typing import Any

from ppdm_formal.measures.parts_cost import PartCost, PartsCost
from ppdm_formal.numbers.logarithm import exponent_words
from ppdm_formal.numbers.people import short
from ppdm_formal.numbers.value import Infinity
from ppdm_formal.report.parts.blocks import Block, Points, Section, Table, Text
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.visible import clean

_FREE = "depends on a parameter"
_VERDICTS = {"holds": "holds", "fails": "FAILS", "unknown": "not decided"}


def record_parts(found: PartsCost) -> list[Block]:
    """A table of the parts and the record, what is assumed, and the claims."""
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
    said = [f"{clean(str(claim), 80)}: {_VERDICTS[verdict]}" for claim, verdict in found.verdicts]
    return [*blocks, Points(said)] if said else blocks


def _row(cost: PartCost, found: PartsCost, among: bool) -> list[str]:
    gain = cost.own.amplification.value
    own = cost.own.text if cost.ratio is None else _epsilon(cost.own.epsilon)
    shown = _shown(gain) if cost.ratio is not None else clean(cost.own.amplification.text, 40)
    row = [clean(cost.part.name), clean(cost.part.operator.name), shown, clean(own, 40)]
    if among:
        row.append(_epsilon(cost.epsilon))
    return [*row, _epsilon(found.epsilon)]


def _assumed(found: PartsCost) -> str:
    if found.parts.among is None:
        first = (
            "A part's epsilon bounds what all outputs tell of it only if the parts are independent "
            "of each other; "
        )
    else:
        first = (
            "Given is that each part and all others together are "
            f"{exponent_words(found.parts.among)}-dependent, which adds to a part's epsilon (once, "
            "not twice as Dor18 Theorem 4 has it); "
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


def _sections(material: Material) -> list[Section]:
    blocks = [block for found in material.result.parts for block in record_parts(found)]
    return [Section("Records in parts", blocks, 2, "parts")] if blocks else []


PART: Part[Material] = Part(
    12,
    _sections,
    12,
    lambda material: [Section("", section.blocks) for section in _sections(material)],
)
