"""Told between: how much the outputs of an interval tell at most, by polynomials for P and N.

P and N (told.py), times e^(-k t), are interpolated at n + 1 Chebyshev points of the interval. Where
they are analytic, and at most M, on an ellipse around it whose half axes add up to rho half
lengths, the polynomials are within 4 M rho^-n/(rho - 1) of them (Trefethen, Approximation Theory
and Approximation Practice, Theorem 8.2). D of the polynomials is bounded by branch and bound, with
its derivative. On very short intervals a bound of the slopes will do: f has one peak, so that over
its maximum it varies by 2 and f ln f by 4/e in all, and P and N change with z at most by these
times the highest p(x), over the least share of outputs that a window keeps.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import acb, arb, arb_poly, ctx

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.derive.reals.told import MassAndLogs, Path, ToldByOutputs

DEGREES = (4, 8, 12, 16, 24)
_ELLIPSES = (2, 4, 8)
_BOXES = 6
_FINER = 1 / 16
"""Of the error that is asked for, what each of a few sources may take."""

_CUTS = 4000
_ROUNDED = 1e-12


@dataclass(frozen=True)
class ToldBound:
    """No output of the interval tells more; the polynomials do so about there."""

    most: Any
    at: Fraction


@dataclass(frozen=True)
class _Polynomials:
    """P e^(-k t) and N e^(-k t) for t from -1 to 1, with what they miss, and k."""

    mass: Any
    logs: Any
    missed: tuple[Any, Any]
    tilt: Any


def told_between(told: ToldByOutputs, lo: Fraction, hi: Fraction, error: float) -> ToldBound | None:
    """For an interval between two cuts; None where it is too long for one polynomial.

    error: about how far above D a bound may be.
    """
    fine = error * _FINER
    paths = told.paths((lo + hi) / 2)
    if not paths:
        return ToldBound(arb(0), lo)  # no outputs
    shift = told.shift(paths, (lo + hi) / 2)
    middle, radius = ball_of((lo + hi) / 2), ball_of((hi - lo) / 2)
    first, last = (told.at(paths, ball_of(z), shift, fine) for z in (lo, hi))
    if not (first.mass > 0 and last.mass > 0):
        return None
    tilt = arb(((last.mass / first.mass).log() / 2).mid())
    least = (first.mass * tilt.exp()).lower()
    best: tuple[int, Any, Any] | None = None
    for rho in _ELLIPSES:
        sizes = _sizes(told, paths, shift, (lo, hi), rho, tilt)
        if sizes is None:
            break
        for degree in DEGREES:
            missed = [4 * size / arb(rho) ** degree / (rho - 1) for size in sizes]
            if max(float(each.upper()) for each in missed) <= fine * float(least):
                if best is None or degree < best[0]:
                    best = degree, missed[0].upper(), missed[1].upper()
                break
    if best is None:
        return None
    degree, *missed = best
    values = [last]
    for t in _points(degree, ctx.prec)[1:-1]:
        values.append(told.at(paths, middle + radius * t, shift, fine))
    values.append(first)
    made = _interpolated(values, degree, tilt, missed)
    found = _most(made, fine) if made is not None else None
    return None if found is None else ToldBound(found[0], (lo + hi) / 2 + (hi - lo) / 2 * found[1])


def _sizes(
    told: ToldByOutputs,
    paths: list[Path],
    shift: Any,
    ends: tuple[Fraction, Fraction],
    rho: int,
    tilt: Any,
) -> list[Any] | None:
    """No |P e^(-k t)| and |N e^(-k t)| is larger on the ellipse; None where none are known."""
    middle, radius = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
    reach = (rho + Fraction(1, rho)) / 2
    lo, hi = middle - radius * reach, middle + radius * reach
    least, greatest = told.smooth(middle)
    if (least is not None and lo <= least) or (greatest is not None and greatest <= hi):
        return None
    height = ball_of((rho - Fraction(1, rho)) / 2)
    most = [arb(0), arb(0)]
    for k in range(_BOXES):
        t = ball_of(reach * Fraction(2 * k + 1 - _BOXES, _BOXES))
        t = arb(t.mid(), (ball_of(reach / _BOXES) + t.rad()).upper())
        inner = abs(t).lower() / ball_of(reach)
        tall = (height * (1 - inner * inner).max(arb(0)).sqrt()).upper()
        box = acb(ball_of(middle) + ball_of(radius) * t, ball_of(radius) * arb(0, tall))
        sizes = told.sizes(paths, box, shift)
        for which in (0, 1):
            size = (sizes[which] * (-tilt * t).exp()).upper()
            if not size.is_finite():
                return None
            most[which] = most[which].max(size)
    return most


@lru_cache(maxsize=16)
def _points(degree: int, precision: int) -> list[Any]:
    """Chebyshev points cos(pi k/n), from 1 to -1; precision: that of the context."""
    return [(arb(k) / degree).cos_pi() for k in range(degree + 1)]


def _interpolated(
    values: Sequence[MassAndLogs], degree: int, tilt: Any, missed: Sequence[Any]
) -> _Polynomials | None:
    points = _points(degree, ctx.prec)
    found, errors = [], []
    for which, error in enumerate(missed):
        ordinates = [
            (part.logs if which else part.mass) * (-tilt * t).exp()
            for part, t in zip(values, points, strict=True)
        ]
        polynomial = arb_poly()
        for j in range(degree + 1):
            total = (ordinates[0] + ordinates[-1] * (-1) ** j) / 2
            for k in range(1, degree):
                total += ordinates[k] * points[_folded(j * k, degree)]
            total = total * 2 / degree
            if j in (0, degree):
                total /= 2
            if not total.is_finite():
                return None
            error += total.rad()  # |T_j| <= 1
            polynomial += arb(total.mid()) * arb_poly(list(_chebyshev(j)))
        found.append(polynomial)
        errors.append(arb(error).upper())
    return _Polynomials(found[0], found[1], (errors[0], errors[1]), tilt)


def _folded(k: int, degree: int) -> int:
    """Which point has the cosine of pi k/n."""
    k %= 2 * degree
    return k if k <= degree else 2 * degree - k


@lru_cache(maxsize=64)
def _chebyshev(j: int) -> tuple[int, ...]:
    """The coefficients of T_j."""
    if j < 2:
        return (1,) if j == 0 else (0, 1)
    found = [0, *(2 * each for each in _chebyshev(j - 1))]
    for k, each in enumerate(_chebyshev(j - 2)):
        found[k] -= each
    return tuple(found)


def _most(made: _Polynomials, fine: float) -> tuple[Any, Fraction] | None:
    """The most that D of all P and N near the polynomials is, and where about; None: not close."""
    mass_slope, logs_slope = made.mass.derivative(), made.logs.derivative()
    best, where = arb(-1), Fraction(0)
    todo: list[tuple[float, Fraction, Fraction]] = [(-float("inf"), Fraction(-1), Fraction(1))]
    for _ in range(_CUTS):
        bound, a, b = todo[0]
        if -bound <= float(best) + fine + _ROUNDED:
            break
        heapq.heappop(todo)
        middle = (a + b) / 2
        for one, other in ((a, middle), (middle, b)):
            ends = []
            for t in (one, other):
                exact = ball_of(t)
                p = made.mass(exact)
                if not p > 0:
                    return None
                ends.append(made.logs(exact) / p - p.log() - made.tilt * exact)
                if ends[-1].lower() > best:
                    best, where = ends[-1].lower(), t
            wide = ball_of(one).union(ball_of(other))
            slope = _slope(made, mass_slope, logs_slope, wide, ball_of((one + other) / 2))
            heapq.heappush(todo, (-_under_lines(ends, slope, other - one), one, other))
    most = (arb(-todo[0][0]).max(best) + _slack(made)).upper()
    return (most, where) if most < best + 256 * fine + _ROUNDED * 2 else None


def _slope(made: _Polynomials, mass_slope: Any, logs_slope: Any, t: Any, middle: Any) -> Any:
    """The derivative of D: (N' - P' - N P'/P)/P, less the tilt."""
    off = t - middle
    p_slope, n_slope = mass_slope(t), logs_slope(t)
    p, n = made.mass(middle) + p_slope * off, made.logs(middle) + n_slope * off
    return (n_slope - p_slope - n / p * p_slope) / p - made.tilt


def _under_lines(ends: Sequence[Any], slope: Any, length: Fraction) -> float:
    """No value of a function with these values and slopes is greater: about where two lines meet.

    Any place s will do, since what is left of it lies below the one line's value there, and what
    is right of it below the other's; so s may be a float, and the two values are balls.
    """
    if not slope.is_finite():
        return math.inf
    (left, right), h = (end.upper() for end in ends), ball_of(length)
    up, down = slope.upper().max(arb(0)), slope.lower().min(arb(0))
    steep = float(up - down)
    s = min(max(float(right - left - down * h) / steep, 0.0), float(h)) if steep > 0 else 0.0
    most = (left + up * arb(s)).max(right - down * (h - arb(s)))
    return math.nextafter(float(most.upper()), math.inf)


def _slack(made: _Polynomials) -> Any:
    """How far D may be from that of the polynomials: by the errors of P and N, and the least P."""
    least = _least(made)
    off_mass, off_logs = made.missed
    if not least > off_mass:
        return arb("inf")
    t = arb(0, 1)
    sizes = abs(made.logs(t)).upper()
    slack = (off_logs + sizes / least * off_mass) / (least - off_mass)
    return (slack - (1 - off_mass / least).log()).upper()


def _least(made: _Polynomials, parts: int = 16) -> Any:
    """No P of the interval is smaller."""
    slope = made.mass.derivative()
    found = arb("inf")
    for k in range(parts):
        middle, off = arb(2 * k + 1 - parts) / parts, arb(0, arb(1) / parts)
        found = found.min((made.mass(middle) + slope(middle + off) * off).lower())
    return found


# -- very short intervals --------------------------------------------------------------------------


def told_nearby(told: ToldByOutputs, lo: Fraction, hi: Fraction) -> Any:
    """No output of an interval tells more, by slopes; infinite unless it is very short."""
    middle = (lo + hi) / 2
    paths = told.paths(middle)
    if not paths:
        return arb(0)
    parts = told.at(paths, ball_of(middle), arb(0))
    density, again = told.heights
    way = density * again * ball_of(hi - lo) / 2
    off_mass = 2 * way
    off_logs = (4 * (-arb(1)).exp() + 2 * again.log()) * way
    least = (parts.mass - off_mass).lower()
    if not least > 0:
        return arb("inf")
    slack = (off_logs + abs(parts.logs / parts.mass) * off_mass) / least
    return (parts.told + slack + (1 + off_mass / least).log()).upper()
