"""What a plan would find in the baskets at hand: chances by support, with the data's own."""

from __future__ import annotations

from ppdm_formal.report.parts.blocks import Block, Gallery, Picture, Section, Table, Text
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.pictures.plan_pictures import seen_picture
from ppdm_formal.report.words.plan_words import sets_words, support_words


def found_part(material: PlanMaterial) -> list[Section]:
    """The picture and the table; nothing without data."""
    seen = material.found.seen
    if not seen:
        return []
    blocks: list[Block] = []
    title = "The chance to be seen, by support"
    if material.drawn:
        svg = seen_picture(seen, [sets_words(part.itemset) for part in seen], title)
        caption = (
            "Each curve is the chance that an itemset of that support is seen; the ticks at the "
            "bottom are the supports that itemsets have in the data."
        )
        blocks.append(Gallery([Picture(title, svg, caption)]))
    rows = []
    for part in seen:
        top = part.supports[0] if part.supports else None
        rows.append(
            [
                sets_words(part.itemset),
                support_words(top),
                f"{part.likely:,}",
                f"{part.found:.1f}",
                "-" if part.alarms is None else f"{part.alarms:,.1f}",
            ]
        )
    head = ["itemsets", "largest support", "above the LDS", "seen on average", "false on average"]
    blocks.append(Table(head, rows, "In the baskets at hand", (1, 2, 3, 4)))
    blocks.append(
        Text(
            "Seen: an estimate above four deviations. False: absent itemsets with such an estimate "
            "if every possible one were looked at; a search that goes from items to pairs to "
            "triples looks at far fewer. Chances take other baskets to hold no item of the "
            "itemset; frequent items add noise."
        )
    )
    if any(part.pool.group.pending for part in seen):
        words = "Sets of the second phase are seen if the first phase has found their items."
        blocks.append(Text(words))
    return [Section("What would be found in the data at hand", blocks, 2, "found")]


PART = Part(20, found_part, 20, found_part)
