"""Forecasts: what a plan's pooled estimates will see, over all sizes of baskets (docs/plans.md).

The support of a k-itemset over N clients is estimated by the sum over sizes m of N_m/N times the
estimate from the baskets of size m. Sizes below k have support 0 for certain. With w_m = N_m/N,
W the sum of w_m over m >= k, and v_l(m) the noise of one basket of size m (closed_form.py), an
itemset of support s that has the same share s/W of the baskets of each size m >= k, while the
others hold none of its items (the paper's assumption), is estimated with

    Var = 1/N sum over m >= k of w_m ((s/W) v_k(m) + (1 - s/W) v_0(m))

and its lowest discoverable support is the positive root of s^2 = 16 Var.

Of several randomizations for each size, `best_for_pool` takes those whose pooled estimates see
most. What is best for a size alone makes its largest LDS least, if need be at the cost of smaller
itemsets. Over all sizes together the largest pooled LDS counts, and half the sum of all.

`seen_in`: which itemsets of the baskets at hand a plan's estimates would show. An itemset is shown
where its estimate is above four standard deviations of that of an absent one. Chances are for the
paper's assumption: other baskets hold no item of the itemset.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from ppdm_formal.design.at_hand import AtHand, Itemset, TooMany
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.cut import remaining
from ppdm_formal.design.lds import DEVIATIONS, LowestSupport, normal
from ppdm_formal.design.plan import Group, Plan, SizePlan
from ppdm_formal.design.plan_facts import PooledForecast
from ppdm_formal.design.shares import PooledNoise, rounded_up


@dataclass(frozen=True)
class Sized:
    """Baskets of one size: how many, and the noise of one by what it holds of the itemset.

    absent: nothing, held: all of it, noisiest: whatever makes most noise but not all.
    """

    size: int
    baskets: Fraction
    absent: Fraction
    held: Fraction
    noisiest: Fraction


@dataclass(frozen=True)
class Pool:
    """What the reports of one group say of a k-itemset: the noise of each size, pooled."""

    group: Group
    itemset: int
    clients: Fraction
    parts: tuple[Sized, ...]

    @cached_property
    def noise(self) -> PooledNoise:
        """A = sum of w_m v_0(m), H = sum of w_m v_k(m), and W, over the sizes that hold k items."""
        absent, held, counted = (
            sum(column, Fraction(0)) / self.clients
            for column in zip(
                *((p.baskets * p.absent, p.baskets * p.held, p.baskets) for p in self.parts),
                strict=True,
            )
        )
        return PooledNoise(absent, held, counted)

    def variance(self, support: Fraction) -> Fraction:
        """The variance of the estimate where the itemset has this support."""
        share = support / self.noise.reach
        return (share * self.noise.held + (1 - share) * self.noise.absent) / self.clients

    @cached_property
    def lowest(self) -> LowestSupport:
        """The positive root of s^2 = 16 Var(s)."""
        return self.noise.lds(self.clients)

    @property
    def discoverable(self) -> bool:
        """Whether the root is a support that the itemset can have: at most W."""
        return self.noise.discoverable(self.lowest)

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of the estimate at support 0."""
        return math.sqrt(self.noise.absent / self.clients)

    @cached_property
    def worst_alarm(self) -> float:
        """The chance that an absent itemset is above four of those deviations, at the worst.

        That is where every basket holds the number of its items that makes most noise.
        """
        worst = sum((part.baskets * part.noisiest for part in self.parts), Fraction(0))
        absent = sum((part.baskets * part.absent for part in self.parts), Fraction(0))
        return normal(-DEVIATIONS * math.sqrt(absent / worst))

    def chance(self, support: float) -> float:
        """The chance that an estimate is above four of its deviations at support 0.

        That is 1/2 at a support of four deviations, and 1 in 31,574 at support 0.
        """
        if support > self.noise.reach:
            return 1.0
        spread = math.sqrt(self.variance(Fraction(support)))
        return normal((support - DEVIATIONS * self.deviation) / spread)


FALSE_ALARM = 0.5 * math.erfc(DEVIATIONS / math.sqrt(2))
"""The chance that the estimate of an absent itemset is above four of its deviations."""


def pools(plan: Plan) -> tuple[Pool, ...]:
    """For each group of a plan, and each k that it estimates; none where it says no counts.

    Nor where some size's reports do not let k-itemsets be estimated at all (lambda_k = 0).
    """
    return tuple(pool for group in plan.groups for pool in _of_group(plan, group))


