"""The exponential itemset mechanism (Dor18 section 3.2): P[I] ~ w(min(theta, supp(I))).

w(s) = e^(epsilon s / 4), over all 2^n itemsets, those of support 0 included. Counting them by
support is #P-hard, and not needed: w = 1 + (w - 1), and (w - 1) is spread over the rows that
hold the itemset. Itemsets of a support of c or more are listed (c is chosen for speed, and may be
beyond all); with T = the sum of 2^|row| over all rows, t = min(theta, c - 1) and M = (w(t) - 1)/t,
propose

    with weight 2^n                         a uniform itemset, and take it;
    with weight w - 1 of each listed one    that one, and take it;
    with weight M T                         a row drawn with weight 2^|row| and a uniform subset of
                                            it, of support s, and take it, unless it is listed,
                                            with probability ((w(min(theta, s)) - 1)/s) / M,

which is at most 1, because (w(s) - 1)/s grows up to theta and falls after it. What is taken has
weight 1 + (w - 1) = w, exactly. Probabilities with e^q are compared with random words through
enclosures that are refined until they decide.

Listed itemsets: those of at least some support, by support, so that they can be drawn directly.

Which support that is changes how fast the exponential mechanism draws, never its law.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from ppdm_formal.declare.arithmetic.exact import to_flint
from ppdm_formal.declare.arithmetic.exponential import Real, exp_of
from ppdm_formal.declare.operators.cut import Cut, RationalCut, Steps
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.infer.baskets.frequent import frequent
from ppdm_formal.infer.baskets.kernels import Counts, Words
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.trie import Trie
from ppdm_formal.run.errors import DataError

Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ListedItemsets:
    """All itemsets of support `cutoff` or more, in classes of min(theta, support), rising."""

    cutoff: int
    classes: tuple[tuple[int, Nodes], ...]
    trie: Trie
    items: Counts

    @property
    def many(self) -> int:
        """How many there are."""
        return sum(len(nodes) for _, nodes in self.classes)

    def itemset(self, node: int) -> tuple[int, ...]:
        """The items of one, by its node in the trie, rising."""
        found = []
        while node > 0:
            found.append(int(self.items[self.trie.last[node]]))
            node = int(self.trie.parent[node])
        return tuple(reversed(found))


def listed(rows: Rows, cutoff: int, theta: int) -> ListedItemsets:
    """List them; nothing where the cutoff is beyond all rows.

    >>> found = listed(Rows.of([[0, 1], [1], [1, 2]], 3), 2, 2)
    >>> [(support, [found.itemset(n) for n in nodes]) for support, nodes in found.classes]
    [(2, [(), (1,)])]
    """
    if cutoff > len(rows):
        return ListedItemsets(cutoff, (), Trie(0), np.zeros(0, dtype=np.int64))
    counted, items = frequent(rows, cutoff)
    capped = np.minimum(counted.counts, theta)
    classes = tuple((int(s), np.flatnonzero(capped == s)) for s in np.unique(capped))
    return ListedItemsets(cutoff, classes, counted.trie, items)


def listed_for(rows: Rows, epsilon: Fraction, theta: int) -> ListedItemsets:
    """As many as it takes; where these are too many, those of support theta, or none."""
    for cutoff in dict.fromkeys((cutoff_for(rows, epsilon, theta), theta)):
        try:
            return listed(rows, cutoff, theta)
        except DataError:  # too many of them
            continue
    return listed(rows, len(rows) + 1, theta)


def cutoff_for(rows: Rows, epsilon: Fraction, theta: int) -> int:
    """A support from which on to list: where subsets of rows alone would hardly ever be taken.

    In floats, since only speed depends on it: the weight of proposals from rows, M T, should not
    be above those of all itemsets and of one of support theta.
    """
    step = float(epsilon) / 4
    rows_weight = math.log(sum(1 << int(k) for k in np.diff(rows.offsets).tolist()))
    goal = max(rows.count * math.log(2), step * theta)

    def weight(support: int) -> float:
        grown = step * support
        above = grown if grown > 30 else math.log(math.expm1(grown))
        return above - math.log(support) + rows_weight

    if weight(theta) <= goal + math.log(4):
        return len(rows) + 1
    low, high = 0, theta  # supports up to low are proposed from rows
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if weight(middle) <= goal else (low, middle - 1)
    return low + 1


MAX_EXPONENT = 10**6
"""Largest epsilon theta / 4."""

MAX_CELLS = 1 << 32
"""Most bits of transactions times items: 512 MiB."""

_BATCH = 1024


@dataclass(frozen=True)
class BallCut(Cut):
    """An irrational number in (0, 1), by its value in ball arithmetic at any precision."""

    ball: Callable[[], Any]

    def floor(self, bits: int) -> int:
        """An enclosure is refined until its floor is certain."""
        before, precision = ctx.prec, bits + 64
        try:
            while True:
                ctx.prec = precision
                scaled = self.ball() * arb(2) ** bits
                low, high = scaled.lower().floor(), scaled.upper().floor()
                found = low.unique_fmpz()
                if found is not None and low == high:
                    return int(found)
                precision *= 2
        finally:
            ctx.prec = before

    def exact(self, bits: int) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class ItemsetMechanism:
    """Draws itemsets from transactions over items 0..n-1.

    >>> rows = Rows.of([[0, 1], [1], [1, 2]], 3)
    >>> mechanism = ItemsetMechanism.of(rows, Fraction(4), 2)
    >>> str(mechanism.weight(1)), str(mechanism.weight(3)), mechanism.support([1])
    ('exp(1)', 'exp(2)', 3)
    """

    rows: Rows
    epsilon: Fraction
    theta: int
    listed: ListedItemsets
    _steps: dict[tuple[str, int, int], Steps] = field(default_factory=dict, compare=False)
    _sums: dict[int, list[Any]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(
        cls, rows: Rows, epsilon: Fraction, theta: int, cutoff: int | None = None
    ) -> ItemsetMechanism:
        """ValueError where a parameter is none, or the data are too many.

        cutoff: c, chosen where it is not given; the law does not depend on it.
        """
        if epsilon <= 0:
            raise ValueError("epsilon must be above 0")
        if not len(rows):
            raise ValueError("there are no transactions")
        if not 1 <= theta <= len(rows):
            raise ValueError(f"the support must be from 1 to {len(rows):,} transactions")
        if epsilon * theta / 4 > MAX_EXPONENT:
            raise ValueError(f"epsilon times the support is above {4 * MAX_EXPONENT:,}")
        if len(rows) * max(1, rows.count) > MAX_CELLS:
            raise ValueError(f"{len(rows):,} transactions over {rows.count:,} items are too many")
        found = listed_for(rows, epsilon, theta) if cutoff is None else listed(rows, cutoff, theta)
        return cls(rows, epsilon, theta, found)

    # -- the law, exactly ---------------------------------------------------------------------

    def weight(self, support: int) -> Real:
        """w(min(theta, support)): what an itemset of this support weighs."""
        return exp_of(self.epsilon * min(self.theta, support) / 4)

    @property
    def top(self) -> int:
        """t: the largest support, up to theta, of what is proposed from rows."""
        return min(self.theta, self.listed.cutoff - 1)

    def spread(self) -> Real:
        """M: the largest weight above 1 that a row gives a subset; 0 where all are listed."""
        return (self.weight(self.top) - 1) / self.top if self.top else Fraction(0)

    def accepted(self, support: int) -> Real:
        """How likely a row's subset of this support is taken, once proposed."""
        if support >= self.listed.cutoff:
            return Fraction(0)
        return (self.weight(support) - 1) / support / self.spread()

    @cached_property
    def sizes(self) -> tuple[tuple[int, npt.NDArray[np.int64]], ...]:
        """Each size of a row, with the rows that have it."""
        found = np.diff(self.rows.offsets)
        return tuple((int(k), np.flatnonzero(found == k)) for k in np.unique(found))

    @cached_property
    def subsets(self) -> int:
        """T: all subsets of all rows."""
        return sum(len(rows) << size for size, rows in self.sizes)

    def support(self, items: Sequence[int]) -> int:
        """How many transactions hold all of these items."""
        if not len(items):
            return len(self.rows)
        both = np.bitwise_and.reduce(self._columns[list(items)], axis=0)
        return int(np.bitwise_count(both).sum())

    # -- drawing ------------------------------------------------------------------------------

    def draw(self, count: int, bits: Bits) -> list[tuple[int, ...]]:
        """So many independent itemsets."""
        found: list[tuple[int, ...]] = []
        while len(found) < count:
            found += self.proposals(min(_BATCH, 16 + 2 * (count - len(found))), bits)
        return found[:count]

    def proposals(self, many: int, bits: Bits) -> list[tuple[int, ...]]:
        """The itemsets taken of so many proposals, in their order."""
        kinds = bits.choose(self._kinds(bits.width), many)
        names = self._kind_names
        drawn: list[tuple[int, ...] | None] = [None] * many
        for number, name in enumerate(names):
            places = np.flatnonzero(kinds == number).tolist()
            made = getattr(self, f"_{name}")(len(places), bits) if places else []
            for place, one in zip(places, made, strict=True):
                drawn[place] = one
        return [one for one in drawn if one is not None]

    @property
    def _kind_names(self) -> tuple[str, ...]:
        return ("uniform", *(["known"] if self.listed.many else []), *(["row"] if self.top else []))

    def _uniform(self, count: int, bits: Bits) -> list[tuple[int, ...]]:
        """Uniform itemsets."""
        return [
            _members(row, range(self.rows.count)) for row in _coins(bits, count, self.rows.count)
        ]

    def _known(self, count: int, bits: Bits) -> list[tuple[int, ...]]:
        """Listed itemsets: first which support, then which of that support."""
        classes = bits.choose(self._class_steps(bits.width), count)
        many = np.array([len(self.listed.classes[k][1]) for k in classes.tolist()], dtype=np.int64)
        which = bits.below(many)
        return [
            self.listed.itemset(int(self.listed.classes[k][1][w]))
            for k, w in zip(classes.tolist(), which.tolist(), strict=True)
        ]

    def _row(self, count: int, bits: Bits) -> list[tuple[int, ...] | None]:
        """Subsets of rows, None where they are not taken."""
        sizes = bits.choose(self._size_steps(bits.width), count)
        many = np.array([len(self.sizes[k][1]) for k in sizes.tolist()], dtype=np.int64)
        which = bits.below(many)
        found: list[tuple[int, ...] | None] = []
        supports = []
        longest = max(self.sizes[k][0] for k in sizes.tolist())
        coins = _coins(bits, count, longest)
        for k, w, heads in zip(sizes.tolist(), which.tolist(), coins, strict=True):
            row = int(self.sizes[k][1][w])
            items = self.rows.items[self.rows.offsets[row] : self.rows.offsets[row + 1]]
            found.append(_members(heads, items.tolist()))
            supports.append(self.support(found[-1] or ()))
        seen = np.array(supports)
        for support in np.unique(seen).tolist():
            places = np.flatnonzero(seen == support)
            taken = np.zeros(len(places), dtype=bool)
            if support < self.listed.cutoff:
                taken = bits.coins(self._acceptance(support, bits.width), len(places))
            for place in places[~taken].tolist():
                found[place] = None
        return found

    @cached_property
    def _columns(self) -> Words:
        """Which transactions hold each item, as bits."""
        held = np.zeros((self.rows.count, -(-len(self.rows) // 64) * 8), dtype=np.uint8)
        owners = np.repeat(np.arange(len(self.rows)), np.diff(self.rows.offsets))
        order = np.argsort(self.rows.items, kind="stable")
        ends = np.searchsorted(self.rows.items[order], np.arange(self.rows.count + 1))
        for item in range(self.rows.count):
            bits = np.zeros(held.shape[1] * 8, dtype=np.uint8)
            bits[owners[order[ends[item] : ends[item + 1]]]] = 1
            held[item] = np.packbits(bits, bitorder="little")
        return held.view(np.uint64)

    # -- the coins ----------------------------------------------------------------------------

    def _exp(self, support: int) -> Any:
        """w(support) - 1 as a ball."""
        return arb(to_flint(self.epsilon * support / 4)).exp() - 1

    def _listed_sums(self) -> list[Any]:
        """The weights above 1 of the listed itemsets, summed up class by class, as balls."""
        sums = self._sums.setdefault(ctx.prec, [])
        if not sums:
            total = arb(0)
            for support, nodes in self.listed.classes:
                total += len(nodes) * self._exp(support)
                sums.append(total)
        return sums

    def _weights(self) -> list[Any]:
        """The weight of each kind of proposal, as balls."""
        known = self._listed_sums()[-1] if self.listed.many else arb(0)
        rows = self._exp(self.top) * self.subsets / self.top if self.top else arb(0)
        return [arb(2) ** self.rows.count, *([known] if self.listed.many else []),
                *([rows] if self.top else [])]  # fmt: skip

    def _kinds(self, width: int) -> Steps:
        """Which kind is proposed: ratios of sums with different powers of e, so irrational."""

        def cut(number: int) -> BallCut:
            def ball() -> Any:
                weights = self._weights()
                below = sum(weights[: number + 1], arb(0))
                return below / sum(weights, arb(0))

            return BallCut(ball)

        return self._kept(("kind", 0, width), [cut(k) for k in range(len(self._kind_names) - 1)])

    def _class_steps(self, width: int) -> Steps:
        """Which support a listed itemset has."""

        def cut(number: int) -> BallCut:
            def ball() -> Any:
                sums = self._listed_sums()
                return sums[number] / sums[-1]

            return BallCut(ball)

        return self._kept(
            ("class", 0, width), [cut(k) for k in range(len(self.listed.classes) - 1)]
        )

    def _size_steps(self, width: int) -> Steps:
        """How long a row is, with weight 2^size for each."""
        if ("size", 0, width) not in self._steps:
            parts = np.array([len(rows) << size for size, rows in self.sizes], dtype=object)
            self._steps["size", 0, width] = Steps.of_weights(parts, self.subsets, width)
        return self._steps["size", 0, width]

    def _acceptance(self, support: int, width: int) -> Steps:
        """Heads: a row's subset of this support is taken."""
        top = self.top
        if support >= top:  # beyond theta, where nothing is listed
            return self._kept(("taken", support, width), [RationalCut(top, support)])

        def ball() -> Any:
            return self._exp(support) * top / (self._exp(top) * support)

        return self._kept(("taken", support, width), [BallCut(ball)])

    def _kept(self, key: tuple[str, int, int], cuts: Sequence[Cut]) -> Steps:
        if key not in self._steps:
            self._steps[key] = Steps.of(cuts, key[2])
        return self._steps[key]


def _members(heads: npt.NDArray[np.bool_], items: Sequence[int]) -> tuple[int, ...]:
    return tuple(items[place] for place in np.flatnonzero(heads[: len(items)]).tolist())


def _coins(bits: Bits, count: int, width: int) -> npt.NDArray[np.bool_]:
    """Fair coins, a row each; from words of any width."""
    words = -(-width // bits.width)
    drawn = bits.words(count * words).astype(np.uint64).reshape(count, words, 1)
    shifts = np.arange(bits.width, dtype=np.uint64)
    return ((drawn >> shifts) & np.uint64(1)).astype(bool).reshape(count, words * bits.width)
