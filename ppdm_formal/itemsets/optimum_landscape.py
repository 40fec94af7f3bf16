"""The landscape of the optimum in floating point: shares d[j], means e_k and LDS at many x.

x = rho/(1 - rho) and e_k = lambda_k / (rho (1 - rho))^(k/2), so that k-itemsets have an LDS of s
or less iff M e_k^2 >= 1 + s sum over i = 1..k of C(k, i) tilt^i e_i, with M = s^2 N/16 + s and
tilt = (1 - x)/sqrt(x) (in optimum_evidence.py the same stands in exact numbers).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.itemsets.krawtchouk import Floats, default_grid, krawtchouk_grid
from ppdm_formal.itemsets.lds import DEVIATIONS
from ppdm_formal.itemsets.lds_scan import largest_lds


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
    def _choose(self) -> Floats:
        """[k - 1, i - 1]: C(k, i)."""
        each = range(1, self.top + 1)
        return np.array([[math.comb(k, i) for i in each] for k in each], dtype=np.float64)

    @cached_property
    def mined(self) -> npt.NDArray[np.bool_]:
        """Which k = 1..K are mined."""
        return np.array([k in self.itemsets for k in range(1, self.top + 1)])

    def shares(self, x: Floats) -> Floats:
        """d[j] for each x, summing to 1."""
        return default_grid(self.size, x / (1 + x))

    def means(self, x: Floats) -> Floats:
        """e_k(j) for each x, whose mean over p[j] is e_k: [..., k - 1, j]."""
        found = krawtchouk_grid(self.size, self.top, x / (1 + x))[0]
        return np.asarray(np.swapaxes(found[..., 1:], -1, -2))

    def burden(self, x: Floats) -> Floats:
        """C(k, i) tilt^i for each x: what s e_i adds to the right hand side of k."""
        tilt = (1 - x) / np.sqrt(x)
        i = np.arange(1, self.top + 1)
        return np.asarray(self._choose * tilt[..., None, None] ** i)

    def moments(self, ratios: Floats, x: Floats) -> Floats:
        """e_1, ..., e_K for each row of b and its x."""
        return averages(self.means(x), ratios * self.shares(x))

    def supports(self, moments: Floats, x: Floats) -> Floats:
        """The largest LDS for each row of e_1, ..., e_K and its x."""
        whole = np.concatenate([np.ones((*moments.shape[:-1], 1)), moments], axis=-1)
        return largest_lds(whole, x / (1 + x), self.itemsets, self.transactions)

    def factor(self, support: Floats) -> Floats:
        """M = s^2 N/16 + s."""
        return np.asarray(support**2 * self.transactions / DEVIATIONS**2 + support)


def averages(means: Floats, weights: Floats) -> Floats:
    """The means of e_k(j) over j, for weights up to a factor."""
    whole = weights.sum(axis=-1, keepdims=True)
    return np.asarray(np.einsum("...kj,...j->...k", means, weights) / whole)
