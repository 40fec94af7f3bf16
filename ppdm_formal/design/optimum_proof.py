"""The finder of evidence: branch and bound over x and ell_1, ..., ell_K, guided by floats.

A box whose relaxation (chords for squares, x at the middle) has no solution gets the weights of
that linear program, which the exact check then accepts for the whole range of x, or the range is
cut. Where the relaxation has a solution, the range of the ell_k that it violates most is cut.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.design.krawtchouk import Floats
from ppdm_formal.design.optimum_evidence import (
    Box,
    BoxCut,
    Evidence,
    LdsGoal,
    Leaf,
    Strips,
    TooSmall,
    Weights,
    least_x,
)
from ppdm_formal.design.optimum_search import Landscape, Solved, solve

BATCH = 128
"""How many boxes are looked at together."""

WIDEST = 1.5
"""Ranges of x are cut until x1/x0 is at most this."""

FINEST = 1e-5
"""Ranges of x or ell_k that are narrower (relatively) are given up."""

FRAMED = 0.002
"""Ranges of x are cut down to about this before those of ell_k that the middle does not need."""

ROOM = 1e-9
"""How far below 0 a relaxation must be to count as impossible."""

WEIGHT_BITS = 24


class NotProved(Exception):
    """No evidence was found; `x` and `ratios` where the support seems to be reachable."""

    def __init__(self, reason: str, x: float = math.nan, ratios: Floats | None = None) -> None:
        super().__init__(reason)
        self.x, self.ratios = x, ratios


@dataclass
class _Node:
    """A box, and what became of it."""

    box: Box
    leaf: Leaf | None = None
    cut: BoxCut | None = None
    parts: tuple[_Node, _Node] | None = None

    def divide(self, axis: int, at: Fraction) -> list[_Node]:
        """Its two parts."""
        self.cut = BoxCut(axis, at)
        below, above = self.box.parts(self.cut)
        self.parts = _Node(below), _Node(above)
        return list(self.parts)

    def written(self) -> Iterator[BoxCut | Leaf]:
        """The tree as evidence lists it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.parts is not None and node.cut is not None:
                yield node.cut
                waiting += node.parts[::-1]
            else:
                assert node.leaf is not None
                yield node.leaf


@dataclass
class Finder:
    """The search for evidence of one goal, within a time and a number of boxes."""

    goal: LdsGoal
    land: Landscape
    deadline: Deadline = NEVER
    most: int = 10**9
    boxes: int = 0

    def __post_init__(self) -> None:
        self.strips = Strips(self.goal)

    def run(self) -> Evidence:
        """The evidence; NotProved where none is found."""
        least = least_x(self.goal)
        root = _Node(Box.whole(self.goal, least))
        waiting = [root]
        while waiting:
            if self.deadline.passed:
                raise NotProved("time is up")
            if self.boxes > self.most:
                raise NotProved("too many boxes")
            batch, waiting = waiting[-BATCH:], waiting[:-BATCH]
            waiting += self._look(batch)
        return Evidence(self.goal, least, tuple(root.written()))

    def _look(self, batch: list[_Node]) -> list[_Node]:
        """Settle boxes or cut them: what is left to do."""
        self.boxes += len(batch)
        left: list[_Node] = []
        narrow: list[_Node] = []
        for node in batch:
            if node.box.high / node.box.low > WIDEST:
                left += self._halve(node)
            else:
                narrow.append(node)
        if not narrow:
            return left
        boxes = [node.box for node in narrow]
        sides = [_Side.of(self.goal, self.land, boxes, end) for end in (0, 1)]
        for i, node in enumerate(narrow):
            if self.deadline.passed:
                raise NotProved("time is up")
            if not self._settled(node, sides, i):
                left += self._divide(node, sides, i)
        return left

    def _settled(self, node: _Node, sides: list[_Side], i: int) -> bool:
        """Whether the box has a leaf that the exact check accepts."""
        box = node.box
        strip = self.strips.of(box)
        leaves: list[Leaf] = [TooSmall(k) for k in self.goal.itemsets]
        if all(side.solved.value[i] < -ROOM for side in sides):
            leaves.append(self._weights(box, sides, i))
        node.leaf = next((leaf for leaf in leaves if strip.refutes(leaf, box.ranges)), None)
        return node.leaf is not None

    def _weights(self, box: Box, sides: list[_Side], i: int) -> Weights:
        """The programs' weights as integers."""
        top = self.land.top
        parts = np.array(
            [
                side.solved.weights[i].reshape(3, top) / side.scale[i] ** np.array([[2], [1], [1]])
                for side in sides
            ]
        )
        whole = np.rint(parts / parts.max() * 2**WEIGHT_BITS).astype(np.int64)
        for k, (a, b) in enumerate(box.ranges):
            whole[:, 0, k] *= a is not None and b is not None
            whole[:, 1, k] *= b is not None
            whole[:, 2, k] *= a is not None
        first, last = whole.tolist()
        return Weights(*(tuple(zip(*pair, strict=True)) for pair in zip(first, last, strict=True)))

    def _divide(self, node: _Node, sides: list[_Side], i: int) -> list[_Node]:
        """Cut the range of x, or that of an ell_k: where the relaxation gives most away."""
        box = node.box
        wide = math.log(box.high / box.low)
        possible = [side for side in sides if side.solved.value[i] >= -ROOM]
        if not possible and wide > FRAMED:
            return self._halve(node)
        side = max(sides, key=lambda one: one.solved.value[i])
        frame = self._frame(box, side, i)
        if frame is not None:
            return node.divide(frame[0], _rounded(frame[1] * side.scale[i, frame[0] - 1], 20))
        lower, upper, moments = side.lower[i], side.upper[i], side.moments[i]
        # How far the chord of a square is above it.
        with np.errstate(invalid="ignore", divide="ignore"):
            given = (moments - lower) * (upper - moments) / moments**2
        k = int(np.where(self.land.mined, given, -np.inf).argmax())
        stretch = abs(math.log(upper[k] / lower[k]))
        if len(possible) < 2 and wide > 0.2 * stretch:
            return self._halve(node)
        if stretch < FINEST or (possible and not self._lacking(moments, side.burden[i])):
            raise NotProved(
                "the support can be reached, or nearly so", side.x[i], side.solved.ratios[i]
            )
        width = upper[k] - lower[k]
        at = min(max(moments[k], lower[k] + 0.2 * width), upper[k] - 0.2 * width)
        return node.divide(k + 1, _rounded(at * side.scale[i, k], 20))

    def _halve(self, node: _Node) -> list[_Node]:
        box = node.box
        if box.high / box.low < 1 + FINEST:
            raise NotProved("a range of x became too narrow")
        wide = math.log2(box.high / box.low)
        bits = max(4, 4 - math.floor(math.log2(wide)))  # few, for short polynomials
        return node.divide(0, _rounded(math.sqrt(box.low * box.high), bits))

    def _lacking(self, moments: Floats, burden: Floats) -> bool:
        """Whether these moments violate some condition."""
        right = 1 + float(self.goal.support) * burden @ moments
        left = float(self.goal.factor) * moments**2
        return bool((self.land.mined & (left < right)).any())

    def _frame(self, box: Box, side: _Side, i: int) -> tuple[int, float] | None:
        """Where to cut first: what is too small, and what cannot be reached."""
        s, factor = float(self.goal.support), float(self.goal.factor)
        for k in self.goal.itemsets:
            a, b, scale = side.lower[i, k - 1], side.upper[i, k - 1], side.scale[i, k - 1]
            small = math.sqrt((1 - s) / factor * float(box.low) ** k) / scale * (1 - 1e-4)
            if a < small * (1 - 1e-3) and b > small * (1 + 1e-3):
                return k, small
            if b > -small * (1 - 1e-3) and a < -small * (1 + 1e-3):
                return k, -small
            for sign, end in ((1.0, b), (-1.0, -a)):
                if math.isinf(end):
                    reach = _reach(sign * side.means[i, k - 1], side.shares[i], self.land.gamma)
                    return k, sign * max(reach, small) * 1.02
        return None


