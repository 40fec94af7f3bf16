"""Shares: how many of all clients report in each way, so that the largest LDS is least.

A group that is asked for k-sets has an estimator whose variance, for n reporting clients, is
((s/W) H + (1 - s/W) A) / n: A and H are the mean noise of clients without and with the set, W
the part of all clients whose baskets are large enough to hold it. It sees a support s from four
deviations on, so that it needs n = 16 ((s/W) H + (1 - s/W) A) / s^2 clients. At the least s that
all groups reach together these add up to N, which is the root of s^2 = slope s + offset with

    slope = 16/N sum of (H - A)/W        offset = 16/N sum of A

if each group is asked for one size of sets. Shares are then rounded to fractions over 2^b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ppdm_formal.design.lds import DEVIATIONS, LowestSupport

ROUNDING = 64
"""Pooled noise is rounded up to a fraction over 2^64: sums of long fractions grow without end."""

TOLERANCE = 1e-3
"""Bits are added to shares until the largest LDS is within this fraction of the best."""

MAX_BITS = 20


@dataclass(frozen=True)
class PooledNoise:
    """Noise a client of the estimate of one k-set's support, pooled over basket sizes.

    absent: A, the mean over all clients of v_0 of their size (0 for those too small to hold the
    set, which say so by their size); held: H, the same of v_k; reach: W, the share of those
    large enough. The support s is spread over these evenly, whatever their size.
    """

    absent: Fraction
    held: Fraction
    reach: Fraction

    @classmethod
    def over(
        cls,
        histogram: Mapping[int, int],
        itemset: int,
        noise: Callable[[int], tuple[Fraction, Fraction]],
    ) -> PooledNoise:
        """Pool v_0 and v_k of each size m >= k; `histogram` says how many clients have a size."""
        whole = sum(histogram.values())
        absent = held = reach = Fraction(0)
        for size, count in histogram.items():
            if size >= itemset and count:
                weight = Fraction(count, whole)
                without, holding = map(rounded_up, noise(size))
                absent, held = absent + weight * without, held + weight * holding
                reach += weight
        if not reach:
            raise ValueError(f"no basket holds {itemset} items")
        return cls(absent, held, reach)

    def lds(self, clients: Fraction) -> LowestSupport:
        """The lowest support that so many clients of the group discover."""
        factor = DEVIATIONS**2 / clients
        return LowestSupport(factor * (self.held - self.absent) / self.reach, factor * self.absent)

    def discoverable(self, found: LowestSupport) -> bool:
        """Whether a set can have that support at all: at most W, in all baskets that hold k."""
        return found.slope * self.reach + found.offset <= self.reach**2

    def variance(self, support: float) -> float:
        """The variance that one client adds, where the set has this support."""
        absent, held, reach = self._floats
        part = min(1.0, support / reach)
        return part * held + (1 - part) * absent

    def clients(self, support: float) -> float:
        """How many clients must report for so low a support."""
        return DEVIATIONS**2 * self.variance(support) / support**2

    @cached_property
    def _floats(self) -> tuple[float, float, float]:
        return float(self.absent), float(self.held), float(self.reach)


def rounded_up(value: Fraction) -> Fraction:
    """The next fraction over 2^64."""
    return Fraction(-((-value.numerator << ROUNDING) // value.denominator), 1 << ROUNDING)


@dataclass(frozen=True)
class Split:
    """Shares of all clients that sum to 1, one a group, and the largest LDS if they were real."""

    shares: tuple[Fraction, ...]
    ideal: float


def best_split(
    groups: Sequence[Callable[[float], float]],
    largest: Callable[[Sequence[Fraction]], float],
    transactions: int,
    bits: int | None = None,
) -> Split:
    """The shares with the least largest LDS: each group says how many clients a support needs.

    `largest` evaluates exact shares. Without bits the fewest are taken that lose next to nothing.
    """
    if not groups:
        raise ValueError("there are no groups to divide clients into")
    if transactions < len(groups):
        raise ValueError(f"{transactions} clients are too few for {len(groups)} groups")
    if bits is not None and not 1 <= bits <= MAX_BITS:
        raise ValueError(f"shares over 2^b need 1 to {MAX_BITS} bits, not {bits}")
    if len(groups) == 1:
        return Split((Fraction(1),), largest((Fraction(1),)))
    ideal = _least_support(groups, transactions)
    least = (len(groups) - 1).bit_length()
    best: tuple[float, tuple[Fraction, ...]] | None = None
    for count in range(least, MAX_BITS + 1) if bits is None else [max(bits, least)]:
        shares = dyadic_shares(groups, transactions, count)
        found = largest(shares)
        if best is None or found < best[0]:
            best = (found, shares)
        if best[0] <= ideal * (1 + TOLERANCE):
            break
    assert best is not None
    return Split(best[1], ideal)


def _least_support(groups: Sequence[Callable[[float], float]], transactions: int) -> float:
    """The support at which all groups together need exactly the clients that there are."""
    return least_enough(lambda support: sum(group(support) for group in groups) <= transactions)


def least_enough(enough: Callable[[float], bool]) -> float:
    """The least positive number that is enough, to the last bit; past 1 nothing is discoverable."""
    low, high = 0.0, 1.0
    while not enough(high):
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def dyadic_shares(
    groups: Sequence[Callable[[float], float]], transactions: int, bits: int
) -> tuple[Fraction, ...]:
    """The best fractions over 2^b that sum to 1, none of them 0.

    The least support s at which the groups' needs, each rounded up, fit in 2^b parts; what is
    left over goes, part by part, to whom most is missing.

    >>> noises = [PooledNoise(Fraction(a), Fraction(a), Fraction(1)) for a in (1, 2, 2)]
    >>> [str(share) for share in dyadic_shares([noise.clients for noise in noises], 1000, 4)]
    ['1/4', '3/8', '3/8']
    """
    whole = 1 << bits
    if whole < len(groups):
        raise ValueError(f"{len(groups)} groups do not fit in shares over 2^{bits}")

    def parts(support: float) -> list[int]:
        return [max(1, math.ceil(group(support) / transactions * whole)) for group in groups]

    support = least_enough(lambda support: sum(parts(support)) <= whole)
    tops = parts(support)
    needs = [group(support) / transactions * whole for group in groups]
    while sum(tops) < whole:
        short = max(range(len(tops)), key=lambda g: needs[g] / tops[g])
        tops[short] += 1
    return tuple(Fraction(top, whole) for top in tops)
