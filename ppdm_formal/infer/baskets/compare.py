"""Comparing what was mined from a release with the original transactions, by size of itemsets."""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ppdm_formal.infer.baskets.counting import Candidates, counts_of
from ppdm_formal.infer.baskets.levels import Level, Levels
from ppdm_formal.infer.baskets.mined_rounds import MinedRounds
from ppdm_formal.infer.baskets.packed import chunks
from ppdm_formal.infer.baskets.plain import mine_plain
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.randomized import EstimatedItemset, MinedRelease
from ppdm_formal.infer.baskets.release_counts import ReleaseCounts

RANGES = (Fraction(1, 2), Fraction(3, 4), Fraction(1))
"""Where ranges of supports end, as shares of the least support (as in the KDD 2002 tables)."""


@dataclass(frozen=True)
class Judged:
    """An itemset that is frequent in the original data, or listed.

    estimate: with its standard error and 95% interval; None where the release says nothing of it.
    """

    items: frozenset[str]
    true: Fraction
    frequent: bool
    listed: bool
    estimate: EstimatedItemset | None


@dataclass(frozen=True)
class SizeCompared:
    """Itemsets of one size: frequent in the original data, listed, and how the wrong ones lie.

    Shares of the original transactions: of false drops the largest and the median support, of
    false positives the smallest and the median; None where there are none. estimated: of the
    frequent sets, how many have estimates below 1/2, 3/4, 1 times the least support, and above;
    supported: of those listed, how many have such supports.
    """

    size: int
    frequent: int
    listed: int
    true_positives: int
    largest_dropped: Fraction | None
    median_dropped: Fraction | None
    smallest_invented: Fraction | None
    median_invented: Fraction | None
    estimated: tuple[int, ...]
    supported: tuple[int, ...]

    @property
    def false_drops(self) -> int:
        """Frequent sets that were not listed."""
        return self.frequent - self.true_positives

    @property
    def false_positives(self) -> int:
        """Sets that were listed, and are not frequent."""
        return self.listed - self.true_positives


@dataclass(frozen=True)
class AgainstOriginal:
    """The original transactions against what was found; `judged` by size, then by support."""

    transactions: int
    sizes: tuple[SizeCompared, ...]
    judged: tuple[Judged, ...]


def compared(found: MinedRelease, truth: PlainData) -> AgainstOriginal:
    """With the same least share of all transactions, and the same largest size."""
    least = min(found.min_support.share(found.transactions), Fraction(1))
    exact = mine_plain(truth, least, max_size=found.max_size)
    true = {frozenset(one.items): one.support for one in exact.itemsets()}
    listed = {frozenset(one.items): one for one in found.itemsets()}
    invented = exact_supports(truth, listed.keys() - true.keys())
    missing = estimates_of(found, true.keys()) if true.keys() - listed.keys() else {}
    judged = [
        Judged(one, support, one in true, one in listed, listed.get(one) or missing.get(one))
        for one, support in {**true, **invented}.items()
    ]
    judged.sort(key=lambda one: (len(one.items), -one.true, sorted(one.items)))
    largest = max((len(one.items) for one in judged), default=0)
    sizes = [
        _of_size(size, [one for one in judged if len(one.items) == size], least)
        for size in range(1, largest + 1)
    ]
    return AgainstOriginal(len(truth.rows), tuple(sizes), tuple(judged))


def with_truth(found: MinedRounds, truth: PlainData) -> MinedRounds:
    """What rounds found, with the true supports of all sets that were measured."""
    least = min(found.min_support.share(found.transactions), Fraction(1))
    largest = max(len(one.items) for one in found.measured)
    exact = mine_plain(truth, least, max_size=largest)
    frequent = dict.fromkeys(range(1, largest + 1), 0)
    for one in exact.itemsets():
        frequent[len(one.items)] += 1
    supports = exact_supports(truth, {frozenset(one.items) for one in found.measured})
    return replace(found, truth=supports, frequent=frequent)


def _of_size(size: int, judged: Sequence[Judged], least: Fraction) -> SizeCompared:
    dropped = [one.true for one in judged if not one.listed]
    wrong = [one.true for one in judged if not one.frequent]
    return SizeCompared(
        size,
        sum(one.frequent for one in judged),
        sum(one.listed for one in judged),
        sum(one.frequent and one.listed for one in judged),
        max(dropped, default=None),
        statistics.median(dropped) if dropped else None,
        min(wrong, default=None),
        statistics.median(wrong) if wrong else None,
        _ranges([one.estimate.support for one in judged if one.frequent and one.estimate], least),
        _ranges([one.true for one in judged if one.listed], least),
    )


