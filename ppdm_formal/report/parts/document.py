"""The whole report of an audit as blocks, and the brief one that a terminal shows."""

from __future__ import annotations

from ppdm_formal.certify.audit.audited import AuditResult
from ppdm_formal.declare.language.model import Head
from ppdm_formal.report.parts.blocks import Document, unfolded
from ppdm_formal.report.parts.outcome import outcome
from ppdm_formal.report.parts.part import NO_FILE, Material, parts
from ppdm_formal.report.words.decided import decided_claims
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.witness_words import at_values

LEAD = (
    "Clients do not send their true value x but a randomized report y = R(x). This report says "
    "what an observer of one report can learn about x, and whether the claims made for the "
    "randomization hold. It is about one report per person: several reports of the same value "
    "disclose more. All numbers are exact or proven bounds; none is a simulation. The words used "
    "are explained in the appendix."
)
FOLDED = (
    "Details are folded: a click opens them, and ppdm audit --full opens all of them, also on "
    "paper."
)


def document(result: AuditResult, *, brief: bool = False, full: bool = False) -> Document:
    """Every section of parts/sections; full: nothing is folded. The brief one: for a terminal."""
    if brief:
        return notebook(result)
    material = Material(result, decided_claims(result.audited, result.files))
    sections = [section for part in parts() for section in part.build(material)]
    footer = f"Model {material.file}, SHA-256 {result.model.sha256 or NO_FILE}"
    title, verdict, words = _heading(material)
    lead = LEAD if full else f"{LEAD} {FOLDED}"
    sections = [unfolded(section) for section in sections] if full else sections
    head = head_facts(result.model.head, title)
    return Document(
        clean(result.model.head.title, 200) or title,
        lead,
        verdict,
        words,
        sections,
        footer,
        head=head,
    )


def head_facts(head: Head, title: str) -> list[tuple[str, str]]:
    """What a report says of itself, as far as it does."""
    named = [
        ("What this is", title if head.title else ""),
        ("Owner", head.owner),
        ("Purpose", head.purpose),
        ("Date", head.date),
    ]
    return [(term, clean(words, 500)) for term, words in named if words]


def notebook(result: AuditResult) -> Document:
    """The brief report: sections that have a brief form, measures first, then the verdicts."""
    material = Material(result, decided_claims(result.audited, result.files, often=False))
    brief = [part for part in parts() if part.brief_order is not None]
    brief.sort(key=lambda part: part.brief_order or 0)
    sections = [section for part in brief for section in (part.build_brief or part.build)(material)]
    title, verdict, words = _heading(material)
    return Document(title, "", verdict, words, sections, "")


def _heading(material: Material) -> tuple[str, str, str]:
    """Title, outcome and its words."""
    verdict, words = outcome(material.judged)
    if material.result.model.values:
        words += f" With {at_values(material.result.model.values)}."
    return f"Privacy audit of {material.file}", verdict, words
