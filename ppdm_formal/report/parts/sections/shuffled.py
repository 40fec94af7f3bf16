"""After shuffling: what a crowd's reports show by the number of clients, and delta drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.people import percent, rounded_float
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.report.parts.blocks import Block, Gallery, Points, Section, Table, Text
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.pictures.crowd_curves import crowd_picture
from ppdm_formal.report.words.crowd_words import strangers_words
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.crowd_table import ByBelief, CrowdRow, CrowdTable, Span

_SUMMED = {
    "histogram": "Sums of one-hot reports are the histogram: they show what shuffled reports do.",
    "columns": "Sums are bounded column by column: they show less than shuffled reports.",
    "less": "Sums show no more than shuffled reports: the bound is that of shuffling.",
}

_TINY = 1e-30

_LABEL = "Bounds computed in floating point; the claims' own are certified."


def shuffled(found: OperatorAudit, mine: Sequence[Decided], *, brief: bool) -> list[Block]:
    """A table for each crowd that claims name; brief: without all that explains it."""
    blocks: list[Block] = []
    for table in found.crowds:
        if not table.rows:
            said = f"{clean(found.operator.name, 30)} after {table.crowd.how}"
            blocks.append(Text(f"{said}: not computed within the time limit."))
            continue
        blocks.append(_table(found, table, mine))
        if not table.complete:
            blocks.append(Text("Larger crowds were not computed within the time limit."))
        if brief:
            blocks.append(Text(_LABEL))
            continue
        if explained := _explained(table):
            blocks.append(Points(explained))
        blocks += [_beliefs(found, table, one) for one in table.beliefs]
        picture = crowd_picture(found, table, mine)
        if picture is not None:
            blocks.append(Gallery([picture]))
    return blocks


def _table(found: OperatorAudit, table: CrowdTable, mine: Sequence[Decided]) -> Table:
    head = ["clients that count", "epsilon at delta = 1e-6"]
    for claim, positions in table.questions:
        numbers = [str(mine[at].number) for at in positions]
        whose = f" (claim{'s' * (len(numbers) > 1)} {', '.join(numbers)})" if numbers else ""
        head.append(f"{_asked(claim)}{whose}")
    head += [f"bits told, under {clean(prior.name, 30)}" for prior in table.priors]
    rows = [
        [_clients(row), *map(_span, (row.epsilon, *row.asked, *row.information))]
        for row in table.rows
    ]
    name, crowd = clean(found.operator.name, 30), table.crowd
    caption = f"{name} after {crowd.how}: at least what an event attains, at most the bound"
    if crowd.others is not None:
        caption += f"; others drawn from {clean(crowd.others.name, 60)}"
    return Table(head, rows, caption, tuple(range(len(head))))


def _beliefs(found: OperatorAudit, table: CrowdTable, one: ByBelief) -> Table:
    """How likely the belief in what is true rises so far, among all clients of the table."""
    claim = table.questions[one.question][0]
    assert isinstance(claim, BreachClaim)
    start = percent(claim.rho1)
    rows = [[percent(level), _span(span)] for level, span in one.levels]
    caption = (
        f"{clean(found.operator.name, 30)} after {table.crowd.how} {table.crowd.clients:,}: how "
        f"likely a belief of {start} in what is true of a client rises to so much"
    )
    return Table(["rises to", "with probability"], rows, caption, (0, 1))


def _asked(claim: Claim) -> str:
    if isinstance(claim, BoundClaim):
        assert claim.at is not None
        return f"delta at epsilon = {number_text(claim.at)}"
    low, high = percent(claim.rho1), percent(claim.rho2)
    arrow = f"{high} -> {low}" if claim.direction == "downward" else f"{low} -> {high}"
    said = f"chance of a breach {arrow}"
    said += "" if claim.under is None else f" under {clean(claim.under_text, 30)}"
    return said + ("" if claim.about is None else f" for {clean(claim.about.name, 30)}")


def _clients(row: CrowdRow) -> str:
    return "1 (one report alone)" if row.clients == 1 else f"{row.clients:,}"


def _span(span: Span) -> str:
    if span.most < _TINY:
        return "0" if span.most == 0 else "below 1e-30"
    if span.most == math.inf:
        return "infinite" if span.least == math.inf else "not bounded"
    most = rounded_float(span.most, up=True)
    least = None if span.least is None else rounded_float(span.least, up=False)
    if least is None:
        return f"at most {most}"
    return most if least == most or span.least == span.most else f"{least} to {most}"


def _explained(table: CrowdTable) -> list[str]:
    crowd = table.crowd
    alone = rounded_float(table.epsilon, 4, up=True)
    said = f"One report alone has epsilon {alone} at delta = 0."
    if crowd.how == "shuffling":
        said = (
            f"{said[:-1]}; among a crowd that stays, as worst-case information does, and delta at "
            "smaller epsilons falls."
        )
    found = [said]
    if crowd.how == "summing":
        found.append(_SUMMED[table.seen])
    if not table.followed:
        found.append("Of many unlike pairs of inputs only the worst were followed.")
    if crowd.others is not None:
        found.append(strangers_words(crowd))
    return found


def _sections(material: Material) -> list[Section]:
    lead: list[Block] = [
        Text(
            "Reports that are shuffled, or added up, hide one another: the server no longer knows "
            "which is whose. The more clients there are, the less it learns about each, except "
            "with a small probability."
        ),
        Points(
            [
                "Numbers go from what an explicit event attains, all others having one value (or "
                "values drawn from the prior that a claim names), to what is never exceeded.",
                _LABEL,
                "Clients that count: without those that collude with the server or whose reports "
                "get lost.",
            ]
        ),
    ]
    parts = [
        Section(f"Operator {clean(found.operator.name)}", blocks, 3)
        for found in material.result.operators
        if (blocks := shuffled(found, material.of(found), brief=False))
    ]
    return [Section("After shuffling", [*lead, *parts], 2, "shuffled")] if parts else []


def _brief(material: Material) -> list[Section]:
    blocks: list[Block] = []
    for found in material.result.operators:
        blocks += shuffled(found, material.of(found), brief=True)
    return [Section("", blocks)] if blocks else []


PART: Part[Material] = Part(36, _sections, 16, _brief)
