"""A claim with free parameters as inequalities: violated iff in some alternative all of them hold.

An inequality is `value > 0` or `value >= 0` with a closed form in the parameters. Nothing is
divided by, so likelihoods that vanish somewhere need no special care.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, Exact, is_symbolic, simplify
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.discovery import measure_named

MAX_ALTERNATIVES = 4096
"""More are not written down: the claim is then unknown while parameters are free."""


@dataclass(frozen=True)
class Inequality:
    """value > 0 if strict, otherwise value >= 0."""

    value: Exact
    strict: bool


Alternative = tuple[Inequality, ...]


class Standing(Protocol):
    """Which class stands for each class of a view, as the more and as the less likely one."""

    @property
    def above(self) -> Sequence[int]:
        """As likely at least."""

    @property
    def below(self) -> Sequence[int]:
        """As unlikely at least."""


class TooManyAlternatives(Exception):
    """The claim cannot be written down as a moderate number of inequalities."""


def violations(
    views: Sequence[View], claim: Claim, standing: Sequence[Standing] | None = None
) -> list[Alternative]:
    """All ways to violate the claim, each once, constant inequalities settled.

    The views are the claim's own, of one report where ratios decide. standing: for each view the
    classes that stand for all as the likely and the unlikely ones.
    """
    if isinstance(claim, BoundClaim) and not measure_named(claim.measure).of_ratios:
        raise TooManyAlternatives(f"a bound on {claim.measure}")
    if isinstance(claim, BoundClaim) or claim.under is None:
        found = _ratios(views, claim, standing)
    elif isinstance(claim.under, Prior):
        found = _one_prior(views, claim)
    else:
        raise TooManyAlternatives("a family of priors")
    kept: dict[Alternative, None] = {}
    for alternative in found:
        left = settled(alternative)
        if left is not None:
            kept[left] = None
        if len(kept) > MAX_ALTERNATIVES:
            raise TooManyAlternatives("a claim with so many cases")
    return list(kept)


def settled(alternative: Alternative) -> Alternative | None:
    """Without its constant inequalities; None where one of them is false."""
    open_ones: list[Inequality] = []
    for inequality in alternative:
        value = simplify(inequality.value)
        if is_symbolic(value):
            open_ones.append(Inequality(value, inequality.strict))
        elif value < 0 or (inequality.strict and value == 0):
            return None
    return tuple(dict.fromkeys(open_ones))


def weights(claim: Claim) -> tuple[Exact, Exact, bool]:
    """A pair violates a claim iff more * (likely) - less * (unlikely) is > 0 (strict), or >= 0."""
    if isinstance(claim, BoundClaim):
        return ONE, claim.limit, claim.relation == "<="
    return claim.rho1 * (1 - claim.rho2), claim.rho2 * (1 - claim.rho1), False


def possible_sides(view: View, claim: Claim) -> Iterator[tuple[list[int], list[int]]]:
    """Which classes may be the likely input of a pair, and which the unlikely one."""
    places = [place for place, part in enumerate(view.classes) if part.known != ZERO]
    if isinstance(claim, BoundClaim) or claim.about is None:
        found = [(places, places)]
    else:
        inside = [place for place in places if view.classes[place].member[0]]
        outside = [place for place in places if place not in inside]
        up, down = [(inside, outside)], [(outside, inside)]
        found = up if claim.direction == "upward" else down
        found = up + down if claim.direction == "both" else found
    yield from ((likely, unlikely) for likely, unlikely in found if likely and unlikely)


def _ratios(
    views: Sequence[View], claim: Claim, standing: Sequence[Standing] | None
) -> Iterable[Alternative]:
    """A likely input and an unlikely one: more L - less l is above 0 (or 0), and L is."""
    more, less, strict = weights(claim)
    about = claim.about if isinstance(claim, BreachClaim) else None
    direction = claim.direction if isinstance(claim, BreachClaim) else None
    met: set[Any] = set()
    for position, view in enumerate(views):
        likely = unlikely = list(range(len(view.classes)))
        if standing is not None:
            likely = [place for place in likely if standing[position].above[place] == place]
            unlikely = [place for place in unlikely if standing[position].below[place] == place]
        for pair in itertools.product(likely, unlikely):
            one, two = (view.classes[place] for place in pair)
            if about is not None and (
                one.member[0] == two.member[0]
                or direction == ("downward" if one.member[0] else "upward")
            ):
                continue
            key = (one.likelihood, one.known, two.likelihood, two.known)
            if key in met:
                continue
            met.add(key)
            if len(met) > 4 * MAX_ALTERNATIVES:
                raise TooManyAlternatives("an operator with so many different likelihoods")
            known = (
                ()
                if direction is None
                else (Inequality(one.known, True), Inequality(two.known, True))
            )
            seen, unseen = one.likelihood**claim.reports, two.likelihood**claim.reports
            over = more * seen - less * unseen
            yield (*known, Inequality(one.likelihood, True), Inequality(over, strict))


def chosen_counts(view: View, claim: BreachClaim) -> Iterable[tuple[int, ...]]:
    """How many inputs of each class have the property: the claim's own, or any."""
    if claim.about is not None:
        return [tuple(c.count if c.member[0] else 0 for c in view.classes)]
    if math.prod(c.count + 1 for c in view.classes) > MAX_ALTERNATIVES:
        raise TooManyAlternatives("every property of so many inputs")
    return itertools.product(*(range(c.count + 1) for c in view.classes))


def _one_prior(views: Sequence[View], claim: BreachClaim) -> Iterable[Alternative]:
    """Definition 1 for each choice of how many inputs of each class have the property."""
    for view in views:
        held: list[Any] = [c.held for c in view.classes]
        seen = [h * c.likelihood for h, c in zip(held, view.classes, strict=True)]
        counts = [c.count for c in view.classes]
        mass, joint = _sum(counts, held), _sum(counts, seen)
        for chosen in chosen_counts(view, claim):
            before, after = _sum(chosen, held), _sum(chosen, seen)
            reached = Inequality(joint, True)
            if claim.direction != "downward":
                yield (
                    reached,
                    Inequality(claim.rho1 * mass - before, False),
                    Inequality(after - claim.rho2 * joint, False),
                )
            if claim.direction != "upward":
                yield (
                    reached,
                    Inequality(before - claim.rho2 * mass, False),
                    Inequality(claim.rho1 * joint - after, False),
                )


def _sum(counts: Sequence[int], values: Sequence[Any]) -> Any:
    return sum((n * value for n, value in zip(counts, values, strict=True) if n), ZERO)
