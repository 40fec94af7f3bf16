"""Several operators side by side: amplification, epsilon, frontiers, information, claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath

from ppdm_formal.audit import AuditResult, OperatorAudit
from ppdm_formal.claim import BreachClaim
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.people import bound_percent, rounded, show_count
from ppdm_formal.numbers.value import Infinity
from ppdm_formal.report.frontier import all_priors
from ppdm_formal.report.parts.blocks import Block, Document, Gallery, Picture, Section, Table
from ppdm_formal.report.pictures.frontier import ClaimPoint, Curve, frontier_picture
from ppdm_formal.report.pictures.tradeoff import Tradeoff, tradeoff, tradeoff_picture
from ppdm_formal.report.words.definitions import ASSUMPTIONS
from ppdm_formal.report.words.measure_words import cell, columns, depends_on
from ppdm_formal.report.words.measure_words import head as words
from ppdm_formal.report.words.question import badge
from ppdm_formal.report.words.verdict_words import verdict_words
from ppdm_formal.report.words.visible import clean

_CURVES = 6
"""How many curves a picture can tell apart."""


@dataclass(frozen=True)
class Entry:
    """An operator to compare, with the name that tells it apart from the others."""

    name: str
    found: OperatorAudit


def entries(results: Sequence[AuditResult]) -> list[Entry]:
    """All audited operators; the file's name goes before a name that occurs twice."""
    names = [found.operator.name for result in results for found in result.operators]
    listed = []
    for result in results:
        stem = PurePath(result.model.file).stem
        for found in result.operators:
            name = found.operator.name
            shown = clean(name, 30)
            if names.count(name) > 1:
                shown = f"{clean(stem, 20)}: {shown}"
            listed.append(Entry(shown, found))
    return listed


def comparison_document(results: Sequence[AuditResult]) -> Document:
    """Tables and pictures with a row or a curve for each operator."""
    listed = entries(results)
    sections = [Section("Operators, for all priors", [_operators(listed)], 2, "operators")]
    claims = _claims(listed)
    if claims.rows:
        sections.append(Section("Claims", [claims], 2, "claims"))
    known = _information(listed, results[0].unit)
    if known.rows:
        sections.append(Section("Under declared priors", [known], 2, "information"))
    pictures = [*_frontiers(listed), *_tradeoffs(listed)]
    if pictures:
        sections.append(Section("Pictures", [Gallery(pictures)], 2, "pictures"))
    files = ", ".join(clean(PurePath(result.model.file).name, 60) for result in results)
    return Document(
        f"Comparison of {len(listed)} operators",
        "Lower amplification and epsilon are safer. All numbers are exact or proven bounds. "
        + ASSUMPTIONS[2],
        "",
        "",
        sections,
        f"Models: {files}",
    )


def _operators(listed: Sequence[Entry]) -> Table:
    rows = []
    measures = columns(entry.found.readings for entry in listed)
    for entry in listed:
        found = entry.found
        gain = found.gain
        safe = ""
        if isinstance(gain, Infinity):
            safe = "none"
        elif isinstance(gain, Fraction):
            safe = f"below {bound_percent(1 / (1 + gain), up=False)}"
        rows.append(
            [
                entry.name,
                show_count(found.operator.inputs.size),
                show_count(found.operator.outputs.size),
                str(found.views),
                *(cell(found) for found in found.readings if found.measure in measures),
                safe,
            ]
        )
    head = ["operator", "inputs", "outputs", "views", *(words(m, "") for m in measures)]
    return Table(
        [*head, "suspicions that stay below 50%"],
        rows,
        "The last column: beliefs before, for which no report makes any property likelier than not",
        range(1, len(head) + 1),
    )


def _claims(listed: Sequence[Entry]) -> Table:
    rows = []
    for entry in listed:
        for certificate in entry.found.certificates:
            summary = certificate.summary()
            finding = verdict_words(summary)[0]
            rows.append([entry.name, clean(summary["claim"]["text"], 120), badge(summary), finding])
    return Table(["operator", "claim", "verdict", "finding"], rows)


def _information(listed: Sequence[Entry], unit: str) -> Table:
    rows = []
    measures = columns(part.readings for entry in listed for part in entry.found.priors)
    for entry in listed:
        for part in entry.found.priors:
            names = [p.name for p in (*entry.found.operator.parameters, *part.prior.parameters)]
            known = {found.measure: found for found in part.readings}
            cells = [cell(known[measure]) for measure in measures]
            if names:  # closed forms are too long for a table
                cells = [depends_on(names) if said else "" for said in cells]
            rows.append([entry.name, clean(part.prior.name, 30), *cells])
    head = ["operator", "prior", *(words(measure, unit) for measure in measures)]
    return Table(head, rows, "", range(2, len(head)))


def _frontiers(listed: Sequence[Entry]) -> list[Picture]:
    """Curves of all operators without free parameters, a few in each picture."""
    curves: list[Curve] = []
    for entry in listed:
        gain = entry.found.gain
        if isinstance(gain, Fraction | Infinity):
            shown = str(gain)
            if isinstance(gain, Fraction) and len(shown) > 12:
                shown = rounded(gain, 4)
            curves.append(Curve(all_priors(gain), f"{entry.name}: amplification {shown}"))
    points = {
        (claim.rho1, claim.rho2): ClaimPoint(
            claim.rho1, claim.rho2, "unknown", f"claimed: {claim.rho1} -> {claim.rho2}"
        )
        for entry in listed
        for claim in (certificate.claim for certificate in entry.found.certificates)
        if isinstance(claim, BreachClaim) and claim.under is None and claim.about is None
    }
    title = "Breach frontiers, all priors"
    caption = (
        "How far one report can raise a suspicion, whatever was believed before. An operator "
        "keeps a claim exactly if the claim's point lies above its line."
    )
    return [
        Picture(
            title,
            frontier_picture(curves[at : at + _CURVES], list(points.values())[:4], title),
            caption,
        )
        for at in range(0, len(curves), _CURVES)
    ]


def _tradeoffs(listed: Sequence[Entry]) -> list[Picture]:
    """Operators with the same free parameter share a picture."""
    groups: dict[Parameter, list[Tradeoff]] = {}
    for entry in listed:
        free = entry.found.operator.parameters
        gain = entry.found.amplification
        if len(free) == 1 and gain is not None:
            curve = tradeoff(entry.name, gain, free[0])
            if len(curve.points) > 1:
                groups.setdefault(free[0], []).append(curve)
    shown = []
    for parameter, curves in groups.items():
        title = f"Trade-off along {clean(parameter.name, 20)}"
        names = ", ".join(curve.name for curve in curves[:_CURVES])
        caption = f"Epsilon, the logarithm of the amplification, of {names}: lower is safer."
        picture = tradeoff_picture(parameter, curves[:_CURVES], title)
        shown.append(Picture(title, picture, caption))
    return shown


def tables(document: Document) -> list[tuple[str, Table]]:
    """The tables with their sections' titles, for a terminal."""
    found: list[tuple[str, Table]] = []
    for section in document.sections:
        blocks: Sequence[Block] = section.blocks
        found += [(section.title, block) for block in blocks if isinstance(block, Table)]
    return found
