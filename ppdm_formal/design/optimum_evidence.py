"""Evidence that no select-a-size of amplification gamma has a largest LDS of s or less.

With x = rho/(1 - rho) and ell_k = (1 + x)^k lambda_k the mean over p[j] of

    l_k(j) = sum over i of C(j, i) C(m - j, k - i) / C(m, k) * (-x)^(k - i),

the LDS of k-itemsets is at most s iff M ell_k^2 >= x^k + s sum over i = 1..k of
C(k, i) (1 - x)^i x^(k - i) ell_i, M = s^2 N/16 + s. The evidence is a tree over x, ell_1, ...,
ell_K: a node cuts the range of one of them in two, and a leaf refutes its box. Either ell_k is
too small in it (the right hand side is at least (1 - s) x^k), or numbers y, u, v >= 0 are given
under which

    h(j) = sum of y_k (M ((a + b) l_k - a b) - right hand side) + u_k (b - l_k) + v_k (l_k - a)

has a negative mean under every p[j], a <= ell_k <= b being the box, for which
ell_k^2 <= (a + b) ell_k - a b: the sum of d[j] (h + (gamma - 1) max(h, 0)) is negative for all x
of the box, d[j] = C(m, j) x^j. With x = (x0 + x1 t)/(1 + t) this is at most a polynomial in
t >= 0, whose coefficients must be negative (max(h, 0) is at most h with its positive coefficients
alone). y, u and v change with x: w0 at x0, w1 at x1, and (w0 + w1 t)/(1 + t) in between. All
numbers are exact rationals (FLINT).

x in (0, 1] suffices: sending complements turns (rho, b[j]) into (1 - rho, b[m - j]). Below some x
the amplification bounds |ell_k| by gamma (2 x)^k, which is too small.

As JSON, format ppdm-optimum/1, evidence is to be stored, and checked again by anyone:

    {"format": "ppdm-optimum/1", "size": m, "gamma": "19", "itemsets": [1, 2, 3],
     "transactions": N, "support": "577/250000", "least": "1/128",
     "nodes": [["cut", 0, "3/16"], ["small", 1], ["weights", [[y at x0, y at x1], ...], u, v], ...]}

It claims: no select-a-size of m items with this amplification has, for all of these itemset sizes
among N transactions, a lowest discoverable support of `support` or less.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from flint import fmpq, fmpq_poly

from ppdm_formal.declare.arithmetic.exact import to_flint
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.design.lds import DEVIATIONS

Interval: TypeAlias = tuple[Fraction | None, Fraction | None]
"""The range of an ell_k; None where it has no end."""


STRIPS = 64
"""How many ranges of x keep their polynomials."""


class Refuted(ValueError):
    """The evidence does not show what it claims."""


@dataclass(frozen=True)
class LdsGoal:
    """What is asked: transactions of m items, gamma, itemset sizes, N; and the s to be refuted."""

    size: int
    gamma: Fraction
    itemsets: tuple[int, ...]
    transactions: int
    support: Fraction

    def __post_init__(self) -> None:
        if not self.itemsets or list(self.itemsets) != sorted(set(self.itemsets)):
            raise Refuted("itemset sizes are listed once each, in order")
        if not 1 <= self.itemsets[0] <= self.itemsets[-1] <= self.size:
            raise Refuted(f"itemsets of {self.itemsets} items in transactions of {self.size}")
        if self.gamma <= 1 or self.transactions < 1 or not 0 < self.support < 1:
            raise Refuted("needs gamma > 1, transactions, and a support between 0 and 1")

    @cached_property
    def factor(self) -> Fraction:
        """M = s^2 N/16 + s."""
        return self.support**2 * self.transactions / DEVIATIONS**2 + self.support


@dataclass(frozen=True)
class BoxCut:
    """Two parts of the box: below and above `at` on axis 0 (x) or k (ell_k)."""

    axis: int
    at: Fraction


@dataclass(frozen=True)
class TooSmall:
    """In the whole box ell_k is so small that M ell_k^2 < (1 - s) x^k."""

    itemset: int


Pair: TypeAlias = tuple[int, int]
"""A weight at the lower and at the upper end of the range of x."""


@dataclass(frozen=True)
class Weights:
    """y, u and v for k = 1..K (y is 0 where k is not mined), each at both ends of x."""

    chords: tuple[Pair, ...]
    uppers: tuple[Pair, ...]
    lowers: tuple[Pair, ...]


Leaf: TypeAlias = TooSmall | Weights


@dataclass(frozen=True)
class Evidence:
    """A goal, and the tree over x from `least` to 1 that refutes it.

    After a cut stand all nodes of the part below it, then all of the part above it.
    """

    goal: LdsGoal
    least: Fraction
    nodes: tuple[BoxCut | Leaf, ...]


@dataclass(frozen=True)
class Box:
    """A part of the space: x from low to high, and the ranges of ell_1, ..., ell_K."""

    low: Fraction
    high: Fraction
    ranges: tuple[Interval, ...]

    @classmethod
    def whole(cls, goal: LdsGoal, least: Fraction) -> Box:
        """All x that are not hopeless."""
        return cls(least, Fraction(1), ((None, None),) * goal.itemsets[-1])

    def parts(self, cut: BoxCut) -> tuple[Box, Box]:
        """Below and above a cut; Refuted where the cut is not inside."""
        at, axis = cut.at, cut.axis
        if axis == 0:
            if not self.low < at < self.high:
                raise Refuted("a cut lies outside its box")
            return Box(self.low, at, self.ranges), Box(at, self.high, self.ranges)
        if not 1 <= axis <= len(self.ranges):
            raise Refuted(f"there is no axis {axis}")
        a, b = self.ranges[axis - 1]
        if (a is not None and at <= a) or (b is not None and at >= b):
            raise Refuted("a cut lies outside its box")
        before, after = self.ranges[: axis - 1], self.ranges[axis:]
        return (
            Box(self.low, self.high, (*before, (a, at), *after)),
            Box(self.low, self.high, (*before, (at, b), *after)),
        )


def recheck(evidence: Evidence, deadline: Deadline = NEVER) -> None:
    """Refuted unless the evidence shows that no select-a-size reaches the goal's support."""
    goal, least = evidence.goal, evidence.least
    if not 0 < least < 1:
        raise Refuted("the least x must be between 0 and 1")
    if not any(hopeless(goal, least, k) for k in goal.itemsets):
        raise Refuted(f"x below {least} is not refuted")
    waiting = [Box.whole(goal, least)]
    strips = Strips(goal)
    for node in evidence.nodes:
        deadline.check()
        if not waiting:
            raise Refuted("there are more nodes than boxes")
        box = waiting.pop()
        if isinstance(node, BoxCut):
            below, above = box.parts(node)
            waiting += [above, below]
        elif not strips.of(box).refutes(node, box.ranges):
            raise Refuted(f"a leaf fails: x from {box.low} to {box.high}, {box.ranges}")
    if waiting:
        raise Refuted("a part of the space is not refuted")


