"""What is said of a failed claim beyond its verdict: the worst case, and how often."""

from __future__ import annotations

from ppdm_formal.certify.actual import actual_changes
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BreachWitness
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import bound_percent, moved_share, share
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.report.words.crowd_words import crowd_often
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.several import seen_words
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.weighed import witness_chance
from ppdm_formal.report.words.witness_words import at_witness, is_worst


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
    return _further_words(certificate, claim, witness)


def _further_words(certificate: Certificate, claim: BreachClaim, witness: BreachWitness) -> str:
    """Why the example does not reach the limits: another output goes further, or a fall does."""
    worst = {case.direction: case for case in certificate.worst if isinstance(case, BreachWitness)}
    same = worst.get(witness.direction)
    if same is None or certificate.thresholds is None:
        return ""
    if same.after == witness.after:
        if claim.direction != "both" or claim.under is None:
            return ""
        other = "Lowering" if witness.direction == "upward" else "Raising"
        return (
            f"{other} a belief is a breach too, and goes further: the limits below are those at "
            "which neither is left."
        )
    output = seen_words(claim.seen([certificate.views[same.view]])[0], claim)
    said = (
        "The example is the first breach that was found, not the worst: output "
        f"{output} takes a property from {share(same.before)} to "
        f"{moved_share(same.before, same.after)}, and the limits below are about that."
    )
    if claim.direction == "both" and claim.under is None and claim.about is None:
        said += (
            " Lowering a belief is raising its opposite, so that both go equally far where all "
            "priors are allowed."
        )
    return said


def actual_words(certificate: Certificate) -> str:
    """What the outputs make of the claim's own property under its prior, whatever was claimed."""
    found, claim = actual_changes(certificate), certificate.claim
    if found is None or not isinstance(claim, BreachClaim) or claim.about is None:
        return ""
    name = clean(claim.about.name)
    said = []
    for change, rises in ((found.highest, True), (found.lowest, False)):
        if (change.after > change.before) is rises and change.after != change.before:
            seen = seen_words(change.view, claim)
            to = moved_share(change.before, change.after)
            said.append(f"{share(change.before)} becomes {to} (output {seen})")
    if not said:
        alike = found.highest.before == found.lowest.before
        stays = f": it stays {share(found.highest.before)}" if alike else ""
        return f"No output changes the belief in {name}{stays}."
    return f"The belief in {name}, at worst: {', and '.join(said)}."


def often_words(decided: Decided) -> str:
    """How often an output that breaches occurs."""
    often, certificate = decided.often, decided.certificate
    if not decided.verdict.fails:
        return ""
    if decided.claim.of_crowd:
        return crowd_often(certificate)
    if often is None:
        large = any(view.relative for view in certificate.views)
        why = "operators of this size" if large else "claims of this kind"
        return f"The worked example shows one case; how often is not computed for {why}."
    some = _some(decided.claim)
    values = at_witness(certificate)
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
