"""Worst-case information: the most that one output tells, sup over z of D(z).

    D(z) = integral of p(x|z) ln (p(x|z)/p(x)) dx        (EGS03: from the prior to the belief)

Branch and bound over z: intervals are bounded by cells of x first, and the highest closely then
(told_between.py). With the prior masses m and joint masses A of cells, P = sum of A, D(z) is
between the D of cells, sum of A/P ln (A/(P m)), and that plus the mean of
ln(1 + (R - 1)^2/(4 R)), where R is how much likelier some x of the cell makes z than others
(Jensen; Bhatia and Davis bound the variance).
"""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of
from ppdm_formal.declare.arithmetic.exponential import dyadic
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import merged
from ppdm_formal.derive.reals.analytic import NotEnclosed
from ppdm_formal.derive.reals.every_property import EveryProperty, SeenOfCell
from ppdm_formal.derive.reals.told import ToldByOutputs
from ppdm_formal.derive.reals.told_between import ToldBound, told_between, told_nearby

_PRECISION = 96
_CELLS = 48
_STEPS = 600
"""Intervals of z that are looked at closely or cut in two, those with the highest bound first."""

_WORK = 200_000
"""Values of functions after which intervals are no longer looked at closely: some ten seconds."""

_PARTS, _SPREADS = 50, 4
"""Intervals between two cuts at first, and their length in standard deviations of the noise."""

_SHORT, _LOOSE = 256, 10
"""Where intervals are short beside the noise, by how much; and how much looser their bounds."""

_DIGITS = 8
_CLOSE, _CLOSEST = 1e-5, 1e-11


@dataclass(frozen=True, order=True)
class _Part:
    """An interval of z between cuts; order: less what no output of it tells more than."""

    order: float
    lo: Fraction
    hi: Fraction
    settled: bool


@dataclass(frozen=True)
class WorstOutput:
    """The supremum of D(z) in nats, and the output that shows it (None: farther and farther out).

    beyond: whether all outputs from there on to the end show as much.
    """

    value: Enclosure | Infinity
    at: Fraction | None
    beyond: bool = False


def worst_case(operator: ContinuousOperator, density: Density, deadline: Deadline) -> WorstOutput:
    """I_w(X; Z): infinite where outputs leave ever fewer x, otherwise by branch and bound."""
    end = _sure_end(operator, density)
    if end is not None:
        return WorstOutput(INFINITY, end)
    every = _cut(operator, density)
    low, high = every.belief.outputs
    if (low is None or high is None) and operator.noise.tail is None:
        return WorstOutput(INFINITY, None)
    with ctx.workprec(_PRECISION):
        return _Search(every, ToldByOutputs(operator, density), deadline).run()


