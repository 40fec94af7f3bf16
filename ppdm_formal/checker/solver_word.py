"""Evidence "solver": a solver's word, and what can be checked of it, point by point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from .arithmetic import arithmetic
from .certificate import Certificate, Evidence
from .claim import BoundClaim, BreachClaim, Claim
from .conditions import by_polynomials
from .decision import Decision, shift
from .farkas import admitted
from .interval import Region, grid
from .likelihood_ratio import ratio
from .limits import MAX_CHOICES, ZERO
from .pairs import pairs
from .reading import Fields
from .result import need
from .spelling import spell
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


def try_points(
    certificate: Certificate, points: Iterable[dict[str, Fraction]], region: Region | None = None
) -> None:
    """Reject where the claim is not as a solver says: it holds, or holds in a region only."""
    for point in points:
        found = breached_at(certificate.subject.at(point), certificate.claim.given(point))
        need(found is not None, "such a claim is not decided with free parameters")
        said = region is not None and not region.contains(next(iter(point.values())))
        where = ", ".join(f"{name} = {spell(x)[:60]}" for name, x in point.items())
        need(found == said, f"the claim {'fails' if found else 'holds'} at {where}")


class BySolver(Evidence):
    """The questions that were asked."""

    kind, of, trusting = "solver", ("finite",), True

    def suits(self, subject: Any, claim: Claim) -> bool:
        """Several free parameters; without any, where no arithmetic decides."""
        if subject.free:
            return subject.free > 1 and by_polynomials(claim, subject.free)
        if not isinstance(claim, BreachClaim) or claim.of_ratio:
            return False
        return claim.prior is None or claim.about is None

    def decide(self, certificate: Certificate) -> Decision:
        """That it holds, as far as it can be tried."""
        Fields(certificate.evidence, "evidence", "kind questions")
        subject = certificate.subject
        if subject.free:
            try_points(certificate, grid(subject.described.parameters))
        else:
            broken = breached_at(subject.views, certificate.claim)
            need(not broken, "the claim is broken, whatever a solver says")
        return Decision(False)
