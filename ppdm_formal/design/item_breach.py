"""Item-level breaches (Evf02 section 4): P[a in t given A ⊆ R(t)] for an item a of an itemset A.

With partial supports s_l of A, s_l^+ = P[a in t, |t ∩ A| = l] and P their transition
matrix (recovery.py),

    P[a in t given A ⊆ R(t)] = sum of s_l^+ P[k, l] / sum of s_l P[k, l]

This is the older notion of a breach, for chosen itemsets under known supports; the
amplification bound covers every property and every prior.

Item-level design chooses the cut-and-paste with the least noise for a breach level. An itemset A
causes a breach of level p if P[a in t given A ⊆ R(t)] >= p for an item a of A. The server is taken
to know bounds on supports: no itemset of i items is in more than a share sigma_i of the
transactions of one size. Parameters are accepted if no itemset, of any size up to m, can cause a
breach within the bounds, decided exactly (`worst_item_breach`). What larger itemsets show, up to a
whole report, is bounded by `ItemGoal.any_size` and not part of the goal.

This is the notion of 2002. It is about one kind of property, under bounds on the prior: such a
plan's amplification is far larger than that of a plan that is certified against all priors.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import Exact, simplify, total
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.rational_matrix import Matrix, dot
from ppdm_formal.declare.arithmetic.simplex import Best, LinearRow, maximize
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste_keep
from ppdm_formal.declare.families.select_a_size import Randomization, balance
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.lds import lowest_support_of
from ppdm_formal.design.recovery import transition_matrix


def whole_itemset_posterior(P: Matrix, supports: Sequence[Exact]) -> Exact:
    """P[A ⊆ t given A ⊆ R(t)] = s_k P[k, k] / sum of s_l P[k, l]."""
    return simplify(supports[-1] * P[-1][-1] / dot(P[-1], supports))


def item_posterior(
    P: Matrix, supports: Sequence[Exact], with_item: Sequence[Exact] | None = None
) -> Exact:
    """P[a in t given A ⊆ R(t)]; without s_l^+ the items are taken as alike, s_l^+ = l/k s_l."""
    size = len(supports) - 1
    if with_item is None:
        with_item = [simplify(Fraction(held, size) * s) for held, s in enumerate(supports)]
    return simplify(dot(P[-1], with_item) / dot(P[-1], supports))


def challenging_supports(bounds: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Partial supports of an itemset whose subsets of i items all have support bounds[i - 1].

    s_l = sum over i >= l of (-1)^(i - l) C(i, l) C(k, i) sigma_i, with sigma_0 = 1; refused
    where no itemset can have such supports.

    >>> [str(s) for s in challenging_supports([Fraction(1, 10), Fraction(1, 20)])]
    ['17/20', '1/10', '1/20']
    """
    size = len(bounds)
    sigma = (Fraction(1), *bounds)
    supports = tuple(
        sum(
            (
                (-1) ** (i - held) * math.comb(i, held) * math.comb(size, i) * sigma[i]
                for i in range(held, size + 1)
            ),
            Fraction(0),
        )
        for held in range(size + 1)
    )
    if min(supports) < 0:
        raise ValueError(
            "no itemset has all these supports at once: a partial support would be "
            f"{min(supports)}; use worst_item_breach for bounds"
        )
    return supports


@dataclass(frozen=True)
class WorstItemBreach:
    """The largest posterior of an item under bounds on supports, and where it is attained.

    with_item[l] = P[a in t, |t ∩ A| = l], without_item[l] = P[a not in t, |t ∩ A| = l].
    """

    posterior: Fraction
    with_item: tuple[Fraction, ...]
    without_item: tuple[Fraction, ...]

    @property
    def supports(self) -> tuple[Fraction, ...]:
        """The partial supports of the challenging itemset."""
        pairs = zip(self.with_item, self.without_item, strict=True)
        return tuple(inside + outside for inside, outside in pairs)


def worst_item_breach(P: Matrix, bounds: Sequence[Fraction]) -> WorstItemBreach:
    """The largest P[a in t given A ⊆ R(t)] under bounds on supports.

    No subset of A of i items is supported above bounds[i - 1]. Exact: the posterior is a ratio
    of linear forms in the masses u_l (a in t) and w_l (a not in t); averaging over permutations
    of the other items of A changes neither it nor the bounds, so these masses suffice. Scaled
    to P[A ⊆ R(t)] = 1 it is a linear program.
    """
    size = len(P) - 1
    if len(bounds) != size or any(not 0 <= bound <= 1 for bound in bounds):
        raise ValueError(f"give {size} bounds in [0, 1], for itemsets of 1 to {size} items")
    # Variables: u_1..u_k, w_0..w_(k-1), all multiplied by z = 1 / P[A ⊆ R(t)], and z itself.
    held_with, held_without = range(1, size + 1), range(size)
    goal = [P[-1][held] for held in held_with] + [Fraction(0)] * (size + 1)
    seen = [P[-1][held] for held in held_with] + [P[-1][held] for held in held_without]
    none = Fraction(0)
    rows: list[LinearRow] = [
        ([*seen, none], Fraction(-1), "=="),
        ([Fraction(1)] * (2 * size) + [Fraction(-1)], none, "=="),
    ]
    for count, bound in enumerate(bounds, start=1):
        containing = [-Fraction(math.comb(held - 1, count - 1)) for held in held_with]
        ways = math.comb(size - 1, count - 1)
        rows.append(([*containing, *[none] * size, ways * bound], none, ">="))
        if count < size:
            others = [-Fraction(math.comb(held - 1, count)) for held in held_with]
            others += [-Fraction(math.comb(held, count)) for held in held_without]
            rows.append(([*others, math.comb(size - 1, count) * bound], none, ">="))
    best = maximize(goal, rows)
    if not isinstance(best, Best):
        raise ValueError("no supports within these bounds let A appear after randomization")
    posterior, masses = best.value, best.point
    scale = masses[-1]
    return WorstItemBreach(
        posterior,
        (Fraction(0), *(mass / scale for mass in masses[:size])),
        (*(mass / scale for mass in masses[size : 2 * size]), Fraction(0)),
    )


def breaching_itemset(supports: Sequence[Exact], P: Matrix, level: Fraction) -> bool:
    """Whether the itemset causes a breach of this level: some item's posterior reaches it."""
    posterior = item_posterior(P, supports)
    return bool(posterior >= level)


def expected_counts(P: Matrix, supports: Sequence[Exact], transactions: int) -> tuple[Exact, ...]:
    """N s_l P[k, l]: how many transactions with l items of A contain all of A afterwards."""
    return tuple(
        total([(transactions, simplify(s * p))]) for s, p in zip(supports, P[-1], strict=True)
    )


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
        """The bounds, for u_1, ..., u_k: subsets with a, subsets without it.

        All together are at most the bound on a itself, which is below 1.
        """
        held = range(1, itemset + 1)
        rows: list[LinearRow] = []
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
