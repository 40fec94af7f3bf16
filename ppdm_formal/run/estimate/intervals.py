"""Intervals for means of scores: Wilson's, with the variance following the mean.

The mean t of scores d(Y) and its estimate e differ by about one standard error. Their second
moment moves with t, too: along the regression of d^2 on d it is s + b (t - e), with
b = Cov(d^2, d) / Var(d). The interval holds all t with (e - t)^2 <= z^2 / N (s + b (t - e) - t^2).
Where d takes two values, as in randomized response, d^2 is linear in d, and this is Wilson's
interval for the frequency of one of them; in general it follows the skewness of d.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from ppdm_formal.run.estimate.counts import Floats


@dataclass(frozen=True)
class Moments:
    """First and second moments of the scores over N rows, and the slope b."""

    first: Floats
    second: Floats
    slope: Floats
    rows: int

    @property
    def variance(self) -> Floats:
        """Of the estimates, without bias: people are a sample, and so are their coins."""
        spread = np.maximum(self.second - self.first**2, 0.0)
        return np.asarray(spread / max(self.rows - 1, 1))

    def interval(self, z: float) -> tuple[Floats, Floats]:
        """The two ends for z standard errors."""
        share = z * z / self.rows
        middle = self.first + share * self.slope / 2
        rest = self.first**2 - share * (self.second - self.slope * self.first)
        root = np.sqrt(np.maximum(middle**2 - (1 + share) * rest, 0.0))
        low, high = (middle - root) / (1 + share), (middle + root) / (1 + share)
        return np.minimum(low, self.first), np.maximum(high, self.first)


def slope(first: Floats, second: Floats, third: Floats) -> Floats:
    """The slope b from three moments; 2 e, as without skewness, where the scores do not vary."""
    spread = second - first**2
    varies = spread > 1e-12 * np.maximum(second, 1e-300)
    return np.asarray(np.divide(third - first * second, spread, out=2 * first, where=varies))


def pointwise(level: float) -> float:
    """How many standard errors z: one interval covers with this probability.

    >>> round(pointwise(0.95), 4), round(simultaneous(0.95, 10), 4)
    (1.96, 2.7996)
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def simultaneous(level: float, intervals: int) -> float:
    """The z with which all intervals cover at once (Sidak), however the estimates correlate."""
    return pointwise(level ** (1 / max(intervals, 1)))
