"""Bounded knapsacks, exactly: max sum(n v) with sum(n w) <= K and integers 0 <= n <= m.

Several knapsacks (one a view) are searched together, best bound first: the greatest of their
maxima is wanted. The bound of a box of n is the fractional (Lagrangian) one,
t K + sum((v - t w) n) at the multiplier t of the class that fits in part, rounded down to what
sums of values can be. Whenever the search ends, its open leaves still prove an upper bound, so
the answer is always an enclosure with a proof, and exact where there was time. Amounts with
exponentials have no common unit: they are computed with as they are, and nothing is rounded.
Their multipliers are long, but any number >= 0 will do: where a bound stays below what is to be
proved, a short rational number near it is written, and the exact one where nothing is to spare.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ppdm_formal.certify.subset_sum import greatest_sum
from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.arithmetic.exponential import ExpNumber
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.machine.deadline import NEVER, Deadline

SHORT = tuple(10**digits for digits in (1, 2, 4, 8, 16))
"""Greatest denominators of multipliers, tried one after the other."""
_BITS = 192

MAX_DEPTH = 200
"""Boxes are not split further than this, so that trees can be read recursively."""


@dataclass(frozen=True)
class Amounts:
    """Rationals as integer multiples of the greatest unit that allows it (1 if all are 0).

    Where one is not rational, all are multiples of the unit 1, themselves.
    """

    multiples: tuple[Any, ...]
    unit: Fraction

    @property
    def whole(self) -> bool:
        """Whether all multiples are integers."""
        return all(isinstance(multiple, int) for multiple in self.multiples)

    @classmethod
    def of(cls, numbers: Sequence[Any]) -> Amounts:
        """Find the unit: gcd of the numerators over the common denominator."""
        if not all(map(is_rational, numbers)):
            return cls(tuple(numbers), Fraction(1))
        common = math.lcm(*(number.denominator for number in numbers))
        tops = [number.numerator * (common // number.denominator) for number in numbers]
        divisor = math.gcd(*tops)
        if not divisor:
            return cls(tuple(tops), Fraction(1))
        return cls(tuple(top // divisor for top in tops), Fraction(divisor, common))

    def total(self, counts: Sequence[int]) -> Any:
        """The sum of count * amount."""
        return sum(n * a for n, a in zip(counts, self.multiples, strict=True)) * self.unit


@dataclass(frozen=True)
class Knapsack:
    """One problem: values and weights of one input of each class, how many there are, capacity."""

    values: Amounts
    weights: Amounts
    counts: tuple[int, ...]
    capacity: Fraction


@dataclass(frozen=True)
class Maximum:
    """at_least is attained by `chosen` in problem `problem`; the trees prove at_most."""

    at_least: Fraction
    problem: int
    chosen: tuple[int, ...]
    at_most: Fraction
    trees: tuple[Any, ...]


@dataclass(frozen=True)
class Effort:
    """How hard to try: `ample` steps to find the exact maximum, `hard` steps to pass `target`."""

    target: Fraction | None = None
    ample: int = 400_000
    hard: int = 40_000_000
    deadline: Deadline = NEVER


class _Scaled:
    """A knapsack in integers (if it can be), its classes in falling order of value per weight."""

    def __init__(self, problem: Knapsack) -> None:
        self.values, self.unit = problem.values.multiples, problem.values.unit
        self.weights = problem.weights.multiples
        self.multiplier_unit = self.unit / problem.weights.unit
        self.counts = problem.counts
        useful = [c for c, value in enumerate(self.values) if value]
        self.whole = problem.values.whole and problem.weights.whole
        self.capacity: Any = problem.capacity / problem.weights.unit
        if not self.whole:
            worth = [v / w if w else None for v, w in zip(self.values, self.weights, strict=True)]
            self.order = sorted(useful, key=lambda c: _worthiest(worth[c], self.weights[c]))
            return
        self.capacity = math.floor(self.capacity)
        # Ratios of different classes differ by 1/(w1 w2) at least, so these keys tell them apart.
        fine = max(self.weights) ** 2
        worth = [
            v * fine // w if w else None for v, w in zip(self.values, self.weights, strict=True)
        ]
        self.order = sorted(useful, key=lambda c: _worthiest(worth[c], self.weights[c]))

    def relax(self, box: dict[int, tuple[int, int]]) -> _Relaxed | None:
        """The fractional optimum in a box; None where nothing fits."""
        value, room = 0, self.capacity
        chosen: dict[int, int] = {}
        for c, (low, _) in box.items():
            if low:
                value += low * self.values[c]
                room -= low * self.weights[c]
                chosen[c] = low
        if room < 0:
            return None
        critical, bound, left, extra = None, value, room, dict(chosen)
        for c in self.order:
            low, high = box[c] if c in box else (0, self.counts[c])
            if high == low:
                continue
            weight = self.weights[c]
            free = high - low
            fits = free if not weight else min(free, self.times(left, weight))
            if fits:
                extra[c] = low + fits
                bound += fits * self.values[c]
                left -= fits * weight
            if fits < free and critical is None:
                critical = c
                whole, rest = bound, left
            if critical is not None and not left:
                break
        if critical is None:
            return _Relaxed(bound, bound, extra, None)
        fraction = rest * self.values[critical]
        if self.whole:
            fraction //= self.weights[critical]
        else:
            fraction /= self.weights[critical]
        return _Relaxed(whole + fraction, bound, extra, critical)

    @cached_property
    def ends(self) -> tuple[list[Any], list[Any], Any]:
        """Values from above, weights from below and the capacity from above, as rationals."""
        values = [_between(value)[1] for value in self.values]
        weights = [_between(weight)[0] for weight in self.weights]
        return values, weights, _between(self.capacity)[1]

    def multiplier(self, critical: int, box: dict[int, tuple[int, int]], goal: Any) -> Any:
        """One whose bound in the box is not above the goal, in units: short where one is found."""
        exact = Fraction(1) * self.values[critical] / self.weights[critical]
        if self.whole or is_rational(exact):
            return exact
        values, weights, room = self.ends
        least = _between(goal)[0]
        for denominator in SHORT:
            short = _between(exact)[0].limit_denominator(denominator)
            bound = short * room
            for c, (value, weight) in enumerate(zip(values, weights, strict=True)):
                low, high = box[c] if c in box else (0, self.counts[c])
                gain = value - short * weight
                bound += gain * (high if gain > 0 else low)
            if bound <= least:
                return short
        return exact

    def times(self, room: Any, weight: Any) -> int:
        """How often a weight fits."""
        return int(room // weight) if self.whole else math.floor(room / weight)

    def filled(self, relaxed: _Relaxed) -> _Relaxed:
        """Another whole solution: the classes as worthy as the one that fits in part, packed best.

        Two likelihoods are typical, and then this is often as good as the bound.
        """
        assert relaxed.critical is not None
        if not self.whole:
            return relaxed
        top, bottom = self.values[relaxed.critical], self.weights[relaxed.critical]
        chosen: dict[int, int] = {}
        alike, room = [], self.capacity
        for c in self.order:
            if self.values[c] * bottom == top * self.weights[c]:
                alike.append(c)
            elif self.values[c] * bottom > top * self.weights[c]:
                chosen[c] = self.counts[c]
                room -= self.counts[c] * self.weights[c]
        found = greatest_sum(
            [self.weights[c] for c in alike], [self.counts[c] for c in alike], room
        )
        if found is None:
            return relaxed
        room -= found[0]
        chosen |= {c: n for c, n in zip(alike, found[1], strict=True) if n}
        for c in self.order:
            weight = self.weights[c]
            if weight and self.values[c] * bottom < top * weight:
                chosen[c] = min(self.counts[c], room // weight)
                room -= chosen[c] * weight
        value = sum(n * self.values[c] for c, n in chosen.items())
        return _Relaxed(relaxed.bound, value, chosen, relaxed.critical)


@dataclass(frozen=True)
class _Relaxed:
    """An upper bound, a whole solution filled up greedily, and the class that fits in part."""

    bound: Any
    value: Any
    chosen: dict[int, int]
    critical: int | None


def _between(number: Any) -> tuple[Fraction, Fraction]:
    """Rationals around it; itself where it is one."""
    if isinstance(number, ExpNumber):
        return number.between(_BITS)
    return Fraction(number), Fraction(number)


def _worthiest(worth: Any, weight: Any) -> tuple[bool, Any, Any]:
    """Sorts by falling value per weight (None: no weight), heavy classes first."""
    return worth is not None, 0 if worth is None else -worth, -weight


class _Node:
    """A box in the search; its tree is a leaf until it is split."""

    __slots__ = ("above", "at", "below", "box", "depth", "packed", "problem", "relaxed", "split")

    def __init__(
        self, problem: int, box: dict[int, tuple[int, int]], depth: int, relaxed: _Relaxed | None
    ) -> None:
        self.problem, self.box, self.depth, self.relaxed = problem, box, depth, relaxed
        self.split: int | None = None
        self.at = 0
        self.packed = False
        self.below: _Node | None = None
        self.above: _Node | None = None

    def tree(self, scaled: _Scaled, at_most: Any) -> Any:
        """As it stands in a certificate, of which it proves `at_most`, in units."""
        if self.relaxed is None:
            return "over"
        if self.split is None or self.below is None or self.above is None:
            critical = self.relaxed.critical
            if critical is None:
                return "0"
            multiplier = scaled.multiplier(critical, self.box, at_most)
            return number_text(multiplier * scaled.multiplier_unit)
        return {
            "class": self.split,
            "at": count_json(self.at),
            "below": self.below.tree(scaled, at_most),
            "above": self.above.tree(scaled, at_most),
        }


def maximize(problems: Sequence[Knapsack | None], effort: Effort) -> Maximum:
    """The greatest of the problems' maxima (None: no problem there), best bound first."""
    search = _Search(problems)
    search.run(effort)
    return search.maximum(problems)


