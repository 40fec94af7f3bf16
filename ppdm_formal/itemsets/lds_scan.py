"""Lowest discoverable supports for many parameters at once, in floating point.

It finds where to look; whatever is reported is then evaluated exactly (lds.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.itemsets.lds import DEVIATIONS

Floats: TypeAlias = npt.NDArray[np.float64]


@lru_cache(maxsize=256)
def _coefficients(size: int, itemset: int) -> tuple[Floats, Floats]:
    """Parts of P that do not depend on the parameters.

    kept[l, q, j]: the chance that q of l given items are among j kept of m;
    coins[l, l', q]: how many ways l' - q of the k - l absent items are inserted.
    """
    kept = np.zeros((itemset + 1, itemset + 1, size + 1))
    coins = np.zeros((itemset + 1, itemset + 1, itemset + 1))
    for held in range(itemset + 1):
        for q in range(held + 1):
            for j in range(q, size + 1):
                ways = math.comb(held, q) * math.comb(size - held, j - q)
                kept[held, q, j] = ways / math.comb(size, j)
            for after in range(q, itemset - held + q + 1):
                coins[held, after, q] = math.comb(itemset - held, after - q)
    return kept, coins


def keep_grid(ratios: Floats, insert: Floats) -> Floats:
    """p[j] for each row of b-ratios and its rho."""
    size = ratios.shape[-1] - 1
    j = np.arange(size + 1)
    binomials = np.array([math.comb(size, int(i)) for i in j], dtype=np.float64)
    rho = insert[..., None]
    weights = ratios * binomials * rho**j * (1 - rho) ** (size - j)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def matrix_grid(keep: Floats, insert: Floats, itemset: int) -> Floats:
    """P for each row of p[j] and its rho: an array of (k + 1) x (k + 1) matrices."""
    kept, coins = _coefficients(keep.shape[-1] - 1, itemset)
    inside = np.einsum("lqj,...j->...lq", kept, keep)
    k = np.arange(itemset + 1)
    new = k[:, None] - k[None, :]  # l' - q
    left = itemset - k[:, None, None] - new[None]  # k - l - (l' - q)
    rho = insert[..., None, None, None]
    possible = (new[None] >= 0) & (left >= 0)
    powers = np.where(possible, rho ** np.maximum(new[None], 0), 0) * (1 - rho) ** np.maximum(
        left, 0
    )
    return np.asarray(np.einsum("lpq,...lpq,...lq->...pl", coins, powers, inside))


def noise_grid(keep: Floats, insert: Floats, itemset: int) -> Floats:
    """v_0, ..., v_k for each row; infinite where P is singular."""
    P = matrix_grid(keep, insert, itemset)
    singular = np.abs(np.linalg.det(P)) < 1e-14
    P[singular] = np.eye(itemset + 1)
    unit = np.zeros((itemset + 1, 1))
    unit[-1] = 1
    last = np.linalg.solve(np.swapaxes(P, -1, -2), np.broadcast_to(unit, (*P.shape[:-1], 1)))
    noise = np.einsum("...p,...pl->...l", last[..., 0] ** 2, P)
    noise[..., -1] -= 1
    noise[singular] = np.inf
    return np.asarray(noise)


def lds_grid(
    ratios: Floats,
    insert: Floats,
    itemsets: Sequence[int],
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The largest LDS over the itemset sizes, for each row of b-ratios and its rho.

    Assumes s_k = s, s_0 = 1 - s. Itemsets larger than the transaction are left out.
    """
    keep = keep_grid(ratios, insert)
    size = ratios.shape[-1] - 1
    worst: Floats = np.zeros(insert.shape)
    factor = deviations**2 / transactions
    for itemset in itemsets:
        if itemset > size:
            continue
        noise = noise_grid(keep, insert, itemset)
        with np.errstate(invalid="ignore"):
            slope = factor * (noise[..., -1] - noise[..., 0])
            found = (slope + np.sqrt(slope**2 + 4 * factor * noise[..., 0])) / 2
        worst = np.maximum(worst, np.where(np.isfinite(found), found, np.inf))
    return worst
