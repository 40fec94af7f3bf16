"""Plans in plain words: groups, what sizes give away, lowest supports, costs, and a legend."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.audit.plan_audit import PlannedSize
from ppdm_formal.declare.arithmetic.people import brief, percent
from ppdm_formal.design.forecast import Pool
from ppdm_formal.design.levels import ReportCost
from ppdm_formal.design.plan import Group
from ppdm_formal.report.words.visible import clean

SETS = {1: "items", 2: "pairs", 3: "triples"}

LEGEND = (
    ("LDS", "Lowest discoverable support: what an estimate separates from 0 by four deviations."),
    ("rho", "The chance with which an item that is not in the basket is put into the report."),
    (
        "j*",
        "Keeping more than j* of the basket's items is gamma times likelier than by chance (EGS03 "
        "Statement 2); with c, so the complement of the report is drawn; -: another form.",
    ),
    ("gamma", "The largest ratio of likelihoods of one report: below it no breach is possible."),
    ("sent", "The mean number of items (or sets) in a report."),
    ("bits", "Of a report, the shortest way: l a list, m a bitmap, s a seed (compressed)."),
)


def sets_words(itemset: int) -> str:
    """Items, pairs, triples, sets of 4."""
    return SETS.get(itemset, f"sets of {itemset}")


def support_words(support: float | None) -> str:
    """A support in percent, three digits; none where nothing is discoverable.

    >>> support_words(0.0123456), support_words(0.00004321), support_words(None)
    ('1.23%', '0.00432%', 'none')
    """
    if support is None:
        return "none"
    shown = f"{100 * support:#.3g}"
    return f"{shown if 'e' not in shown else f'{100 * support:.6f}'}%".replace(".%", "%")


def pool_support(pool: Pool) -> float | None:
    """The pooled lowest discoverable support."""
    return float(pool.lowest) if pool.discoverable else None


def bits_words(cost: ReportCost | None) -> str:
    """The bits of a report with the way that is shortest: s a seed, m a bitmap, l a list."""
    if cost is None:
        return "-"
    way = "s" if cost.worthwhile else ("m" if cost.plain == cost.bitmap else "l")
    return f"{float(cost.bits):.0f} {way}"


def seed_words(cost: ReportCost | None) -> str:
    """The bits of a compressed report, marked where they are no gain."""
    if cost is None or cost.seed is None:
        return "-"
    return f"{cost.seed:,}" if cost.worthwhile else f"{cost.seed:,} (longer than plain)"


def cutoff_words(size: PlannedSize) -> str:
    """j*, with c where the complement is sent."""
    if size.cutoff is not None:
        return str(size.cutoff)
    return "-" if size.complement is None else f"{size.complement} c"


def group_words(group: Group) -> str:
    """Who is in a group, and what they report."""
    what = "their items" if group.lifted == 1 else f"their {sets_words(group.lifted)}"
    if group.chosen is not None:
        what += f" of {len(group.chosen):,} chosen items"
    elif group.pending:
        what += " of the items that the first phase finds"
    who = "All clients report" if group.share == 1 else f"{percent(group.share)} of clients report"
    return f"{who} {what}."


def sizes_words(group: Group, told: bool) -> str:
    """What the sizes of baskets give away."""
    largest = group.sizes[-1].size
    if group.hidden == "pad":
        return (
            f"Sizes are hidden: dummy items fill every basket up to {largest}, and the claim is "
            f"certified over all baskets of up to {largest} items."
        )
    if group.hidden == "cut":
        return (
            f"Sizes are hidden: longer baskets report a random part of {largest} items, shorter "
            f"ones are filled up with dummy items, and the claim is certified over all baskets of "
            f"up to {largest} items."
        )
    if not told:
        return "Sizes are public, but all baskets have the same."
    return (
        "Sizes are PUBLIC: each report tells the size of its basket. Over baskets of different "
        "sizes the amplification is infinite; the claim is certified among baskets of one size "
        "only. --hide-sizes hides them."
    )


def gamma_words(gamma: Fraction) -> str:
    """An amplification, short."""
    return brief(gamma, 12)


def group_name(group: Group) -> str:
    """The name of a group, made visible."""
    return clean(group.name, 30)
