"""OfOutputs: the density of z under a density of x, a closed form between points where it changes.

p(z) = integral of p(x) f(z - x) dx      for z that are no atoms; redrawn.py adds those drawn again
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from flint import acb, arb

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.named import Noise, Uniform
from ppdm_formal.declare.noises.noise import POINT
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.derive.reals.redrawn import OfZ, Redrawn

FAR = 9
"""Spreads of noise beyond which its tails are bounded, where it falls ever faster."""

End: TypeAlias = tuple[Fraction, bool]
"""An end of an interval of x: a number, or (True) z less a number."""


class OfOutputs:
    """What z shows, at complex z near the real numbers between two cuts.

    error: the integral over z of what the density misses, where outputs are drawn again.
    """

    def __init__(self, operator: ContinuousOperator, prior: Density) -> None:
        self.operator, self.prior, self.noise = operator, prior, operator.noise
        self.flats = [part for part in prior.components if isinstance(part, Flat)]
        self.bells = [part for part in prior.components if isinstance(part, Bell)]
        window = operator.window
        drawn_again = window is not None and window.kind == "truncated"
        self.redrawn = Redrawn(operator, prior) if drawn_again else None

    @property
    def error(self) -> Any:
        """Grows with the pieces that were asked for (nodes.py)."""
        return arb(0) if self.redrawn is None else self.redrawn.error

    def on(self, lo: Fraction, hi: Fraction) -> OfZ:
        """The density of z between two cuts."""
        noise = self.noise
        exact = self._under(noise, lo, hi)
        steps = _steps(noise)
        if not steps or not (self.bells or self.redrawn):
            return exact
        # f' is that of uniform laws; p(m) + p' (z - m) is narrower than p for a wide z.
        slopes = [(ball_of(rise), self._under(part, lo, hi)) for rise, part in steps]

        def density(z: Any) -> Any:
            z = acb(z)
            middle = acb(z.real.mid(), z.imag.mid())
            if z.rad() < POINT:
                return exact(z)
            slope = sum((rise * part(z) for rise, part in slopes), acb(0))
            return exact(middle) + slope * (z - middle)

        return density

    def _under(self, noise: Noise, lo: Fraction, hi: Fraction) -> OfZ:
        """The density under some noise, outputs drawn again as those of the operator are."""
        middle = (lo + hi) / 2
        places = list(self._intervals(noise, middle)) if self.bells else []
        added = None if self.redrawn is None else self.redrawn.on(lo, hi, noise)

        def density(z: Any) -> Any:
            total = self._flat_part(noise, z, middle)
            for bell, one, other in places:
                total += _bell_sum(bell, noise, z, (one, other), middle)
            return total if added is None else total + added(z)

        return density

    def _flat_part(self, noise: Noise, z: Any, middle: Fraction) -> Any:
        total = acb(0)
        for part in self.flats:
            law, u, at = noise, z, middle
            lo, hi = part.lo, part.hi
            if middle > hi + noise.center:  # mirrored, so that no digits are lost far out
                law, u, at, lo, hi = noise.mirrored(), -z, -middle, -part.hi, -part.lo
            over = law.piece_cdf(u - ball_of(lo), at - lo)
            total += ball_of(part.height) * (over - law.piece_cdf(u - ball_of(hi), at - hi))
        return total

    def _intervals(self, noise: Noise, middle: Fraction) -> Iterator[tuple[Bell, End, End]]:
        """Intervals of x that can lead to z, with each bell of the prior that they lie in."""
        if not noise.kinks:
            yield from ((bell, (bell.lo, False), (bell.hi, False)) for bell in self.bells)
            return
        fixed = {end for piece in self.prior.pieces() for end in (piece.lo, piece.hi)}
        ends = [(x, False) for x in fixed] + [(kink, True) for kink in noise.kinks]
        ends.sort(key=lambda end: _at(end, middle))
        least, most = noise.support
        for one, other in itertools.pairwise(ends):
            a, b = _at(one, middle), _at(other, middle)
            place = (a + b) / 2
            if a == b or not (least is None or most is None or least < middle - place < most):
                continue
            for piece in self.prior.pieces():
                if piece.lo <= a and b <= piece.hi:
                    yield from ((bell, one, other) for bell in piece.bells)

    def possible(self, z: Fraction) -> bool:
        """Whether the density is above 0 at a z that is no cut."""
        least, most = self.noise.support
        if least is None or most is None:
            return True
        return any(piece.lo + least < z < piece.hi + most for piece in self.prior.pieces())

    def cuts(self) -> list[Fraction]:
        """Points of z between which p is analytic, from the first to the last output."""
        noise, window = self.noise, self.operator.window
        ends = sorted({end for part in self.prior.components for end in part.support})
        cuts = {end + kink for end in ends for kink in noise.kinks} | set(ends)
        for bell in self.bells:
            steps = {bell.mean + noise.center + 2 * k * bell.law.deviation for k in range(-3, 4)}
            cuts |= {step for step in steps if min(cuts) < step < max(cuts)}
        spread = noise.spread
        if spread is not None:
            lo, hi = ends[0] - FAR * spread, ends[-1] + FAR * spread
            count = min(int((hi - lo) / (2 * spread)) + 1, 60)
            cuts = {lo + (hi - lo) * Fraction(k, count) for k in range(count + 1)}
        if self.redrawn is not None:
            cuts |= self.redrawn.cuts()
        if window is not None:
            cuts = {cut for cut in cuts if window.lo < cut < window.hi} | {window.lo, window.hi}
            least, most = noise.support
            if least is not None and most is not None:
                first, last = ends[0] + least, ends[-1] + most
                cuts = {cut for cut in cuts if first <= cut <= last} or {window.lo}
                cuts |= {end for end in (first, last) if window.lo < end < window.hi}
        return sorted(cuts)


def _ball_at(end: End, z: Any) -> Any:
    """The same for a complex z."""
    number, moves = end
    return z - ball_of(number) if moves else acb(ball_of(number))


def _at(end: End, middle: Fraction) -> Fraction:
    """An end of an interval of x, where z is the middle."""
    number, moves = end
    return middle - number if moves else number


def _steps(noise: Noise) -> list[tuple[Fraction, Noise]]:
    """The slope of f as multiples of uniform laws, where f is made of lines and jumps nowhere."""
    values = [Fraction(0), *(end for line in noise.lines for end in (line.first, line.last))]
    if any(one != other for one, other in zip(values[::2], [*values[1::2], 0], strict=True)):
        return []
    return [(line.last - line.first, Uniform(line.lo, line.hi)) for line in noise.lines]


def _bell_sum(bell: Bell, noise: Noise, z: Any, sides: tuple[End, End], middle: Fraction) -> Any:
    """The integral of a normal density times that of noise at z - x, on one piece of the noise."""
    ends = [_ball_at(end, z) for end in sides]
    at = middle - (_at(sides[0], middle) + _at(sides[1], middle)) / 2
    (one, moves), (other, both) = sides
    apart = one - other if moves and both else None
    return bell.ball_pdf_factor() * noise.times_bell(bell.mean, bell.law, z, ends, at, apart)
