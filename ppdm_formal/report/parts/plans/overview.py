"""Overview of a plan: who reports what, what sizes give away, and what all sizes together see."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.declare.arithmetic.people import percent
from ppdm_formal.design.forecast import FALSE_ALARM, Pool
from ppdm_formal.report.parts.blocks import Block, Facts, Points, Section, Table, Text
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.words.plan_words import (
    group_name,
    group_words,
    pool_support,
    sets_words,
    sizes_words,
    support_words,
)


def overview(material: PlanMaterial) -> list[Section]:
    """Groups, sizes, and the pooled lowest supports."""
    blocks: list[Block] = [Facts(_groups(material)), *_pooled(material)]
    return [Section("What it is, and what it sees", blocks, 2, "overview")]


def brief_overview(material: PlanMaterial) -> list[Section]:
    """The same for a terminal."""
    told = list(dict.fromkeys(words for _, found in _groups(material) for words in found))
    return [Section("", [Points(told), *_pooled(material)])]


def _groups(material: PlanMaterial) -> list[tuple[str, list[str]]]:
    found = material.found
    return [
        (
            "Clients" if len(found.plan.groups) == 1 else f"Group {group_name(group)}",
            [group_words(group), sizes_words(group, found.sizes_told(group))],
        )
        for group in found.plan.groups
    ]


def _pooled(material: PlanMaterial) -> list[Block]:
    found = material.found
    if not found.pools:
        return [Text("The plan does not say how many baskets there are: it forecasts nothing.")]
    cut = any(found.remains(pool) for pool in found.pools)
    many = len(found.plan.groups) > 1
    rows = []
    for pool in found.pools:
        seen = pool_support(pool)
        row = [sets_words(pool.itemset), *([group_name(pool.group)] if many else [])]
        row += [f"{float(pool.clients):,.0f}", support_words(seen)]
        remains = found.remains(pool)
        if cut and remains is None:
            row += [support_words(seen), "-"]
        elif cut and remains is not None:
            needed = None if seen is None else seen / float(remains.evenly)
            possible = needed if needed is not None and needed <= 1 else None
            row += [support_words(possible), f"{percent(1 - remains.evenly)}"]
        rows.append(row)
    head = ["itemsets", *(["group"] if many else []), "clients", "LDS"]
    if cut:
        head += ["needed before cutting", "lost by cutting"]
    caption = "What is seen of all baskets together (each size weighs as many baskets as it has)"
    said: list[Block] = [Table(head, rows, caption, range(1 + many, len(head)))]
    losses = [kept for pool in found.pools if (kept := found.remains(pool))]
    if losses:
        worst = min(losses, key=lambda kept: kept.least)
        said.append(
            Text(
                "Cutting makes estimates too small: by the share above where an itemset is spread "
                f"evenly over sizes, and by up to {percent(1 - worst.least)} "
                f"({sets_words(worst.itemset)}) where it is in the longest baskets alone."
            )
        )
    said.append(
        Text(
            "An itemset at the LDS is four standard deviations from 0: where estimates above four "
            f"deviations are shown, it is shown every second time, and an absent one "
            f"{_rarely(FALSE_ALARM)}{_at_worst(found.pools)}."
        )
    )
    return said


def _at_worst(pools: Sequence[Pool]) -> str:
    """How much more often where other baskets hold some of its items, if that matters."""
    worst = max(pools, key=lambda pool: pool.worst_alarm)
    if worst.worst_alarm < 1.05 * FALSE_ALARM:
        return ""
    return (
        f" (at the worst, for {sets_words(worst.itemset)} of which all baskets hold some items, "
        f"{_rarely(worst.worst_alarm)})"
    )


def _rarely(chance: float) -> str:
    return f"once in {round(1 / chance):,} times"


PART = Part(10, overview, 10, brief_overview)
