"""Supports of itemsets from a release: unbiased estimates with their standard errors.

A report of a client that holds l items of A counts x = w[l'], l' the items of A in it, which is
1 on average where l = k and 0 elsewhere (itemsets/closed_form.py). The mean of x over all n
clients of a group estimates the support; sizes below k, and those that send nothing, count 0.
A group that reports sets of k items estimates exactly those, each as an item of its universe.

Variance of a group's mean, with V = sum of the noise of its coins, S^2 the variance of "holds A"
among clients, and F clients altogether, of whom the group is a random part:

    V / n^2 + (1 / n - 1 / F) S^2        for these F clients (coins, and who is in which group)
    V / n^2 + S^2 / n                    for a larger population that the clients are drawn from

V is estimated without bias by the sum of x^2 - x, and kept between the least and the greatest
value that the law allows: where few clients have most of the noise that estimate is wild.
Several groups that estimate A are combined with weights that depend on public counts alone
(inverse variances at support 0), so that the combined estimate has no bias either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from ppdm_formal.families.select_a_size import Randomization, SelectASize
from ppdm_formal.itemsets.closed_form import moments
from ppdm_formal.itemsets.itemset_numbers import numbers_of
from ppdm_formal.run.baskets import Integers
from ppdm_formal.run.compress.expand import columns
from ppdm_formal.run.compress.part_generator import independent
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.itemset_counts import OverlapCounter
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize

Floats = npt.NDArray[np.float64]

CERTAIN = 1e-9
"""Noise of a client that is taken for none: of sets that no basket of the group can hold."""

About = Literal["population", "clients"]
"""Whom a standard error is about: a larger population, or these clients alone."""


@dataclass(frozen=True)
class Support:
    """The estimated support of one itemset; groups: those whose reports say something about it."""

    itemset: tuple[int, ...]
    estimate: float
    clients: float
    population: float
    groups: tuple[str, ...]

    def interval(self, level: float = 0.95, about: About = "population") -> tuple[float, float]:
        """Estimate ± z standard errors."""
        reach = quantile(level) * (self.population if about == "population" else self.clients)
        return self.estimate - reach, self.estimate + reach


@dataclass(frozen=True)
class Supports(Sequence[Support]):
    """Estimates of many itemsets, in the order asked for, with both standard errors."""

    itemsets: tuple[tuple[int, ...], ...]
    estimates: Floats
    clients: Floats
    population: Floats
    groups: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.itemsets)

    def __getitem__(self, place: int) -> Support:  # type: ignore[override]
        return Support(
            self.itemsets[place],
            float(self.estimates[place]),
            float(self.clients[place]),
            float(self.population[place]),
            self.groups[place],
        )

    def intervals(self, level: float = 0.95, about: About = "population") -> Floats:
        """Lower and upper ends, a row an itemset."""
        errors = self.population if about == "population" else self.clients
        reach = quantile(level) * errors
        return np.stack([self.estimates - reach, self.estimates + reach], axis=1)


def quantile(level: float) -> float:
    """Z with P[|normal| <= z] = level."""
    if not 0 < level < 1:
        raise ValueError("the level of an interval is between 0 and 1")
    return NormalDist().inv_cdf((1 + level) / 2)


@dataclass(frozen=True)
class Question:
    """Itemsets of one size k as a group is asked about them.

    which: those that the group can estimate. sets: these as numbers of its universe, k in each
    row, or one where the group reports sets of k.
    """

    group: ReleasedGroup
    itemset: int
    which: Integers
    sets: Integers

    @classmethod
    def of(cls, group: ReleasedGroup, items: int, sets: Integers) -> Question | None:
        """The question to a group about sets of k items, a row each; None if it cannot answer."""
        itemset = sets.shape[1]
        if not _answers(group, itemset):
            return None
        which = np.arange(len(sets))
        if group.chosen is not None:
            place = np.full(items, -1, dtype=np.int64)
            place[list(group.chosen)] = np.arange(len(group.chosen))
            sets = place[sets]
            which = np.flatnonzero((sets >= 0).all(axis=1))
            sets = sets[which]
        if group.lifted > 1:
            sets = numbers_of(sets).astype(np.int64).reshape(-1, 1)
        return cls(group, itemset, which, np.sort(sets, axis=1))


def _answers(group: ReleasedGroup, itemset: int) -> bool:
    """Whether supports of sets of k items can be estimated from the group's reports."""
    if group.lifted not in (1, itemset):
        return False
    if group.hidden and itemset > group.sizes[0].size:
        return False
    asked = [part for part in group.sizes if part.size >= itemset and part.rows]
    own = itemset if group.lifted == 1 else 1
    return all(
        part.operator is not None
        and (part.generator is None or own <= independent(part.generator, part.operator))
        and moments(_law(part), own).recoverable(own)
        for part in asked
    )


