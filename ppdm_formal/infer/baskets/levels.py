"""Levels: supports of candidate itemsets of growing size, estimated from the reports of a release.

For each part of the release (a group and a size) the counts of all sets so far are kept; the
partial counts of a candidate follow from those of its subsets. What the groups say is then weighed
and added up in run/supports.py.

Partial counts: how many transactions hold exactly l of an itemset's k items, l = 0..k.

With e_i the sum of the counts of all i-subsets, each transaction that holds l of the items adds
C(l, i) to e_i; so by inclusion and exclusion c_l = sum over i >= l of (-1)^(i - l) C(i, l) e_i.
No transaction is read again: every subset of a candidate was counted before it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.design.closed_form import moments
from ppdm_formal.infer.baskets.frequent import grouped
from ppdm_formal.infer.baskets.kernels import Counts, Numbers
from ppdm_formal.infer.baskets.release_counts import ReleaseCounts
from ppdm_formal.infer.baskets.trie import Counted, Nodes, Trie
from ppdm_formal.run.estimated_supports import Variance
from ppdm_formal.run.released_baskets import ReleasedGroup
from ppdm_formal.run.supports import GroupAnswer, GroupQuestion, clients_of, combined, law_of

AT_ONCE = 1 << 22
"""Counts of subsets that are looked up at a time."""


def partial_counts(counted: Counted, size: int, nodes: Nodes) -> Counts:
    """A row for each node of that size: c_0, ..., c_k; all of its subsets must be in the trie."""
    steps = range(0, len(nodes), max(1, AT_ONCE >> size))
    parts = [_some_partial(counted, size, nodes[at : at + steps.step]) for at in steps]
    return np.concatenate(parts) if parts else np.zeros((0, size + 1), dtype=np.int64)


def _some_partial(counted: Counted, size: int, nodes: Nodes) -> Counts:
    subsets = counted.trie.subsets(size, nodes)
    if (subsets < 0).any():
        raise ValueError("a subset of an itemset was not counted")
    held = np.array([mask.bit_count() for mask in range(1 << size)])
    sums = np.zeros((len(nodes), size + 1), dtype=np.int64)
    for i in range(size + 1):
        sums[:, i] = counted.counts[subsets[:, held == i]].sum(axis=1)
    return sums @ exactly(size)


def exactly(size: int) -> Counts:
    """The matrix M[i, j] = (-1)^(i - j) C(i, j) that makes c of e.

    >>> exactly(2).tolist()
    [[1, 0, 0], [-1, 1, 0], [1, -2, 1]]
    """
    return np.array(
        [[(-1) ** (i + j) * math.comb(i, j) for j in range(size + 1)] for i in range(size + 1)],
        dtype=np.int64,
    )


Floats = npt.NDArray[np.float64]

MAX_SKEWNESS = 0.5
"""Of the noise of a group's estimates: beyond it, it is not asked about sets of several items."""


@dataclass(frozen=True)
class Level:
    """Itemsets of one size, by their places among the candidates: estimates and standard errors.

    ends: the 95% interval of each for these clients, a row each. shares: for each set, the weight
    of each group in its estimate, which add up to 1. counts: how many reports of each part hold
    each set. skewness: of the noise, the largest of the groups that were asked. variance: for these
    clients and for a larger population, as it depends on the support itself.
    """

    which: Nodes
    estimates: Floats
    clients: Floats
    population: Floats
    ends: Floats
    shares: Floats
    counts: list[Counts]
    skewness: float
    variance: Variance

    def __len__(self) -> int:
        return len(self.which)

    def kept(self, stays: npt.NDArray[np.bool_]) -> Level:
        """Some of them."""
        return Level(
            self.which[stays],
            self.estimates[stays],
            self.clients[stays],
            self.population[stays],
            self.ends[stays],
            self.shares[stays],
            [counts[stays] for counts in self.counts],
            self.skewness,
            self.variance.take(stays),
        )


