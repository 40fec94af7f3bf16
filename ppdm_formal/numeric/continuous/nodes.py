"""Nodes: polynomials on cells of x under normal noise, by Gauss-Legendre sums that are entire in z.

    integral over a cell of q(x) f(z - x) dx = sum over nodes of weight_i q(x_i) f(z - x_i) + error
    |error| <= 64/15 r M rho^(-2 n)/(1 - rho^-2),  M the most of |q f| on an ellipse around the cell

with n + 1 nodes (Trefethen, Approximation Theory and Approximation Practice, Theorem 19.3). Around
a point m of z the sum is e^(-(z - m)(z + m - 2 c)/(2 s^2)) times a power series in z - m;
c may be anything, and is where most of the weight lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import acb, arb, arb_poly, ctx

from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numeric.continuous.additive import Window
from ppdm_formal.numeric.continuous.polynomials import Cell
from ppdm_formal.numeric.noise import Normal

_COUNTS = (8, 12, 16, 24, 32)
_ELLIPSES = (2, 3, 4, 6, 8, 12, 16, 24)
_POWERS = 64
_STEP = 2
"""Standard deviations: the length of pieces of z around cells, and how far power series go."""

_AROUND = 14
"""Standard deviations from a cell beyond which the sum is left out, and counts as an error."""

_NEGLIGIBLE = -200


class Nodes:
    """The sum over nodes of all cells, on pieces of z.

    error: the integral over z of what is missed; it grows when pieces are asked for that are far
    from all cells, where the sum is left out.
    """

    def __init__(
        self, noise: Normal, window: Window, cells: Sequence[Cell], allowed: Fraction
    ) -> None:
        self.noise, self.window, self.cells = noise, window, cells
        self.error = arb(0)
        self._nodes: list[tuple[Any, Any]] = []
        share = ball_of(allowed / max(len(cells), 1))
        for cell in cells:
            self._nodes += self._of(cell, share)

    def _of(self, cell: Cell, allowed: Any) -> list[tuple[Any, Any]]:
        """Places and weights for one cell: as few as the error allows."""
        length = ball_of(self.window.hi - self.window.lo)
        radius = ball_of((cell.hi - cell.lo) / 2)
        (weight,) = cell.polynomials
        sizes = arb_poly([abs(each).upper() for each in weight.coeffs()])
        for count in _COUNTS:
            errors = [self._missed(cell, sizes, radius, count, rho) for rho in _ELLIPSES]
            missed = min(errors, key=float) * length
            if missed <= allowed:
                break
        self.error += missed
        return [
            (cell.middle + radius * root, radius * share * weight(radius * root))
            for root, share in _rule(count, ctx.prec)
        ]

    def _missed(self, cell: Cell, sizes: Any, radius: Any, count: int, rho: int) -> Any:
        """The error of the rule at any real z of the window."""
        r = arb(rho)
        reach, height = (r + 1 / r) / 2, (r - 1 / r) / 2
        away = Fraction(0)
        wide = (cell.hi - cell.lo) / 2 * (rho + Fraction(1, rho)) / 2
        center = (cell.lo + cell.hi) / 2
        away = max(self.window.lo - center - wide, center - wide - self.window.hi, away)
        lift = (radius * height / ball_of(self.noise.deviation)) ** 2 / 2
        most = sizes(radius * reach) * self.noise.ball_pdf(ball_of(away)) * lift.exp()
        found = arb(64) / 15 * radius * most * r ** (2 - 2 * count) / (1 - 1 / (r * r))
        return found.upper()

    def cuts(self) -> set[Fraction]:
        """Steps of z around the cells."""
        step, start = _STEP * self.noise.deviation, self.window.lo
        around = Fraction(_AROUND, _STEP)
        highest = (self.window.hi - start) / step
        numbers: set[int] = set()
        for cell in self.cells:
            # From x beyond the window, outputs are likeliest at its nearest end.
            near = [min(max((x - start) / step, Fraction(0)), highest) for x in (cell.lo, cell.hi)]
            first, last = int(near[0] - around), int(near[1] + around) + 1
            numbers |= set(range(max(first, 0), min(last, int(highest) + 1) + 1))
        return {start + step * number for number in numbers}

    def on(self, lo: Fraction, hi: Fraction) -> Callable[[Any], Any]:
        """The sum at z near a piece of z."""
        if hi - lo > _STEP * self.noise.deviation:
            self.error += self._left_out(lo, hi)
            return lambda z: arb(0)
        return self._series((lo + hi) / 2)

    def _left_out(self, lo: Fraction, hi: Fraction) -> Any:
        """At most the integral of the sum over a piece of z."""
        total = arb(0)
        for x, weight in self._nodes:
            away = (ball_of(lo) - x).max(x - ball_of(hi)).max(arb(0))
            total += abs(weight) * self.noise.ball_pdf(away)
        return (total * ball_of(hi - lo)).upper()

    def _series(self, middle: Fraction) -> Callable[[Any], Any]:
        """The sum as a power series around the middle, with what its tail is at most."""
        m, variance = ball_of(middle), ball_of(self.noise.variance)
        here = [(x, weight * self.noise.ball_pdf(m - x)) for x, weight in self._nodes]
        total = sum((abs(weight) for _, weight in here), arb(0))
        if not total > 0:
            return lambda z: arb(0)
        mean = sum((x * abs(weight) for x, weight in here), arb(0)) / total
        center = arb(mean.mid())
        radius = ball_of(_STEP * self.noise.deviation)
        least = total * arb(2) ** _NEGLIGIBLE
        tail = arb(0)
        kept = []
        for x, weight in here:
            slope = (x - center) / variance
            size = abs(slope) * radius
            if abs(weight) * size.exp() < least:
                tail += abs(weight) * size.exp()
            else:
                kept.append((weight, slope, size))
        count = _POWERS + 3 * max(int(float(size)) for _, _, size in kept)
        last = arb(count + 1).gamma()
        powers = [arb(0)] * count
        for weight, slope, size in kept:
            tail += abs(weight) * size.exp() * size**count / last
            for k in range(count):
                powers[k] += weight
                weight = weight * slope
        for k in range(count):
            powers[k] /= arb(k + 1).gamma()
        series, tail = arb_poly(powers), tail.upper()
        tilt = center - m

        def at(z: Any) -> Any:
            gap = acb(z - m)
            far = abs(gap)
            if not far <= radius:
                return acb(arb("nan"))
            rest = arb(0, tail)
            return (gap * (2 * tilt - gap) / (2 * variance)).exp() * (series(gap) + acb(rest, rest))

        return at


@lru_cache(maxsize=16)
def _rule(count: int, precision: int) -> list[tuple[Any, Any]]:
    """Roots and weights of Gauss-Legendre on [-1, 1]; precision: that of the context."""
    return [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
