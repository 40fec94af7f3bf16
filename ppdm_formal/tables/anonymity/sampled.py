"""k-anonymity of a sample (Li, Qardaji, Su 2012): (epsilon, delta)-differential privacy.

Each row is kept with probability beta, generalized in a way that does not depend on the data, and
left out where fewer than k kept rows look alike. One row more or less of m that look alike then
changes the number j of rows shown from Bin(m - 1, beta) to Bin(m, beta), whose ratio
(1 - beta) m / (m - j) is above e^epsilon exactly if e^epsilon (m - j) < (1 - beta) m. So

    delta = max over m >= k of the sum of P[Bin(m, beta) = j] - e^epsilon P[Bin(m - 1, beta) = j]

over those j >= k; the other direction needs e^epsilon >= 1/(1 - beta). Beyond some m the sum is
below what was found, by Chernoff's bound e^(-m KL(gamma, beta)), gamma = 1 - (1 - beta) e^-epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import to_flint
from ppdm_formal.declare.arithmetic.exponential import dyadic, exp_of

LARGEST_K = 1000
"""Beyond this k, delta is too small to matter and slow to compute."""

MOST = 20_000
"""Most rows that look alike which are looked at."""

_PRECISION = 256


@dataclass(frozen=True)
class SampledAnonymity:
    """delta for k, beta and epsilon, and how many rows look alike where it is attained."""

    k: int
    beta: Fraction
    epsilon: Fraction
    delta: Enclosure
    alike: int


def sampled_anonymity(k: int, beta: Fraction, epsilon: Fraction) -> SampledAnonymity:
    """The smallest delta; ValueError where no delta below 1 serves or the search is too long."""
    if not 0 < beta < 1:
        raise ValueError("the sampling rate must be between 0 and 1")
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    if not 1 <= k <= LARGEST_K:
        raise ValueError(f"k of a sample must be between 1 and {LARGEST_K:,}")
    power = exp_of(epsilon)
    if power * (1 - beta) < 1:
        raise ValueError(
            "epsilon must be at least -ln(1 - rate): with less, that a row may be left out shows"
        )
    before = ctx.prec
    try:
        ctx.prec = _PRECISION
        return _searched(k, beta, epsilon, power)
    finally:
        ctx.prec = before


def _searched(k: int, beta: Fraction, epsilon: Fraction, power: Any) -> SampledAnonymity:
    grown = (arb(1) * to_flint(epsilon)).exp()
    rate = arb(1) * to_flint(beta)
    gamma = 1 - (1 - rate) / grown
    exponent = gamma * (gamma / rate).log() + (1 - gamma) * ((1 - gamma) / (1 - rate)).log()
    best, where, m = arb(0), k, k
    low = high = Fraction(0)
    while not (best > 0 and (-exponent * m).exp() < best):
        if m > MOST:
            raise ValueError(f"more than {MOST:,} rows that look alike would have to be looked at")
        found = _excess(m, k, beta, grown, power)
        low, high = max(low, dyadic(found.lower())), max(high, dyadic(found.upper()))
        if found.mid() > best.mid():
            best, where = found, m
        m += 1
    return SampledAnonymity(k, beta, epsilon, Enclosure(low, high), where)


def _excess(m: int, k: int, beta: Fraction, grown: Any, power: Any) -> Any:
    """The sum for one m, in ball arithmetic; which j belong to it is decided exactly."""
    # e^epsilon (m - j) < (1 - beta) m  iff  m - j <= the whole part of (1 - beta) m / e^epsilon,
    # which is never a whole number itself: e^epsilon is irrational.
    spare = math.floor((1 - beta) * m / power)
    rate, total = arb(1) * to_flint(beta), arb(0)
    first = max(k, m - spare)
    if first > m:
        return total
    chance = arb(math.comb(m, first)) * rate**first * (1 - rate) ** (m - first)
    for j in range(first, m + 1):
        # P[Bin(m - 1) = j] = P[Bin(m) = j] (m - j) / (m (1 - beta))
        total += chance * (1 - grown * (m - j) / (m * (1 - rate)))
        chance = chance * (m - j) / (j + 1) * rate / (1 - rate)
    return total