class Levels:
    """Estimates level by level; `trie` and `counts` hold the sets that were kept so far."""

    def __init__(self, counter: ReleaseCounts) -> None:
        self.counter = counter
        self.clients = clients_of(counter.phases)
        self.groups = [
            (number, group)
            for number, phase in enumerate(counter.phases)
            for group in phase.transactions.groups
        ]
        self.trie = Trie(0)
        self.counts: list[Counts] = []
        self.columns = np.arange(0)

    def items(self) -> Level:
        """All items that some group says something about."""
        sets = np.arange(self.counter.items)[:, None]
        which = self._answerable(sets)
        counts = [single[which] for single in self.counter.singles()]
        partial = [
            np.stack([part.size.rows - single, single], axis=1)
            for part, single in zip(self.counter.parts, counts, strict=True)
        ]
        return self._level(sets[which], which, partial, counts)

    def start(self, items: Level) -> None:
        """Go on with these items: columns 0, 1, ... of the trie."""
        self.columns = items.which
        self.trie = Trie(len(items))
        self.trie.grow(np.zeros(len(items), dtype=np.int64), np.arange(len(items)))
        self.counts = [
            np.concatenate([[part.size.rows], counts])
            for part, counts in zip(self.counter.parts, items.counts, strict=True)
        ]
        self.counter.choose(self.columns)

    def candidates(self, parents: Nodes, last: Numbers) -> Level:
        """Those of these sets of the next size that some group says something about.

        All of their subsets are in the trie.
        """
        size = self.trie.size + 1
        sets = self.columns[np.column_stack([self.trie.members(size - 1, parents), last])]
        which = self._answerable(sets)
        parents, last = parents[which], last[which]
        counts = self.counter.count(grouped(self.trie, parents, last))
        wider = self.trie.copy()
        wider.grow(parents, last)
        nodes = np.asarray(wider.nodes(size), dtype=np.int64)
        partial = [
            partial_counts(Counted(wider, np.concatenate([before, now])), size, nodes)
            for before, now in zip(self.counts, counts, strict=True)
        ]
        return self._level(sets[which], which, partial, counts)

    def keep(self, parents: Nodes, last: Numbers, level: Level) -> None:
        """Add candidates to the trie; those of `level` are given by parent and last item."""
        self.trie.grow(parents, last)
        self.counts = [
            np.concatenate([before, now])
            for before, now in zip(self.counts, level.counts, strict=True)
        ]

    def _answerable(self, sets: Counts) -> Nodes:
        """Which sets some group says something about."""
        known = np.zeros(len(sets), dtype=bool)
        for question in self._asked(sets):
            if question is not None:
                known[question.which] = True
        return np.flatnonzero(known)

    def _asked(self, sets: Counts) -> list[GroupQuestion | None]:
        """What each group is asked."""
        return [
            GroupQuestion.of(group, self.counter.items, sets)
            if group.rows and len(sets) and self._even(group, sets.shape[1])
            else None
            for _, group in self.groups
        ]

    def _even(self, group: ReleasedGroup, size: int) -> bool:
        """Whether standard errors tell what the noise of a group on sets of that size is like."""
        return size == 1 or group.lifted == size or skewness(group, size) <= MAX_SKEWNESS

    def _level(
        self, sets: Counts, which: Nodes, partial: list[Counts], counts: list[Counts]
    ) -> Level:
        """Estimates of sets each of which some group says something about."""
        asked = self._asked(sets)
        lifted = self._lifted(sets.shape[1], asked)
        answers = []
        shares = np.zeros((len(sets), len(self.groups)))
        for number, ((release, group), question) in enumerate(zip(self.groups, asked, strict=True)):
            if question is None:
                continue
            own: dict[int, Counts] = {}
            for at, part in enumerate(self.counter.parts):
                if part.release == release and part.group.name == group.name:
                    own[part.size.size] = (
                        partial[at][question.which]
                        if group.lifted == 1
                        else np.stack([part.size.rows - lifted[at], lifted[at]], axis=1)
                    )
            answers.append(GroupAnswer.of(question, own))
            shares[question.which, number] = answers[-1].weight
        found = combined(answers, self.clients, sets)
        shares /= shares.sum(axis=1, keepdims=True)
        ends = found.intervals(about="clients")
        skewed = [
            skewness(group, sets.shape[1])
            for (_, group), question in zip(self.groups, asked, strict=True)
            if question is not None
        ]
        return Level(
            which,
            found.estimates,
            found.clients,
            found.population,
            ends,
            shares,
            counts,
            max(skewed, default=0.0),
            found.variance,
        )

    def _lifted(self, size: int, asked: Sequence[GroupQuestion | None]) -> list[Counts]:
        """Counts in parts that report sets of that size."""
        numbers = {
            (release, group.name): question.sets[:, 0]
            for (release, group), question in zip(self.groups, asked, strict=True)
            if question is not None and group.lifted == size > 1
        }
        return self.counter.lifted(size, numbers)


def skewness(group: ReleasedGroup, size: int) -> float:
    """Of a group's estimate for a set of which nobody holds an item, without its sign.

    A report then counts the product of (y_a - rho) / lambda over coins y_a, whose third moments
    and variances multiply: rho (1 - rho) (1 - 2 rho) and rho (1 - rho) each. Where reports that
    hold the whole set are rare and count much, the estimate jumps, and no normal law describes it.
    """
    own = size if group.lifted == 1 else 1
    third = variance = 0.0
    for part in group.sizes:
        if part.operator is None or part.size < size or not part.rows:
            continue
        known = moments(law_of(part), own)
        rho, scale = float(known.insert), float(known.lambdas[own])
        third += part.rows * (rho * (1 - rho) * (1 - 2 * rho)) ** own / scale**3
        variance += part.rows * (rho * (1 - rho)) ** own / scale**2
    return abs(third) / variance**1.5 if variance else 0.0
