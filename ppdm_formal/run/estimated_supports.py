"""Estimated supports: standard errors that depend on the support itself, and intervals from them.

The variance of an estimate whose itemset has support s is

    zero + slope s + kappa s (1 - s)

with kappa from the choice of clients: `here` where these clients alone matter, and only who is in
which group is chance; `drawn` where all of them are a sample of a larger population. An interval
holds all s that lie within z deviations of the estimate, each by its own deviation: with the
deviation at the estimate, estimates that are too low would have intervals that are too short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

About = Literal["population", "clients"]
"""Whom a standard error is about: a larger population, or these clients alone."""


def quantile(level: float) -> float:
    """Z with P[|normal| <= z] = level."""
    if not 0 < level < 1:
        raise ValueError("the level of an interval is between 0 and 1")
    return NormalDist().inv_cdf((1 + level) / 2)


@dataclass(frozen=True)
class Variance:
    """zero + slope s + kappa s (1 - s), for each of many itemsets."""

    zero: Floats
    slope: Floats
    here: Floats
    drawn: Floats

    def take(self, which: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> Variance:
        """Of some of the itemsets."""
        return Variance(self.zero[which], self.slope[which], self.here[which], self.drawn[which])

    def _kappa(self, about: About) -> Floats:
        return self.drawn if about == "population" else self.here

    def at(self, support: Floats, about: About) -> Floats:
        """The variance; a support outside 0..1 counts as 0 or 1."""
        s = np.clip(support, 0, 1)
        coins = np.maximum(self.zero + self.slope * s, 0)
        return np.asarray(coins + self._kappa(about) * s * (1 - s))

    def within(self, estimates: Floats, z: float, about: About) -> Floats:
        """The least and the greatest s with (estimate - s)^2 = z^2 variance(s), a row each."""
        kappa = self._kappa(about)
        square = 1 + z**2 * kappa
        middle = (estimates + z**2 * (self.slope + kappa) / 2) / square
        product = (estimates**2 - z**2 * self.zero) / square
        reach = np.sqrt(np.maximum(middle**2 - product, 0))
        ends = []
        for sign in (-1, 1):
            root = middle + sign * reach
            beyond = estimates + sign * z * np.sqrt(self.at(root, about))
            ends.append(np.where((root < 0) | (root > 1), beyond, root))
        return np.stack([np.minimum(ends[0], estimates), np.maximum(ends[1], estimates)], axis=1)


@dataclass(frozen=True)
class EstimatedSupport:
    """The estimated support of one itemset; groups: those whose reports say something about it.

    clients, population: standard errors. low, high: the 95% interval for the population.
    """

    itemset: tuple[int, ...]
    estimate: float
    clients: float
    population: float
    low: float
    high: float
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Supports(Sequence[EstimatedSupport]):
    """Estimates of many itemsets, in the order asked for."""

    itemsets: tuple[tuple[int, ...], ...]
    estimates: Floats
    variance: Variance
    groups: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.itemsets)

    def __getitem__(self, place: int) -> EstimatedSupport:  # type: ignore[override]
        low, high = self._usual[place].tolist()
        return EstimatedSupport(
            self.itemsets[place],
            float(self.estimates[place]),
            float(self.clients[place]),
            float(self.population[place]),
            low,
            high,
            self.groups[place],
        )

    def take(self, which: npt.NDArray[np.int64]) -> Supports:
        """Some of them, in the order given."""
        some = which.tolist()
        return Supports(
            tuple(self.itemsets[place] for place in some),
            self.estimates[which],
            self.variance.take(which),
            tuple(self.groups[place] for place in some),
        )

    @cached_property
    def clients(self) -> Floats:
        """Standard errors for these clients: of their coins, and of who is in which group."""
        return np.sqrt(self.variance.at(self.estimates, "clients"))

    @cached_property
    def population(self) -> Floats:
        """Standard errors for a larger population, of which the clients are a sample."""
        return np.sqrt(self.variance.at(self.estimates, "population"))

    @cached_property
    def _usual(self) -> Floats:
        return self.intervals()

    def intervals(self, level: float = 0.95, about: About = "population") -> Floats:
        """Lower and upper ends, a row an itemset; they may lie outside 0..1."""
        return self.variance.within(self.estimates, quantile(level), about)
