"""Mining a release of a plan in rounds: items and asked itemsets, links, rules, and guesses.

Every set that some group was asked about is measured; raw supports (answers.py) have intervals.
Itemsets are also shrunken towards the product of their items' supports, which other clients told
(shrunken.py), and all supports are made consistent (consistent.py). Listed are sets that surely
reach the least support (discovered.py), items and itemsets of each size by themselves. Pairs that
nobody was asked about are guesses from items alone: they stand apart, and are never listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.result import Result
from ppdm_formal.infer.baskets.answers import Answers, answers
from ppdm_formal.infer.baskets.associations import Sides, leverages
from ppdm_formal.infer.baskets.consistent import consistent
from ppdm_formal.infer.baskets.discovered import RATE, chances, discovered
from ppdm_formal.infer.baskets.lengths import Lengths
from ppdm_formal.infer.baskets.missing import Lacking, lacking
from ppdm_formal.infer.baskets.plain import confidence_of
from ppdm_formal.infer.baskets.randomized import (
    EstimatedItemset,
    EstimatedLink,
    EstimatedRule,
    Items,
)
from ppdm_formal.infer.baskets.rounds import Integers, Round
from ppdm_formal.infer.baskets.shrunken import BETA, Shrunken, shrunken
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.estimated_supports import Floats
from ppdm_formal.run.release import Release
from ppdm_formal.run.told import Told, told

MOST_GUESSES = 200
"""Pairs that are guessed, of those that nobody was asked about."""

LONGEST = 1000
"""Where the last class of lengths ends at most."""


@dataclass(frozen=True)
class MeasuredSet(EstimatedItemset):
    """A set that clients were asked about.

    kept: the raw support of what cutting left. shrunken: between the raw support and what the items
    alone let guess, with an interval that holds the support in 95% of such sets; of items, raw.
    guess: the product of the items' supports; None of items. chance: of an estimate as large where
    the support is the least. listed: it surely reaches the least support.
    """

    kept: float
    shrunken: float
    shrunken_low: float
    shrunken_high: float
    guess: float | None
    chance: float
    listed: bool


@dataclass(frozen=True)
class GuessedPair:
    """A pair that nobody was asked about, and what its items alone let guess of its support."""

    items: Items
    guess: float


@dataclass(frozen=True)
class SeenInRounds:
    """Of sets of one size: how many were asked about, by how many clients, and what that shows.

    unclear: estimates that reach the least support, of sets that are not listed.
    """

    size: int
    asked: int
    people: int
    listed: int
    unclear: int
    visible: float
    lacking: Lacking


@dataclass(frozen=True)
class MinedRounds(Result):
    """What was found in reports of rounds; every number is an estimate or a guess, and says which.

    transactions: all clients, of whom supports are shares.
    """

    shown_in: ClassVar[str] = "mined_rounds"

    transactions: int
    reports: int
    measured: tuple[MeasuredSet, ...]
    """By size, in the order of their items."""
    link_list: tuple[EstimatedLink, ...]
    """Of all pairs asked about, by what is surely above independence."""
    rule_list: tuple[EstimatedRule, ...] | None
    guesses: tuple[GuessedPair, ...]
    seen: tuple[SeenInRounds, ...]
    uncut: bool
    """Whether supports are of whole baskets; else of what cutting left of them."""
    min_support: Threshold
    min_confidence: Fraction | None
    false_discoveries: float
    simulated: bool
    promised: tuple[str, ...]
    """What was certified of each report."""
    max_size: int | None = None
    files: tuple[str, ...] = ()
    truth: dict[frozenset[str], Fraction] | None = None
    """True supports, where the original transactions are at hand: of all sets measured."""
    frequent: dict[int, int] | None = None
    """How many sets of each size truly reach the least support."""

    def __len__(self) -> int:
        return sum(one.listed for one in self.measured)

    def itemsets(self) -> Iterator[MeasuredSet]:
        """Those listed."""
        return (one for one in self.measured if one.listed)

    def rules(self, most: int | None = None) -> Iterator[EstimatedRule]:
        """Rules within listed sets, by what is surely above independence."""
        return iter((self.rule_list or ())[:most])

    def links(self, most: int | None = None) -> Iterator[EstimatedLink]:
        """Pairs, by what is surely above independence."""
        return iter(self.link_list[:most])

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-mine/1."""
        from ppdm_formal.infer.baskets.mine_files import mined_json

        return mined_json(self)

    def json_text(self) -> Iterator[str]:
        """The same, piece by piece."""
        from ppdm_formal.infer.baskets.mine_files import mined_text

        return mined_text(self)


