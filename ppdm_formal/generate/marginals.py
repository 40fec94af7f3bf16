"""Marginals: counts of one and two columns with their errors, from sanitized or from true records.

Local: estimated from sanitized records, at no further cost. Central: a curator who sees the
records adds integer noise to the exact counts of every column and every pair of columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from ppdm_formal.generate.budget import Unit
from ppdm_formal.generate.integer_noise import discrete_gaussian, discrete_laplace
from ppdm_formal.generate.krimp_kernels import Floats
from ppdm_formal.generate.records import Records
from ppdm_formal.generate.sanitized import Sanitized
from ppdm_formal.numbers.enclosure import log_of
from ppdm_formal.operator.draw import Bits


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
class Noise:
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


def central_noise(columns: int, epsilon: Fraction, delta: Fraction | None, unit: Unit) -> Noise:
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
        return Noise(tables, epsilon / (2 * tables), None, None)
    if not 0 < delta < 1:
        raise ValueError("delta is a probability above 0 and below 1")
    rho = largest_rho(epsilon, delta)
    return Noise(tables, None, Fraction(tables) / rho, rho)


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


def central_marginals(records: Records, noise: Noise, bits: Bits) -> Marginals:
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
