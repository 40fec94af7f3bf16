"""PlainGroup: clients that report items, from which sets of 2..K items are estimated.

This is select-a-size as in the paper, without its own estimates of items: in a second phase items
are known already. For gamma of 6 and more lifted groups (lifted.py) were better in all cases
tried; for small gamma this one can be, since one report serves all sizes of sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ppdm_formal.families.select_a_size import Randomization, from_balance
from ppdm_formal.itemsets.closed_form import moments
from ppdm_formal.itemsets.optimum import best_form
from ppdm_formal.itemsets.shares import PooledNoise
from ppdm_formal.numbers.deadline import Deadline

BELOW = Fraction(6)
"""The amplification from which on lifted groups were better in all cases tried."""

LONGEST = 12
"""Plain reports are tried for baskets of up to so many items."""

_SECONDS = 0.1  # for evidence, which is not needed here: the choice is made in any case


@dataclass(frozen=True)
class PlainSize:
    """What baskets of m items get, and b[j] up to a factor."""

    size: int
    randomization: Randomization
    ratios: tuple[Fraction, ...]


@dataclass(frozen=True)
class PlainGroup:
    """A randomization for each size from 2 on, and the pooled noise of sets of 2..K items."""

    sizes: tuple[PlainSize, ...]
    noises: Mapping[int, PooledNoise]

    @property
    def lifted(self) -> int:
        """Items are reported."""
        return 1


def plain_group(
    histogram: Mapping[int, int],
    gamma: Fraction,
    itemsets: int,
    bits: int | None = None,
    most: int | None = None,
) -> PlainGroup:
    """The best select-a-size for sets of 2..K items; up to `most` also for sizes not expected."""
    whole = sum(histogram.values())
    wanted = {size for size, count in histogram.items() if size >= 2 and count}
    wanted |= set(range(2, (most or 0) + 1))
    parts = {
        size: plain_size(size, gamma, min(itemsets, size), whole, bits) for size in sorted(wanted)
    }

    def noise(size: int, itemset: int) -> tuple[Fraction, Fraction]:
        found = moments(parts[size].randomization, itemset).noise(itemset)
        return found[0], found[-1]

    noises = {
        k: PooledNoise.over(histogram, k, lambda size, k=k: noise(size, k))  # type: ignore[misc]
        for k in range(2, itemsets + 1)
    }
    return PlainGroup(tuple(parts.values()), noises)


@lru_cache(maxsize=512)
def plain_size(
    size: int, gamma: Fraction, itemsets: int, transactions: int, bits: int | None
) -> PlainSize:
    """The best select-a-size that is found for sets of 2..K items of baskets of one size."""
    found = best_form(
        size, gamma, range(2, itemsets + 1), transactions, bits, Deadline.after(_SECONDS)
    )
    keep = from_balance(found.ratios, found.insert)
    return PlainSize(size, Randomization(size, found.insert, keep), found.ratios)
