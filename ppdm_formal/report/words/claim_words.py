"""What is said of a decided claim beyond its verdict: where it flips, the worst case, how often."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.claim import BoundClaim, BreachClaim
from ppdm_formal.measures.record import Reading
from ppdm_formal.numbers.people import bound_percent, moved_share, number_words, share
from ppdm_formal.numbers.value import Infinity
from ppdm_formal.operator.domain import show_value
from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.parts.worked import witness_chance
from ppdm_formal.report.words.verdict_words import is_worst
from ppdm_formal.report.words.visible import clean


def bound_flip(decided: Decided) -> str:
    """The measured value, at which a bound claim changes its verdict."""
    claim, found = decided.certificate.claim, decided.found
    assert isinstance(claim, BoundClaim)
    name = claim.measure.replace("_", " ")
    readings = found.readings
    if claim.prior is not None:
        readings = next((p.readings for p in found.priors if p.prior == claim.prior), ())
    one = next((one for one in readings if one.measure.name == claim.measure), None)
    if not isinstance(one, Reading):
        return f"It holds exactly for bounds that the {name} satisfies."
    if claim.unit is not None and one.unit != claim.unit:
        return "See the measures below."
    word = "above" if claim.relation == "<" else "of at least"
    if isinstance(one.value, Infinity):
        return f"The {name} is infinite: it holds for no bound."
    value = number_words(one.value) if isinstance(one.value, Fraction) else one.text
    return f"The {name} is {value}: it holds exactly for bounds {word} that."


def worst_words(decided: Decided) -> str:
    """The worst output for a claim's own property, where the example is not that."""
    summary, claim = decided.summary, decided.certificate.claim
    if decided.verdict != "breached" or not isinstance(claim, BreachClaim) or is_worst(summary):
        return ""
    witness = summary["witness"]
    before, example = Fraction(witness["before"]), Fraction(witness["after"])
    which = {"upward": "highest", "downward": "lowest"}[witness["direction"]]
    for row in decided.found.posteriors:
        named = (row.prior, row.property) == (claim.under, claim.about)
        if row.worst != which or not named or row.after == example:
            continue
        if isinstance(row.after, Fraction):
            output, after = clean(show_value(row.given)), moved_share(before, row.after)
            return f"The example is not the worst: output {output} takes it to {after}."
    if summary["thresholds"] and claim.direction == "both" and claim.about is None:
        return (
            "Lowering a belief as far is a breach too: the limits below are those at which "
            "neither is left."
        )
    return ""


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
    each, an = ("each", "an") if at else ("Each", "An")
    if often.every_output:
        said = f"{at}{each} possible output breaches it{some}"
        chance = witness_chance(decided.certificate)
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


def _some(certificate: Certificate) -> str:
    claim = certificate.claim
    if isinstance(claim, BreachClaim) and claim.about is None:
        return " for some property" if claim.under is not None else " for some prior and property"
    return " for some prior" if isinstance(claim, BreachClaim) and claim.under is None else ""
