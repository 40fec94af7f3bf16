"""Plans: who reports what, through which select-a-size, and what was found of it (docs/plans.md).

A plan divides clients into groups, and gives each size of basket in a group a randomization. That
alone is what runs; all else says how it was made and what it will see. Files: plan_file.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import (
    Randomization,
    balance,
    from_balance,
    select_a_size,
    spelled_keep,
)
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.design.item_breach import ItemGoal
from ppdm_formal.design.plan_facts import (
    Certified,
    FormSeen,
    PooledForecast,
    SizeFacts,
    TwoPhaseForecast,
    Way,
)

Hidden: TypeAlias = Literal["pad", "cut"]
ALL = "all"
"""The name of the group of a plan in which all clients report alike."""

MAX_SIZE = 1000
"""The largest basket that a plan may have."""

MAX_SETS = 5000
"""The most sets of items that one client may report on: C(m, k) for m items and sets of k."""


NAMES = {1: "items", 2: "pairs", 3: "triples"}
"""What groups that report sets are called; those of more items by their number."""


def sets_name(itemset: int) -> str:
    """Sets of so many items: items, pairs, triples, sets of 4, ..."""
    return NAMES.get(itemset, f"sets of {itemset}")


class PlanError(ValueError):
    """What is wrong with a plan, in a sentence."""


def gamma_bound(rho1: Fraction, rho2: Fraction) -> Fraction:
    """The amplification at which rho1-to-rho2 breaches become possible (Statement 1).

    >>> str(gamma_bound(Fraction(1, 20), Fraction(1, 2)))
    '19'
    """
    if not 0 < rho1 < rho2 < 1:
        raise ValueError(f"a plan needs 0 < rho1 < rho2 < 1, not rho1 = {rho1}, rho2 = {rho2}")
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


@dataclass(frozen=True)
class SizePlan:
    """What baskets of one size get: select-a-size over the group's universe.

    baskets: how many of this size are expected, where the plan says so; transactions: how many
    its LDS assumes. ratios: b[j] up to a factor, where the plan says them instead of p[j].
    """

    size: int
    randomization: Randomization
    baskets: int | None = None
    transactions: int | None = None
    ratios: tuple[Fraction, ...] | None = None
    facts: SizeFacts | None = None
    certificate: Certified | None = None

    @classmethod
    def spelled(cls, size: int, randomization: Randomization) -> SizePlan:
        """The one that says p[j], or where those are long b[j]."""
        found = spelled_keep(randomization)
        if "keep" in found:
            return cls(size, randomization)
        ratios = tuple(b for b, many in found["balance"] for _ in range(many))
        return cls(size, randomization, ratios=ratios)

    @classmethod
    def by_ratios(cls, size: int, insert: Fraction, ratios: Sequence[Fraction]) -> SizePlan:
        """The one with these b[j], up to a factor, which it says."""
        law = Randomization(len(ratios) - 1, insert, from_balance(ratios, insert))
        return cls(size, law, ratios=tuple(ratios))

    @property
    def amplification(self) -> Fraction:
        """The largest ratio of two b[j], for as many items as there may be."""
        ratios = balance(self.randomization.keep, self.randomization.insert)
        return max(ratios) / min(ratios)

    @property
    def bits(self) -> int:
        """Of rho = a/2^b, after cancelling: 128/256 costs as much as 1/2."""
        denominator: int = self.randomization.insert.denominator
        return denominator.bit_length() - 1


@dataclass(frozen=True)
class Group:
    """Clients that report in one way: by identifier or coin in one group, never by basket.

    share: of all clients. lifted: k, where sets of k items are reported (1: items). phase: 1, or
    2 for those who report after the first phase's result. chosen: the items that baskets of the
    second phase are projected onto; None where they are all items, or not yet known (`pending`).
    hidden: None where sizes are public; "pad" where dummy items fill every basket up to the one
    size; "cut" where longer ones give a random part of that size, and shorter ones are padded.
    """

    name: str
    share: Fraction
    lifted: int
    phase: int
    chosen: tuple[int, ...] | None
    hidden: Hidden | None
    sizes: tuple[SizePlan, ...]

    @property
    def among(self) -> None:
        """No crowd is claimed; see asked."""
        return

    @property
    def asked(self) -> None:
        """Items of baskets; plans in rounds ask other things (rounds/plan.py)."""
        return

    @property
    def pending(self) -> bool:
        """Whether the items of the second phase are still to be found by the first."""
        return self.phase == 2 and self.chosen is None

    @property
    def dummies(self) -> int:
        """How many dummy items there are: items n, ..., n + M - 1, where sizes are hidden."""
        return self.sizes[0].size if self.hidden else 0

    def items(self, items: int) -> int:
        """How many items a basket of this group is drawn from, out of so many, with dummies."""
        return (items if self.chosen is None else len(self.chosen)) + self.dummies

    def universe(self, items: int) -> int:
        """C(N, k): how many sets a report is drawn from."""
        return math.comb(self.items(items), self.lifted)

    def at(self, size: int) -> SizePlan:
        """What baskets of that size get."""
        for part in self.sizes:
            if part.size == size:
                return part
        known = ", ".join(str(part.size) for part in self.sizes)
        raise PlanError(f"the plan has no transactions of {size} items (it has {known})")

    def label(self, size: int) -> str:
        """What its operator for one size is called."""
        here = f"size {size}" if self.hidden is None else f"up to {size} items"
        return here if self.name == ALL else f"{self.name}, {here}"

    def operator(self, size: int, items: int) -> Operator:
        """Select-a-size on the universe of so many items, C(size, k) of which a client holds."""
        return self._on(size, self.universe(items))

    def witness(self, size: int) -> Operator:
        """The same on twice as many sets as a client holds.

        Every ratio of likelihoods that some universe shows is shown there, so what holds of it
        for all priors holds on every universe.
        """
        return self._on(size, 2 * self.at(size).randomization.size)

    def law_content(self) -> dict[str, object]:
        """What assignment is keyed by; see run/plan_groups.py."""
        sizes = [
            {
                "size": part.size,
                "insert": number_text(part.randomization.insert),
                "keep": [number_text(p) for p in part.randomization.keep],
            }
            for part in self.sizes
        ]
        return {
            "name": self.name,
            "share": number_text(self.share),
            "lifted": self.lifted,
            "hidden": self.hidden,
            "chosen": None if self.chosen is None else list(self.chosen),
            "sizes": sizes,
        }

    def _on(self, size: int, universe: int) -> Operator:
        found = self.at(size).randomization
        return select_a_size(
            universe, found.size, found.insert, keep=found.keep, name=self.label(size)
        )


@dataclass(frozen=True)
class Plan:
    """A plan against rho1-to-rho2 breaches, and what is forecast of it; None: it does not say.

    clients: how many are expected to report, empty baskets included; histogram: the sizes of all
    their baskets, before any are cut. transactions: how many its LDS assume. item_breach: what it
    was designed for instead, its amplification being as it came. hiding: what public, padded and
    cut sizes would see. at_hand: whether figures of baskets at hand stand in it as they are.
    among, exception: the crowd that hides each report, and how likely a breach may be in it.
    """

    rho1: Fraction
    rho2: Fraction
    items: int | None
    itemsets: int
    groups: tuple[Group, ...]
    clients: int | None = None
    histogram: Mapping[int, int] | None = None
    form: str | None = None
    gamma_used: Fraction | None = None
    paper: bool = False
    item_breach: ItemGoal | None = None
    transactions: int | None = None
    pooled: tuple[PooledForecast, ...] | None = None
    hiding: tuple[Way, ...] | None = None
    compared: tuple[FormSeen, ...] | None = None
    at_hand: bool | None = None
    two_phase: TwoPhaseForecast | None = None
    notes: tuple[str, ...] = ()
    among: Crowd | None = None
    exception: Fraction | None = None

    def __post_init__(self) -> None:
        if not self.rho1 < self.rho2:
            raise PlanError("the plan needs rho1 < rho2")
        if (self.among is None) != (self.exception is None):
            raise PlanError("among a crowd a plan promises except with a probability: say both")
        if self.exception is not None and not 0 < self.exception < 1:
            raise PlanError("except of the plan is a probability above 0 and below 1")
        names = [group.name for group in self.groups]
        if len(set(names)) < len(names):
            raise PlanError("the plan has a group twice")
        if sum(group.share for group in self.groups) != 1:
            raise PlanError("the shares of the plan's groups do not sum to 1")
        for group in self.groups:
            self._check_items(group)

    @property
    def gamma(self) -> Fraction:
        """The amplification at which breaches become possible."""
        return gamma_bound(self.rho1, self.rho2)

    @property
    def item_level(self) -> bool:
        """Whether it was designed for item-level breaches, and its amplification as it came."""
        return self.item_breach is not None

    @property
    def flat(self) -> bool:
        """Whether all clients report items, in one phase."""
        return len(self.groups) == 1 and self.groups[0].lifted == self.groups[0].phase == 1

    @property
    def alike(self) -> bool:
        """Whether there are no groups to speak of: all clients report items, in one way."""
        return self.flat and self.groups[0].name == ALL

    @property
    def only(self) -> Group:
        """The one group of a flat plan."""
        if not self.flat:
            names = ", ".join(group.name for group in self.groups)
            raise PlanError(f"the plan divides clients into groups ({names})")
        return self.groups[0]

    def with_certificates(self, certified: Mapping[tuple[str, int], Certified]) -> Plan:
        """The plan with what was decided of each group's sizes."""
        groups = [
            replace(
                group,
                sizes=tuple(
                    replace(part, certificate=certified[group.name, part.size])
                    for part in group.sizes
                ),
            )
            for group in self.groups
        ]
        return replace(self, groups=tuple(groups))

    def sizes_told(self, group: Group) -> bool:
        """Whether baskets of different sizes are told apart for certain: gamma is infinite."""
        return group.hidden is None and (len(group.sizes) > 1 or 0 in (self.histogram or {}))

    def _check_items(self, group: Group) -> None:
        if group.chosen is not None and (self.items is None or group.chosen[-1] >= self.items):
            raise PlanError(f"group {group.name} of the plan has items that the plan does not have")
        for part in group.sizes if self.items is not None else ():
            known = group.items(self.items or 0)
            if part.size > known:
                raise PlanError(f"size {part.size} of the plan is more than its {known} items")


def everyone(sizes: tuple[SizePlan, ...], hidden: Hidden | None = None) -> Group:
    """The group of a plan in which all clients report items alike."""
    return Group(ALL, Fraction(1), 1, 1, None, hidden, sizes)
