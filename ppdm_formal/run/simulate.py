"""Simulated select-a-size: many transactions as a table of members, and counts of itemsets.

For experiments and tests only: a seed makes it reproducible, so it must never randomize a real
client's data. The draws are those of the exact sampler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.families.select_a_size import Members, Randomization, SelectASize
from ppdm_formal.run.simulation import Simulation

BLOCK = 250_000
"""Transactions randomized at a time, so that memory stays small."""


def simulate(
    transactions: npt.NDArray[np.integer], items: int, randomization: Randomization, seed: int
) -> Iterator[Members]:
    """Randomized transactions, block by block; each input row lists the m items of one.

    >>> from fractions import Fraction
    >>> always = Randomization(1, Fraction(1, 2), (Fraction(0), Fraction(1)))
    >>> next(simulate(np.array([[2], [0]]), 3, always, seed=1))[[0, 1], [2, 0]].tolist()
    [True, True]
    """
    size = randomization.size
    if transactions.ndim != 2 or transactions.shape[1] != size:
        raise ValueError(f"each transaction must list {size} items")
    law = SelectASize(items, size, randomization.insert, randomization.keep)
    bits = Simulation(seed)
    for start in range(0, len(transactions), BLOCK):
        yield law.held(transactions[start : start + BLOCK].astype(np.int64), bits)


def partial_counts(members: Members, itemset: Sequence[int]) -> npt.NDArray[np.int64]:
    """How many transactions hold exactly l items of the itemset, for l = 0..k."""
    held = members[:, list(itemset)].sum(axis=1)
    return np.bincount(held, minlength=len(itemset) + 1).astype(np.int64)


def simulated_counts(
    transactions: npt.NDArray[np.integer],
    items: int,
    randomization: Randomization,
    itemsets: Sequence[Sequence[int]],
    seed: int,
) -> list[npt.NDArray[np.int64]]:
    """Randomize once; for each itemset, the counts of l' = 0..k over all transactions."""
    found = [np.zeros(len(itemset) + 1, dtype=np.int64) for itemset in itemsets]
    for after in simulate(transactions, items, randomization, seed):
        for counts, itemset in zip(found, itemsets, strict=True):
            counts += partial_counts(after, itemset)
    return found
