"""Noise at complex arguments: the closed form of one piece, continued beyond its ends.

`at` is a real number that says which piece. Rigorous integration looks at complex numbers around an
interval, where a density that is put together from pieces is no single analytic function.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import acb, arb

from ppdm_formal.numbers.enclosure import ball_of
from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform


class NotEnclosed(ValueError):
    """An integral that rigorous integration did not enclose."""


def integral(function: Callable[[Any, bool], Any], lo: Fraction, hi: Fraction) -> Any:
    """The integral of an analytic function between two numbers, a real ball."""
    found = acb.integral(function, ball_of(lo), ball_of(hi), rel_tol=2.0**-44, abs_tol=2.0**-48)
    if not found.real.is_finite():
        raise NotEnclosed("an integral that is not enclosed")
    return found.real


def x_log_x(p: Any, analytic: bool) -> Any:
    """The product p ln p."""
    return p * acb(p).log(analytic=analytic)


def below(noise: Noise, v: Any, at: Fraction) -> Any:
    """F(v) for a complex v, as the closed form of the piece that `at` lies in."""
    match noise:
        case Uniform() | Triangular():
            if at <= noise.lo:
                return acb(0)
            if at >= noise.hi:
                return acb(1)
            if isinstance(noise, Uniform):
                return (v - ball_of(noise.lo)) / ball_of(noise.hi - noise.lo)
            t = (v - ball_of(noise.lo)) / ball_of(noise.half)
            return t * t / 2 if at < noise.center else 1 - (2 - t) ** 2 / 2
        case Laplace():
            scale = ball_of(noise.scale)
            return (v / scale).exp() / 2 if at < 0 else 1 - (-v / scale).exp() / 2
        case Normal():
            return (-v / (ball_of(noise.deviation) * arb(2).sqrt())).erfc() / 2
    raise AssertionError


def f_log_f(noise: Noise, v: Any, at: Fraction) -> Any:
    """The integral of f ln f up to v, for a complex v, on the piece of `at`."""
    match noise:
        case Uniform():
            return -below(noise, v, at) * ball_of(noise.hi - noise.lo).log()
        case Triangular():
            if at <= noise.lo:
                return acb(0)
            whole = -ball_of(noise.half).log() - arb(1) / 2
            if at >= noise.hi:
                return acb(whole)
            if at >= noise.center:
                return whole - f_log_f(noise, 2 * ball_of(noise.center) - v, 2 * noise.center - at)
            t = (v - ball_of(noise.lo)) / ball_of(noise.half)
            return t * t / 2 * ((t / ball_of(noise.half)).log() - arb(1) / 2)
        case Laplace():
            scale = ball_of(noise.scale)
            if at >= 0:
                return -(2 * scale).log() - 1 - f_log_f(noise, -v, -abs(at) or Fraction(-1))
            w = v / scale
            return -w.exp() / 2 * (2 * scale).log() - (1 - w) * w.exp() / 2
        case Normal():
            share = below(noise, v, at)
            deviation = ball_of(noise.deviation)
            flat = (deviation * (2 * arb.pi()).sqrt()).log()
            return -share * flat - (share - v * noise.ball_pdf(v)) / 2
    raise AssertionError
