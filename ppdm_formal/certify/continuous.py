"""Claims about continuous operators, decided: by their extremes, or by cells under a density.

For all priors the greatest ratio of likelihoods decides, as for finite domains: two-point priors
show that nothing less is enough. Under a density the odds of the property are enclosed for all z,
by branch and bound. A breach needs outputs of positive probability: one atom, or an interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from ppdm_formal.certify.every_real_property import decide_every_property
from ppdm_formal.certify.finding import Finding, NoCase, Verdict
from ppdm_formal.certify.real_cases import (
    far_out,
    odds_of,
    reaches,
    starts_at,
    too_far,
    ways,
)
from ppdm_formal.certify.real_witness import TakenFar, ToldApart, Way, breached
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, TooManyPowers
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.belief import Belief
from ppdm_formal.derive.reals.extremes import Extreme, extremes, ratio_at
from ppdm_formal.derive.reals.search import MAX_CUTS, Above, Below, search

PARTS = ((1, 300), (8, 1000), (32, 4000), (96, MAX_CUTS))
"""Into how many cells pieces are cut, and how many cuts of outputs are worth while with them."""

_MAX_DIGITS = 1000


def decide_continuous(operator: ContinuousOperator, claim: Claim, deadline: Deadline) -> Finding:
    """What is found of a claim; unknown where the search would be too long."""
    if claim.crowd is not None:
        reason = f"after {claim.crowd.how} is for operators on finite sets: round to a grid"
        return Finding(Verdict.UNKNOWN, reason, vacuous=None)
    try:
        if isinstance(claim, BoundClaim):
            return _bound(operator, claim)
        if isinstance(claim.under, Density):
            return _under_density(operator, claim, claim.under, deadline)
        return _all_priors(operator, claim)
    except DeadlinePassed as late:
        return Finding(Verdict.UNKNOWN, str(late), vacuous=None)
    except TooManyPowers as problem:
        return Finding(Verdict.UNKNOWN, str(problem), vacuous=None)


# -- by extremes ---------------------------------------------------------------------------------


def least_ratio(claim: BreachClaim) -> Real:
    """The ratio of likelihoods from which a breach exists: rho2 (1 - rho1) / (rho1 (1 - rho2))."""
    ratio: Real = claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))
    return ratio


def _bound(operator: ContinuousOperator, claim: BoundClaim) -> Finding:
    limit = claim.limit
    verdicts = []
    for extreme in extremes(operator):
        side = compared(operator, extreme, limit)
        if side is None:
            verdicts.append(_open(claim))
        elif side > 0 or (side == 0 and claim.relation == "<"):
            words = f"outputs at the {extreme.side} break the bound"
            return breached(words, "extremes", _witness(operator, extreme, limit, side == 0))
    if verdicts:
        return verdicts[0]
    return Finding(
        Verdict.CERTIFIED, "no ratio of likelihoods is above the bound", {"kind": "extremes"}
    )


def _open(claim: Claim) -> Finding:
    return Finding(
        Verdict.UNKNOWN,
        f"{_MAX_DIGITS} digits do not tell the ratio of likelihoods from what the claim allows",
        vacuous=None if isinstance(claim, BreachClaim) else False,
    )


def compared(operator: ContinuousOperator, extreme: Extreme, limit: Real) -> int | None:
    """-1, 0, 1: below, at or above a limit; None where no number of digits decides."""
    value, digits = extreme.value, 15
    while isinstance(value, Enclosure):
        low, high = _ends(limit, digits)
        if value.hi < low:
            return -1
        if value.lo > high:
            return 1
        if digits > _MAX_DIGITS:
            return None
        digits *= 4
        value = extreme.refined(operator, digits)
    if isinstance(value, Infinity):
        return 1
    return int(value > limit) - int(value < limit)


def _ends(limit: Real, digits: int) -> tuple[Fraction, Fraction]:
    return limit.between(4 * digits) if isinstance(limit, ExpNumber) else (limit, limit)


def sides(claim: BreachClaim) -> Iterator[tuple[Way, RealProperty | None]]:
    """The directions, each with the property whose probability rises."""
    about = claim.about
    assert about is None or isinstance(about, RealProperty)
    for way in ways(claim):
        yield way, about if about is None or way == "upward" else about.complement
        if about is None:
            return  # every property, hence every complement


def _all_priors(operator: ContinuousOperator, claim: BreachClaim) -> Finding:
    limit = least_ratio(claim)
    still_open = False
    for way, about in sides(claim):
        for extreme in extremes(operator, about):
            side = compared(operator, extreme, limit)
            met = side == 0 and (about is not None or extreme.reached != "limit")
            if side is None or (met and about is not None):
                still_open = True
            elif side > 0 or met:
                witness = _witness(operator, extreme, limit, False, way)
                words = "tell two inputs apart as far as a breach needs"
                return breached(f"outputs at the {extreme.side} {words}", "extremes", witness)
    if still_open:
        return _open(claim)
    return Finding(
        Verdict.CERTIFIED,
        "no ratio of likelihoods is as large as a breach needs",
        {"kind": "extremes"},
    )


def _witness(
    operator: ContinuousOperator, extreme: Extreme, limit: Real, met: bool, way: Way | None = None
) -> ToldApart:
    """Two inputs, and outputs that are `limit` times as likely from one as from the other."""
    told = partial(ToldApart, extreme.side, extreme.likely, extreme.unlikely, direction=way)
    if extreme.reached == "atom":
        assert extreme.at is not None
        return told("atom", extreme.at)
    if met and extreme.reached == "limit":
        return told("limit", None)
    return told("from", _from(operator, extreme, limit))


def _from(operator: ContinuousOperator, extreme: Extreme, limit: Real) -> Fraction:
    """A z from which on, up to the end of the outputs, the ratio is at least the limit."""
    low, high = operator.outputs
    sign = 1 if extreme.side == "top" else -1
    end = high if sign > 0 else low
    if extreme.reached == "region":
        assert extreme.at is not None
        if not isinstance(extreme.value, Infinity):
            return extreme.at
        most = operator.noise.support[1 if sign > 0 else 0]
        if most is not None:
            last = extreme.likely + most
            end = last if end is None else (min(last, end) if sign > 0 else max(last, end))
        assert end is not None
        return (extreme.at + end) / 2
    start = extreme.likely if end is None else extreme.unlikely
    width = operator.inputs.width
    for step in range(10_000):
        z = start + sign * width * step * step if end is None else end - sign * width / 2**step
        value = ratio_at(operator, z, extreme.likely, extreme.unlikely)
        if value is not None and value.lower() >= ball_of(_ends(limit, 30)[1]):
            return z
    raise DeadlinePassed("no output found that shows it")


# -- under a density -----------------------------------------------------------------------------


def _under_density(
    operator: ContinuousOperator, claim: BreachClaim, density: Density, deadline: Deadline
) -> Finding:
    if claim.about is None:
        return _every_property(operator, claim, density, deadline)
    found: list[dict[str, Any]] = []
    cases = 0
    for way, about in sides(claim):
        assert about is not None
        start, limit = starts_at(claim, way), odds_of(reaches(claim, way))
        before = density.mass(about)
        if before.hi == 0 or before.lo > start:
            found.append({"direction": way, "starts": False})
            continue
        if before.hi > start:
            return Finding(
                Verdict.UNKNOWN,
                f"{claim.about.name} has a probability too close to where the claim starts",
                vacuous=None,
            )
        cases += 1
        answer, parts = _searched(operator, density, about, limit, deadline)
        side = told_in_the_limit(operator, density, about)
        if side is not None and (answer is None or too_far(operator, answer)):
            return breached(
                f"the further out the output, the surer is {claim.about.name} or its contrary",
                "cells",
                TakenFar(way, limit=side),
            )
        if answer is None or too_far(operator, answer):
            words = "the odds come too close to what the claim allows"
            if answer is not None:
                words = "a breach was found so far out that no certificate has the digits for it"
            return Finding(Verdict.UNKNOWN, words, vacuous=None)
        if isinstance(answer, Above):
            return breached(
                f"some outputs take the odds of {claim.about.name} as far as the claim forbids",
                "cells",
                TakenFar(way, parts, answer.atom, answer.low, answer.high),
            )
        found.append(
            {
                "direction": way,
                "starts": True,
                "parts": parts,
                "cuts": [number_text(cut) for cut in answer.cuts],
                "tails": list(answer.tails),
                "atoms": list(answer.atoms),
            }
        )
    if not cases:
        return Finding(
            Verdict.CERTIFIED,
            f"beforehand, {claim.about.name} has no probability from which the claim forbids a"
            " change",
            {"kind": "cells", "ways": found},
            vacuous=True,
            no_case=NoCase.ELSEWHERE,
        )
    return Finding(
        Verdict.CERTIFIED,
        f"the odds of {claim.about.name} stay within what the claim allows for every output",
        {"kind": "cells", "ways": found},
    )


def told_in_the_limit(
    operator: ContinuousOperator, density: Density, about: RealProperty
) -> Literal["top", "bottom"] | None:
    """At which end of the outputs a belief comes as close to 1 as one likes."""
    if not far_out(operator):
        return None
    support = [(piece.lo, piece.hi) for piece in density.pieces()]
    first, last = support[0][0], support[-1][1]
    if any(a < last <= b for a, b in about.intervals):
        return "top"
    return "bottom" if any(a <= first < b for a, b in about.intervals) else None


def _searched(
    operator: ContinuousOperator,
    density: Density,
    about: RealProperty,
    limit: Fraction,
    deadline: Deadline,
) -> tuple[Below | Above | None, int]:
    for parts, cuts in PARTS:
        belief = Belief(operator, density, about, parts)
        answer = search(belief, limit, deadline, MAX_CUTS if belief.exact else cuts)
        if answer is not None or belief.exact:
            return answer, parts
    return None, parts


def _every_property(
    operator: ContinuousOperator, claim: BreachClaim, density: Density, deadline: Deadline
) -> Finding:
    """Certified where no prior has a breach; otherwise by levels of likelihood."""
    whole = _all_priors(operator, BreachClaim(claim.rho1, claim.rho2, claim.direction))
    if whole.verdict is Verdict.CERTIFIED:
        return Finding(
            Verdict.CERTIFIED,
            "no prior at all has a breach: no ratio of likelihoods is as large as one needs",
            {"kind": "extremes"},
        )
    return decide_every_property(operator, claim, density, deadline)
