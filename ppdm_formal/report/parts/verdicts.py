"""The first part of a report: each claim's verdict in plain words, with reason and limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppdm_formal.report.parts.blocks import Section, Verdict
from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.words.claim_words import bound_flip, often_words, worst_words
from ppdm_formal.report.words.question import asked_words, badge, in_part, shade, trust_words
from ppdm_formal.report.words.verdict_words import threshold_words, verdict_words
from ppdm_formal.report.words.visible import clean


def verdict_part(claims: Sequence[Decided]) -> Section:
    """Claims grouped by operator."""
    names = dict.fromkeys(claim.found.operator.name for claim in claims)
    groups = []
    for name in names:
        blocks = [_verdict(c) for c in claims if c.found.operator.name == name]
        groups.append(Section(f"Operator {clean(name)}", blocks, 3))
    return Section("Verdicts", groups, 2, "verdicts")


def _verdict(decided: Decided) -> Verdict:
    flip = bound_flip(decided) if decided.summary["claim"]["kind"] == "bound" else ""
    return verdict_block(
        decided.summary,
        f"claim-{decided.number}",
        f"Claim {decided.number}: ",
        flip,
        often_words(decided),
        worst_words(decided),
    )


def verdict_block(
    summary: dict[str, Any],
    anchor: str = "",
    before: str = "",
    flip: str = "",
    often: str = "",
    worst: str = "",
) -> Verdict:
    """A claim's verdict, from its JSON summary."""
    words = verdict_words(summary)
    details: list[tuple[str, str | Sequence[str]]] = []
    if worst:
        details.append(("Worst case", worst))
    if summary.get("region"):
        if not in_part(summary):
            details.append(("Flips at", words[1]))
    elif summary.get("thresholds"):
        details.append(("Flips at", threshold_words(summary)))
    elif flip:
        details.append(("Flips at", flip))
    if often:
        details.append(("How often", often))
    details.append(("Trust", trust_words(summary)))
    if summary["file"]:
        details.append(("Certificate", clean(summary["file"], 120)))
    return Verdict(
        anchor,
        shade(summary),
        badge(summary),
        before + clean(summary["claim"]["text"], 160),
        asked_words(summary["claim"]),
        words[0],
        details,
    )
