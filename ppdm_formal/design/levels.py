"""Levels: what more or less privacy would cost, and what one report costs in bits.

Levels are for baskets of one size, in the paper's form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.design.design import lowest_support, mirrored, sends_most
from ppdm_formal.design.forecast import Pool
from ppdm_formal.design.paper_form import best_paper_form
from ppdm_formal.design.seed_size import compressed_bits


@dataclass(frozen=True)
class ReportCost:
    """What one report costs: its mean size, and the bits of each way to write it.

    listed: the mean of a list of item numbers. bitmap: a bit an item. seed: compressed (EGS03
    section 5), None where that is not possible.
    """

    mean_size: Fraction
    listed: Fraction
    bitmap: int
    seed: int | None

    @property
    def plain(self) -> Fraction:
        """The shorter of list and bitmap."""
        return min(self.listed, Fraction(self.bitmap))

    @property
    def worthwhile(self) -> bool:
        """Whether compressing makes reports shorter."""
        return self.seed is not None and self.seed < self.plain

    @property
    def bits(self) -> Fraction:
        """The bits of the shortest way."""
        return Fraction(self.seed) if self.worthwhile and self.seed is not None else self.plain


def report_cost(randomization: Randomization, universe: int, seed: int | None) -> ReportCost:
    """The cost of a report on so many items.

    >>> half = Fraction(1, 2)
    >>> cost = report_cost(Randomization(1, half, (half, half)), 17, 60)
    >>> str(cost.mean_size), str(cost.listed), cost.bitmap, cost.worthwhile
    ('17/2', '85/2', 17, False)
    """
    mean = Fraction(randomization.expected_size(universe))
    number = max(1, (universe - 1).bit_length())
    return ReportCost(mean, mean * number, universe, seed)


GAMMAS = (3, 6, 9, 19, 49, 99)

MAX_SIZE = 30
"""For larger baskets levels are shown for baskets of this size."""


@dataclass(frozen=True)
class PrivacyLevel:
    """An amplification: the lowest discoverable supports by k (None: none), and a report's cost."""

    gamma: Fraction
    lds: Mapping[int, float | None]
    cost: ReportCost | None


def levels(
    size: int, transactions: int, itemsets: int, items: int | None, own: Fraction
) -> tuple[PrivacyLevel, ...]:
    """Levels around one's own, by rising gamma; own: the gamma of the plan."""
    gammas = sorted({Fraction(gamma) for gamma in GAMMAS} | {own})
    return tuple(_level(gamma, size, transactions, itemsets, items) for gamma in gammas)


def _level(
    gamma: Fraction, size: int, transactions: int, itemsets: int, items: int | None
) -> PrivacyLevel:
    mined = range(1, min(itemsets, size) + 1)
    chosen = best_paper_form(size, gamma, mined, transactions).chosen
    keep = optimal_keep(size, chosen.insert, chosen.cutoff, gamma)
    law = Randomization(size, chosen.insert, keep)
    lds = {}
    for k in mined:
        found = lowest_support(law, k, transactions)
        lds[k] = float(found) if found.discoverable else None
    cost = None
    if items is not None:
        sent = mirrored(law) if sends_most(law) else law
        bits = law.insert.denominator.bit_length() - 1
        seed = compressed_bits(items, bits, size, len(mined))
        cost = report_cost(sent, items, seed)
    return PrivacyLevel(gamma, lds, cost)


def typical_size(pools: Sequence[Pool]) -> int | None:
    """The median size of the baskets that hold an item, up to MAX_SIZE; None without counts."""
    parts = sorted(((p.size, p.baskets) for p in pools[0].parts), key=lambda pair: pair[0])
    half = sum((count for _, count in parts), Fraction(0)) / 2
    below = Fraction(0)
    for size, count in parts:
        below += count
        if below >= half:
            return min(size, MAX_SIZE)
    return None
