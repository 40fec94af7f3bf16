"""Means and quantiles of a column of numbers, with standard errors and intervals.

A quantile q is the least t with F(t) >= q. Its interval holds every t at which neither
"F(t) >= q" nor "F(t - 1) < q" is refused, each at half the level: no shape of F is assumed.
Its standard error is the interval's length over 2 z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.operators.recoverable import Recoverable
from ppdm_formal.infer.tables.result import Quantity
from ppdm_formal.infer.undoing.counts import Floats
from ppdm_formal.infer.undoing.scores import Scores

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def mean(
    values: Sequence[int],
    scores: Scores,
    z: float,
    found: Recoverable,
    masses: Floats | None = None,
    covariance: Floats | None = None,
) -> Quantity | None:
    """The mean, where it is recoverable; from masses and their covariance where those are given."""
    if not found.functional(values):
        return None
    weights = np.array(values, dtype=np.float64)
    moments = scores.function(weights)
    estimate = float(moments.first[0])
    low, high = (float(end[0]) for end in moments.interval(z))
    variance = float(moments.variance[0])
    if masses is not None:
        estimate = float(masses @ weights)
        low, high = max(low, float(weights.min())), min(high, float(weights.max()))
        low, high = min(low, estimate), max(high, estimate)
    if covariance is not None:
        variance = max(float(weights @ covariance @ weights), 0.0)
    coins = None
    if found.functional([value * value for value in values]):
        if masses is not None:
            square = float(masses @ weights**2)
        else:
            square = float(scores.function(weights**2).first[0])
        among = (square - estimate**2) / moments.rows
        coins = math.sqrt(max(variance - max(among, 0.0), 0.0))
    return Quantity(None, estimate, math.sqrt(variance), coins, low, high)


def quantiles(
    values: Sequence[int], scores: Scores, z: float, masses: Floats | None = None
) -> list[Quantity]:
    """The quartiles; the whole distribution must be recoverable."""
    order = np.argsort(np.array(values), kind="stable")
    ordered = [int(values[k]) for k in order]
    moments = scores.running(order)
    low, high = moments.interval(z)
    if masses is not None:
        curve = np.cumsum(masses[order])
    else:
        curve = _rising(moments.first)
    curve[-1] = low[-1] = high[-1] = 1.0  # whatever rounding says
    found = []
    for share in SHARES:
        at = float(share)
        place = int(np.argmax(curve >= at - 1e-12))
        reached = high >= at  # F(t) >= q is not refused
        before = np.concatenate([[True], low[:-1] < at])  # F(t - 1) < q is not refused
        held = np.flatnonzero(reached & before)
        first, last = min(place, *held[:1]), max(place, *held[-1:])
        ends = ordered[first], ordered[last]
        se = (ends[1] - ends[0]) / (2 * z)
        found.append(Quantity(share, ordered[place], se, None, *map(float, ends)))
    return found


def _rising(curve: Floats) -> Floats:
    """The middle of the running maximum from the left and the running minimum from the right."""
    up = np.maximum.accumulate(curve)
    down = np.minimum.accumulate(curve[::-1])[::-1]
    return np.asarray((up + down) / 2)