def _law(part: ReleasedSize) -> Randomization:
    assert part.operator is not None
    law = part.operator.law
    if not isinstance(law, SelectASize):
        raise ReleaseError(f"the operator of size {part.size} is no select-a-size")
    return Randomization(law.size, law.insert, law.keep)


@dataclass(frozen=True)
class Answer:
    """What a group says about sets of one size: sums over its clients of x, and of their noise.

    alone: what the noise is if nobody holds an item of the set.
    """

    question: Question
    rows: int
    total: Floats
    noise: Floats
    alone: float

    @classmethod
    def of(cls, question: Question, counts: dict[int, Integers]) -> Answer:
        """From how many reports of each size hold l' of the items, for each set and l'."""
        group = question.group
        many = len(question.which)
        total, noise = np.zeros(many), np.zeros(many)
        alone = least = greatest = 0.0
        for part in group.sizes:
            if part.operator is None or part.size < question.itemset or not part.rows:
                continue
            own = question.itemset if group.lifted == 1 else 1
            found = moments(_law(part), own)
            weights = np.array([float(w) for w in found.weights(own)])
            total += counts[part.size] @ weights
            noise += counts[part.size] @ (weights**2 - weights)
            per_client = [float(v) for v in found.noise(own)]
            alone += part.rows * per_client[0]
            least += part.rows * min(per_client)
            greatest += part.rows * max(per_client)
        return cls(question, group.rows, total, np.clip(noise, least, greatest), alone)


def answered(release: Release, itemsets: Integers) -> list[Answer]:
    """What each group of a release says about sets of one size, a row each."""
    found = release.transactions
    if found is None:
        raise ReleaseError("the release holds a table, not transactions")
    asked = [Question.of(group, found.items, itemsets) for group in found.groups]
    counters = {
        (question.group.name, part.size): OverlapCounter(
            question.group.universe(found.items), question.sets
        )
        for question in asked
        if question is not None
        for part in question.group.sizes
        if part.operator is not None and part.size >= question.itemset
    }
    _count(release, counters)
    return [
        Answer.of(
            question,
            {
                size: counter.counts()
                for (name, size), counter in counters.items()
                if name == question.group.name
            },
        )
        for question in asked
        if question is not None and question.group.rows
    ]


def _count(release: Release, counters: dict[tuple[str, int], OverlapCounter]) -> None:
    """Count all reports; of seeds only the items that are asked for, written out nowhere."""
    if not release.sent_seeds:
        for group, part, reports in release.baskets():
            counter = counters.get((group.name, part.size))
            if counter is not None:
                counter.add(reports)
        return
    for group, part, seeds in release.seeds():
        counter = counters.get((group.name, part.size))
        if counter is not None:
            assert part.generator is not None
            asked = counter.asked.astype(np.uint64)
            counter.add_packed(len(seeds), columns(part.generator, seeds, asked))


