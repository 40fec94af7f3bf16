"""The whole report of an audit as blocks, from the result object and its JSON."""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_formal.audit import AuditResult
from ppdm_formal.report.formats.json import audit_json
from ppdm_formal.report.parts.answers import answers_part
from ppdm_formal.report.parts.appendix import appendix_part
from ppdm_formal.report.parts.beliefs import beliefs_part
from ppdm_formal.report.parts.blocks import Document
from ppdm_formal.report.parts.decided import decided_claims
from ppdm_formal.report.parts.operator import operator_part
from ppdm_formal.report.parts.outcome import outcome
from ppdm_formal.report.parts.trust import whole_answers
from ppdm_formal.report.parts.verdicts import verdict_part
from ppdm_formal.report.words.visible import clean

LEAD = (
    "Clients do not send their true value x but a randomized report y = R(x). This report says "
    "what an observer of one report can learn about x, and whether the claims made for the "
    "randomization hold. It is about one report per person: several reports of the same value "
    "disclose more. All numbers are exact or proven bounds; none is a simulation. The words used "
    "are explained in the appendix."
)


def audit_document(
    result: AuditResult, files: Mapping[tuple[str, int], str] | None = None
) -> Document:
    """Answers first, then verdicts, priors and properties, each operator, and the appendix.

    files: where certificates were written, by operator and position, as for the JSON.
    """
    data = audit_json(result, files)
    claims = decided_claims(result.operators, data["operators"])
    verdict, words = outcome(claims)
    sections = [
        answers_part(result.operators, claims, whole_answers(data, claims, result.model.source))
    ]
    if claims:
        sections.append(verdict_part(claims))
    beliefs = beliefs_part(result.operators)
    if beliefs is not None:
        sections.append(beliefs)
    for number, found in enumerate(result.operators, 1):
        mine = [claim for claim in claims if claim.found is found]
        sections.append(operator_part(found, mine, number, result.unit))
    sections.append(appendix_part(result, data, claims))
    name = clean(data["model"]["file"], 80)
    if data["model"]["set"]:
        values = ", ".join(f"{clean(n)} = {v}" for n, v in data["model"]["set"].items())
        words += f" With {values}."
    return Document(
        f"Privacy audit of {name}",
        LEAD,
        verdict,
        words,
        sections,
        f"Model {name}, SHA-256 {data['model']['sha256']}",
    )