def _cut(operator: ContinuousOperator, density: Density) -> EveryProperty:
    return EveryProperty(operator, density, max(_CELLS // len(list(density.pieces())), 8))


def _sure_end(operator: ContinuousOperator, density: Density) -> Fraction | None:
    """An end of the outputs of bounded noise, towards which ever fewer x are possible."""
    least, most = operator.noise.support
    if least is None or most is None:
        return None
    reached = merged((piece.lo + least, piece.hi + most) for piece in density.pieces())
    window = operator.window
    for lo, hi in reached:
        if window is None or window.lo < hi <= window.hi:
            return hi
        if window.lo <= lo < window.hi:
            return lo
    return None


class _Search:
    """Branch and bound over z; best: what some output tells at least."""

    def __init__(self, every: EveryProperty, told: ToldByOutputs, deadline: Deadline) -> None:
        self.every, self.told, self.deadline = every, told, deadline
        self.best: Any = arb(0)
        self.witness: Fraction | None = None
        self.beyond = False
        self.above = arb(0)  # of single outputs: atoms, and tails of Laplace noise

    def run(self) -> WorstOutput:
        """The supremum over all outputs."""
        low, high = self.every.belief.outputs
        first, last = self.every.belief.lo, self.every.belief.hi
        self._atoms()
        for end, out in ((first, low), (last, high)):
            if out is None:
                self.above = self.above.max(self._try(end, beyond=True).upper())
        start, end = (first if low is None else low), (last if high is None else high)
        most = self.best.max(self.above)
        if start < end:
            most = most.max(self._between(start, end))
        if not most.is_finite():
            raise NotEnclosed("outputs that are hardly possible")
        value = Enclosure(dyadic(self.best.lower()), dyadic(most.upper()))
        return WorstOutput(value, self.witness, self.beyond)

    def _atoms(self) -> None:
        window = self.every.operator.window
        for atom in self.every.belief.atoms():
            assert window is not None
            found = self.told.atom(atom).told
            if not found.is_finite():
                found = divergence(self.every.seen_at(atom))
            if found is not None:
                self.above = self.above.max(found.upper())
                self._noted(found, window.lo if atom == "lo" else window.hi)

    def _noted(self, found: Any, place: Fraction, beyond: bool = False) -> None:
        if found.lower() > self.best:
            self.best, self.witness, self.beyond = found.lower(), place, beyond

    def _try(self, z: Fraction, beyond: bool = False) -> Any:
        """What one output tells."""
        paths = self.told.paths(z)
        found = self.told.at(paths, ball_of(z), self.told.shift(paths, z)).told
        if not found.is_finite():
            found = divergence(self.every.seen(z, z))
        if found is None:
            return arb(0)
        self._noted(found, z, beyond)
        return found

    @property
    def _atom_places(self) -> tuple[Fraction, ...]:
        window = self.every.operator.window
        if window is None or window.kind == "truncated":
            return ()
        return window.lo, window.hi

    @property
    def _error(self) -> float:
        """By how much bounds may be above what an output tells."""
        return float(self.best) * _CLOSE + _CLOSEST

    def _close(self, bound: float) -> bool:
        return bound <= float(self.best) + self._error

    def _between(self, start: Fraction, end: Fraction) -> Any:
        """No output from start to end tells more."""
        todo: list[_Part] = []
        cuts = self.told.cuts(start, end)
        for z in cuts:
            if z not in self._atom_places:
                self._try(z)
        for lo, hi in itertools.pairwise(cuts):
            parts = min(math.ceil((hi - lo) / _length(self.told.noise)), _PARTS)
            length = (hi - lo) / parts
            for k in range(parts):
                a, b = lo + k * length, lo + (k + 1) * length
                heapq.heappush(todo, self._part(a, b, math.inf))
                self._try((a + b) / 2)
        for _ in range(_STEPS):
            if todo[0].settled or self._close(-todo[0].order):
                break
            self.deadline.check()
            part = heapq.heappop(todo)
            closer = self._closer(part)
            if closer is not None:
                heapq.heappush(todo, closer)
                continue
            middle = (part.lo + part.hi) / 2
            for a, b in ((part.lo, middle), (middle, part.hi)):
                heapq.heappush(todo, self._part(a, b, -part.order))
            if self.told.work <= _WORK:
                self._try(middle)
        return ball_of(Fraction(-todo[0].order)) if -todo[0].order < math.inf else arb("inf")

    def _part(self, lo: Fraction, hi: Fraction, most: float) -> _Part:
        """An interval, bounded by cells of x."""
        found = divergence(self.every.seen(lo, hi))
        bound = 0.0 if found is None else min(most, _above(found))
        return _Part(-bound, lo, hi, settled=False)

    def _closer(self, part: _Part) -> _Part | None:
        """The same interval, bounded closely; None where it is to be cut."""
        if self.told.work > _WORK:
            return None
        if (part.hi - part.lo) * _SHORT < _length(self.told.noise):
            nearby = _above(told_nearby(self.told, part.lo, part.hi))
            if nearby <= float(self.best) + _LOOSE * self._error:
                return replace(part, order=max(part.order, -nearby), settled=True)
        bound = told_between(self.told, part.lo, part.hi, self._error)
        if bound is None:
            return None
        self._witness(part, bound)
        return replace(part, order=max(part.order, -_above(bound.most)), settled=True)

    def _witness(self, part: _Part, bound: ToldBound) -> None:
        """An output of few digits that tells nearly as much."""
        if not _above(bound.most) > float(self.best):
            return
        unit = Fraction(10) ** math.floor(math.log10(part.hi - part.lo))
        for _ in range(_DIGITS):
            z = min(max(round(bound.at / unit) * unit, part.lo), part.hi)
            if z in self._atom_places:  # an output beside it
                z += unit / 10 if z == part.lo else -unit / 10
            if _above(bound.most) <= float(self._try(z).lower()) + 2 * self._error:
                return
            unit /= 10


def _length(noise: Noise) -> Fraction:
    """How long intervals of z are at first: short enough for a polynomial, most often."""
    return _SPREADS * Fraction(noise.sd).limit_denominator(10**6)


def _above(ball: Any) -> float:
    """A float that is not below."""
    return math.nextafter(float(ball.upper()), math.inf) if ball.is_finite() else math.inf


def divergence(seen: list[SeenOfCell]) -> Any:
    """A ball around D(z), for what is seen of all cells; None where there is no such output."""
    whole = _sum(part.joint for part in seen)
    if whole.is_finite() and not whole.upper() > 0:
        return None
    if not whole > 0:
        return arb(0).union(arb("inf"))  # not told from no output: nothing is known
    told, inside = arb(0), arb(0)
    for part in seen:
        share = part.joint / whole
        share = share.lower().max(arb(0)).union(share.upper().min(arb(1)))
        if not share.upper() > 0:
            continue
        told += part.prior * _x_log_x(share / part.prior)
        high = (part.high * part.prior / part.joint.upper()).upper().max(arb(1))
        spread = high - 1
        if part.low > 0:
            ratio = part.high / part.low
            spread = ((ratio - 1) * (ratio - 1) / (4 * ratio)).upper()
        inside += share.upper() * (1 + spread).log()
    over = (told + inside.upper()).upper()
    highest = arb(0)
    for part in seen:
        highest = highest.max(part.high.upper())
    simple = (highest / whole.lower()).log().upper()  # ln (p(z|x)/p(z)) is never above this
    return told.lower().union(over.min(simple) if over.is_finite() else simple)


def _x_log_x(x: Any) -> Any:
    """The range of x ln x, which falls up to 1/e and then rises."""
    least, most = x.lower().max(arb(0)), x.upper()
    bottom = (-arb(1)).exp()
    ends = [end * end.log() if end > 0 else arb(0) for end in (least, most)]
    found = ends[0].union(ends[1])
    return found.union(-bottom) if least < bottom < most else found


def _sum(balls: Any) -> Any:
    return sum(balls, arb(0))
