"""The banner of a report: how the claims went, operator by operator."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.words.question import in_part, shade
from ppdm_formal.report.words.visible import clean

KEPT = "every claim holds"
"""Said of an operator that keeps all its claims."""


def outcome(claims: Sequence[Decided]) -> tuple[str, str]:
    """How the claims went, as a colour and in words; operators apart where they differ."""
    if not claims:
        return "unknown", "No claim was made: the report measures, it does not judge."
    verdicts = {shade(claim.summary) for claim in claims}
    names = list(dict.fromkeys(claim.found.operator.name for claim in claims))
    if len(names) == 1 or verdicts == {"certified"}:
        said = [_counted(claims)]
    else:
        said = []
        for words in dict.fromkeys(kept(claims, name) for name in names):
            these = [clean(name, 30) for name in names if kept(claims, name) == words]
            said.append(f"{listed(these)}: {words}.")
    regions = [
        f"Claim {c.number} holds exactly for {clean(c.summary['region']['text'], 120)} and fails "
        f"for every other {clean(c.summary['region']['parameter'], 20)} in "
        f"{c.summary['region']['declared']}."
        for c in claims
        if in_part(c.summary)
    ]
    if regions:
        said += [*regions[:3], "Check which value your system uses."]
    if len(verdicts) == 1:
        return verdicts.pop(), " ".join(said)
    some_hold = any(kept(claims, name) == KEPT for name in names)
    worst = "breached" if "breached" in verdicts and not some_hold else "partly"
    return "unknown" if verdicts == {"certified", "unknown"} else worst, " ".join(said)


def kept(claims: Sequence[Decided], name: str) -> str:
    """Whether an operator keeps what was claimed of it."""
    found = [shade(claim.summary) for claim in claims if claim.found.operator.name == name]
    verdicts = set(found)
    if verdicts == {"certified"}:
        return KEPT
    if verdicts == {"breached"}:
        return f"not safe, {'its' if len(found) == 1 else 'every'} claim fails"
    if "breached" in verdicts:
        return "not safe, some claims fail"
    if "unknown" in verdicts:
        return "not shown to be safe, a claim is not decided"
    return "it depends on the value of a parameter"


def _counted(claims: Sequence[Decided]) -> str:
    total = len(claims)
    found = [shade(claim.summary) for claim in claims]
    for word, one, all_of_them in _ALIKE:
        if set(found) == {word}:
            return one if total == 1 else all_of_them.format(total)
    parts = [
        f"{found.count(word)} {one if found.count(word) == 1 else more}"
        for word, one, more in _MIXED
        if word in found
    ]
    return f"Of {total} claims: {', '.join(parts)}."


_ALIKE = (
    ("certified", "The claim holds.", "All {} claims hold."),
    ("breached", "Not safe: the claim fails.", "Not safe: all {} claims fail."),
    ("unknown", "The claim is not decided.", "None of the {} claims is decided."),
    (
        "partly",
        "Whether it is safe depends on a parameter.",
        "Whether the {} claims hold depends on a parameter.",
    ),
)
_MIXED = (
    ("breached", "fails", "fail"),
    ("partly", "depends on a parameter", "depend on a parameter"),
    ("unknown", "not decided", "not decided"),
    ("certified", "holds", "hold"),
)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them; at most seven."""
    shown = [*names[:6], f"{len(names) - 6} more"] if len(names) > 6 else list(names)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
