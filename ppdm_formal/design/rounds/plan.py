"""RoundsPlan: which clients are asked what, in which round, and by which law they answer.

Every client takes part in one round, so that each report keeps the plan's gamma. The first round
asks for items, later ones for itemsets of a list that is made from earlier reports alone; until
then a group is pending. Sizes are hidden: what a client holds is padded with dummies, or a random
part of it, to exactly `size` values. Of lengths a client holds one value and needs no dummies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.families.by_place import family_function
from ppdm_formal.declare.operators.alike import Support
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.design.plan import PlanError, gamma_bound
from ppdm_formal.design.rounds.asked import RoundsAsked

FAMILIES = ("fixed_size", "select_a_size", "pad_and_sample")
"""The families that reports may be drawn by."""

Find: TypeAlias = Literal["items", "pairs", "rules"]


@dataclass(frozen=True)
class Form:
    """A law for any number of values: a family, and its arguments besides items and size."""

    family: str
    arguments: Mapping[str, Fraction | int]

    def operator(self, values: int, size: int, name: str = "") -> Operator:
        """On all sets of `size` of so many values; ValueError where the family refuses that."""
        function = family_function(self.family)
        if self.family not in FAMILIES or function is None:
            raise PlanError(f"reports of plans in rounds are not drawn by {self.family[:60]}")
        try:
            return function(items=values, size=size, **self.arguments, name=name)
        except TypeError:
            raise PlanError(f"{self.family} takes other arguments than the plan gives it") from None

    def to_json(self) -> dict[str, Any]:
        """As files hold it: numbers are text, counts are not."""
        said = {k: v if isinstance(v, int) else number_text(v) for k, v in self.arguments.items()}
        return {"family": self.family, "arguments": said}


@dataclass(frozen=True)
class OneSize:
    """The one size that all clients of a group report with."""

    size: int


@dataclass(frozen=True)
class RoundGroup:
    """Clients that are asked one thing. values: how many are expected while it is pending.

    among: with a shuffler, among how many reports of the group at least a client's own is hidden.
    """

    name: str
    share: Fraction
    phase: int
    kind: Literal["items", "itemsets", "lengths"]
    size: int
    form: Form
    asked: RoundsAsked | None
    values: int | None = None
    among: int | None = None

    lifted: int = field(default=1, init=False)
    chosen: None = field(default=None, init=False)
    hidden: Literal["cut"] = field(default="cut", init=False)

    @property
    def sizes(self) -> tuple[OneSize, ...]:
        """The one there is."""
        return (OneSize(self.size),)

    @property
    def pending(self) -> bool:
        """Whether what is asked is still to be found by earlier rounds."""
        return self.asked is None

    def universe(self, items: int) -> int:
        """How many values a report is drawn from, dummies included."""
        if self.asked is None:
            assert self.values is not None
            real = self.values
        else:
            real = self.asked.values(items)
        return real + (0 if self.kind == "lengths" else self.size)

    def label(self, size: int) -> str:
        """What its operator is called."""
        what = "how many" if self.kind == "lengths" else f"{size} of the {self.kind}"
        return f"{self.name}, {what}"

    def operator(self, size: int, items: int) -> Operator:
        """The law on the universe of so many items."""
        return self.form.operator(self.universe(items), size, self.label(size))

    def witness(self, size: int) -> Operator:
        """The same on few values: what is pending is certified again when it is known."""
        return self.operator(size, 2 * size)

    def law_content(self) -> dict[str, Any]:
        """What assignment is keyed by; see run/plan_groups.py."""
        return {
            "name": self.name,
            "share": number_text(self.share),
            "kind": self.kind,
            "size": self.size,
            "form": self.form.to_json(),
            **({} if self.among is None else {"among": self.among}),
        }

    def support(self, items: int) -> Support:
        """How likely a report holds a value that its client reports on, and any other one."""
        found = self.operator(self.size, items).law.support()
        assert found is not None
        return found


@dataclass(frozen=True)
class Shuffled:
    """The server sees reports in a random order; a breach may pass with so small a probability."""

    exception: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.exception < 1:
            raise ValueError("a breach passes with a probability between 0 and 1")


@dataclass(frozen=True)
class Goal:
    """What is to be found: items, pairs or rules; the `top` most frequent, or from a support on."""

    find: Find = "pairs"
    top: int | None = 50
    least: Fraction | None = None

    def __post_init__(self) -> None:
        if self.find not in ("items", "pairs", "rules"):
            raise ValueError("items, pairs or rules are found")
        if (self.top is None) == (self.least is None):
            raise ValueError("give either how many are to be found, or from which support on")
        if (self.top is not None and not 1 <= self.top <= 100_000) or (
            self.least is not None and not 0 < self.least <= 1
        ):
            raise ValueError("1 to 100,000 are found, or those from a support above 0 on")


@dataclass(frozen=True)
class RoundsPlan:
    """A plan in rounds against rho1-to-rho2 breaches.

    clients: how many are expected. histogram: the sizes of the baskets that it was designed for,
    which is all that it says of them. learned: what rounds that are done told, as --continue needs
    it: see continuing.py. shuffled: what is trusted; None: nobody, and each report keeps gamma.
    """

    rho1: Fraction
    rho2: Fraction
    items: int
    groups: tuple[RoundGroup, ...]
    goal: Goal
    clients: int | None = None
    histogram: Mapping[int, int] | None = None
    at_hand: bool = False
    learned: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()
    shuffled: Shuffled | None = None

    def __post_init__(self) -> None:
        if not 0 < self.rho1 < self.rho2 < 1:
            raise PlanError("the plan needs 0 < rho1 < rho2 < 1")
        names = [group.name for group in self.groups]
        if not names or len(set(names)) < len(names):
            raise PlanError("the plan has no group, or one twice")
        if sum(group.share for group in self.groups) != 1:
            raise PlanError("the shares of the plan's groups do not sum to 1")
        if sorted({group.phase for group in self.groups}) != list(range(1, self.rounds + 1)):
            raise PlanError("the rounds of the plan are not 1, 2, ...")
        for group in self.groups:
            if group.asked is not None:
                group.asked.check(self.items)
                if group.asked.kind != group.kind:
                    raise PlanError(f"group {group.name} is asked something else than it says")
            elif group.phase == 1 or not group.values:
                raise PlanError(f"group {group.name} of the plan is asked nothing")
            if (self.shuffled is None) != (group.among is None):
                raise PlanError("with a shuffler, every group says among how many it hides one")
            try:
                group.operator(group.size, self.items)
            except ValueError as wrong:
                raise PlanError(f"group {group.name} of the plan: {wrong}") from None

    @cached_property
    def rounds(self) -> int:
        """How many there are."""
        return max(group.phase for group in self.groups)

    @property
    def gamma(self) -> Fraction:
        """The amplification at which breaches become possible."""
        return gamma_bound(self.rho1, self.rho2)

    def claim_of(self, group: RoundGroup) -> BreachClaim:
        """What is claimed of a group's reports."""
        if self.shuffled is None or group.among is None:
            return BreachClaim(self.rho1, self.rho2)
        return BreachClaim(
            self.rho1,
            self.rho2,
            exception=self.shuffled.exception,
            crowd=Crowd(group.among, "shuffling"),
        )

    @property
    def itemsets(self) -> int:
        """The largest itemsets that are asked about."""
        return 1 if self.goal.find == "items" else 2

    def of_round(self, number: int) -> tuple[RoundGroup, ...]:
        """The groups of one round."""
        return tuple(group for group in self.groups if group.phase == number)
