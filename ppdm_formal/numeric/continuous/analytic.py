"""Noise at complex arguments: the closed form of one piece, continued beyond its ends.

`at` is a real number that says which piece. Rigorous integration looks at complex numbers around an
interval, where a density that is put together from pieces is no single analytic function. The same
closed forms take power series (flint's arb_series).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import acb, arb

from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numeric.continuous.additive import Window
from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform

_MOST = 20_000
"""Values of a function, after which its integral is enclosed less closely."""


class NotEnclosed(ValueError):
    """An integral that rigorous integration did not enclose."""


def integral(function: Callable[[Any, bool], Any], lo: Fraction, hi: Fraction) -> Any:
    """The integral of an analytic function between two numbers, a real ball."""
    found = acb.integral(
        function, ball_of(lo), ball_of(hi), rel_tol=2.0**-44, abs_tol=2.0**-48, eval_limit=_MOST
    )
    if not found.real.is_finite():
        raise NotEnclosed("an integral that is not enclosed")
    return found.real


def x_log_x(p: Any, analytic: bool) -> Any:
    """The product p ln p; 0 for p <= 0 where a real p is only enclosed, not continued."""
    p = acb(p)
    if p.is_zero():
        return p
    if analytic or p.real > 0:
        return p * p.log(analytic=analytic)
    most = p.real.upper()
    if not most > 0:
        return acb(0)
    bottom = (-arb(1)).exp()  # p ln p falls up to there, and then rises
    found = arb(0).union(most * most.log())
    return acb(found if most < bottom else found.union(-bottom))


def below(noise: Noise, v: Any, at: Fraction) -> Any:
    """F(v) for a complex v, as the closed form of the piece that `at` lies in."""
    match noise:
        case Uniform() | Triangular():
            if at <= noise.lo:
                return arb(0)
            if at >= noise.hi:
                return arb(1)
            if isinstance(noise, Uniform):
                return (v - ball_of(noise.lo)) / ball_of(noise.hi - noise.lo)
            t = (v - ball_of(noise.lo)) / ball_of(noise.half)
            return t * t / 2 if at < noise.center else 1 - (2 - t) * (2 - t) / 2
        case Laplace():
            scale = ball_of(noise.scale)
            return (v / scale).exp() / 2 if at < 0 else 1 - (-v / scale).exp() / 2
        case Normal():
            return (-v / (ball_of(noise.deviation) * arb(2).sqrt())).erfc() / 2
    raise AssertionError


def f_log_f(noise: Noise, v: Any, at: Fraction, analytic: bool) -> Any:
    """The integral of f ln f up to v, for a complex v, on the piece of `at`."""
    match noise:
        case Uniform():
            return -below(noise, v, at) * ball_of(noise.hi - noise.lo).log()
        case Triangular():
            if at <= noise.lo:
                return arb(0)
            whole = -ball_of(noise.half).log() - arb(1) / 2
            if at >= noise.hi:
                return whole
            if at >= noise.center:
                v, at = 2 * ball_of(noise.center) - v, 2 * noise.center - at
                return whole - f_log_f(noise, v, at, analytic)
            t = (v - ball_of(noise.lo)) / ball_of(noise.half)
            flat = ball_of(noise.half).log() + arb(1) / 2
            return t * x_log_x(t, analytic) / 2 - t * t / 2 * flat
        case Laplace():
            scale = ball_of(noise.scale)
            if at >= 0:
                rest = f_log_f(noise, -v, -abs(at) or Fraction(-1), analytic)
                return -(2 * scale).log() - 1 - rest
            w = v / scale
            return -w.exp() / 2 * (2 * scale).log() - (1 - w) * w.exp() / 2
        case Normal():
            share = below(noise, v, at)
            deviation = ball_of(noise.deviation)
            flat = (deviation * (2 * arb.pi()).sqrt()).log()
            return -share * flat - (share - v * noise.ball_pdf(v)) / 2
    raise AssertionError


def inside(noise: Noise, window: Window, x: Any, at: Fraction) -> Any:
    """N(x) = F(hi - x) - F(lo - x): how likely x + noise lies in a window."""
    return inside_form(noise, window, at)(x)


def inside_form(noise: Noise, window: Window, at: Fraction) -> Callable[[Any], Any]:
    """The same for many x on the piece of one, at the precision in force now."""
    (high, there), (low, here) = _reach(noise, window, arb(0), at)
    sign = 1 if at < (window.lo + window.hi - 2 * noise.center) / 2 else -1
    if isinstance(noise, Normal):
        unit = ball_of(noise.deviation) * arb(2).sqrt()
        most, least, slope = -high / unit, -low / unit, -sign / unit
        return lambda x: ((slope * x + most).erfc() - (slope * x + least).erfc()) / 2
    if isinstance(noise, Laplace):
        slope, unit = sign / ball_of(noise.scale), ball_of(noise.scale)
        forms = [(end / unit, place < 0) for end, place in ((high, there), (low, here))]

        def share(x: Any) -> Any:
            over, under = (
                (slope * x + end).exp() / 2 if first else 1 - (-slope * x - end).exp() / 2
                for end, first in forms
            )
            return over - under

        return share
    return lambda x: below(noise, high + sign * x, there) - below(noise, low + sign * x, here)


def inside_log(noise: Noise, window: Window, x: Any, at: Fraction, analytic: bool) -> Any:
    """The integral of f ln f over the noise that leads from x into a window."""
    (high, there), (low, here) = _reach(noise, window, x, at)
    return f_log_f(noise, high, there, analytic) - f_log_f(noise, low, here, analytic)


def outside(noise: Noise, window: Window, x: Any, at: Fraction) -> Any:
    """1 - N(x), as a sum of tails: no digits are lost where it is small."""
    under = below(noise, ball_of(window.lo) - x, window.lo - at)
    return under + below(noise.mirrored(), x - ball_of(window.hi), at - window.hi)


def _reach(
    noise: Noise, window: Window, x: Any, at: Fraction
) -> tuple[tuple[Any, Fraction], tuple[Any, Fraction]]:
    """The most and the least noise that lead from x into a window, mirrored if that is nearer.

    All laws are symmetric; far out on the right digits would be lost.
    """
    twice = 2 * noise.center
    if at < (window.lo + window.hi - twice) / 2:
        ends = [(ball_of(twice - end) + x, twice - end + at) for end in (window.lo, window.hi)]
    else:
        ends = [(ball_of(end) - x, end - at) for end in (window.hi, window.lo)]
    return ends[0], ends[1]
