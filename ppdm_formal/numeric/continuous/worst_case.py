"""Worst-case information: the most that one output tells, sup over z of D(z), by cells of x.

    D(z) = integral of p(x|z) ln (p(x|z)/p(x)) dx        (EGS03: from the prior to the belief)

With the prior masses m and joint masses A of cells, P = sum of A, D(z) is between the D of cells,
sum of A/P ln (A/(P m)), and that plus the mean of ln(1 + (R - 1)^2/(4 R)), where R is how much
likelier some x of the cell makes z than others (Jensen; Bhatia and Davis bound the variance).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.numbers.enclosure import Enclosure
from ppdm_formal.numbers.exponential import dyadic
from ppdm_formal.numbers.value import INFINITY, Infinity
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.analytic import NotEnclosed
from ppdm_formal.numeric.continuous.belief import Atom
from ppdm_formal.numeric.continuous.density import Density
from ppdm_formal.numeric.continuous.every_property import EveryProperty, Seen
from ppdm_formal.numeric.continuous.reals import merged
from ppdm_formal.numeric.noise import Laplace

_PRECISION = 96
_CELLS = 48
_STEPS = 120
"""Intervals of z that are cut in two, those with the highest bound first."""

_CLOSE = Fraction(1, 200)


@dataclass(frozen=True)
class WorstCase:
    """The supremum of D(z) in nats, and the output that shows it (None: farther and farther out).

    beyond: whether all outputs from there on to the end show as much.
    """

    value: Enclosure | Infinity
    at: Fraction | None
    beyond: bool = False


def worst_case(operator: ContinuousOperator, density: Density, deadline: Deadline) -> WorstCase:
    """I_w(X; Z): infinite where outputs leave ever fewer x, otherwise by branch and bound."""
    end = _sure_end(operator, density)
    if end is not None:
        return WorstCase(INFINITY, end)
    every = _cut(operator, density)
    low, high = every.belief.outputs
    if (low is None or high is None) and not isinstance(operator.noise, Laplace):
        return WorstCase(INFINITY, None)
    with ctx.workprec(_PRECISION):
        return _searched(every, deadline)


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


def _searched(every: EveryProperty, deadline: Deadline) -> WorstCase:
    low, high = every.belief.outputs
    best, witness, beyond = arb(0), None, False
    above = arb(0)  # of single outputs: atoms, and tails of Laplace noise
    first, last = every.belief.lo, every.belief.hi
    points: list[tuple[Fraction | Atom, Fraction, bool]] = []
    window = every.operator.window
    for atom in every.belief.atoms():
        assert window is not None
        points.append((atom, window.lo if atom == "lo" else window.hi, False))
    points += [(end, end, True) for end, out in ((first, low), (last, high)) if out is None]
    for point, place, tail in points:
        told = _at(every, point)
        if told is not None:
            above = above.max(told.upper())
            if told.lower() > best:
                best, witness, beyond = told.lower(), place, tail
    start, end = (first if low is None else low), (last if high is None else high)
    todo = [(-float("inf"), start, end)] if start < end else []
    for _ in range(_STEPS):
        if not todo or -todo[0][0] <= float(best) * (1 + float(_CLOSE)) + 1e-6:
            break
        deadline.check()
        _, a, b = heapq.heappop(todo)
        middle = (a + b) / 2
        told = _at(every, middle)
        if told is not None and told.lower() > best:
            best, witness, beyond = told.lower(), middle, False
        for part in ((a, middle), (middle, b)):
            over = divergence(every.seen(*part))
            if over is not None:
                heapq.heappush(todo, (-float(over.upper()), *part))
    for bound, _, _ in todo:
        above = above.max(arb(-bound) * (1 + arb(2) ** -40))
    most = best.max(above)
    if not most.is_finite():
        raise NotEnclosed("outputs that are hardly possible")
    return WorstCase(Enclosure(dyadic(best.lower()), dyadic(most.upper())), witness, beyond)


def _at(every: EveryProperty, point: Fraction | Atom) -> Any:
    seen = every.seen_at(point) if isinstance(point, str) else every.seen(point, point)
    return divergence(seen)


def divergence(seen: list[Seen]) -> Any:
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
    return told + arb(0).union(inside.upper())


def _x_log_x(x: Any) -> Any:
    """The range of x ln x, which falls up to 1/e and then rises."""
    least, most = x.lower().max(arb(0)), x.upper()
    bottom = (-arb(1)).exp()
    ends = [end * end.log() if end > 0 else arb(0) for end in (least, most)]
    found = ends[0].union(ends[1])
    return found.union(-bottom) if least < bottom < most else found


def _sum(balls: Any) -> Any:
    return sum(balls, arb(0))
