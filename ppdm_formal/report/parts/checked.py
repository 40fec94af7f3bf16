"""Certificates that were verified again, as blocks: a row each, and what is amiss in folders."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.audit.checked import Check
from ppdm_formal.checker import CheckResult, remarks
from ppdm_formal.report.parts.blocks import Block, Document, Points, Section, Table
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean

SAID = {
    "certified": "the claim holds",
    "breached": "the claim is broken",
    "partly": "the claim holds for a part of what is declared",
}
STATUS = {"accepted": "accepted", "rejected": "rejected"}
"""In words; what is neither is not verified."""


def document(found: Check, **_: object) -> Document:
    """What `ppdm check` says, line by line, as a table."""
    survey = found.survey
    rows, shades = [], []
    for one in survey.checked:
        result = one.result
        rows.append(
            [
                clean(str(one.path), 200),
                clean(result.operator),
                clean(result.claim, 200),
                STATUS.get(result.status, "not verified"),
                f"{finding(result)} ({clean(result.reason, 400)}){clean(remarks(result), 900)}",
            ]
        )
        shades.append(shade(result))
    head = ["certificate", "operator", "claim", "outcome", "what was found"]
    blocks: list[Block] = [Table(head, rows, shades={3: shades})]
    said = [*survey.faults, *(one.words for one in survey.lacking), *dict.fromkeys(survey.notes)]
    if said:
        blocks.append(Points([clean(line, 600) for line in said]))
    against = "" if found.model is None else f" against {clean(found.model.file, 200)}"
    return Document(
        f"Check of {counted(len(survey.checked), 'certificate')}{against}",
        "What an accepted certificate concludes was derived anew in exact arithmetic from the "
        "numbers of its operator"
        + (", which were taken from the file." if found.model is None else ", those of the model."),
        _worst(found, shades),
        survey.words,
        [Section("Certificates", blocks, 2, "certificates")],
        "",
        contents=False,
    )


def _worst(found: Check, shades: Sequence[str]) -> str:
    """The colour of all: that of the certificate which goes worst; what is missing is worse."""
    if found.survey.faults or any(not one.undecided for one in found.survey.lacking):
        return "breached"
    met = {*shades, *("unknown" for _ in found.survey.lacking)}
    order = ("breached", "unknown", "partly", "vacuous")
    return next((word for word in order if word in met), "certified")


def finding(result: CheckResult) -> str:
    """What a certificate says, in a few words; nothing where it is not verified."""
    if result.status != "accepted":
        return ""
    if result.vacuous is None:
        return "the claim holds, or says nothing"
    return "the claim says nothing" if result.vacuous else SAID[result.verdict]


def shade(result: CheckResult) -> str:
    """The colour of an outcome."""
    if result.status == "accepted":
        return "vacuous" if result.vacuous is not False else result.verdict
    return "breached" if result.status == "rejected" else "unknown"
