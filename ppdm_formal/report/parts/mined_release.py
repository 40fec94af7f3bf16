"""What was mined from a release as blocks: estimates with errors, what could be seen, the truth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.report.parts.blocks import Block, Document, Points, Section, Table, Text
from ppdm_formal.report.parts.mined import MOST, out_of, percent, spelled
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.sampled import brief
from ppdm_formal.report.words.visible import clean
from ppdm_formal.run.mine.compare import Compared
from ppdm_formal.run.mine.randomized import MinedRelease, Seen


def release_document(found: MinedRelease, name: str, truth: Compared | None) -> Document:
    """The report of a release."""
    least = percent(found.min_support.share(found.transactions))
    lead = (
        f"{counted(found.transactions, 'randomized transaction')}; itemsets are listed from an "
        f"estimated support of {least} on. Every number is an estimate, ± its standard error for "
        "the baskets collected."
    )
    sections = [
        Section("Itemsets", _itemsets(found)),
        *([Section("Rules", _rules(found))] if found.rule_estimates is not None else []),
        *([Section("Against the original transactions", _truth(found, truth))] if truth else []),
        Section("What to know", [Points(remarks(found))]),
    ]
    return Document(f"Mined: {clean(name, 200)}", lead, "", "", sections, "", contents=False)


def _itemsets(found: MinedRelease) -> Sequence[Block]:
    by_size = Table(
        ["items in a set", "candidates", "pursued", "listed", "visible from"],
        [
            [
                str(seen.size),
                f"{seen.candidates:,}",
                f"{seen.pursued:,}",
                f"{seen.listed:,}",
                "-" if seen.visible is None else percent(Fraction(seen.visible)),
            ]
            for seen in found.seen
        ],
        numbers=(0, 1, 2, 3, 4),
    )
    shown = found.most_frequent(MOST)
    if not shown:
        return [by_size, Text("No itemset is listed.")]
    rows = [
        [
            spelled(one.items),
            measured(one.support, one.se),
            measured(one.se_population, one.se_population, alone=True),
            "yes" if one.significant else "no",
        ]
        for one in shown
    ]
    larger = sum(seen.listed for seen in found.seen if seen.size > 1)
    what = "most frequent itemsets of two or more items" if larger else "most frequent items"
    caption = out_of(len(rows), larger or len(found))
    head = [what, "support", "± for a population", "significant"]
    return [by_size, Table(head, rows, caption, (1, 2))]


def measured(value: float, error: float, *, alone: bool = False) -> str:
    """A share in percent with its standard error.

    >>> measured(0.0123456, 0.00041), measured(0.5, 0.0)
    ('1.235% ± 0.041%', '50.0000% ± 0.0000%')
    """
    shown = f"{brief(100 * value, 100 * error)}%"
    return shown if alone else f"{shown} ± {brief(100 * error, 100 * error)}%"


def _rules(found: MinedRelease) -> Sequence[Block]:
    assert found.rule_estimates is not None
    assert found.min_confidence is not None
    if not len(found.rule_estimates):
        limit = number_text(found.min_confidence)
        return [Text(f"There are none: no rule has an estimated confidence of {limit} or more.")]
    rows = [
        [
            f"{spelled(rule.antecedent.items)} => {spelled(rule.consequent.items)}",
            measured(rule.confidence, rule.confidence_se),
            f"{brief(rule.lift, rule.lift_se)} ± {brief(rule.lift_se, rule.lift_se)}",
            measured(rule.whole.support, rule.whole.se),
        ]
        for rule in found.rules(MOST)
    ]
    caption = out_of(len(rows), len(found.rule_estimates))
    return [Table(["surest rules", "confidence", "lift", "support"], rows, caption, (1, 2, 3))]


def _truth(found: MinedRelease, truth: Compared) -> Sequence[Block]:
    def shown(value: Fraction | None) -> str:
        return "-" if value is None else percent(value)

    head = [
        "items in a set", "frequent", "listed", "true positives", "false drops", "false positives",
        "largest dropped", "median dropped", "smallest invented", "median invented",
    ]  # fmt: skip
    rows = [
        [
            *(
                f"{number:,}"
                for number in (
                    one.size,
                    one.frequent,
                    one.listed,
                    one.true_positives,
                    one.false_drops,
                    one.false_positives,
                )
            ),
            shown(one.largest_dropped),
            shown(one.median_dropped),
            shown(one.smallest_invented),
            shown(one.median_invented),
        ]
        for one in truth.sizes
    ]
    blocks: list[Block] = [Table(head, rows, numbers=tuple(range(len(head))))]
    if truth.transactions != found.transactions:
        blocks.append(
            Text(
                f"The original data have {counted(truth.transactions, 'transaction')}, the release "
                f"{counted(found.transactions, 'transaction')}: their supports are not the same."
            )
        )
    return blocks


def remarks(found: MinedRelease) -> list[str]:
    """What bears on every number: noise, what is left out, what protects nobody."""
    least = found.min_support.share(found.transactions)
    said = [one for seen in found.seen for one in _of_size(seen, least)]
    if found.beyond is not None:
        said.append(
            f"Itemsets of {found.beyond} and more items: the reports do not tell enough of them (a "
            "plan is for itemsets up to a size), so that none is looked for."
        )
    said.append(
        f"Sets are pursued from the least support less {found.lowered:g} times the standard error "
        "on, and neither pursued nor listed where noise alone would make one of so many candidates "
        "reach that far. Significant: four standard errors above zero."
    )
    if found.left_out:
        said.append(
            f"{counted(found.left_out, 'collected transaction')} were not released: supports are "
            "of the others alone."
        )
    if found.cut:
        said.append(
            "Of transactions that were too long only a random part was randomized: supports are of "
            "these parts, and smaller than in the whole transactions."
        )
    if found.simulated:
        said.append("The release was simulated with a seed: it protects nobody.")
    return said


def _of_size(seen: Seen, least: Fraction) -> list[str]:
    sets = "Items" if seen.size == 1 else f"Itemsets of {seen.size} items"
    said = []
    if seen.visible is not None and seen.visible > least:
        said.append(
            f"{sets}: supports below {percent(Fraction(seen.visible))} cannot be told from zero by "
            f"four standard errors, and the least support is {percent(least)}: expect false drops."
        )
    if seen.unclear:
        said.append(
            f"{sets}: {seen.unclear:,} more have estimates above the least support, but less than "
            f"{seen.credible:.1f} standard errors above zero: noise alone reaches that far among "
            f"{seen.candidates:,}."
        )
    return said