class _Search:
    """Open boxes of all problems in one queue, and the best solution so far."""

    def __init__(self, problems: Sequence[Knapsack | None]) -> None:
        self.scaled = [None if problem is None else _Scaled(problem) for problem in problems]
        self.best = Fraction(-1)
        self.best_problem = -1
        self.best_chosen: dict[int, int] = {}
        self.queue: list[tuple[Fraction, int, _Node]] = []
        self.steps = self.nodes = 0
        self.roots: list[_Node | None] = []
        for position, one in enumerate(self.scaled):
            root = None if one is None else _Node(position, {}, 0, one.relax({}))
            self.roots.append(root)
            if root is not None and one is not None:
                self.add(root, one)

    def add(self, node: _Node, problem: _Scaled) -> None:
        """Queue a box by its bound, and note its whole solution."""
        self.steps += len(problem.order) + 10
        if node.relaxed is not None:
            self.note(node.problem, problem, node.relaxed)
            self.nodes += 1
            heapq.heappush(self.queue, (-node.relaxed.bound * problem.unit, self.nodes, node))

    def note(self, position: int, problem: _Scaled, found: _Relaxed) -> None:
        """Keep a solution if it is the best."""
        value = found.value * problem.unit
        if value > self.best:
            self.best, self.best_problem, self.best_chosen = value, position, found.chosen

    @property
    def at_most(self) -> Fraction:
        """What the boxes that are still open allow."""
        return max(self.best, -self.queue[0][0]) if self.queue else self.best

    def run(self, effort: Effort) -> None:
        """Split the box with the best bound until nothing better than the best is open."""
        self.steps = 0
        while self.at_most > self.best:
            target = effort.target
            decided = target is None or self.best >= target or self.at_most < target
            if self.steps > (effort.ample if decided else effort.hard):
                return
            node = self.queue[0][2]
            if node.depth >= MAX_DEPTH or effort.deadline.passed:
                return
            problem = self.scaled[node.problem]
            assert problem is not None
            assert node.relaxed is not None
            if node.depth == 0 and not node.packed:
                node.packed = True
                self.note(node.problem, problem, problem.filled(node.relaxed))
                continue
            heapq.heappop(self.queue)
            for child in _children(node, problem):
                self.add(child, problem)

    def maximum(self, problems: Sequence[Knapsack | None]) -> Maximum:
        """What was found, with its proofs."""
        best = problems[self.best_problem]
        assert best is not None
        return Maximum(
            self.best,
            self.best_problem,
            tuple(self.best_chosen.get(c, 0) for c in range(len(best.counts))),
            self.at_most,
            tuple(
                None if root is None or one is None else root.tree(one, self.at_most / one.unit)
                for root, one in zip(self.roots, self.scaled, strict=True)
            ),
        )


def _children(node: _Node, scaled: _Scaled) -> list[_Node]:
    """Split the class that fits in part, between the numbers of it that fit and one more."""
    assert node.relaxed is not None
    assert node.relaxed.critical is not None, "a bound above the best has a class that fits in part"
    critical = node.relaxed.critical
    low, high = node.box.get(critical, (0, scaled.counts[critical]))
    at = node.relaxed.chosen.get(critical, low)
    node.split, node.at = critical, at
    boxes = ({**node.box, critical: (low, at)}, {**node.box, critical: (at + 1, high)})
    node.below, node.above = (
        _Node(node.problem, box, node.depth + 1, scaled.relax(box)) for box in boxes
    )
    return [node.below, node.above]
