"""The page of an estimate: tables and pictures of each distribution, and how to read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppdm_formal.declare.arithmetic.people import percent, show_count
from ppdm_formal.declare.arithmetic.with_error import brief, tail
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.infer.tables import result
from ppdm_formal.infer.tables.result import Cell, Estimate, LostCell
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Facts,
    Gallery,
    Picture,
    Points,
    Section,
    Table,
    in_lines,
)
from ppdm_formal.report.pictures.interval_bars import Whisker, interval_bars, interval_curve
from ppdm_formal.report.words.visible import clean

MOST_ROWS = 200
"""Cells that a page or terminal lists; files have all of them."""

_BARS = 24
"""Rows that a picture of bars can show."""

_TERMS = 12
"""Terms of a lost direction that are written out."""

_DIRECTIONS = 20
"""Lost directions that are listed; of more than that, only _EXAMPLES are."""

_EXAMPLES = 2

METHODS = {
    "unbiased": "unbiased (mean scores of the answers)",
    "mle": "maximum likelihood",
}


def document(found: Estimate, *, brief: bool = False) -> Document:
    """Everything that was estimated; on a terminal, without pictures and how to read them."""
    level = percent(found.level)
    sections = [
        Section(_title(part), blocks(part, found), 2, f"table-{place}")
        for place, part in enumerate(found.tables, 1)
    ]
    if brief:
        sections = [replace(section, blocks=in_lines(section.blocks)) for section in sections]
    else:
        sections.append(Section("How to read this", [Points(reading(found))], 2, "reading"))
    names = ", ".join(clean(name, 40) for part in found.tables for name in part.names)
    remarks = []
    if not found.complete:
        remarks.append("Not everything can be recovered from these answers.")
    if found.simulated:
        remarks.append("Simulation: a seeded generator drew these answers.")
    lead = (
        f"Estimated from {found.rows:,} randomized answers by the method "
        f"{METHODS[found.method]}, with {level} intervals. All numbers are sampled: they carry "
        "the error that is stated beside them."
    )
    footer = "" if brief else "Written by ppdm_formal."
    if found.source is not None and not brief:
        footer = f"Release {clean(found.source.file, 80)}, digest {found.source.sha256}. {footer}"
    outcome = "partly" if remarks else ""
    return Document(f"Estimate of {names}", lead, outcome, " ".join(remarks), sections, footer)


def notebook(found: Estimate) -> Document:
    """The tables and pictures, without how to read them."""
    sections = [Section(_title(part), blocks(part, found), 3) for part in found.tables]
    return Document("", "", "", "", sections, "")


def blocks(part: result.EstimatedTable, found: Estimate) -> list[Block]:
    """One table's numbers, pictures first."""
    shown: list[Block] = []
    picture = _picture(part, percent(found.level))
    if picture is not None:
        shown.append(Gallery([picture]))
    if part.lost:
        shown.append(lost(part))
    if part.estimated:
        shown.append(cells(part, percent(found.level)))
    if part.discovered is not None:
        shown.append(discovered(part))
    if part.groups:
        shown.append(groups(part, percent(found.level)))
    if part.quantities:
        shown.append(quantities(part, percent(found.level)))
    if part.tests:
        shown.append(tests(part))
    shown.append(Facts(facts(part, found)))
    return shown


def cells(part: result.EstimatedTable, level: str) -> Table:
    """The cells, those with the greatest estimates where there are too many to list."""
    listed: Sequence[Cell | LostCell] = part.cells
    caption = f"Estimated probabilities; se: standard error, lo and hi: {level} interval"
    if len(listed) > MOST_ROWS:
        order = sorted(part.estimated, key=lambda cell: -cell.estimate)[:MOST_ROWS]
        caption += f"; the {MOST_ROWS} largest of {len(listed):,} (files hold all)"
        listed = order
    nearest = {c.value: q for c, q in zip(part.estimated, part.consistent or (), strict=False)}
    rows = []
    for cell in listed:
        head = [clean(show_value(value), 40) for value in cell.value]
        if isinstance(cell, LostCell):
            rows.append([*head, "not recoverable", "", "", "", "", "", ""])
            continue
        numbers = (cell.estimate, cell.se, cell.se_coins, cell.low, cell.high)
        together = f"{brief(cell.low_all, cell.se)} to {brief(cell.high_all, cell.se)}"
        shown = [*(brief(number, cell.se) for number in numbers), together]
        near = nearest.get(cell.value)
        rows.append([*head, *shown, "" if near is None else brief(near, cell.se)])
    names = [clean(name, 40) for name in part.names]
    head = [*names, "estimate", "se", "se of coins", "lo", "hi", "all at once", "consistent"]
    return Table(head, rows, caption, range(len(names), len(head)))


