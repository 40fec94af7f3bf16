"""Item-level design (Evf02 section 4): cut-and-paste with the least noise for a breach level.

An itemset A causes a breach of level p if P[a in t given A ⊆ R(t)] >= p for an item a of A. The
server is taken to know bounds on supports: no itemset of i items is in more than a share sigma_i of
the transactions of one size. Parameters are accepted if no itemset, of any size up to m, can cause
a breach within the bounds, decided exactly (item_breach.worst_item_breach). What larger itemsets
show, up to a whole report, is bounded by `ItemGoal.any_size` and not part of the goal.

This is the notion of 2002. It is about one kind of property, under bounds on the prior: such a
plan's amplification is far larger than that of a plan that is certified against all priors.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.families.cut_and_paste import cut_and_paste_keep
from ppdm_formal.families.select_a_size import Randomization, balance
from ppdm_formal.itemsets.closed_form import moments
from ppdm_formal.itemsets.item_breach import WorstItemBreach, worst_item_breach
from ppdm_formal.itemsets.lds import lowest_support_of
from ppdm_formal.itemsets.transition import transition_matrix
from ppdm_formal.numbers.deadline import NEVER, Deadline
from ppdm_formal.numbers.people import said
from ppdm_formal.numbers.simplex import Best, LinearRow, maximize

MAX_SIZE = 20
"""The largest transaction that is designed for."""

BITS = 8
"""Bits of rho, where nothing else is asked for."""


@dataclass(frozen=True)
class ItemGoal:
    """A breach level, and bounds on the supports of itemsets of 1, 2, ... items.

    The last bound holds for all larger itemsets: none is supported more than its subsets.

    >>> goal = ItemGoal(Fraction(1, 2), (Fraction(1, 20), Fraction(1, 100)))
    >>> str(goal.bound(2)), str(goal.bound(7))
    ('1/100', '1/100')
    """

    level: Fraction
    bounds: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise ValueError(f"a breach level of {said(self.level)} is not between 0 and 1")
        if not self.bounds or not all(0 < bound <= 1 for bound in self.bounds):
            raise ValueError("bounds on supports are above 0 and at most 1, for items, pairs, ...")
        for size, (one, more) in enumerate(zip(self.bounds, self.bounds[1:], strict=False), 1):
            if one < more:
                raise ValueError(
                    f"itemsets of {size + 1} items may not have more support ({said(more)}) than "
                    f"those of {size} ({said(one)})"
                )
        if self.bounds[0] >= self.level:
            raise ValueError(
                f"items with a support of {said(self.bounds[0])} are that likely before anything "
                f"is seen: the breach level must be above, not {said(self.level)}"
            )

    def bound(self, items: int) -> Fraction:
        """The largest support of an itemset of so many items."""
        return self.bounds[min(items, len(self.bounds)) - 1]

    def worst(self, randomization: Randomization, itemset: int) -> WorstItemBreach:
        """The largest posterior of an item of a k-itemset within the bounds, exact."""
        bounds = [self.bound(i) for i in range(1, itemset + 1)]
        return worst_item_breach(transition_matrix(randomization, itemset), bounds)

    def any_size(self, randomization: Randomization) -> Fraction:
        """What no posterior of an item exceeds, however large the itemset that is seen.

        A transaction with l items of A gives A ⊆ R(t) with F_l / rho^l times the chance of one
        with none. At worst all with the item have the largest such ratio, and all others the
        least; many itemsets of m items around one item come as close to that as one likes.
        """
        rho, share = randomization.insert, self.bounds[0]
        ratios = [
            randomization.kept_together(held) / rho**held for held in range(randomization.size + 1)
        ]
        most, least = max(ratios), min(ratios)
        return share * most / (share * most + (1 - share) * least)

    def breached(self, randomization: Randomization, itemset: int) -> bool:
        """Whether some k-itemset within the bounds causes a breach; exact, and quicker.

        With f_l = P[A ⊆ R(t) given |t ∩ A| = l] = F_l rho^(k - l) >= f_0, transactions without a
        do most harm where they hold nothing of A. Then a breach is a distribution u_l of those
        with a for which (1 - p) sum of f_l u_l >= p f_0 (1 - sum of u_l): a linear program in u.
        """
        rho, p = randomization.insert, self.level
        seen = [
            randomization.kept_together(held) * rho ** (itemset - held)
            for held in range(itemset + 1)
        ]
        if min(seen) < seen[0]:
            return self.worst(randomization, itemset).posterior >= p
        goal = [(1 - p) * chance + p * seen[0] for chance in seen[1:]]
        best = maximize(goal, self._rows(itemset))
        assert isinstance(best, Best)  # u = 0 is within all bounds
        return best.value >= p * seen[0]

    def _rows(self, itemset: int) -> list[LinearRow]:
        """The bounds, for u_1, ..., u_k: subsets with a, subsets without it, and all at most 1."""
        held = range(1, itemset + 1)
        rows: list[LinearRow] = [([Fraction(-1)] * itemset, Fraction(1), ">=")]
        for i in held:
            bound = self.bound(i)
            for taken in (i - 1, i):  # other items in the subset
                if taken < itemset:
                    ways = [-Fraction(math.comb(one - 1, taken)) for one in held]
                    rows.append((ways, math.comb(itemset - 1, taken) * bound, ">="))
        return rows


@dataclass(frozen=True)
class ItemDesign:
    """Cut-and-paste for one size: its cutoff K, and the worst posterior for each itemset size.

    amplification: what it is against all priors, over baskets of this size. any_size: what no
    posterior exceeds, for itemsets of more than m items as well.
    """

    cutoff: int
    randomization: Randomization
    amplification: Fraction
    any_size: Fraction
    worst: tuple[WorstItemBreach, ...]


def item_design(
    size: int,
    goal: ItemGoal,
    itemsets: Sequence[int],
    transactions: int,
    bits: int | None = None,
    deadline: Deadline = NEVER,
) -> ItemDesign:
    """The cut-and-paste without a breach whose largest LDS is least; rho = a/2^b.

    For each cutoff K the least rho that causes no breach: more insertions only add noise.

    >>> goal = ItemGoal(Fraction(1, 2), (Fraction(1, 20), Fraction(1, 100), Fraction(1, 500)))
    >>> found = item_design(3, goal, (1, 2, 3), 5_000_000)
    >>> found.cutoff, str(found.randomization.insert), round(float(found.amplification))
    (3, '15/128', 704)
    """
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(
            f"transactions of {size} items: item-level plans are made for 1 to {MAX_SIZE} items "
            f"(longer baskets can report a part of theirs: --longest {MAX_SIZE})"
        )
    mined = [k for k in itemsets if k <= size]
    tried = []
    for cutoff in range(max(mined), size + 1):  # with a lower one lambda_k is 0
        deadline.check()
        found = _least_insertion(size, cutoff, goal, BITS if bits is None else bits)
        if found is not None:
            noise = moments(found, max(mined))
            lds = max(float(lowest_support_of(noise.noise(k), transactions)) for k in mined)
            tried.append((lds, cutoff, found))
    if not tried:
        raise ValueError(
            f"no insertion probability of {BITS if bits is None else bits} bits keeps items of "
            f"transactions of {size} items below {said(goal.level)} within these bounds"
        )
    _, cutoff, found = min(tried, key=lambda each: each[:2])
    worst = tuple(goal.worst(found, k) for k in range(1, size + 1))
    ratios = balance(found.keep, found.insert)
    return ItemDesign(cutoff, found, max(ratios) / min(ratios), goal.any_size(found), worst)


def _least_insertion(size: int, cutoff: int, goal: ItemGoal, bits: int) -> Randomization | None:
    """The least a/2^b without a breach, if breaches end where rho grows; checked in any case."""
    whole = 1 << bits

    def at(top: int) -> Randomization:
        rho = Fraction(top, whole)
        return Randomization(size, rho, cut_and_paste_keep(size, cutoff, rho))

    def safe(top: int, itemsets: Sequence[int]) -> bool:
        found = at(top)
        return not any(goal.breached(found, k) for k in itemsets)

    every = range(size, 0, -1)
    least = bisect_left(range(1, whole), True, key=lambda top: safe(top, [size])) + 1
    if least < whole and not safe(least, every):  # rare: the largest itemsets show most
        least += bisect_left(range(least, whole), True, key=lambda top: safe(top, every))
    return at(least) if least < whole and safe(least, every) else None
