"""Verdicts in plain words: what was found, and why a claim that holds may say nothing."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BoundWitness, NoCase, Threshold
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.arithmetic.logarithm import exponent_words, ln
from ppdm_formal.declare.arithmetic.people import bound_percent, number_words, percent, share
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Direction
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.report.words.crowd_words import crowd_finding
from ppdm_formal.report.words.outside_words import for_all_words
from ppdm_formal.report.words.several import after_words
from ppdm_formal.report.words.standing import shade
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.witness_words import measured_words, witness_words

_NARROW = Fraction(19, 20)
"""From this share of a limit on, a claim holds narrowly."""


def finding_words(certificate: Certificate) -> str:
    """What the verdict of a claim means, for a rounded matrix also of all matrices within."""
    return _finding(certificate) + for_all_words(certificate)


def _finding(certificate: Certificate) -> str:
    claim, region = certificate.claim, certificate.region
    if claim.of_crowd and not certificate.says_nothing:
        return crowd_finding(certificate)
    match shade(certificate):
        case "unknown":
            return f"Not decided: {certificate.reason}."
        case "breached":
            return witness_words(certificate, "Fails: ")
        case "partly":
            assert region is not None
            return (
                f"Holds exactly for {region_words(region)}, of {region.parameter.told.name} in "
                f"{region.parameter.told.interval}; fails for all others. "
                f"{witness_words(certificate, '')}"
            )
        case "vacuous":
            assert isinstance(claim, BreachClaim)
            return (
                f"Says nothing: {no_case_words(certificate, claim)}. No case can break the claim."
            )
    if region is not None:
        return f"Holds for {region_words(region)}{after_words(claim)}."
    said = f"Holds: {certificate.reason}{after_words(claim)}."
    if isinstance(claim, BoundClaim):
        return _bound_holds(certificate, claim) or said
    return _breach_holds(certificate, claim)


def no_case_words(certificate: Certificate, claim: BreachClaim) -> str:
    """Why no case can test a claim."""
    of = _of(claim)
    if certificate.no_case is NoCase.CERTAIN:
        return f"beforehand the belief{of} is certain, 0% or 100%, so that no report can change it"
    where = _starts(claim)[claim.direction]
    return f"beforehand no belief{of} is {where}, where the claim would forbid a change"


def _of(claim: BreachClaim) -> str:
    return (
        " in any property" if claim.about is None else f" in the property {clean(claim.about.name)}"
    )


def _near(value: Fraction, limit: Fraction) -> str:
    if value == limit:
        return "exactly at the limit of"
    return ("narrowly " if value >= _NARROW * limit else "") + "within the limit of"


def _bound_holds(certificate: Certificate, claim: BoundClaim) -> str:
    """The value that was found, where it is one number, with its decimal and the limit."""
    for case in certificate.worst:
        if isinstance(case, BoundWitness) and case.value is not None:
            measure = measure_named(claim.measure).said
            if claim.measure == "epsilon":
                return _epsilon_holds(case.value, claim)
            if claim.at is not None:
                measure = f"smallest {measure} at epsilon = {exponent_words(claim.at)}"
            value, bound = number_words(case.value), number_words(claim.bound)
            near = _near(case.value, claim.bound)
            return f"Holds: the {measure} is {value}{after_words(claim)}, {near} {bound}."
    found = measured_words(certificate)
    return f"Holds{after_words(claim)}: {found}." if found else ""


def _epsilon_holds(gain: Real, claim: BoundClaim) -> str:
    value, bound = exponent_words(ln(gain)), exponent_words(claim.bound)
    found, limit = log_of(gain), log_of(claim.limit)
    near = "narrowly within" if found.hi >= _NARROW * limit.lo else "within"
    if gain == claim.limit:
        near = "exactly at"
    return f"Holds: epsilon is {value}{after_words(claim)}, {near} the limit of {bound}."


def top_of(threshold: Threshold) -> Fraction | None:
    """The upper end of a threshold; None where there is none."""
    return threshold.hi if isinstance(threshold, Enclosure) else threshold


def _breach_holds(certificate: Certificate, claim: BreachClaim) -> str:
    rho1, rho2 = share(claim.rho1), share(claim.rho2)
    thresholds = certificate.thresholds
    top = None if thresholds is None else top_of(thresholds.rho2_above)
    # Of both directions together the threshold bounds the rise only where they are one question.
    one_question = claim.under is None and claim.about is None
    if not one_question and claim.direction == "both":
        top = None
    of = "" if claim.about is None else _of(claim)
    one = "output" if claim.reports == 1 else f"sequence of {claim.reports:,} reports"
    lowers = f"lowers a belief{of} of {rho2} or more to {rho1} or less"
    if claim.direction == "downward":
        return f"Holds: no {one} {lowers}."
    if top is None:
        said = f"Holds: no {one} raises a belief{of} of {rho1} or less to {rho2} or more"
    else:
        said = (
            f"Holds: seeing any {one} can raise a suspicion{of} of {rho1} or less"
            f" to at most {bound_percent(top, up=True)},"
            f" {_near(top, claim.rho2)} {percent(claim.rho2)}"
        )
    if claim.direction == "both":
        said += f", and none {lowers}"
    return f"{said}.{_untested_words(certificate, claim)}"


def _untested_words(certificate: Certificate, claim: BreachClaim) -> str:
    """That one of two directions says nothing, where no belief starts there."""
    side = certificate.finding.untested
    if side is None:
        return ""
    change = "rising" if side == "upward" else "falling"
    return (
        f" Of {change} it says nothing: beforehand no belief{_of(claim)} is {_starts(claim)[side]}."
    )


def _starts(claim: BreachClaim) -> dict[Direction, str]:
    """From which beliefs a claim forbids a change."""
    rise = f"above 0% and at most {share(claim.rho1)}"
    fall = f"at least {share(claim.rho2)} and below 100%"
    return {"upward": rise, "downward": fall, "both": f"{rise}, or {fall}"}
