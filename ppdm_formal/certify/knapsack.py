"""Bounded knapsacks, exactly: max sum(n v) with sum(n w) <= K and integers 0 <= n <= m.

Several knapsacks (one a view) are searched together, best bound first: the greatest of their
maxima is wanted. The bound of a box of n is the fractional (Lagrangian) one,
t K + sum((v - t w) n) at the multiplier t of the class that fits in part, rounded down to what
sums of values can be. Whenever the search ends, its open leaves still prove an upper bound, so
the answer is always an enclosure with a proof, and exact where there was time.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.canonical import count_json, number_text

MAX_DEPTH = 200
"""Boxes are not split further than this, so that trees can be read recursively."""


@dataclass(frozen=True)
class Knapsack:
    """One problem: values and weights of one input of each class, how many there are, capacity."""

    values: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
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
    deadline: float = math.inf


def in_units(numbers: Sequence[Fraction]) -> tuple[list[int], Fraction]:
    """The numbers as integer multiples of the greatest unit that allows it (1 if all are 0)."""
    common = math.lcm(*(number.denominator for number in numbers))
    tops = [number.numerator * (common // number.denominator) for number in numbers]
    divisor = math.gcd(*tops)
    if not divisor:
        return tops, Fraction(1)
    return [top // divisor for top in tops], Fraction(divisor, common)


class _Scaled:
    """A knapsack in integers, its classes in falling order of value per weight."""

    def __init__(self, problem: Knapsack) -> None:
        self.values, self.unit = in_units(problem.values)
        self.weights, heavy = in_units(problem.weights)
        self.multiplier_unit = self.unit / heavy
        self.capacity = math.floor(problem.capacity / heavy)
        self.counts = problem.counts
        # Ratios of different classes differ by 1/(w1 w2) at least, so these keys tell them apart.
        fine = max(self.weights) ** 2
        worth = [
            v * fine // w if w else math.inf for v, w in zip(self.values, self.weights, strict=True)
        ]
        useful = [c for c, value in enumerate(self.values) if value]
        self.order = sorted(useful, key=lambda c: (-worth[c], -self.weights[c]))

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
            fits = free if not weight else min(free, left // weight)
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
        fraction = rest * self.values[critical] // self.weights[critical]
        return _Relaxed(whole + fraction, bound, extra, critical)


@dataclass(frozen=True)
class _Relaxed:
    """An upper bound, a whole solution filled up greedily, and the class that fits in part."""

    bound: int
    value: int
    chosen: dict[int, int]
    critical: int | None


class _Node:
    """A box in the search; its tree is a leaf until it is split."""

    __slots__ = ("above", "at", "below", "box", "depth", "problem", "relaxed", "split")

    def __init__(
        self, problem: int, box: dict[int, tuple[int, int]], depth: int, relaxed: _Relaxed | None
    ) -> None:
        self.problem, self.box, self.depth, self.relaxed = problem, box, depth, relaxed
        self.split: int | None = None
        self.at = 0
        self.below: _Node | None = None
        self.above: _Node | None = None

    def tree(self, scaled: _Scaled) -> Any:
        """As it stands in a certificate."""
        if self.relaxed is None:
            return "over"
        if self.split is None or self.below is None or self.above is None:
            critical = self.relaxed.critical
            if critical is None:
                return "0"
            ratio = Fraction(scaled.values[critical], scaled.weights[critical])
            return number_text(ratio * scaled.multiplier_unit)
        return {
            "class": self.split,
            "at": count_json(self.at),
            "below": self.below.tree(scaled),
            "above": self.above.tree(scaled),
        }


def maximize(problems: Sequence[Knapsack | None], effort: Effort) -> Maximum:
    """The greatest of the problems' maxima (None: no problem there), best bound first."""
    scaled = [None if problem is None else _Scaled(problem) for problem in problems]
    best, best_problem, best_chosen = Fraction(-1), -1, {}
    roots: list[_Node | None] = []
    heap: list[tuple[Fraction, int, _Node]] = []
    settled = Fraction(-1)
    serial = steps = 0

    def consider(node: _Node) -> None:
        nonlocal best, best_problem, best_chosen, serial, steps
        problem = scaled[node.problem]
        assert problem is not None
        steps += len(problem.order) + 10
        if node.relaxed is None:
            return
        value = node.relaxed.value * problem.unit
        if value > best:
            best, best_problem, best_chosen = value, node.problem, node.relaxed.chosen
        serial += 1
        heapq.heappush(heap, (-node.relaxed.bound * problem.unit, serial, node))

    for position, one in enumerate(scaled):
        root = None if one is None else _Node(position, {}, 0, one.relax({}))
        roots.append(root)
        if root is not None:
            consider(root)
    target, steps = effort.target, 0
    while heap and -heap[0][0] > best:
        top = -heap[0][0]
        decided = target is None or best >= target or top < target
        if steps > (effort.ample if decided else effort.hard) or time.monotonic() > effort.deadline:
            break
        node = heapq.heappop(heap)[2]
        if node.depth >= MAX_DEPTH:
            settled = max(settled, top)
            continue
        for child in _children(node, scaled[node.problem]):
            consider(child)
    at_most = max(best, settled, -heap[0][0] if heap else best)
    counts = problems[best_problem].counts  # type: ignore[union-attr]
    return Maximum(
        best,
        best_problem,
        tuple(best_chosen.get(c, 0) for c in range(len(counts))),
        at_most,
        tuple(
            None if root is None or one is None else root.tree(one)
            for root, one in zip(roots, scaled, strict=True)
        ),
    )


def _children(node: _Node, scaled: _Scaled | None) -> list[_Node]:
    """Split the class that fits in part, between the numbers of it that fit and one more."""
    assert scaled is not None
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
