"""Sizes of a plan: the randomization of each, its lowest supports and what its reports cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ppdm_formal.certify.audit.plan_audit import PlannedSize
from ppdm_formal.report.parts.blocks import Block, Facts, Gallery, Picture, Points, Section, Table
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.pictures.plan_pictures import lds_picture
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.plan_words import (
    LEGEND,
    bits_words,
    cutoff_words,
    group_name,
    pool_support,
    seed_words,
    sets_words,
    support_words,
)

BRIEF_ROWS = 24
"""Sizes that a terminal lists."""


def sizes(material: PlanMaterial) -> list[Section]:
    """The picture, the table, and what its columns mean."""
    blocks: list[Block] = []
    if material.drawn:
        blocks.append(Gallery(_pictures(material)))
    blocks.append(_table(material, material.found.sizes, seeds=True))
    blocks.append(Facts(LEGEND))
    return [Section("Sizes of baskets", blocks, 2, "sizes")]


def brief_sizes(material: PlanMaterial) -> list[Section]:
    """The first sizes, and the legend."""
    groups = material.found.plan.groups
    rows = -(-BRIEF_ROWS // len(groups))
    listed = [
        size
        for group in groups
        for size in [size for size in material.found.sizes if size.group is group][:rows]
    ]
    left = len(material.found.sizes) - len(listed)
    said = [f"{term}: {words}" for term, words in LEGEND]
    if left:
        said.insert(0, f"and {counted(left, 'more size')}, in the plan and in its report (--html)")
    return [Section("", [_table(material, listed), Points(said)])]


def _table(material: PlanMaterial, listed: Sequence[PlannedSize], *, seeds: bool = False) -> Table:
    found = material.found
    many = len(found.plan.groups) > 1
    itemsets = sorted({k for size in listed for k in size.lds})
    verdicts = seeds or any(size.breached for size in found.sizes)
    head = [*(["group"] if many else []), "size", "baskets", "rho", "j*"]
    gammas = found.plan.item_level  # elsewhere all sizes have that of the plan
    head += ["gamma"] if gammas else []
    head += [f"LDS {k}" for k in itemsets] + ["sent", "bits"]
    head += ["seed"] if seeds else []
    head += ["verdict"] if verdicts else []
    rows = []
    for size in listed:
        baskets = "-" if size.part.baskets is None else f"{size.part.baskets:,}"
        row = [*([group_name(size.group)] if many else []), str(size.part.size), baskets]
        row += [str(size.part.randomization.insert), cutoff_words(size)]
        row += [f"{math.ceil(size.part.amplification):,}"] if gammas else []
        row += [support_words(size.lds[k]) if k in size.lds else "" for k in itemsets]
        row += ["-" if size.cost is None else f"{float(size.cost.mean_size):.1f}"]
        row += [bits_words(size.cost)]
        row += [seed_words(size.cost)] if seeds else []
        row += [size.verdict] if verdicts else []
        rows.append(row)
    whose = (
        "from its own baskets" if found.each_alone else "if all clients had baskets of this size"
    )
    caption = f"Each size; LDS by the items of an itemset, {whose}"
    return Table(head, rows, caption, range(int(many), len(head) - verdicts))


def _pictures(material: PlanMaterial) -> list[Picture]:
    found = material.found
    lines: dict[str, list[tuple[int, float]]] = {}
    for size in found.sizes:
        for k, lds in size.lds.items():
            if lds is not None:
                whose = "" if len(found.plan.groups) == 1 else f"{group_name(size.group)}: "
                lines.setdefault(whose + sets_words(k), []).append((size.part.size, lds))
    if not lines:
        return []
    if found.paper_form:
        lines[f"{sets_words(found.plan.itemsets)}, in the paper's form"] = list(found.paper_form)
    pooled = [lds for pool in found.pools if (lds := pool_support(pool)) is not None]
    title = "Lowest discoverable support by size"
    whose = (
        "What is seen of the baskets of each size by themselves"
        if found.each_alone
        else "What is seen if all clients had baskets of one size"
    )
    caption = (
        f"{whose}; long baskets see less. The straight lines are all sizes pooled, as they are."
    )
    return [Picture(title, lds_picture(lines, pooled, title), caption)]


PART = Part(30, sizes, 30, brief_sizes)
