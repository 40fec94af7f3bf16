"""What was mined from a release as blocks: estimates with errors, what could be seen, the truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import brief
from ppdm_formal.design.lds import DEVIATIONS
from ppdm_formal.infer.baskets.compare import RANGES, AgainstOriginal
from ppdm_formal.infer.baskets.randomized import (
    EstimatedItemset,
    EstimatedRule,
    MinedRelease,
    SeenOfSize,
)
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
from ppdm_formal.report.pictures.interval_bars import Whisker
from ppdm_formal.report.pictures.support_pictures import (
    Against,
    Expected,
    agreement_picture,
    found_picture,
)
from ppdm_formal.report.words.counted import counted

MOST_DOTS = 60
"""Itemsets of each size in the picture of estimates against the truth."""


def document(found: MinedRelease, *, brief: bool = False) -> Document:
    """The report of a release; a terminal shows no pictures."""
    pictures, truth = not brief, found.truth
    least = percent(found.min_support.share(found.transactions))
    of_all = found.transactions
    part = "" if found.reports == of_all else f", a random part of those of {of_all:,} clients"
    lead = (
        f"{counted(found.reports, 'randomized transaction')}{part}; itemsets are listed that "
        f"surely have a support of {least}: of a list, on average at most "
        f"{percent(rate_of(found.false_discoveries))} do not. Every number is an estimate, ± its "
        "standard error for the baskets collected."
    )
    sections = [
        Section("Itemsets", _itemsets(found, pictures)),
        Section("Links", links_of(found, pictures)),
        *([Section("Rules", _rules(found))] if found.rule_estimates is not None else []),
        *(
            [Section("Against the original transactions", _truth(found, truth, pictures))]
            if truth
            else []
        ),
        Section("What to know", [Points(remarks(found))]),
    ]
    return Document(title(found.files), lead, "", "", sections, "", contents=False)


def _itemsets(found: MinedRelease, pictures: bool) -> Sequence[Block]:
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
    rows = [_row(one) for one in shown]
    single = [one for one in found.itemsets() if len(one.items) == 1]
    single.sort(key=lambda one: -one.support)
    items = []
    if len(shown[0].items) > 1:  # single items are shown beside larger sets, too
        caption = out_of(len(single[:MOST]), len(single))
        items = [Table(SETS, [_row(one) for one in single[:MOST]], caption, (1, 2, 3))]
    larger = sum(seen.listed for seen in found.seen if seen.size > 1)
    what = "most frequent itemsets of two or more items" if larger else "most frequent items"
    caption = out_of(len(rows), larger or len(found))
    tables = [by_size, *items, Table([what, *SETS[1:]], rows, caption, (1, 2, 3))]
    if not pictures:
        return tables
    bars = [
        Whisker(spelled(s.items), s.support, s.low, s.high, percent(Fraction(s.support)))
        for s in shown
    ]
    least = float(found.min_support.share(found.transactions))
    return [*tables, Gallery([supports_picture(bars, least, what)])]


SETS = ("most frequent items", "support", "consistent", "± for a population", "significant")


def _row(one: EstimatedItemset) -> list[str]:
    return [
        spelled(one.items),
        measured(one.support, one.se),
        percent(Fraction(one.consistent)),
        measured(one.se_population, one.se_population, alone=True),
        "yes" if one.significant else "no",
    ]


def links_of(found: MinedRelease, pictures: bool) -> list[Block]:
    """Links of all pairs that were pursued."""
    trie, known = found.levels.trie, found.estimates.consistent
    items = trie.nodes(1) if trie.size else range(0)
    supports = {found.labels[k]: float(known[node]) for k, node in enumerate(items)}
    return links_blocks(list(found.links()), supports, found.false_discoveries, pictures)


def measured(value: float, error: float, *, alone: bool = False) -> str:
    """A share in percent with its standard error.

    >>> measured(0.0123456, 0.00041), measured(0.5, 0.0)
    ('1.235% ± 0.041%', '50.0000% ± 0.0000%')
    """
    shown = f"{brief(100 * value, 100 * error)}%"
    return shown if alone else f"{shown} ± {brief(100 * error, 100 * error)}%"


def _rules(found: MinedRelease) -> Sequence[Block]:
    assert found.min_confidence is not None
    limit = number_text(found.min_confidence)
    none = Text(f"There are none: no rule has an estimated confidence of {limit} or more.")
    return rules_table(found) or [none]


def rules_table(found: MinedRelease) -> list[Block]:
    """The surest rules, where there are any."""
    if found.rule_estimates is None or not len(found.rule_estimates):
        return []
    rows = rules_rows(found.rules(MOST))
    caption = out_of(len(rows), len(found.rule_estimates))
    head = ["surest rules", "leverage", "confidence", "lift", "support"]
    return [Table(head, rows, caption, (1, 2, 3, 4))]


def rules_rows(rules: Iterable[EstimatedRule]) -> list[list[str]]:
    """A row a rule."""
    return [
        [
            f"{spelled(rule.antecedent.items)} => {spelled(rule.consequent.items)}",
            measured(rule.leverage, rule.leverage_se),
            measured(rule.confidence, rule.confidence_se),
            f"{brief(rule.lift, rule.lift_se)} ± {brief(rule.lift_se, rule.lift_se)}",
            measured(rule.whole.support, rule.whole.se),
        ]
        for rule in rules
    ]


def _truth(found: MinedRelease, truth: AgainstOriginal, pictures: bool) -> Sequence[Block]:
    return [
        truth_table(truth),
        *range_tables(truth, found.min_support.share(found.transactions)),
        *_transactions(found, truth),
        *(_galleries(found, truth) if pictures else []),
    ]


def truth_table(truth: AgainstOriginal) -> Table:
    """By size: frequent, listed, right and wrong ones, and how near the wrong ones are."""

    def shown(value: Fraction | None) -> str:
        return "-" if value is None else percent(value)

    head = [
        "items in a set", "frequent", "listed", "true positives", "false drops", "false positives",
        "largest dropped", "median dropped", "smallest invented", "median invented",
    ]  # fmt: skip
    rows = []
    for one in truth.sizes:
        right = one.true_positives, one.false_drops, one.false_positives
        near = one.largest_dropped, one.median_dropped, one.smallest_invented, one.median_invented
        numbers = [f"{n:,}" for n in (one.size, one.frequent, one.listed, *right)]
        rows.append([*numbers, *map(shown, near)])
    return Table(head, rows, numbers=tuple(range(len(head))))


def range_tables(truth: AgainstOriginal, least: Fraction) -> list[Table]:
    """How far supports and estimates lie from the least support, as the KDD 2002 tables say it."""
    ends = [percent(share * least) for share in RANGES]
    heads = [f"below {ends[0]}", *(f"{a} to {b}" for a, b in pairwise(ends)), f"from {ends[-1]} on"]
    sides = (
        (
            "Estimated supports of the itemsets that are frequent",
            ["items in a set", "frequent", *heads, "not told"],
            [
                (one.size, one.frequent, *one.estimated, one.frequent - sum(one.estimated))
                for one in truth.sizes
            ],
        ),
        (
            "True supports of the itemsets that are listed",
            ["items in a set", "listed", *heads],
            [(s.size, s.listed, *s.supported) for s in truth.sizes],
        ),
    )
    return [
        Table(head, [[f"{n:,}" for n in row] for row in rows], words, tuple(range(len(head))))
        for words, head, rows in sides
    ]


def _transactions(found: MinedRelease, truth: AgainstOriginal) -> list[Block]:
    if truth.transactions == found.transactions:
        return []
    return [
        Text(
            f"The original data have {counted(truth.transactions, 'transaction')}, the release "
            f"{counted(found.transactions, 'transaction')}: their supports are not the same."
        )
    ]


def _galleries(found: MinedRelease, truth: AgainstOriginal) -> list[Block]:
    """Estimates against the truth; what is found and missed, for each size of itemsets."""
    pictures = agreement(truth)
    for seen in found.seen:
        lowest = (seen.visible, "four standard errors (visible from here on)")
        pictures += found_and_missed(found, truth, seen, *lowest)
    return [Gallery(pictures)] if pictures else []


def against(truth: AgainstOriginal) -> list[Against]:
    """The itemsets as pictures show them."""
    found = []
    for one in truth.judged:
        told = one.estimate
        known, low, high = (None, 0.0, 0.0) if told is None else (told.support, told.low, told.high)
        size, true = len(one.items), float(one.true)
        found.append(Against(size, true, known, low, high, one.frequent, one.listed))
    return found


def agreement(truth: AgainstOriginal) -> list[Picture]:
    """Estimates against true supports, a dot an itemset, the most frequent of each size."""
    by_size: dict[int, list[Against]] = {}
    for point in against(truth):
        if point.estimate is not None and point.true > 0:
            by_size.setdefault(point.size, []).append(point)
    points = [point for some in by_size.values() for point in spread(some, MOST_DOTS)]
    if not points:
        return []
    title = "Estimated against true supports"
    words = (
        "Each dot is an itemset that is frequent or listed, with the 95% interval of its estimate; "
        "on the dashed line an estimate is the truth. About one interval in twenty misses it, and "
        "more do among those listed below the least support, which chance brought here. What is "
        "outside is drawn at the edge."
    )
    names = {size: sets_of(size) for size in by_size}
    return [Picture(title, agreement_picture(points, names, title), words)]


def spread(points: Sequence[Against], most: int) -> list[Against]:
    """At most so many of them, evenly over their order."""
    if len(points) <= most:
        return list(points)
    return [points[len(points) * place // most] for place in range(most)]


def found_and_missed(
    found: MinedRelease, truth: AgainstOriginal, seen: SeenOfSize, lds: float | None, lds_words: str
) -> list[Picture]:
    """Itemsets of one size by their true support: which were found, and which were to be expected.

    An itemset is listed where its estimate reaches the least support and as many standard errors
    as noise alone would not.
    """
    points = [p for p in against(truth) if p.size == seen.size and p.true > 0]
    if not points or seen.visible is None:
        return []
    least = float(found.min_support.share(found.transactions))
    error = seen.visible / DEVIATIONS
    needed = max(least, seen.credible * error)

    def chance(support: float) -> float:
        return NormalDist().cdf((support - needed) / error)

    title = f"Found and missed: {sets_of(seen.size)}"
    words = (
        f"Of {counted(sum(p.frequent for p in points), 'frequent itemset')} of this size, "
        f"{sum(p.frequent and p.listed for p in points):,} are found, by their true support. The "
        "curve is what the standard errors led to expect"
        + (", if all subsets are pursued." if seen.size > 1 else ".")
    )
    expected = Expected(least, lds, lds_words, chance)
    return [Picture(title, found_picture(points, expected, title), words)]


def sets_of(size: int) -> str:
    """What itemsets of a size are called.

    >>> [sets_of(size) for size in (1, 2, 4)]
    ['items', 'pairs', 'sets of 4 items']
    """
    return {1: "items", 2: "pairs", 3: "triples"}.get(size, f"sets of {size} items")


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
        "reach that far. Significant: four standard errors above zero. Consistent: the nearest "
        "supports that are in 0 to 1 and fall from sets to larger ones; confidence and lift are of "
        "these, leverage of raw supports."
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


def _of_size(seen: SeenOfSize, least: Fraction) -> list[str]:
    sets = "Items" if seen.size == 1 else f"Itemsets of {seen.size} items"
    said = []
    if seen.visible is not None and seen.visible > least:
        said.append(
            f"{sets}: supports below {percent(Fraction(seen.visible))} cannot be told from zero by "
            f"four standard errors, and the least support is {percent(least)}: expect false drops."
        )
    if seen.unclear:
        said.append(
            f"{sets}: {seen.unclear:,} more have estimates above the least support, and are not "
            f"sure to have it: noise alone may have brought them there, among {seen.candidates:,}."
        )
    return said
