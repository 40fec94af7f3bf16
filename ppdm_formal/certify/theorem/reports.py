"""Theorems about several reports, each drawn anew: all priors, every property; amplification.

If no likelihood of an output exceeds R times another one, none of n outputs exceeds R^n times.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.theorem.stated import (
    Theorem,
    by_soundness,
    direction,
    spelled,
    thresholds,
    views_given,
)
from ppdm_formal.certify.theorem.term import In, NotCovered, in_coq, rational
from ppdm_formal.checker.claim import BoundClaim, BreachClaim
from ppdm_formal.checker.view import View

MAX_BITS = 20_000  # of R^n
OPERATOR = (
    "forall (X Y Z : Type) (inputs : list X) (p : X -> Y -> Q) (k : X -> Z -> Q),\n"
    "  described views inputs (fun x yz => p x (fst yz)) (fun x yz => k x (snd yz)) anything ->\n"
)


def several(claim: BreachClaim | BoundClaim, views: Sequence[View]) -> Theorem:
    """No breach after so many reports, whatever the prior; or no ratio beyond the bound."""
    if isinstance(claim, BreachClaim) and claim.about is not None:
        raise NotCovered("several reports for one property under all priors")
    most, given = _greatest_ratio(views), views_given(views, claim)
    if claim.reports * (most.numerator * most.denominator).bit_length() > MAX_BITS:
        raise NotCovered("so many reports")
    reports = In("nat", claim.reports)
    if isinstance(claim, BoundClaim):
        bound = rational(claim.limit)
        ratio = "together (p x1) ys / together (p x2) ys"
        statement = (
            f"{OPERATOR}  forall (ys : list Y) (z : Z) x1 x2, length ys = {in_coq(reports)} ->\n"
            "  In x1 inputs -> In x2 inputs -> 0 < together (p x1) ys ->\n"
            f"  0 < together (p x2) ys /\\ {ratio} {claim.relation} {in_coq(bound)}"
        )
        arguments: tuple[object, ...] = (given, most, reports, bound, claim.relation == "<")
        check, proof = by_soundness("check_reports_ratio", "reports_ratio_sound", arguments)
        return Theorem("Reports", (given,), (check,), statement, proof)
    rhos, way = thresholds(claim), direction(claim)
    statement = (
        f"{OPERATOR}  (forall x z, In x inputs -> 0 <= k x z) ->\n"
        "  forall prior, is_prior inputs prior ->\n"
        f"  forall (S : X -> bool) (ys : list Y) (z : Z), length ys = {in_coq(reports)} ->\n"
        f"  ~ breach {way} inputs (fun x => prior x * k x z) (fun x => together (p x) ys)"
        f" {spelled(rhos)} S"
    )
    arguments = (given, most, reports, *rhos)
    check, proof = by_soundness("check_reports", "reports_sound", arguments, (way,))
    return Theorem("Reports", (given,), (check,), statement, proof)


def _greatest_ratio(views: Sequence[View]) -> Fraction:
    """R: of the likelihoods of inputs that what is known does not exclude."""
    found = [Fraction(0)]
    for view in views:
        numbers = [rational(part.likelihood) for part in view.classes if part.knowledge]
        most, least = max(numbers, default=Fraction(0)), min(numbers, default=Fraction(0))
        if most and not least:
            raise NotCovered("several reports without a greatest ratio")
        if most:
            found.append(most / least)
    return rational(max(found))
