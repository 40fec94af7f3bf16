"""Redrawn: what is added to the density of z where outputs beyond a window are drawn again.

    p(z) = integral of p(x) f(z - x) dx + integral of p(x) (1/N(x) - 1) f(z - x) dx

with N(x) the share of outputs in the window. The first is a closed form (of_outputs.py). In the
second, p (1/N - 1) is replaced by polynomials on cells (polynomials.py), whose integral with f is
one: in powers of x for noise of straight lines, with e^(+-x/scale) for noise that falls so on both
sides of a peak; where it falls ever faster it is a sum over nodes (nodes.py). `error` bounds the
integral over z of what that misses, `slip` what it can do to an entropy.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, arb_poly

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.derive.reals.analytic import NotEnclosed, inside, outside
from ppdm_formal.derive.reals.nodes import Nodes
from ppdm_formal.derive.reals.polynomials import WantedPolynomial, fitted

OfZ: TypeAlias = Callable[[Any], Any]

_ERROR = Fraction(1, 2**58)


class Redrawn:
    """The second integral, on pieces of z between cuts."""

    def __init__(self, operator: ContinuousOperator, prior: Density) -> None:
        assert operator.window is not None
        self.noise, self.window = operator.noise, operator.window
        self._pieces = list(prior.pieces())
        wanted = WantedPolynomial(
            self._weight,
            self._seen,
            _ERROR,
            scale=self.noise.tail,
            widest=self.noise.spread,
        )
        window = self.window
        changes = {end - kink for end in (window.lo, window.hi) for kink in self.noise.kinks}
        parts: list[tuple[Fraction, Fraction]] = []
        for piece in self._pieces:
            inner = {x for x in changes if piece.lo < x < piece.hi}
            parts += itertools.pairwise(sorted({piece.lo, piece.hi, *inner}))
        self.cells, self.error = fitted(wanted, parts)
        self._nodes: Nodes | None = None
        if self.noise.spread is not None:
            self._nodes = Nodes(self.noise, self.window, self.cells, _ERROR)
            self.error += self._nodes.error

    def _weight(self, x: Any, at: Fraction) -> Any:
        """The product p (1/N - 1)."""
        piece = next(piece for piece in self._pieces if piece.lo < at < piece.hi)
        again = outside(self.noise, self.window, x, at) / inside(self.noise, self.window, x, at)
        return piece.ball_pdf(x) * again

    def _seen(self, x: Any, at: Fraction) -> Any:
        """N(x), at most: so much of a weight leads to outputs in the window."""
        return inside(self.noise, self.window, x, at).upper().min(arb(1))

    def cuts(self) -> set[Fraction]:
        """Points of z between which a closed form holds."""
        if self._nodes is not None:
            return self._nodes.cuts()
        ends = {end for cell in self.cells for end in (cell.lo, cell.hi)}
        return {end + kink for end in ends for kink in self.noise.kinks}

    def on(self, lo: Fraction, hi: Fraction, noise: Noise) -> OfZ:
        """What is added at z between two cuts; noise: that of the operator, or a part of it."""
        if self._nodes is not None:
            return self._nodes.on(lo, hi)
        middle = (lo + hi) / 2
        if noise.tail is not None and noise.kinks == (noise.center,):
            return self._under_tails(noise.tail, noise.center, middle)
        if not noise.lines:
            raise NotEnclosed(f"{noise.name} noise that is drawn again")
        forms = [(line, self._moments(middle, line.lo, line.hi)) for line in noise.lines]

        def added(z: Any) -> Any:
            total = arb(0)
            for line, moments in forms:
                share, share_x = moments(z)
                place, height = line.lower
                total += ball_of(height) * share if height else 0
                total += ball_of(line.slope) * ((z - ball_of(place)) * share - share_x)
            return total

        return added

    def _moments(
        self, middle: Fraction, least: Fraction, most: Fraction
    ) -> Callable[[Any], tuple[Any, Any]]:
        """The integrals of the weight, and of x times it, over x from z - most to z - least."""
        first, last = middle - most, middle - least
        whole, whole_x = arb(0), arb(0)
        cut = []
        for cell in self.cells:
            if cell.hi <= first or cell.lo >= last:
                continue
            (weight,) = cell.polynomials
            by_x = (weight * _line(cell.middle)).integral()
            if first <= cell.lo and cell.hi <= last:
                whole += cell.total(0)
                a, b = (ball_of(end) - cell.middle for end in (cell.lo, cell.hi))
                whole_x += by_x(b) - by_x(a)
            else:
                cut.append((cell, by_x, cell.lo < first, cell.hi > last))

        def moments(z: Any) -> tuple[Any, Any]:
            zeroth, first = whole, whole_x
            for cell, by_x, from_z, to_z in cut:
                a = (z - ball_of(most) if from_z else ball_of(cell.lo)) - cell.middle
                b = (z - ball_of(least) if to_z else ball_of(cell.hi)) - cell.middle
                zeroth += cell.sums[0](b) - cell.sums[0](a)
                first += by_x(b) - by_x(a)
            return zeroth, first

        return moments

    def _under_tails(self, tail: Fraction, peak: Fraction, middle: Fraction) -> OfZ:
        """Cells on the left and on the right are one number each; z may lie in one more."""
        middle -= peak
        scale, center = ball_of(tail), ball_of(middle)
        left, right, around = arb(0), arb(0), None
        for cell in self.cells:
            if cell.hi <= middle:
                left += cell.total(0) * ((cell.middle - center) / scale).exp()
            elif cell.lo >= middle:
                right += cell.total(1) * ((center - cell.middle) / scale).exp()
            else:
                around = cell

        def added(z: Any) -> Any:
            z = z - ball_of(peak) if peak else z
            v = (z - center) / scale
            found = left * (-v).exp() + right * v.exp()
            if around is not None:
                v = (z - around.middle) / scale
                found += around.between(0, ball_of(around.lo), z) * (-v).exp()
                found += around.between(1, z, ball_of(around.hi)) * v.exp()
            return found / (2 * scale)

        return added


def _line(middle: Any) -> Any:
    """The polynomial x, in powers of x - middle."""
    return arb_poly([middle, 1])


def slip(error: Any, highest: Any, length: Any) -> Any:
    """How far -integral of p ln p is off at most, if p is off by `error` in all on a length.

    For numbers in [0, 1] with |s - t| <= 1/2, |s ln s - t ln t| <= -|s - t| ln |s - t| (Cover and
    Thomas, Theorem 17.3.3). Nowhere is p above `highest`, nor off by more than `error` times that:
    with twice `highest` as the unit both are such numbers, and -u ln u is concave, and rises up to
    1/e.
    """
    if error.is_zero():
        return error
    top = 2 * highest
    share = error / (top * length)
    if not (error < arb(1) / 2**20 and share < arb(1) / 4):
        raise NotEnclosed("outputs that are hardly possible")
    return -error * share.log() + error * abs(top.log())