def hopeless(goal: LdsGoal, x: Fraction, itemset: int) -> bool:
    """Whether |ell_k| <= gamma (2 x)^k is too small, for all smaller x as well."""
    bound: Fraction = goal.factor * goal.gamma**2 * (4 * x) ** itemset
    return bound < 1 - goal.support


def least_x(goal: LdsGoal) -> Fraction:
    """A power of two below which x is hopeless."""
    x = Fraction(1)
    while not any(hopeless(goal, x, k) for k in goal.itemsets):
        x /= 2
    return x


class Strips:
    """The strips that were needed last."""

    def __init__(self, goal: LdsGoal) -> None:
        self.goal = goal
        self.kept: dict[tuple[Fraction, Fraction], Strip] = {}

    def of(self, box: Box) -> Strip:
        """The strip of a box."""
        key = (box.low, box.high)
        if key not in self.kept:
            if len(self.kept) >= STRIPS:
                del self.kept[next(iter(self.kept))]
            self.kept[key] = Strip(self.goal, *key)
        return self.kept[key]


class Strip:
    """All of the boxes with one range of x: its polynomials in t, x = (x0 + x1 t)/(1 + t)."""

    def __init__(self, goal: LdsGoal, low: Fraction, high: Fraction) -> None:
        self.goal, self.low, self.high = goal, low, high
        size, top = goal.size, goal.itemsets[-1]
        self.top = top
        one, line = fmpq_poly([1, 1]), fmpq_poly([to_flint(low), to_flint(high)])
        # Everything is multiplied by powers of (1 + t): x^a as line^a one^(total - a).
        self.ones = _powers(one, max(size, 2 * top))
        self.lines = _powers(line, max(size, top))
        rests = _powers(one - line, top)  # 1 - x
        self.shares = [
            math.comb(size, j) * self.lines[j] * self.ones[size - j] for j in range(size + 1)
        ]
        self.means = [[self._mean(k, j) for j in range(size + 1)] for k in range(1, top + 1)]
        self.gamma = to_flint(goal.gamma)
        self.factor = to_flint(goal.factor)
        support = to_flint(goal.support)
        self.burdens = [
            [
                math.comb(k, i)
                * support
                * rests[i]
                * self.lines[k - i]
                * self.ones[2 * top - k - i]
                for i in range(1, k + 1)
            ]
            for k in range(1, top + 1)
        ]

    def _mean(self, itemset: int, kept: int) -> Any:
        """l_k(j) times (1 + t)^k."""
        size = self.goal.size
        found = fmpq_poly([0])
        for i in range(max(0, itemset - size + kept), min(itemset, kept) + 1):
            ways = math.comb(kept, i) * math.comb(size - kept, itemset - i)
            term = ways * self.lines[itemset - i] * self.ones[i]
            found += -term if (itemset - i) % 2 else term
        return found / math.comb(size, itemset)

    def refutes(self, leaf: Leaf, ranges: Sequence[Interval]) -> bool:
        """Whether no randomization with x and ell in the box reaches the goal."""
        if isinstance(leaf, TooSmall):
            return self._too_small(leaf.itemset, ranges)
        bound = self.bound(leaf, ranges)
        return bound is not None and all(
            bound[power] < 0 for power in range(self.goal.size + 2 * self.top + 2)
        )

    def _too_small(self, itemset: int, ranges: Sequence[Interval]) -> bool:
        if itemset not in self.goal.itemsets:
            return False
        ends = ranges[itemset - 1]
        if ends[0] is None or ends[1] is None:
            return False
        largest = max(abs(ends[0]), abs(ends[1]))
        goal = self.goal
        return goal.factor * largest**2 < (1 - goal.support) * self.low**itemset

    def bound(self, leaf: Weights, ranges: Sequence[Interval]) -> Any:
        """The polynomial in t that must be negative; None for weights that mean nothing."""
        if not self._meaningful(leaf, ranges):
            return None
        top, full = self.top, 2 * self.top
        base = fmpq_poly([0])  # what multiplies 1, and then l_1, ..., l_K
        slopes = [fmpq_poly([0])] * top
        for k in range(1, top + 1):
            low, high = (fmpq(0) if end is None else to_flint(end) for end in ranges[k - 1])
            y, upper, lower = (
                fmpq_poly(list(part[k - 1])) for part in (leaf.chords, leaf.uppers, leaf.lowers)
            )
            constant = upper * high - lower * low - y * (self.factor * low * high)
            slope = lower - upper + y * (self.factor * (low + high))
            base += constant * self.ones[full]
            # l_k is multiplied by (1 + t)^k already.
            slopes[k - 1] = slopes[k - 1] + slope * self.ones[full - k]
            if y:
                base -= y * self.lines[k] * self.ones[full - k]
                for i in range(1, k + 1):
                    slopes[i - 1] = slopes[i - 1] - y * self.burdens[k - 1][i - 1]
        more = self.gamma - 1
        found = fmpq_poly([0])
        for j, share in enumerate(self.shares):
            h = base
            for k in range(top):
                h += slopes[k] * self.means[k][j]
            raised = fmpq_poly([c + more * c if c > 0 else c for c in h.coeffs()])
            found += share * raised
        return found

    def _meaningful(self, leaf: Weights, ranges: Sequence[Interval]) -> bool:
        """Weights are at least 0, and those of ends and itemsets that do not exist are 0."""
        if not len(leaf.chords) == len(leaf.uppers) == len(leaf.lowers) == self.top:
            return False
        for k, (a, b) in enumerate(ranges, 1):
            y, u, v = leaf.chords[k - 1], leaf.uppers[k - 1], leaf.lowers[k - 1]
            if min(*y, *u, *v) < 0:
                return False
            if (any(u) and b is None) or (any(v) and a is None):
                return False
            if any(y) and (a is None or b is None or k not in self.goal.itemsets):
                return False
        return True