def combined(answers: Sequence[Answer], clients: int, itemsets: Integers) -> Supports:
    """One estimate a set from all groups; `clients`: how many there are in all groups together.

    ReleaseError where no group says anything about a set.
    """
    many = len(itemsets)
    weight, estimate, coins, spread, sampled = np.zeros((5, many))
    for answer in answers:
        which, rows = answer.question.which, answer.rows
        own = rows**2 / max(answer.alone, CERTAIN * rows)
        mean = answer.total / rows
        holds = (answer.total - (answer.total**2 - answer.noise) / rows) / max(1, rows - 1)
        weight[which] += own
        estimate[which] += own * mean
        coins[which] += own**2 * answer.noise / rows**2
        sampled[which] += own**2 / rows
        spread[which] += own * np.clip(holds, 0, 0.25 * rows / max(1, rows - 1))
    if (weight == 0).any():
        missing = tuple(itemsets[int(np.argmin(weight))].tolist())
        raise ReleaseError(f"no group of the release says anything about the itemset {missing}")
    estimate /= weight
    coins /= weight**2
    sampled /= weight**2
    spread /= weight
    here = coins + np.maximum(sampled - 1 / clients, 0) * spread
    names: list[list[str]] = [[] for _ in range(many)]
    for answer in answers:
        for place in answer.question.which.tolist():
            names[place].append(answer.question.group.name)
    return Supports(
        tuple(tuple(row) for row in itemsets.tolist()),
        estimate,
        np.sqrt(here),
        np.sqrt(coins + sampled * spread),
        tuple(map(tuple, names)),
    )


def supports(releases: Release | Sequence[Release], itemsets: Sequence[Sequence[int]]) -> Supports:
    """Estimated supports of itemsets (of item numbers) from a release, or from both phases."""
    both = [releases] if isinstance(releases, Release) else list(releases)
    _check_phases(both)
    by_size: dict[int, list[int]] = {}
    for place, itemset in enumerate(itemsets):
        by_size.setdefault(len(itemset), []).append(place)
    estimates, here, everywhere = np.zeros((3, len(itemsets)))
    names: list[tuple[str, ...]] = [()] * len(itemsets)
    for places in by_size.values():
        sets = np.array([list(itemsets[place]) for place in places], dtype=np.int64)
        _check_itemsets(sets, both[0])
        answers = [answer for release in both for answer in answered(release, sets)]
        found = combined(answers, _clients(both), sets)
        estimates[places] = found.estimates
        here[places], everywhere[places] = found.clients, found.population
        for place, own in zip(places, found.groups, strict=True):
            names[place] = own
    asked = tuple(tuple(int(item) for item in itemset) for itemset in itemsets)
    return Supports(asked, estimates, here, everywhere, tuple(names))


def _clients(releases: Sequence[Release]) -> int:
    """All clients, of whom each group is a random part."""
    return max(r.tally.rows_out + r.tally.dropped[None, "phase"] for r in releases)


def _check_itemsets(sets: Integers, release: Release) -> None:
    assert release.transactions is not None
    if not sets.shape[1]:
        raise ReleaseError("an itemset needs an item")
    outside = (sets < 0) | (sets >= release.transactions.items)
    ordered = np.sort(sets, axis=1)
    if outside.any() or (ordered[:, 1:] == ordered[:, :-1]).any():
        raise ReleaseError("an itemset holds different items of those that there are")


def _check_phases(releases: Sequence[Release]) -> None:
    """Refuse releases that are not of one plan, or twice of one phase."""
    described = [release.transactions for release in releases]
    if not described or None in described:
        raise ReleaseError("supports are estimated from releases of transactions")
    if len(described) == 1:
        return
    phases = [part.phase for part in described if part is not None]
    shared = {(part.key, part.items, part.names) for part in described if part is not None}
    if sorted(phases, key=str) != [1, 2] or len(shared) > 1:
        raise ReleaseError("these releases are not the two phases of one plan")
