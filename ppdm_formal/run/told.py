"""Told: what the reports of one group of a plan in rounds say of each value that it was asked.

A report holds a value with probability `hit` where its client reports on it, and `miss` where not,
both exact. Of `people` reports `counts` hold it, so that with s the share of these clients that
report on it, after their baskets were padded or cut to `cut` values,

    E counts / people = miss + (hit - miss) s
    Var counts / people = (s hit (1 - hit) + (1 - s) miss (1 - miss)) / people

up to what is drawn with the clients themselves (who is in which group).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.design.rounds.asked import RoundsAsked
from ppdm_formal.run.baskets import Integers
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup


@dataclass(frozen=True)
class Told:
    """Counts of the values that a group was asked about; dummies are left out.

    clients: all who take part in the collection, in any round; `people` are a random part of them.
    """

    group: str
    round: int
    asked: RoundsAsked
    counts: Integers
    people: int
    clients: int
    hit: Any
    miss: Any
    cut: int

    @property
    def candidates(self) -> Integers:
        """A row of items for each value, of items and of itemsets of one size."""
        if self.asked.kind == "lengths":
            raise ValueError("lengths are no sets of items")
        if self.asked.sets is None:
            return np.arange(len(self.counts)).reshape(-1, 1)
        if len({len(one) for one in self.asked.sets}) > 1:
            raise ValueError("the itemsets that were asked are of several sizes: see asked.sets")
        return np.array(self.asked.sets, dtype=np.int64)

    @property
    def estimates(self) -> npt.NDArray[np.float64]:
        """The share of these clients that report on each value, without bias."""
        hit, miss = float(self.hit), float(self.miss)
        return np.asarray((self.counts / max(1, self.people) - miss) / (hit - miss))

    def deviations(self, shares: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
        """Standard errors where values have these shares."""
        hit, miss, s = float(self.hit), float(self.miss), np.clip(shares, 0, 1)
        spread = s * hit * (1 - hit) + (1 - s) * miss * (1 - miss)
        return np.asarray(np.sqrt(spread / max(1, self.people)) / (hit - miss))


def told(releases: Release | Sequence[Release]) -> list[Told]:
    """What every group of releases of a plan in rounds says, by rounds; files of a round add up.

    ReleaseError where they are not of one plan in rounds, or one of them is there twice.
    """
    every = [releases] if isinstance(releases, Release) else list(releases)
    found: dict[tuple[int, str], Told] = {}
    keys, digests = set(), set()
    whole: dict[int, int] = {}
    for release in every:
        about = release.transactions
        if about is None or any(group.asked is None for group in about.groups):
            raise ReleaseError("this release is not of a plan in rounds")
        keys.add((about.key, about.items, about.names))
        if release.data.sha256 is not None and release.data.sha256 in digests:
            raise ReleaseError(f"{release.path}: the data of another release again")
        digests.add(release.data.sha256)
        number = about.phase or 1
        tally = release.tally
        clients = tally.rows_out + tally.dropped[None, "phase"]
        whole[number] = whole.get(number, 0) + clients
        for group, counts in _counts(release):
            own = (number, group.name)
            one = _told(group, number, about.items, counts)
            found[own] = one if own not in found else _added(found[own], one)
    if len(keys) != 1:
        raise ReleaseError("these releases are not of one plan, or of none")
    most = max(whole.values())
    return [
        replace(one, clients=most) for _, one in sorted(found.items(), key=lambda pair: pair[0][0])
    ]


def _counts(release: Release) -> list[tuple[ReleasedGroup, Integers]]:
    """How many reports of each group hold each number of its universe."""
    about = release.transactions
    assert about is not None
    found = {
        group.name: np.zeros(group.universe(about.items), dtype=np.int64) for group in about.groups
    }
    for group, _, reports in release.baskets():
        own = found[group.name]
        own += np.bincount(reports.items, minlength=len(own))
    return [(group, found[group.name]) for group in about.groups]


def _told(group: ReleasedGroup, number: int, items: int, counts: Integers) -> Told:
    (part,) = group.sizes
    assert part.operator is not None
    assert group.asked is not None
    support = part.operator.law.support()
    if support is None:
        raise ReleaseError(f"the operator of group {group.name} tells nothing of single values")
    counts = counts[: group.asked.values(items)]
    return Told(
        group.name, number, group.asked, counts, part.rows, part.rows, support.own,
        support.other, part.size,
    )  # fmt: skip


def _added(first: Told, second: Told) -> Told:
    alike = (first.asked, first.hit, first.miss, first.cut)
    if alike != (second.asked, second.hit, second.miss, second.cut):
        raise ReleaseError(f"group {first.group} was not randomized alike in all files")
    counts, people = first.counts + second.counts, first.people + second.people
    return Told(
        first.group, first.round, first.asked, counts, people, people, first.hit, first.miss,
        first.cut,
    )  # fmt: skip