def _powers(base: Any, top: int) -> list[Any]:
    found = [fmpq_poly([1])]
    for _ in range(top):
        found.append(found[-1] * base)
    return found


FORMAT = "ppdm-optimum/1"

MAX_NODES = 1_000_000

MAX_SIZE = 1000
"""The largest transaction that is checked."""

_RATIONAL = re.compile(r"-?[0-9]{1,400}(/[0-9]{1,400})?", re.ASCII)


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """The evidence as JSON content."""
    goal = evidence.goal
    return {
        "format": FORMAT,
        "size": goal.size,
        "gamma": number_text(goal.gamma),
        "itemsets": list(goal.itemsets),
        "transactions": goal.transactions,
        "support": number_text(goal.support),
        "least": number_text(evidence.least),
        "nodes": [_node_json(node) for node in evidence.nodes],
    }


def _node_json(node: BoxCut | Leaf) -> list[Any]:
    if isinstance(node, BoxCut):
        return ["cut", node.axis, number_text(node.at)]
    if isinstance(node, TooSmall):
        return ["small", node.itemset]
    parts = (node.chords, node.uppers, node.lowers)
    return ["weights", *([list(pair) for pair in part] for part in parts)]


def evidence_of(content: object) -> Evidence:
    """The evidence of JSON content; Refuted where it is none (that it holds: `recheck`)."""
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise Refuted(f"this is not evidence of an optimum: the format must be {FORMAT}")
    itemsets = _list(content.get("itemsets"), "itemsets", MAX_SIZE)
    size = _integer(content.get("size"), "size")
    if size > MAX_SIZE:
        raise Refuted(f"transactions of {size} items: sizes go up to {MAX_SIZE}")
    goal = LdsGoal(
        size,
        _rational(content.get("gamma"), "gamma"),
        tuple(_integer(k, "itemsets") for k in itemsets),
        _integer(content.get("transactions"), "transactions"),
        _rational(content.get("support"), "support"),
    )
    nodes = tuple(_node(node) for node in _list(content.get("nodes"), "nodes", MAX_NODES))
    return Evidence(goal, _rational(content.get("least"), "least"), nodes)


