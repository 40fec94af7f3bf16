"""OfOutputs: the density of z under a density of x, a closed form between points where it changes.

p(z) = integral of p(x) f(z - x) dx        for z that are no atoms, where none is drawn again
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from flint import acb, arb

from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.analytic import NotEnclosed, below
from ppdm_formal.numeric.continuous.density import Bell, Density, Flat, Piece
from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform

FAR = 9
"""Standard deviations beyond which the tails of normal noise are bounded."""

End: TypeAlias = tuple[Fraction, bool]
"""An end of an interval of x: a number, or (True) z less a number."""


class OfOutputs:
    """What z shows, at complex z near the real numbers between two cuts."""

    def __init__(self, operator: ContinuousOperator, prior: Density) -> None:
        self.operator, self.prior, self.noise = operator, prior, operator.noise
        self.flats = [part for part in prior.components if isinstance(part, Flat)]
        self.bells = [part for part in prior.components if isinstance(part, Bell)]
        if self.bells and isinstance(self.noise, Triangular):
            raise NotEnclosed("a normal law under triangular noise")

    def p(self, z: Any, middle: Fraction) -> Any:
        """The density of z, on the piece that `middle` lies in; z may be complex."""
        noise, total = self.noise, acb(0)
        for part in self.flats:
            law, u, at = noise, z, middle
            lo, hi = part.lo, part.hi
            if middle > hi + noise.center:  # mirrored, so that no digits are lost far out
                law, u, at, lo, hi = noise.mirrored(), -z, -middle, -part.hi, -part.lo
            over = below(law, u - ball_of(lo), at - lo)
            total += ball_of(part.height) * (over - below(law, u - ball_of(hi), at - hi))
        for bell in self.bells:
            if isinstance(noise, Normal):
                total += _normal_sum(bell, noise, z, middle > bell.hi)
        if self.bells and not isinstance(noise, Normal):
            for piece, one, other in self._intervals(middle):
                ends = [_ball_at(end, z) for end in (one, other)]
                place = middle - (_at(one, middle) + _at(other, middle)) / 2
                for bell in piece.bells:
                    total += _bell_sum(bell, noise, z, ends, place)
        return total

    def _intervals(self, middle: Fraction) -> Iterator[tuple[Piece, End, End]]:
        """Intervals of x that can lead to z, with the piece of the prior that each lies in."""
        fixed = {end for piece in self.prior.pieces() for end in (piece.lo, piece.hi)}
        ends = [(x, False) for x in fixed] + [(kink, True) for kink in self.noise.kinks]
        ends.sort(key=lambda end: _at(end, middle))
        least, most = self.noise.support
        for one, other in itertools.pairwise(ends):
            a, b = _at(one, middle), _at(other, middle)
            place = (a + b) / 2
            if a == b or not (least is None or most is None or least < middle - place < most):
                continue
            for piece in self.prior.pieces():
                if piece.lo <= a and b <= piece.hi:
                    yield piece, one, other

    def cuts(self) -> list[Fraction]:
        """Points of z between which p is analytic, from the first to the last output."""
        noise, window = self.noise, self.operator.window
        ends = sorted({end for part in self.prior.components for end in part.support})
        cuts = {end + kink for end in ends for kink in noise.kinks} | set(ends)
        for bell in self.bells:
            steps = {bell.mean + noise.center + 2 * k * bell.law.deviation for k in range(-3, 4)}
            cuts |= {step for step in steps if min(cuts) < step < max(cuts)}
        if isinstance(noise, Normal):
            spread = noise.deviation
            lo, hi = ends[0] - FAR * spread, ends[-1] + FAR * spread
            count = min(int((hi - lo) / (2 * spread)) + 1, 60)
            cuts = {lo + (hi - lo) * Fraction(k, count) for k in range(count + 1)}
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


def _normal_sum(bell: Bell, noise: Normal, z: Any, above: bool) -> Any:
    """The density of a truncated normal x plus normal noise: one bell times a share of another."""
    a, b = ball_of(bell.law.variance), ball_of(noise.variance)
    gap = z - ball_of(bell.mean)
    center = ball_of(bell.mean) + gap * a / (a + b)
    spread = (a * b / (a + b)).sqrt() * arb(2).sqrt()
    ends = [(ball_of(end) - center) / spread for end in (bell.lo, bell.hi)]
    if above:  # mirrored, so that no digits are lost far out
        ends = [-end for end in reversed(ends)]
    share = ends[0].erfc() - ends[1].erfc()
    whole = bell.law.ball_cdf(ball_of(bell.hi - bell.mean)) - bell.law.ball_cdf(
        ball_of(bell.lo - bell.mean)
    )
    height = (-gap * gap / (2 * (a + b))).exp() / (2 * arb.pi() * (a + b)).sqrt()
    return ball_of(bell.weight) * height * share / (2 * whole)


def _bell_sum(bell: Bell, noise: Noise, z: Any, ends: Sequence[Any], at: Fraction) -> Any:
    """The integral of a normal density times that of noise at z - x, on one piece of the noise.

    The latter is constant, or e^(+-(z - x)/scale), which only moves the normal law.
    """
    mean, deviation = ball_of(bell.mean), ball_of(bell.law.deviation)
    factor = bell.ball_pdf_factor()
    if isinstance(noise, Laplace):
        rate = (1 if at > 0 else -1) / ball_of(noise.scale)
        mean += rate * deviation**2
        lift = (rate * (ball_of(bell.mean) - z) + (rate * deviation) ** 2 / 2).exp()
        return factor * lift * abs(rate) / 2 * _between(ends, mean, deviation)
    assert isinstance(noise, Uniform)
    return factor * _between(ends, mean, deviation) / ball_of(noise.hi - noise.lo)


def _between(ends: Sequence[Any], mean: Any, deviation: Any) -> Any:
    """How likely a normal law lies between two (complex) numbers."""
    low, high = ((end - mean) / (deviation * arb(2).sqrt()) for end in ends)
    if low.real.mid() > 0:  # far out on the right, mirrored: digits are not lost
        return (low.erfc() - high.erfc()) / 2
    return ((-high).erfc() - (-low).erfc()) / 2
