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

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numbers.exponential import dyadic
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.belief import PRECISION, Atom, Belief, Cell, heights
from ppdm_formal.numeric.continuous.density import Density
from ppdm_formal.numeric.continuous.reals import Interval, RealProperty, merged
from ppdm_formal.numeric.noise import Laplace, Noise

MAX_INTERVALS = 500
"""Most intervals of z."""

_FINEST = 24
_LEVEL_BITS = 24


@dataclass(frozen=True)
class Levels:
    """A level for each interval between cuts, for a tail of Laplace noise, and for each atom."""

    cuts: tuple[Fraction, ...]
    levels: tuple[Fraction, ...]
    tails: tuple[Fraction | None, Fraction | None]
    atoms: tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Seen:
    """What outputs show of a cell: its prior mass, joint mass, and its likelihood's range."""

    cell: Cell
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
            self.shares = [self.belief.share(cell) for cell in self.belief.cells]

    def seen(self, low: Fraction, high: Fraction) -> list[Seen]:
        """Each cell, for all z of an interval."""
        found = []
        for cell, mass, share in self._cells():
            joint = self.belief.joint(cell, low, high)
            least, most = heights(self.belief.noise, low - cell.hi, high - cell.lo)
            found.append(Seen(cell, mass, joint, least / share, most / share))
        return found

    def seen_at(self, atom: Atom) -> list[Seen]:
        """Each cell, where the output is an end of a clamped window."""
        window, noise = self.operator.window, self.belief.noise
        assert window is not None
        found = []
        for cell, mass, _ in self._cells():
            ends = [_beyond(noise, window.lo - x, window.hi - x, atom) for x in (cell.lo, cell.hi)]
            joint = self.belief.atom(cell, atom)
            found.append(Seen(cell, mass, joint, ends[0].min(ends[1]), ends[0].max(ends[1])))
        return found

    def _cells(self) -> Iterator[tuple[Cell, Any, Any]]:
        return zip(self.belief.cells, self.masses, self.shares, strict=True)


def stays_below(every: EveryProperty, start: Fraction, reach: Fraction, end: Deadline) -> Any:
    """Levels by which no property of at most `start` gets to `reach`; None where none are found."""
    with ctx.workprec(PRECISION):
        low, high = every.belief.outputs
        first, last = every.belief.lo, every.belief.hi
        tails: list[Fraction | None] = [None, None]
        if low is None or high is None:
            if not isinstance(every.belief.noise, Laplace):
                return None  # ever farther out, a belief comes ever closer to 1
            for side, edge in enumerate((first, last)):
                if (low, high)[side] is None:
                    tails[side] = _level(every.seen(edge, edge), start, reach)
                    if tails[side] is None:
                        return None
        atoms: list[Fraction | None] = [None, None]
        for atom in every.belief.atoms():
            found = _level(every.seen_at(atom), start, reach)
            if found is None:
                return None
            atoms[("lo", "hi").index(atom)] = found
        todo = [(first if low is None else low, last if high is None else high, 0)]
        done: list[tuple[Fraction, Fraction, Fraction]] = []
        while todo:
            end.check()
            a, b, depth = todo.pop()
            level = _level(every.seen(a, b), start, reach) if a < b else Fraction(0)
            if level is not None:
                done.append((a, b, level))
                continue
            if depth >= _FINEST or len(done) + len(todo) > MAX_INTERVALS:
                return None
            middle = (a + b) / 2
            if _open(every, middle, start, reach):
                return None
            todo += [(middle, b, depth + 1), (a, middle, depth + 1)]
    done.sort()
    cuts = [done[0][0], *(part[1] for part in done)]
    return Levels(tuple(cuts), tuple(part[2] for part in done), (*tails,), (*atoms,))  # type: ignore[arg-type]


def _open(every: EveryProperty, z: Fraction, start: Fraction, reach: Fraction) -> bool:
    """Whether not even one output is shown to keep the limit, so that no cut helps."""
    return _level(every.seen(z, z), start, reach) is None


