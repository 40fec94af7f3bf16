"""Item-level breaches (Evf02 section 4): P[a in t given A ⊆ R(t)] for an item a of an itemset A.

With partial supports s_l of A, s_l^+ = P[a in t, |t ∩ A| = l] and P the matrix of
transition.py,

    P[a in t given A ⊆ R(t)] = sum of s_l^+ P[k, l] / sum of s_l P[k, l]

This is the older notion of a breach, for chosen itemsets under known supports; the
amplification bound covers every property and every prior.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.numbers.exact import Exact, simplify, total
from ppdm_formal.numbers.rational_matrix import Matrix, dot
from ppdm_formal.numbers.simplex import Best, LinearRow, maximize


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
