"""Nodes: polynomials on cells of x under smooth noise, by Gauss-Legendre sums that are entire in z.

    integral over a cell of q(x) f(z - x) dx = sum over nodes of weight_i q(x_i) f(z - x_i) + error
    |error| <= 64/15 r M rho^(-2 n)/(1 - rho^-2),  M the most of |q f| on an ellipse around the cell

with n + 1 nodes (Trefethen, Approximation Theory and Approximation Practice, Theorem 19.3). For
noise that falls ever faster, without kinks: f has one closed form, at complex numbers as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, arb_poly, ctx

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import Window
from ppdm_formal.derive.reals.analytic import NotEnclosed
from ppdm_formal.derive.reals.polynomials import FittedCell

_COUNTS = (8, 12, 16, 24, 32)
_ELLIPSES = (2, 3, 4, 6, 8, 12, 16, 24)
_STEP = 2
"""Standard deviations: the length of pieces of z around cells, and how far power series go."""

_AROUND = 14
"""Standard deviations from a cell beyond which the sum is left out, and counts as an error."""


class Nodes:
    """The sum over nodes of all cells, on pieces of z.

    error: the integral over z of what is missed; it grows when pieces are asked for that are far
    from all cells, where the sum is left out.
    """

    def __init__(
        self, noise: Noise, window: Window, cells: Sequence[FittedCell], allowed: Fraction
    ) -> None:
        assert noise.spread is not None
        self.step = _STEP * noise.spread
        self.noise, self.window, self.cells = noise, window, cells
        self.error = arb(0)
        self._nodes: list[tuple[Any, Any]] = []
        share = ball_of(allowed / max(len(cells), 1))
        for cell in cells:
            self._nodes += self._of(cell, share)

    def _of(self, cell: FittedCell, allowed: Any) -> list[tuple[Any, Any]]:
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

    def _missed(self, cell: FittedCell, sizes: Any, radius: Any, count: int, rho: int) -> Any:
        """The error of the rule at any real z of the window."""
        r = arb(rho)
        reach, height = (r + 1 / r) / 2, (r - 1 / r) / 2
        away = Fraction(0)
        wide = (cell.hi - cell.lo) / 2 * (rho + Fraction(1, rho)) / 2
        center = (cell.lo + cell.hi) / 2
        away = max(self.window.lo - center - wide, center - wide - self.window.hi, away)
        most = self.noise.most_around(ball_of(away), radius * height)
        if most is None:
            raise NotEnclosed(f"{self.noise.name} noise that is drawn again")
        most *= sizes(radius * reach)
        found = arb(64) / 15 * radius * most * r ** (2 - 2 * count) / (1 - 1 / (r * r))
        return found.upper()

    def cuts(self) -> set[Fraction]:
        """Steps of z around the cells."""
        step, start = self.step, self.window.lo
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
        if hi - lo > self.step:
            self.error += self._left_out(lo, hi)
            return lambda z: arb(0)
        return self.noise.sum_around(self._nodes, (lo + hi) / 2, self.step)

    def _left_out(self, lo: Fraction, hi: Fraction) -> Any:
        """At most the integral of the sum over a piece of z."""
        total = arb(0)
        for x, weight in self._nodes:
            away = (ball_of(lo) - x).max(x - ball_of(hi)).max(arb(0))
            total += abs(weight) * self.noise.ball_pdf(away)
        return (total * ball_of(hi - lo)).upper()


@lru_cache(maxsize=16)
def _rule(count: int, precision: int) -> list[tuple[Any, Any]]:
    """Roots and weights of Gauss-Legendre on [-1, 1]; precision: that of the context."""
    return [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
