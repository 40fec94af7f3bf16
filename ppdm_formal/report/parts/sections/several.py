"""Several reports: what 1, 10 and 100 reports of one true value disclose, and what claims bear."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.exact import ONE
from ppdm_formal.declare.arithmetic.people import bound_percent, percent, short
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.derive.measures.after_reports import SHOWN, AfterReports, most_reports
from ppdm_formal.report.parts.blocks import Block, Points, Section, Table, Text
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.measure_words import depends_on
from ppdm_formal.report.words.visible import clean

_TENTH = Fraction(1, 10)


def several(material: Material) -> list[Block]:
    """A table of all operators, and for claims under all priors how many reports they bear."""
    rows: list[Sequence[str]] = []
    said: list[str] = []
    for found in material.result.operators:
        one = found.disclosed
        if one is None:
            continue
        name = clean(found.operator.name)
        for reports in SHOWN:
            after = AfterReports(reports, one)
            rows.append([name, str(reports), *_row(after)])
        said += [words for claim in material.of(found) if (words := _borne(found, claim))]
    if not rows:
        return []
    head = ["operator", "reports", "amplification", "epsilon (nat)", f"{percent(_TENTH)} becomes"]
    caption = "Several reports of one true value, each with fresh coins, for all priors"
    if any(found.operator.within is not None for found in material.result.operators):
        caption += "; of rounded matrices at most"
    blocks: list[Block] = [Table(head, rows, caption, (1, 2, 3, 4))]
    return [*blocks, Points(said)] if said else blocks


def _row(after: AfterReports) -> list[str]:
    gain, epsilon = after.gain, after.epsilon()
    if isinstance(gain, Infinity):
        return ["infinity", "infinity", "up to 100%"]
    shown = short(gain) if gain is not None else clean(after.text, 40)
    reached = after.reached(_TENTH)
    free = depends_on([parameter.told.name for parameter in after.one.parameters])
    return [
        shown,
        (after.exponent or "ln(amplification)") if epsilon is None else str(epsilon),
        # A power too long to be written leaves no belief out.
        f"at most {bound_percent(reached or ONE, up=True)}" if reached or epsilon else free,
    ]


def _borne(found: OperatorAudit, decided: Decided) -> str:
    """How many reports a claim under all priors and for every property bears."""
    claim, gain = decided.claim, found.gain
    if found.operator.within is not None:
        return ""
    plain = isinstance(claim, BreachClaim) and claim.under is None and claim.about is None
    if not plain or not isinstance(claim, BreachClaim) or not isinstance(gain, Fraction):
        return ""
    if claim.knowing is not None or claim.reports > 1 or claim.crowd is not None:
        return ""
    who = f"Claim {decided.number} ({clean(str(claim), 80)})"
    most = None if gain == 1 else most_reports(gain, claim.rho1, claim.rho2)
    if gain == 1:
        return f"{who} holds after any number of reports."
    if not most:
        return ""
    many = "one report" if most == 1 else f"up to {most:,} reports"
    return f"{who} holds for {many} of one true value, no more."


def _sections(material: Material) -> list[Section]:
    blocks = several(material)
    lead = Text(
        "Whoever reports the same value again with fresh coins discloses more each time. A value "
        "that is randomized once and sent again and again discloses no more than one report."
    )
    return [Section("After several reports", [*blocks, lead], 2, "several")] if blocks else []


PART: Part[Material] = Part(
    35,
    _sections,
    15,
    lambda material: [Section("", blocks)] if (blocks := several(material)) else [],
)
