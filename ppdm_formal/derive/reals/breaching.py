"""Breaching: the outputs that take the odds of a property to a limit, and their probability.

P[Z in {z : odds of Q given z >= limit}] = sum of the atoms and the integral of p(z) over that set

Intervals of z are halved until their odds are on one side of the limit, the likeliest first. What
stays open counts towards the upper end of the probability only.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of
from ppdm_formal.declare.arithmetic.exponential import dyadic
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty, merged
from ppdm_formal.derive.reals.belief import PRECISION, Atom, Belief, Odds

LEVELS = ((1, 6, 40), (6, 9, 60), (24, 12, 60))
"""Cells a piece is cut into; how often z is halved at most, and how many cuts, with so many."""

_EXACT = (40, 400)
"""The latter two where no weight varies, so that more cells would not help."""

_FINE = 96
"""Cells a piece is cut into where probabilities are summed up, which is done once."""

_FAR = 10
"""Standard deviations beyond the inputs from which a tail of normal noise is one piece."""

_SMALL = Fraction(1, 10**6)
"""Open intervals with less than this part of the probability are not worth a word."""

Effort: TypeAlias = tuple[int, int]
"""How often an interval is halved at most, and how many cuts there are in all."""

Outputs: TypeAlias = tuple[Fraction | None, Fraction | None]
"""An interval of z; None where it goes on without end."""


@dataclass(frozen=True)
class OutputPiece:
    """An interval of z or (low is high) an atom; breaches is None where that stayed open."""

    low: Fraction | None
    high: Fraction | None
    breaches: bool | None
    atom: Atom | None = None


@dataclass(frozen=True)
class Breaching:
    """How likely outputs are that reach the limit, and which they are.

    certain: intervals that do throughout; open: those that may. atoms, open_atoms: ends of a
    clamped window. shown: intervals of both kinds, adjacent ones as one, without negligible ones.
    """

    probability: Enclosure
    certain: tuple[Outputs, ...]
    open: tuple[Outputs, ...]
    shown: tuple[Outputs, ...]
    atoms: tuple[Fraction, ...] = ()
    open_atoms: tuple[Fraction, ...] = ()


def breaching(
    operator: ContinuousOperator,
    density: Density,
    about: RealProperty,
    limit: Fraction,
    deadline: Deadline,
) -> Breaching:
    """Which outputs have odds of at least the limit; cut short at the deadline, never wrong."""
    beliefs = _beliefs(operator, density, about)
    belief, effort = next(beliefs)
    atoms = [OutputPiece(None, None, _side(belief.atom_odds(e), limit), e) for e in belief.atoms()]
    tails, todo = _start(operator, density, about, belief, limit)
    pieces, todo = _cut(belief, todo, limit, effort, deadline)
    for belief, effort in beliefs:
        if deadline.passed or not (todo or any(atom.breaches is None for atom in atoms)):
            break
        atoms = [_again(belief, atom, limit) for atom in atoms]
        more, todo = _cut(belief, todo, limit, effort, deadline)
        pieces += more
    pieces += [OutputPiece(a, b, None) for a, b in todo]
    line = sorted([*pieces, *tails], key=lambda p: (p.low is not None, p.low or 0, p.high or 0))
    if not (belief.exact or deadline.passed):
        belief = Belief(operator, density, about, _FINE)
    return _counted(belief, line, atoms)


def _beliefs(
    operator: ContinuousOperator, density: Density, about: RealProperty
) -> Iterator[tuple[Belief, Effort]]:
    """Ever more cells of x, with the effort that is worth while with them."""
    for parts, *effort in LEVELS:
        belief = Belief(operator, density, about, parts)
        yield belief, _EXACT if belief.exact else (effort[0], effort[1])
        if belief.exact:
            return


def _side(odds: Odds | None, limit: Fraction) -> bool | None:
    """Whether odds reach the limit: True, False (as where 0/0 is met), or None where open."""
    with ctx.workprec(PRECISION):
        if odds is None or odds[1] < ball_of(limit):
            return False
        return True if odds[0] >= ball_of(limit) else None


def _again(belief: Belief, piece: OutputPiece, limit: Fraction) -> OutputPiece:
    if piece.breaches is not None or piece.atom is None:
        return piece
    return OutputPiece(None, None, _side(belief.atom_odds(piece.atom), limit), piece.atom)


def _start(
    operator: ContinuousOperator,
    density: Density,
    about: RealProperty,
    belief: Belief,
    limit: Fraction,
) -> tuple[list[OutputPiece], list[tuple[Fraction, Fraction]]]:
    """Tails as pieces of their own, and the intervals between them, cut where densities bend."""
    low, high = belief.outputs
    noise, far = belief.noise, Fraction(0)
    if noise.tail is None:
        far = Fraction(int(_FAR * noise.sd * 1000) + 1, 1000)
    others = Belief(operator, density, about.complement)
    tails: list[OutputPiece] = []
    if low is None:
        low = belief.lo - far
        # The odds of the others bound those of the property from the other side.
        upper, lower = (one.tail_odds(low, "bottom") for one in (belief, others))
        tails.append(OutputPiece(None, low, _tail_side(upper, lower, limit)))
    if high is None:
        high = belief.hi + far
        upper, lower = (one.tail_odds(high, "top") for one in (belief, others))
        tails.append(OutputPiece(high, None, _tail_side(upper, lower, limit)))
    ends = {end for cell in belief.cells for end in (cell.lo, cell.hi)}
    bends = {end + kink for end in ends for kink in noise.kinks}
    cuts = sorted({low, high, *(z for z in bends if low < z < high)}) if low < high else []
    return tails, list(itertools.pairwise(cuts))


def _tail_side(upper: Odds | None, lower: Odds | None, limit: Fraction) -> bool | None:
    """From upper bounds on the odds of the property and on those of the others."""
    with ctx.workprec(PRECISION):
        if upper is not None and upper[1] < ball_of(limit):
            return False
        return True if lower is not None and lower[1] * ball_of(limit) <= 1 else None


def _cut(
    belief: Belief,
    todo: Sequence[tuple[Fraction, Fraction]],
    limit: Fraction,
    effort: Effort,
    deadline: Deadline,
) -> tuple[list[OutputPiece], list[tuple[Fraction, Fraction]]]:
    """Pieces that are on one side, and intervals that are left open, by branch and bound."""
    if not todo:
        return [], []
    depth, most = effort
    least = (belief.hi - belief.lo) / 2**depth
    heap = [(-_worth(belief, a, b), a, b) for a, b in todo]
    heapq.heapify(heap)
    done: list[OutputPiece] = []
    left: list[tuple[Fraction, Fraction]] = []
    cuts = 0
    while heap:
        _, a, b = heapq.heappop(heap)
        if deadline.passed:
            left.append((a, b))
            continue
        side = _side(belief.odds(a, b), limit)
        if side is not None:
            done.append(OutputPiece(a, b, side))
        elif b - a <= least or cuts >= most:
            left.append((a, b))
        else:
            cuts += 1
            middle = (a + b) / 2
            for one, other in ((a, middle), (middle, b)):
                heapq.heappush(heap, (-_worth(belief, one, other), one, other))
    # Adjacent ones as one: with more cells a single look may be enough for all of it.
    return done, list(merged(left))


def _worth(belief: Belief, a: Fraction, b: Fraction) -> float:
    """How likely z lies there, very roughly: which interval to cut next, no more than that."""
    noise = belief.noise
    beyond = a - noise.center - belief.hi, belief.lo + noise.center - b
    away = max(*beyond, Fraction(0))
    return float(b - a) * float(noise.pdf([float(away + noise.center)])[0])


def _counted(
    belief: Belief, line: Sequence[OutputPiece], atoms: Sequence[OutputPiece]
) -> Breaching:
    """The probability of all pieces, in the order of the line."""
    window = belief.operator.window
    certain, possible = (_runs(line, wanted) for wanted in ((True,), (True, None)))
    with ctx.workprec(PRECISION):
        low = sum((_mass(belief, run) for run in certain), arb(0))
        masses = [_mass(belief, run) for run in possible]
        high = sum(masses, arb(0))
        for piece in atoms:
            assert piece.atom is not None
            if piece.breaches is False:
                continue
            mass = sum((belief.atom(cell, piece.atom) for cell in belief.cells), arb(0))
            high += mass
            low += mass if piece.breaches else 0
        lo, hi = max(dyadic(low.lower()), Fraction(0)), min(dyadic(high.upper()), Fraction(1))
        pairs = zip(possible, masses, strict=True)
        shown = [run for run, mass in pairs if dyadic(mass.upper()) > hi * _SMALL]

    def at(breaches: bool | None) -> tuple[Fraction, ...]:
        assert window is not None or not atoms
        ends = [p.atom for p in atoms if p.breaches is breaches]
        return tuple(window.lo if end == "lo" else window.hi for end in ends) if window else ()

    return Breaching(
        Enclosure(lo, hi), certain, _runs(line, (None,)), tuple(shown), at(True), at(None)
    )


def _mass(belief: Belief, run: Outputs) -> Any:
    return sum((belief.mass(cell, *run) for cell in belief.cells), arb(0))


def _runs(line: Iterable[OutputPiece], wanted: tuple[bool | None, ...]) -> tuple[Outputs, ...]:
    """Adjacent pieces of the kinds that are wanted, as one."""
    found: list[Outputs] = []
    for piece in line:
        if piece.breaches not in wanted:
            continue
        if found and found[-1][1] == piece.low and piece.low is not None:
            found[-1] = found[-1][0], piece.high
        else:
            found.append((piece.low, piece.high))
    return tuple(found)
