"""Reports before they are randomized: what a client's basket becomes in its group.

Projected onto the chosen items, brought to a size that the plan has (or padded with dummies to
the one size there is), and lifted to the sets of k items: numbers of the group's universe, as
many in each row. What happens to them then (coins, or a seed) is not decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.design.itemset_numbers import all_numbers_of
from ppdm_formal.run.baskets import Baskets, Integers, sampled
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.released_baskets import ReleasedGroup
from ppdm_formal.run.table_release import Outside
from ppdm_formal.run.tally import Tally


@dataclass(frozen=True)
class Policy:
    """What happens to transactions that the plan does not cover; None: they are refused.

    A size between two of the plan's is longer than the smaller one.
    """

    outside: Outside
    longer: Literal["drop", "sample"] | None = None
    shorter: Literal["drop"] | None = None


@dataclass(frozen=True)
class Clients:
    """Baskets of some clients, as sets, and where each was read, for messages."""

    baskets: Baskets
    places: Sequence[int]
    where: str
    """The file, and what a place is: "shop.dat, line"."""

    def take(self, which: Integers) -> Clients:
        """Some of them."""
        places = [self.places[row] for row in which.tolist()]
        return Clients(self.baskets.take(which), places, self.where)


@dataclass
class Reporter:
    """What the clients of one group report; `silent` counts those that send their size alone."""

    group: ReleasedGroup
    items: int
    policy: Policy
    tally: Tally
    silent: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.group.universe(self.items) >= 1 << 63:
            raise DataError(f"the sets of group {self.group.name} have numbers beyond 63 bits")

    def reports(self, clients: Clients, bits: Bits) -> Iterator[tuple[int, Integers]]:
        """For each size its reports: a row a client, of numbers of the group's universe."""
        baskets, asked = clients.baskets, self.group.asked
        if asked is not None and asked.sets is not None:
            held = Baskets.joined(*asked.held(baskets.items, baskets.offsets))
            clients = Clients(held, clients.places, clients.where)
        if asked is not None and asked.kind == "lengths":
            yield 1, asked.classes(clients.baskets.sizes).reshape(-1, 1)
            return
        if self.group.chosen is not None:
            clients = Clients(
                projected(baskets, self.group.chosen, self.items), clients.places, clients.where
            )
        for size, part in self._by_size(clients, bits):
            first = self.group.width(self.items) - size  # of the dummies, where there are any
            members = (
                padded(part, size, first) if self.group.hidden else part.items.reshape(-1, size)
            )
            yield size, lifted(members, self.group.lifted)

    def _by_size(self, clients: Clients, bits: Bits) -> Iterator[tuple[int, Baskets]]:
        """The baskets of each size of the plan; longer ones cut where that is wanted."""
        baskets = clients.baskets
        sizes = baskets.sizes
        known = np.array([part.size for part in self.group.sizes])
        covered = self._covered(sizes, known)
        left = np.ones(len(baskets), dtype=bool)
        if not self.group.hidden:
            quiet = (covered < 0) & (sizes < silent_below(self.group))
            self.silent.update(sizes[quiet].tolist())
            self.tally.rows_out += int(np.count_nonzero(quiet))
            left &= ~quiet
        for kind, policy, mask in (
            ("longer", self._longer, (covered >= 0) & (covered < sizes)),
            ("shorter", self.policy.shorter, covered < 0),
        ):
            affected = np.flatnonzero(mask & left)
            if affected.size and policy is None:
                raise DataError(
                    f"{clients.where} {clients.places[int(affected[0])]}: "
                    f"a transaction {kind} than the plan has; state --{kind} drop"
                    + (" or sample" if kind == "longer" else "")
                )
            if policy == "drop":
                self.tally.dropped[None, kind] += affected.size
                left &= ~mask
            else:
                self.tally.sampled += affected.size
        for size in np.unique(covered[left]).tolist():
            part = baskets.take(np.flatnonzero(left & (covered == size)))
            long = np.flatnonzero(part.sizes > size)
            if long.size:
                part = _replaced(part, long, sampled(part.take(long), size, bits))
            yield size, part

    def _covered(self, sizes: Integers, known: Integers) -> Integers:
        """The plan's size for baskets of each size, -1 where there is none."""
        if self.group.hidden:
            return np.full(len(sizes), known[0])
        below = np.searchsorted(known, sizes, side="right") - 1
        return np.where(below >= 0, known[below], -1)

    @property
    def _longer(self) -> Literal["drop", "sample"] | None:
        """A plan that cuts says by itself what happens to longer baskets."""
        return "sample" if self.group.hidden == "cut" else self.policy.longer


def silent_below(group: ReleasedGroup) -> int:
    """The size below which a basket holds no set that the group is asked for.

    Lifted groups are asked for sets of k items; projected ones for pairs and larger sets, since
    their items were found before. In others every basket with an item counts.
    """
    if group.lifted > 1:
        return group.lifted
    return 2 if group.chosen is not None else 0


def projected(baskets: Baskets, chosen: Sequence[int], items: int) -> Baskets:
    """The baskets without items that are not chosen; items by their places among the chosen."""
    place = np.full(items, -1, dtype=np.int64)
    place[np.array(chosen, dtype=np.int64)] = np.arange(len(chosen))
    found = place[baskets.items]
    stays = found >= 0
    sizes = np.bincount(baskets.owners()[stays], minlength=len(baskets))
    return Baskets.joined(found[stays], sizes.astype(np.int64)).distinct()


def padded(baskets: Baskets, size: int, first: int) -> Integers:
    """Baskets of at most `size` items as rows of exactly that many, filled up with dummies.

    A basket that lacks d items gets the dummies first..first + d - 1.
    """
    lacking = size - baskets.sizes
    places = np.broadcast_to(np.arange(size), (len(baskets), size))
    rows = first + places - baskets.sizes[:, None]
    rows[places < size - lacking[:, None]] = baskets.items
    return rows


def lifted(members: Integers, itemset: int) -> Integers:
    """Rows of items as rows of the numbers of all their k-sets, rising."""
    if itemset == 1:
        return members
    return all_numbers_of(members, itemset).astype(np.int64)


def _replaced(baskets: Baskets, which: Integers, others: Baskets) -> Baskets:
    """The transactions with some of them replaced."""
    source = np.arange(len(baskets))
    source[which] = len(baskets) + np.arange(len(which))
    both = Baskets.joined(
        np.concatenate([baskets.items, others.items]),
        np.concatenate([baskets.sizes, others.sizes]),
    )
    return both.take(source)
