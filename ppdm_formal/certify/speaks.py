"""When a claim would speak: the beliefs nearest to where it starts, for a claim that no case tests.

Upward cases have 0 < P[Q | z] <= rho1. If no belief is that low, the least belief beforehand
above 0 is the rho1 from which on the claim says something; downward, the greatest below 1 is
the rho2 down from which it does. For a family of priors these are linear programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from ppdm_formal.certify.family import constraint_rows
from ppdm_formal.certify.finding import Speaks, Start
from ppdm_formal.certify.vacuity import AlikeInputs, groups_beforehand, vacuity
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, is_rational
from ppdm_formal.declare.arithmetic.simplex import Impossible, LinearRow, maximize
from ppdm_formal.declare.claim import BreachClaim, Direction
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.view import View

Inside: TypeAlias = tuple[bool, ...]
"""A property by its groups, or one input of one of them."""


def speaks(views: Sequence[View], claim: BreachClaim, deadline: Deadline = NEVER) -> Speaks | None:
    """From which rho1 on, and down from which rho2, a claim without a case would have one.

    None where no number does (every belief is certain), or with numbers that are not rational.
    """
    if claim.under is None:
        return None
    lows: list[Fraction] = []
    highs: list[Fraction] = []
    for groups in groups_beforehand(views):
        if not all(is_rational(v) for g in groups for v in (g.known, g.prior) if v is not None):
            return None
        for inside in _properties(groups, claim):
            deadline.check()
            low, high = _least_and_most(groups, inside, claim)
            lows += [low] if 0 < low < 1 else []
            highs += [high] if 0 < high < 1 else []
            if claim.about is None:  # the complement is a property too
                highs += [1 - low] if 0 < low < 1 else []
    up = min(lows) if lows and claim.direction != "downward" else None
    down = max(highs) if highs and claim.direction != "upward" else None
    if up is None and down is None:
        return None
    return Speaks(
        None if up is None else Start(up, _has_case(views, claim, "upward", up, deadline)),
        None if down is None else Start(down, _has_case(views, claim, "downward", down, deadline)),
    )


def untested(
    views: Sequence[View], claim: BreachClaim, deadline: Deadline = NEVER
) -> Direction | None:
    """The direction of a claim about both that no case can test, although the other one is."""
    if claim.direction != "both" or claim.under is None:
        return None
    sides: tuple[Direction, Direction] = ("upward", "downward")
    for side in sides:
        if vacuity(views, replace(claim, direction=side), (), deadline)[0]:
            return side
    return None


def _properties(groups: Sequence[AlikeInputs], claim: BreachClaim) -> Iterator[Inside]:
    if claim.about is not None:
        yield tuple(group.member[0] for group in groups)
        return
    for place in range(len(groups)):
        yield tuple(place == other for other in range(len(groups)))


def _least_and_most(
    groups: Sequence[AlikeInputs], inside: Inside, claim: BreachClaim
) -> tuple[Fraction, Fraction]:
    """The ends of P[Q | z] over the claim's priors; (0, 0) where z excludes all."""
    if isinstance(claim.under, Prior):
        total: Any = sum((g.count * g.held for g in groups), ZERO)
        counted = [1 if claim.about is None else g.count for g in groups]
        own = sum((n * g.held for n, g, i in zip(counted, groups, inside, strict=True) if i), ZERO)
        share = own / total if total else ZERO
        return share, share
    return -_program(groups, inside, claim, -ONE), _program(groups, inside, claim, ONE)


def _program(
    groups: Sequence[AlikeInputs], inside: Inside, claim: BreachClaim, sign: Fraction
) -> Fraction:
    """Max of sign P[Q | z]: masses scaled so that those that z allows, weighed by it, sum to 1."""
    assert isinstance(claim.under, PriorFamily)
    known: list[Any] = [group.known for group in groups]
    rows: list[LinearRow] = [(known, -ONE, "==")]
    for row in constraint_rows([group.member for group in groups], claim):
        # The masses sum to 1 before they are scaled: the constant is so many times their sum.
        coefficients = [c + row.constant for c in row.coefficients]
        rows.append((coefficients, ZERO, "==" if row.relation == "==" else ">="))
    goal = [sign * k if i else ZERO for k, i in zip(known, inside, strict=True)]
    found = maximize(goal, rows)
    return ZERO if isinstance(found, Impossible) else found.value


def _has_case(
    views: Sequence[View], claim: BreachClaim, side: Direction, at: Fraction, deadline: Deadline
) -> bool:
    """Whether the belief itself is a case: constraints may only come near it."""
    rho1, rho2 = (at, (at + 1) / 2) if side == "upward" else (at / 2, at)
    asked = replace(claim, rho1=rho1, rho2=rho2, direction=side)
    return vacuity(views, asked, (), deadline)[0] is False
