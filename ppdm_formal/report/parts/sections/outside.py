"""Numbers from outside: how matrices were read, and two where rounding leaves a claim open."""

from __future__ import annotations

from ppdm_formal.report.parts.blocks import Block, Points, Section, Text
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.sections.operators import matrix_table
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.outside_words import origin_words
from ppdm_formal.report.words.visible import clean

_WRITTEN_OUT = 8
"""Larger matrices stand in the JSON only."""


def read_words(material: Material) -> list[str]:
    """How each matrix was read, operator by operator."""
    said = []
    for found in material.result.operators:
        words = origin_words(found.operator)
        said += [f"{clean(found.operator.name)}: {' '.join(words)}"] if words else []
    return said


def two_matrices(decided: Decided) -> list[Block]:
    """Where rounding leaves a claim open: a matrix that keeps it and one that breaks it."""
    between = decided.certificate.finding.between
    if between is None:
        return []
    title = f"Claim {decided.number} within the rounding: {decided.words}"
    blocks: list[Block] = []
    for operator, what in ((between.holds, "keeps"), (between.breaks, "breaks")):
        if operator is None:
            continue
        if max(operator.inputs.size, operator.outputs.size) > _WRITTEN_OUT:
            return [Section(title, [Text("Both matrices stand in the JSON (between).")], 3)]
        blocks.append(matrix_table(operator, f"A matrix within the rounding that {what} the claim"))
    return [Section(title, blocks, 3)]


def outside_part(material: Material) -> list[Section]:
    """The whole section; nothing where all operators were declared exactly."""
    said = read_words(material)
    if not said:
        return []
    pairs = [block for claim in material.claims for block in two_matrices(claim)]
    return [Section("Numbers from outside", [Points(said), *pairs], 2, "outside")]


PART: Part[Material] = Part(
    25,
    outside_part,
    5,
    lambda material: [Section("", [Text(words) for words in read_words(material)])],
)
