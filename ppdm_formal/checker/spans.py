"""Spans: exponentials and the normal law between two Fractions, closer for more bits.

Two facts about continuous operators are used, which docs/numeric.md proves: all these densities
are log-concave, so that the top of the outputs says most, from the greatest x against the least;
and the mass of an interval under noise with one peak rises and then falls as the noise is moved.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from .clock import tick
from .exponential import exp_bounds
from .limits import ZERO
from .result import need

Span = tuple[Fraction, Fraction]  # what a number lies between
CONTINUOUS_BITS = (192, 768, 3072)  # tried one after the other, until a comparison is decided
MAX_PIECES = 1000  # parts of a density, and intervals of a property
MAX_SPANS = 50_000  # intervals of x, and of z
FARTHEST = 60  # standard deviations; beyond, a normal tail is only known to be below e^-1800
HALF = Fraction(1, 2)


class TooFewBits(Exception):
    """Nothing is known of a quotient yet: its denominator is not told from 0."""


def quotient_span(one: Span, other: Span) -> Span:
    """One positive number by another."""
    if other[0] <= 0:
        raise TooFewBits
    return one[0] / other[1], one[1] / other[0]


def ratio_span(one: Span, other: Span) -> tuple[Fraction, Fraction | None]:
    """The same; where the other is not told from 0, at least so much, and None."""
    if other[0] > 0:
        return quotient_span(one, other)
    if other[1] <= 0:
        raise TooFewBits
    return one[0] / other[1], None


def outward(low: Fraction, high: Fraction, bits: int) -> Span:
    """The same to multiples of 2^-bits; what is exact stays as it is."""
    if low == high and low.denominator.bit_length() <= bits:
        return low, high
    unit = 2**bits
    return Fraction(math.floor(low * unit), unit), Fraction(math.ceil(high * unit), unit)


@functools.lru_cache(maxsize=1 << 16)
def exp_span(q: Fraction, bits: int) -> Span:
    """e^q: absolutely as close as 2^-bits where q < 0, relatively where q > 0."""
    need(q <= 10**5, "a power of e above 10^5")
    if q >= 0:
        low, high = exp_bounds(q, bits)
        return Fraction(low, 2**bits), Fraction(high, 2**bits)
    if -q > bits + 64:  # e^q < 2^-bits
        return ZERO, Fraction(1, 2**bits)
    low, high = exp_bounds(-q, bits)
    return outward(Fraction(2**bits, high), Fraction(2**bits, low), bits)


@functools.lru_cache(maxsize=8)
def two_pi(bits: int) -> Span:
    """2 pi, by Machin's formula."""
    unit = 1 << (bits + 64)

    def arctan(n: int) -> tuple[int, int]:  # of 1/n: terms alternate and fall
        total, power, k = 0, unit // n, 0
        while power:
            total += power // (2 * k + 1) if k % 2 == 0 else -(power // (2 * k + 1))
            power //= n * n
            k += 1
        return total - 3 * k - 3, total + 3 * k + 3

    a, b = arctan(5), arctan(239)
    low, high = 2 * (16 * a[0] - 4 * b[1]), 2 * (16 * a[1] - 4 * b[0])
    return Fraction(low, unit), Fraction(high, unit)


@functools.lru_cache(maxsize=8)
def root_two_pi(bits: int) -> Span:
    """The square root of 2 pi."""
    unit = 1 << (bits + 64)
    low, high = (int(end * unit) for end in two_pi(bits))
    return Fraction(math.isqrt(low * unit), unit), Fraction(math.isqrt(high * unit) + 1, unit)


def phi_span(t: Fraction, bits: int) -> Span:
    """The density of the standard normal law."""
    above, root = exp_span(-t * t / 2, bits), root_two_pi(bits)
    return outward(above[0] / root[1], above[1] / root[0], bits)


@functools.lru_cache(maxsize=1 << 16)
def normal_span(t: Fraction, bits: int) -> Span:
    """Its distribution: 1/2 - phi(t) (s + s^3/3 + s^5/(3 5) + ...) for t = -s."""
    if t > 0:
        low, high = normal_span(-t, bits)
        return 1 - high, 1 - low
    if t < -FARTHEST:
        return ZERO, exp_span(-t * t / 2, bits)[1]
    more = bits + math.ceil(t * t)  # the series grows like e^(t^2/2)
    series, density = normal_series(-t, more + 64), phi_span(t, more + 32)
    below = outward(series[0] * density[0], series[1] * density[1], bits)
    return max(HALF - below[1], ZERO), HALF - below[0]


def normal_series(s: Fraction, bits: int) -> Span:
    """The series s + s^3/3 + s^5/(3 5) + ... for s >= 0, in units of 2^-bits."""
    u, unit = s * s, 1 << bits
    term, lost, total, missing, n = math.floor(s * unit), 1, 0, 0, 0
    while term or 2 * u > 2 * n + 1:
        tick()
        total, missing, n = total + term, missing + lost, n + 1
        term = term * u.numerator // (u.denominator * (2 * n + 1))
        lost = math.ceil(lost * u / (2 * n + 1)) + 1  # what a term misses: each division up to 1
    # From here on each term is at most half of the one before.
    return Fraction(total, unit), Fraction(total + missing + 2 * lost, unit)
