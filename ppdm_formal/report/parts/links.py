"""Links between items as blocks: a table, and a map of the items; of every kind of release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.with_error import brief
from ppdm_formal.infer.baskets.randomized import EstimatedLink
from ppdm_formal.report.parts.blocks import Block, Gallery, Picture, Table, Text
from ppdm_formal.report.parts.mined import MOST, out_of, percent, spelled
from ppdm_formal.report.pictures.link_map import Disc, Line, link_map

MOST_LINES = 25
"""Links of the map."""


def links_blocks(
    links: Sequence[EstimatedLink], supports: Mapping[str, float], rate: float, pictures: bool
) -> list[Block]:
    """The surest links; supports: of the items, for the map."""
    sure = sum(one.sure for one in links)
    if not links:
        return [Text("No pair was measured.")]
    words = (
        f"{sure:,} of {len(links):,} measured pairs surely are held together more often than if "
        "their items were independent (of such a list, on average at most "
        f"{percent(rate_of(rate))} are not). Leverage is the support less the product of the "
        "items' supports; the test knows of the randomization. ± is two standard errors, its 95% "
        "interval."
    )
    shown = links[:MOST]
    rows = [
        [
            spelled(one.items),
            f"{brief(100 * one.leverage, 100 * one.se)}% ± {brief(196 * one.se, 100 * one.se)}%",
            f"{one.lift:.2f} ({one.lift_low:.2f} to {one.lift_high:.2f})",
            f"{one.chance:.2g}",
            "yes" if one.sure else "no",
        ]
        for one in shown
    ]
    head = ["surest links", "leverage", "lift", "chance if independent", "sure"]
    table = Table(head, rows, out_of(len(rows), len(links)), (1, 2, 3))
    blocks: list[Block] = [Text(words), table]
    return [*blocks, Gallery([_map(links, supports)])] if pictures else blocks


def rate_of(rate: float) -> Fraction:
    """As a share."""
    return Fraction(rate).limit_denominator(10**6)


def _map(links: Sequence[EstimatedLink], supports: Mapping[str, float]) -> Picture:
    drawn = [one for one in links if one.leverage > 0][:MOST_LINES]
    names = list(dict.fromkeys(name for one in drawn for name in one.items))
    place = {name: k for k, name in enumerate(names)}
    discs = [
        Disc(name, known, f"{name}: support {percent(Fraction(max(known, 0.0)))}")
        for name in names
        for known in [supports.get(name, 0.0)]
    ]
    lines = [
        Line(
            place[one.items[0]], place[one.items[1]], one.leverage, one.sure,
            f"{spelled(one.items)}: leverage {100 * one.leverage:.2f}%, lift {one.lift:.2f}",
        )
        for one in drawn
    ]  # fmt: skip
    title = "Items and links"
    words = (
        f"The {len(drawn)} links that are surest above independence, and their items. The larger a "
        "disc, the more baskets hold the item; the wider a line, the larger the leverage. All of "
        "it is measured by reports about pairs."
    )
    return Picture(title, link_map(discs, lines, title), words)
