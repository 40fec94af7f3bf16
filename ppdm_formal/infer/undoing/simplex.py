"""Consistent estimates: the distribution nearest to unbiased ones, min sum (q[x] - e[x])^2.

Unbiased estimates of small probabilities may be negative, and need not sum to 1. The nearest
distribution is q[x] = max(e[x] - d, 0) with the one d for which the sum is 1 ("norm-sub", Wang et
al. 2020). It is biased upwards near 0, and what it says of sums over many values is so too.
"""

from __future__ import annotations

import numpy as np

from ppdm_formal.infer.undoing.channel import Floats


def nearest_distribution(estimates: Floats) -> Floats:
    """The projection onto distributions.

    >>> nearest_distribution(np.array([0.7, 0.5, -0.1])).round(6).tolist()
    [0.6, 0.4, 0.0]
    """
    falling = np.sort(estimates)[::-1]
    above = (np.cumsum(falling) - 1) / np.arange(1, len(falling) + 1)
    kept = int(np.flatnonzero(falling > above)[-1])
    return np.asarray(np.maximum(estimates - above[kept], 0.0))
