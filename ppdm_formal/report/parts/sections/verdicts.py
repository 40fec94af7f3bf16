"""Verdicts: each claim in plain words, with reason, limits, and what its evidence rests on."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.report.parts.blocks import Block, Document, Section, Verdict
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.worked import worked
from ppdm_formal.report.words.claim_words import actual_words, often_words, worst_words
from ppdm_formal.report.words.crowd_words import rests_words
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.flips import flip_words
from ppdm_formal.report.words.question import asked_words, trust_words
from ppdm_formal.report.words.standing import badge, shade, verdict_word
from ppdm_formal.report.words.verdict_words import evidence_words, finding_words
from ppdm_formal.report.words.visible import clean


def document(certificate: Certificate, **_: object) -> Document:
    """A certificate by itself: the verdict in words, and the witness of a breach worked out."""
    title = f"Operator {clean(certificate.operator.name)}"
    blocks: list[Block] = [verdict_block(certificate), *worked(certificate)]
    return Document(title, "", "", "", [Section(title, blocks, 3)], "")


def verdict_part(claims: Sequence[Decided]) -> list[Section]:
    """Claims grouped by operator; no section where there are none."""
    names = dict.fromkeys(claim.found.operator.name for claim in claims)
    groups = []
    for name in names:
        blocks = [decided_block(c) for c in claims if c.found.operator.name == name]
        groups.append(Section(f"Operator {clean(name)}", blocks, 3))
    return [Section("Verdicts", groups, 2, "verdicts")] if groups else []


def brief_verdicts(claims: Sequence[Decided]) -> list[Section]:
    """The same claims one below the other, each in a few lines."""
    blocks = [verdict_block(claim.certificate, claim, theorems=False) for claim in claims]
    return [Section("Claims", blocks)] if claims else []


def decided_block(decided: Decided) -> Verdict:
    """A claim of a report."""
    return verdict_block(decided.certificate, decided)


def verdict_block(
    certificate: Certificate, decided: Decided | None = None, *, theorems: bool = True
) -> Verdict:
    """A claim with its verdict; decided: also what the rest of its report says about it.

    theorems: also whether Coq covers it, which takes the checker to find out.
    """
    worst = "" if decided is None else worst_words(decided)
    actual, number = actual_words(certificate), None if decided is None else decided.number
    rests = rests_words(certificate.claim)
    # Of a crowd the finding itself says from how many clients on.
    flips = [] if certificate.claim.of_crowd else flip_words(certificate)
    compact = [actual, worst, *rests, *flips, evidence_words(certificate)]
    trust = trust_words(certificate, theorems=theorems)
    details = _details(certificate, decided, actual, worst, trust)
    return Verdict(
        anchor="" if number is None else f"claim-{number}",
        verdict=shade(certificate),
        word=verdict_word(certificate),
        badge=badge(certificate),
        operator=clean(certificate.operator.name),
        number=number,
        claim=clean(str(certificate.claim), 160),
        asked=asked_words(certificate.claim),
        finding=finding_words(certificate),
        details=[(term, words) for term, words in details if words],
        compact=[words for words in compact if words],
    )


def _details(
    certificate: Certificate, decided: Decided | None, actual: str, worst: str, trust: str
) -> list[tuple[str, str | Sequence[str]]]:
    """What a page has room for."""
    flips = flip_words(certificate, None if decided is None else decided.found)
    rests = rests_words(certificate.claim)
    return [
        ("Rests on", rests if len(rests) > 1 else "".join(rests)),
        ("Actual change", actual),
        ("Worst case", worst),
        ("Flips at", flips if len(flips) > 1 else "".join(flips)),
        ("How often", "" if decided is None else often_words(decided)),
        ("Trust", trust),
        ("Certificate", clean((decided and decided.file) or "", 120)),
    ]


PART: Part[Material] = Part(
    20,
    lambda material: verdict_part(material.claims),
    20,
    lambda material: brief_verdicts(material.claims),
)
