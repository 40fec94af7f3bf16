"""The landscape of the optimum in floating point: shares d[j], means e_k and LDS at many x.

x = rho/(1 - rho) and e_k = ell_k / x^(k/2), so that a k-itemset has an LDS of s or less iff
M e_k^2 >= 1 + s sum over i = 1..k of C(k, i) tilt^i e_i, with M = s^2 N/16 + s and
tilt = (1 - x)/sqrt(x) (see optimum_evidence.py, which has the same in exact numbers).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_formal.itemsets.lds import DEVIATIONS
from ppdm_formal.itemsets.optimum_program import Floats


@dataclass(frozen=True)
class Landscape:
    """Transactions of m items, gamma, the itemset sizes that are mined, and N."""

    size: int
    gamma: float
    itemsets: tuple[int, ...]
    transactions: int

    @property
    def top(self) -> int:
        """K, the largest itemset."""
        return self.itemsets[-1]

    @cached_property
    def _mixing(self) -> Floats:
        """[k - 1, i, j]: C(j, i) C(m - j, k - i) / C(m, k) * (-1)^(k - i)."""
        found = np.zeros((self.top, self.top + 1, self.size + 1))
        for k in range(1, self.top + 1):
            for i in range(k + 1):
                for j in range(i, self.size - (k - i) + 1):
                    ways = math.comb(j, i) * math.comb(self.size - j, k - i)
                    found[k - 1, i, j] = ways / math.comb(self.size, k) * (-1) ** (k - i)
        return found

    @cached_property
    def _choose(self) -> Floats:
        """[k - 1, i - 1]: C(k, i)."""
        each = range(1, self.top + 1)
        return np.array([[math.comb(k, i) for i in each] for k in each], dtype=np.float64)

    @cached_property
    def mined(self) -> Floats:
        """Which k = 1..K are mined."""
        return np.array([k in self.itemsets for k in range(1, self.top + 1)])

    def shares(self, x: Floats) -> Floats:
        """d[j] for each x, summing to 1."""
        j = np.arange(self.size + 1)
        logs = np.array([_log_comb(self.size, int(each)) for each in j])
        return np.exp(logs + j * np.log(x)[..., None] - self.size * np.log1p(x)[..., None])

    def means(self, x: Floats) -> Floats:
        """e_k(j) for each x: [..., k - 1, j]."""
        k, i = np.arange(1, self.top + 1)[:, None], np.arange(self.top + 1)
        powers = x[..., None, None] ** np.where(i <= k, k / 2 - i, 0.0)
        return np.einsum("...ki,kij->...kj", powers, self._mixing)

    def burden(self, x: Floats) -> Floats:
        """C(k, i) tilt^i for each x: what s e_i adds to the right hand side of k."""
        tilt = (1 - x) / np.sqrt(x)
        i = np.arange(1, self.top + 1)
        return np.asarray(self._choose * tilt[..., None, None] ** i)

    def moments(self, ratios: Floats, x: Floats) -> Floats:
        """e_1, ..., e_K for each row of b and its x."""
        weights = ratios * self.shares(x)
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.einsum("...kj,...j->...k", self.means(x), weights)

    def supports(self, moments: Floats, burden: Floats) -> Floats:
        """The largest LDS for each row of e_1, ..., e_K."""
        factor = DEVIATIONS**2 / self.transactions
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            square = moments**2
            slope = factor * (np.einsum("...ki,...i->...k", burden, moments) / square - 1)
            found = (slope + np.sqrt(slope**2 + 4 * factor / square)) / 2
        found = np.where(np.isfinite(found), found, np.inf)
        return np.asarray(np.where(self.mined, found, 0.0).max(axis=-1))

    def factor(self, support: Floats) -> Floats:
        """M = s^2 N/16 + s."""
        return np.asarray(support**2 * self.transactions / DEVIATIONS**2 + support)


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
