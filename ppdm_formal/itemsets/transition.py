"""Partial supports under randomization: P[l', l] = P[|R(t) ∩ A| = l' given |t ∩ A| = l].

For an itemset A of k items, s_l is the share of transactions with exactly l items of A
(Evf02 section 3). Randomization takes the vector s to P s on average. For select-a-size

    P[l', l] = sum over j, q of p[j] H(q; j, l) C(k - l, r) rho^r (1 - rho)^(k - l - r)

with r = l' - q inserted items of A and H(q; j, l) = C(l, q) C(m - l, j - q) / C(m, j), the
chance that q of the j kept items are in A.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.families.select_a_size import Randomization
from ppdm_formal.numbers.exact import ZERO, Exact, simplify, total
from ppdm_formal.numbers.rational_matrix import Matrix


def check_itemset_size(itemset: int, size: int) -> None:
    """Refuse itemsets that no transaction of this size can contain."""
    if not 1 <= itemset <= size:
        raise ValueError(f"transactions of {size} items hold no itemsets of {itemset} items")


def transition_matrix(randomization: Randomization, itemset: int) -> Matrix:
    """The exact (k + 1) x (k + 1) matrix P; columns sum to 1.

    >>> one = Randomization(1, Fraction(1, 4), (Fraction(1, 3), Fraction(2, 3)))
    >>> [[str(x) for x in row] for row in transition_matrix(one, 1)]
    [['3/4', '1/3'], ['1/4', '2/3']]
    """
    check_itemset_size(itemset, randomization.size)
    rho = randomization.insert
    columns = []
    for held in range(itemset + 1):
        kept = [_kept_inside(randomization, held, q) for q in range(held + 1)]
        absent = itemset - held
        coins = [
            simplify(math.comb(absent, r) * rho**r * (1 - rho) ** (absent - r))
            for r in range(absent + 1)
        ]
        columns.append(
            tuple(
                total(
                    (1, simplify(kept[q] * coins[after - q]))
                    for q in range(held + 1)
                    if 0 <= after - q <= absent
                )
                for after in range(itemset + 1)
            )
        )
    return tuple(zip(*columns, strict=True))


def _kept_inside(randomization: Randomization, held: int, q: int) -> Exact:
    """The chance that exactly q of `held` given items of t stay."""
    size = randomization.size
    return total(
        (
            math.comb(held, q) * math.comb(size - held, j - q),
            simplify(p / math.comb(size, j)),
        )
        for j, p in enumerate(randomization.keep)
        if j >= q
    )


def replacement_matrix(items: int, size: int, keep: Fraction, itemset: int) -> Matrix:
    """P for the uniform replacement of items (families/replace_items.py)."""
    check_itemset_size(itemset, size)
    if items < 2 * size or items - size < itemset:
        raise ValueError(f"{items} items are too few to replace {size}")
    columns = []
    for held in range(itemset + 1):
        column = [ZERO] * (itemset + 1)
        for stay in range(held + 1):
            for other in range(size - held + 1):
                drawn = size - stay - other
                chance = (
                    math.comb(held, stay)
                    * math.comb(size - held, other)
                    * keep ** (stay + other)
                    * (1 - keep) ** drawn
                )
                for new in range(min(itemset - held, drawn) + 1):
                    ways = math.comb(itemset - held, new) * math.comb(
                        items - size - (itemset - held), drawn - new
                    )
                    column[stay + new] += chance * ways / math.comb(items - size, drawn)
        columns.append(tuple(column))
    return tuple(zip(*columns, strict=True))


def partial_supports(
    transactions: Sequence[frozenset[int]], itemset: frozenset[int]
) -> tuple[Fraction, ...]:
    """s_l: the share of transactions with exactly l items of the itemset."""
    counts = [0] * (len(itemset) + 1)
    for transaction in transactions:
        counts[len(transaction & itemset)] += 1
    return tuple(Fraction(count, len(transactions)) for count in counts)