def discovered(part: result.EstimatedTable) -> Table:
    """Values that somebody has, the most frequent ones first."""
    found = part.discovered
    assert found is not None
    places = found.places.tolist()
    rows = []
    for place, chance in zip(places[:MOST_ROWS], found.p_values, strict=False):
        cell = part.cells[place]
        assert isinstance(cell, Cell)
        shown = brief(cell.estimate, cell.se), brief(cell.se, cell.se), tail(chance)
        rows.append([clean(show_value(cell.value[0]), 40), *shown])
    false = percent(found.level)
    caption = (
        f"Values found among {len(part.cells):,}: {len(places):,}. Of those found, at most {false} "
        "are had by nobody, on average over collections (Benjamini and Yekutieli)"
    )
    if len(places) > MOST_ROWS:
        caption += f"; the {MOST_ROWS} likeliest"
    return Table([clean(part.names[0], 40), "estimate", "se", "p"], rows, caption, range(1, 4))


def groups(part: result.EstimatedTable, level: str) -> Table:
    """Values that cannot be told apart, together."""
    rows = []
    for group in part.groups:
        values = " or ".join(clean(show_value(value), 40) for value in group.values[:_TERMS])
        more = " or ..." if len(group.values) > _TERMS else ""
        numbers = (group.estimate, group.se, group.low, group.high)
        rows.append([values + more, *(brief(number, group.se) for number in numbers)])
    head = [clean(part.names[0], 40), "estimate", "se", "lo", "hi"]
    return Table(head, rows, f"Values that give the same answers, together ({level})", range(1, 5))


def quantities(part: result.EstimatedTable, level: str) -> Table:
    """Mean and quartiles."""
    rows = []
    for found in part.quantities:
        name = "mean" if found.at is None else f"{percent(found.at)} quantile"
        coins = "" if found.se_coins is None else brief(found.se_coins, found.se)
        numbers = [found.estimate, found.low, found.high]
        # Quantiles are values of the column: whole numbers.
        shown = [brief(v, found.se) if found.at is None else f"{v:.0f}" for v in numbers]
        rows.append([name, shown[0], brief(found.se, found.se), coins, *shown[1:]])
    head = [clean(part.names[0], 40), "estimate", "se", "se of coins", "lo", "hi"]
    what = "Mean" if all(found.at is None for found in part.quantities) else "Mean and quartiles"
    return Table(head, rows, f"{what}, with {level} intervals", range(1, 6))


def tests(part: result.EstimatedTable) -> Table:
    """Chi-square tests of independence."""
    rows = [
        [
            ("mutually: " if test.mutual else "") + ", ".join(clean(n, 40) for n in test.columns),
            f"{test.statistic:.2f}",
            str(test.freedom),
            tail(test.p_value),
        ]
        for test in part.tests
    ]
    caption = "Are the columns independent? A small p-value says that they are not"
    return Table(
        ["columns", "chi-square", "degrees of freedom", "p-value"], rows, caption, (1, 2, 3)
    )


def lost(part: result.EstimatedTable) -> Points:
    """What is lost, in words: every direction, or where they are many how many, and a few."""
    few = len(part.lost) <= _DIRECTIONS
    listed = [direction_words(one) for one in part.lost[: _DIRECTIONS if few else _EXAMPLES]]
    return Points(listed if few else [_summary(part), *listed])


def _summary(part: result.EstimatedTable) -> str:
    """How much is lost, and what is not."""
    names = ", ".join(clean(name, 40) for name in part.names)
    gone, values = len(part.cells) - len(part.estimated), len(part.cells)
    which = "every single value" if gone == values else f"{gone:,} of the values"
    kept = ["sums over values that give the same answers"] if part.groups else []
    kept += ["the mean"] if any(found.at is None for found in part.quantities) else []
    return (
        f"{names}: of the distribution on {values:,} values {len(part.lost):,} directions are lost "
        f"({_EXAMPLES} of them below; files hold all), and with them the probability of {which}. "
        + (f"What can be recovered: {', '.join(kept)}." if kept else "")
    ).strip()


def direction_words(direction: result.Direction) -> str:
    """Which distributions give the same answers.

    >>> direction_words(result.Direction("age", (("b", -1), ("c", 1))))
    'age: b and c cannot be told apart: they give the same answers.'
    """
    column = clean(direction.column, 40)
    signs = sorted(size for _, size in direction.terms)
    if signs == [-1, 1]:
        pair = " and ".join(clean(show_value(value), 40) for value, _ in direction.terms)
        return f"{column}: {pair} cannot be told apart: they give the same answers."
    gained = _combination([(v, s) for v, s in direction.terms if s > 0])
    given = _combination([(v, -s) for v, s in direction.terms if s < 0])
    return (
        f"{column}: moving probability from {given} to {gained} (in these proportions) changes "
        "no answer's probability: how much is where cannot be recovered."
    )


