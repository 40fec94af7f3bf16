"""Line: signs on an interval against Bernstein coefficients, written from their definition."""

from __future__ import annotations

import random
from fractions import Fraction as F
from math import comb

from flint import fmpz_poly

from ppdm_formal.declare.arithmetic.line import keep_sign
from ppdm_formal.declare.arithmetic.line_polynomial import Ring


def bernstein(coefficients, low, high):
    degree, width = len(coefficients) - 1, high - low
    powers = [
        sum(comb(j, k) * low ** (j - k) * coefficients[j] for j in range(k, degree + 1)) * width**k
        for k in range(degree + 1)
    ]
    return [
        sum(F(comb(i, k), comb(degree, k)) * powers[k] for k in range(i + 1))
        for i in range(degree + 1)
    ]


def test_one_look_is_that_at_the_bernstein_coefficients():
    chance = random.Random(1)
    shown = 0
    for _ in range(800):
        degree = chance.randint(1, 6)
        coefficients = [chance.randint(-5, 5) for _ in range(degree)] + [chance.choice([-2, 1, 3])]
        coefficients[0] *= chance.random() < 0.7
        low = F(chance.randint(-4, 4), chance.randint(1, 5))
        high = low + F(chance.randint(1, 9), chance.randint(1, 7))
        values = bernstein(coefficients, low, high)
        inside = min(values) >= 0 or max(values) <= 0
        everywhere = min(values) > 0 or max(values) < 0
        signs = Ring().bernstein_signs(fmpz_poly(coefficients), low, high)
        assert signs == [(value > 0) - (value < 0) for value in values]
        assert keep_sign(signs, strict=False) == inside
        assert keep_sign(signs, strict=True) == everywhere
        shown += inside
    assert 200 < shown < 700
