"""Integer noise, exactly: the discrete Laplace and Gaussian laws, drawn from exact coins.

Discrete Laplace: P[z] = (1 - t)/(1 + t) t^|z| with t = e^-rate. |z| comes from a geometric number,
whose binary digits are independent coins: digit j is 1 with probability t^(2^j)/(1 + t^(2^j)).
Discrete Gaussian (Canonne, Kamath, Steinke 2020): P[z] proportional to e^(-z^2/(2 v)), by
rejection from a discrete Laplace. No floating point decides anything.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.numbers.exponential import exp_of
from ppdm_formal.operator.cut import Steps
from ppdm_formal.operator.draw import Bits

Integers = npt.NDArray[np.int64]

MAX_SCALE = 1 << 40
"""Largest scale of noise: beyond, 64 bits would not hold it."""


def geometric(rate: Fraction, count: int, bits: Bits) -> Integers:
    """P[g] = (1 - t) t^g for g = 0, 1, ..., t = e^-rate.

    Digits below 2^J are drawn one by one, J so that 2^J rate is about 1 or more; what is above is
    geometric again with t^(2^J), and counted up coin by coin.
    """
    if not Fraction(1, MAX_SCALE) <= rate:
        raise ValueError("the noise would be larger than 64-bit integers hold")
    digits = max(0, math.ceil(math.log2(max(1.0, float(1 / rate)))))
    found = np.zeros(count, dtype=np.int64)
    for digit in range(digits):
        power = exp_of(-rate * (1 << digit))
        one = bits.coins(Steps.heads(power / (1 + power), bits.width), count)
        found += one.astype(np.int64) << digit
    going = np.arange(count)
    steps = Steps.heads(exp_of(-rate * (1 << digits)), bits.width)
    while len(going):
        going = going[bits.coins(steps, len(going))]
        found[going] += 1 << digits
    return found


def discrete_laplace(rate: Fraction, count: int, bits: Bits) -> Integers:
    """P[z] = (1 - t)/(1 + t) t^|z|, t = e^-rate: a signed geometric number, -0 drawn again."""
    found = np.zeros(count, dtype=np.int64)
    open_ones = np.arange(count)
    half = Steps.heads(Fraction(1, 2), bits.width)
    while len(open_ones):
        size = geometric(rate, len(open_ones), bits)
        negative = bits.coins(half, len(open_ones))
        again = negative & (size == 0)
        found[open_ones] = np.where(negative, -size, size)
        open_ones = open_ones[again]
    return found


def discrete_gaussian(variance: Fraction, count: int, bits: Bits) -> Integers:
    """P[z] proportional to e^(-z^2/(2 variance))."""
    if not 0 < variance <= MAX_SCALE**2 // 4:
        raise ValueError("the noise would be larger than 64-bit integers hold")
    scale = math.isqrt(math.floor(variance)) + 1
    found = np.zeros(count, dtype=np.int64)
    open_ones = np.arange(count)
    while len(open_ones):
        offer = discrete_laplace(Fraction(1, scale), len(open_ones), bits)
        taken = np.zeros(len(open_ones), dtype=bool)
        sizes = np.abs(offer)
        for size in np.unique(sizes).tolist():
            alike = np.flatnonzero(sizes == size)
            accept = exp_of(-((size - variance / scale) ** 2) / (2 * variance))
            taken[alike] = bits.coins(Steps.heads(accept, bits.width), len(alike))
        found[open_ones[taken]] = offer[taken]
        open_ones = open_ones[~taken]
    return found