def _level(seen: Sequence[Seen], start: Fraction, reach: Fraction) -> Fraction | None:
    """A level that shows it, from where the cells of highest likelihood have `start` together."""
    left = float(start)
    level: Any = arb(0)
    for part in sorted(seen, key=lambda part: -float(part.high.mid() + part.low.mid())):
        level = (part.low.mid() + part.high.mid()) / 2
        left -= float(part.prior.mid())
        if left <= 0:
            break
    short = _short(level)
    return short if excess(seen, short, start, reach) < 0 else None


def _short(level: Any) -> Fraction:
    """About the same number, with few bits."""
    number = dyadic(level.mid())
    if number <= 0:
        return Fraction(0)
    place = math.floor(math.log2(number.numerator) - math.log2(number.denominator)) - _LEVEL_BITS
    unit = Fraction(2) ** place
    return round(number / unit) * unit


def excess(seen: Sequence[Seen], level: Fraction, start: Fraction, reach: Fraction) -> Any:
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


def likeliest(every: EveryProperty, start: Fraction) -> list[tuple[Fraction | Atom, float]]:
    """Some outputs with the belief that a property of `start` gets to, roughly; highest first."""
    found: list[tuple[Fraction | Atom, float]] = []
    for z in _candidates(every):
        left, held = float(start), 0.0
        for part, share in _ordered(every, z):
            prior = float(part.prior.mid())
            held += share * min(max(left / prior, 0.0), 1.0)
            left -= prior
        found.append((z, held))
    return sorted(found, key=lambda pair: -pair[1])


def _ordered(every: EveryProperty, z: Fraction | Atom) -> list[tuple[Seen, float]]:
    """Cells and how likely x lies there given z; highest likelihood first, equal ones in order."""
    with ctx.workprec(PRECISION):
        seen = every.seen_at(z) if isinstance(z, str) else every.seen(z, z)
        whole = sum((part.joint for part in seen), arb(0))
        if not whole > 0:
            return []
        shares = [(part, float((part.joint / whole).mid())) for part in seen]
        return sorted(shares, key=lambda pair: -pair[1] / float(pair[0].prior.mid()))


def best_property(every: EveryProperty, z: Fraction | Atom, start: Fraction) -> RealProperty | None:
    """Where the likelihood of z is highest, with a probability of at most `start`."""
    chosen: list[Interval] = []
    left = start
    for part, share in _ordered(every, z):
        if share <= 0:
            break
        most = dyadic(part.prior.upper())
        lo, hi = part.cell.lo, part.cell.hi
        if most > left:  # as much of the cell as fits, beside what is chosen
            length = (hi - lo) * left / most * Fraction(99, 100)
            length = Fraction(math.floor(length * 2**30), 2**30)
            falls = any(b == lo for _, b in chosen) or not any(a == hi for a, _ in chosen)
            chosen.append((lo, lo + length) if falls else (hi - length, hi))
            break
        chosen.append((lo, hi))
        left -= most
    intervals = merged(chosen)
    found = RealProperty(every.density.domain, intervals)
    if not intervals or every.density.mass(found).hi > start or not found.complement.intervals:
        return None
    return found


def _candidates(every: EveryProperty) -> Iterator[Fraction | Atom]:
    """Outputs that may show most: atoms, both ends ever closer or farther, and some between."""
    belief = every.belief
    yield from belief.atoms()
    low, high = belief.outputs
    spread = Fraction(belief.noise.sd).limit_denominator(1000) or every.operator.inputs.width
    first, last = belief.lo if low is None else low, belief.hi if high is None else high
    if last <= first:
        return
    for k in (3, 6, 12, 24):
        for edge, inside, unbounded in ((first, 1, low is None), (last, -1, high is None)):
            if unbounded:
                yield edge - inside * spread * k * k / 3
            else:
                yield edge + inside * (last - first) / 2**k
    for k in range(1, 32):
        yield first + (last - first) * Fraction(k, 32)


def _beyond(noise: Noise, lo: Fraction, hi: Fraction, atom: Atom) -> Any:
    """P[noise < lo] or P[noise > hi]."""
    if atom == "lo":
        return noise.ball_cdf(ball_of(lo))
    return noise.mirrored().ball_cdf(ball_of(-hi))
