"""The exponential itemset mechanism (Dor18 section 3.2): P[I] ~ w(min(theta, supp(I))).

w(s) = e^(epsilon s / 4), over all 2^n itemsets, those of support 0 included. Counting them by
support is #P-hard, and not needed: w = 1 + (w - 1), and (w - 1) is spread over the rows that
hold the itemset. So with T = the sum of 2^|row| over all rows and M = (w(theta) - 1)/theta,
propose

    with weight 2^n  a uniform itemset, and take it;
    with weight M T  a row drawn with weight 2^|row| and a uniform subset of it, of support s,
                     and take it with probability ((w(min(theta, s)) - 1)/s) / M,

which is at most 1, because (w(s) - 1)/s grows up to theta and falls after it. What is taken has
weight 1 + supp (w - 1)/supp = w, exactly. Probabilities with e^q are compared with random words
through enclosures that are refined until they decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from ppdm_formal.generate.bit_rows import BitRows, items_of_bits
from ppdm_formal.numbers.exact import to_flint
from ppdm_formal.numbers.exponential import Real, exp_of
from ppdm_formal.operator.cut import Cut, RationalCut, Steps
from ppdm_formal.operator.draw import Bits
from ppdm_formal.run.mine.kernels import Counts, Words
from ppdm_formal.run.mine.rows import Rows

MAX_EXPONENT = 10**6
"""Largest epsilon theta / 4."""

MAX_CELLS = 1 << 27
"""Most words of 64 items that all different rows may take: a gigabyte."""

_BATCH = 1024
_CELLS = 1 << 22
"""Words that are looked at in one step."""


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

    rows: BitRows
    epsilon: Fraction
    theta: int

    @classmethod
    def of(cls, rows: Rows, epsilon: Fraction, theta: int) -> ItemsetMechanism:
        """ValueError where a parameter is none, or the data are too many."""
        if epsilon <= 0:
            raise ValueError("epsilon must be above 0")
        if not len(rows):
            raise ValueError("there are no transactions")
        if not 1 <= theta <= len(rows):
            raise ValueError(f"the support must be from 1 to {len(rows):,} transactions")
        if epsilon * theta / 4 > MAX_EXPONENT:
            raise ValueError(f"epsilon times the support is above {4 * MAX_EXPONENT:,}")
        if len(rows) * max(1, -(-rows.count // 64)) > MAX_CELLS:
            raise ValueError(f"{len(rows):,} transactions over {rows.count:,} items are too many")
        return cls(BitRows.of(rows), epsilon, theta)

    # -- the law, exactly ---------------------------------------------------------------------

    def weight(self, support: int) -> Real:
        """w(min(theta, support)): what an itemset of this support weighs."""
        return exp_of(self.epsilon * min(self.theta, support) / 4)

    def spread(self) -> Real:
        """M: the largest weight above 1 that a row gives one of its subsets."""
        return (self.weight(self.theta) - 1) / self.theta

    def accepted(self, support: int) -> Real:
        """How likely a row's subset of this support is taken, once proposed."""
        return (self.weight(support) - 1) / support / self.spread()

    @cached_property
    def row_weights(self) -> npt.NDArray[Any]:
        """2^|row| times how often it occurs, for each different row; as Python's integers."""
        sizes = np.bitwise_count(self.rows.words).sum(axis=1, dtype=np.int64).tolist()
        whole = [
            count << size for count, size in zip(self.rows.weights.tolist(), sizes, strict=True)
        ]
        return np.array(whole, dtype=object)

    def support(self, items: list[int]) -> int:
        """How many transactions hold all of these items."""
        chosen = np.zeros((1, self.rows.words.shape[1]), dtype=np.uint64)
        for item in items:
            chosen[0, item // 64] |= np.uint64(1 << item % 64)
        return int(self._supports(chosen)[0])

    # -- drawing ------------------------------------------------------------------------------

    def draw(self, count: int, bits: Bits) -> list[tuple[int, ...]]:
        """So many independent itemsets."""
        found: list[tuple[int, ...]] = []
        while len(found) < count:
            taken = self.proposals(min(_BATCH, 64 + 4 * (count - len(found))), bits)
            found += [tuple(items_of_bits(words)) for words in taken]
        return found[:count]

    def proposals(self, many: int, bits: Bits) -> Words:
        """The itemsets taken of so many proposals, in their order, as sets of bits."""
        uniform = bits.coins(self._uniform(bits.width), many)
        chosen = np.tile(self._all_items, (many, 1))
        drawn = bits.choose(self._rows(bits.width), int((~uniform).sum()))
        chosen[~uniform] = self.rows.words[drawn]
        chosen &= _random_bits(bits, chosen.shape)
        taken = uniform.copy()
        places = np.flatnonzero(~uniform)
        supports = self._supports(chosen[places])
        for support in np.unique(supports).tolist():
            alike = places[supports == support]
            taken[alike] = bits.coins(self._acceptance(support, bits.width), len(alike))
        return chosen[taken]

    @cached_property
    def _all_items(self) -> Words:
        whole = np.zeros(self.rows.words.shape[1], dtype=np.uint64)
        for place in range(len(whole)):
            width = min(64, max(0, self.rows.items - 64 * place))
            whole[place] = np.uint64((1 << width) - 1)
        return whole

    @cached_property
    def _steps(self) -> dict[tuple[int, int], Steps]:
        return {}

    def _uniform(self, width: int) -> Steps:
        """Heads: a uniform itemset is proposed, 2^n / (2^n + M T)."""
        total, n = int(self.row_weights.sum()), self.rows.items

        def ball() -> Any:
            grown = (arb(to_flint(self.epsilon * self.theta / 4))).exp() - 1
            return 1 / (1 + grown * arb(total) / self.theta / arb(2) ** n)

        return self._kept((0, width), BallCut(ball))

    def _acceptance(self, support: int, width: int) -> Steps:
        """Heads: a row's subset of this support is taken."""
        if support >= self.theta:
            return self._kept((support, width), RationalCut(self.theta, support))

        def ball() -> Any:
            here, there = (
                (arb(to_flint(self.epsilon * s / 4))).exp() - 1 for s in (support, self.theta)
            )
            return here * self.theta / (there * support)

        return self._kept((support, width), BallCut(ball))

    def _kept(self, key: tuple[int, int], cut: Cut) -> Steps:
        if key not in self._steps:
            self._steps[key] = Steps.of([cut], key[1])
        return self._steps[key]

    def _rows(self, width: int) -> Steps:
        """A different row, with its weight."""
        if (-1, width) not in self._steps:
            parts = self.row_weights
            self._steps[-1, width] = Steps.of_weights(parts, int(parts.sum()), width)
        return self._steps[-1, width]

    def _supports(self, chosen: Words) -> Counts:
        """How many transactions hold each of these sets."""
        found = np.zeros(len(chosen), dtype=np.int64)
        words = self.rows.words
        step = max(1, _CELLS // max(1, words.size))
        sets, where = np.unique(chosen, axis=0, return_inverse=True)
        counts = np.zeros(len(sets), dtype=np.int64)
        for first in range(0, len(sets), step):
            some = sets[first : first + step, None, :]
            held = ((words & some) == some).all(axis=2)
            counts[first : first + step] = held @ self.rows.weights
        found[:] = counts[where.reshape(-1)]
        return found


def _random_bits(bits: Bits, shape: tuple[int, int]) -> Words:
    """Words of 64 random bits each, from words of any width that divides 64."""
    pieces = -(-64 // bits.width)
    drawn = bits.words(math.prod(shape) * pieces).astype(np.uint64).reshape(*shape, pieces)
    whole = np.zeros(shape, dtype=np.uint64)
    for piece in range(pieces):
        whole |= drawn[..., piece] << np.uint64(piece * bits.width)
    return whole
