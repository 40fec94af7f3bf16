"""How noisy each form of report is, and the best one of each kind for d values, L of them held.

A report holds a held value with probability a, any other one with b. N clients estimate a support
f with variance V / N,

    V = (f a (1 - a) + (1 - f) b (1 - b)) / (a - b)^2

At f = 0 and for many values that is 4 L / (gamma - 1) for fixed-size reports, 4 gamma L^2 /
(gamma - 1)^2 for pad-and-sample with hashing. Forms are compared at the support that is aimed at,
where the term with a counts. Floating point: it chooses, and decides no claim.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ppdm_formal.design.rounds.plan import Form

MAX_CUTOFF = 6
"""Reports are weighed by whether they hold more items of a basket than this at most."""

MAX_BITS = 12
"""Rho of select-a-size is a fraction over 2^12."""


@dataclass(frozen=True)
class Noise:
    """A form with its a and b."""

    form: Form
    held: float
    other: float

    def variance(self, support: float) -> float:
        """V, for one client."""
        a, b = self.held, self.other
        if a <= b:
            return math.inf
        return (support * a * (1 - a) + (1 - support) * b * (1 - b)) / (a - b) ** 2


def _log_ways(n: int, k: int) -> float:
    if not 0 <= k <= n:
        return -math.inf
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _met(values: int, size: int, chosen: int) -> list[float]:
    """How likely a uniform report of `chosen` values holds j of the `size` that are held."""
    whole = _log_ways(values, size)
    return [
        math.exp(_log_ways(chosen, j) + _log_ways(values - chosen, size - j) - whole)
        for j in range(size + 1)
    ]


def _of_weights(met: list[float], weights: list[float], size: int, others: int, chosen: int):  # type: ignore[no-untyped-def]
    mean = sum(m * w for m, w in zip(met, weights, strict=True))
    kept = sum(j * m * w for j, (m, w) in enumerate(zip(met, weights, strict=True))) / mean
    return kept / size, (chosen - kept) / others


def _report_sizes(values: int) -> list[int]:
    few = range(1, min(values, 40))
    more = np.unique(np.geomspace(1, max(2, values // 2), 120).astype(int)).tolist()
    return sorted({*few, *more})


def fixed_sizes(values: int, size: int, gamma: Fraction) -> Iterator[Noise]:
    """Fixed-size reports on so many values and as many dummies as are held."""
    every, top = values + size, float(gamma)
    for chosen in _report_sizes(every):
        met = _met(every, size, chosen)
        for cutoff in range(min(size, chosen, MAX_CUTOFF)):
            if sum(met[cutoff + 1 :]) < 1e-12:
                break
            weights = [1.0] * (cutoff + 1) + [top] * (size - cutoff)
            a, b = _of_weights(met, weights, size, values, chosen)
            form = Form("fixed_size", {"chosen": chosen, "gamma": gamma, "cutoff": cutoff})
            yield Noise(form, a, b)


def one_value(values: int, size: int, gamma: Fraction) -> Noise:
    """Reports of one value: of little noise where gamma is large, as behind a shuffler."""
    chance = float(gamma) * size / (float(gamma) * size + values)
    form = Form("fixed_size", {"chosen": 1, "gamma": gamma, "cutoff": 0})
    return Noise(form, chance / size, (1 - chance) / values)


def pad_and_samples(values: int, size: int, gamma: Fraction) -> Iterator[Noise]:
    """One held value, through subset selection (k-ary response among it), or hashing."""
    every = values + size
    for chosen in _report_sizes(every):
        inner = 1 + (gamma - 1) * Fraction(size, min(size, chosen))
        weights = [1 + (float(inner) - 1) * j / size for j in range(size + 1)]
        a, b = _of_weights(_met(every, size, chosen), weights, size, values, chosen)
        yield Noise(Form("pad_and_sample", {"chosen": chosen, "gamma": inner}), a, b)
    buckets = max(2, round(gamma) + 1)
    right, other = float(gamma) / (float(gamma) + buckets - 1), 1 / buckets
    form = Form("pad_and_sample", {"buckets": buckets, "gamma": gamma})
    yield Noise(form, (right + (size - 1) * other) / size, other)


def select_a_sizes(size: int, gamma: Fraction) -> Iterator[Noise]:
    """Select-a-size in Statement 2's form: rho = i / 2^b and the cutoff."""
    top = float(gamma)
    for place in np.unique(np.geomspace(1, 1 << MAX_BITS - 1, 40).astype(int)).tolist():
        rho = place / (1 << MAX_BITS)
        coins = [math.comb(size, j) * rho**j * (1 - rho) ** (size - j) for j in range(size + 1)]
        for cutoff in range(min(size, MAX_CUTOFF)):
            weights = [c if j <= cutoff else top * c for j, c in enumerate(coins)]
            kept = sum(j * w for j, w in enumerate(weights)) / sum(weights) / size
            insert = Fraction(place, 1 << MAX_BITS)
            form = Form("select_a_size", {"insert": insert, "cutoff": cutoff, "gamma": gamma})
            yield Noise(form, kept, rho)


@lru_cache(maxsize=4096)
def best_noise(
    kind: str, values: int, size: int, gamma: Fraction, aim: float, whole: bool = True
) -> Noise:
    """The least noise at the support aimed at, of one kind of form; "any" is every kind."""
    every: list[Noise] = []
    if kind in ("any", "fixed"):
        every += fixed_sizes(values, size, gamma)
    if kind in ("any", "select"):
        every += select_a_sizes(size, gamma)
    if kind == "sample":
        every += pad_and_samples(values, size, gamma)
    if kind == "one":
        every += [one_value(values, size, gamma)]
    return min(every, key=lambda noise: noise.variance(aim))
