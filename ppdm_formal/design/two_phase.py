"""Two phases: some clients report items, the others sets of those items that were found frequent.

Phase one estimates items, and chooses those whose estimates reach a threshold of z deviations.
What is let in wrongly costs only noise, since phase two weeds it out; so z is less than the four
deviations that a discovery takes. Phase two projects baskets onto the chosen items and reports
sets of k = 2..K of them (lifted.py): short baskets, little noise. Every client takes part in one
phase, so that each keeps gamma. The share of phase one makes two supports equal: that from which
on an item is missed with at most a given chance, and the largest LDS of phase two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from statistics import NormalDist

from ppdm_formal.design.at_hand import whole_counts
from ppdm_formal.design.cut import Around, KeptShares, remaining
from ppdm_formal.design.lds import LowestSupport, normal
from ppdm_formal.design.lifted import (
    BELOW,
    LONGEST,
    LiftedGroup,
    PlainGroup,
    check_histogram,
    lifted_group,
    plain_group,
)
from ppdm_formal.design.shares import PooledNoise, best_split, least_enough

STRICTNESS = (2.0, 2.5, 3.0)
"""The thresholds that are tried, in deviations of an absent item's estimate."""

MISSED = Fraction(1, 2)
"""The chance that an item is missed whose support is the largest LDS of phase two.

One half is what a lowest discoverable support means: the estimate of a set with this support is
above four deviations with even chance.
"""

MAX_PROJECTED_SETS = 1000
"""Projected baskets are cut where they would hold more sets of K items."""

NEAR = 1.05
"""Of thresholds that lose less than this the highest is taken: it lets in fewest items wrongly,
and so fewest sets that may then be invented."""

MOST_HIDDEN = 12
"""The largest size that is tried for hiding all projected sizes; noise grows with it."""

SHARE_BITS = 8
"""The share of phase one is a fraction over 2^8."""

Projection = Callable[[Callable[[float], float]], Mapping[int, float]]
"""From the chance that an item of a (remaining) support is chosen to expected projected sizes."""


@dataclass(frozen=True)
class Screen:
    """Phase one: clients that report items, and the estimate from which on an item is chosen.

    Supports are those of the baskets that are reported: what cutting leaves of them.
    """

    noise: PooledNoise
    clients: float
    strictness: float

    def deviation(self, support: float) -> float:
        """The standard deviation of an item's estimate, whose support is given."""
        return math.sqrt(self.noise.variance(support) / self.clients)

    @property
    def threshold(self) -> float:
        """Items whose estimates are at least this are chosen."""
        return self.strictness * self.deviation(0.0)

    def missed(self, support: float) -> float:
        """The chance that an item of this support is not chosen."""
        return normal((self.threshold - support) / self.deviation(support))

    def chosen(self, support: float) -> float:
        """The chance that an item of this support is chosen."""
        return normal((support - self.threshold) / self.deviation(support))

    @property
    def let_in(self) -> float:
        """The chance that an item of support 0 is chosen."""
        return normal(-self.strictness)


def screening_clients(
    noise: PooledNoise, strictness: float, missed: Fraction
) -> Callable[[float], float]:
    """How many clients phase one needs to miss an item of a support with at most this chance."""
    margin = -NormalDist().inv_cdf(float(missed))

    def clients(support: float) -> float:
        whole = strictness * math.sqrt(noise.variance(0.0))
        whole += margin * math.sqrt(noise.variance(support))
        return (max(0.0, whole) / support) ** 2

    return clients


