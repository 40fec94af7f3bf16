"""Evidence "placing": one prior, every property and every set, by a branch tree with multipliers.

A value is placed in one of four states: in the set and the property, in the property alone, in the
set alone, in neither. A claim about all properties and sets is one about all placings of values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence
from .claim import BreachClaim, Claim
from .decision import Decision, decided, shift
from .limits import MAX_DEPTH, ZERO
from .reading import Fields, read_count, read_list, read_position
from .result import need
from .sets import Chosen, Group

STATES = range(4)
Amounts = list[list[Any]]  # of a value, by kind and state
Box = list[list[tuple[int, int]]]  # the least and the most values of each kind in each state


@dataclass(frozen=True)
class Problem:
    """That u <= most * v in all placings with p <= room * q.

    The two pairs are (before, 1) and (joint, seen): sums over the values of the property, and over
    all of them.
    """

    group: Group
    goal: Amounts  # u - most * v
    over: Amounts  # p - room * q

    def down(self, amounts: Amounts, bound: Any) -> Any:
        """The greatest number up to the bound that a sum of these amounts can be, or the bound."""
        kinds = self.group.kinds
        steps = [row[s] - row[-1] for row in amounts for s in STATES]
        base = sum((kind.count * row[-1] for kind, row in zip(kinds, amounts, strict=True)), ZERO)
        if not all(type(number) is Fraction for number in (base, bound, *steps)):
            return bound
        common = math.lcm(*(step.denominator for step in steps))
        unit = Fraction(math.gcd(*(int(step * common) for step in steps)), common)
        if not unit:
            return min(base, bound)
        return base + unit * math.floor((bound - base) / unit)

    def show(self, tree: Any, box: Box, depth: int = 0) -> None:
        """Show it of the placings in a box."""
        if "kind" in tree:
            branch = Fields(tree, "a branch", "kind state at below above")
            k, s = branch.position("kind", len(box)), branch.position("state", len(STATES))
            at, (low, high) = branch.count("at"), box[k][s]
            need(low <= at < high and depth < MAX_DEPTH, "a bad branch")
            for side, ends in (("below", (low, at)), ("above", (at + 1, high))):
                part = [list(row) for row in box]
                part[k][s] = ends
                need(type(tree[side]) is dict, "a bad branch")
                self.show(tree[side], part, depth + 1)
            return
        leaf = Fields(tree, "a leaf", "room size empty")
        room, size, empty = leaf.number("room"), leaf.number("size"), leaf.flag("empty")
        need(room >= 0, "a negative multiplier")
        # For every placing that is admitted, over <= its greatest value, and sizes are as stated:
        # goal <= goal + room (greatest - over) + size (limit - |y|), at most so much in the box.
        limit = self.group.most if size > 0 else self.group.least
        bound = room * self.down(self.over, ZERO) + size * limit
        for kind, goal, over, row in zip(self.group.kinds, self.goal, self.over, box, strict=True):
            left = kind.count - sum(low for low, _ in row)
            if left < 0 or sum(high for _, high in row) < kind.count:
                return  # no placing is in the box
            worth = [(ZERO if empty else goal[s]) - room * over[s] for s in STATES]
            worth = [w if s % 2 else w - size for s, w in enumerate(worth)]
            bound += sum(low * w for (low, _), w in zip(row, worth, strict=True))
            for s in sorted(STATES, key=worth.__getitem__, reverse=True):
                some = min(left, row[s][1] - row[s][0])
                bound += some * worth[s]
                left -= some
        if empty:
            need(bound < 0, "a part that is not empty")
        else:
            need(self.down(self.goal, bound) <= 0, "a leaf does not show at_most")


def problem(group: Group, after_wanted: bool, room: Any, most: Any) -> Problem:
    """The greatest after with before <= room, or the greatest before with after <= room."""
    goal, over = [], []
    for kind in group.kinds:
        ratios: list[tuple[Any, Any]] = []
        for s in STATES:
            inside, likelihood = s < 2, group.lacking if s % 2 else group.held
            before = kind.weight * (inside - (room if after_wanted else most))
            after = kind.weight * likelihood * (inside - (most if after_wanted else room))
            ratios.append((after, before) if after_wanted else (before, after))
        goal.append([first for first, _ in ratios])
        over.append([second for _, second in ratios])
    return Problem(group, goal, over)


def enclosed(
    raw: Any, chosen: Chosen, claim: BreachClaim, after_wanted: bool, room: Any
) -> tuple[Any, Any]:
    """Between which numbers the maximum lies: attained by a listed set below, by trees above."""
    fields = Fields(raw, "a bound", "at_least view inside at_most trees")
    least, most = fields.number("at_least"), fields.number("at_most")
    for group, proof in zip(chosen.groups, fields.list("trees", len(chosen.groups)), strict=True):
        if not any(kind.weight for kind in group.kinds):
            need(proof is None, "a tree of what is never known")
            continue
        own = Fields(proof, "a proof", "at_most tree")
        here, tree = own.number("at_most"), own.raw["tree"]
        need(here <= most and type(tree) is dict, "a proof that does not show at_most")
        every: Box = [[(0, kind.count) for _ in STATES] for kind in group.kinds]
        problem(group, after_wanted, room, here).show(tree, every)
    view = chosen.views[fields.position("view", len(chosen.views))]
    inside, last = [ZERO] * len(view.classes), -1
    for entry in fields.list("inside"):
        pair = read_list(entry, 2)
        place, n = read_position(pair[0], len(view.classes)), read_count(pair[1])
        need(place > last and n <= view.classes[place].count, "inside is not in order")
        inside[place], last = n * view.classes[place].prior, place
    moved = shift(view, inside, [part.count * part.prior for part in view.classes])
    need(moved is not None, "a bound's view is not reached")
    before, after = moved
    need((before if after_wanted else after) <= room, "inside is not admitted")
    need((after if after_wanted else before) == least, "inside does not attain at_least")
    return least, most


def placing(chosen: Chosen, claim: BreachClaim, evidence: Any) -> Decision:
    """Enclosures of the greatest after and of the greatest before, over all sets and properties."""
    fields = Fields(evidence, "evidence", "kind " + " ".join(claim.directions))
    above, below = [], []
    for direction in claim.directions:
        side = Fields(fields.raw[direction], direction, "rho2_above rho1_below").raw
        upward = direction == "upward"
        above.append(enclosed(side["rho2_above"], chosen, claim, upward, claim.rho1))
        below.append(enclosed(side["rho1_below"], chosen, claim, not upward, 1 - claim.rho2))
    return decided(above, below, claim)


class ByPlacing(Evidence):
    """Trees for every group of sets."""

    kind, of = "placing", ("sets",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """One prior and every property."""
        breach = isinstance(claim, BreachClaim) and claim.about is None
        return breach and claim.prior is not None

    def decide(self, certificate: Certificate) -> Decision:
        """Of all sets."""
        return placing(certificate.subject, certificate.claim, certificate.evidence)
