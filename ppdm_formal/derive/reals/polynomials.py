"""Polynomials: a function of x by its Taylor polynomials on cells, with a proved error.

On a cell of radius r around c the error of the polynomial of degree n - 1 is at most r^n times the
largest n-th Taylor coefficient at any point of the cell (Lagrange), which a ball encloses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, arb_poly, arb_series, ctx

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.derive.reals.analytic import NotEnclosed

_TERMS = 32
_MOST_CELLS = 4000

OnPiece: TypeAlias = Callable[[Any, Fraction], Any]
"""A function of x (a ball or a power series), and of a number that says which piece x is on."""


@dataclass(frozen=True)
class FittedCell:
    """An interval of x with polynomials in x - middle, and their antiderivatives."""

    lo: Fraction
    hi: Fraction
    middle: Any
    polynomials: tuple[Any, ...]
    sums: tuple[Any, ...]

    def between(self, which: int, a: Any, b: Any) -> Any:
        """The integral of one polynomial from a to b, which may be complex."""
        whole = self.sums[which]
        return whole(b - self.middle) - whole(a - self.middle)

    def total(self, which: int) -> Any:
        """Its integral over the cell."""
        return self.between(which, ball_of(self.lo), ball_of(self.hi))


@dataclass(frozen=True)
class WantedPolynomial:
    """What is to be approximated, and how closely.

    function: analytic on each piece. seen: how much of it counts, for a ball.
    scale: the polynomials stand for the function times e^((x - middle)/scale), and times
    e^(-(x - middle)/scale), as Laplace noise of that scale needs them.
    """

    function: OnPiece
    seen: OnPiece
    error: Fraction
    scale: Fraction | None = None
    widest: Fraction | None = None

    def multiples(self, x: Any, at: Fraction) -> list[Any]:
        """The functions that polynomials stand for."""
        bare = self.function(x, at)
        if self.scale is None:
            return [bare]
        v = (x - ball_of(at)) / ball_of(self.scale)
        return [bare * v.exp(), bare * (-v).exp()]


def fitted(
    wanted: WantedPolynomial, pieces: Sequence[tuple[Fraction, Fraction]]
) -> tuple[tuple[FittedCell, ...], Any]:
    """Cells from left to right, without those where 0 will do; and the integral of what they miss.

    With a scale, what counts of an error is `seen` outside of the cell, and e^(v/scale)/(2 scale)
    for each v of up to r inside, sinh(r/scale) in all.
    """
    cap, ctx.cap = ctx.cap, _TERMS + 1  # python-flint cuts every series there
    try:
        return _fitted(wanted, pieces)
    finally:
        ctx.cap = cap


def _fitted(
    wanted: WantedPolynomial, pieces: Sequence[tuple[Fraction, Fraction]]
) -> tuple[tuple[FittedCell, ...], Any]:
    length = sum((hi - lo for lo, hi in pieces), Fraction(0))
    todo = list(reversed(pieces))
    cells: list[FittedCell] = []
    error = arb(0)
    while todo:
        lo, hi = todo.pop()
        found = _cell(wanted, lo, hi, ball_of(wanted.error * (hi - lo) / length))
        if found is None:
            if len(todo) + len(cells) > _MOST_CELLS or hi - lo < length / 2**60:
                raise NotEnclosed("outputs that are hardly possible")
            middle = (lo + hi) / 2
            todo += [(middle, hi), (lo, middle)]
            continue
        cell, missed = found
        error += missed
        if cell is not None:
            cells.append(cell)
    return tuple(cells), error


def _cell(
    wanted: WantedPolynomial, lo: Fraction, hi: Fraction, most: Any
) -> tuple[FittedCell | None, Any] | None:
    """The polynomials on one cell and what they miss; None where they miss more than that."""
    at = (lo + hi) / 2
    middle, radius = ball_of(at), ball_of((hi - lo) / 2)
    around = arb(middle.mid(), (radius + middle.rad()).upper())
    seen = wanted.seen(around, at)
    bare = abs(wanted.function(around, at)) * seen * 2 * radius
    if bare.upper() <= most:
        return None, bare.upper()
    if not bare.is_finite():
        return None
    if wanted.widest is not None and hi - lo > wanted.widest:
        return None
    if wanted.scale is not None:
        seen += (radius / ball_of(wanted.scale)).sinh()
    wide = wanted.multiples(arb_series([around, arb(1)], prec=_TERMS + 1), at)
    last = sum((abs(_coefficients(each, _TERMS + 1)[-1]).upper() for each in wide), arb(0))
    missed = last * radius**_TERMS * seen * 2 * radius
    if not missed.upper() <= most:
        return None
    tight = wanted.multiples(arb_series([middle, arb(1)], prec=_TERMS), at)
    polynomials = tuple(arb_poly(_coefficients(each, _TERMS)) for each in tight)
    sums = tuple(each.integral() for each in polynomials)
    return FittedCell(lo, hi, middle, polynomials, sums), missed.upper()


def _coefficients(series: Any, terms: int) -> list[Any]:
    """So many, with zeros at the end; a constant is a number."""
    if not isinstance(series, arb_series):
        return [arb(series), *[arb(0)] * (terms - 1)]
    assert series.prec >= terms
    found = series.coeffs()[:terms]
    return [*found, *[arb(0)] * (terms - len(found))]