def _combination(terms: Sequence[tuple[object, int]]) -> str:
    shown = [
        (f"{size} x " if size != 1 else "") + clean(show_value(value), 40)  # type: ignore[arg-type]
        for value, size in terms[:_TERMS]
    ]
    return " + ".join(shown) + (" + ..." if len(terms) > _TERMS else "")


def facts(part: result.EstimatedTable, found: Estimate) -> list[tuple[str, str]]:
    """What the numbers rest on."""
    said = []
    for column in part.columns:
        made = (
            "computed exactly, then rounded once"
            if column.exact
            else f"computed in floating point; bias at most {column.bias:.1g}, verified"
        )
        said.append(
            (
                clean(column.name, 40),
                f"operator {clean(column.operator, 40) or '(no name)'}, {column.inputs:,} inputs, "
                f"{show_count(column.outputs, separated=True)} outputs; its decoder was {made}",
            )
        )
    if part.likelihood is not None:
        ended = part.likelihood
        said.append(
            (
                "likelihood",
                f"log-likelihood {ended.log_likelihood:.3f}, at most {max(ended.gap, 5e-10):.1g} "
                f"below the optimum, after {ended.steps:,} steps",
            )
        )
        if not ended.information:
            said.append(("standard errors", "those of the unbiased estimates"))
    return said


def reading(found: Estimate) -> list[str]:
    """How the numbers are to be understood."""
    level = percent(found.level)
    said = [
        "se is the standard error for the population: other people and other coins. The se of the "
        "coins alone takes these people as given: how far the estimate is from their own shares.",
        f"Each interval from lo to hi covers the true probability in {level} of collections; those "
        f"under 'all at once' cover all of them together in {level}.",
    ]
    if found.method == "unbiased":
        said.append(
            "Unbiased estimates of small probabilities may be negative: that is noise, and cutting "
            "it off would bias sums of them. Under 'consistent' is the distribution nearest to "
            "them, never below 0 and with sum 1: it is biased, and sums of many cells most."
        )
    else:
        said.append(
            "At 0 and 1 maximum likelihood is not normal: intervals are those of the unbiased "
            "estimates, cut to 0 and 1 and widened to the estimate."
        )
    return said


def _title(part: result.EstimatedTable) -> str:
    names = " and ".join(clean(name, 40) for name in part.names)
    return names if len(part.names) == 1 else f"{names}, jointly"


def _picture(part: result.EstimatedTable, level: str) -> Picture | None:
    if not part.estimated:
        return None
    masses: Sequence[float | None] = [None] * len(part.cells)
    prior = ""
    if len(part.columns) == 1 and part.columns[0].prior is not None:
        prior, exact = part.columns[0].prior
        masses = [float(mass) for mass in exact]
    rows = [
        (cell, _whisker(cell, mass))
        for cell, mass in zip(part.cells, masses, strict=True)
        if isinstance(cell, Cell)
    ]
    title = f"Estimated distribution of {' and '.join(clean(name, 30) for name in part.names)}"
    numeric = len(part.columns) == 1 and part.columns[0].numeric
    against = f" The prior {clean(prior, 30)} of the model is shown beside it." if prior else ""
    if numeric and len(rows) > _BARS:
        points = sorted((float(cell.value[0]), row) for cell, row in rows)  # type: ignore[arg-type]
        name = clean(part.names[0], 40)
        svg = interval_curve(points, name, level, clean(prior, 30), title)
        words = f"The curve is the estimate, the band around it the {level} intervals.{against}"
        return Picture(title, svg, words)
    words = f"Each bar is an estimate, the whisker on it its {level} interval.{against}"
    if len(rows) > _BARS:
        rows = sorted(rows, key=lambda pair: -pair[0].estimate)[:_BARS]
        words = f"The {_BARS} likeliest of {len(part.cells):,}. {words}"
    return Picture(
        title, interval_bars([row for _, row in rows], level, clean(prior, 30), title), words
    )


def _whisker(cell: Cell, prior: float | None) -> Whisker:
    label = ", ".join(show_value(value) for value in cell.value)
    return Whisker(
        clean(label, 60), cell.estimate, cell.low, cell.high, f"{cell.estimate * 100:.2f}%", prior
    )