def in_rounds(releases: Sequence[Release]) -> bool:
    """Whether releases are of a plan in rounds."""
    return any(
        group.asked is not None
        for release in releases
        if release.transactions is not None
        for group in release.transactions.groups
    )


def mine_rounds(
    releases: Release | Sequence[Release],
    min_support: str | int | Fraction | Threshold,
    min_confidence: str | int | Fraction | None = None,
    max_size: int | None = None,
    *,
    false_discoveries: float = RATE,
) -> MinedRounds:
    """Sets whose support surely reaches the least, links and rules, of releases of a plan."""
    every = [releases] if isinstance(releases, Release) else list(releases)
    least = Threshold.of(min_support)
    sure = None if min_confidence is None else confidence_of(min_confidence)
    if not 0 < false_discoveries < 1:
        raise ValueError("a false-discovery rate is between 0 and 1")
    groups = told(every)
    clients = groups[0].clients
    wanted = float(least.share(clients))
    by_size = _answers(groups, clients, wanted, max_size)
    if 1 not in by_size:
        raise ReleaseError("no group of the release was asked about items: give all rounds")
    about = every[0].transactions
    assert about is not None
    labels = [str(k) for k in range(about.items)] if about.names is None else list(about.names)
    table = Measuring(by_size, wanted, clients, false_discoveries)
    asked = [one for one in groups if one.asked.kind != "lengths" and one.people]
    return MinedRounds(
        clients,
        sum(one.people for one in groups),
        tuple(table.sets(labels)),
        tuple(table.links(labels)),
        None if sure is None else tuple(table.rules(labels, float(sure))),
        tuple(table.guesses(labels)),
        tuple(table.seen()),
        all(_lengths_of(one, groups) is not None for one in asked),
        least,
        sure,
        false_discoveries,
        any(release.simulated for release in every),
        tuple(dict.fromkeys(_claims(every))),
        max_size,
    )


def _claims(releases: Sequence[Release]) -> Iterator[str]:
    for release in releases:
        if release.transactions is not None:
            for _, part in release.transactions.parts():
                for claim in part.claims:
                    yield f"{claim.text}: {claim.verdict}"


def _answers(
    groups: Sequence[Told], clients: int, wanted: float, max_size: int | None
) -> dict[int, Answers]:
    """By the size of the sets."""
    rounds: dict[int, list[Round]] = {}
    laws: dict[int, list[Lengths | None]] = {}
    for one in groups:
        if one.asked.kind == "lengths" or not one.people:
            continue
        law = _lengths_of(one, groups)
        for size in sorted({len(row) for row in one.asked.sets or [(0,)]}):
            if max_size is not None and size > max_size:
                continue
            candidates, counts = _of_size(one, size)
            hit, miss = float(one.hit), float(one.miss)
            made = Round(candidates, counts, one.people, hit, miss, one.cut)
            rounds.setdefault(size, []).append(made)
            laws.setdefault(size, []).append(law)
    return {size: answers(rounds[size], laws[size], clients, wanted) for size in sorted(rounds)}


def _of_size(one: Told, size: int) -> tuple[Integers, Integers]:
    if one.asked.sets is None:
        return one.candidates, one.counts
    which = [place for place, row in enumerate(one.asked.sets) if len(row) == size]
    sets = np.array([one.asked.sets[place] for place in which], dtype=np.int64)
    return sets, one.counts[which]


