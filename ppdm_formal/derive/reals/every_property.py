"""EveryProperty: the highest belief in any property of probability at most r, for all z at once.

Given z, the best property holds where the likelihood is highest (Neyman and Pearson), so that for
every level t >= 0

    P[Q, z] <= r t + integral of p(x) (p(z|x) - t)^+ dx        for all Q with P[Q] <= r,

with equality at the best t, since a density has properties of every probability. No property gets
to the belief s at z if the right side stays below s p(z) for some t. Over an interval of z and a
cell of x the likelihood lies between two numbers: (.)^+ is the joint mass less t times the prior
mass where both are above t, 0 where both are below, and at most the prior mass times (upper - t)
in the few cells between.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.arithmetic.exponential import dyadic
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.belief import PRECISION, Atom, Belief, WeighedCell, heights

MAX_INTERVALS = 500
"""Most intervals of z."""

_FINEST = 24
_LEVEL_BITS = 24


@dataclass(frozen=True)
class BeliefLevels:
    """A level for each interval between cuts, for a tail of Laplace noise, and for each atom."""

    cuts: tuple[Fraction, ...]
    levels: tuple[Fraction, ...]
    tails: tuple[Fraction | None, Fraction | None]
    atoms: tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Stuck:
    """The output at which no level was found; None: far out."""

    output: Fraction | Atom | None


@dataclass(frozen=True)
class SeenOfCell:
    """What outputs show of a cell: its prior mass, joint mass, and its likelihood's range."""

    cell: WeighedCell
    prior: Any
    joint: Any
    low: Any
    high: Any


class EveryProperty:
    """All properties at once, of one continuous operator under a density."""

    def __init__(self, operator: ContinuousOperator, density: Density, parts: int) -> None:
        whole = RealProperty(density.domain, ((density.domain.lo, density.domain.hi),))
        self.belief = Belief(operator, density, whole, parts, everywhere=True)
        self.operator, self.density, self.parts = operator, density, parts
        with ctx.workprec(PRECISION):
            self.masses = [density.ball_mass(cell.lo, cell.hi) for cell in self.belief.cells]
            self.inverses = [self.belief.inverse_share(cell) for cell in self.belief.cells]

    def seen(self, low: Fraction, high: Fraction) -> list[SeenOfCell]:
        """Each cell, for all z of an interval."""
        found = []
        for cell, mass, inverse in self._cells():
            joint = self.belief.joint(cell, low, high)
            least, most = heights(self.belief.noise, low - cell.hi, high - cell.lo)
            found.append(SeenOfCell(cell, mass, joint, least * inverse, most * inverse))
        return found

    def seen_at(self, atom: Atom) -> list[SeenOfCell]:
        """Each cell, where the output is an end of a clamped window."""
        window, noise = self.operator.window, self.belief.noise
        assert window is not None
        found = []
        for cell, mass, _ in self._cells():
            ends = [_beyond(noise, window.lo - x, window.hi - x, atom) for x in (cell.lo, cell.hi)]
            joint = self.belief.atom(cell, atom)
            found.append(SeenOfCell(cell, mass, joint, ends[0].min(ends[1]), ends[0].max(ends[1])))
        return found

    def _cells(self) -> Iterator[tuple[WeighedCell, Any, Any]]:
        return zip(self.belief.cells, self.masses, self.inverses, strict=True)


def stays_below(
    every: EveryProperty, start: Fraction, reach: Fraction, end: Deadline
) -> BeliefLevels | Stuck:
    """Levels by which no property of at most `start` gets to `reach`, the hardest outputs first."""
    with ctx.workprec(PRECISION):
        low, high = every.belief.outputs
        first, last = every.belief.lo, every.belief.hi
        tails: list[Fraction | None] = [None, None]
        if low is None or high is None:
            if every.belief.noise.tail is None:
                return Stuck(None)  # ever farther out, a belief comes ever closer to 1
            for side, edge in enumerate((first, last)):
                if (low, high)[side] is None:
                    tails[side], _ = _level(every.seen(edge, edge), start, reach)
                    if tails[side] is None:
                        return Stuck(edge)
        atoms: list[Fraction | None] = [None, None]
        for atom in every.belief.atoms():
            found, _ = _level(every.seen_at(atom), start, reach)
            if found is None:
                return Stuck(atom)
            atoms[("lo", "hi").index(atom)] = found
        bottom, top = first if low is None else low, last if high is None else high
        done = _between(every, bottom, max(bottom, top), start, reach, end)
    if isinstance(done, Stuck):
        return done
    done.sort()
    cuts = [done[0][0], *(part[1] for part in done)]
    return BeliefLevels(tuple(cuts), tuple(part[2] for part in done), (*tails,), (*atoms,))  # type: ignore[arg-type]


