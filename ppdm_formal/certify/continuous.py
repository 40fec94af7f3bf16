"""Claims about continuous operators, decided: by their extremes, or by cells under a density.

For all priors the greatest ratio of likelihoods decides, as for finite domains: two-point priors
show that nothing less is enough. Under a density the odds of the property are enclosed for all z,
by branch and bound. A breach needs outputs of positive probability: one atom, or an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.certify.finding import Finding, NoCase, Verdict
from ppdm_formal.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.numbers.deadline import Deadline, DeadlinePassed
from ppdm_formal.numbers.enclosure import Enclosure, ball_of
from ppdm_formal.numbers.exponential import ExpNumber, Real, TooManyPowers
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numbers.value import Infinity
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.belief import Atom, Belief
from ppdm_formal.numeric.continuous.density import Density
from ppdm_formal.numeric.continuous.extremes import Extreme, extremes, ratio_at
from ppdm_formal.numeric.continuous.reals import RealProperty, common
from ppdm_formal.numeric.continuous.search import Above, Below, search

Way: TypeAlias = Literal["upward", "downward"]
PARTS = (1, 8, 32, 96)
"""Into how many cells pieces are cut, until that is enough."""

_MAX_DIGITS = 1000
_FEW = 8


def decide_continuous(operator: ContinuousOperator, claim: Claim, deadline: Deadline) -> Finding:
    """What is found of a claim; unknown where the search would be too long."""
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
            return Finding(
                Verdict.BREACHED,
                words,
                {"kind": "extremes", "witness": _witness(operator, extreme, limit, side == 0)},
            )
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


def _ways(claim: BreachClaim) -> tuple[Way, ...]:
    return ("upward", "downward") if claim.direction == "both" else (claim.direction,)


def _sides(claim: BreachClaim) -> Iterator[tuple[Way, RealProperty | None]]:
    """The directions, each with the property whose probability rises."""
    about = claim.about
    assert about is None or isinstance(about, RealProperty)
    for way in _ways(claim):
        yield way, about if about is None or way == "upward" else about.complement
        if about is None:
            return  # every property, hence every complement


def _all_priors(operator: ContinuousOperator, claim: BreachClaim) -> Finding:
    limit = least_ratio(claim)
    still_open = False
    for way, about in _sides(claim):
        for extreme in extremes(operator, about):
            side = compared(operator, extreme, limit)
            met = side == 0 and (about is not None or extreme.reached != "limit")
            if side is None or (met and about is not None):
                still_open = True
            elif side > 0 or met:
                witness = _witness(operator, extreme, limit, False) | {"direction": way}
                return Finding(
                    Verdict.BREACHED,
                    f"outputs at the {extreme.side} tell two inputs apart as far as a breach needs",
                    {"kind": "extremes", "witness": witness},
                )
    if still_open:
        return _open(claim)
    return Finding(
        Verdict.CERTIFIED,
        "no ratio of likelihoods is as large as a breach needs",
        {"kind": "extremes"},
    )


def _witness(
    operator: ContinuousOperator, extreme: Extreme, limit: Real, met: bool
) -> dict[str, Any]:
    """Two inputs, and outputs that are `limit` times as likely from one as from the other."""
    shown: dict[str, Any] = {
        "side": extreme.side,
        "likely": number_text(extreme.likely),
        "unlikely": number_text(extreme.unlikely),
    }
    if extreme.reached == "atom":
        assert extreme.at is not None
        return shown | {"at": "atom", "z": number_text(extreme.at)}
    if met and extreme.reached == "limit":
        return shown | {"at": "limit", "z": None}
    return shown | {"at": "from", "z": number_text(_from(operator, extreme, limit))}


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
    for way, about in _sides(claim):
        assert about is not None
        start, limit = _start(claim, way), _limit(claim, way)
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
        if answer is None:
            return Finding(
                Verdict.UNKNOWN, "the odds come too close to what the claim allows", vacuous=None
            )
        if isinstance(answer, Above):
            witness = _above_json(answer, way, parts)
            return Finding(
                Verdict.BREACHED,
                f"some outputs take the odds of {claim.about.name} as far as the claim forbids",
                {"kind": "cells", "witness": witness},
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


def _start(claim: BreachClaim, way: Way) -> Fraction:
    """The probability up to which the rising property starts."""
    return claim.rho1 if way == "upward" else 1 - claim.rho2


def _limit(claim: BreachClaim, way: Way) -> Fraction:
    """Its odds that are a breach."""
    top = claim.rho2 if way == "upward" else 1 - claim.rho1
    return top / (1 - top)


def _searched(
    operator: ContinuousOperator,
    density: Density,
    about: RealProperty,
    limit: Fraction,
    deadline: Deadline,
) -> tuple[Below | Above | None, int]:
    for parts in PARTS:
        belief = Belief(operator, density, about, parts)
        answer = search(belief, limit, deadline)
        if answer is not None or belief.exact:
            return answer, parts
    return None, parts


def _above_json(answer: Above, way: Way, parts: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"direction": way, "parts": parts, "atom": answer.atom}
    ends = {"low": answer.low, "high": answer.high}
    return shown | {key: None if z is None else number_text(z) for key, z in ends.items()}


def _every_property(
    operator: ContinuousOperator, claim: BreachClaim, density: Density, deadline: Deadline
) -> Finding:
    """Certified where no prior has a breach; breached by an interval of x that is tried."""
    whole = _all_priors(operator, BreachClaim(claim.rho1, claim.rho2, claim.direction))
    if whole.verdict is Verdict.CERTIFIED:
        return Finding(
            Verdict.CERTIFIED,
            "no prior at all has a breach: no ratio of likelihoods is as large as one needs",
            {"kind": "extremes"},
        )
    for way in _ways(claim):
        limit = _limit(claim, way)
        for about in _tried(density, _start(claim, way)):
            deadline.check()
            answer = _quick(operator, density, about, limit)
            if answer is not None:
                witness = _above_json(answer, way, _FEW) | {
                    "property": [list(map(number_text, part)) for part in about.intervals]
                }
                return Finding(
                    Verdict.BREACHED,
                    f"outputs show that x lies in {about}",
                    {"kind": "cells", "witness": witness},
                )
    return Finding(
        Verdict.UNKNOWN,
        "whether some property breaks it is not decided under a density: name one with for",
        vacuous=None,
    )


def _tried(density: Density, start: Fraction) -> Iterator[RealProperty]:
    """Intervals of about the probability that the claim starts from: at both ends, and between."""
    lo, hi = density.domain.lo, density.domain.hi
    support = [(piece.lo, piece.hi) for piece in density.pieces()]
    first, last = support[0][0], support[-1][1]

    def fits(a: Fraction, b: Fraction) -> bool:
        return density.mass(RealProperty(density.domain, ((a, b),))).hi <= start

    for place in range(9):
        a = first + (last - first) * Fraction(place, 9)
        yield from _grown(density, a, last, fits)
    if fits(first, last):
        return
    b = _grow(lambda t: fits(last - t, last), last - first)
    if b > 0:
        yield RealProperty(density.domain, ((last - b, hi),))
        c = _grow(lambda t: fits(first, first + t), last - first)
        yield RealProperty(density.domain, ((lo, first + c),))


def _grown(
    density: Density, a: Fraction, last: Fraction, fits: Callable[[Fraction, Fraction], bool]
) -> Iterator[RealProperty]:
    length = _grow(lambda t: fits(a, a + t), last - a)
    if length > 0 and common([(a, a + length)], [(p.lo, p.hi) for p in density.pieces()]):
        yield RealProperty(density.domain, ((a, a + length),))


def _grow(fits: Callable[[Fraction], bool], most: Fraction) -> Fraction:
    """The greatest length of 1,024 that fits."""
    low, high = 0, 1024
    while low < high:
        middle = (low + high + 1) // 2
        if fits(most * Fraction(middle, 1024)):
            low = middle
        else:
            high = middle - 1
    return most * Fraction(low, 1024)


def _quick(
    operator: ContinuousOperator, density: Density, about: RealProperty, limit: Fraction
) -> Above | None:
    """An interval of outputs with these odds, near the property or at the ends; or not found."""
    belief = Belief(operator, density, about, _FEW)
    if operator.window is not None and operator.window.kind == "clamped":
        ends: tuple[Atom, ...] = ("lo", "hi")
        for end in ends:
            odds = belief.atom_odds(end)
            if odds is not None and odds[0] >= ball_of(limit):
                return Above(None, None, end)
    spread = Fraction(operator.noise.sd).limit_denominator(1000) or operator.inputs.width
    (a, b), (lo, hi) = about.ends, belief.outputs
    center = operator.noise.center
    for z in _candidates(a + center, b + center, spread):
        if (lo is not None and z <= lo) or (hi is not None and z >= hi):
            continue
        for halving in (6, 20):
            part = spread / 2**halving
            odds = belief.odds(z - part, z + part)
            if odds is not None and odds[0] >= ball_of(limit):
                return Above(z - part, z + part)
    return None


def _candidates(a: Fraction, b: Fraction, spread: Fraction) -> Iterator[Fraction]:
    yield (a + b) / 2
    for far in (0, 1, 2, 4, 8, 16):
        yield a - far * spread
        yield b + far * spread
