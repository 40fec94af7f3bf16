"""Breach frontier: the worst posterior against the prior, for all priors and for one.

    all priors:  r -> g r / (1 - r + g r), g the amplification (EGS03 Statement 1 and its converse)
    one prior:   K -> A(K) = max of P[Q | Y = y] over y and over Q with P[Q] <= K
                 K -> B(K) = max of P[Q] over y and over Q with P[Q | Y = y] <= K

A claim r1 -> r2 holds exactly where its point (r1, r2) lies above the frontier. Values are exact or
bounds on the unsafe side; the work is limited by counting steps, so that it is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.knapsack import Effort, Knapsack, maximize
from ppdm_formal.certify.known_prior import Shares, shares_of
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator

_PARTS = 50
"""Into how many parts an axis is divided where the steps are too many to draw each."""

_STEPS = 60
"""Up to so many steps of a frontier are each drawn where they are."""

_WORK = 40_000
"""How many classes and views are gone through; operators with more get fewer points."""

_VIEW = 8
"""What a view costs besides its classes."""

_FEWEST = 8
_JUMPS = 4
_JUST_BELOW = Fraction(999, 1000)
_EFFORT = Effort(ample=600, hard=600)

Point = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class FrontierSteps:
    """A growing step function by its points; whole: every step is there, as it is."""

    points: tuple[Point, ...]
    whole: bool


def worst_posterior_for(prior: Fraction, amplification: Fraction | Infinity) -> Fraction:
    """The largest posterior that any prior and property of that prior mass can reach.

    >>> str(worst_posterior_for(Fraction(1, 7), Fraction(1202, 201)))
    '601/1204'
    """
    if isinstance(amplification, Infinity):
        return ONE if prior else ZERO
    return amplification * prior / (1 - prior + amplification * prior)


def all_priors(amplification: Fraction | Infinity) -> tuple[Point, ...]:
    """The frontier for all priors, at points that are close on both axes."""
    if isinstance(amplification, Infinity):
        return ((ZERO, ZERO), (ZERO, ONE), (ONE, ONE))
    even = [Fraction(k, _PARTS) for k in range(_PARTS + 1)]
    back = [y / (y + amplification * (1 - y)) for y in even]
    return tuple((r, worst_posterior_for(r, amplification)) for r in sorted({*even, *back}))


def one_prior(
    operator: Operator, prior: Prior, at: Sequence[Fraction] = ()
) -> tuple[FrontierSteps, FrontierSteps] | None:
    """A and B for a known prior without free parameters; None where the views are too many.

    at: where they must be exact in any case, the claims' rho1.
    """
    found = [shares_of(view) for view in operator.views(prior)]
    shares = [one for one in found if one is not None]
    size = sum(len(before.multiples) + _VIEW for before, _, _ in shares)
    if size * _FEWEST > _WORK:
        return None
    parts = max(_FEWEST, min(_PARTS, _WORK // (2 * size)))
    raised = [(after, before, counts) for before, after, counts in shares]
    return _steps(raised, parts, at), _steps(shares, parts, at)


def _steps(problems: Sequence[Shares], parts: int, at: Sequence[Fraction]) -> FrontierSteps:
    """K -> max of the values within weight K, over all views."""
    places = _places(problems)
    whole = places is not None
    if places is None:
        even = (Fraction(k, parts) for k in range(parts + 1))
        places = sorted({*at, *even, *_jumps(problems)})
    points = []
    for place in places:
        found = maximize([Knapsack(v, w, n, place) for v, w, n in problems], _EFFORT)
        points.append((place, found.at_most))
    return FrontierSteps(tuple(points), whole)


def _jumps(problems: Sequence[Shares]) -> set[Fraction]:
    """The weights of single inputs, where they are few, and places just below them.

    A likely input of its own is a high step, which would be drawn too far to the left.
    """
    found = {k * weights.unit for _, weights, _ in problems for k in weights.multiples if k}
    if len(found) > _JUMPS:
        return set()
    return found | {weight * _JUST_BELOW for weight in found}


def _places(problems: Sequence[Shares]) -> list[Fraction] | None:
    """All weights that some choice has, or None where they are many."""
    found: set[Fraction] = {ZERO}
    for _, weights, counts in problems:
        sums = {ZERO}
        for multiple, count in zip(weights.multiples, counts, strict=True):
            if not multiple:
                continue
            weight = multiple * weights.unit
            if count >= _STEPS:
                return None
            sums = {s + n * weight for s in sums for n in range(count + 1)}
            if len(sums) > _STEPS:
                return None
        found |= sums
        if len(found) > _STEPS:
            return None
    return sorted(found)
