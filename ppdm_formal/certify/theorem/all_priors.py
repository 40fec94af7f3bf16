"""Theorems from evidence "ratio": all priors, for every property or one, and amplification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ppdm_formal.certify.theorem.stated import (
    OPERATOR,
    WEIGHTS,
    Theorem,
    by_soundness,
    direction,
    spelled,
    thresholds,
    views_given,
)
from ppdm_formal.certify.theorem.term import in_coq, rational
from ppdm_formal.checker.claim import BoundClaim, BreachClaim
from ppdm_formal.checker.view import View


def ratio(_: Mapping[str, Any], claim: BreachClaim, views: Sequence[View]) -> Theorem:
    """No breach, whatever the prior."""
    given, rhos, way = views_given(views, claim), thresholds(claim), direction(claim)
    if claim.about is None:
        statement = (
            f"{OPERATOR},\n  described views inputs p k anything ->\n"
            "  forall prior, is_prior inputs prior ->\n"
            f"  forall (S : X -> bool) (y : Y),\n  ~ breach {way} {WEIGHTS} {spelled(rhos)} S"
        )
        arguments: tuple[object, ...] = (given, *rhos)
        check, proof = by_soundness("check_all_priors", "all_priors_sound", arguments, (way,))
    else:
        statement = (
            f"{OPERATOR} (props : nat -> X -> bool),\n"
            "  described views inputs p k (same_properties props) ->\n"
            "  forall prior, is_prior inputs prior ->\n  forall y : Y,\n"
            f"  ~ breach {way} {WEIGHTS} {spelled(rhos)} (props {claim.about}%nat)"
        )
        arguments = (way, claim.about, given, *rhos)
        check, proof = by_soundness("check_all_priors_for", "all_priors_for_sound", arguments)
    return Theorem("AllPriors", (given,), (check,), statement, proof)


def amplification(claim: BoundClaim, views: Sequence[View]) -> Theorem:
    """No ratio of likelihoods beyond the bound."""
    given, bound = views_given(views, claim), rational(claim.limit)
    arguments = (given, bound, claim.relation == "<")
    statement = (
        f"{OPERATOR},\n  described views inputs p k anything ->\n"
        "  forall y x1 x2, In x1 inputs -> In x2 inputs -> 0 < p x1 y ->\n"
        f"  0 < p x2 y /\\ p x1 y / p x2 y {claim.relation} {in_coq(bound)}"
    )
    check, proof = by_soundness("check_amplification", "amplification_sound", arguments)
    return Theorem("AllPriors", (given,), (check,), statement, proof)
