"""Placings: an output that is a set, and a property, chosen together, exactly.

Every value is placed: in the set or not (held, lacking), in the property or not. With x[k, s]
values of kind k in state s, before, one, joint and seen are sums over the values of

    before: its probability, in the property      one:  its probability
    joint:  probability * likelihood, in it       seen: probability * likelihood

and P[Q] = before / one, P[Q | y] = joint / seen. Wanted is the greatest u / v of placings with
p <= K q, where (u, v) is one of these pairs and (p, q) the other. That u / v <= T follows where

    u - T v - room (p - K q) - size (|y| - m) <= 0    for all placings,   room >= 0,

with m the greatest size of a set (the least, where `size` is negative): the multipliers of a linear
program. Boxes of the x[k, s] are split until that shows it in each, best first.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ppdm_formal.certify.subset_sum import great_sum
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, is_rational
from ppdm_formal.declare.arithmetic.simplex import Best, Impossible, LinearRow, maximize
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.sets import Counts, ValueKind, ValueSets

STATES = 4
"""In the set and the property, in the property alone, in the set alone, in neither."""

MAX_NODES = 300
"""Boxes that are looked at for one value of T."""

SHARE, HARD = 1 / 30, 1 / 4
"""Of the time that is left, for boxes: as a rule, for a last digit; and where they decide."""

MAX_STEPS = 40
"""How often a better value is looked for."""

Place: TypeAlias = tuple[int, int]
Amounts: TypeAlias = dict[Place, Any]
Box: TypeAlias = dict[Place, tuple[int, int]]


@dataclass(frozen=True)
class Placing:
    """How many values of each kind are in each state."""

    numbers: tuple[tuple[int, int, int, int], ...]

    @property
    def held(self) -> Counts:
        """How many values of each kind the set holds."""
        return tuple(row[0] + row[2] for row in self.numbers)

    @property
    def inside(self) -> list[tuple[int, int]]:
        """Of each kind how many values of the property the set holds, and how many it lacks."""
        return [(row[0], row[1]) for row in self.numbers]


@dataclass(frozen=True)
class Problem:
    """The greatest u / v of placings with p <= K q; after_wanted: (u, v) is joint / seen."""

    sets: ValueSets
    after_wanted: bool
    capacity: Any

    def amounts(self) -> tuple[Amounts, Amounts, Amounts, Amounts]:
        """u, v, p and q of one value of each kind in each state."""
        before, one, joint, seen = {}, {}, {}, {}
        for k, kind in enumerate(self.sets.kinds):
            weight = kind.weight  # what they sum to (1, or P[z]) cancels
            for s in range(STATES):
                likelihood = self.sets.odds.lacking if s % 2 else self.sets.odds.held
                inside = s < 2
                one[k, s], seen[k, s] = weight, weight * likelihood
                before[k, s] = one[k, s] if inside else ZERO
                joint[k, s] = seen[k, s] if inside else ZERO
        return (joint, seen, before, one) if self.after_wanted else (before, one, joint, seen)


@dataclass(frozen=True)
class Greatest:
    """at_least is attained by `placing`; `tree` proves at_most."""

    at_least: Any
    placing: Placing
    at_most: Any
    tree: Any


class PlacingSearch:
    """The search for one problem; see the module."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.sets = problem, problem.sets
        self.u, self.v, self.p, self.q = problem.amounts()
        self.over = {place: self.p[place] - problem.capacity * self.q[place] for place in self.p}
        self.places = list(self.p)
        self.room = self._down(self.over, ZERO)

    def greatest(self, target: Any, deadline: Deadline) -> Greatest:
        """An enclosure of the maximum: exact where boxes and time suffice (a part of the time)."""
        whole, deadline = deadline, deadline.part(SHARE)
        best = max(self._starts(), key=self.value)
        for _ in range(MAX_STEPS):
            found = self._proved(self.value(best), deadline)
            if not isinstance(found, Placing):
                break
            best = found
        value = self.value(best)
        if found is not None:
            return Greatest(value, best, value, found)
        top = self._relaxed(value, whole)
        if target is not None and value < target <= top[0]:  # between them: try to prove less
            middle = (value + target) / 2
            found = self._proved(middle, whole.part(HARD))
            if isinstance(found, Placing):
                best, value = found, self.value(found)
            elif found is not None:
                return Greatest(value, best, middle, found)
        return Greatest(value, best, *top)

    def value(self, placing: Placing) -> Any:
        """What is to be the greatest, u / v."""
        return self._sum(self.u, placing.numbers) / self._sum(self.v, placing.numbers)

    def _sum(self, amounts: Amounts, numbers: Sequence[Sequence[Any]]) -> Any:
        return sum((numbers[k][s] * amounts[k, s] for k, s in self.places), ZERO)

    def _starts(self) -> Iterator[Placing]:
        """No value has the property, which is always admitted; or as much as may have it."""
        held = self.sets.smallest()
        rows = zip(self.sets.counts, held, strict=True)
        yield Placing(tuple((0, 0, some, count - some) for count, some in rows))
        weights = [kind.weight for kind in self.sets.kinds]
        if not all(map(is_rational, weights)):
            return
        share = self.problem.capacity
        if not self.problem.after_wanted:  # of a set that lacks the property and no other value
            odds = sorted((self.sets.odds.held, self.sets.odds.lacking))
            share = share * odds[1] / (odds[0] * (1 - share) + odds[1] * share)
        common = math.lcm(*(weight.denominator for weight in weights))
        units = [int(weight * common) for weight in weights]
        useful = [k for k, unit in enumerate(units) if unit]
        counts = self.sets.counts
        limit = math.floor(share * sum(n * unit for n, unit in zip(counts, units, strict=True)))
        some = great_sum([units[k] for k in useful], [counts[k] for k in useful], limit)
        found = self._with_property(dict(zip(useful, some, strict=True)))
        if self._sum(self.over, found.numbers) <= 0:
            yield found

    def _with_property(self, inside: dict[int, int]) -> Placing:
        """The set that shows most of a property of so many values of each kind."""
        parts, places = [], []
        for k, kind in enumerate(self.sets.kinds):
            own = inside.get(k, 0)
            for member, values in ((True, kind.places[:own]), (False, kind.places[own:])):
                if len(values):
                    parts.append(ValueKind(values, kind.prior, (member,), kind.knowledge))
                    places.append((k, member))
        split = ValueSets(self.sets.odds, tuple(parts), self.sets.inputs)
        rows = [[0, 0, 0, 0] for _ in self.sets.kinds]
        held = split.extreme(0, upward=self.problem.after_wanted)
        for (k, member), part, some in zip(places, parts, held, strict=True):
            rows[k][0 if member else 2] += some
            rows[k][1 if member else 3] += part.count - some
        return Placing(tuple(tuple(row) for row in rows))  # type: ignore[misc]

    def _down(self, amounts: Amounts, bound: Any) -> Any:
        """The greatest number up to the bound that sums over placings can be, or the bound."""
        if not is_rational(bound) or not all(map(is_rational, amounts.values())):
            return bound
        counts = self.sets.counts
        base = sum((n * amounts[k, STATES - 1] for k, n in enumerate(counts)), ZERO)
        steps = [amounts[k, s] - amounts[k, STATES - 1] for k, s in self.places]
        common = math.lcm(*(step.denominator for step in steps))
        unit = Fraction(math.gcd(*(int(step * common) for step in steps)), common)
        return base + unit * math.floor((bound - base) / unit) if unit else base

    def _proved(self, value: Any, deadline: Deadline) -> Placing | Any | None:
        """A tree that shows u / v <= value, or a placing beyond it; None if it takes too long."""
        goal = {place: self.u[place] - value * self.v[place] for place in self.places}
        root = self._node(goal, {})
        queue = [(0, 0, root)]
        made = 0
        while queue:
            if deadline.passed:
                return None
            _, _, node = heapq.heappop(queue)
            if isinstance(node.best, Impossible) or self._down(goal, node.best.value) <= 0:
                continue
            whole = self._rounded(goal, node.best.point)
            if whole is not None and self._sum(goal, whole.numbers) > 0:
                return whole
            (k, s), at = next(
                (place, math.floor(x))
                for place, x in zip(self.places, node.best.point, strict=True)
                if x != math.floor(x)
            )
            low, high = node.box.get((k, s), (0, self.sets.counts[k]))
            boxes = ({**node.box, (k, s): (low, at)}, {**node.box, (k, s): (at + 1, high)})
            node.split = (k, s, at, *(self._node(goal, box) for box in boxes))
            for child in node.split[3:]:
                made += 1
                heapq.heappush(queue, (-made, made, child))
            if made > MAX_NODES:
                return None
        return root.tree()

    def _rounded(self, goal: Amounts, point: Sequence[Any]) -> Placing | None:
        """A placing near a point: parts are cut off, and what is left is moved where it may be."""
        rows: list[list[int]] = []
        for k, count in enumerate(self.sets.counts):
            own = [math.floor(x) for x in point[k * STATES : (k + 1) * STATES]]
            own[STATES - 1] += count - sum(own)
            rows.append(own)
        lacks = self.sets.odds.least - sum(row[0] + row[2] for row in rows)
        for k in sorted(range(len(rows)), key=lambda k: goal[k, 3] - goal[k, 2]):
            some = max(0, min(lacks, rows[k][3]))
            rows[k] = [rows[k][0], rows[k][1], rows[k][2] + some, rows[k][3] - some]
            lacks -= some
        self._fill(goal, rows)
        found = Placing(tuple(tuple(row) for row in rows))  # type: ignore[misc]
        admitted = self._sum(self.over, rows) <= 0 and self.sets.admits(found.held)
        return found if admitted else None

    def _fill(self, goal: Amounts, rows: list[list[int]]) -> None:
        """Move values into the property as long as that is allowed, those that gain most first."""
        moves = [
            (goal[k, to] - goal[k, start], k, start, to)
            for k in range(len(rows))
            for start, to in ((3, 0), (2, 0), (3, 1))
        ]
        for _, k, start, to in sorted((move for move in moves if move[0] > 0), reverse=True):
            step = self.over[k, to] - self.over[k, start]
            some = rows[k][start]
            if step > 0:
                some = min(some, math.floor((self.room - self._sum(self.over, rows)) / step))
            if (start, to) == (3, 0):
                size = sum(row[0] + row[2] for row in rows)
                some = min(some, self.sets.odds.most - size)
            if some > 0:
                rows[k][start] -= some
                rows[k][to] += some

    def _node(self, goal: Amounts, box: Box) -> _Node:
        """A box with its best point, in parts of values, and the multipliers."""
        low = {place: box.get(place, (0, 0))[0] for place in self.places}
        rows: list[LinearRow] = []
        for k, count in enumerate(self.sets.counts):
            own = [ONE if place[0] == k else ZERO for place in self.places]
            left = count - sum(low[k, s] for s in range(STATES))
            rows.append((own, Fraction(-left), "=="))
        used = sum((n * self.over[place] for place, n in low.items()), ZERO)
        rows.append(([-self.over[place] for place in self.places], self.room - used, ">="))
        size = sum(n for (_, s), n in low.items() if s % 2 == 0)
        held = [ZERO if s % 2 else ONE for _, s in self.places]
        rows.append((held, Fraction(size - self.sets.odds.least), ">="))
        rows.append(([-h for h in held], Fraction(self.sets.odds.most - size), ">="))
        for place, (least, most) in box.items():
            unit = [-ONE if place == other else ZERO for other in self.places]
            rows.append((unit, Fraction(most - least), ">="))
        found = maximize([goal[place] for place in self.places], rows)
        kinds = len(self.sets.counts)
        multipliers = found.multipliers[kinds : kinds + 3]
        if isinstance(found, Impossible):
            return _Node(box, Impossible(multipliers))
        offset = sum((n * goal[place] for place, n in low.items()), ZERO)
        point = tuple(x + low[place] for x, place in zip(found.point, self.places, strict=True))
        return _Node(box, Best(found.value + offset, point, multipliers))

    def _relaxed(self, value: Any, deadline: Deadline) -> tuple[Any, Any]:
        """The greatest u / v in parts of values, with its multipliers: nothing is above it."""
        while True:
            deadline.check()
            goal = {place: self.u[place] - value * self.v[place] for place in self.places}
            node = self._node(goal, {})
            best = node.best
            assert isinstance(best, Best), "some placing is always admitted"
            if best.value <= 0:
                return value, node.tree()
            rows = [best.point[k * STATES : (k + 1) * STATES] for k in range(len(self.sets.kinds))]
            value = self._sum(self.u, rows) / self._sum(self.v, rows)


class _Node:
    """A box; its tree is a leaf until it is split."""

    def __init__(self, box: Box, best: Best | Impossible) -> None:
        self.box, self.best = box, best
        self.split: Any = None

    def tree(self) -> Any:
        """As it stands in a certificate."""
        if self.split is not None:
            k, s, at, below, above = self.split
            return {
                "kind": k,
                "state": s,
                "at": count_json(at),
                "below": below.tree(),
                "above": above.tree(),
            }
        room, least, most = self.best.multipliers
        return {
            "room": number_text(room),
            "size": number_text(most - least),
            "empty": isinstance(self.best, Impossible),
        }