def _lengths_of(one: Told, groups: Sequence[Told]) -> Lengths | None:
    """The law of how many of its values clients hold, from those who told it."""
    for other in groups:
        if other.asked.kind != "lengths" or other.asked.sets != one.asked.sets or not other.people:
            continue
        assert other.asked.least is not None
        first = np.array(other.asked.least, dtype=np.int64)
        end = min(max(int(first[-1] * 1.5), int(first[-1]) + 1), int(first[-1]) + LONGEST)
        edges = np.append(first, end)
        return Lengths.told(other.counts, other.people, float(other.hit), float(other.miss), edges)
    return None


class Measuring:
    """All that is said of the sets, from answers by size."""

    def __init__(
        self, by_size: dict[int, Answers], least: float, clients: int, rate: float
    ) -> None:
        self.by_size, self.least, self.clients, self.rate = by_size, least, clients, rate
        items = by_size[1]
        self.place = {int(row[0]): at for at, row in enumerate(items.sets)}
        self.single = np.clip(items.support, 0, 1)
        self.chance: dict[int, Floats] = {}
        self.listed: dict[int, Any] = {}
        self.shrunken: dict[int, Shrunken] = {}
        for size, told_of in by_size.items():
            self.chance[size] = chances(told_of.support, least, told_of.errors_at)
            self.listed[size] = discovered(self.chance[size], rate)
            if size > 1:
                self.shrunken[size] = shrunken(
                    told_of.support, told_of.errors, np.maximum(self._product(told_of.sets), 1e-9)
                )
        self.start: dict[int, int] = {}
        self.consistent = self._consistent()

    def _product(self, sets: Integers) -> Floats:
        columns = np.array([[self.place[item] for item in row] for row in sets.tolist()])
        return np.asarray(self.single[columns].prod(axis=1))

    def best(self, size: int) -> Floats:
        """Shrunken supports; of items as they are."""
        return self.shrunken[size].estimates if size > 1 else self.by_size[1].support

    def _consistent(self) -> Floats:
        """Of all sets, those of size 1 first; subsets that were asked about count."""
        numbers: dict[tuple[int, ...], int] = {}
        for size, told_of in self.by_size.items():
            self.start[size] = len(numbers)
            for row in told_of.sets.tolist():
                numbers[tuple(row)] = len(numbers)
        above = [
            (numbers[part], number)
            for one, number in numbers.items()
            for part in {*combinations(one, len(one) - 1), *((item,) for item in one)}
            if len(one) > 1 and part in numbers
        ]
        values = np.concatenate([self.best(size) for size in self.by_size])
        spread = np.concatenate(
            [
                told_of.errors if size == 1 else self.shrunken[size].deviations
                for size, told_of in self.by_size.items()
            ]
        )
        self.numbers = numbers
        return consistent(values, spread**2, np.array(above, dtype=np.int64))

    def sets(self, labels: Sequence[str]) -> Iterator[MeasuredSet]:
        """Of every size, in the order of their items."""
        for size, told_of in self.by_size.items():
            for at in range(len(told_of)):
                yield self.one(size, at, labels)

    def one(self, size: int, at: int, labels: Sequence[str]) -> MeasuredSet:
        """A set by its place among those of its size."""
        told_of = self.by_size[size]
        raw, errors = float(told_of.support[at]), told_of.errors
        low, high = raw - 1.96 * float(errors[at]), raw + 1.96 * float(errors[at])
        drawn, ends, guess = raw, (low, high), None
        if size > 1:
            known = self.shrunken[size]
            drawn, ends = float(known.estimates[at]), (known.ends[at, 0], known.ends[at, 1])
            guess = float(self._product(told_of.sets[at : at + 1])[0])
        return MeasuredSet(
            tuple(labels[item] for item in told_of.sets[at].tolist()),
            raw,
            float(errors[at]),
            float(np.hypot(told_of.population[at], told_of.doubt[at])),
            low,
            high,
            float(self.consistent[self.start[size] + at]),
            float(told_of.kept[at]),
            drawn,
            float(ends[0]),
            float(ends[1]),
            guess,
            float(self.chance[size][at]),
            bool(self.listed[size][at]),
        )

    def _sides(self, which: Integers) -> Sides:
        pairs, items = self.by_size[2], self.by_size[1]
        first, second = (
            np.array([self.place[item] for item in column], dtype=np.int64)
            for column in pairs.sets[which].T.tolist()
        )
        errors = pairs.errors[which], items.errors[first], items.errors[second]
        variances = errors[0] ** 2, errors[1] ** 2, errors[2] ** 2
        sides = items.support[first], items.support[second]
        return Sides.apart(pairs.support[which], *sides, variances)

    def links(self, labels: Sequence[str]) -> Iterator[EstimatedLink]:
        """Of all pairs asked about."""
        if 2 not in self.by_size:
            return
        above = leverages(self._sides(np.arange(len(self.by_size[2]))))
        sure = above.sure(self.rate)
        for at in above.order().tolist():
            low, high = above.ends[at].tolist()
            lift_low, lift_high = above.lift_ends[at].tolist()
            yield EstimatedLink(
                tuple(labels[item] for item in self.by_size[2].sets[at].tolist()),
                float(above.leverage[at]), float(above.se[at]), low, high,
                float(above.lift[at]), lift_low, lift_high,
                float(above.chance[at]), bool(sure[at]),
            )  # fmt: skip

    def rules(self, labels: Sequence[str], least: float) -> list[EstimatedRule]:
        """Of listed pairs, both ways; confidence and lift from consistent supports."""
        if 2 not in self.by_size:
            return []
        which = np.flatnonzero(self.listed[2])
        if not len(which):
            return []
        above = leverages(self._sides(which))
        found = []
        for at, row in enumerate(self.by_size[2].sets[which].tolist()):
            whole = self.one(2, int(which[at]), labels)
            for first, second in (row, row[::-1]):
                a, b = (self.one(1, self.place[item], labels) for item in (first, second))
                confidence = whole.consistent / max(a.consistent, 1e-12)
                if confidence < least:
                    continue
                error = np.hypot(whole.se, confidence * a.se) / max(a.consistent, 1e-12)
                lift = confidence / max(b.consistent, 1e-12)
                lift_error = np.hypot(error, lift * b.se) / max(b.consistent, 1e-12)
                numbers = confidence, float(error), lift, float(lift_error)
                further = float(above.leverage[at]), float(above.se[at])
                found.append(EstimatedRule(a, b, whole, *numbers, *further))
        return sorted(found, key=lambda one: (2 * one.leverage_se - one.leverage, -one.confidence))

    def guesses(self, labels: Sequence[str]) -> Iterator[GuessedPair]:
        """Pairs that nobody was asked about whose items let guess the least support."""
        items = self.by_size[1].sets[:, 0]
        some = np.flatnonzero(self.listed[1])
        some = some[np.argsort(-self.single[some], kind="stable")][:MOST_GUESSES]
        found = []
        for a, b in combinations(some.tolist(), 2):
            pair = tuple(sorted((int(items[a]), int(items[b]))))
            guess = min(BETA * self.single[a] * self.single[b], self.single[a], self.single[b])
            if guess >= self.least and pair not in self.numbers:
                found.append((guess, pair))
        found.sort(key=lambda one: (-one[0], one[1]))
        for guess, pair in found[:MOST_GUESSES]:
            yield GuessedPair(tuple(labels[item] for item in pair), float(guess))

    def seen(self) -> Iterator[SeenInRounds]:
        """What could be seen, and what may be missing."""
        for size, told_of in self.by_size.items():
            listed = self.listed[size]
            errors = told_of.errors if size == 1 else self.shrunken[size].deviations
            yield SeenInRounds(
                size,
                len(told_of),
                told_of.people,
                int(listed.sum()),
                int(((told_of.support >= self.least) & ~listed).sum()),
                float(4 * np.median(told_of.errors_at)),
                lacking(self.best(size), errors, self.least, listed, self.clients),
            )
