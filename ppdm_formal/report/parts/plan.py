"""The report of a plan as blocks: every section of parts/plans, and the brief one of a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ppdm_formal.certify.audit.plan_audit import Designed, PlanAudit
from ppdm_formal.declare.arithmetic.decimals import decimal_text, round_to
from ppdm_formal.declare.arithmetic.people import percent
from ppdm_formal.report.parts.blocks import Document, Section, Text
from ppdm_formal.report.parts.document import head_facts
from ppdm_formal.report.parts.outcome import outcome
from ppdm_formal.report.parts.part import parts_in
from ppdm_formal.report.words.decided import Decided, decided_claims
from ppdm_formal.report.words.plan_words import gamma_words
from ppdm_formal.report.words.visible import clean

LEAD = (
    "Clients do not send their baskets but randomized reports of them. This report says what an "
    "observer of one report can learn of a basket, whether the plan keeps its promise, and which "
    "supports can be estimated from all reports together. Verdicts are exact; forecasts hold for "
    "the baskets that the plan was designed for."
)


@dataclass(frozen=True)
class PlanMaterial:
    """What sections are made of: a plan's audit and its claims; drawn: there are pictures."""

    found: PlanAudit
    claims: Sequence[Decided]
    drawn: bool = True

    @property
    def file(self) -> str:
        """The plan's file name, without its folder."""
        return clean(PurePath(self.found.result.model.file).name, 120)


def document(made: PlanAudit | Designed, *, brief: bool = False, **_: object) -> Document:
    """Every section; the brief one, for a terminal, has the notes of a plan just made."""
    if brief:
        return notebook(made)
    found = made.audit if isinstance(made, Designed) else made
    result = found.result
    material = PlanMaterial(found, decided_claims(result.operators, result.files, often=False))
    sections = [section for part in parts_in("plans") for section in part.build(material)]
    footer = f"Plan {material.file}, SHA-256 {found.result.model.sha256}"
    verdict, words = _outcome(material)
    title, head = _title(found), found.result.model.head
    facts = head_facts(head, title)
    shown = clean(head.title, 200) or title
    return Document(shown, LEAD, verdict, words, sections, footer, head=facts)


def notebook(made: PlanAudit | Designed) -> Document:
    """The sections that have a brief form, for a terminal, and notes."""
    found, notes = (made.audit, made.plan.notes) if isinstance(made, Designed) else (made, ())
    claims = decided_claims(found.result.operators, often=False)
    material = PlanMaterial(found, claims, drawn=False)
    brief = [part for part in parts_in("plans") if part.brief_order is not None]
    brief.sort(key=lambda part: part.brief_order or 0)
    sections = [section for part in brief for section in (part.build_brief or part.build)(material)]
    if notes:
        sections.append(Section("", [Text(clean(note, 400)) for note in notes]))
    verdict, words = _outcome(material)
    return Document(_title(found), "", verdict, words, sections, "")


def _outcome(material: PlanMaterial) -> tuple[str, str]:
    """How the claims went; what public sizes tell is no part of them."""
    verdict, words = outcome(material.claims)
    if any(map(material.found.sizes_told, material.found.plan.groups)):
        words += " They are about baskets of one size each: sizes are public."
    return verdict, words


def _title(found: PlanAudit) -> str:
    plan = found.plan
    if plan.item_level:  # of the older notion; what its amplification certifies is far less
        low = round_to(plan.rho1 * 100, 3, up=False)
        most = max(part.amplification for group in plan.groups for part in group.sizes)
        gamma = f"gamma up to {math.ceil(most):,}"
        return (
            f"Plan for item-level breaches of {percent(plan.rho2)} ({gamma}: "
            f"against all priors from {decimal_text(low)}% only)"
        )
    level = f"{percent(plan.rho1)} to {percent(plan.rho2)}"
    return f"Plan against breaches from {level} (gamma {gamma_words(found.gamma)})"
