"""Simulation: select-a-size on many transactions with a fast seeded generator.

For experiments and tests only. It is reproducible and draws floating-point numbers, so it
must never randomize a real client's data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.families.select_a_size import Randomization
from ppdm_formal.numbers.exact import is_symbolic

Members: TypeAlias = npt.NDArray[np.bool_]
"""Row i, column a: whether transaction i holds item a."""

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
    if any(map(is_symbolic, (randomization.insert, *randomization.keep))):
        raise ValueError("give the free parameters values first")
    insert = float(randomization.insert)
    steps = np.cumsum([float(p) for p in randomization.keep])
    draw = np.random.default_rng(seed)
    for start in range(0, len(transactions), BLOCK):
        block = transactions[start : start + BLOCK]
        rows = np.arange(len(block))[:, None]
        after = draw.random((len(block), items)) < insert
        # j is the first index whose cumulated probability exceeds the draw.
        kept = np.searchsorted(steps[:-1], draw.random(len(block)), side="right")
        order = draw.random((len(block), size)).argsort(axis=1).argsort(axis=1)
        after[rows, block] = order < kept[:, None]
        yield after


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
