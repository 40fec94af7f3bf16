"""Projected sizes: how many of the items that a first phase chooses the baskets at hand hold.

An item of support s is chosen where its estimate reaches a threshold, with the normal chance
q(s) = P[s + noise >= threshold]; items are chosen independently of each other. The number of
chosen items in a basket is then a sum of independent coins, one for each of its items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.itemsets.at_hand import AtHand

Floats: TypeAlias = npt.NDArray[np.float64]

MOST = 60
"""Larger projected sizes are counted as this one."""

_BLOCK = 1 << 12  # baskets worked on at a time


def normal(z: float) -> float:
    """The chance that a standard normal variable is at most z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def chances(data: AtHand, chosen: Callable[[float], float], shares: Floats | None = None) -> Floats:
    """Q for each item of the data, from the chance that an item of a support is chosen.

    shares: what remains of each item's support where baskets are cut; `chosen` is of that.
    """
    counts = data.item_counts().astype(np.float64)
    if shares is not None:
        counts = np.rint(counts * shares)  # whole: fewer chances to compute
    supports, where = np.unique(counts / max(1, len(data)), return_inverse=True)
    return np.array([chosen(s) for s in supports.tolist()])[where]


def expected_sizes(data: AtHand, chosen: Floats) -> dict[int, float]:
    """How many baskets are expected to hold 0, 1, 2, ... chosen items.

    >>> data = AtHand.of(3, [[0, 1], [1, 2], [2]])
    >>> {m: round(x, 3) for m, x in expected_sizes(data, np.array([1.0, 0.5, 0.0])).items()}
    {0: 1.5, 1: 1.0, 2: 0.5}
    """
    sizes = data.sizes
    order = np.argsort(-sizes, kind="stable")  # the longest first: those still active are in front
    whole = np.zeros(MOST + 1)
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        whole += _counted(data, rows, sizes[rows], chosen)
    return {size: float(count) for size, count in enumerate(whole) if count > 0}


def _counted(
    data: AtHand, rows: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], chosen: Floats
) -> Floats:
    wide = min(MOST, int(sizes[0]) if len(sizes) else 0)
    spread = np.zeros((len(rows), wide + 1))
    spread[:, 0] = 1.0
    for place in range(int(sizes[0]) if len(sizes) else 0):
        active = int(np.searchsorted(-sizes, -place, side="left"))  # baskets longer than `place`
        coin = chosen[data.members[data.offsets[rows[:active]] + place]][:, None]
        part = spread[:active]
        moved = part * coin
        part -= moved
        part[:, 1:] += moved[:, :-1]
        part[:, -1] += moved[:, -1]  # stays at the most
    found = np.zeros(MOST + 1)
    found[: wide + 1] = spread.sum(axis=0)
    return found


def independent_sizes(supports: Sequence[float], clients: int) -> dict[int, float]:
    """The same where nothing but the chosen items' supports is known: items are independent.

    >>> {m: round(x, 2) for m, x in independent_sizes([0.5, 0.5], 100).items()}
    {0: 25.0, 1: 50.0, 2: 25.0}
    """
    spread = np.zeros(min(MOST, len(supports)) + 1)
    spread[0] = 1.0
    for support in supports:
        moved = spread * min(1.0, max(0.0, support))
        spread -= moved
        spread[1:] += moved[:-1]
        spread[-1] += moved[-1]
    return {size: clients * float(share) for size, share in enumerate(spread) if share > 0}


def whole_counts(expected: Mapping[int, float], clients: int) -> dict[int, int]:
    """Whole numbers of clients near the expected ones, in all as many as there are.

    >>> whole_counts({0: 1.5, 1: 1.0, 2: 0.5}, 6)
    {0: 3, 1: 2, 2: 1}
    """
    scale = clients / math.fsum(expected.values())
    ends = np.cumsum([count * scale for _, count in sorted(expected.items())])
    parts = np.diff(np.concatenate([[0], np.rint(ends).astype(np.int64)])).tolist()
    return {size: part for size, part in zip(sorted(expected), parts, strict=True) if part}
