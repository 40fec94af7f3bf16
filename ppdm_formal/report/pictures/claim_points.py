"""Claims as points of a picture: (rho1, rho2) with the verdict, and the example that breaks one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BreachWitness, Verdict
from ppdm_formal.declare.arithmetic.people import bound_percent, brief, moved, percent
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.standing import badge, shade
from ppdm_formal.report.words.verdict_words import top_of
from ppdm_formal.report.words.witness_words import at_values


@dataclass(frozen=True)
class ClaimPoint:
    """A breach claim as a point (rho1, rho2), with how it stands and its words in the legend.

    breach: before and after of the example that breaks it, as (across, up), with its words.
    """

    rho1: Fraction
    rho2: Fraction
    verdict: str
    words: str
    breach: tuple[Fraction, Fraction, str] | None = None


def claim_points(
    claims: Sequence[Decided], under: Prior | None
) -> list[tuple[BreachClaim, ClaimPoint]]:
    """The breach claims for every property under all priors, or under one."""
    points = []
    for decided in claims:
        claim = decided.claim
        if (
            isinstance(claim, BreachClaim)
            and claim.about is None
            and claim.knowing is None
            and claim.under == under
        ):
            words = claim_label(decided, claim) + _margin(decided.certificate, claim)
            verdict, breach = shade(decided.certificate), example_point(decided.certificate)
            points.append((claim, ClaimPoint(claim.rho1, claim.rho2, verdict, words, breach)))
    return points


def limits(claim: BreachClaim) -> str:
    """The two numbers of a breach, short."""
    low, high = (brief(value, 12, 4) for value in (claim.rho1, claim.rho2))
    return f"{low} -> {high}"


def claim_label(decided: Decided, claim: BreachClaim) -> str:
    """A claim's line in a legend."""
    return f"claim {decided.number}: {limits(claim)}, {badge(decided.certificate).lower()}"


def _margin(certificate: Certificate, claim: BreachClaim) -> str:
    """How near to the limit a claim that holds comes."""
    thresholds = certificate.thresholds
    top = None if thresholds is None else top_of(thresholds.rho2_above)
    if certificate.verdict is not Verdict.CERTIFIED or top is None:
        return ""
    return f" ({bound_percent(top, up=True)} against {percent(claim.rho2)})"


def example_point(certificate: Certificate) -> tuple[Fraction, Fraction, str] | None:
    """Where the example of a breach stands; one that lowers a belief stands at (after, before)."""
    witness = certificate.witness
    if not isinstance(witness, BreachWitness):
        return None
    before, after = witness.before, witness.after
    words = f"its example: {percent(before)} becomes {moved(before, after)}"
    if witness.parameters:
        words += f", {at_values(witness.parameters)}"
    upward = witness.direction == "upward"
    return (before, after, words) if upward else (after, before, words)