def _node(content: object) -> BoxCut | Leaf:
    match content:
        case ["cut", axis, at]:
            return BoxCut(_integer(axis, "axis"), _rational(at, "cut"))
        case ["small", itemset]:
            return TooSmall(_integer(itemset, "itemset"))
        case ["weights", chords, uppers, lowers]:
            return Weights(_pairs(chords), _pairs(uppers), _pairs(lowers))
    raise Refuted('a node is a "cut", "small" or "weights"')


def _pairs(content: object) -> tuple[Pair, ...]:
    found: list[Pair] = []
    for pair in _list(content, "weights", MAX_SIZE):
        match pair:
            case [first, last]:
                found.append((_integer(first, "a weight"), _integer(last, "a weight")))
            case _:
                raise Refuted("weights come in pairs, one for each end of the range of x")
    return tuple(found)


def _list(content: object, what: str, most: int) -> list[Any]:
    if not isinstance(content, list) or len(content) > most:
        raise Refuted(f"{what} must be a list of at most {most}")
    return content


def _integer(content: object, what: str) -> int:
    if not isinstance(content, int) or isinstance(content, bool) or not 0 <= content < 2**63:
        raise Refuted(f"{what} must be an integer from 0 to 2^63 - 1")
    return content


def _rational(content: object, what: str) -> Fraction:
    if not isinstance(content, str) or not _RATIONAL.fullmatch(content):
        raise Refuted(f"{what} must be a rational in text, such as 3/16")
    top, _, bottom = content.partition("/")
    if bottom and int(bottom) == 0:
        raise Refuted(f"{what} divides by 0")
    return Fraction(int(top), int(bottom or 1))
