"""The breach frontiers of an operator, each with a caption that says what is to be seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.certify.frontier import all_priors, one_prior
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import brief
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.pictures.claim_points import claim_points
from ppdm_formal.report.pictures.frontier import Curve, frontier_picture
from ppdm_formal.report.pictures.parameter_values import sample_values
from ppdm_formal.report.pictures.svg import Picture
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.visible import clean
from ppdm_formal.report.words.witness_words import at_values

_CURVES = 6
_READ = "A claim holds exactly if its point lies above the lines; on a line or below it fails."
_READ_AT = (
    "For each value a claim holds exactly if its point lies above that line; on it or below it, it "
    "fails."
)


def gain_words(value: Fraction | Infinity) -> str:
    """An amplification in a legend."""
    if isinstance(value, Infinity):
        return "infinity"
    return brief(value, 12, 4)


def frontier_pictures(found: OperatorAudit, claims: Sequence[Decided]) -> Iterator[Picture]:
    """The frontier for all priors, and one for each prior that is known, as they are asked for."""
    gain = found.gain
    curves = []
    if is_number(gain) or isinstance(gain, Infinity):
        curves.append(
            Curve(all_priors(gain), f"worst over all priors, amplification {gain_words(gain)}")
        )
    elif len(found.operator.parameters) == 1 and found.amplification is not None:
        parameter = found.operator.parameters[0]
        for value in sample_values(parameter, claims)[:_CURVES]:
            at = found.amplification.at({parameter.name: value})
            if at is not None:
                words = f"{at_values({parameter.name: value})}: amplification {gain_words(at)}"
                curves.append(Curve(all_priors(at), words))
    points = [point for _, point in claim_points(claims, None)]
    if curves:
        title = "Breach frontier, all priors"
        caption = (
            "How far one report can raise a suspicion (across: before, up: after), whatever was "
            f"believed before. {_READ_AT if found.operator.parameters else _READ}"
        )
        yield Picture(title, frontier_picture(curves, points, title), caption)
    for prior in _known_priors(found, claims):
        yield from _known_frontier(found.operator, prior, claims)


def _known_priors(found: OperatorAudit, claims: Sequence[Decided]) -> list[Prior]:
    asked = [part.prior for part in found.priors]
    for decided in claims:
        claim = decided.claim
        if isinstance(claim, BreachClaim) and isinstance(claim.under, Prior):
            asked.append(claim.under)
    if found.operator.parameters:
        return []
    return [prior for prior in dict.fromkeys(asked) if not prior.parameters]


def _known_frontier(operator: Operator, prior: Prior, claims: Sequence[Decided]) -> list[Picture]:
    points = claim_points(claims, prior)
    try:
        found = one_prior(operator, prior, [claim.rho1 for claim, _ in points])
    except TooLarge:
        return []
    if found is None:
        return []
    name = clean(prior.name, 20)
    curves = [
        Curve(found[0], "raised: from x (across) up to y (up)"),
        Curve(found[1], "lowered: from y (up) down to x (across)"),
    ]
    title = f"Breach frontier, prior {name}"
    exact = (
        "Every step is drawn where it is. "
        if all(steps.whole for steps in found)
        else "Exact at the points drawn, between them drawn too high rather than too low. "
    )
    others = ""
    if any(_about_one(decided, prior) for decided in claims):
        others = " Claims for one property are in the picture of that property."
    caption = (
        f"The same for an observer who believes {name}, over every property and output. "
        f"{exact}{_READ}{others}"
    )
    return [Picture(title, frontier_picture(curves, [p for _, p in points], title), caption)]


def _about_one(decided: Decided, prior: Prior) -> bool:
    claim = decided.claim
    return isinstance(claim, BreachClaim) and claim.about is not None and claim.under == prior
