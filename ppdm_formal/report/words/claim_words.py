"""What is said of a failed claim beyond its verdict: the worst case, and how often."""

from __future__ import annotations

from ppdm_formal.certify.finding import BreachWitness, Verdict
from ppdm_formal.claim import BreachClaim, Claim
from ppdm_formal.numbers.exact import is_number
from ppdm_formal.numbers.people import bound_percent, moved_share, share
from ppdm_formal.operator.domain import show_value
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.weighed import witness_chance
from ppdm_formal.report.words.witness_words import at_values, is_worst


def worst_words(decided: Decided) -> str:
    """The worst output for a claim's own property, where the example is not that."""
    certificate, claim = decided.certificate, decided.claim
    witness = certificate.witness
    if not isinstance(witness, BreachWitness) or is_worst(certificate) or claim.reports > 1:
        return ""
    assert isinstance(claim, BreachClaim)
    which = {"upward": "highest", "downward": "lowest"}[witness.direction]
    for row in decided.found.posteriors:
        named = (row.prior, row.property) == (claim.under, claim.about)
        if row.worst != which or not named or row.after == witness.after:
            continue
        if is_number(row.after):
            output, after = clean(show_value(row.given)), moved_share(witness.before, row.after)
            return f"The example is not the worst: output {output} takes it to {after}."
    if certificate.thresholds and claim.direction == "both" and claim.about is None:
        return (
            "Lowering a belief as far is a breach too: the limits below are those at which "
            "neither is left."
        )
    return ""


def often_words(decided: Decided) -> str:
    """How often an output that breaches occurs."""
    often, certificate = decided.often, decided.certificate
    if decided.verdict is not Verdict.BREACHED:
        return ""
    if often is None:
        large = any(view.relative for view in certificate.views)
        why = "operators of this size" if large else "claims of this kind"
        return f"The worked example shows one case; how often is not computed for {why}."
    some = _some(decided.claim)
    values = "" if certificate.witness is None else at_values(certificate.witness.parameters)
    at, each, an = (f"At {values}: ", "each", "an") if values else ("", "Each", "An")
    if often.every_output:
        said = f"{at}{each} possible output breaches it{some}"
        chance = witness_chance(certificate)
        if not some or chance is None:
            return f"{said}."
        return f"{said}; that of the example occurs in {share(chance)} of reports under its prior."
    parts = []
    for part in often.under:
        if part.least == part.most:
            parts.append(f"{share(part.most)} of all reports under the prior {clean(part.prior)}")
        else:
            parts.append(
                f"at most {bound_percent(part.most, up=True)} of all reports under the prior "
                f"{clean(part.prior)}"
            )
    if often.over_inputs is not None:
        word = "" if often.exact else "at most "
        who = "" if often.exposed is None else f", {clean(show_value(often.exposed), 30)}"
        parts.append(
            f"{word}{share(often.over_inputs)} of the reports of the most exposed true value{who}"
        )
    return f"{at}{an} output that breaches{some} occurs in " + ", and in ".join(parts) + "."


def _some(claim: Claim) -> str:
    if not isinstance(claim, BreachClaim):
        return ""
    if claim.about is None:
        return " for some property" if claim.under is not None else " for some prior and property"
    return " for some prior" if claim.under is None else ""
