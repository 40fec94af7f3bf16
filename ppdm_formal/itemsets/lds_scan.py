"""Lowest discoverable supports for many parameters at once, in floating point.

It finds where to look; whatever is reported is then evaluated exactly (lds.py).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_formal.itemsets.closed_form import moments_grid, noise_at_grid
from ppdm_formal.itemsets.krawtchouk import Floats
from ppdm_formal.itemsets.lds import DEVIATIONS


def lds_grid(
    ratios: Floats,
    insert: Floats,
    itemsets: Sequence[int],
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The largest LDS over the itemset sizes, for each row of b-ratios and its rho in (0, 1).

    Assumes s_k = s, s_0 = 1 - s. Itemsets larger than the transaction are left out.
    """
    mined = [k for k in itemsets if k < ratios.shape[-1]]
    moments = moments_grid(ratios, insert, max(mined, default=0))
    return largest_lds(moments, insert, mined, transactions, deviations)


def largest_lds(
    moments: Floats,
    insert: Floats,
    itemsets: Sequence[int],
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The largest LDS over the itemset sizes from the moments of closed_form.moments_grid."""
    worst: Floats = np.zeros(moments.shape[:-1])
    for itemset in itemsets:
        worst = np.maximum(worst, one_lds(moments, insert, itemset, transactions, deviations))
    return worst


def one_lds(
    moments: Floats,
    insert: Floats,
    itemset: int,
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The LDS of k-itemsets from the moments of closed_form.moments_grid."""
    factor = deviations**2 / transactions
    none, whole = (noise_at_grid(moments, insert, itemset, held) for held in (0, itemset))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = factor * (whole - none)
        offset = factor * none
        root = np.sqrt(slope**2 + 4 * offset)
        # Of the two ways to write the positive root, the one that does not cancel.
        found = np.where(slope < 0, 2 * offset / (root - slope), (root + slope) / 2)
    return np.where(np.isfinite(found), found, np.inf)
