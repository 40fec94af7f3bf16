"""Intervals for means of scores: Wilson's, with the variance following the mean.

The mean t of scores d(Y) and its estimate e differ by about one standard error. How far scores
scatter is known from the operator: under the output law that was fitted (nonnegative masses put
through the operator) they have the moments m1, m2, m3, whatever was or was not seen. The second
moment moves with t along the regression of d^2 on d: m2 + b (t - m1), b = Cov(d^2, d) / Var(d).
The interval holds all t with (e - t)^2 <= z^2 / N (m2 + b (t - m1) - t^2). Where d takes two
values, as in randomized response, d^2 is linear in d, and this is Wilson's interval for the
frequency of one of them.

Scores of rare answers are skew, and a normal law has too little in their longer tail: there the
interval is widened by (z^2 - 1) mu3 / (6 Var N), the second term of Cornish and Fisher.

A share is known to be in [0, 1]. Where e lies beyond an end by so much that Wilson's interval does,
too, that end alone would be left, as if it were certain. There the interval holds the t that the
likelihood ratio against the best t in [0, 1] does not refuse (Feldman, Cousins 1998): in units of
a standard error, those with x >= (t^2 - c)/(2 t), where Phi(sqrt c) - Phi(-(c + t^2)/(2 t)) is the
level. No x leaves it empty, and it covers as often as the level says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from ppdm_formal.infer.undoing.counts import Floats


@dataclass(frozen=True)
class Moments:
    """The mean scores of N rows, their second moments there, and three moments as fitted."""

    first: Floats
    second: Floats
    fitted: Sequence[Floats]
    rows: int

    @property
    def variance(self) -> Floats:
        """Of the estimates: people are a sample, and so are their coins.

        Without bias from two rows on; one row does not tell, and the fitted law has to.
        """
        first, second = (self.first, self.second) if self.rows > 1 else self.fitted[:2]
        return np.asarray(np.maximum(second - first**2, 0.0) / max(self.rows - 1, 1))

    def interval(self, z: float) -> tuple[Floats, Floats]:
        """The two ends for z standard errors."""
        lean = (z * z - 1) / 6 * self._skewness() / self.rows
        ends = [self._wilson(z, self.first), self._wilson(z, self.first - lean)]
        low = np.minimum.reduce([self.first, *(low for low, _ in ends)])
        high = np.maximum.reduce([self.first, *(high for _, high in ends)])
        return low, high

    def within(self, z: float) -> tuple[Floats, Floats]:
        """The two ends where the means are known to be in [0, 1]; never a point alone."""
        low, high = (np.clip(end, 0.0, 1.0) for end in self.interval(z))
        bend = slope(*self.fitted)
        for bound in (0.0, 1.0):
            spread = self.fitted[1] + bend * (bound - self.fitted[0]) - bound
            error = np.sqrt(np.maximum(spread, 0.0) / self.rows)
            beyond = self.first - bound if bound == 0.0 else bound - self.first
            units = np.divide(beyond, error, out=np.zeros_like(error), where=error > 0)
            reach = np.where(units < 0, _farthest(units, z) * error, 0.0)
            if bound == 0.0:
                high = np.maximum(high, np.minimum(reach, 1.0))
            else:
                low = np.minimum(low, np.maximum(1.0 - reach, 0.0))
        return low, high

    def _wilson(self, z: float, at: Floats) -> tuple[Floats, Floats]:
        share = z * z / self.rows
        bend = slope(*self.fitted)
        middle = at + share * bend / 2
        rest = at**2 - share * (self.fitted[1] - bend * self.fitted[0])
        root = np.sqrt(np.maximum(middle**2 - (1 + share) * rest, 0.0))
        return (middle - root) / (1 + share), (middle + root) / (1 + share)

    def _skewness(self) -> Floats:
        """mu3 / Var of the scores; 0 where they do not vary."""
        first, second, third = self.fitted
        return _over_variance(third - 3 * first * second + 2 * first**3, first, second, 0.0 * first)


def _farthest(units: Floats, z: float) -> Floats:
    """The largest t >= 0, in standard errors, that is not refused where x <= 0 was estimated."""
    at, reached = _refused(z)
    return np.asarray(np.interp(units, at, reached))


@lru_cache(maxsize=16)
def _refused(z: float) -> tuple[Floats, Floats]:
    """For t from almost 0 up to z, the x below which t is refused; both rise."""
    normal = NormalDist()
    level = normal.cdf(z) - normal.cdf(-z)
    reached = np.concatenate([np.geomspace(1e-6, 0.05, 60), np.linspace(0.06, z, 120)])
    at = []
    for t in reached.tolist():
        low, high = 0.0, z * z
        for _ in range(60):
            c = (low + high) / 2
            held = normal.cdf(math.sqrt(c)) - normal.cdf(-(c + t * t) / (2 * t))
            low, high = (c, high) if held < level else (low, c)
        at.append((t * t - high) / (2 * t))
    return np.array(at), reached


def slope(first: Floats, second: Floats, third: Floats) -> Floats:
    """The slope b from three moments; 2 e, as without skewness, where the scores do not vary."""
    return _over_variance(third - first * second, first, second, 2 * first)


def _over_variance(top: Floats, first: Floats, second: Floats, otherwise: Floats) -> Floats:
    spread = second - first**2
    varies = spread > 1e-12 * np.maximum(second, 1e-300)
    return np.asarray(np.divide(top, spread, out=otherwise.copy(), where=varies))


def pointwise(level: float) -> float:
    """How many standard errors z: one interval covers with this probability.

    >>> round(pointwise(0.95), 4), round(simultaneous(0.95, 10), 4)
    (1.96, 2.7996)
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def simultaneous(level: float, intervals: int) -> float:
    """The z with which all intervals cover at once (Sidak), however the estimates correlate."""
    return pointwise(level ** (1 / max(intervals, 1)))
