"""Extremes: the essential supremum of p(z|x1)/p(z|x2), at the ends of inputs and outputs.

Every density f of noise.py is log-concave, so f(z - x1)/f(z - x2) does not fall as z grows where
x1 > x2 (and does not rise where x1 < x2). Three things follow for x1 > x2 (docs/numeric.md):

    as it is:    the ratio is largest at the top of the outputs;
    clamped:     P[hi|x1]/P[hi|x2] averages the ratio beyond hi, so it is at least that inside;
    truncated:   the ratio is largest at hi, and 1/p(hi|x) = integral of f(z - x)/f(hi - x) dz does
                 not rise with x.

So the top of the outputs says most, from the greatest x1 against the least x2; the bottom says
most from the least x1 against the greatest x2, which is the top of the mirrored operator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from flint import ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of, enclose, log_of
from ppdm_formal.declare.arithmetic.exponential import Real, exp_of, sign_of
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity, Measured
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.reals import RealProperty

Ratio: TypeAlias = "Real | Enclosure | Infinity"
Reached: TypeAlias = Literal["atom", "region", "limit"]
"""By one output of positive probability, by all outputs of an interval, or only ever closer."""


@dataclass(frozen=True)
class Extreme:
    """How much likelier outputs at one end are from one input than from another.

    at: the output that is an atom, where the interval begins, or which is approached (None:
    without end).
    """

    side: Literal["top", "bottom"]
    likely: Fraction
    unlikely: Fraction
    value: Ratio
    reached: Reached
    at: Fraction | None

    @property
    def epsilon(self) -> Measured:
        """The logarithm of the ratio."""
        value = self.value
        if isinstance(value, Infinity):
            return INFINITY
        if isinstance(value, Enclosure):
            return Enclosure(log_of(value.lo).lo, log_of(value.hi).hi)
        return log_of(value)

    def refined(self, operator: ContinuousOperator, digits: int) -> Ratio:
        """The value with so many digits, where it is enclosed."""
        mirror = self.side == "bottom"
        sign = -1 if mirror else 1
        shown = operator.mirrored() if mirror else operator
        return _top(shown, sign * self.likely, sign * self.unlikely, digits).value


def extremes(
    operator: ContinuousOperator, about: RealProperty | None = None
) -> tuple[Extreme, ...]:
    """At most two, of which the greater is the amplification.

    about: x1 must have the property and x2 must not, or nothing is asked of them.
    """
    whole = (operator.inputs.lo, operator.inputs.hi)
    inside = whole if about is None else about.ends
    outside = whole if about is None else about.complement.ends
    found = []
    if inside[1] > outside[0]:
        found.append(_top(operator, inside[1], outside[0]))
    if inside[0] < outside[1]:
        other = _top(operator.mirrored(), -inside[0], -outside[1])
        at = None if other.at is None else -other.at
        found.append(
            Extreme("bottom", -other.likely, -other.unlikely, other.value, other.reached, at)
        )
    return tuple(found)


def most_extreme(operator: ContinuousOperator) -> Extreme:
    """The greater of the two; where they cannot be told apart, the one that is reached."""
    one, other = extremes(operator)
    closer = one.reached == "limit" and not above(one.value, other.value)
    return other if closer or above(other.value, one.value) else one


def ratio_at(
    operator: ContinuousOperator, z: Fraction, likely: Fraction, unlikely: Fraction
) -> Any:
    """A ball around p(z|x1)/p(z|x2) at one z; None where p(z|x2) is 0 as far as can be told."""
    noise, window = operator.noise, operator.window
    with ctx.workprec(256):
        over, under = (noise.ball_pdf(ball_of(z - x)) for x in (likely, unlikely))
        if window is not None and window.kind == "truncated":
            shares = [
                noise.ball_cdf(ball_of(window.hi - x)) - noise.ball_cdf(ball_of(window.lo - x))
                for x in (likely, unlikely)
            ]
            over, under = over * shares[1], under * shares[0]
        return over / under if under > 0 else None


def above(one: Ratio, other: Ratio) -> bool:
    """Whether a ratio is certainly above another one."""
    if isinstance(one, Infinity):
        return not isinstance(other, Infinity)
    if isinstance(other, Infinity):
        return False
    low = one.lo if isinstance(one, Enclosure) else one
    high = other.hi if isinstance(other, Enclosure) else other
    return bool(low > high)


def _top(operator: ContinuousOperator, x1: Fraction, x2: Fraction, digits: int = 15) -> Extreme:
    """The top of the outputs, for x1 > x2."""
    noise, window = operator.noise, operator.window
    most = noise.support[1]
    if most is not None and window is not None and window.lo >= x1 + most:
        return Extreme("top", x1, x2, Fraction(1), "atom", window.lo)  # nothing else comes out
    if most is not None and (window is None or window.hi >= x1 + most):
        # Outputs just below x1 + most come from x1, and never from x2.
        return Extreme("top", x1, x2, INFINITY, "region", max(x2 + most, _start(operator, x1)))
    if window is None:
        if noise.tail is not None:
            return Extreme("top", x1, x2, exp_of((x1 - x2) / noise.tail), "region", x1)
        return Extreme("top", x1, x2, INFINITY, "limit", None)
    if window.kind == "clamped":
        value = _quotient(
            lambda x: _exact_tail(noise, window.hi - x),
            lambda x: _ball_tail(noise, window.hi - x),
            x1,
            x2,
            digits,
        )
        return Extreme("top", x1, x2, value, "atom", window.hi)
    lo, hi = window.lo, window.hi
    if most is not None and hi - x2 > most:
        return Extreme("top", x1, x2, INFINITY, "region", max(x2 + most, _start(operator, x1)))
    value = _quotient(
        lambda x: _exact_window(noise, lo - x, hi - x),
        lambda x: (
            noise.ball_pdf(ball_of(hi - x))
            / (noise.ball_cdf(ball_of(hi - x)) - noise.ball_cdf(ball_of(lo - x)))
        ),
        x1,
        x2,
        digits,
    )
    start = noise.constant_from(x1, x2, lo, hi)
    if start is None:
        return Extreme("top", x1, x2, value, "limit", hi)
    return Extreme("top", x1, x2, value, "region", start)


def _start(operator: ContinuousOperator, x: Fraction) -> Fraction:
    """The least output that comes from x."""
    assert operator.noise.support[0] is not None
    least = x + operator.noise.support[0]
    return least if operator.window is None else max(least, operator.window.lo)


def _quotient(
    exact: Callable[[Fraction], Real | None],
    ball: Callable[[Fraction], Any],
    x1: Fraction,
    x2: Fraction,
    digits: int,
) -> Ratio:
    one, other = exact(x1), exact(x2)
    if one is not None and other is not None:
        return one / other if sign_of(other) else INFINITY
    return enclose(lambda: ball(x1) / ball(x2), digits, nonzero=True)


def _exact_tail(noise: Noise, v: Fraction) -> Real | None:
    """P[noise > v]."""
    below = noise.exact_cdf(v)
    return None if below is None else 1 - below


def _ball_tail(noise: Noise, v: Fraction) -> Any:
    """P[noise > v], with its own digits far out."""
    return noise.mirrored().ball_cdf(ball_of(-v))


def _exact_window(noise: Noise, lo: Fraction, hi: Fraction) -> Real | None:
    """f(hi) / P[lo < noise < hi]; f from below."""
    top, below, density = noise.exact_cdf(hi), noise.exact_cdf(lo), noise.exact_pdf(hi)
    if top is None or below is None or density is None:
        return None
    return density / (top - below)
