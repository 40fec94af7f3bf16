"""Redrawn: what is added to the density of z where outputs beyond a window are drawn again.

    p(z) = integral of p(x) f(z - x) dx + integral of p(x) (1/N(x) - 1) f(z - x) dx

with N(x) the share of outputs in the window. The first is a closed form (of_outputs.py). In the
second, p (1/N - 1) is replaced by polynomials on cells (polynomials.py), whose integral with f is
one: in powers of x for uniform and triangular noise, with e^(+-x/scale) for Laplace noise; for
normal noise it is a sum over nodes (nodes.py). `error` bounds the integral over z of what that
misses, `slip` what it can do to an entropy.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, arb_poly

from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.analytic import NotEnclosed, inside, outside
from ppdm_formal.numeric.continuous.density import Density
from ppdm_formal.numeric.continuous.nodes import Nodes
from ppdm_formal.numeric.continuous.polynomials import Wanted, fitted
from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform

OfZ: TypeAlias = Callable[[Any], Any]

_ERROR = Fraction(1, 2**58)


class Redrawn:
    """The second integral, on pieces of z between cuts."""

    def __init__(self, operator: ContinuousOperator, prior: Density) -> None:
        assert operator.window is not None
        self.noise, self.window = operator.noise, operator.window
        self._pieces = list(prior.pieces())
        wanted = Wanted(
            self._weight,
            self._seen,
            _ERROR,
            scale=self.noise.tail,
            widest=self.noise.deviation if isinstance(self.noise, Normal) else None,
        )
        window = self.window
        changes = {end - kink for end in (window.lo, window.hi) for kink in self.noise.kinks}
        parts: list[tuple[Fraction, Fraction]] = []
        for piece in self._pieces:
            inner = {x for x in changes if piece.lo < x < piece.hi}
            parts += itertools.pairwise(sorted({piece.lo, piece.hi, *inner}))
        self.cells, self.error = fitted(wanted, parts)
        self._nodes: Nodes | None = None
        if isinstance(self.noise, Normal):
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
        middle = (lo + hi) / 2
        match noise:
            case Uniform():
                part = self._moments(middle, noise.lo, noise.hi)
                return lambda z: part(z)[0] / ball_of(noise.hi - noise.lo)
            case Triangular():
                rising = self._moments(middle, noise.lo, noise.center)
                falling = self._moments(middle, noise.center, noise.hi)

                def slopes(z: Any) -> Any:
                    (up, up_x), (down, down_x) = rising(z), falling(z)
                    found = (z - ball_of(noise.lo)) * up - up_x
                    found += (ball_of(noise.hi) - z) * down + down_x
                    return found / ball_of(noise.half**2)

                return slopes
            case Laplace():
                return self._under_laplace(noise, middle)
        assert self._nodes is not None
        return self._nodes.on(lo, hi)

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

    def _under_laplace(self, noise: Laplace, middle: Fraction) -> OfZ:
        """Cells on the left and on the right are one number each; z may lie in one more."""
        scale, center = ball_of(noise.scale), ball_of(middle)
        left, right, around = arb(0), arb(0), None
        for cell in self.cells:
            if cell.hi <= middle:
                left += cell.total(0) * ((cell.middle - center) / scale).exp()
            elif cell.lo >= middle:
                right += cell.total(1) * ((center - cell.middle) / scale).exp()
            else:
                around = cell

        def added(z: Any) -> Any:
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
