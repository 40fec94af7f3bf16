"""Continuous operators: noise and window in words, privacy measures, posteriors, and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.report.parts.blocks import (
    Block,
    Code,
    Facts,
    Gallery,
    Picture,
    Section,
    Table,
)
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.sections.verdicts import decided_block
from ppdm_formal.report.pictures.densities import belief_picture, density_picture
from ppdm_formal.report.words.real_words import (
    amplification_words,
    epsilon_text,
    measures_words,
    probability_words,
    rule_words,
    width_words,
)
from ppdm_formal.report.words.visible import clean, program_lines

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit


def measures_facts(found: ContinuousAudit) -> Facts:
    """What the operator is and how much it hides."""
    pairs: list[tuple[str, str | Sequence[str]]] = [
        ("What is sent", rule_words(found)),
        ("Amplification", amplification_words(found.amplification)),
        ("Epsilon of local differential privacy (nat)", epsilon_text(found.amplification)),
        ("Privacy of the noise (Evf02)", width_words(found)),
    ]
    for part in found.measures:
        pairs.append((f"Privacy under {clean(part.density.name)}", measures_words(part)))
    return Facts(pairs)


def information_table(found: ContinuousAudit) -> list[Block]:
    """The numbers behind those words."""
    rows = []
    for part in found.measures:
        info = part.information
        if info is not None:
            shown = (info.entropy, info.privacy, info.mutual, info.left, info.loss)
            rows.append([clean(part.density.name), *map(str, shown)])
    head = ["prior", "h(X) (nat)", "Pi(X)", "I(X; Z) (nat)", "Pi(X|Z)", "privacy loss"]
    return [Table(head, rows, "Uncertainty and information", (1, 2, 3, 4, 5))] if rows else []


def posteriors_table(found: ContinuousAudit) -> list[Block]:
    """Beliefs before and after."""
    rows = []
    for row in found.posteriors:
        given = f"{row.which} over all z" if row.given is None else f"z = {number_text(row.given)}"
        rows.append(
            [
                clean(row.density.name),
                clean(row.property.name),
                given,
                probability_words(row.before),
                probability_words(row.after),
            ]
        )
    head = ["prior", "property", "given", "before", "after"]
    return [Table(head, rows, "Beliefs", (3, 4))] if rows else []


def pictures(found: ContinuousAudit) -> list[Block]:
    """Densities, and beliefs by z."""
    drawn: list[Picture] = []
    for part in found.measures:
        drawn.append(density_picture(found.operator, part.density))
    named = dict.fromkeys((row.density, row.property) for row in found.posteriors)
    drawn += [belief_picture(found.operator, density, property) for density, property in named]
    return [Gallery(drawn)] if drawn else []


def whole(material: Material) -> list[Section]:
    """A section an operator."""
    sections: list[Section] = []
    for found in material.result.continuous:
        claims = [decided_block(claim) for claim in material.of(found)]
        blocks: list[Block] = [
            *([Code(program_lines(found.operator.source, 40))] if found.operator.source else []),
            measures_facts(found),
            *information_table(found),
            *posteriors_table(found),
            *pictures(found),
        ]
        if claims:
            blocks.append(Section("Verdicts", claims, 3))
        title = f"Continuous operator {clean(found.operator.name)}"
        sections.append(Section(title, blocks, 2, f"continuous-{len(sections) + 1}"))
    return sections


def brief(material: Material) -> list[Section]:
    """The same on a terminal, without pictures."""
    sections: list[Section] = []
    for found in material.result.continuous:
        claims = [decided_block(claim) for claim in material.of(found)]
        blocks = [measures_facts(found), *information_table(found), *posteriors_table(found)]
        sections.append(Section(f"Continuous operator {clean(found.operator.name)}", blocks))
        if claims:
            sections.append(Section("Claims", claims))
    return sections


PART: Part[Material] = Part(22, whole, 30, brief)
