"""The banner of a report: how the claims went, operator by operator."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.certify.region_words import region_words
from ppdm_formal.report.words.decided import AnyDecided
from ppdm_formal.report.words.standing import Shade, shade
from ppdm_formal.report.words.visible import clean

KEPT = "every claim holds"
"""Said of an operator that keeps all its claims."""


def outcome(claims: Sequence[AnyDecided]) -> tuple[Shade, str]:
    """How the claims went, as a colour and in words; operators apart where they differ."""
    if not claims:
        return "unknown", "No claim was made: the report measures, it does not judge."
    shades = {shade(claim.certificate) for claim in claims}
    names = list(dict.fromkeys(claim.about for claim in claims))
    if len(names) == 1 or len(shades) == 1:
        said = [_counted(claims)]
    else:
        said = []
        for words in dict.fromkeys(kept(claims, name, alone=False) for name in names):
            these = [name for name in names if kept(claims, name, alone=False) == words]
            if len(these) == 1:
                words = kept(claims, these[0])
            said.append(f"{listed([clean(name, 30) for name in these])}: {words}.")
    regions = [words for claim in claims if (words := _region(claim))]
    if regions:
        said += [*regions[:3], "Check which value your system uses."]
    return _colour(shades, any(kept(claims, name) == KEPT for name in names)), " ".join(said)


def _colour(shades: set[Shade], some_hold: bool) -> Shade:
    """Green only where all claims hold and each says something; red where no operator holds."""
    if len(shades) == 1:
        return next(iter(shades))
    if "breached" in shades:
        return "partly" if some_hold else "breached"
    for worst in ("unknown", "partly", "vacuous"):
        if worst in shades:
            return worst
    return "certified"


def _region(decided: AnyDecided) -> str:
    region = decided.certificate.region
    if region is None or shade(decided.certificate) != "partly":
        return ""
    where = clean(region_words(region), 120)
    return (
        f"Claim {decided.number} holds exactly for {where} and fails for every "
        f"other {clean(region.parameter.told.name, 20)} in {region.parameter.told.interval}."
    )


def kept(claims: Sequence[AnyDecided], name: str, *, alone: bool = True) -> str:
    """Whether an operator keeps what was claimed of it; alone: said of no other as well."""
    found = [shade(c.certificate) for c in claims if c.about == name]
    shades = set(found)
    if shades == {"certified"}:
        return KEPT
    if shades == {"breached"}:
        return f"not safe, {'its' if alone and len(found) == 1 else 'every'} claim fails"
    if shades == {"vacuous"}:
        return "not shown to be safe, nothing that is claimed can be tested"
    if "breached" in shades:
        return "not safe, some claims fail"
    if "unknown" in shades:
        return "not shown to be safe, a claim is not decided"
    if "partly" in shades:
        return "it depends on the value of a parameter"
    return "what was tested holds, but a claim says nothing"


def _counted(claims: Sequence[AnyDecided]) -> str:
    total = len(claims)
    found = [shade(claim.certificate) for claim in claims]
    for word, one, all_of_them in _ALIKE:
        if set(found) == {word}:
            return one if total == 1 else all_of_them.format(total)
    parts = [
        f"{found.count(word)} {one if found.count(word) == 1 else more}"
        for word, one, more in _MIXED
        if word in found
    ]
    return f"Of {total} claims: {', '.join(parts)}."


_ALIKE: tuple[tuple[Shade, str, str], ...] = (
    ("certified", "The claim holds.", "All {} claims hold."),
    ("breached", "Not safe: the claim fails.", "Not safe: all {} claims fail."),
    ("unknown", "The claim is not decided.", "None of the {} claims is decided."),
    (
        "partly",
        "Whether it is safe depends on a parameter.",
        "Whether the {} claims hold depends on a parameter.",
    ),
    (
        "vacuous",
        "The claim says nothing: no case can break it.",
        "The {} claims say nothing: no case can break them.",
    ),
)
_MIXED: tuple[tuple[Shade, str, str], ...] = (
    ("breached", "fails", "fail"),
    ("partly", "depends on a parameter", "depend on a parameter"),
    ("unknown", "not decided", "not decided"),
    ("vacuous", "says nothing", "say nothing"),
    ("certified", "holds", "hold"),
)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them; at most seven."""
    shown = [*names[:6], f"{len(names) - 6} more"] if len(names) > 6 else list(names)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