def _ranges(supports: Sequence[Fraction | float], least: Fraction) -> tuple[int, ...]:
    """How many are in each range, the last being those that reach the least support."""
    places = [bisect_right(RANGES, Fraction(support) / least) for support in supports]
    return tuple(places.count(place) for place in range(len(RANGES) + 1))


def estimates_of(
    found: MinedRelease, itemsets: Collection[frozenset[str]]
) -> dict[frozenset[str], EstimatedItemset]:
    """Estimates of sets all of whose subsets are among them, where the release tells any."""
    counter = ReleaseCounts([file for phase in found.levels.counter.phases for file in phase.files])
    levels = Levels(counter)
    names = counter.phases[0].transactions.names
    labels = [str(item) for item in range(counter.items)] if names is None else list(names)
    place = {label: item for item, label in enumerate(labels)}
    known = [sorted(place[item] for item in one) for one in itemsets if place.keys() >= one]
    items = levels.items()
    asked = np.isin(items.which, [row[0] for row in known if len(row) == 1])
    level = items.kept(asked)
    levels.start(level)
    estimates = _named(level, [[item] for item in level.which.tolist()], labels)
    column = {item: at for at, item in enumerate(levels.columns.tolist())}
    for size in range(2, max(map(len, known), default=0) + 1):
        rows = sorted(
            [column[item] for item in row]
            for row in known
            if len(row) == size and column.keys() >= set(row)
        )
        table = np.array(rows, dtype=np.int64).reshape(-1, size)
        for left in range(size):
            table = table[levels.trie.find(np.delete(table, left, axis=1)) >= 0]
        parents, last = levels.trie.find(table[:, :-1]), table[:, -1].astype(np.int32)
        level = levels.candidates(parents, last)
        if not len(level):
            break
        levels.keep(parents[level.which], last[level.which], level)
        members = levels.columns[table[level.which]].tolist()
        estimates |= _named(level, members, labels)
    counter.close()
    return estimates


def _named(
    level: Level, members: Sequence[Sequence[int]], labels: Sequence[str]
) -> dict[frozenset[str], EstimatedItemset]:
    within = np.clip(level.estimates, 0, 1)
    numbers = zip(
        level.estimates, level.clients, level.population, *level.ends.T, within, strict=True
    )
    found = {}
    for row, some in zip(members, numbers, strict=True):
        items = tuple(labels[item] for item in row)
        found[frozenset(items)] = EstimatedItemset(items, *map(float, some))
    return found


def exact_supports(
    data: PlainData, itemsets: Collection[frozenset[str]]
) -> dict[frozenset[str], Fraction]:
    """The shares of transactions that hold each set; items that never occur are in none.

    >>> few = PlainData.of([["a", "b"], ["a"]])
    >>> one, two = frozenset("ab"), frozenset("ax")
    >>> found = exact_supports(few, [one, two])
    >>> found[one], found[two]
    (Fraction(1, 2), Fraction(0, 1))
    """
    place: dict[str, int] = {label: item for item, label in enumerate(data.labels)}
    number = len(data.rows)
    found = {one: Fraction(0) for one in itemsets}
    known = [one for one in itemsets if all(item in place for item in one)]
    singles = data.rows.item_counts()
    items = np.array(sorted({place[item] for one in known for item in one}), dtype=np.int64)
    column = {int(item): at for at, item in enumerate(items)}
    rows = data.rows.keep(items)
    for size in {len(one) for one in known}:
        sets: list[frozenset[str]] = [one for one in known if len(one) == size]
        table = [sorted(column[place[item]] for item in one) for one in sets]
        if size == 1:
            counts = singles[items[np.array(table)[:, 0]]]
        else:
            candidates = Candidates.of(np.array(table, dtype=np.int32))
            counts = sum(
                (counts_of(part, candidates) for part in chunks(rows)),
                np.zeros(len(table), dtype=np.int64),
            )
        for one, count in zip(sets, counts.tolist(), strict=True):
            found[one] = Fraction(count, number)
    return found
