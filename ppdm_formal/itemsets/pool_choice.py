"""Pool choice: of several randomizations for each size, those whose pooled estimates see most.

What is best for a size alone makes its largest LDS least, if need be at the cost of smaller
itemsets. Over all sizes together the largest pooled LDS counts, and half the sum of all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ppdm_formal.itemsets.shares import PooledNoise

Noise: TypeAlias = Mapping[int, tuple[float, float]]
"""v_0 and v_k of one basket, by the items k of an itemset; infinite where it is not estimated."""


@dataclass(frozen=True)
class Options:
    """Baskets of one size: how many, and the noise of each randomization that they may get."""

    baskets: int
    noises: Sequence[Noise]


def best_for_pool(options: Sequence[Options], clients: int) -> list[int]:
    """Which option each size takes, for so many clients in all.

    Sizes change their option one at a time as long as that helps: a local optimum, never worse
    than all of them at their first options, nor than all at any other one.

    >>> first = Options(10**6, [{1: (1.0, 1.0), 2: (9.0, 9.0)}, {1: (2.0, 2.0), 2: (3.0, 3.0)}])
    >>> best_for_pool([first, Options(10**6, [{1: (5.0, 5.0)}])], 2 * 10**6)
    [1, 0]
    """
    count = max(len(part.noises) for part in options)
    starts = [[min(start, len(part.noises) - 1) for part in options] for start in range(count)]
    found = [_improved(options, start, clients) for start in starts]
    return min(found, key=lambda chosen: pool_goal(options, chosen, clients))


def _improved(options: Sequence[Options], chosen: list[int], clients: int) -> list[int]:
    best = pool_goal(options, chosen, clients)
    while True:
        before = best
        for place, part in enumerate(options):
            for option in range(len(part.noises)):
                other = [*chosen[:place], option, *chosen[place + 1 :]]
                goal = pool_goal(options, other, clients)
                if goal < best:
                    best, chosen = goal, other
        if best == before:
            return chosen


OTHERS = 0.5
"""How much the sum of all pooled LDS counts, beside the largest."""


def pool_goal(options: Sequence[Options], chosen: Sequence[int], clients: int) -> float:
    """The largest pooled LDS, and half the sum over k: what is made least."""
    sums: dict[int, list[float]] = {}
    for part, option in zip(options, chosen, strict=True):
        for k, (absent, held) in part.noises[option].items():
            found = sums.setdefault(k, [0.0, 0.0, 0.0])
            found[0] += part.baskets * absent
            found[1] += part.baskets * held
            found[2] += part.baskets
    lowest = [_lds([value / clients for value in found], clients) for found in sums.values()]
    return max(lowest) + OTHERS * sum(lowest)


def _lds(pooled: Sequence[float], clients: int) -> float:
    """The pooled LDS; above 1, by the deviation at support 0, where none is discoverable."""
    absent, held, reach = pooled
    if math.isinf(absent) or math.isinf(held):
        return math.inf
    noise = PooledNoise(Fraction(absent), Fraction(held), Fraction(reach))
    found = noise.lds(Fraction(clients))
    return float(found) if noise.discoverable(found) else 1 + math.sqrt(absent / clients)
