"""The part of a report about one operator: its program, its views, its measures, its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.certify.audit.audited import Found, OperatorAudit
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import brief, moved_share, share, show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.domain import Domain, show_value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import Enough, ViewKind
from ppdm_formal.derive.measures.record import Reading
from ppdm_formal.report.parts.blocks import (
    Block,
    Code,
    Document,
    Facts,
    Gallery,
    Section,
    Table,
    Text,
)
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.worked import worked
from ppdm_formal.report.pictures.operator_pictures import pictures
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.measure_words import fact
from ppdm_formal.report.words.visible import clean, program_lines

_MATRIX = 8
"""Up to so many inputs and outputs the matrix is written out."""

_VIEWS = 6
_CHECKED_CELLS = 4_000_000


def operator_part(material: Material, found: OperatorAudit, number: int) -> Section:
    """Everything about one operator that is not a verdict."""
    operator, claims, unit = found.operator, material.of(found), material.result.unit
    blocks: list[Block] = [*declared(operator), *measures(found)]
    shown = pictures(found, claims, unit)
    if shown:
        blocks.append(Section("Pictures", [Gallery(shown)], 3))
    blocks += _breaches(claims)
    return Section(f"Operator {clean(operator.name)}", blocks, 2, f"operator-{number}", folded=True)


def document(operator: Operator, **_: object) -> Document:
    """An operator by itself, as a notebook shows it: program, views, and the matrix if small."""
    title = f"Operator {clean(operator.name)}" if operator.name else "Operator"
    return Document(title, "", "", "", [Section(title, declared(operator), 3)], "")


def declared(operator: Operator) -> list[Block]:
    """The program, what goes in and out, that rows sum to 1, the matrix if small, the views."""
    blocks: list[Block] = []
    if operator.source:
        blocks.append(Text("As declared in the model:"))
        blocks.append(Code(program_lines(operator.source)))
    facts = [
        (
            "Inputs (true values x)",
            f"{show_count(operator.inputs.size)} values: {_domain(operator.inputs)}",
        ),
        (
            "Outputs (reports y)",
            f"{show_count(operator.outputs.size)} values: {_domain(operator.outputs)}",
        ),
    ]
    for parameter in operator.parameters:
        facts.append(
            (f"Free parameter {clean(parameter.told.name)}", f"in {parameter.told.interval}")
        )
    facts.append(("Row sums", row_sums(operator)))
    blocks.append(Facts(facts))
    if operator.within is not None:
        blocks.append(
            Text("What follows is of one of the matrices that round to the numbers read.")
        )
    if operator.inputs.size <= _MATRIX and operator.outputs.size <= _MATRIX:
        caption = "The matrix: the chance of each output for each true value"
        blocks.append(matrix_table(operator, caption))
    return [*blocks, *_views(operator)]


def _domain(domain: Domain) -> str:
    """The first and last values; a name says nothing to those who do not see the model."""
    if domain.size > 6:
        first, last = (clean(show_value(domain[k]), 30) for k in (0, domain.size - 1))
        return f"{first} to {last}" if domain.integers else f"{first}, ..., {last}"
    return clean(", ".join(show_value(value) for value in domain), 120)


def row_sums(operator: Operator) -> str:
    """What shows that p[x -> y] is a distribution for each x: the entries, or the family's form."""
    law = operator.law
    coded = law.written_out()
    if coded is None:
        return f"by the family's formula they are exactly {number_text(law.mass())} for every input"
    if coded.codes.size > _CHECKED_CELLS:
        return "not added up again here: the matrix is large; it was refused if a row was not 1"
    if law.mass() == 1:
        return "checked: for every input the probabilities are at least 0 and sum to exactly 1"
    return "NOT a distribution: some row does not sum to 1"


def matrix_table(operator: Operator, caption: str) -> Table:
    """p[x -> y], written out."""
    head = ["p[x -> y]", *(clean(show_value(y), 24) for y in operator.outputs)]
    rows = []
    for x in operator.inputs:
        chances = (operator.probability(x, y) for y in operator.outputs)
        rows.append([clean(show_value(x), 24), *map(_likelihood, chances)])
    return Table(
        head,
        rows,
        caption,
        range(1, len(head)),
    )


def _views(operator: Operator) -> list[Table]:
    """What outputs show; of a family whose views are too large the extreme one, if it is known."""
    try:
        views = operator.views(enough=Enough.RATIOS)
    except TooLarge:
        return []
    rows = []
    for view in views[:_VIEWS]:
        parts = [
            f"{show_count(part.count)} at {_likelihood(part.likelihood)}"
            for part in view.classes[:4]
        ]
        if len(view.classes) > 4:
            parts.append(f"{len(view.classes) - 4} further chances")
        rows.append(
            [clean(show_value(view.output), 30), show_count(view.outputs), "; ".join(parts)]
        )
    if len(views) > _VIEWS:
        rows.append([f"{len(views) - _VIEWS} further views", "", ""])
    caption = "Views: what an output shows. Inputs with the same chance of it cannot be told apart"
    if views[0].kind is ViewKind.EXTREME:
        caption = (
            "The view that matters most: no output tells two true values further apart. Chances up "
            "to a factor, of these two; the others lie between"
        )
    elif views[0].relative:
        caption += "; chances up to a factor of each view"
    return [
        Table(
            ["output", "outputs alike", "how many inputs send it with which chance"],
            rows,
            caption,
            (1,),
        )
    ]


def _likelihood(value: Any) -> str:
    if not is_number(value):
        return number_text(value)
    return brief(value, 20)


def measures(found: OperatorAudit) -> list[Block]:
    """Every measure for all priors; posteriors and every measure under each prior."""
    blocks: list[Block] = [Section("Measures for all priors", [_facts(found.readings)], 3)]
    for part in found.priors:
        table = _posteriors(found, part.prior)
        inside = [] if table is None else [table]
        title = f"Measures under the prior {clean(part.prior.name)}"
        blocks.append(Section(title, [*inside, _facts(part.readings)], 3))
    return blocks


def _facts(readings: Sequence[Found]) -> Facts:
    return Facts(
        [
            (found.measure.title, fact(found))
            for found in readings
            if isinstance(found, Reading) or found.limited
        ]
    )


def _posteriors(found: OperatorAudit, prior: Prior) -> Table | None:
    rows = []
    for row in found.posteriors:
        if row.prior != prior:
            continue
        given = clean(show_value(row.given), 30)
        if row.worst:
            given = f"{row.worst} over all outputs: {given}"
        if row.after is None:
            after = "the output cannot occur"
        elif is_number(row.after) and is_number(row.before):
            after = moved_share(row.before, row.after)
        else:
            after = number_text(row.after)
        before = share(row.before) if is_number(row.before) else number_text(row.before)
        rows.append([clean(row.property.name), given, before, after])
    if not rows:
        return None
    head = ["property", "given output", "before", "after"]
    return Table(head, rows, "Belief in each declared property before and after", (2, 3))


def _breaches(claims: Sequence[Decided]) -> list[Block]:
    parts: list[Block] = []
    for claim in claims:
        example = worked(claim.certificate)
        if example:
            title = f"Claim {claim.number} worked out: {claim.words}"
            parts.append(Section(title, example, 4))
    if not parts:
        return []
    return [Section("Breaches, worked out", parts, 3)]


def operator_parts(material: Material) -> list[Section]:
    """A section an operator."""
    operators = material.result.operators
    return [operator_part(material, found, n) for n, found in enumerate(operators, 1)]


PART = Part(60, operator_parts)
