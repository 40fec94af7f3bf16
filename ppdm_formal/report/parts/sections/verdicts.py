"""Verdicts: each claim in plain words, with reason, limits, and what its evidence rests on."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.audit.audited import AnyCertificate
from ppdm_formal.report.parts.blocks import Block, Document, Section, VerdictBlock
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.worked import worked
from ppdm_formal.report.words.decided import AnyDecided, Decided
from ppdm_formal.report.words.standing import badge, shade, verdict_word
from ppdm_formal.report.words.subject import words_of
from ppdm_formal.report.words.visible import clean


def document(certificate: AnyCertificate, **_: object) -> Document:
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


def decided_block(decided: AnyDecided) -> VerdictBlock:
    """A claim of a report."""
    return verdict_block(decided.certificate, decided)


def verdict_block(
    certificate: AnyCertificate, decided: AnyDecided | None = None, *, theorems: bool = True
) -> VerdictBlock:
    """A claim with its verdict; decided: also what the rest of its report says about it.

    theorems: also whether Coq covers it, which takes the checker to find out.
    """
    words = words_of(certificate)
    number, found, file = (
        (None, None, None) if decided is None else (decided.number, decided.found, decided.file)
    )
    details = [
        *words.details(certificate, decided, theorems),
        ("Certificate", clean(file or "", 120)),
    ]
    return VerdictBlock(
        anchor="" if number is None else f"claim-{number}",
        verdict=shade(certificate),
        word=verdict_word(certificate),
        badge=badge(certificate),
        operator=clean(certificate.operator.name),
        number=number,
        claim=clean(str(certificate.claim), 160),
        asked=words.asked(certificate),
        finding=words.finding(certificate, found),
        details=[(term, said) for term, said in details if said],
        compact=[said for said in words.compact(certificate, decided) if said],
    )


PART: Part[Material] = Part(
    20,
    lambda material: verdict_part(material.claims),
    20,
    lambda material: brief_verdicts(material.claims),
)
