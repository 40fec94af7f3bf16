"""What was mined as blocks: how many itemsets of each size, the most frequent, the surest rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.infer.baskets.mined import Mined
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Gallery,
    Picture,
    Section,
    Table,
    Text,
)
from ppdm_formal.report.pictures.interval_bars import Whisker, interval_bars
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean

MOST = 20
"""Itemsets and rules that are shown."""


def document(found: Mined, *, brief: bool = False) -> Document:
    """The brief report; a terminal shows no pictures."""
    share = percent(found.min_support.share(found.transactions))
    lead = (
        f"{counted(found.transactions, 'transaction')}; an itemset is frequent from "
        f"{counted(found.least, 'transaction')} on (a support of {share}). All numbers are exact."
    )
    sections = [Section("Frequent itemsets", _itemsets(found, not brief))]
    if found.rule_nodes is not None:
        sections.append(Section("Rules", _rules(found)))
    return Document(title(found.files), lead, "", "", sections, "", contents=False)


def title(files: Sequence[str]) -> str:
    """The files for people: by name, if there are few.

    >>> title(["a.dat", "b.dat"]), title(["a", "b", "c", "d"]), title([])
    ('Mined: a.dat and b.dat', 'Mined: a and 3 more', 'Mined')
    """
    if not files:
        return "Mined"
    if len(files) > 3:
        return f"Mined: {clean(files[0], 200)} and {len(files) - 1} more"
    shown = " and ".join([", ".join(files[:-1]), files[-1]] if files[1:] else files)
    return f"Mined: {clean(shown, 200)}"


def _itemsets(found: Mined, pictures: bool) -> Sequence[Block]:
    sizes = found.sizes()
    if not sizes:
        return [Text("There are none: no item is in that many transactions.")]
    by_size = Table(
        ["items in a set", "frequent itemsets"],
        [[str(size), f"{many:,}"] for size, many in enumerate(sizes, start=1)],
        numbers=(0, 1),
    )
    shown = found.most_frequent(MOST)
    rows = [[spelled(one.items), f"{one.count:,}", percent(one.support)] for one in shown]
    larger = len(sizes) > 1
    what = "most frequent itemsets of two or more items" if larger else "most frequent items"
    total = sum(sizes[1:]) if larger else sizes[0]
    tables = [by_size, Table([what, "count", "support"], rows, out_of(len(rows), total), (1, 2))]
    if not pictures:
        return tables
    bars = []
    for one in shown:
        support = float(one.support)
        bars.append(Whisker(spelled(one.items), support, support, support, percent(one.support)))
    least = found.min_support.share(found.transactions)
    return [*tables, Gallery([supports_picture(bars, float(least), what, exact=True)])]


def supports_picture(
    rows: Sequence[Whisker], least: float, what: str, *, exact: bool = False
) -> Picture:
    """Supports as bars, with intervals unless they are exact, and the least support across them."""
    title = f"Supports of the {what}"
    words = "Each bar is a support, counted exactly."
    if not exact:
        words = "Each bar is an estimated support, the whisker on it its 95% interval."
    limit = least, f"least support, {percent(Fraction(least))}"
    svg = interval_bars(rows, "" if exact else "95%", "", title, limit)
    return Picture(title, svg, f"{words} The line across them is the least support asked for.")


def _rules(found: Mined) -> Sequence[Block]:
    assert found.rule_nodes is not None
    assert found.min_confidence is not None
    if not len(found.rule_nodes):
        limit = number_text(found.min_confidence)
        return [Text(f"There are none: no rule has a confidence of {limit} or more.")]
    rows = [
        [
            f"{spelled(rule.antecedent.items)} => {spelled(rule.consequent.items)}",
            percent(rule.confidence),
            f"{float(rule.lift):.2f}",
            percent(rule.support),
        ]
        for rule in found.rules(MOST)
    ]
    caption = out_of(len(rows), len(found.rule_nodes))
    return [Table(["surest rules", "confidence", "lift", "support"], rows, caption, (1, 2, 3))]


def out_of(shown: int, total: int) -> str:
    """That only the first rows are shown."""
    if shown == total:
        return ""
    return f"{shown} of {total:,}; --json, --csv and --parquet write all."


def spelled(items: Sequence[str]) -> str:
    """An itemset for people.

    >>> spelled(["bread", "milk"])
    '{bread, milk}'
    """
    return "{" + ", ".join(clean(item) for item in items) + "}"


def percent(share: Fraction) -> str:
    """A share in percent, to four digits.

    >>> percent(Fraction(1, 3)), percent(Fraction(501, 100_000)), percent(Fraction(1))
    ('33.33%', '0.501%', '100%')
    """
    return f"{float(share * 100):.4g}%"
