"""Report forms as two chances: that a report counts for a value held, and for one not held.

No benchmark of its own. A client holds L of d values (cut to L, or padded by dummies of its own);
gamma bounds every ratio of likelihoods. In floating point: for simulation alone.
"""

from __future__ import annotations

from functools import cache
from math import exp, inf, lgamma

import numpy as np

AIM = 0.01
"""The support at which forms are compared."""


class Form(tuple[float, float]):
    """(hit, miss)."""

    __slots__ = ()

    def variance(self, support: float = AIM) -> float:
        """Times the number of clients."""
        a, b = self
        return (
            inf if a <= b else (support * a * (1 - a) + (1 - support) * b * (1 - b)) / (a - b) ** 2
        )


def _log_choose(n: float, k: float) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) if 0 <= k <= n else -inf


@cache
def hashing(L: int, gamma: float, buckets: int | None = None) -> Form:
    """Pad to L, sample one, local hashing into gamma + 1 buckets."""
    g = round(gamma) + 1 if buckets is None else buckets
    p, q = gamma / (gamma + g - 1), 1 / g
    return Form(((p + (L - 1) * q) / L, q))


@cache
def sampled_kary(d: int, L: int, gamma: float) -> Form:
    """Pad to L, sample one, k-ary response, whose gamma sampling amplifies to L (gamma - 1) + 1."""
    g = L * (gamma - 1) + 1
    p, q = g / (g + d + L - 1), 1 / (g + d + L - 1)
    return Form(((p + (L - 1) * q) / L, q))


@cache
def fixed_size(d: int, L: int, gamma: float) -> Form:
    """K of d + L values, gamma times as likely if one of them is held; the best k."""
    D, best = d + L, Form((0.0, 1.0))
    few = np.arange(1, min(D - L, 60))
    many = np.geomspace(1, max(2, (D - L) // 2), 200).astype(int)
    for k in np.unique(np.r_[few, many]).tolist():
        form = fixed_of(d, L, gamma, k)
        if form.variance() < best.variance():
            best = form
    return best


def fixed_of(d: int, L: int, gamma: float, k: int) -> Form:
    """The same with a given k."""
    D = d + L
    miss = exp(_log_choose(D - L, k) - _log_choose(D, k))
    weight = miss + gamma * (1 - miss)
    none = exp(_log_choose(D - L - 1, k - 1) - _log_choose(D, k))
    return Form((gamma * (k / D) / weight, (none + gamma * (k / D - none)) / weight))


def best_single(d: int, L: int, gamma: float) -> Form:
    """The better of the two that sample one value."""
    return min(hashing(L, gamma), sampled_kary(d, L, gamma), key=Form.variance)
