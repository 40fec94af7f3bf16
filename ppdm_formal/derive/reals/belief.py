"""Belief: the odds of a property given z, enclosed for all z of an interval at once.

Cells are intervals a..b of x on which the weight w(x), prior density by window, lies between two
numbers and has a known integral W. The cell's part in p(z) is the integral of w(x) f(z - x), which
lies between those numbers times its sliding mass

    M(z) = F(z - a) - F(z - b),    or at an atom the integral of F over it,

and within (b - a) (range of w) (range of f)/4 of W M(z)/(b - a) by the inequality of Gruess.
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
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Bell, Density, DensityPiece
from ppdm_formal.declare.reals.reals import RealProperty, common

PRECISION = 192
"""Bits of the balls."""

Atom: TypeAlias = Literal["lo", "hi"]
Odds: TypeAlias = tuple[Any, Any]
"""Between which two numbers odds lie, infinity among them."""

_INFINITE = arb("inf")


@dataclass(frozen=True)
class WeighedCell:
    """An interval of x, whether it has the property, a ball around its weights, their integral."""

    lo: Fraction
    hi: Fraction
    inside: bool
    weight: Any
    whole: Any

    @cached_property
    def even(self) -> bool:
        """Whether its weight does not vary."""
        return bool(self.weight.rad() <= abs(self.weight.mid()) * arb(2) ** (60 - PRECISION))


class Belief:
    """The odds of a property under a density, of one continuous operator.

    parts: into how many cells a piece is cut where its weights vary; everywhere: where they do
    not vary as well.
    """

    def __init__(
        self,
        operator: ContinuousOperator,
        density: Density,
        about: RealProperty,
        parts: int = 1,
        *,
        everywhere: bool = False,
    ) -> None:
        self.operator, self.noise, self.parts = operator, operator.noise, parts
        with ctx.workprec(PRECISION):
            self.cells = list(_cells(operator, density, about, parts, everywhere))
        self.lo = min(cell.lo for cell in self.cells)
        self.hi = max(cell.hi for cell in self.cells)

    @property
    def exact(self) -> bool:
        """Whether no weight varies, so that more cells would not help."""
        return all(cell.even for cell in self.cells)

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
            return _odds((cell, self.joint(cell, low, high)) for cell in self.cells)

    def joint(self, cell: WeighedCell, low: Fraction, high: Fraction) -> Any:
        """A cell's part in p(z), for all z from low to high."""
        ends = [_window_mass(self.noise, z - cell.hi, z - cell.lo) for z in (low, high)]
        peak = (cell.lo + cell.hi) / 2 + self.noise.center
        if low < peak < high:
            ends.append(_window_mass(self.noise, peak - cell.hi, peak - cell.lo))
        if cell.even:
            return cell.weight * _hull(ends)
        return _part(cell, _hull(ends), *heights(self.noise, low - cell.hi, high - cell.lo))

    def inverse_share(self, cell: WeighedCell) -> Any:
        """The range of 1/P[the output is not drawn again | x] over a cell."""
        window = self.operator.window
        if window is None or window.kind == "clamped":
            return arb(1)
        return _inverse_share(self.operator, cell.lo, cell.hi)

    def atoms(self) -> Iterator[Atom]:
        """Ends of a clamped window that outputs are moved to with a positive probability."""
        window, (least, most) = self.operator.window, self.noise.support
        if window is None or window.kind == "truncated":
            return
        if least is None or self.lo + least < window.lo:
            yield "lo"
        if most is None or self.hi + most > window.hi:
            yield "hi"

    def atom(self, cell: WeighedCell, end: Atom) -> Any:
        """A cell's part in the probability that the output is moved to this end."""
        window = self.operator.window
        assert window is not None
        return self.mass(cell, None, window.lo) if end == "lo" else self.mass(cell, window.hi, None)

    def mass(self, cell: WeighedCell, low: Fraction | None, high: Fraction | None) -> Any:
        """A cell's part in the probability of z between two numbers; None: without end."""
        noise, a, b = self.noise, cell.lo, cell.hi
        if high is None:  # mirrored, so that no digits are lost far out
            assert low is not None
            noise, a, b, high = noise.mirrored(), -b, -a, -low
            low = None
        found = noise.ball_integral(ball_of(high - a)) - noise.ball_integral(ball_of(high - b))
        if low is not None:
            below = noise.ball_integral(ball_of(low - a)) - noise.ball_integral(ball_of(low - b))
            found -= below
        found = found.max(arb(0))
        if cell.even:
            return cell.weight * found
        if low is None:
            return _part(cell, found, _below(noise, high - b), _below(noise, high - a))
        peak = min(max((low + high) / 2 - noise.center, a), b)
        one, most, other = (_window_mass(noise, low - x, high - x) for x in (a, peak, b))
        return _part(cell, found, one.min(other), most)

    def atom_odds(self, end: Atom) -> Odds | None:
        """The same at an end of a window that outputs are clamped to."""
        with ctx.workprec(PRECISION):
            return _odds((cell, self.atom(cell, end)) for cell in self.cells)

    def tail_odds(self, start: Fraction, side: Literal["top", "bottom"]) -> Odds | None:
        """Odds at `start` that bound those for all z beyond; None where none are known.

        Against the cells beyond the property alone; with Laplace noise also by the odds at the
        last cell's end, beyond which they do not change.
        """
        top = side == "top"
        if self.noise.tail is not None and (start >= self.hi if top else start <= self.lo):
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
            masses = [(c, self.joint(c, start, start)) for c in (*inside, *beyond)]
            return _odds(masses)


