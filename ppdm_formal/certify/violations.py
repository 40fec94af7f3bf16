"""A claim with free parameters as inequalities: violated iff in some alternative all of them hold.

An inequality is `value > 0` or `value >= 0` with a closed form in the parameters. Nothing is
divided by, so likelihoods that vanish somewhere need no special care.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.measures.discovery import measure_named
from ppdm_formal.numbers.constant_symbol import constants
from ppdm_formal.numbers.exact import ZERO, Exact, is_symbolic, simplify
from ppdm_formal.operator.prior import Prior
from ppdm_formal.operator.view import InputClass, View

MAX_ALTERNATIVES = 4096
"""More are not written down: the claim is then unknown while parameters are free."""


@dataclass(frozen=True)
class Inequality:
    """value > 0 if strict, otherwise value >= 0."""

    value: Exact
    strict: bool


Alternative = tuple[Inequality, ...]


class TooManyAlternatives(Exception):
    """The claim cannot be written down as a moderate number of inequalities."""


def violations(views: Sequence[View], claim: Claim) -> list[Alternative]:
    """All ways to violate the claim, each once, constant inequalities settled."""
    if isinstance(claim, BoundClaim):
        if not measure_named(claim.measure).of_ratios:
            raise TooManyAlternatives(f"a bound on {claim.measure}")
        found = _amplification(views, claim)
    elif claim.under is None:
        found = _all_priors(views, claim)
    elif isinstance(claim.under, Prior):
        found = _one_prior(views, claim)
    else:
        raise TooManyAlternatives("a family of priors")
    kept: dict[Alternative, None] = {}
    for alternative in found:
        left = settled(alternative)
        if any(constants(part.value) for part in left or ()):
            raise TooManyAlternatives(
                "a claim with exponentials, such as epsilon <= 1 in place of ln(3),"
            )
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


def _pairs(views: Sequence[View]) -> Iterable[tuple[InputClass, InputClass]]:
    """Pairs of classes of one view, those that look alike once."""
    found: dict[Any, tuple[InputClass, InputClass]] = {}
    for view in views:
        for pair in itertools.product(view.classes, view.classes):
            key = tuple((part.likelihood, part.member, part.knowledge) for part in pair)
            found.setdefault(key, pair)
        if len(found) > 4 * MAX_ALTERNATIVES:
            raise TooManyAlternatives("an operator with so many different likelihoods")
    return found.values()


def _all_priors(views: Sequence[View], claim: BreachClaim) -> Iterable[Alternative]:
    """A likely input inside, an unlikely one outside: rho1 (1 - rho2) L >= rho2 (1 - rho1) l."""
    more, less = claim.rho1 * (1 - claim.rho2), claim.rho2 * (1 - claim.rho1)
    for inside, outside in _pairs(views):
        if claim.about is None or (
            inside.member[0] != outside.member[0]
            and claim.direction != ("downward" if inside.member[0] else "upward")
        ):
            yield (
                Inequality(inside.known, True),
                Inequality(outside.known, True),
                Inequality(inside.likelihood, True),
                Inequality(more * inside.likelihood - less * outside.likelihood, False),
            )


def _amplification(views: Sequence[View], claim: BoundClaim) -> Iterable[Alternative]:
    """p[x1 -> y] above (or at) bound * p[x2 -> y]."""
    strict = claim.relation == "<="
    for likely, unlikely in _pairs(views):
        yield (
            Inequality(likely.likelihood, True),
            Inequality(likely.likelihood - claim.limit * unlikely.likelihood, strict),
        )


def _one_prior(views: Sequence[View], claim: BreachClaim) -> Iterable[Alternative]:
    """Definition 1 for each choice of how many inputs of each class have the property."""
    for view in views:
        if claim.about is None and math.prod(c.count + 1 for c in view.classes) > MAX_ALTERNATIVES:
            raise TooManyAlternatives("every property of so many inputs")
        held: list[Any] = [c.held for c in view.classes]
        seen = [h * c.likelihood for h, c in zip(held, view.classes, strict=True)]
        counts = [c.count for c in view.classes]
        choices: Iterable[tuple[int, ...]]
        if claim.about is not None:
            choices = [tuple(c.count if c.member[0] else 0 for c in view.classes)]
        else:
            choices = itertools.product(*(range(count + 1) for count in counts))
        mass, joint = _sum(counts, held), _sum(counts, seen)
        for chosen in choices:
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
