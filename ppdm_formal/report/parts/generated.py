"""A generated database as blocks: what each unit pays, and what that rests on."""

from __future__ import annotations

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.report.parts.blocks import Block, Document, Points, Section, Table
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean
from ppdm_formal.tables.generate.promises import (
    GeneratedFile,
    assumptions,
    epsilon_words,
    mechanism_words,
)


def document(made: GeneratedFile, **_: object) -> Document:
    """The brief report after generating."""
    found, name = made.found, made.file
    lead = (
        f"{counted(len(found.records), 'record')} of "
        f"{counted(len(found.records.columns), 'column')} in {clean(name, 200)}: "
        f"{mechanism_words(found)}."
    )
    budget, delta = found.budget, found.request.delta
    blocks: list[Block] = []
    if budget is not None:
        rows = [
            ["a cell (one item, there or not)", epsilon_words(budget.cell)],
            ["an attribute (the value of one column)", epsilon_words(budget.attribute)],
            ["a record (all of it)", epsilon_words(budget.record)],
        ]
        declared = found.records.declared
        head = ["unit", "epsilon" if declared else "epsilon (columns and values not protected)"]
        if delta is not None:
            head.append("delta")
            rows = [[*row, number_text(delta)] for row in rows]
        blocks.append(Table(head, rows))
    sections = [
        Section("What it costs", blocks) if blocks else None,
        Section("What that rests on", [Points([*assumptions(found)])]),
    ]
    known = [section for section in sections if section is not None]
    return Document("Generated database", lead, "", "", known, "", contents=False)