def _odds(masses: Iterable[tuple[WeighedCell, Any]]) -> Odds | None:
    inside = outside = arb(0)
    for cell, mass in masses:
        if cell.inside:
            inside += mass
        else:
            outside += mass
    if not (inside.is_finite() and outside.is_finite()):
        return arb(0), _INFINITE  # nothing is known of some weight
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


def _part(cell: WeighedCell, mass: Any, least: Any, most: Any) -> Any:
    """The integral of weight times likelihood, from those of both, by both ways at once."""
    width = ball_of(cell.hi - cell.lo)
    spread = 2 * cell.weight.rad() * (most - least).upper() * width / 4
    close = cell.whole * mass / width + spread.upper() * arb(0, 1)
    return _both(cell.weight * mass, close)


def _both(one: Any, other: Any) -> Any:
    """What lies in two balls around the same number."""
    low, high = one.lower().max(other.lower()), one.upper().min(other.upper())
    return low.union(high)


def heights(noise: Noise, low: Fraction, high: Fraction) -> tuple[Any, Any]:
    """The least and the greatest f between two numbers: one peak."""
    peak = min(max(noise.center, low), high)
    return _height(noise, low).min(_height(noise, high)), _height(noise, peak)


@lru_cache(maxsize=1 << 14)
def _height(noise: Noise, v: Fraction) -> Any:
    """f(v), where it jumps the larger value."""
    with ctx.workprec(PRECISION):
        exact = noise.exact_pdf(v)
        return ball_of(exact) if isinstance(exact, Fraction) else noise.ball_pdf(ball_of(v))


def _hull(values: Sequence[Any]) -> Any:
    found = values[0]
    for value in values[1:]:
        found = found.union(value)
    return found


def _cells(
    operator: ContinuousOperator,
    density: Density,
    about: RealProperty,
    parts: int,
    everywhere: bool,
) -> Iterator[WeighedCell]:
    window = operator.window
    varies = window is not None and window.kind == "truncated"
    for piece in density.pieces():
        for property, inside in ((about, True), (about.complement, False)):
            for lo, hi in common([(piece.lo, piece.hi)], property.intervals):
                count = parts if everywhere or varies or piece.bells else 1
                cuts = [lo + (hi - lo) * Fraction(k, count) for k in range(count + 1)]
                for a, b in itertools.pairwise(cuts):
                    weight, whole = _piece_range(piece, a, b), density.ball_mass(a, b)
                    if varies:
                        weight, whole = _drawn_again(operator, a, b, weight, whole)
                    yield WeighedCell(a, b, inside, weight, whole)


def _drawn_again(
    operator: ContinuousOperator, a: Fraction, b: Fraction, weight: Any, whole: Any
) -> tuple[Any, Any]:
    """Weights divided by the share of outputs in the window, whose inverse is convex in x.

    The share is log-concave; its inverse averages between that in the middle and that of the ends.
    """
    inverse = _inverse_share(operator, a, b)
    low, middle, high = (1 / _share(operator, x) for x in (a, (a + b) / 2, b))
    mean = middle.union((low + high) / 2)
    spread = 2 * weight.rad() * 2 * inverse.rad() * ball_of(b - a) / 4
    return weight * inverse, whole * mean + spread.upper() * arb(0, 1)


def _piece_range(piece: DensityPiece, a: Fraction, b: Fraction) -> Any:
    """The density between a and b."""
    return sum((_bell_range(bell, a, b) for bell in piece.bells), ball_of(piece.height))


def _bell_range(bell: Bell, a: Fraction, b: Fraction) -> Any:
    points = [a, b, *([bell.mean] if a < bell.mean < b else [])]
    return _hull([bell.ball_pdf(ball_of(point)) for point in points])


def _inverse_share(operator: ContinuousOperator, a: Fraction, b: Fraction) -> Any:
    """1/P[the output lies in the window | x] for x from a to b: P has one peak, as a sliding mass.

    Of shares that differ by many powers of ten only the inverses keep a ball apart from 0.
    """
    window = operator.window
    assert window is not None
    middle = (window.lo + window.hi) / 2 - operator.noise.center
    points = [a, b, *([middle] if a < middle < b else [])]
    return _hull([1 / _share(operator, x) for x in points])


def _share(operator: ContinuousOperator, x: Fraction) -> Any:
    window = operator.window
    assert window is not None
    return _window_mass(operator.noise, window.lo - x, window.hi - x)