@dataclass(frozen=True)
class TwoPhaseDesign:
    """Both phases: groups, shares (of phase one first), and what is predicted."""

    transactions: int
    items: LiftedGroup
    screen: Screen
    projected: Mapping[int, int]
    """How many of all clients are expected to have each projected size."""
    most: int
    """Longer projected baskets are cut to this size."""
    hidden: bool
    """Whether all projected baskets are padded (and cut) to that one size."""
    groups: tuple[LiftedGroup | PlainGroup, ...]
    shares: tuple[Fraction, ...]
    missed: Fraction
    """The chance that an item is missed whose support is `found`."""
    kept: KeptShares
    """What remains of items' supports where baskets of phase one are cut."""

    @property
    def item_lds(self) -> LowestSupport:
        """The LDS of items from phase one, of what remains of their supports: four deviations."""
        return self.items.noise.lds(self.shares[0] * self.transactions)

    @property
    def found(self) -> float:
        """The support from which on items are missed with at most the chance that was allowed.

        Before cutting, where as much of it remains as of items with such a support on average.
        """
        screen = self.screen
        needed = screening_clients(screen.noise, screen.strictness, self.missed)
        enough = least_enough(lambda support: needed(support) <= screen.clients)
        if self.kept.whole:
            return enough
        return least_enough(lambda support: support * self.kept.mean(support) >= enough)

    def missed_at(self, support: float) -> Around:
        """The chances that an item of this support (before cutting) is missed: see Around."""
        near = self.kept.around(support)
        chance = self.screen.missed
        return Around(*(chance(support * share) for share in (near.most, near.mean, near.least)))

    @property
    def remains(self) -> dict[int, Fraction]:
        """For k = 2..K, the share of a support that remains after projected baskets are cut."""
        return {k: remaining(self.projected, self.most, k).evenly for k in self.lds}

    @property
    def lds(self) -> dict[int, LowestSupport]:
        """The LDS of sets of 2..K chosen items, of what remains of their supports."""
        return {
            k: noise.lds(share * self.transactions)
            for group, share in zip(self.groups, self.shares[1:], strict=True)
            for k, noise in group.noises.items()
        }

    @property
    def supports(self) -> dict[int, float]:
        """The same as supports before cutting."""
        return {k: float(lds) / float(self.remains[k]) for k, lds in self.lds.items()}

    @property
    def discoverable(self) -> dict[int, bool]:
        """Whether sets of k items can have the supports that are needed to see them."""
        lds = self.lds
        return {
            k: noise.discoverable(lds[k])
            for group in self.groups
            for k, noise in group.noises.items()
        }

    @property
    def largest(self) -> float:
        """The largest of what phase one finds and what phase two discovers."""
        return max(self.found, *self.supports.values())


def most_projected(itemsets: int) -> int:
    """The largest projected size whose sets of K items are few enough to report on.

    >>> most_projected(2), most_projected(3)
    (45, 19)
    """
    size = itemsets
    while math.comb(size + 1, itemsets) <= MAX_PROJECTED_SETS:
        size += 1
    return size


def cut_sizes(projected: Mapping[int, int], most: int) -> dict[int, int]:
    """The histogram after longer baskets are cut to `most` items."""
    found: dict[int, int] = {}
    for size, count in sorted(projected.items()):
        found[min(size, most)] = found.get(min(size, most), 0) + count
    return found


def reported(projected: Mapping[int, int], most: int, hidden: bool) -> dict[int, int]:
    """How many clients report with each size: all with one, or each with its own, cut."""
    return {most: sum(projected.values())} if hidden else cut_sizes(projected, most)


def second_phase(
    projected: Mapping[int, int],
    gamma: Fraction,
    itemsets: int,
    most: int,
    hidden: bool,
    support: float,
    bits: int | None = None,
) -> tuple[LiftedGroup, ...]:
    """Groups for sets of 2..K items of projected baskets, suited to a support."""
    sizes = reported(projected, most, hidden)
    if max(sizes) < itemsets:
        raise ValueError(f"projected baskets hold no sets of {itemsets} items")
    return tuple(lifted_group(sizes, gamma, k, support, bits) for k in range(2, itemsets + 1))


def two_phase_design(
    histogram: Mapping[int, int],
    projection: Projection,
    gamma: Fraction,
    itemsets: int,
    hidden: bool = False,
    bits: int | None = None,
    missed: Fraction = MISSED,
    strictness: Sequence[float] = STRICTNESS,
    kept: KeptShares | None = None,
) -> TwoPhaseDesign:
    """Shares, threshold and forms of both phases that make the largest LDS least.

    `histogram` counts the clients of each size that phase one reports; `projection` predicts the
    projected sizes, from the chance that an item is chosen of whose support so much remains;
    `kept` is what remains of items' supports where phase one cuts baskets (None: all).
    """
    if itemsets < 2:
        raise ValueError("two phases are for itemsets of at least 2 items")
    if not 0 < missed <= Fraction(1, 2):
        raise ValueError(f"a chance of {missed} to miss an item: above 0, and at most 1/2")
    check_histogram(histogram)
    if sum(histogram.values()) < 2 * itemsets:
        raise ValueError(f"{sum(histogram.values())} clients are too few for two phases")
    left = KeptShares.alike(1.0) if kept is None else kept
    asked = _Asked(histogram, gamma, itemsets, hidden, bits, missed, left)
    tried = [_best_share(asked, projection, strict) for strict in strictness]
    designs = [found for found in tried if found is not None]
    if not designs:
        raise ValueError(
            f"too few items would be found frequent: no projected basket holds {itemsets} of them"
        )
    least = min(found.largest for found in designs)
    near = [found for found in designs if found.largest <= least * NEAR]
    return max(near, key=lambda found: found.screen.strictness)


