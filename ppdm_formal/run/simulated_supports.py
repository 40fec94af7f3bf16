"""Supports from simulated reports, without writing them: only itemsets that are asked about.

For experiments alone: a seed makes them repeat. What is simulated has the law of the full
reports. Given a basket t, the items outside t are in the report by independent rho-coins, which
also do not depend on which items of t stay. So the joint law of any items E of the report is: j
and the staying items of t as always, and coins for the items of E outside t; those of other
items are not needed. Where a number is asked about by itself, in no larger set, its coins count
only by their sum over the clients that lack it: binomial, and independent of other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

import numpy as np

from ppdm_formal.declare.families.select_a_size import Members, SelectASize, select_a_size_law
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.design.plan import Group, Plan
from ppdm_formal.run.baskets import Baskets, Integers
from ppdm_formal.run.estimated_supports import Supports
from ppdm_formal.run.group_reports import Clients, Policy, Reporter
from ppdm_formal.run.itemset_counts import OverlapCounter
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.run.supports import GroupAnswer, GroupQuestion, combined
from ppdm_formal.run.tally import Tally

BLOCK_CELLS = 1 << 25
"""Coins that are tossed at a time."""


@dataclass(frozen=True)
class Collection:
    """One simulated collection: baskets (as sets of item numbers), and each client's own number.

    A client's number u decides its group, as the hash of an identifier does: it is the same in
    both phases of a plan.
    """

    baskets: Baskets
    items: int
    seed: int
    policy: Policy

    def supports(self, plan: Plan, phase: int | None, asked: Sequence[Integers]) -> list[Supports]:
        """Estimates from the reports of one phase (None: all groups), for arrays of k-sets each."""
        groups = tuple(sorted(plan.groups, key=lambda group: group.phase))
        places = self._assigned([group.share for group in groups])
        bits = Simulation(4 * self.seed + 1 + (phase or 0))  # 4 seed decides about groups
        found: list[list[GroupAnswer]] = [[] for _ in asked]
        clients = 0
        for number, group in enumerate(groups):
            which = np.flatnonzero(places == number)
            if phase is not None and group.phase != phase:
                clients += len(which)
                continue
            made, answers = self._group(group, which, asked, bits)
            clients += made.rows
            for place, answer in enumerate(answers):
                found[place] += [] if answer is None else [answer]
        return [combined(some, clients, sets) for some, sets in zip(found, asked, strict=True)]

    def _assigned(self, shares: Sequence[Fraction]) -> Integers:
        words = Simulation(4 * self.seed).words(len(self.baskets))
        cuts = [min(int(end * (1 << 64)), (1 << 64) - 1) for end in accumulate(shares)]
        found = np.searchsorted(np.array(cuts[:-1], dtype=np.uint64), words, side="right")
        return found.astype(np.int64)

    def _group(
        self, group: Group, which: Integers, asked: Sequence[Integers], bits: Bits
    ) -> tuple[ReleasedGroup, list[GroupAnswer | None]]:
        """What one group is found to say about each array of sets."""
        asked_of = ReleasedGroup(
            group.name,
            tuple(ReleasedSize(part.size, 0, None) for part in group.sizes),
            group.share,
            group.lifted,
            group.chosen,
            group.hidden,
        )
        reporter = Reporter(asked_of, self.items, self.policy, Tally())
        clients = Clients(self.baskets, range(len(self.baskets)), "the data, row").take(which)
        everything = dict(reporter.reports(clients, bits))
        quiet = [ReleasedSize(m, rows, None) for m, rows in sorted(reporter.silent.items())]
        sent = [  # operators of sizes that do not occur are not made: they may be large
            ReleasedSize(size, len(members), group.operator(size, self.items))
            for size, members in sorted(everything.items())
        ]
        counted = replace(asked_of, sizes=(*quiet, *sent))
        if not counted.rows:
            return counted, [None] * len(asked)
        questions = [GroupQuestion.of(counted, self.items, sets) for sets in asked]
        usable = [question for question in questions if question is not None]
        counts: dict[int, dict[int, Integers]] = {id(question): {} for question in usable}
        for part in sent:
            if part.rows:
                assert part.operator is not None
                law = select_a_size_law(part.operator)
                assert law is not None
                own = [question for question in usable if question.itemset <= part.size]
                tables = simulated_counts(
                    law, everything[part.size], [question.sets for question in own], bits
                )
                for question, table in zip(own, tables, strict=True):
                    counts[id(question)][part.size] = table
        return counted, [
            None if question is None else GroupAnswer.of(question, counts[id(question)])
            for question in questions
        ]


def simulated_counts(
    law: SelectASize, members: Integers, asked: Sequence[Integers], bits: Bits
) -> list[Integers]:
    """For arrays of sets of numbers, how many simulated reports hold exactly l' of each."""
    stays = law.stays(len(members), bits)
    wide = [sets for sets in asked if sets.shape[1] > 1]
    table = np.unique(np.concatenate([sets.ravel() for sets in wide])) if wide else None
    counters = [OverlapCounter(law.items, sets) if sets.shape[1] > 1 else None for sets in asked]
    singles = np.zeros(0 if table is None else len(table), dtype=np.int64)
    if table is not None:
        column = np.full(law.items, -1, dtype=np.int64)
        column[table] = np.arange(len(table))
        step = max(1, BLOCK_CELLS // len(table))
        for start in range(0, len(members), step):
            rows = slice(start, start + step)
            held = _columns(law, column[members[rows]], stays[rows], len(table), bits)
            singles += np.count_nonzero(held, axis=0)
            for counter in counters:
                if counter is not None:
                    counter.add_columns(held[:, column[counter.asked]])
    return [
        _alone(law, members, stays, sets[:, 0], table, singles, bits)
        if counter is None
        else counter.counts()
        for sets, counter in zip(asked, counters, strict=True)
    ]


def _columns(law: SelectASize, places: Integers, stays: Members, width: int, bits: Bits) -> Members:
    """The reports on some items: coins for all of them, then what stays of the baskets."""
    lanes = bits.lanes(8)
    held = lanes.coins(Steps.heads(law.insert, lanes.width), len(places) * width)
    held = held.reshape(len(places), width)
    rows, where = np.nonzero(places >= 0)
    held[rows, places[rows, where]] = stays[rows, where]
    return held


def _alone(
    law: SelectASize,
    members: Integers,
    stays: Members,
    numbers: Integers,
    table: Integers | None,
    singles: Integers,
    bits: Bits,
) -> Integers:
    """How many reports lack and hold each number: those of the table as drawn, others by sums."""
    order = np.unique(numbers)
    place = np.searchsorted(order, members.ravel())
    place[place == len(order)] = 0
    known = order[place] == members.ravel()
    has = np.bincount(place[known], minlength=len(order))
    kept = np.bincount(place[known & stays.ravel()], minlength=len(order))
    word = int(bits.words(1)[0])
    generator = np.random.Generator(np.random.PCG64(word))
    found = kept + generator.binomial(len(members) - has, float(law.insert))
    if table is not None and len(table):
        where = np.searchsorted(table, order)
        where[where == len(table)] = 0
        drawn = table[where] == order
        found[drawn] = singles[where[drawn]]
    counts = found[np.searchsorted(order, numbers)]
    return np.stack([len(members) - counts, counts], axis=1)
