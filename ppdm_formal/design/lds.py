"""Lowest discoverable support: the least s that its estimator separates from zero (EGS03 4.2).

With z deviations (four in the paper), N transactions and per-transaction noise v_l of the
support estimator (closed_form.py), it is the positive root of

    s^2 = z^2/N (s v_k + (1 - s) v_rest)

where v_rest is the mean noise of the transactions that do not contain the itemset. What
those hold of it is an assumption (`Rest`): in the paper nothing, s_k = s and s_0 = 1 - s.

For searches there is the same for many parameters at once, in floating point: it finds where to
look, and whatever is reported is then evaluated exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, Exact, is_symbolic, total
from ppdm_formal.declare.arithmetic.rational_matrix import dot
from ppdm_formal.design.closed_form import moments_grid, noise_at_grid
from ppdm_formal.design.krawtchouk import Floats
from ppdm_formal.design.recovery import Recovery

DEVIATIONS = 4
"""EGS03: significant means four standard deviations from zero."""


def normal(z: float) -> float:
    """The chance that a standard normal variable is at most z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


@dataclass(frozen=True)
class Rest:
    """How the transactions without the whole itemset are spread over l = 0..k-1.

    shares: their distribution over l, or None for the worst l (largest noise).
    """

    name: str
    shares: tuple[Fraction, ...] | None

    def noise(self, noise: Sequence[Exact]) -> Exact:
        """v_rest from v_0, ..., v_k."""
        if self.shares is None:
            return max(noise[:-1])
        return dot(self.shares, noise[:-1])


def alone(itemset: int) -> Rest:
    """The paper's: other transactions hold no item of the itemset, s_0 = 1 - s."""
    return Rest("s_k = s, s_0 = 1 - s", (ONE, *[Fraction(0)] * (itemset - 1)))


def independent(itemset: int, frequency: Fraction) -> Rest:
    """Other transactions hold each item of the itemset independently with one frequency."""
    if not 0 <= frequency < 1:
        raise ValueError(f"the frequency {frequency} of an item is not in [0, 1)")
    shares = [
        math.comb(itemset, held) * frequency**held * (1 - frequency) ** (itemset - held)
        for held in range(itemset)
    ]
    whole = sum(shares)
    return Rest(
        f"items of frequency {frequency}, independent", tuple(share / whole for share in shares)
    )


def worst(itemset: int) -> Rest:
    """Other transactions hold whatever number of the itemset's items makes most noise."""
    return Rest("the noisiest l < k for all other transactions", None)


@dataclass(frozen=True)
class LowestSupport:
    """The positive root of s^2 = slope s + offset: (slope + sqrt(slope^2 + 4 offset)) / 2."""

    slope: Fraction
    offset: Fraction

    def scaled(self, digits: int) -> int:
        """The root times 10^digits, rounded down."""
        scale = 10 ** (digits + 10)
        inside = (self.slope**2 + 4 * self.offset) * scale**2
        below: int = math.floor(self.slope * scale) + math.isqrt(math.floor(inside))
        # Twice the root, scaled, lies in [below, below + 2): almost always that decides.
        found = below // (2 * 10**10)
        if (below + 2) // (2 * 10**10) > found:
            next_one = Fraction(found + 1, 10**digits)
            found += int(next_one**2 <= self.slope * next_one + self.offset)
        return found

    @property
    def discoverable(self) -> bool:
        """Whether it is at most 1: with too few transactions no support is discoverable."""
        return self.slope + self.offset <= 1

    @property
    def shown(self) -> Decimal | None:
        """In decimal; None where no support is discoverable."""
        return self.rounded() if self.discoverable else None

    def rounded(self, digits: int = 12) -> Decimal:
        """In decimal, rounded down, with so many digits after the point."""
        return Decimal((0, tuple(map(int, str(self.scaled(digits)))), -digits))

    def decimal(self, digits: int = 12) -> str:
        """The same in text."""
        return format(self.rounded(digits), "f")

    def __float__(self) -> float:
        return self.scaled(18) / 10**18


def lowest_discoverable_support(
    recovery: Recovery,
    transactions: int,
    rest: Rest | None = None,
    deviations: int = DEVIATIONS,
) -> LowestSupport:
    """The LDS of k-itemsets among N transactions of one size.

    >>> from ppdm_formal.declare.families.select_a_size import optimal_keep
    >>> from ppdm_formal.declare.families.select_a_size import Randomization
    >>> rho = Fraction(511, 1000)
    >>> paper = Randomization(5, rho, optimal_keep(5, rho, 4, Fraction(19)))
    >>> found = [Recovery.of(paper, k) for k in (1, 2, 3)]
    >>> [lowest_discoverable_support(each, 5_000_000).decimal(6) for each in found]
    ['0.004742', '0.004847', '0.004955']
    """
    return lowest_support_of(recovery.noise, transactions, rest, deviations)


def lowest_support_of(
    noise: Sequence[Exact],
    transactions: int,
    rest: Rest | None = None,
    deviations: int = DEVIATIONS,
) -> LowestSupport:
    """The LDS of an estimator to which a transaction with l of k items adds the variance v_l."""
    if transactions < 1:
        raise ValueError(f"{transactions} transactions: at least one is needed")
    if any(map(is_symbolic, noise)):
        raise ValueError("give the free parameters values first")
    itemset = len(noise) - 1
    rest = rest or alone(itemset)
    if rest.shares is not None and (
        len(rest.shares) != itemset or total((1, s) for s in rest.shares) != 1
    ):
        raise ValueError(f"the other transactions need shares of l = 0..{itemset - 1}")
    other = rest.noise(noise)
    factor = Fraction(deviations**2, transactions)
    return LowestSupport(factor * (noise[-1] - other), factor * other)


def lds_grid(
    ratios: Floats,
    insert: Floats,
    itemsets: Sequence[int],
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The largest LDS over the itemset sizes, for each row of b-ratios and its rho in (0, 1).

    Assumes s_k = s, s_0 = 1 - s. Itemsets larger than the transaction are left out.
    """
    mined = [k for k in itemsets if k < ratios.shape[-1]]
    moments = moments_grid(ratios, insert, max(mined, default=0))
    return largest_lds(moments, insert, mined, transactions, deviations)


def largest_lds(
    moments: Floats,
    insert: Floats,
    itemsets: Sequence[int],
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The largest LDS over the itemset sizes from the moments of closed_form.moments_grid."""
    worst: Floats = np.zeros(moments.shape[:-1])
    for itemset in itemsets:
        worst = np.maximum(worst, one_lds(moments, insert, itemset, transactions, deviations))
    return worst


def one_lds(
    moments: Floats,
    insert: Floats,
    itemset: int,
    transactions: int,
    deviations: int = DEVIATIONS,
) -> Floats:
    """The LDS of k-itemsets from the moments of closed_form.moments_grid."""
    factor = deviations**2 / transactions
    none, whole = (noise_at_grid(moments, insert, itemset, held) for held in (0, itemset))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = factor * (whole - none)
        offset = factor * none
        root = np.sqrt(slope**2 + 4 * offset)
        # Of the two ways to write the positive root, the one that does not cancel.
        found = np.where(slope < 0, 2 * offset / (root - slope), (root + slope) / 2)
    return np.where(np.isfinite(found), found, np.inf)
