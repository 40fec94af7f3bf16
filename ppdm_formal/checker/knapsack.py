"""Evidence "knapsack": one prior, every property, by a branch tree with multipliers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence
from .claim import BreachClaim, Claim
from .decision import Decision, decided
from .exponential import Exponential
from .limits import MAX_DEPTH, ZERO
from .reading import Fields, read_count, read_list, read_number, read_position
from .result import Rejected, need
from .view import InputClass, View


@dataclass(frozen=True)
class Shares:
    """What one input of each class adds to a probability, in whole units, and the units of 1.

    Numbers with exponentials have no common unit: theirs is 1, and nothing is rounded.
    """

    units: tuple[Any, ...]
    total: Any
    whole: bool = True


def whole_shares(view: View, weight: Callable[[InputClass], Fraction]) -> Shares:
    """Shares in the largest unit of which all are multiples."""
    parts: list[Any] = [weight(part) for part in view.classes]
    if any(type(part) is Exponential for part in parts):
        rational = in_proportion(parts)
        if rational is None:
            return Shares(tuple(parts), view.mass_of(weight), False)
        parts = rational
    common = math.lcm(*(part.denominator for part in parts))
    scaled = [int(part * common) for part in parts]
    divisor = math.gcd(*scaled) or 1
    units = tuple(s // divisor for s in scaled)
    return Shares(units, sum(u * c.count for u, c in zip(units, view.classes, strict=True)))


def in_proportion(parts: Sequence[Any]) -> list[Fraction] | None:
    """The same shares as rational numbers, where one factor with exponentials is common to all."""
    unit = next(part for part in parts if part != 0)
    found = []
    for part in parts:
        share = part / unit
        if type(share) is Exponential:
            return None
        found.append(Fraction(share))
    return found


SHARE_BITS = 192
"""Of enclosures, after the point of what is a part of 1."""

Ends = tuple[int, int]
"""What a number lies between, in units of 2^-SHARE_BITS."""


def share_ends(number: Any, whole: Any = 1) -> Ends | None:
    """The ends of number / whole, 0 <= number, 0 < whole; None where these bits tell nothing."""
    low, high = number.ends(SHARE_BITS) if type(number) is Exponential else (number, number)
    least, most = whole.ends(SHARE_BITS) if type(whole) is Exponential else (whole, whole)
    if least <= 0 or high == math.inf:
        return None
    low, high = max(Fraction(low) / most, ZERO), Fraction(high) / least
    return math.floor(low * 2**SHARE_BITS), math.ceil(high * 2**SHARE_BITS)


@dataclass(frozen=True)
class Enclosed:
    """A knapsack of shares of 1 between ends: most leaves show their bound without exact numbers.

    What these ends show is so for the exact numbers; what they leave open is decided by those.
    """

    values: tuple[Ends, ...]
    weights: tuple[Ends, ...]
    room: Ends
    goal: Ends

    def over(self, low: tuple[int, ...]) -> bool:
        """Whether the least weight is surely above the room."""
        return sum(n * w for n, (w, _) in zip(low, self.weights, strict=True)) > self.room[1]

    def kept(self, multiplier: Ends | None, low: tuple[int, ...], high: tuple[int, ...]) -> bool:
        """Whether a leaf's bound is surely not above the goal.

        The bound is x room + the sum of the greater of n (v - x w) at both ends of n >= 0, and
        nothing is negative but v - x w: each term is at most what the ends below make of it.
        """
        if multiplier is None:
            return False
        bound = multiplier[1] * self.room[1]
        for (_, v), (w, _), lo, hi in zip(self.values, self.weights, low, high, strict=True):
            gain = (v << SHARE_BITS) - multiplier[0] * w
            bound += gain * (hi if gain > 0 else lo)
        return bound <= self.goal[0] << SHARE_BITS


@dataclass(frozen=True)
class Knapsack:
    """On one view: the most of sum(n values) / total, with sum(n weights) / total <= room."""

    view: View
    weights: Shares
    values: Shares

    def between(self, room: Any, goal: Any) -> Enclosed | None:
        """Ends of all that a bound is made of; None where nothing needs them, or they are none."""
        whole = self.values.whole and self.weights.whole
        if whole or room < 0 or goal < 0:
            return None
        found = [share_ends(unit, self.values.total) for unit in self.values.units]
        found += [share_ends(unit, self.weights.total) for unit in self.weights.units]
        found += [share_ends(room, self.weights.total), share_ends(goal)]
        ends = tuple(pair for pair in found if pair is not None)
        if len(ends) < len(found):
            return None
        classes = len(self.values.units)
        return Enclosed(ends[:classes], ends[classes:-2], ends[-2], ends[-1])

    def most_by_tree(
        self,
        tree: Any,
        low: tuple[int, ...],
        high: tuple[int, ...],
        room: Any,
        ends: Enclosed | None = None,
        depth: int = 0,
    ) -> Any:
        """What a branch tree proves to be the most, for low <= n <= high and so many units.

        With ends, 0 stands for a part in which they show no more than their goal.
        """
        weights, values = self.weights.units, self.values.units
        if tree == "over":
            if ends is not None and ends.over(low):
                return 0
            least = sum(n * w for n, w in zip(low, weights, strict=True))
            need(least > room, "a part is not over")
            return 0
        if type(tree) is str:
            # Lagrange: sum(n v) <= x room + sum(n (v - x w)) for x >= 0, at most where each n is at
            # the end that its sign wants; x = s/t in units of shares. Values are whole: round.
            share = read_number(tree)
            need(share >= 0, "a negative multiplier")
            if ends is not None and ends.kept(share_ends(share), low, high):
                return 0
            multiplier = share * self.values.total / self.weights.total
            whole = self.values.whole and self.weights.whole
            s, t = (multiplier.numerator, multiplier.denominator) if whole else (multiplier, 1)
            bound = s * room
            for v, w, lo, hi in zip(values, weights, low, high, strict=True):
                gain = t * v - s * w
                bound += gain * (hi if gain > 0 else lo)
            return bound // t if whole else bound
        branch = Fields(tree, "a branch", "class at below above")
        place, at = branch.position("class", len(low)), branch.count("at")
        need(low[place] <= at < high[place] and depth < MAX_DEPTH, "a bad branch")
        lower_high, upper_low = list(high), list(low)
        lower_high[place], upper_low[place] = at, at + 1
        return max(
            self.most_by_tree(tree["below"], low, tuple(lower_high), room, ends, depth + 1),
            self.most_by_tree(tree["above"], tuple(upper_low), high, room, ends, depth + 1),
        )


def enclosed_maximum(
    raw: Any, knapsacks: Sequence[Knapsack | None], room: Fraction
) -> tuple[Fraction, Fraction]:
    """Between which numbers the maximum over the views lies: attained below, by trees above."""
    fields = Fields(raw, "a bound", "at_least view inside at_most trees")
    least, most = fields.number("at_least"), fields.number("at_most")
    trees = fields.list("trees", len(knapsacks))
    for sack, tree in zip(knapsacks, trees, strict=True):
        need((tree is None) == (sack is None), "a tree is null iff its view is not reached")
        if sack is not None:
            none = (0,) * len(sack.view.classes)
            every = tuple(part.count for part in sack.view.classes)
            units = room * sack.weights.total
            if sack.weights.whole and type(room) is Fraction:
                units = math.floor(units)
            shown = sack.most_by_tree(tree, none, every, units, sack.between(units, most))
            kept = most >= 0 if shown == 0 else shown <= most * sack.values.total
            need(kept, "a tree does not show at_most")
    best = knapsacks[fields.position("view", len(knapsacks))]
    if best is None:
        raise Rejected("a bound's view is not reached")
    last, weight, value = -1, ZERO, ZERO
    for entry in fields.list("inside"):
        pair = read_list(entry, 2)
        place, n = read_position(pair[0], len(best.view.classes)), read_count(pair[1])
        need(place > last and n <= best.view.classes[place].count, "inside is not in order")
        weight += n * best.weights.units[place]
        value += n * best.values.units[place]
        last = place
    need(weight <= room * best.weights.total, "inside is not admitted")
    need(value == least * best.values.total, "inside does not attain at_least")
    return least, most


def knapsack(views: list[View], claim: BreachClaim, evidence: Any) -> Decision:
    """Enclosures of the greatest after (A) and of the greatest before (B), by branch trees."""
    fields = Fields(evidence, "evidence", "kind " + " ".join(claim.directions))
    after_most: list[Knapsack | None] = []
    before_most: list[Knapsack | None] = []
    for view in views:
        before = whole_shares(view, lambda part: part.prior * part.knowledge)
        after = whole_shares(view, lambda part: part.prior * part.seen)
        reached = after.total > 0
        after_most.append(Knapsack(view, before, after) if reached else None)
        before_most.append(Knapsack(view, after, before) if reached else None)
    above, below = [], []
    for direction in claim.directions:
        side = Fields(fields.raw[direction], direction, "rho2_above rho1_below").raw
        first, second = after_most, before_most
        if direction == "downward":
            first, second = before_most, after_most
        above.append(enclosed_maximum(side["rho2_above"], first, claim.rho1))
        below.append(enclosed_maximum(side["rho1_below"], second, 1 - claim.rho2))
    return decided(above, below, claim)


class ByKnapsack(Evidence):
    """Trees for every view."""

    kind, of = "knapsack", ("finite",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """One prior and every property, without free parameters."""
        breach = isinstance(claim, BreachClaim) and claim.about is None
        return breach and claim.prior is not None and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of all views."""
        return knapsack(certificate.subject.views, certificate.claim, certificate.evidence)
