"""Marginals: counts of one and two columns with their errors, from sanitized or from true records.

Local: estimated from sanitized records, at no further cost. Central: a curator who sees the
records adds integer noise to the exact counts of every column and every pair of columns.

Integer noise, exactly: the discrete Laplace and Gaussian laws, drawn from exact coins.

Discrete Laplace: P[z] = (1 - t)/(1 + t) t^|z| with t = e^-rate. |z| comes from a geometric number,
whose binary digits are independent coins: digit j is 1 with probability t^(2^j)/(1 + t^(2^j)).
Discrete Gaussian (Canonne, Kamath, Steinke 2020): P[z] proportional to e^(-z^2/(2 v)), by
rejection from a discrete Laplace. No floating point decides anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.enclosure import log_of
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.tables.generate.budget import Unit
from ppdm_formal.tables.generate.krimp_kernels import Floats
from ppdm_formal.tables.generate.records import Records
from ppdm_formal.tables.generate.sanitized import Sanitized

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


@dataclass(frozen=True)
class Marginal:
    """Counts of the combinations of one or two columns; error: the standard error of a count."""

    columns: tuple[int, ...]
    counts: Floats
    error: float


@dataclass(frozen=True)
class Marginals:
    """Every column, and every pair of columns, of so many records."""

    records: int
    sizes: tuple[int, ...]
    single: tuple[Marginal, ...]
    pairs: tuple[Marginal, ...]


def local_marginals(sanitized: Sanitized) -> Marginals:
    """Unbiased estimates from sanitized records."""
    records = len(sanitized)
    features = sanitized.features
    single = []
    for c, some in enumerate(features):
        single.append(
            Marginal((c,), some.sum(axis=0), _error((some**2).mean(0), some.mean(0), records))
        )
    pairs = []
    for c, d in combinations(range(len(features)), 2):
        mean = features[c].T @ features[d] / records
        square = (features[c] ** 2).T @ features[d] ** 2 / records
        pairs.append(Marginal((c, d), mean * records, _error(square, mean, records)))
    return Marginals(records, _sizes(sanitized), tuple(single), tuple(pairs))


def _error(square: Floats, mean: Floats, records: int) -> float:
    """Of the counts of one table: the root of the mean variance."""
    return float(np.sqrt(max(1e-6, float(np.mean(square - mean**2)) * records)))


def _sizes(data: Sanitized | Records) -> tuple[int, ...]:
    return tuple(len(column.values) for column in data.columns)


@dataclass(frozen=True)
class MarginalNoise:
    """What a curator adds to each count, exactly: discrete Laplace, or discrete Gaussian."""

    tables: int
    """How many of the tables one unit has a count in, at most."""
    rate: Fraction | None
    """Laplace: P[z] proportional to e^(-rate |z|)."""
    variance: Fraction | None
    """Gaussian: P[z] proportional to e^(-z^2/(2 variance))."""
    rho: Fraction | None
    """What the Gaussian noise costs as concentrated differential privacy."""

    @property
    def error(self) -> float:
        """The standard deviation, about."""
        if self.variance is not None:
            return math.sqrt(self.variance)
        assert self.rate is not None
        return math.sqrt(2) / float(self.rate)


def central_noise(
    columns: int, epsilon: Fraction, delta: Fraction | None, unit: Unit
) -> MarginalNoise:
    """The noise for epsilon (and delta) of a record, or of one attribute of it.

    Another record changes two counts of each table by one; another value of one attribute those
    of the tables with its column. Laplace: |change| is 2 tables in all, hence rate = epsilon /
    (2 tables). Gaussian: its square is 2 tables, hence variance = 2 tables/(2 rho), with rho + 2
    sqrt(rho ln(1/delta)) <= epsilon (Bun, Steinke 2016).
    """
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    tables = columns if unit == "attribute" else columns + columns * (columns - 1) // 2
    if delta is None:
        return MarginalNoise(tables, epsilon / (2 * tables), None, None)
    if not 0 < delta < 1:
        raise ValueError("delta is a probability above 0 and below 1")
    rho = largest_rho(epsilon, delta)
    return MarginalNoise(tables, None, Fraction(tables) / rho, rho)


def largest_rho(epsilon: Fraction, delta: Fraction) -> Fraction:
    """About the largest rho with rho + 2 sqrt(rho ln(1/delta)) <= epsilon, and never above it.

    >>> rho = largest_rho(Fraction(1), Fraction(1, 10**6))
    >>> float(rho) + 2 * math.sqrt(rho * math.log(10**6)) <= 1, round(float(rho), 5)
    (True, 0.01747)
    """
    log = log_of(1 / delta).hi
    guess = (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2
    rho = Fraction(guess)
    while not (rho < epsilon and 4 * rho * log <= (epsilon - rho) ** 2):
        rho *= 1 - Fraction(1, 1 << 30)
    return rho


def epsilon_of(rho: Fraction, delta: Fraction) -> Fraction:
    """An epsilon that rho-concentrated differential privacy has with delta, rounded up.

    >>> float(epsilon_of(Fraction(1, 2), Fraction(1, 10**6)))
    5.756522
    """
    log = log_of(1 / delta).hi
    found = Fraction(math.ceil(float(rho + 2 * Fraction(math.sqrt(rho * log))) * 10**6), 10**6)
    while 4 * rho * log > (found - rho) ** 2:
        found += Fraction(1, 10**6)
    return found


def central_marginals(records: Records, noise: MarginalNoise, bits: Bits) -> Marginals:
    """Exact counts with integer noise."""
    sizes = _sizes(records)

    def noisy(columns: tuple[int, ...]) -> Marginal:
        shape = tuple(sizes[c] for c in columns)
        place = np.ravel_multi_index(tuple(records.codes[:, c] for c in columns), shape)
        counts = np.bincount(place, minlength=math.prod(shape)).astype(np.int64)
        if noise.variance is not None:
            counts += discrete_gaussian(noise.variance, len(counts), bits)
        elif noise.rate is not None:
            counts += discrete_laplace(noise.rate, len(counts), bits)
        return Marginal(columns, counts.reshape(shape).astype(np.float64), noise.error)

    single = tuple(noisy((c,)) for c in range(len(sizes)))
    pairs = tuple(noisy(pair) for pair in combinations(range(len(sizes)), 2))
    return Marginals(len(records), sizes, single, pairs)
