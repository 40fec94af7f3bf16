"""Seen: which itemsets of the baskets at hand a plan's estimates would show.

An itemset is shown where its estimate is above four standard deviations of that of an absent one.
Chances are for the paper's assumption: other baskets hold no item of the itemset.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ppdm_formal.itemsets.at_hand import AtHand, Itemset, TooMany
from ppdm_formal.itemsets.forecast import FALSE_ALARM, Pool, best_pools
from ppdm_formal.itemsets.plan import Plan

MAX_LISTED = 100_000
"""The most itemsets of the data that are looked at."""


@dataclass(frozen=True)
class Seen:
    """The k-itemsets of the data at hand, and how many of them a plan would show.

    supports: of the itemsets that have at least the support `least`, falling; where the second
    phase has its items, of those items only. alarms: how many absent itemsets are shown on
    average, if all that could be there are looked at; None where their items are not yet known.
    """

    pool: Pool
    least: float
    supports: tuple[float, ...]
    alarms: float | None

    @property
    def itemset(self) -> int:
        """How many items they have."""
        return self.pool.itemset

    @property
    def likely(self) -> int:
        """How many have a support of four deviations or more."""
        return sum(self.pool.chance(support) >= 0.5 for support in self.supports)

    @property
    def found(self) -> float:
        """The mean number of itemsets of the data that are shown."""
        return math.fsum(self.pool.chance(support) for support in self.supports)


def seen_in(plan: Plan, data: AtHand) -> tuple[Seen, ...]:
    """What a plan shows of the data at hand, for each k; nothing where it says no counts."""
    if data.items == 0 or not len(data):
        return ()
    found = []
    for itemset, pool in best_pools(plan).items():
        chosen = pool.group.chosen
        held = data if chosen is None else data.projected(chosen)
        least, counts = _down_to(held, itemset, pool.deviation)
        supports = sorted(
            (count / len(data) for part, count in counts.items() if len(part) == itemset),
            reverse=True,
        )
        others = math.comb(held.items, itemset) - len(supports)
        alarms = None if pool.group.pending else others * FALSE_ALARM
        found.append(Seen(pool, least, tuple(supports), alarms))
    return tuple(found)


def _down_to(data: AtHand, itemset: int, support: float) -> tuple[float, Mapping[Itemset, int]]:
    """The frequent itemsets down to a support, or to the least at which they can be counted."""
    count = max(1, math.ceil(support * len(data)))
    while count <= len(data):
        try:
            counts = data.frequent(itemset, count)
        except TooMany:
            counts = None
        if counts is not None and len(counts) <= MAX_LISTED:
            return count / len(data), counts
        count *= 2
    return 1.0, {}
