"""Lists with a stated false-discovery rate: which sets surely reach a support.

For each candidate the chance p_i that its estimate is as large where its support is the least
support s: p_i = P[Z >= (x_i - s) / sigma_i(s)]. Where the support is below s, p_i is less likely
small: even among those with p_i <= 1/2 it exceeds a uniform number on (0, 1/2). So

    only candidates with p_i <= 1/2 are looked at, N of them; the k with the least p_i are listed
    for the largest k with 2 p_(k) <= q k / N                     (Benjamini and Hochberg 1995)

and on average at most the share q of a list is below s (Zhao, Small and Su 2019, for candidates
whose noise is independent). What half of all candidates far below s would cost, they do not.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.estimated_supports import Floats

Truths = npt.NDArray[np.bool_]

DISCARDED = 0.5
"""Candidates with a larger p are not looked at."""

RATE = 0.05
"""The share of a list that may be below the support asked for, on average, unless it is said."""


def chances(
    estimates: Floats, least: float | Floats, errors: Floats, skewness: float = 0
) -> Floats:
    """P[an estimate as large], of candidates that have the least support; errors are those there.

    Skewed noise by Cornish-Fisher: z is what it would be were the noise normal.

    >>> chances(np.array([0.01, 0.03]), 0.01, np.array([0.01, 0.01])).round(4).tolist()
    [0.5, 0.0228]
    """
    z = (estimates - least) / np.maximum(errors, 1e-300)
    z = as_normal(z, skewness)
    upper = NormalDist()
    return np.array([upper.cdf(-float(one)) for one in z])


def as_normal(z: Floats, skewness: float | Floats) -> Floats:
    """The normal deviate of a skewed one: z - skewness (z^2 - 1) / 6, where that still rises."""
    if not np.any(skewness):
        return z
    most = 3 / np.maximum(np.abs(skewness), 1e-12)
    inner = np.clip(z, -most, most)
    return np.asarray(inner - skewness * (inner**2 - 1) / 6)


def discovered(p: Floats, rate: float = RATE) -> Truths:
    """Which candidates are listed.

    >>> discovered(np.array([0.001, 0.9, 0.4, 0.02]), 0.1).tolist()
    [True, False, False, True]
    """
    listed = np.zeros(len(p), dtype=bool)
    some = np.flatnonzero(p <= DISCARDED)
    if not len(some):
        return listed
    order = some[np.argsort(p[some], kind="stable")]
    enough = p[order] / DISCARDED <= rate * np.arange(1, len(order) + 1) / len(order)
    if enough.any():
        listed[order[: int(np.flatnonzero(enough)[-1]) + 1]] = True
    return listed
