"""Lifted select-a-size: select-a-size on the sets of k items of a basket (docs/lifted.md).

A basket of m of n items holds C(m, k) of the C(n, k) sets of k items; a client of group k sends
these through select-a-size, as if sets were items. A set's support is then that of an "item", so
that the best form is the one for single items (item_form.py), with C(m, k) of them present. Its
amplification is that of select-a-size on C(n, k) items, or less: the sets of a basket are some of
the collections of C(m, k) sets. Every client is in one group k = 1..K, by identifier or coin.

A `PlainGroup` reports items, from which sets of 2..K items are estimated. This is select-a-size as
in the paper, without its own estimates of items: in a second phase items are known already. For
gamma of 6 and more lifted groups were better in all cases tried; for small gamma this one can be,
since one report serves all sizes of sets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ppdm_formal.declare.families.select_a_size import Randomization, from_balance
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.item_form import ItemForm, best_item_form
from ppdm_formal.design.lds import LowestSupport
from ppdm_formal.design.optimum import best_form
from ppdm_formal.design.plan import MAX_SETS
from ppdm_formal.design.shares import PooledNoise, best_split

_ROUNDS = 3  # of choosing forms for the LDS that the forms before them reached


@dataclass(frozen=True)
class LiftedSize:
    """What baskets of m items get: the form for C(m, k) sets."""

    size: int
    form: ItemForm


@dataclass(frozen=True)
class LiftedGroup:
    """Clients that report sets of k items: a form for each basket size from k on."""

    itemset: int
    sizes: tuple[LiftedSize, ...]
    noise: PooledNoise

    @property
    def lifted(self) -> int:
        """Sets of k items are reported."""
        return self.itemset

    @property
    def noises(self) -> Mapping[int, PooledNoise]:
        """The pooled noise of what the group estimates, by size of sets."""
        return {self.itemset: self.noise}


@dataclass(frozen=True)
class LiftedDesign:
    """Groups for k = 1..K, their shares of all clients, and what each discovers."""

    transactions: int
    groups: tuple[LiftedGroup, ...]
    shares: tuple[Fraction, ...]
    ideal: float
    """The largest LDS with the best real shares."""

    @property
    def lds(self) -> tuple[LowestSupport, ...]:
        """The LDS of each group's sets, with the shares as they are."""
        return group_lds([group.noise for group in self.groups], self.shares, self.transactions)

    @property
    def largest(self) -> float:
        """The largest LDS."""
        return max(map(float, self.lds))


def group_lds(
    noises: Sequence[PooledNoise], shares: Sequence[Fraction], transactions: int
) -> tuple[LowestSupport, ...]:
    """The LDS of each group with its share of the clients."""
    return tuple(
        noise.lds(share * transactions) for noise, share in zip(noises, shares, strict=True)
    )


def lifted_design(
    histogram: Mapping[int, int],
    gamma: Fraction,
    itemsets: int,
    bits: int | None = None,
    share_bits: int | None = None,
) -> LiftedDesign:
    """Groups k = 1..K with the least largest LDS; `histogram` counts the clients of each size.

    >>> found = lifted_design({5: 5_000_000}, Fraction(19), 3)
    >>> [f"{float(group.noise.absent):.1f}" for group in found.groups]
    ['1.2', '2.4', '2.4']
    >>> [str(share) for share in found.shares], f"{100 * found.largest:.3f}%"
    (['51/256', '205/512', '205/512'], '0.446%')
    """
    check_histogram(histogram)
    if itemsets < 1:
        raise ValueError(f"itemsets of {itemsets} items: at least 1 is needed")
    return _best(histogram, gamma, range(1, itemsets + 1), bits, share_bits)


def _best(
    histogram: Mapping[int, int],
    gamma: Fraction,
    itemsets: Sequence[int],
    bits: int | None,
    share_bits: int | None,
) -> LiftedDesign:
    """The forms suit the support that is to be seen, which depends on them: a few rounds."""
    found: LiftedDesign | None = None
    support = 0.0
    transactions = sum(histogram.values())
    for _ in range(_ROUNDS):
        groups = tuple(
            lifted_group(histogram, gamma, itemset, support, bits) for itemset in itemsets
        )
        noises = [group.noise for group in groups]
        split = best_split(
            [noise.clients for noise in noises],
            lambda shares, noises=noises: max(  # type: ignore[misc]
                map(float, group_lds(noises, shares, transactions))
            ),
            transactions,
            share_bits,
        )
        design = LiftedDesign(transactions, groups, split.shares, split.ideal)
        if found is None or design.largest < found.largest:
            found = design
        support = min(1.0, found.largest)
    assert found is not None
    return found


def lifted_group(
    histogram: Mapping[int, int],
    gamma: Fraction,
    itemset: int,
    support: float,
    bits: int | None = None,
) -> LiftedGroup:
    """The forms for one k that see a support best, and their noise pooled over sizes."""
    known = {size: count for size, count in sorted(histogram.items()) if count}
    large = {size: count for size, count in known.items() if size >= itemset}
    if not large:
        raise ValueError(f"itemsets of {itemset} items fit in no basket")
    for size in large:
        check_sets(size, itemset)
    # Among baskets that can hold the set its support is larger; where it would be in most of them
    # it is hardly discoverable, and forms for so large a support see nothing else.
    among = float(f"{min(0.5, support * sum(known.values()) / sum(large.values())):.1e}")
    forms = {size: best_item_form(math.comb(size, itemset), gamma, among, bits) for size in large}
    noise = PooledNoise.over(
        known, itemset, lambda size: (forms[size].noise_absent, forms[size].noise_held)
    )
    return LiftedGroup(itemset, tuple(LiftedSize(m, form) for m, form in forms.items()), noise)


def check_sets(size: int, itemset: int) -> None:
    """Refuse baskets of too many sets to report on."""
    sets = math.comb(size, itemset)
    if sets > MAX_SETS:
        raise ValueError(
            f"a basket of {size} items has {sets} sets of {itemset} items; a lifted report is on "
            f"at most {MAX_SETS}: mine smaller itemsets, or use two phases"
        )


def check_histogram(histogram: Mapping[int, int]) -> None:
    """Refuse sizes below 0, counts below 0, and no clients at all."""
    for size, count in histogram.items():
        if size < 0 or count < 0:
            raise ValueError(f"{count} baskets of {size} items: neither may be negative")
    if not any(histogram.values()):
        raise ValueError("there are no baskets")


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