def pooled_forecasts(plan: Plan) -> tuple[PooledForecast, ...]:
    """What a plan says of its pools: their LDS, and what remains of supports after cutting."""
    histogram = plan.histogram or {}
    found = []
    for pool in pools(plan):
        longest = pool.group.sizes[-1].size
        cut = pool.group.phase == 1 and longest < max(histogram, default=0)
        found.append(
            PooledForecast(
                pool.group.name,
                pool.itemset,
                pool.clients,
                pool.deviation,
                pool.lowest.rounded() if pool.discoverable else None,
                remaining(histogram, longest, pool.itemset) if cut else None,
            )
        )
    return tuple(found)


def best_pools(plan: Plan) -> dict[int, Pool]:
    """For each k the group that sees it best."""
    found: dict[int, Pool] = {}
    for pool in pools(plan):
        before = found.get(pool.itemset)
        if before is None or pool.deviation < before.deviation:
            found[pool.itemset] = pool
    return dict(sorted(found.items()))


def estimated(plan: Plan, group: Group) -> list[int]:
    """The sizes of itemsets that a group is for: its own, or of items all that no other is for."""
    if group.lifted > 1:
        return [group.lifted]
    others = {other.lifted for other in plan.groups if other.lifted > 1}
    return [k for k in range(1, plan.itemsets + 1) if k not in others]


def _of_group(plan: Plan, group: Group) -> Iterator[Pool]:
    if any(part.baskets is None for part in group.sizes):
        return
    counted = sum((Fraction(part.baskets or 0) for part in group.sizes), Fraction(0))
    clients = counted if plan.clients is None else group.share * plan.clients
    if not counted:
        return
    for itemset in estimated(plan, group):
        parts = [
            _sized(group, part, itemset)
            for part in group.sizes
            if part.baskets and part.size >= itemset
        ]
        known = [part for part in parts if part is not None]
        if known and len(known) == len(parts):
            yield Pool(group, itemset, clients, tuple(known))


def _sized(group: Group, part: SizePlan, itemset: int) -> Sized | None:
    noise = noise_of(group, part, itemset)
    if noise is None:
        return None
    return Sized(part.size, Fraction(part.baskets or 0), *map(rounded_up, noise))


def noise_of(
    group: Group, part: SizePlan, itemset: int
) -> tuple[Fraction, Fraction, Fraction] | None:
    """v_0, v_k and the largest other v_l of one basket; None where nothing can be estimated."""
    inside = 1 if group.lifted > 1 else itemset
    found = moments(part.randomization, inside)
    if not found.recoverable(inside):
        return None
    noise = found.noise(inside)
    return noise[0], noise[-1], max(noise[:-1])


ItemsetNoise: TypeAlias = Mapping[int, tuple[float, float]]
"""v_0 and v_k of one basket, by the items k of an itemset; infinite where it is not estimated."""


@dataclass(frozen=True)
class SizeOptions:
    """Baskets of one size: how many, and the noise of each randomization that they may get."""

    baskets: int
    noises: Sequence[ItemsetNoise]


def best_for_pool(options: Sequence[SizeOptions], clients: int) -> list[int]:
    """Which option each size takes, for so many clients in all.

    Sizes change their option one at a time as long as that helps: a local optimum, never worse
    than all of them at their first options, nor than all at any other one.

    >>> first = SizeOptions(10**6, [{1: (1.0, 1.0), 2: (9.0, 9.0)}, {1: (2.0, 2.0), 2: (3.0, 3.0)}])
    >>> best_for_pool([first, SizeOptions(10**6, [{1: (5.0, 5.0)}])], 2 * 10**6)
    [1, 0]
    """
    count = max(len(part.noises) for part in options)
    starts = [[min(start, len(part.noises) - 1) for part in options] for start in range(count)]
    found = [_improved(options, start, clients) for start in starts]
    return min(found, key=lambda chosen: pool_goal(options, chosen, clients))


def _improved(options: Sequence[SizeOptions], chosen: list[int], clients: int) -> list[int]:
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


def pool_goal(options: Sequence[SizeOptions], chosen: Sequence[int], clients: int) -> float:
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


MAX_LISTED = 100_000
"""The most itemsets of the data that are looked at."""


@dataclass(frozen=True)
class SeenItemsets:
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


def seen_in(plan: Plan, data: AtHand) -> tuple[SeenItemsets, ...]:
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
        found.append(SeenItemsets(pool, least, tuple(supports), alarms))
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
