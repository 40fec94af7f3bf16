"""Other levels: what more or less privacy would cost in supports that are seen, and in bits."""

from __future__ import annotations

from ppdm_formal.report.parts.blocks import Block, Gallery, Picture, Section, Table
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.pictures.plan_pictures import cost_picture, levels_picture
from ppdm_formal.report.words.plan_words import bits_words, gamma_words, sets_words, support_words


def levels_part(material: PlanMaterial) -> list[Section]:
    """Lowest supports and costs against gamma, for baskets of a typical size."""
    found = material.found
    if not found.levels or found.level_size is None:
        return []
    itemsets = sorted(found.levels[0].lds)
    rows = []
    for level in found.levels:
        mark = " (this plan)" if level.gamma == found.gamma else ""
        row = [gamma_words(level.gamma) + mark, *(support_words(level.lds[k]) for k in itemsets)]
        row += ["-" if level.cost is None else f"{float(level.cost.mean_size):.1f}"]
        rows.append([*row, bits_words(level.cost)])
    head = ["gamma", *(f"LDS {k}" for k in itemsets), "sent", "bits"]
    size = found.level_size
    caption = (
        f"Baskets of {size} items (the median), all clients, in the paper's form; a larger gamma "
        "is less privacy"
    )
    blocks: list[Block] = []
    pictures = []
    largest, own = itemsets[-1], float(found.gamma)
    # A line needs two points.
    if material.drawn and sum(bool(level.lds[largest]) for level in found.levels) > 1:
        title = f"Lowest support of {sets_words(largest)} against privacy"
        svg = levels_picture(found.levels, own, largest, title)
        pictures.append(Picture(title, svg, f"For baskets of {size} items and all clients."))
    if material.drawn and sum(level.cost is not None for level in found.levels) > 1:
        title = "Bits of a report against privacy"
        svg = cost_picture(found.levels, own, title)
        words = f"The shortest of list, bitmap and seed, for baskets of {size} items."
        pictures.append(Picture(title, svg, words))
    if pictures:
        blocks.append(Gallery(pictures))
    blocks.append(Table(head, rows, caption, range(1, len(head))))
    return [Section("Cost against privacy", blocks, 2, "levels")]


PART = Part(40, levels_part)
