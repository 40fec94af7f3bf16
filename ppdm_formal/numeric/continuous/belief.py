"""Belief: the odds of a property given z, enclosed for all z of an interval at once.

Cells are intervals of x on which prior density and window are bounded: weight w(x) between two
numbers, so that the cell's part in p(z) lies between them times its sliding mass

    M(z) = F(z - a) - F(z - b),    or at an atom the integral of F over it.

Noise here is symmetric with one peak, so M rises up to z = (a + b)/2 + center and falls beyond:
its range over an interval of z is read off both ends and the peak. The odds of Q are the sum over
the cells in Q divided by that over the others. Where z grows, the part of a lower cell falls
against that of a higher one (log-concavity), which bounds the odds over all of a tail at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from flint import arb, ctx

from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numeric.continuous.additive import ContinuousOperator, Window
from ppdm_formal.numeric.continuous.density import Bell, Density, Piece
from ppdm_formal.numeric.continuous.reals import RealProperty, common
from ppdm_formal.numeric.noise import Laplace, Noise

PRECISION = 192
"""Bits of the balls."""

Atom: TypeAlias = Literal["lo", "hi"]
Odds: TypeAlias = tuple[Any, Any]
"""Between which two numbers odds lie, infinity among them."""

_INFINITE = arb("inf")


@dataclass(frozen=True)
class Cell:
    """An interval of x, whether it has the property, and a ball around its weights."""

    lo: Fraction
    hi: Fraction
    inside: bool
    weight: Any


class Belief:
    """The odds of a property under a density, of one continuous operator.

    parts: into how many cells a piece is cut where its weights vary.
    """

    def __init__(
        self, operator: ContinuousOperator, density: Density, about: RealProperty, parts: int = 1
    ) -> None:
        self.operator, self.noise, self.parts = operator, operator.noise, parts
        with ctx.workprec(PRECISION):
            self.cells = list(_cells(operator, density, about, parts))
        self.lo = min(cell.lo for cell in self.cells)
        self.hi = max(cell.hi for cell in self.cells)

    @property
    def exact(self) -> bool:
        """Whether no weight varies, so that more cells would not help."""
        return all(cell.weight.rad() < arb(2) ** (60 - PRECISION) for cell in self.cells)

    @property
    def outputs(self) -> tuple[Fraction | None, Fraction | None]:
        """Between which outputs there is a density, under this prior."""
        least, most = self.noise.support
        window = self.operator.window
        lo = None if least is None else self.lo + least
        hi = None if most is None else self.hi + most
        if window is not None:
            lo = window.lo if lo is None else max(lo, window.lo)
            hi = window.hi if hi is None else min(hi, window.hi)
        return lo, hi

    def odds(self, low: Fraction, high: Fraction | None = None) -> Odds | None:
        """The odds at one z, or at all z of an interval; None where 0/0 is met."""
        high = low if high is None else high
        with ctx.workprec(PRECISION):
            return _odds((cell, _sliding(self.noise, cell, low, high)) for cell in self.cells)

    def atom_odds(self, end: Atom) -> Odds | None:
        """The same at an end of a window that outputs are clamped to."""
        window = self.operator.window
        assert window is not None
        with ctx.workprec(PRECISION):
            return _odds((cell, _atom(self.noise, cell, window, end)) for cell in self.cells)

    def tail_odds(self, start: Fraction, side: Literal["top", "bottom"]) -> Odds | None:
        """Odds at `start` that bound those for all z beyond; None where none are known.

        Against the cells beyond the property alone; with Laplace noise also by the odds at the
        last cell's end, beyond which they do not change.
        """
        top = side == "top"
        if isinstance(self.noise, Laplace) and (start >= self.hi if top else start <= self.lo):
            return self.odds(start)
        if top:
            last = max(cell.hi for cell in self.cells if cell.inside)
            beyond = [cell for cell in self.cells if not cell.inside and cell.lo >= last]
        else:
            last = min(cell.lo for cell in self.cells if cell.inside)
            beyond = [cell for cell in self.cells if not cell.inside and cell.hi <= last]
        inside = [cell for cell in self.cells if cell.inside]
        if not beyond:
            return None
        with ctx.workprec(PRECISION):
            masses = [(c, _sliding(self.noise, c, start, start)) for c in (*inside, *beyond)]
            return _odds(masses)


def _odds(masses: Iterable[tuple[Cell, Any]]) -> Odds | None:
    inside = outside = arb(0)
    for cell, mass in masses:
        if cell.inside:
            inside += cell.weight * mass
        else:
            outside += cell.weight * mass
    if not inside.upper() > 0 and not outside.upper() > 0:
        return None
    above, below = outside.upper(), outside.lower()
    least = inside.lower().max(arb(0))
    low = (least / above).lower() if above > 0 else (_INFINITE if least > 0 else arb(0))
    high = (inside.upper().max(arb(0)) / below).upper() if below > 0 else _INFINITE
    return low, high if inside.upper() > 0 else arb(0)


def _window_mass(noise: Noise, lo: Fraction, hi: Fraction) -> Any:
    """P[lo < noise < hi], with digits of its own far out on either side."""
    if lo > noise.center:
        noise, lo, hi = noise.mirrored(), -hi, -lo
    return (_below(noise, hi) - _below(noise, lo)).max(arb(0))


@lru_cache(maxsize=1 << 14)
def _below(noise: Noise, v: Fraction) -> Any:
    """F(v); neighbouring cells and intervals of z ask for the same ones."""
    with ctx.workprec(PRECISION):
        return noise.ball_cdf(ball_of(v))


def _sliding(noise: Noise, cell: Cell, low: Fraction, high: Fraction) -> Any:
    """The range of F(z - a) - F(z - b) for z from low to high."""
    ends = [_window_mass(noise, z - cell.hi, z - cell.lo) for z in (low, high)]
    peak = (cell.lo + cell.hi) / 2 + noise.center
    if low < peak < high:
        ends.append(_window_mass(noise, peak - cell.hi, peak - cell.lo))
    return _hull(ends)


def _atom(noise: Noise, cell: Cell, window: Window, end: Atom) -> Any:
    """The integral over the cell of the probability that the output is moved to this end."""
    if end == "hi":
        noise, a, b = noise.mirrored(), cell.lo - window.hi, cell.hi - window.hi
    else:
        a, b = window.lo - cell.hi, window.lo - cell.lo
    found = noise.ball_integral(ball_of(b)) - noise.ball_integral(ball_of(a))
    return found.max(arb(0))


def _hull(values: Sequence[Any]) -> Any:
    found = values[0]
    for value in values[1:]:
        found = found.union(value)
    return found


def _cells(
    operator: ContinuousOperator, density: Density, about: RealProperty, parts: int
) -> Iterator[Cell]:
    window = operator.window
    varies = window is not None and window.kind == "truncated"
    for piece in density.pieces():
        for property, inside in ((about, True), (about.complement, False)):
            for lo, hi in common([(piece.lo, piece.hi)], property.intervals):
                count = parts if varies or piece.bells else 1
                cuts = [lo + (hi - lo) * Fraction(k, count) for k in range(count + 1)]
                for a, b in itertools.pairwise(cuts):
                    weight = _piece_range(piece, a, b)
                    if varies:
                        weight = weight / _share_range(operator, a, b)
                    yield Cell(a, b, inside, weight)


def _piece_range(piece: Piece, a: Fraction, b: Fraction) -> Any:
    """The density between a and b."""
    return sum((_bell_range(bell, a, b) for bell in piece.bells), ball_of(piece.height))


def _bell_range(bell: Bell, a: Fraction, b: Fraction) -> Any:
    points = [a, b, *([bell.mean] if a < bell.mean < b else [])]
    return _hull([bell.ball_pdf(ball_of(point)) for point in points])


def _share_range(operator: ContinuousOperator, a: Fraction, b: Fraction) -> Any:
    """P[the output lies in the window | x] for x from a to b: one peak, like every sliding mass."""
    window = operator.window
    assert window is not None
    middle = (window.lo + window.hi) / 2 - operator.noise.center
    points = [a, b, *([middle] if a < middle < b else [])]
    shares = [_window_mass(operator.noise, window.lo - x, window.hi - x) for x in points]
    return _hull(shares)
