"""What two transactions show among a crowd, by how many items outputs share with each of them.

Two transactions of m items are told apart by how many items they share. A third one, which all
others may have, shares none with either where there are items enough for that; otherwise the
others have the second.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_rational
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.pair import CrowdPair, crowd_kinds

if TYPE_CHECKING:
    from ppdm_formal.declare.families.overlap import OverlapLaw

MAX_TERMS = 20_000
"""Most ways of outputs to meet transactions that are counted for all pairs."""

MAX_KINDS = 5_000
"""Most kinds of outputs of all pairs: certificates carry them."""

MAX_DIGITS = 4_000_000
"""Most digits of all their chances, about: numbers have some for each item of a transaction."""

MAX_FORM_SIZE = 16
"""The same where coins have exponentials."""

Parts: TypeAlias = Iterable[tuple[Any, tuple[Exact, ...]]]
"""What crowd_kinds takes: (factor, (first, second, least, other))."""


@dataclass(frozen=True)
class Meeting:
    """Items that two transactions share, that each has alone, of the third, and of none of them.

    third: 0 where there is no such transaction: the others have the second.
    """

    both: int
    alone: int
    third: int
    neither: int

    def of_other(self, second: Any, third: Any) -> Any:
        """What belongs to the transaction that all others have."""
        return third if self.third else second


def meetings(items: int, size: int, with_third: bool = True) -> Iterator[Meeting]:
    """One for each number of items that two different transactions can share."""
    for alone in range(1, min(size, items - size) + 1):
        rest = items - size - alone
        third = size if with_third and rest >= size else 0
        yield Meeting(size - alone, alone, third, rest - third)


def pairs_of(
    items: int, size: int, parts: Callable[[Meeting], Parts], with_third: bool = True
) -> tuple[CrowdPair, ...]:
    """A pair for each meeting, with what `parts` says of it."""
    inputs = Subsets(items, size)
    found = []
    for met in meetings(items, size, with_third):
        second = inputs.index(frozenset(range(met.alone, met.alone + size)))
        beyond = range(met.alone + size, met.alone + 2 * size)
        other = inputs.index(frozenset(beyond)) if met.third else second
        found.append(CrowdPair(0, second, other, crowd_kinds(parts(met))))
    return tuple(found)


# -- by counting outputs: exact ------------------------------------------------------------------


def counted_pairs(law: OverlapLaw) -> tuple[CrowdPair, ...] | None:
    """From the likelihoods of all outputs, by their size and what they share; None: too many."""
    for with_third in (True, False):
        met = meetings(law.items, law.size, with_third)
        if sum(_terms(law, one) for one in met) <= MAX_TERMS:
            return pairs_of(law.items, law.size, lambda one: _counted(law, one), with_third)
    return None


def _terms(law: OverlapLaw, met: Meeting) -> int:
    widths = min(met.neither + 1, len(law.output_sizes))
    return (met.both + 1) * (met.alone + 1) ** 2 * (met.third + 1) * widths


def _counted(law: OverlapLaw, met: Meeting) -> Parts:
    """How many outputs there are of a size that share so many items with each transaction."""
    counts: dict[tuple[int, int, int, int], int] = {}
    shares = (met.both, met.alone, met.alone, met.third)
    sizes = law.output_sizes
    for held in itertools.product(*(range(share + 1) for share in shares)):
        both, first, second, third = held
        ways = math.prod(map(math.comb, shares, held))
        few, many = (end - sum(held) for end in (sizes.start, sizes.stop - 1))
        for rest in range(max(0, few), min(met.neither, many) + 1):
            key = (sum(held) + rest, both + first, both + second, third)
            counts[key] = counts.get(key, 0) + ways * math.comb(met.neither, rest)
    known = {
        width: {overlap: law.likelihood(width, overlap) for overlap in law.overlaps(width)}
        for width in {key[0] for key in counts}
    }
    for (width, first, second, third), many in counts.items():
        of = known[width]
        other = of[met.of_other(second, third)]
        # Some transaction has each of the overlaps that outputs of this size can have.
        yield many, (of[first], of[second], min(of.values()), other)


# -- by coins: each item comes in by itself, and outputs are likelier b[j] times ------------------


def weighed_pairs(
    items: int, size: int, insert: Exact, b: Sequence[Exact]
) -> tuple[CrowdPair, ...] | None:
    """Where p[t -> t'] is b[j] times what coins alone give, up to a factor; None: too many kinds.

    `least` is that of all b[j] times the coins. Outputs of fewer items than the j of that, or
    nearly all, may meet no transaction in so many: from those any input is likelier than is said.
    In return the kinds do not depend on how many items there are, as long as two transactions need
    share none, and have no term for each item.
    """
    if not is_rational(insert) and size > MAX_FORM_SIZE:
        return None
    coin = len(str(insert.denominator)) if is_rational(insert) else 1
    for with_third in (True, False):
        met = 3 if with_third else 2
        kinds = min(size, items - size) * len(set(b)) ** met
        digits = kinds * 4 * 2 * met * size * coin  # four chances of two sides, each for all coins
        if kinds <= MAX_KINDS and digits <= MAX_DIGITS:
            coins = _Coins(insert, tuple(b))
            return pairs_of(items, size, coins.parts, with_third)
    return None


class _Coins:
    """Chances under coins alone, over one denominator a coin: whole numbers where rho is one."""

    def __init__(self, insert: Exact, b: tuple[Exact, ...]) -> None:
        self.yes: Any = insert
        self.no: Any = 1 - insert
        self.coin: Any = 1
        if is_rational(insert):
            self.yes, self.coin = insert.numerator, insert.denominator
            self.no = self.coin - self.yes
        self.least = min(b)
        self.runs = [(level, len(list(run))) for level, run in itertools.groupby(b)]
        self.size = len(b) - 1
        self.third = self._levels(self._heads_up_to(self.size), 0)
        # The mean of b[j], which p[t -> t'] is divided by.
        self.whole = sum((level * chance for level, chance in self.third.items()), ZERO)

    def _heads(self, coins: int) -> list[Any]:
        """How likely so many of the coins show heads."""
        return [
            math.comb(coins, heads) * self.yes**heads * self.no ** (coins - heads)
            for heads in range(coins + 1)
        ]

    def _heads_up_to(self, coins: int) -> list[Any]:
        """The same of fewer than so many."""
        return list(itertools.accumulate(self._heads(coins), initial=0))

    def _levels(self, below: Sequence[Any], shared: int) -> dict[Exact, Any]:
        """How likely each b[j] is, j being what is shared and the heads of these coins."""
        found: dict[Exact, Any] = {}
        start, last = 0, len(below) - 1
        for level, many in self.runs:
            first, stop = (min(max(end - shared, 0), last) for end in (start, start + many))
            if stop > first:
                found[level] = found.get(level, 0) + below[stop] - below[first]
            start += many
        return found

    def parts(self, met: Meeting) -> Parts:
        """Given the heads of what is shared, what each has alone is independent."""
        alone = self._heads_up_to(met.alone)
        joint: dict[tuple[Exact, Exact], Any] = {}
        for shared, chance in enumerate(self._heads(met.both)):
            levels = self._levels(alone, shared)
            for (one, p), (two, q) in itertools.product(levels.items(), repeat=2):
                joint[one, two] = joint.get((one, two), 0) + chance * p * q
        coins = met.both + 2 * met.alone + met.third - self.size
        unit = 1 / (self.whole * Fraction(self.coin) ** coins)
        for (first, second), chance in joint.items():
            if met.third:
                for third, more in self.third.items():
                    yield chance * more * unit, (first, second, self.least, third)
            else:
                yield chance * unit, (first, second, self.least, second)


def certain_pairs(items: int, size: int, shown: Sequence[Exact]) -> tuple[CrowdPair, ...]:
    """Where outputs are some of the items of t alone, or all others: of j items with shown[j].

    Only what shows no item of t may come from every transaction.
    """

    def parts(met: Meeting) -> Parts:
        nothing, one = shown[0], sum(shown, ZERO)
        terms = (
            shown[j] * Fraction(math.comb(met.both, j), math.comb(size, j))
            for j in range(1, met.both + 1)
        )
        common = sum(terms, ZERO)
        own = one - nothing - common
        yield 1, (nothing,) * 4
        yield 1, (common, common, ZERO, met.of_other(common, ZERO))
        yield 1, (own, ZERO, ZERO, ZERO)
        yield 1, (ZERO, own, ZERO, met.of_other(own, ZERO))
        yield 1, (ZERO, ZERO, ZERO, met.of_other(ZERO, one - nothing))

    return pairs_of(items, size, parts)
