"""Verdicts: each claim in plain words, with reason, limits, and what its evidence rests on."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.report.parts.blocks import Section, Verdict
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.words.claim_words import actual_words, often_words, worst_words
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.flips import flip_words
from ppdm_formal.report.words.question import asked_words, trust_words
from ppdm_formal.report.words.standing import badge, shade, verdict_word
from ppdm_formal.report.words.verdict_words import evidence_words, finding_words
from ppdm_formal.report.words.visible import clean


def verdict_part(claims: Sequence[Decided]) -> list[Section]:
    """Claims grouped by operator; no section where there are none."""
    names = dict.fromkeys(claim.found.operator.name for claim in claims)
    groups = []
    for name in names:
        blocks = [decided_block(c) for c in claims if c.found.operator.name == name]
        groups.append(Section(f"Operator {clean(name)}", blocks, 3))
    return [Section("Verdicts", groups, 2, "verdicts")] if groups else []


def brief_verdicts(claims: Sequence[Decided]) -> list[Section]:
    """The same claims one below the other."""
    return [Section("Claims", [decided_block(claim) for claim in claims])] if claims else []


def decided_block(decided: Decided) -> Verdict:
    """A claim of a report."""
    return verdict_block(decided.certificate, decided)


def verdict_block(certificate: Certificate, decided: Decided | None = None) -> Verdict:
    """A claim with its verdict; decided: also what the rest of its report says about it."""
    worst = often = ""
    actual = actual_words(certificate)
    number = found = None
    if decided is not None:
        worst, often = worst_words(decided), often_words(decided)
        number, found = decided.number, decided.found
    flips, claim = flip_words(certificate, found), certificate.claim
    details: list[tuple[str, str | Sequence[str]]] = [
        ("Actual change", actual),
        ("Worst case", worst),
        ("Flips at", flips if len(flips) > 1 else "".join(flips)),
        ("How often", often),
        ("Trust", trust_words(certificate)),
        ("Certificate", clean((decided and decided.file) or "", 120)),
    ]
    compact = [actual, worst, *flip_words(certificate), evidence_words(certificate)]
    return Verdict(
        anchor="" if number is None else f"claim-{number}",
        verdict=shade(certificate),
        word=verdict_word(certificate),
        badge=badge(certificate),
        operator=clean(certificate.operator.name),
        number=number,
        claim=clean(str(claim), 160),
        asked=asked_words(claim),
        finding=finding_words(certificate),
        details=[(term, words) for term, words in details if words],
        compact=[words for words in compact if words],
    )


PART: Part[Material] = Part(
    20,
    lambda material: verdict_part(material.claims),
    20,
    lambda material: brief_verdicts(material.claims),
)
