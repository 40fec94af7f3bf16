"""What was mined from rounds as blocks: measured sets and links, guesses, what may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.infer.baskets.mined_rounds import MeasuredSet, MinedRounds, SeenInRounds
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Gallery,
    Picture,
    Points,
    Section,
    Table,
    Text,
)
from ppdm_formal.report.parts.links import links_blocks, rate_of
from ppdm_formal.report.parts.mined import (
    MOST,
    out_of,
    percent,
    spelled,
    supports_picture,
    title,
)
from ppdm_formal.report.parts.mined_release import measured, rules_rows, sets_of
from ppdm_formal.report.pictures.interval_bars import Whisker
from ppdm_formal.report.pictures.support_pictures import Against, agreement_picture
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean


def document(found: MinedRounds, *, brief: bool = False) -> Document:
    """The report; a terminal shows no pictures."""
    least = percent(found.min_support.share(found.transactions))
    rate = percent(rate_of(found.false_discoveries))
    lead = (
        f"{counted(found.reports, 'report')} of {counted(found.transactions, 'client')}, each "
        f"asked once. Listed are sets that surely reach a support of {least}: of a list, on "
        f"average at most {rate} do not. Numbers are measured, ± their standard error, unless they "
        "are called a guess."
    )
    pictures = not brief
    supports = {one.items[0]: one.consistent for one in found.measured if len(one.items) == 1}
    sections = [
        Section("What was asked, and what it shows", [_seen(found)]),
        *(
            Section(sets_of(seen.size).capitalize(), _sets(found, seen, pictures))
            for seen in found.seen
        ),
        Section(
            "Links",
            links_blocks(list(found.links()), supports, found.false_discoveries, pictures),
        ),
    ]
    if found.rule_list is not None:
        sections.append(Section("Rules", _rules(found)))
    sections.append(Section("Guessed, not measured", _guesses(found)))
    if found.truth is not None:
        sections.append(Section("Against the original transactions", _truth(found, pictures)))
    sections += [
        Section("What could be missing", [Points(list(_missing(found)))]),
        Section("What was promised", [Points(list(_promised(found)))]),
    ]
    return Document(title(found.files), lead, "", "", sections, "", contents=False)


def _seen(found: MinedRounds) -> Table:
    rows = [
        [
            sets_of(one.size),
            f"{one.asked:,}",
            f"{one.people:,}",
            f"{one.listed:,}",
            f"{one.unclear:,}",
            percent(Fraction(one.visible)),
        ]
        for one in found.seen
    ]
    head = ["sets", "asked about", "clients", "listed", "estimated so, not sure", "visible from"]
    return Table(head, rows, numbers=(1, 2, 3, 4, 5))


def _sets(found: MinedRounds, seen: SeenInRounds, pictures: bool) -> Sequence[Block]:
    listed = [one for one in found.itemsets() if len(one.items) == seen.size]
    shown = sorted(listed, key=lambda one: -one.shrunken)[:MOST]
    if not shown:
        return [Text("None is listed.")]
    head = ["most frequent", "support (consistent)", "raw", "95% interval"]
    pairs = seen.size > 1
    if pairs:
        head[1:1] = ["shrunken"]
        head.append("guess from items alone")
    if found.truth is not None:
        head.append("true")
    rows = [_row(one, found, pairs) for one in shown]
    table = Table(head, rows, out_of(len(rows), len(listed)), tuple(range(1, len(head))))
    if not pictures:
        return [table]
    bars = [
        Whisker(
            spelled(one.items), one.shrunken, one.shrunken_low, one.shrunken_high,
            percent(Fraction(one.shrunken)),
        )
        for one in shown
    ]  # fmt: skip
    least = float(found.min_support.share(found.transactions))
    what = f"most frequent {sets_of(seen.size)}"
    return [table, Gallery([supports_picture(bars, least, what)])]


def _row(one: MeasuredSet, found: MinedRounds, pairs: bool) -> list[str]:
    low, high = (one.shrunken_low, one.shrunken_high) if pairs else (one.low, one.high)
    row = [spelled(one.items), percent(Fraction(one.consistent)), measured(one.support, one.se)]
    if pairs:
        row[1:1] = [percent(Fraction(one.shrunken))]
    row.append(f"{percent(Fraction(max(low, 0.0)))} to {percent(Fraction(min(high, 1.0)))}")
    if pairs:
        row.append("-" if one.guess is None else percent(Fraction(one.guess)))
    if found.truth is not None:
        row.append(percent(found.truth[frozenset(one.items)]))
    return row


def _rules(found: MinedRounds) -> Sequence[Block]:
    if not found.rule_list:
        return [Text("There are none among the listed pairs.")]
    rows = rules_rows(found.rules(MOST))
    caption = out_of(len(rows), len(found.rule_list))
    head = ["surest rules", "leverage", "confidence", "lift", "support"]
    return [Table(head, rows, caption, (1, 2, 3, 4))]


def _guesses(found: MinedRounds) -> Sequence[Block]:
    if not found.guesses:
        return [Text("No further pair: the listed items let guess none of that support.")]
    rows = [[spelled(one.items), percent(Fraction(one.guess))] for one in found.guesses[:MOST]]
    caption = (
        "No report was about these pairs. The guess is 1.2 times the product of the items' "
        "supports: it says nothing of links. " + out_of(len(rows), len(found.guesses))
    )
    return [Table(["pair", "guess from items alone"], rows, caption, (1,))]


def _truth(found: MinedRounds, pictures: bool) -> Sequence[Block]:
    truth, least = found.truth or {}, found.min_support.share(found.transactions)
    rows, points = [], []
    for size, frequent in sorted((found.frequent or {}).items()):
        own = [one for one in found.measured if len(one.items) == size]
        listed = [truth[frozenset(one.items)] for one in own if one.listed]
        right = sum(one >= least for one in listed)
        low = sum(2 * one < least for one in listed)
        rows.append([sets_of(size), *(f"{n:,}" for n in (frequent, len(listed), right, low))])
        for one in own:
            true = truth[frozenset(one.items)]
            if one.listed or true >= least:
                ends = one.shrunken_low, one.shrunken_high
                points.append(
                    Against(size, float(true), one.shrunken, *ends, true >= least, one.listed)
                )
    head = ["sets", "frequent", "listed", "of these frequent", "of these below half"]
    table = Table(head, rows, numbers=(1, 2, 3, 4))
    if not pictures or not points:
        return [table]
    title = "Estimated against true supports"
    words = "Each dot is a set that was measured and is frequent or listed, with its 95% interval."
    names = {size: sets_of(size) for size in found.frequent or {}}
    drawn = agreement_picture(points, names, title)
    return [table, Gallery([Picture(title, drawn, words)])]


def _missing(found: MinedRounds) -> Sequence[str]:
    said = []
    least = percent(found.min_support.share(found.transactions))
    for seen in found.seen:
        many = seen.lacking.unlisted
        sentence = (
            f"{sets_of(seen.size).capitalize()}: about {many:.0f} more of those asked about are to "
            f"be expected to reach {least}, without being sure."
        )
        if seen.lacking.more_clients is not None:
            sentence += (
                f" Some {seen.lacking.more_clients:,} more baskets, asked alike, would list the "
                "next ten."
            )
        elif many >= 1:
            sentence += " Not ten are left to find among these."
        said.append(sentence)
    said.append("Sets that nobody was asked about are not in these numbers.")
    if not found.uncut:
        said.append(
            "Of some round no client told how many values it holds: its supports are of what was "
            "left after cutting."
        )
    return said


def _promised(found: MinedRounds) -> Sequence[str]:
    said = [
        f"Every report, by itself, and whatever else is known of its client: {clean(one, 200)}."
        for one in found.promised
    ]
    said.append(
        "Each client took part in one round; what was asked in later rounds was made from earlier "
        "reports alone."
    )
    if found.simulated:
        said.append("The release was simulated with a seed: it protects nobody.")
    return said
