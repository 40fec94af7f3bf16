"""Overview: the measures of all operators side by side, for all priors and under each."""

from __future__ import annotations

from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.report.parts.blocks import Block, Points, Section, Text
from ppdm_formal.report.parts.measure_tables import (
    Entry,
    closed_forms,
    information_table,
    is_free,
    operators_table,
    posteriors_table,
)
from ppdm_formal.report.parts.outcome import listed as together
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.visible import clean

_READABLE = 240
"""Characters of a closed form that a terminal shows."""


def overview(material: Material, *, brief: bool = False) -> list[Block]:
    """Operators, then for each prior the posteriors and the information.

    brief: closed forms as well, which the whole report gives with each operator.
    """
    result = material.result
    listed = [Entry(clean(found.operator.name), found) for found in result.operators]
    blocks: list[Block] = [operators_table(listed), *certainties(listed)]
    priors = dict.fromkeys(part.prior for found in result.operators for part in found.priors)
    for prior in priors:
        table = posteriors_table(listed, prior)
        blocks += [] if table is None else [table]
        fixed = [entry for entry in listed if not is_free(entry, prior)]
        information = information_table(fixed, result.unit, prior)
        blocks += [information] if information.rows else []
        forms = [
            form for entry in listed for form in closed_forms(entry, result.unit, prior, _READABLE)
        ]
        if forms and brief:
            blocks += [Text(f"Closed forms under {clean(prior.name)}:"), Points(forms)]
    if any((part.properties or part.given) and not part.priors for part in result.model.audits):
        blocks.append(Text("Posteriors need a prior: an audit here asks for some and names none."))
    return blocks


def certainties(entries: list[Entry]) -> list[Block]:
    """Plain words on operators that draw nothing, such as rounding: reports rule values out."""
    names = [
        entry.name
        for entry in entries
        if isinstance(entry.found.gain, Infinity) and entry.found.operator.law.certain()
    ]
    if not names:
        return []
    draw = "draws" if len(names) == 1 else "draw"
    return [
        Text(
            f"{together(names)} {draw} nothing at random: the report is a function of the true"
            " value, and whoever sees it knows for certain among which values that one is. The"
            " amplification is infinite, and no bound on breaches holds for all priors; noise"
            " before it or after it would be needed."
        )
    ]


def _finite(material: Material, brief: bool) -> list[Section]:
    """The section, where there are operators on finite domains."""
    if not material.result.operators:
        return []
    if brief:
        return [Section("", overview(material, brief=True))]
    return [Section("Measures side by side", overview(material), 2, "measures")]


PART: Part[Material] = Part(
    30,
    lambda material: _finite(material, False),
    10,
    lambda material: _finite(material, True),
)