def _between(
    every: EveryProperty,
    low: Fraction,
    high: Fraction,
    start: Fraction,
    reach: Fraction,
    end: Deadline,
) -> list[tuple[Fraction, Fraction, Fraction]] | Stuck:
    """Intervals with their levels; the one that lacks most is cut next."""
    done: list[tuple[Fraction, Fraction, Fraction]] = []
    heap: list[tuple[float, Fraction, Fraction, int]] = []

    def look(a: Fraction, b: Fraction, depth: int) -> None:
        level, lacks = _level(every.seen(a, b), start, reach) if a < b else (Fraction(0), 0.0)
        if level is None:
            heapq.heappush(heap, (-lacks, a, b, depth))
        else:
            done.append((a, b, level))

    look(low, high, 0)
    while heap:
        end.check()
        _, a, b, depth = heapq.heappop(heap)
        middle = (a + b) / 2
        if depth >= _FINEST or len(done) + len(heap) > MAX_INTERVALS:
            return Stuck(middle)
        if _level(every.seen(middle, middle), start, reach)[0] is None:
            return Stuck(middle)  # not even one output, so that no cut helps
        look(a, middle, depth + 1)
        look(middle, b, depth + 1)
    return done


def _level(
    seen: Sequence[SeenOfCell], start: Fraction, reach: Fraction
) -> tuple[Fraction | None, float]:
    """A level that shows it; None where none does, and how far above `reach` a belief may be.

    First from where the cells of highest likelihood have `start` together. The highest likelihood
    of all is better where cells are wide against the noise: p(z) is known there all the same.
    """
    lacks: Any = None
    for level in _tried(seen, start):
        over = excess(seen, level, start, reach)
        if over < 0:
            return level, 0.0
        lacks = over if lacks is None else lacks.min(over)
    possible = sum((part.joint.mid().max(arb(0)) for part in seen), arb(0))
    by = (lacks / possible).mid() if possible > 0 else arb(1)
    return None, min(float(by), 1e300)


def _tried(seen: Sequence[SeenOfCell], start: Fraction) -> Iterator[Fraction]:
    left = float(start)
    level: Any = arb(0)
    for part in sorted(seen, key=lambda part: -float(part.high.mid() + part.low.mid())):
        level = (part.low.mid() + part.high.mid()) / 2
        left -= float(part.prior.mid())
        if left <= 0:
            break
    yield _short(level)
    highest = max((part.high.upper() for part in seen), key=float)
    yield _short(highest * (1 + arb(2) ** (1 - _LEVEL_BITS)))


def _short(level: Any) -> Fraction:
    """About the same number, with few bits."""
    number = dyadic(level.mid())
    if number <= 0:
        return Fraction(0)
    place = math.floor(math.log2(number.numerator) - math.log2(number.denominator)) - _LEVEL_BITS
    unit = Fraction(2) ** place
    return round(number / unit) * unit


def excess(seen: Sequence[SeenOfCell], level: Fraction, start: Fraction, reach: Fraction) -> Any:
    """The most of r t + integral of p (p(z|x) - t)^+ - s p(z); negative where no output exists."""
    t, r, s = ball_of(level), ball_of(start), ball_of(reach)
    total, possible = r * t, False
    for part in seen:
        joint = part.joint.upper()
        possible = possible or joint > 0
        if part.low >= t:
            total += (1 - s) * joint - t * part.prior
        else:
            total -= s * part.joint.lower().max(arb(0))
            if not part.high <= t:
                total += part.prior * (part.high - t)
    return total.upper() if possible else arb(-1)


def _beyond(noise: Noise, lo: Fraction, hi: Fraction, atom: Atom) -> Any:
    """P[noise < lo] or P[noise > hi]."""
    if atom == "lo":
        return noise.ball_cdf(ball_of(lo))
    return noise.mirrored().ball_cdf(ball_of(-hi))
