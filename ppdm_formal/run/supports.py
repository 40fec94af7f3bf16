"""Supports of itemsets from a release: unbiased estimates with their standard errors.

A report of a client that holds l items of A counts x = w[l'], l' the items of A in it, which is
1 on average where l = k and 0 elsewhere (design/closed_form.py). The mean of x over all n
clients of a group estimates the support; sizes below k, and those that send nothing, count 0.
A group that reports sets of k items estimates exactly those, each as an item of its universe.

The variance of a group's mean, where A has support s and the group is a random part of F clients:

    V(s) / n^2 + (1 / n - 1 / F) s (1 - s)      for these F clients (coins, and who is in a group)
    V(s) / n^2 + s (1 - s) / n                  for a larger population that they are drawn from

V is the noise of all coins, v_l for a client that holds l items. It is V(0) + n s c, where c is
what a client with all k items adds beyond its smaller sets, on average. The sum of x^2 - x
estimates V(s) without bias, and so V(0), which is kept between the bounds of the law.

Several groups that estimate A are combined with weights that depend on public counts alone
(inverse variances at support 0), so that the combined estimate has no bias either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, total
from ppdm_formal.declare.families.select_a_size import Randomization, select_a_size_law
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.itemset_numbers import numbers_of
from ppdm_formal.run.baskets import Integers
from ppdm_formal.run.compress.chooser import independent
from ppdm_formal.run.compress.expand import columns
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.estimated_supports import Floats, Supports, Variance
from ppdm_formal.run.itemset_counts import OverlapCounter
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize, Transactions
from ppdm_formal.run.tally import Tally

CERTAIN = 1e-9
"""Noise of a client that is taken for none: of sets that no basket of the group can hold."""


@dataclass(frozen=True)
class GroupQuestion:
    """Itemsets of one size k as a group is asked about them.

    which: those that the group can estimate. sets: these as numbers of its universe, k in each
    row, or one where the group reports sets of k.
    """

    group: ReleasedGroup
    itemset: int
    which: Integers
    sets: Integers

    @classmethod
    def of(cls, group: ReleasedGroup, items: int, sets: Integers) -> GroupQuestion | None:
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
        and moments(law_of(part), own).recoverable(own)
        for part in asked
    )


def law_of(part: ReleasedSize) -> Randomization:
    """The select-a-size that was applied to the transactions of a size."""
    assert part.operator is not None
    law = select_a_size_law(part.operator)
    if law is None:
        raise ReleaseError(f"the operator of size {part.size} is no select-a-size")
    return Randomization(law.size, law.insert, law.keep)


@dataclass(frozen=True)
class GroupAnswer:
    """What a group says about sets of one size: the sum of x over its clients, and their noise.

    noise: V(0), for each set; slope: what a client that holds all of a set adds to it. alone: the
    noise if nobody holds any item of a set.
    """

    question: GroupQuestion
    rows: int
    total: Floats
    noise: Floats
    slope: Floats
    alone: float

    @property
    def weight(self) -> float:
        """How much the answer counts among those of other groups: its inverse variance at 0."""
        return float(self.rows**2 / max(self.alone, CERTAIN * self.rows))

    @classmethod
    def of(cls, question: GroupQuestion, counts: dict[int, Integers]) -> GroupAnswer:
        """From how many reports of each size hold l' of the items, for each set and l'."""
        group = question.group
        own = question.itemset if group.lifted == 1 else 1
        many = len(question.which)
        summed, noise, added = np.zeros((3, many))
        alone = least = greatest = usual = holding = 0.0
        for part in group.sizes:
            if part.operator is None or part.size < question.itemset or not part.rows:
                continue
            found = moments(law_of(part), own)
            weights = np.array([float(w) for w in found.weights(own)])
            exact = found.noise(own)
            more = highest_difference(exact)
            held = counts[part.size] @ weights
            summed += held
            noise += counts[part.size] @ (weights**2 - weights)
            added += held * float(more)
            per_client = [float(v) for v in (*exact[:own], exact[own] - more)]
            alone += part.rows * per_client[0]
            least += part.rows * min(per_client)
            greatest += part.rows * max(per_client)
            sets = part.rows * math.comb(part.size, question.itemset)
            usual, holding = usual + sets * float(more), holding + sets
        usual = usual / holding if holding else 0.0
        slope = _slopes(summed, added, usual, alone)
        empty = np.clip(noise - slope * summed, least, greatest)
        return cls(question, group.rows, summed, empty, slope, alone)


def _slopes(summed: Floats, added: Floats, usual: float, alone: float) -> Floats:
    """What a client that holds a set adds, on average over the sizes of those who do.

    added / summed estimates it, and is wild where few hold the set. Then it is as if a set were
    held in proportion to the sets of the baskets; at four deviations both count alike.
    """
    certain = np.maximum(summed, 0) ** 2
    trust = certain / (certain + 16 * max(alone, CERTAIN))
    seen = np.divide(added, summed, out=np.full(len(summed), usual), where=trust > 0)
    return np.asarray(usual + trust * (seen - usual))


def highest_difference(values: Sequence[Exact]) -> Exact:
    """The k-th difference of v_0, ..., v_k: what k items add beyond what fewer of them do.

    >>> from fractions import Fraction
    >>> highest_difference([Fraction(1), Fraction(3), Fraction(6)])
    Fraction(1, 1)
    """
    last = len(values) - 1
    return total(
        ((-1) ** (last - held) * math.comb(last, held), v) for held, v in enumerate(values)
    )


def answered(release: Release, itemsets: Integers) -> list[GroupAnswer]:
    """What each group of a release says about sets of one size, a row each."""
    found = release.transactions
    if found is None:
        raise ReleaseError("the release holds a table, not transactions")
    asked = [GroupQuestion.of(group, found.items, itemsets) for group in found.groups]
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
        GroupAnswer.of(
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


def combined(answers: Sequence[GroupAnswer], clients: int, itemsets: Integers) -> Supports:
    """One estimate a set from all groups; `clients`: how many there are in all groups together.

    ReleaseError where no group says anything about a set.
    """
    many = len(itemsets)
    weight, estimate, zero, slope, sampled = np.zeros((5, many))
    names: list[list[str]] = [[] for _ in range(many)]
    for answer in answers:
        which, rows = answer.question.which, answer.rows
        own = answer.weight
        weight[which] += own
        estimate[which] += own * answer.total / rows
        zero[which] += own**2 * answer.noise / rows**2
        slope[which] += own**2 * answer.slope / rows
        sampled[which] += own**2 / rows
        for place in which.tolist():
            names[place].append(answer.question.group.name)
    if (weight == 0).any():
        missing = tuple(itemsets[int(np.argmin(weight))].tolist())
        raise ReleaseError(f"no group of the release says anything about the itemset {missing}")
    sampled /= weight**2
    here = np.maximum(sampled - 1 / clients, 0)
    return Supports(
        tuple(tuple(row) for row in itemsets.tolist()),
        estimate / weight,
        Variance(zero / weight**2, slope / weight**2, here, sampled),
        tuple(map(tuple, names)),
    )


def supports(releases: Release | Sequence[Release], itemsets: Sequence[Sequence[int]]) -> Supports:
    """Estimated supports of itemsets (of item numbers) from a release, or from both phases."""
    both = [releases] if isinstance(releases, Release) else list(releases)
    check_phases(both)
    by_size: dict[int, list[int]] = {}
    for place, itemset in enumerate(itemsets):
        by_size.setdefault(len(itemset), []).append(place)
    columns = np.zeros((5, len(itemsets)))
    names: list[tuple[str, ...]] = [()] * len(itemsets)
    for places in by_size.values():
        sets = np.array([list(itemsets[place]) for place in places], dtype=np.int64)
        _check_itemsets(sets, both[0])
        answers = [answer for release in both for answer in answered(release, sets)]
        found = combined(answers, clients_of(both), sets)
        spread = found.variance
        parts = (found.estimates, spread.zero, spread.slope, spread.here, spread.drawn)
        columns[:, places] = np.stack(parts)
        for place, own in zip(places, found.groups, strict=True):
            names[place] = own
    asked = tuple(tuple(int(item) for item in itemset) for itemset in itemsets)
    return Supports(asked, columns[0], Variance(*columns[1:]), tuple(names))


class Described(Protocol):
    """A release, or several as one."""

    @property
    def transactions(self) -> Transactions | None:
        """The groups and their counts."""

    @property
    def tally(self) -> Tally:
        """How many came in and went out."""


def clients_of(releases: Sequence[Described]) -> int:
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


def check_phases(releases: Sequence[Described]) -> None:
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
