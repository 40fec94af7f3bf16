"""The first part of a report: each claim's verdict in plain words, with reason and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.audit import OperatorAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.claim import BreachClaim
from ppdm_formal.report.blocks import Section, Verdict
from ppdm_formal.report.decimals import clean, percent
from ppdm_formal.report.occurrence import Occurrence, occurrence
from ppdm_formal.report.question import BADGES, asked_words, badge, in_part, trust_words
from ppdm_formal.report.words import bound_percent, threshold_words, verdict_words


@dataclass(frozen=True)
class Decided:
    """A claim of the report: its number, its certificate, its JSON summary, and how often."""

    number: int
    found: OperatorAudit
    certificate: Certificate
    summary: dict[str, Any]
    often: Occurrence | None

    @property
    def verdict(self) -> str:
        """certified, breached or unknown."""
        return str(self.summary["verdict"])

    @property
    def words(self) -> str:
        """The claim as it was written, cut if very long."""
        return clean(self.summary["claim"]["text"], 160)


def decided_claims(operators: Sequence[OperatorAudit], documents: Sequence[Any]) -> list[Decided]:
    """All claims in the order of the audit, numbered from 1."""
    claims: list[Decided] = []
    for found, document in zip(operators, documents, strict=True):
        priors = [part.prior for part in found.priors]
        for certificate, summary in zip(found.certificates, document["certificates"], strict=True):
            often = occurrence(certificate, priors)
            claims.append(Decided(len(claims) + 1, found, certificate, summary, often))
    return claims


def outcome(claims: Sequence[Decided]) -> tuple[str, str]:
    """The worst verdict, and how many claims have which."""
    if not claims:
        return "unknown", "No claim was made: the report measures, it does not judge."
    count = {word: sum(c.verdict == word for c in claims) for word in BADGES}
    total = len(claims)
    if count["certified"] == total:
        return "certified", "The claim holds." if total == 1 else f"All {total} claims hold."
    parts = [
        f"{count[word]} {said}"
        for word, said in (
            ("breached", "fail" if count["breached"] != 1 else "fails"),
            ("unknown", "not decided"),
            ("certified", "hold" if count["certified"] != 1 else "holds"),
        )
        if count[word]
    ]
    regions = [
        f"Claim {c.number} holds exactly for {clean(c.summary['region']['text'], 120)}."
        for c in claims
        if in_part(c.summary)
    ]
    said = f"Of {total} claim{'s' if total != 1 else ''}: {', '.join(parts)}."
    names = list(dict.fromkeys(claim.found.operator.name for claim in claims))
    if len(names) > 1:
        good = [
            clean(name, 30)
            for name in names
            if all(c.verdict == "certified" for c in claims if c.found.operator.name == name)
        ]
        said += f" Every claim holds for {_listed(good)}." if good else ""
    said = " ".join([said, *regions[:3]])
    return "breached" if count["breached"] else "unknown", said


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:6], f"{len(names) - 6} more"] if len(names) > 6 else list(names)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


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
    )


def verdict_block(
    summary: dict[str, Any], anchor: str = "", before: str = "", flip: str = "", often: str = ""
) -> Verdict:
    """A claim's verdict, from its JSON summary."""
    words = verdict_words(summary)
    details: list[tuple[str, str | Sequence[str]]] = []
    if summary.get("region"):
        details.append(("Flips at", words[1]))
    elif summary.get("thresholds"):
        details.append(("Flips at", threshold_words(summary["claim"], summary["thresholds"])))
    elif flip:
        details.append(("Flips at", flip))
    if often:
        details.append(("How often", often))
    details.append(("Trust", trust_words(summary)))
    if summary["file"]:
        details.append(("Certificate", clean(summary["file"], 120)))
    return Verdict(
        anchor,
        summary["verdict"],
        badge(summary),
        before + clean(summary["claim"]["text"], 160),
        asked_words(summary["claim"]),
        words[0],
        details,
    )


def bound_flip(decided: Decided) -> str:
    """The measured value, at which a bound claim changes its verdict."""
    claim, found = decided.summary["claim"], decided.found
    if claim["measure"] == "amplification":
        value = found.amplification.text
    else:
        part = next((p for p in found.priors if p.prior.name == claim["prior"]), None)
        if part is None:
            return f"It holds exactly for bounds that the {claim['measure']} satisfies."
        if claim["measure"] == "dependence":
            value = part.dependence.text
        elif part.information.unit == claim["unit"]:
            from ppdm_formal.measures.value import value_text

            value = value_text(part.information.worst_case.value)
        else:
            return "See the measures below."
    word = "above" if claim["relation"] == "<" else "of at least"
    if value == "infinity":
        return "The value is infinite: it holds for no bound."
    return f"The value is {value}: it holds exactly for bounds {word} that."


def often_words(decided: Decided) -> str:
    """How often an output that breaches occurs."""
    often = decided.often
    if decided.verdict != "breached":
        return ""
    if often is None:
        large = any(view.relative for view in decided.certificate.views)
        why = "operators of this size" if large else "claims of this kind"
        return f"The worked example shows one case; how often is not computed for {why}."
    some = _some(decided.certificate)
    witness = decided.certificate.witness
    at = ""
    if witness is not None and witness.parameters:
        values = ", ".join(f"{clean(n, 20)} = {v}" for n, v in witness.parameters.items())
        at = f"At {values}: "
    if often.every_output:
        return f"{at}With every report: each possible output breaches the claim{some}."
    parts = []
    for share in often.under:
        if share.least == share.most:
            parts.append(f"{_rate(share.most)} of all reports under the prior {clean(share.prior)}")
        else:
            parts.append(
                f"at most {bound_percent(share.most, up=True)} of all reports under the prior "
                f"{clean(share.prior)}"
            )
    if often.over_inputs is not None:
        word = "" if often.exact else "at most "
        parts.append(
            f"{word}{_rate(often.over_inputs)} of the reports of the most exposed true value"
        )
    return f"{at}An output that breaches{some} occurs in " + ", and in ".join(parts) + "."


def _some(certificate: Certificate) -> str:
    claim = certificate.claim
    if isinstance(claim, BreachClaim) and claim.about is None:
        return " for some property" if claim.under is not None else " for some prior and property"
    return " for some prior" if isinstance(claim, BreachClaim) and claim.under is None else ""


def _rate(value: Fraction) -> str:
    """A probability with its exact value."""
    shown = percent(value)
    exact = str(value)
    return shown if shown == f"{exact}%" or len(exact) > 30 else f"{shown} ({exact})"