@dataclass(frozen=True)
class _Side:
    """Boxes at one end of their ranges of x, in floats: ell_k divided by x^(k/2), and solved."""

    x: Floats
    scale: Floats
    lower: Floats
    upper: Floats
    shares: Floats
    means: Floats
    burden: Floats
    solved: Solved
    moments: Floats

    @classmethod
    def of(cls, goal: LdsGoal, land: Landscape, boxes: list[Box], end: int) -> _Side:
        x = np.array([float((box.low, box.high)[end]) for box in boxes])
        scale = x[:, None] ** (np.arange(1, land.top + 1) / 2)
        ends = np.array(
            [
                [
                    (-math.inf if a is None else float(a), math.inf if b is None else float(b))
                    for a, b in box.ranges
                ]
                for box in boxes
            ]
        )
        lower, upper = ends[:, :, 0] / scale, ends[:, :, 1] / scale
        shares, means, burden = land.shares(x), land.means(x), land.burden(x)
        solved = solve(_goals(goal, land, lower, upper, means, burden), shares, land.gamma)
        moments = land.moments(solved.ratios, x)
        return cls(x, scale, lower, upper, shares, means, burden, solved, moments)


def _goals(
    goal: LdsGoal, land: Landscape, lower: Floats, upper: Floats, means: Floats, burden: Floats
) -> Floats:
    """Chords, upper ends and lower ends for each k; 1 where there is none."""
    lower, upper = lower[:, :, None], upper[:, :, None]
    with np.errstate(invalid="ignore"):
        chords = float(goal.factor) * ((lower + upper) * means - lower * upper)
    chords -= 1 + float(goal.support) * np.einsum("bki,bij->bkj", burden, means)
    above, below = np.isfinite(upper), np.isfinite(lower)
    return np.concatenate(
        [
            np.where(above & below & land.mined[:, None], chords, 1.0),
            np.where(above, upper - means, 1.0),
            np.where(below, means - lower, 1.0),
        ],
        axis=1,
    )


def _reach(goal: Floats, shares: Floats, gamma: float) -> float:
    """The greatest mean of goal[j] over all p: b = gamma on its largest values."""
    order = np.argsort(-goal)
    d, g = shares[order], goal[order]
    weight = 1 + (gamma - 1) * np.cumsum(d)
    value = (g @ d) + (gamma - 1) * np.cumsum(g * d)
    return float((value / weight).max())


def _rounded(value: float, bits: int) -> Fraction:
    """A number of few bits near the value."""
    mantissa, exponent = math.frexp(value)
    return Fraction(round(mantissa * 2**bits)) * Fraction(2) ** (exponent - bits)
