"""Rounds: what some clients said about some candidates, and the supports that follow.

A report counts for a candidate with probability `hit` where the client holds it (after its cut),
and `miss` where it does not. Of n clients of a round, y reports count. Then

    x = (y / n - miss) / (hit - miss)

has no bias for the share s of these clients that hold the candidate, and with d = hit - miss

    variance = miss (1 - miss) / (n d^2) + s (hit (1 - hit) - miss (1 - miss)) / (n d^2)

for the coins. The n are a random part of N: who is among them adds (1/n - 1/N) s (1 - s).
Rounds ask different clients. They are combined with weights that are their inverse variances at
one support (the aim) that is known before they answer, so that combining adds no bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.estimated_supports import About, Floats, Variance, quantile

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Round:
    """Some clients' counts of some candidates.

    candidates: a row of items each, rising. counts: how many reports count for each. people: how
    many reported. cut: of how many candidates, at most, a report is; None where nothing was cut.
    lengths: the share of clients that hold 0, 1, 2, ... of the candidates, where it is known.
    """

    candidates: Integers
    counts: Integers
    people: int
    hit: float
    miss: float
    cut: int | None = None
    lengths: Floats | None = None

    def __post_init__(self) -> None:
        if self.candidates.ndim != 2 or len(self.candidates) != len(self.counts):
            raise ValueError("a round counts each of its candidates, which are rows of items")
        if self.people < 1 or not 0 <= self.miss < self.hit <= 1:
            raise ValueError("reports count more often for those who hold a candidate")
        if ((self.counts < 0) | (self.counts > self.people)).any():
            raise ValueError("no more reports count for a candidate than there are")

    def kept(self, clients: int) -> Measured:
        """Supports of what the cut kept, among `clients` of whom these are a random part."""
        return measured(self.counts, self.people, self.hit, self.miss, clients)


@dataclass(frozen=True)
class Measured:
    """Estimates without bias, and their variances as they depend on the support itself."""

    estimates: Floats
    variance: Variance

    def __len__(self) -> int:
        return len(self.estimates)

    def deviations(self, at: Floats | None = None, about: About = "clients") -> Floats:
        """Standard errors, at the estimates or at other supports."""
        return np.sqrt(self.variance.at(self.estimates if at is None else at, about))

    def intervals(self, level: float = 0.95, about: About = "clients") -> Floats:
        """All supports within so many of their own deviations, a row each."""
        return self.variance.within(self.estimates, quantile(level), about)

    def take(self, which: Integers | npt.NDArray[np.bool_]) -> Measured:
        """Some of them."""
        return Measured(self.estimates[which], self.variance.take(which))


def measured(counts: Integers, people: int, hit: float, miss: float, clients: int) -> Measured:
    """Supports from counts.

    >>> found = measured(np.array([30]), 100, 0.5, 0.1, 100)
    >>> found.estimates.round(3).tolist(), found.variance.zero.round(6).tolist()
    ([0.5], [0.005625])
    """
    many, gap = len(counts), hit - miss
    held, lacking = hit * (1 - hit), miss * (1 - miss)
    each = np.full(many, 1 / (people * gap**2))
    return Measured(
        (counts / people - miss) / gap,
        Variance(
            lacking * each,
            (held - lacking) * each,
            np.full(many, max(1 / people - 1 / clients, 0.0)),
            np.full(many, 1 / people),
        ),
    )


def together(rounds: Sequence[Measured], places: Sequence[Integers], many: int) -> Measured:
    """One estimate for each of `many` candidates from all rounds that asked about it.

    places: for each round the number of each of its candidates. Weights are inverse variances at
    support 0, which depend on nothing that clients said; what nobody asked about is NaN.
    """
    weight, estimate, zero, slope, here, drawn = np.zeros((6, many))
    for one, place in zip(rounds, places, strict=True):
        own = 1 / one.variance.zero
        weight[place] += own
        estimate[place] += own * one.estimates
        zero[place] += own**2 * one.variance.zero
        slope[place] += own**2 * one.variance.slope
        here[place] += own**2 * one.variance.here
        drawn[place] += own**2 * one.variance.drawn
    with np.errstate(invalid="ignore", divide="ignore"):
        square = weight**2
        return Measured(
            estimate / weight,
            Variance(zero / square, slope / square, here / square, drawn / square),
        )
