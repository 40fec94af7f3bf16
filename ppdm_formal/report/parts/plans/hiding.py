"""Hiding sizes: what public, padded and cut sizes would see, side by side."""

from __future__ import annotations

from ppdm_formal.design.plan_facts import Way
from ppdm_formal.report.parts.blocks import Block, Section, Table, Text
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.words.plan_words import sets_words, support_words


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
    said = _better(material)
    blocks: list[Block] = [table, Text(said)] if said else [table]
    return [Section("What hiding sizes costs", blocks, 2, "hiding")]


def _better(material: PlanMaterial) -> str:
    """Where hiding sizes costs nothing and the plan does not: that it would be better."""
    ways = {way.sizes: way for way in material.found.ways}
    public = all(group.hidden is None for group in material.found.plan.groups)
    if not public or "public" not in ways or "cut" not in ways:
        return ""
    cut, shown = ways["cut"], ways["public"]
    if cut.worst >= shown.worst:
        return ""
    k = max(shown.needed)
    return (
        f"Here hiding sizes costs nothing: cut to {cut.size} items (--hide-sizes cut), "
        f"{sets_words(k)} are seen from {support_words(cut.needed[k])} on where public sizes need "
        f"{support_words(shown.needed[k])}, if spread evenly; those in long baskets alone are not."
    )


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
