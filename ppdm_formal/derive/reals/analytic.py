"""Windows of noise at complex arguments: closed forms of one piece, continued beyond its ends.

`at` is a real number that says which piece. Rigorous integration looks at complex numbers around an
interval, where a density that is put together from pieces is no single analytic function. The same
closed forms take power series (flint's arb_series).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import acb, arb

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import Window

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


def inside(noise: Noise, window: Window, x: Any, at: Fraction) -> Any:
    """N(x) = F(hi - x) - F(lo - x): how likely x + noise lies in a window."""
    return inside_form(noise, window, at)(x)


def inside_form(noise: Noise, window: Window, at: Fraction) -> Callable[[Any], Any]:
    """The same for many x on the piece of one, at the precision in force now."""
    (high, there), (low, here) = _reach(noise, window, arb(0), at)
    sign = 1 if at < (window.lo + window.hi - 2 * noise.center) / 2 else -1
    return noise.piece_between((high, there), (low, here), sign)


def inside_log(noise: Noise, window: Window, x: Any, at: Fraction, analytic: bool) -> Any:
    """The integral of f ln f over the noise that leads from x into a window."""
    (high, there), (low, here) = _reach(noise, window, x, at)
    return noise.piece_log(high, there, analytic) - noise.piece_log(low, here, analytic)


def outside(noise: Noise, window: Window, x: Any, at: Fraction) -> Any:
    """1 - N(x), as a sum of tails: no digits are lost where it is small."""
    under = noise.piece_cdf(ball_of(window.lo) - x, window.lo - at)
    return under + noise.mirrored().piece_cdf(x - ball_of(window.hi), at - window.hi)


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
