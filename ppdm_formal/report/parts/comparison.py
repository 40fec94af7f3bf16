"""Several operators side by side: amplification, epsilon, frontiers, information, claims."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from ppdm_formal.certify.audit.audited import AuditResult
from ppdm_formal.certify.audit.comparison import Comparison
from ppdm_formal.certify.frontier import all_priors
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Gallery,
    Picture,
    Section,
    Table,
    Text,
    tables_only,
)
from ppdm_formal.report.parts.measure_tables import Entry, information_table, operators_table
from ppdm_formal.report.parts.sections.utility import equal_cost_table
from ppdm_formal.report.parts.sweep import sweep_pictures, swept
from ppdm_formal.report.pictures.claim_points import ClaimPoint, limits
from ppdm_formal.report.pictures.cost import cost_curve, cost_pictures
from ppdm_formal.report.pictures.frontier import Curve, frontier_picture
from ppdm_formal.report.pictures.operator_frontiers import gain_words
from ppdm_formal.report.pictures.tradeoff import Tradeoff, tradeoff, tradeoff_picture
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.crowd_words import rests_words
from ppdm_formal.report.words.definitions import ASSUMPTIONS
from ppdm_formal.report.words.outside_words import origin_words
from ppdm_formal.report.words.standing import badge, shade
from ppdm_formal.report.words.verdict_words import finding_words
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.witness_words import at_values

_CURVES = 6
"""How many curves a picture can tell apart."""


def entries(results: Sequence[AuditResult]) -> list[Entry]:
    """All audited operators; names that occur twice have the file's name or values with them."""
    names = [name for file in _files(results).values() for name in file]
    listed = []
    for result in results:
        stem = PurePath(result.model.file).stem
        at = at_values(swept(results, result))
        for found in result.operators:
            name = found.operator.name
            shown = clean(name, 30)
            if names.count(name) > 1:
                shown = f"{clean(stem, 20)}: {shown}"
            if at:
                shown = f"{shown} at {at}"
            listed.append(Entry(shown, found))
    return listed


def _files(results: Sequence[AuditResult]) -> dict[str, list[str]]:
    """The operators' names by file, a model that is there at several values once."""
    return {
        result.model.file: [found.operator.name for found in result.operators] for result in results
    }


def document(comparison: Comparison, *, brief: bool = False) -> Document:
    """Tables and pictures with a row or a curve for each operator; a terminal gets the tables."""
    made = _whole(comparison.results)
    return tables_only(made) if brief else made


def _whole(results: Sequence[AuditResult]) -> Document:
    listed = entries(results)
    shown: list[Block] = [operators_table(listed, where=False)]
    for entry in listed:
        words = origin_words(entry.found.operator)
        shown += [Text(f"{entry.name}: {' '.join(words)}")] if words else []
    sections = [Section("Operators", shown, 2, "operators")]
    claims = _claims(listed)
    if claims.rows:
        sections.append(Section("Claims", [claims], 2, "claims"))
    known = information_table(listed, results[0].unit)
    if known.rows:
        sections.append(Section("Under declared priors", [known], 2, "information"))
    cost = equal_cost_table(listed)
    if cost.rows:
        sections.append(Section("Cost", [cost], 2, "cost"))
    curves = [cost_curve(entry.name, entry.found) for entry in listed]
    pictures = [*frontiers(listed), *_tradeoffs(listed), *cost_pictures(curves)]
    for file in _files(results):
        pictures += sweep_pictures([result for result in results if result.model.file == file])
    if pictures:
        sections.append(Section("Pictures", [Gallery(pictures)], 2, "pictures"))
    files = ", ".join(clean(PurePath(result.model.file).name, 60) for result in results)
    return Document(
        f"Comparison of {counted(len(listed), 'operator')}",
        "Lower amplification and epsilon are safer. All numbers are exact or proven bounds. "
        + ASSUMPTIONS[2],
        "",
        "",
        sections,
        f"Models: {files}",
    )


def _claims(listed: Sequence[Entry]) -> Table:
    rows, shades = [], []
    for entry in listed:
        for certificate in entry.found.certificates:
            claim = clean(str(certificate.claim), 120)
            finding = " ".join([finding_words(certificate), *rests_words(certificate.claim)])
            rows.append([entry.name, claim, badge(certificate), finding])
            shades.append(shade(certificate))
    return Table(["operator", "claim", "verdict", "finding"], rows, shades={2: shades})


def frontiers(listed: Sequence[Entry]) -> list[Picture]:
    """Curves of all operators without free parameters, a few in each picture."""
    curves: list[Curve] = []
    for entry in listed:
        gain = entry.found.gain
        if is_number(gain) or isinstance(gain, Infinity):
            words = f"{entry.name}: amplification {gain_words(gain)}"
            curves.append(Curve(all_priors(gain), words))
    points = {
        (claim.rho1, claim.rho2): ClaimPoint(
            claim.rho1, claim.rho2, "unknown", f"claimed: {limits(claim)}"
        )
        for entry in listed
        for claim in (certificate.claim for certificate in entry.found.certificates)
        if isinstance(claim, BreachClaim)
        and (claim.under, claim.about, claim.reports) == (None, None, 1)
        and not claim.of_crowd
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