@dataclass(frozen=True)
class _Asked:
    histogram: Mapping[int, int]
    gamma: Fraction
    itemsets: int
    hidden: bool
    bits: int | None
    missed: Fraction
    kept: KeptShares

    @property
    def transactions(self) -> int:
        return sum(self.histogram.values())


def _best_share(asked: _Asked, projection: Projection, strict: float) -> TwoPhaseDesign | None:
    """The share of phase one at which it finds what phase two discovers: both are monotone.

    More clients in phase one lower its threshold, which lets more items in and so, with fewer
    clients left, raises the LDS of phase two.
    """
    low, high = 0, 1 << SHARE_BITS
    best: TwoPhaseDesign | None = None
    support = 0.02
    while high - low > 1:
        middle = (low + high) // 2
        left = asked.transactions * ((1 << SHARE_BITS) - middle) >> SHARE_BITS
        if left < asked.itemsets:  # a client for each group of phase two
            high = middle
            continue
        found = _with_share(asked, projection, strict, Fraction(middle, 1 << SHARE_BITS), support)
        if found is None:  # no sets of the few items that are found
            low = middle
            continue
        if best is None or found.largest < best.largest:
            best = found
        support = min(0.5, found.largest)
        if found.found > max(found.supports.values()):
            low = middle
        else:
            high = middle
    return best


def _with_share(
    asked: _Asked, projection: Projection, strict: float, share: Fraction, support: float
) -> TwoPhaseDesign | None:
    """The design where phase one has this share of the clients."""
    items = lifted_group(asked.histogram, asked.gamma, 1, support, asked.bits)
    screen = Screen(items.noise, float(share) * asked.transactions, strict)
    projected = whole_counts(projection(screen.chosen), asked.transactions)
    sketch = _Sketch(items, screen, projected, share)
    tried = [
        _with_most(asked, sketch, most, support)
        for most in _sizes_to_try(projected, asked.itemsets, asked.hidden)
    ]
    return min(tried, key=lambda one: one.largest) if tried else None


@dataclass(frozen=True)
class _Sketch:
    """What the share of phase one decides."""

    items: LiftedGroup
    screen: Screen
    projected: Mapping[int, int]
    share: Fraction


def _sizes_to_try(projected: Mapping[int, int], itemsets: int, hidden: bool) -> list[int]:
    """The one size that hides all is to be chosen; public sizes are cut only where they must be."""
    largest = min(max(projected), most_projected(itemsets))
    if largest < itemsets:
        return []
    return list(range(itemsets, min(largest, MOST_HIDDEN) + 1)) if hidden else [largest]


def _with_most(asked: _Asked, sketch: _Sketch, most: int, support: float) -> TwoPhaseDesign:
    """The best second phase where projected baskets are cut to that size."""
    lifted = second_phase(
        sketch.projected, asked.gamma, asked.itemsets, most, asked.hidden, support, asked.bits
    )
    found = _divided(asked, sketch, most, lifted)
    if asked.gamma >= BELOW or most > LONGEST:
        return found
    sizes = reported(sketch.projected, most, asked.hidden)
    plain = plain_group(sizes, asked.gamma, asked.itemsets, asked.bits)
    return min(found, _divided(asked, sketch, most, (plain,)), key=lambda one: one.largest)


def _divided(
    asked: _Asked, sketch: _Sketch, most: int, groups: tuple[LiftedGroup | PlainGroup, ...]
) -> TwoPhaseDesign:
    """The best shares within phase two: what cutting takes from a support must be made up for."""
    kept = {
        k: float(remaining(sketch.projected, most, k).evenly) for k in range(2, asked.itemsets + 1)
    }

    def clients(group: LiftedGroup | PlainGroup, support: float) -> float:
        return max(noise.clients(support * kept[k]) for k, noise in group.noises.items())

    def designed(parts: Sequence[Fraction]) -> TwoPhaseDesign:
        return TwoPhaseDesign(
            asked.transactions,
            sketch.items,
            sketch.screen,
            sketch.projected,
            most,
            asked.hidden,
            groups,
            (sketch.share, *((1 - sketch.share) * part for part in parts)),
            asked.missed,
            asked.kept,
        )

    split = best_split(
        [partial(clients, group) for group in groups],
        lambda parts: max(designed(parts).supports.values()),
        math.floor((1 - sketch.share) * asked.transactions),
    )
    return designed(split.shares)
