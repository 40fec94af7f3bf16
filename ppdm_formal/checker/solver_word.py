"""Free parameters: what can be checked of a solver's word, point by point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from .arithmetic import arithmetic
from .claim import BoundClaim, BreachClaim, Claim
from .decision import shift
from .farkas import admitted
from .interval import Interval, outer
from .likelihood_ratio import ratio
from .limits import MAX_CHOICES, ZERO
from .pairs import pairs
from .view import View


def breached_at(views: list[View], claim: Claim) -> bool | None:
    """Whether the claim is broken on views of numbers, without evidence; None if undecided."""
    if isinstance(claim, BoundClaim):
        if claim.factor is not None:
            return pairs(views, claim).breached
        return ratio(views, claim).breached if claim.of_ratio else None
    if claim.prior is None and claim.family is None:
        return ratio(views, claim).breached
    if claim.prior is not None and claim.about is not None:
        return arithmetic(views, claim).breached
    decided = True
    for view in views:
        if claim.prior is None:
            tried, every = two_point_shifts(view, claim), False
        else:
            every = math.prod(part.count + 1 for part in view.classes) <= MAX_CHOICES
            tried = property_shifts(view, every)
        decided = decided and every
        for before, after in tried:
            if any(claim.breached(direction, before, after) for direction in claim.directions):
                return True
    return False if decided else None


def property_shifts(view: View, every: bool) -> Iterator[tuple[Fraction, Fraction]]:
    """One prior: every property by how many inputs of a class have it, or the likeliest inputs."""
    counts = [part.count for part in view.classes]
    choices: Iterable[Sequence[int]] = product(*(range(n + 1) for n in counts)) if every else ()
    if not every:
        ranked = sorted(range(len(counts)), key=lambda c: view.classes[c].likelihood)
        tops = [set(ranked[i:]) for i in range(len(ranked) + 1)]
        choices = [[n if c in top else 0 for c, n in enumerate(counts)] for top in tops]
    masses = [part.count * part.prior for part in view.classes]
    for chosen in choices:
        own = [n * part.prior for n, part in zip(chosen, view.classes, strict=True)]
        moved = shift(view, own, masses)
        if moved is not None:
            yield moved


def two_point_shifts(view: View, claim: BreachClaim) -> Iterator[tuple[Fraction, Fraction]]:
    """A family: priors on two classes, one inside Q and one outside, just at rho1 or at rho2."""
    for (i, one), (j, two) in product(enumerate(view.classes), repeat=2):
        apart = i != j and one.knowledge and two.knowledge
        own = claim.about is None or (one.member[claim.about] and not two.member[claim.about])
        if not (apart and own):
            continue
        for before in (claim.rho1, claim.rho2):
            odds = before / (1 - before) * two.knowledge / one.knowledge
            inside, everywhere = [ZERO] * len(view.classes), [ZERO] * len(view.classes)
            inside[i] = everywhere[i] = odds / (1 + odds)
            everywhere[j] = 1 / (1 + odds)
            moved = shift(view, inside, everywhere)
            if moved is not None and admitted(view, everywhere, claim):
                yield moved


def grid(parameters: Mapping[str, Interval]) -> Iterator[dict[str, Fraction]]:
    """Points of several parameters: ends that belong, places close to them, and in between."""
    places = []
    for interval in parameters.values():
        low, high = (end.low for end in (outer(interval).low, outer(interval).high))
        steps = [Fraction(i, 1000) for i in (0, 1, 333, 500, 999, 1000)]
        found = [low + (high - low) * step for step in steps]
        places.append([x for x in found if interval.holds(x)])
    for i, chosen in enumerate(product(*places)):
        if i >= 300:
            return
        yield dict(zip(parameters, chosen, strict=True))
