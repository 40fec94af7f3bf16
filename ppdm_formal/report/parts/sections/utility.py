"""Cost: how many people the same precision takes, and what cannot be known at all."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.value import Infinity, Measured
from ppdm_formal.derive.measures.record import NotComputed
from ppdm_formal.derive.measures.utility import Utility
from ppdm_formal.report.parts.blocks import Block, Gallery, Points, Section, Table, Text
from ppdm_formal.report.parts.measure_tables import Entry
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.pictures.cost import cost_curve, cost_pictures
from ppdm_formal.report.words.measure_words import cell, depends_on
from ppdm_formal.report.words.utility_words import (
    CONFIDENCE,
    about,
    asked,
    cost_words,
    decoder_words,
    lost_words,
    mean_words,
    times,
    utility_of,
    without_randomization,
)
from ppdm_formal.report.words.visible import clean

HEAD = ["operator", "people for one point", "times as many for all shares", "decoder"]


def cost_row(entry: Entry) -> list[str] | None:
    """Name, people, factor and decoder; None where the measure was not asked for."""
    found = utility_of(entry.found)
    if found is None:
        return None
    if isinstance(found, NotComputed):
        return [entry.name, found.text if found.limited else "", "", ""]
    free = depends_on([parameter.told.name for parameter in entry.found.operator.parameters])
    people = free if found.best.people is None else about(found.best.people)
    known = [entry.name, people, times(found.best.errors.factor)]
    if found.rank >= found.cells:
        return [*known, decoder_words(found)]
    words = f"shows {found.rank:,} of {found.cells:,} numbers"
    mean = "" if found.mean is None else f"; the mean takes {times(found.mean.factor)} times"
    return [*known, words + mean]


def cost_table(listed: Sequence[Entry]) -> Table:
    """A row an operator."""
    rows = [row for entry in listed if (row := cost_row(entry)) is not None]
    caption = f"What estimates cost: people to know {asked()}, {CONFIDENCE}"
    caption += f" ({without_randomization()} without randomization)"
    return Table(HEAD, rows, caption, (1, 2))


def equal_cost_table(listed: Sequence[Entry]) -> Table:
    """Operators by epsilon, those of equal epsilon by cost, each against the cheapest of them."""
    ranked = []
    for entry in listed:
        row, found, gain = cost_row(entry), utility_of(entry.found), entry.found.gain
        if row is None or not isinstance(found, Utility):
            continue
        fixed = is_number(gain) or isinstance(gain, Infinity)
        known = {one.measure.name: cell(one) for one in entry.found.readings}
        epsilon = known.get("epsilon", "") if fixed else "free"
        ranked.append((_upper(gain), found, row, gain if fixed else entry.name, epsilon))
    ranked.sort(key=lambda part: (part[0], part[1].cells, _upper(part[1].best.errors.factor)))
    cheapest: dict[tuple[object, int], float] = {}
    rows = []
    for _, found, row, alike, epsilon in ranked:
        cost = _upper(found.best.errors.factor)
        least = cheapest.setdefault((alike, found.cells), cost)
        against = f"{cost / least:.2f}" if math.isfinite(cost) else ""
        rows.append([row[0], f"{found.cells:,}", epsilon, *row[1:3], against, row[3]])
    head = ["operator", "values", "epsilon", *HEAD[1:3], "of the cheapest", HEAD[3]]
    caption = f"By epsilon, the cheapest first: people to know {asked()}, {CONFIDENCE}"
    return Table(head, rows, caption, (1, 2, 3, 4, 5))


def _upper(value: Measured | None) -> float:
    """A number to sort by; what is infinite or free comes last."""
    if isinstance(value, Enclosure):
        value = value.hi
    try:
        return float(value) if is_number(value) else math.inf
    except OverflowError:
        return math.inf


def _sentences(material: Material) -> list[str]:
    said = []
    for one in material.result.operators:
        found = utility_of(one)
        if found is None or isinstance(found, NotComputed):
            continue
        name = clean(one.operator.name)
        parts = (cost_words(found.best), lost_words(one.operator, found), mean_words(found))
        words = "; ".join(part for part in parts if part)
        if words:
            said.append(f"{name}: {words}.")
    return said


def _legend() -> Text:
    return Text(
        f"People for one point: how many it takes to know {asked()}, {CONFIDENCE}, wherever the "
        f"other values are; {without_randomization()} without randomization. Times as many: how "
        "many times as many people as without randomization know the whole distribution as well, "
        "all values being equally frequent. Estimates are unbiased; the decoder of least variance "
        "is exact algebra, and a published one is named where it costs more. Intervals are those "
        "of the normal law, which so many people justify."
    )


def _table(material: Material) -> Table:
    return cost_table(
        [Entry(clean(found.operator.name), found) for found in material.result.operators]
    )


def _sections(material: Material) -> list[Section]:
    table = _table(material)
    if not table.rows:
        return []
    blocks: list[Block] = [table]
    said = _sentences(material)
    blocks += [Points(said)] if said else []
    operators = material.result.operators
    pictures = cost_pictures([cost_curve(clean(one.operator.name, 30), one) for one in operators])
    blocks += [Gallery(pictures)] if pictures else []
    return [Section("What it costs", [*blocks, _legend()], 2, "cost")]


def _brief(material: Material) -> list[Section]:
    table = _table(material)
    return [Section("", [table])] if table.rows else []


PART: Part[Material] = Part(37, _sections, 17, _brief)
