"""One prior, every property: how many inputs of each class have it, a knapsack on each view.

With q and r what one input of a class adds to before = P[Q | z] and to after = P[Q | y, z]:

    A(K) = max of after with before <= K,    B(K) = max of before with after <= K

An upward breach exists iff A(rho1) >= rho2, a downward one iff B(rho1) >= rho2; both give the
threshold rho2_above. By complements rho1_below is 1 - B(1 - rho2) and 1 - A(1 - rho2).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

from ppdm_formal.certify.finding import (
    BreachWitness,
    Finding,
    Threshold,
    Thresholds,
    Verdict,
    WitnessPart,
    clipped_above,
    clipped_below,
)
from ppdm_formal.certify.knapsack import Amounts, Effort, Knapsack, Maximum, maximize
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.view import View

Shares = tuple[Amounts, Amounts, tuple[int, ...]]
"""For each class: what one input adds to before and to after, and how many inputs there are."""


class Most(Protocol):
    """The greatest after, or before: between which numbers it lies, where, and why."""

    @property
    def at_least(self) -> Any:
        """Attained."""

    @property
    def at_most(self) -> Any:
        """Proved."""

    def evidence(self) -> dict[str, Any]:
        """As it stands in a certificate."""

    def witness(self, upward: bool, inverted: bool = False) -> BreachWitness:
        """The property that was found, or its complement."""


class BeliefSearch(Protocol):
    """What finds the greatest after with before <= K, or before with after <= K."""

    kind: str
    views: Sequence[View]
    """Those that witnesses are of: as given, or with the ones that were found."""

    def most(self, after_wanted: bool, capacity: Fraction, target: Fraction | None) -> Most:
        """The maximum; harder work where that decides on which side of the target it lies."""


def decide_every_property(views: Sequence[View], claim: BreachClaim, deadline: Deadline) -> Finding:
    """Decide a claim under one prior for every property; unknown where the search is too long."""
    search: BeliefSearch = ByKnapsack(views, deadline)
    if views[0].chosen is not None:
        from ppdm_formal.certify.by_placing import ByPlacing

        search = ByPlacing(views, deadline)
    evidence: dict[str, Any] = {"kind": search.kind}
    highest: list[Enclosure] = []
    lowest: list[Enclosure] = []
    witness: BreachWitness | None = None
    worst: list[BreachWitness] = []
    for direction in ("upward", "downward"):
        if claim.direction not in ("both", direction):
            continue
        after_wanted = direction == "upward"
        above = search.most(after_wanted, claim.rho1, claim.rho2)
        below = search.most(not after_wanted, 1 - claim.rho2, None)
        highest.append(Enclosure(above.at_least, above.at_most))
        lowest.append(Enclosure(1 - below.at_most, 1 - below.at_least))
        evidence[direction] = {"rho2_above": above.evidence(), "rho1_below": below.evidence()}
        if witness is None and above.at_least >= claim.rho2:
            witness = above.witness(after_wanted)
        furthest = above if after_wanted else below
        if furthest.at_least == furthest.at_most > 0:
            worst.append(furthest.witness(after_wanted, inverted=not after_wanted))
    thresholds = Thresholds(
        _enclosed(
            clipped_above(max(e.lo for e in highest), claim.rho1),
            clipped_above(max(e.hi for e in highest), claim.rho1),
            Fraction(1),
        ),
        _enclosed(
            clipped_below(min(e.lo for e in lowest), claim.rho2),
            clipped_below(min(e.hi for e in lowest), claim.rho2),
            Fraction(0),
        ),
    )
    most, least = max(e.hi for e in highest), max(e.lo for e in highest)
    between = f"between {number_text(least)} and {number_text(most)}"
    verdict = Verdict.UNKNOWN
    reason = f"branch and bound ran out: the worst property lies {between}"
    if witness is not None:
        verdict = Verdict.BREACHED
        reason = (
            f"a property goes from {number_text(witness.before)} to {number_text(witness.after)}"
        )
    elif most < claim.rho2:
        verdict = Verdict.CERTIFIED
        reason = f"the worst property reaches at most {number_text(most)}"
    return Finding(
        verdict,
        reason,
        evidence,
        witness,
        thresholds,
        worst=() if verdict is Verdict.UNKNOWN else tuple(worst),
        views=() if search.views is views else tuple(search.views),
    )


class ByKnapsack:
    """Views that are all there: a knapsack on each."""

    kind = "knapsack"

    def __init__(self, views: Sequence[View], deadline: Deadline) -> None:
        self.views, self.deadline = views, deadline
        self.shares = [shares_of(view) for view in views]

    def most(self, after_wanted: bool, capacity: Fraction, target: Fraction | None) -> Most:
        """See Search."""
        problems = _problems(self.shares, after_wanted, capacity)
        return _Packed(maximize(problems, Effort(target, deadline=self.deadline)), self.shares)


@dataclass(frozen=True)
class _Packed:
    """The greatest of several knapsacks."""

    found: Maximum
    shares: Sequence[Shares | None]

    @property
    def at_least(self) -> Fraction:
        """Attained."""
        return self.found.at_least

    @property
    def at_most(self) -> Fraction:
        """By the trees."""
        return self.found.at_most

    def evidence(self) -> dict[str, Any]:
        """See Most."""
        return _bound(self.found)

    def witness(self, upward: bool, inverted: bool = False) -> BreachWitness:
        """See Most."""
        return _witness(self.found, self.shares, upward, inverted)


def shares_of(view: View) -> Shares | None:
    """What one input adds to before and after; None where the view has probability 0."""
    counts = tuple(part.count for part in view.classes)
    held = Amounts.of([part.held for part in view.classes])
    likely = Amounts.of([part.likelihood for part in view.classes])
    products = [h * k for h, k in zip(held.multiples, likely.multiples, strict=True)]
    if not any(products):
        return None
    return _normalized(held.multiples, counts), _normalized(products, counts), counts


def _normalized(amounts: Sequence[Any], counts: Sequence[int]) -> Amounts:
    """Scaled so that all inputs together add up to 1."""
    if not all(isinstance(amount, int) for amount in amounts):
        whole = sum(map(operator.mul, amounts, counts))
        return Amounts.of([Fraction(1) * amount / whole for amount in amounts])
    divisor = math.gcd(*amounts)
    reduced = tuple(amount // divisor for amount in amounts)
    return Amounts(reduced, Fraction(1, sum(map(operator.mul, reduced, counts))))


def _problems(
    shares: Sequence[Shares | None], after_wanted: bool, capacity: Fraction
) -> list[Knapsack | None]:
    """A(K) if the greatest `after` is wanted, otherwise B(K)."""
    problems: list[Knapsack | None] = []
    for one in shares:
        if one is None:
            problems.append(None)
        else:
            before, after, counts = one
            values, weights = (after, before) if after_wanted else (before, after)
            problems.append(Knapsack(values, weights, counts, capacity))
    return problems


def _bound(found: Maximum) -> dict[str, Any]:
    return {
        "at_least": number_text(found.at_least),
        "view": found.problem,
        "inside": [[c, count_json(n)] for c, n in enumerate(found.chosen) if n],
        "at_most": number_text(found.at_most),
        "trees": list(found.trees),
    }


def _witness(
    found: Maximum, shares: Sequence[Shares | None], upward: bool, inverted: bool = False
) -> BreachWitness:
    """The property that was found, or its complement."""
    share = shares[found.problem]
    assert share is not None
    held, seen, counts = share
    chosen = found.chosen
    if inverted:
        chosen = tuple(map(operator.sub, counts, chosen))
    parts = tuple(WitnessPart(c, n) for c, n in enumerate(chosen) if n)
    word: Literal["upward", "downward"] = "upward" if upward else "downward"
    return BreachWitness(word, found.problem, parts, held.total(chosen), seen.total(chosen))


def _enclosed(low: Fraction | None, high: Fraction | None, beyond: Fraction) -> Threshold:
    """Exact where both ends agree; an end that is none is written as the value it passed."""
    if low == high:
        return low
    return Enclosure(beyond if low is None else low, beyond if high is None else high)
