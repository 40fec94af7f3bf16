"""Hiding sizes: what public, padded and cut sizes would see, side by side."""

from __future__ import annotations

from ppdm_formal.itemsets.hidden_sizes import Way
from ppdm_formal.report.parts.blocks import Section, Table
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.words.plan_words import support_words


def hiding_part(material: PlanMaterial) -> list[Section]:
    """The comparison, where the plan has one."""
    if not material.found.ways:
        return []
    itemsets = sorted(material.found.ways[0].lds)
    rows = [[_way(way), *(_cell(way, k) for k in itemsets)] for way in material.found.ways]
    head = ["sizes", *(f"LDS {k}" for k in itemsets)]
    caption = (
        "Lowest discoverable support by the items of an itemset, each way in the paper's form; in "
        "brackets what it must be before cutting, if spread evenly over sizes"
    )
    table = Table(head, rows, caption, range(1, len(head)))
    return [Section("What hiding sizes costs", [table], 2, "hiding")]


def _way(way: Way) -> str:
    if way.sizes == "public":
        return "public"
    return f"padded to {way.size}" if way.sizes == "pad" else f"cut to {way.size}"


def _cell(way: Way, itemset: int) -> str:
    lds, needed = way.lds.get(itemset), way.needed.get(itemset)
    if lds == needed:
        return support_words(lds)
    return f"{support_words(lds)} ({support_words(needed)})"


PART = Part(50, hiding_part, 50, hiding_part)
