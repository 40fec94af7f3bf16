"""What the checker encloses is enclosed: every span against mpmath, to hundreds of digits."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
from fractions import Fraction as F

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from ppdm_formal.checker.additive import Additive
from ppdm_formal.checker.enclosure import log_bounds
from ppdm_formal.checker.exponential import exp_bounds
from ppdm_formal.checker.noise import read_noise
from ppdm_formal.checker.slices import (
    Slice,
    at_atom,
    bell_share,
    bell_span,
    closer,
    drawn_again,
    joint,
    share_span,
    slices,
)
from ppdm_formal.checker.spans import (
    exp_span,
    normal_series,
    normal_span,
    outward,
    phi_span,
    root_two_pi,
)

BITS = 96


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(300):
        yield


def real(x):
    return mpf(x.numerator) / mpf(x.denominator)


def encloses(span, value):
    """Up to the digits of what it is compared with."""
    slack = mpf(10) ** -200
    return real(F(span[0])) - slack <= value <= real(F(span[1])) + slack


SOME = [F(n, d) for d in (1, 3, 7) for n in (0, 1, 2, 5, 11, 40)]


def test_e_pi_and_the_normal_law():
    for bits in (8, 40, 192):
        assert encloses(root_two_pi(bits), mpmath.sqrt(2 * mpmath.pi))
        for x in SOME:
            low, high = exp_bounds(x, bits)
            assert low <= mpmath.exp(real(x)) * 2**bits <= high
            assert encloses(exp_span(-x, bits), mpmath.exp(-real(x)))
            assert encloses(phi_span(x, bits), mpmath.npdf(real(x)))
            for sign in (1, -1):
                assert encloses(normal_span(sign * x, bits), mpmath.ncdf(sign * real(x)))
            if x:
                low, high = log_bounds(x, bits)
                assert low <= mpmath.log(real(x)) * 2**bits <= high


def test_the_series_of_the_normal_law_loses_no_digits():
    """Every term and every division leaves something out, which is added above."""
    root = mpmath.sqrt(mpmath.pi / 2)
    for bits in (16, 64, 200):
        for x in [y for y in SOME if y < 20] + [F(1, 10**6), F(999, 1000)]:
            s = real(x)
            value = root * mpmath.exp(s * s / 2) * mpmath.erf(s / mpmath.sqrt(2))
            low, high = normal_series(x, bits)
            assert encloses((low, high), value), (x, bits)
            assert real(high - low) <= (value + 1) * 2 ** (12 - bits) * mpmath.exp(s * s / 2)


def test_the_rest_of_a_series_is_counted():
    """Few bits: what comes after the last term is no small part."""
    for x in [F(n, 64) for n in range(1, 300, 7)]:
        s = real(x)
        value = mpmath.sqrt(mpmath.pi / 2) * mpmath.exp(s * s / 2) * mpmath.erf(s / mpmath.sqrt(2))
        for bits in range(1, 9):
            assert encloses(normal_series(x, bits), value), (x, bits)


def test_rounding_is_outward():
    low, high = outward(F(1, 3), F(2, 3), 4)
    assert low <= F(1, 3) < F(2, 3) <= high
    assert outward(F(1, 4), F(1, 4), 4) == (F(1, 4), F(1, 4))


NOISES = [
    read_noise("normal", [F(2)]),
    read_noise("laplace", [F(3)]),
    read_noise("uniform", [F(-3), F(2)]),
    read_noise("triangular", [F(-2), F(6)]),
    read_noise("normal", [F(1, 3)]),
    read_noise("uniform", [F(-8), F(9)]),
]


def numbers(noise):
    return dataclasses.astuple(noise)


def density(noise, v):
    a = real(numbers(noise)[0])
    if noise.kind == "normal":
        return mpmath.npdf(v / a) / a
    if noise.kind == "laplace":
        return mpmath.exp(-abs(v) / a) / (2 * a)
    b = real(numbers(noise)[1])
    if not a <= v <= b:
        return mpf(0)
    half = (b - a) / 2
    return 1 / (b - a) if noise.kind == "uniform" else (half - abs(v - (a + b) / 2)) / half**2


def below(noise, v):
    a = real(numbers(noise)[0])
    if noise.kind == "normal":
        return mpmath.ncdf(v / a)
    if noise.kind == "laplace":
        return mpmath.exp(v / a) / 2 if v < 0 else 1 - mpmath.exp(-v / a) / 2
    t = min(max((v - a) / (real(numbers(noise)[1]) - a), 0), 1)
    return t if noise.kind == "uniform" else 2 * t * t if 2 * t < 1 else 1 - 2 * (1 - t) ** 2


def kinks(noise):
    if noise.support == (None, None):
        return [mpf(0)]
    return [real(numbers(noise)[0]), real(numbers(noise)[1]), real(sum(numbers(noise))) / 2]


# -- integrals, in floats: Gauss and Legendre on the pieces where everything is smooth

POINTS = [(float(x), float(w)) for x, w in zip(*np.polynomial.legendre.leggauss(20), strict=True)]


def integral(f, low, high, cuts):
    points = sorted({float(low), float(high), *(float(c) for c in cuts if low < c < high)})
    total = 0.0
    for a, b in itertools.pairwise(points):
        half = (b - a) / 2
        total += half * sum(w * f((a + b) / 2 + half * x) for x, w in POINTS)
    return total


def normal(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def dense(noise, v):
    a, b = float(numbers(noise)[0]), float(numbers(noise)[-1])
    if noise.kind == "normal":
        return math.exp(-((v / a) ** 2) / 2) / (a * math.sqrt(2 * math.pi))
    if noise.kind == "laplace":
        return math.exp(-abs(v) / a) / (2 * a)
    half = (b - a) / 2
    if not a <= v <= b:
        return 0.0
    return 1 / (b - a) if noise.kind == "uniform" else (half - abs(v - (a + b) / 2)) / half**2


def under(noise, v):
    a, b = float(numbers(noise)[0]), float(numbers(noise)[-1])
    if noise.kind == "normal":
        return normal(v / a)
    if noise.kind == "laplace":
        return math.exp(v / a) / 2 if v < 0 else 1 - math.exp(-v / a) / 2
    t = min(max((v - a) / (b - a), 0), 1)
    return t if noise.kind == "uniform" else 2 * t * t if 2 * t < 1 else 1 - 2 * (1 - t) ** 2


def weighed(part, x):
    """The prior density at x, which lies in 0..10."""
    law, first, second, weight = part[0], *map(float, part[1:])
    if law == "uniform":
        return weight / (second - first) if first <= x <= second else 0.0
    whole = normal((10 - first) / second) - normal((0 - first) / second)
    return weight * dense(read_noise("normal", [part[2]]), x - first) / whole


def kept(noise, window, x):
    return under(noise, float(window[2]) - x) - under(noise, float(window[1]) - x)


NEAR = 1e-9


def near(span, value):
    return float(span[0]) - NEAR <= value <= float(span[1]) + NEAR


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_noise_is_enclosed(noise):
    for v in [F(n, 4) for n in range(-40, 41, 3)]:
        x = real(v)
        assert encloses(noise.height(v, BITS), density(noise, x))
        assert encloses(noise.distribution(v, BITS), below(noise, x))
        low, high = noise.heights(v, v + 2, BITS)
        for t in range(9):
            assert real(low) <= density(noise, x + mpf(t) / 4) <= real(high)
    for v in (F(-5), F(0), F(1, 2), F(7)):
        cuts = [*kinks(noise), -100, -50, -30, -20, -12, -8, -4, -2, -1, 1, 2, 4]
        value = integral(lambda t: under(noise, t), -200, float(v), cuts)
        assert near(noise.integral(v, BITS), value)


BELL = ("normal", F(5), F(1), F(1, 2))
NARROW = ("normal", F(5), F(1, 5), F(1, 2))
FLAT = ("uniform", F(0), F(10), F(1, 2))


def additive(noise, window, *density):
    return Additive("C", F(0), F(10), noise, window, density, ((F(2), F(6)),))


def prior(part, lo, hi, x):
    law, first, second, weight = part
    if law == "uniform":
        inside = real(first) <= x <= real(second)
        return real(weight) / real(second - first) if inside else mpf(0)
    whole = mpmath.ncdf((hi - real(first)) / real(second)) - mpmath.ncdf(
        (lo - real(first)) / real(second)
    )
    return real(weight) * mpmath.npdf((x - real(first)) / real(second)) / real(second) / whole


def test_the_bell_has_its_peak_within():
    for bell in (BELL, NARROW):
        operator = additive(NOISES[0], None, bell, FLAT)
        whole = bell_share(operator, bell, BITS)
        for low, high in ((F(3), F(7)), (F(4), F(11, 2)), (F(0), F(3)), (F(6), F(9))):
            span = bell_span(bell, whole, low, high, BITS)
            for k in range(17):
                x = real(low + (high - low) * F(k, 16))
                assert encloses(span, prior(bell, mpf(0), mpf(10), x))
            assert encloses(
                span, prior(bell, mpf(0), mpf(10), min(max(mpf(5), real(low)), real(high)))
            )


WINDOWS = [("truncated", F(0), F(10)), ("truncated", F(2), F(7)), ("truncated", F(-3), F(11))]


def share(noise, window, x):
    return below(noise, real(window[2]) - x) - below(noise, real(window[1]) - x)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("noise", NOISES[:2] + NOISES[5:], ids=str)
def test_what_is_drawn_again_is_enclosed(noise, window):
    operator = additive(noise, window, BELL, FLAT)
    for low, high in ((F(0), F(10)), (F(1), F(5)), (F(9, 2), F(11, 2)), (F(7), F(10))):
        span = share_span(operator, low, high, BITS)
        for k in range(33):
            assert encloses(span, share(noise, window, real(low + (high - low) * F(k, 32))))


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("noise", NOISES[:2], ids=str)
@pytest.mark.parametrize("bell", [BELL, NARROW])
def test_gruess_bounds_the_mean_of_weights(noise, bell, window):
    operator = additive(noise, window, bell, FLAT)
    whole = bell_share(operator, bell, BITS)
    cuts = [3, 4, 4.5, 4.8, 5, 5.2, 5.5, 6, 7]
    for low, high in ((F(5), F(6)), (F(5), F(10)), (F(0), F(5)), (F(3), F(9))):
        weight = bell_span(bell, whole, low, high, BITS)
        mass = F(integral(lambda x: weighed(bell, x), low, high, cuts))
        value = integral(lambda x: weighed(bell, x) / kept(noise, window, x), low, high, cuts)
        span = drawn_again(operator, low, high, weight, (mass, mass), BITS)
        assert near(span, value), (low, high)


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("window", [None, ("clamped", F(1), F(9)), ("truncated", F(-1), F(9))])
def test_slices_and_atoms_are_enclosed(noise, window):
    """Each slice's part in p(z), for z between two numbers, and at both ends of a window."""
    chance = random.Random(str(noise))
    again = window is not None and window[0] == "truncated"
    if again and noise == NOISES[4]:
        return  # next to nothing is kept from the ends
    for bell, parts in ((BELL, 1), (NARROW, 3)):
        operator = additive(noise, window, bell, FLAT)
        for part in chance.sample(slices(operator, ((F(2), F(6)),), parts, BITS), 2):
            cuts = [3, 4, 4.4, 4.8, 5, 5.2, 5.6, 6, 7]

            def weight(x, bell=bell):
                found = weighed(bell, x) + weighed(FLAT, x)
                return found / kept(noise, window, x) if again else found

            def mean(f, edge, part=part, cuts=cuts, weight=weight):
                own = [*cuts, *(edge - float(k) for k in kinks(noise)), edge - 1, edge + 1]
                return integral(lambda x: weight(x) * f(x), part.lo, part.hi, own)

            z = F(chance.randint(4, 36), 4)
            for first, last in ((z, z), (z, z + 2), (z - 3, z + F(1, 2))):
                span = joint(noise, part, first, last, BITS)
                for t in (0, 1, 2, 4):
                    at = float(first + (last - first) * F(t, 4))
                    value = mean(lambda x, at=at: dense(noise, at - x), at)
                    assert near(span, value), (part, first, last, t)
            if window is not None and not again:
                low, high = float(window[1]), float(window[2])
                value = mean(lambda x, low=low: under(noise, low - x), low)
                assert near(at_atom(operator, part, "lo", BITS), value)
                value = mean(lambda x, high=high: 1 - under(noise, high - x), high)
                assert near(at_atom(operator, part, "hi", BITS), value)


def test_gruess_bounds_a_product_of_two_that_fall_together():
    """Weights like a bell's slope and likelihoods that stop in the middle: nearly as bad as can be.

    The covariance is 0.151 of width times both ranges; a quarter is what Gruess allows.
    """
    least = math.exp(-((1 / 0.4) ** 2) / 2)
    whole, value = (
        integral(lambda x: math.exp(-((x / 0.4) ** 2) / 2), 0, end, [0.2, 0.4, 0.6])
        for end in (1, 0.4)
    )
    weight, all_of_it = (F(least), F(1)), (F(whole), F(whole))
    part = Slice(F(0), F(1), True, (F(0), F(1)), weight, all_of_it, (F(1), F(1)))
    span = closer(part, (F(2, 5), F(2, 5)), (F(0), F(1)))
    assert near(span, value)
    assert span[1] > value  # and the bound is not met by chance
