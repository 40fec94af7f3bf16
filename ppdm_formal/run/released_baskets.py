"""Released transactions: the groups of clients, what each reports, and the operator of each size.

A client belongs to one group. Its report is a set of numbers of the group's universe: items (by
their places in `chosen`, where baskets were projected), dummies behind them where sizes are
hidden, or sets of `lifted` of those by their colex numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import select_a_size_law
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.design.rounds.asked import RoundsAsked
from ppdm_formal.run.compress.chooser import generator_of
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.guarantee import guarantee
from ppdm_formal.run.described import number_of, operator_json, operator_of
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, text_of, texts_of, whole_of
from ppdm_formal.run.released import DecidedClaim, Origin

Hidden: TypeAlias = Literal["pad", "cut"]
GroupBy: TypeAlias = Literal["coin", "place", "identifier"]
"""What a client's group depends on: a coin, its line or row, its identifier; never its basket."""

MAX_PHASE = 9
"""Most phases, or rounds, of a plan."""

MAX_LIFTED = 32
"""Most items of the sets that are reported as one."""


@dataclass(frozen=True)
class ReleasedSize:
    """Transactions of one size: how many were released, and the operator that was applied.

    Without an operator nothing was sent but the size: such transactions hold no set that the
    group is asked for. With a generator what was sent are its seeds (which may since have been
    written out): then only sets of up to q - m numbers are distributed as the operator says.
    """

    size: int
    rows: int
    operator: Operator | None
    claims: tuple[DecidedClaim, ...] = ()
    generator: Generator | None = None

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return {
            "size": self.size,
            "rows": self.rows,
            "operator": None if self.operator is None else operator_json(self.operator),
            "claims": [claim.to_json() for claim in self.claims],
            "generator": None if self.generator is None else self.generator.to_json(),
        }

    @classmethod
    def of(cls, written: object) -> ReleasedSize:
        """What to_json wrote."""
        found = fields(written, "a size", "size", "rows", "operator", "claims", "generator")
        return cls(
            whole_of(found["size"], "a size"),
            whole_of(found["rows"], "the transactions of a size"),
            None if found["operator"] is None else operator_of(found["operator"]),
            tuple(map(DecidedClaim.of, list_of(found["claims"], "claims"))),
            None if found["generator"] is None else generator_of(found["generator"]),
        )


@dataclass(frozen=True)
class ReleasedGroup:
    """Clients that report in one way; `sizes` are those of their (projected, padded) baskets.

    hidden: None where the sizes are public; then a basket has one of `sizes`, which rise. asked:
    what clients of a plan in rounds report on, where it is not the items of their baskets.
    """

    name: str
    sizes: tuple[ReleasedSize, ...]
    share: Fraction = Fraction(1)
    lifted: int = 1
    chosen: tuple[int, ...] | None = None
    hidden: Hidden | None = None
    asked: RoundsAsked | None = None

    @property
    def rows(self) -> int:
        """How many clients of the group took part."""
        return sum(part.rows for part in self.sizes)

    @property
    def plain(self) -> bool:
        """Whether reports are sets of the items themselves."""
        return self.lifted == 1 and self.chosen is None and self.hidden is None

    def width(self, items: int) -> int:
        """How many items baskets are made of: all or the chosen ones, and the dummies."""
        if self.asked is not None:
            real = self.asked.values(items)
        else:
            real = items if self.chosen is None else len(self.chosen)
        return real + (self.sizes[0].size if self.padded else 0)

    @property
    def padded(self) -> bool:
        """Whether baskets are filled up with dummies: of lengths each client has one."""
        return self.hidden is not None and (self.asked is None or self.asked.kind != "lengths")

    def universe(self, items: int) -> int:
        """How many numbers a report is made of."""
        return math.comb(self.width(items), self.lifted)

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return {
            "name": self.name,
            "share": number_text(self.share),
            "lifted": self.lifted,
            "chosen": None if self.chosen is None else list(self.chosen),
            "hidden": self.hidden,
            "sizes": [part.to_json() for part in self.sizes],
            **({} if self.asked is None else {"asked": self.asked.to_json()}),
        }

    @classmethod
    def of(cls, written: object, items: int) -> ReleasedGroup:
        """What to_json wrote; the operators must be on these items and sizes."""
        further = ("asked",) if isinstance(written, dict) and "asked" in written else ()
        known = ("name", "share", "lifted", "chosen", "hidden", "sizes", *further)
        found = fields(written, "a group", *known)
        share = number_of(found["share"])
        if not 0 < share <= 1:
            raise ReleaseError("the share of a group is not between 0 and 1")
        lifted = whole_of(found["lifted"], "the size of lifted sets")
        if not 1 <= lifted <= MAX_LIFTED:
            raise ReleaseError(f"lifted sets have 1 to {MAX_LIFTED} items")
        chosen = found["chosen"]
        if chosen is not None:
            chosen = [whole_of(item, "a chosen item") for item in list_of(chosen, "chosen")]
            if not chosen or sorted(set(chosen)) != chosen or chosen[-1] >= items:
                raise ReleaseError("the chosen items of a group do not rise, or are none")
        hidden = found["hidden"]
        if hidden not in (None, "pad", "cut"):
            raise ReleaseError("how a group hides sizes is not known here")
        sizes = tuple(map(ReleasedSize.of, list_of(found["sizes"], "sizes")))
        order = [part.size for part in sizes]
        if not order or sorted(set(order)) != order:
            raise ReleaseError("the sizes of transactions do not rise")
        if hidden and len(sizes) > 1:
            raise ReleaseError("a group that hides sizes has one")
        group = cls(
            text_of(found["name"], "the name of a group"),
            sizes,
            share,
            lifted,
            None if chosen is None else tuple(chosen),
            hidden,
            _asked_of(found["asked"], items) if further else None,
        )
        if group.asked is not None and (lifted, chosen, hidden) != (1, None, "cut"):
            raise ReleaseError("a group that is asked something reports it in one size")
        group.check(items)
        return group

    def check(self, items: int) -> None:
        """Refuse operators that are not on the group's universe, or missing where one is needed."""
        universe = self.universe(items)
        sent = [part for part in self.sizes if part.operator is not None]
        if not sent:
            raise ReleaseError(f"the group {self.name} sends nothing at all")
        for part in self.sizes:
            if part.operator is None:
                if part.size > sent[0].size or self.hidden or part.claims or part.generator:
                    raise ReleaseError(f"size {part.size} of a group has no operator")
                continue
            members = math.comb(part.size, self.lifted)
            if part.operator.inputs != Subsets(universe, min(members, universe)):
                raise ReleaseError(f"the operator of size {part.size} is on other transactions")
            if part.generator is not None:
                check_generator(part.generator, part.operator, members)


def _asked_of(written: object, items: int) -> RoundsAsked:
    try:
        found = RoundsAsked.of(written)
        found.check(items)
    except ValueError as wrong:
        raise ReleaseError(str(wrong)) from None
    return found


def check_generator(generator: Generator, operator: Operator, members: int) -> None:
    """Refuse a generator that does not draw as the operator does (EGS03 Statements 3 and 4).

    q >= m is what its claims need: then a seed's probabilities have the operator's ratios.
    """
    law = select_a_size_law(operator)
    if law is None or law.insert != generator.insert:
        raise ReleaseError("a generator inserts items with another probability than its operator")
    if generator.items != law.items:
        raise ReleaseError("a generator is for other items than its operator")
    try:
        guarantee(generator, members)
    except ValueError as problem:
        raise ReleaseError(str(problem)) from None


@dataclass(frozen=True)
class Transactions:
    """Randomized transactions: all items, by name where they have names, and the plan's groups.

    The data come group by group, and in a group by the original sizes, where those are public.
    phase: of a plan of two phases, the one that was run; the clients of the other are counted in
    the tally as dropped for "phase". assigned: by what clients got their group, where there are
    several; key: what identifiers were hashed with (the same in both phases).
    """

    items: int
    names: tuple[str, ...] | None
    plan: Origin
    groups: tuple[ReleasedGroup, ...]
    phase: int | None = None
    assigned: GroupBy | None = None
    key: str | None = None

    @property
    def compressed(self) -> bool:
        """Whether seeds were sent."""
        return any(part.generator is not None for _, part in self.parts())

    @property
    def plain(self) -> bool:
        """Whether all reports are sets of items: the file then has their names."""
        return all(group.plain for group in self.groups)

    def parts(self) -> Iterator[tuple[ReleasedGroup, ReleasedSize]]:
        """The parts of the data, in their order."""
        for group in self.groups:
            for part in group.sizes:
                if part.operator is not None:
                    yield group, part

    def to_json(self) -> dict[str, Any]:
        """As the description holds it."""
        return {
            "items": self.items,
            "names": None if self.names is None else list(self.names),
            "plan": self.plan.to_json(),
            "phase": self.phase,
            "assigned": self.assigned,
            "key": self.key,
            "groups": [group.to_json() for group in self.groups],
        }

    @classmethod
    def of(cls, written: object) -> Transactions:
        """What to_json wrote."""
        found = fields(
            written, "transactions", "items", "names", "plan", "phase", "assigned", "key", "groups"
        )
        items = whole_of(found["items"], "the number of items")
        names = None if found["names"] is None else texts_of(found["names"], "the names of items")
        if names is not None and (len(names) != items or len(set(names)) < items):
            raise ReleaseError("there is not one name for each item")
        groups = tuple(
            ReleasedGroup.of(group, items) for group in list_of(found["groups"], "groups")
        )
        seeds = {
            part.generator is not None
            for group in groups
            for part in group.sizes
            if part.operator is not None
        }
        if len(seeds) > 1:
            raise ReleaseError("some clients sent seeds, and others did not")
        if not groups or len({group.name for group in groups}) < len(groups):
            raise ReleaseError("the groups of clients are none, or two have one name")
        if sum(group.share for group in groups) > 1:
            raise ReleaseError("the shares of the groups are more than all clients")
        phase, assigned, key = found["phase"], found["assigned"], found["key"]
        if phase is not None and (type(phase) is not int or not 1 <= phase <= MAX_PHASE):
            raise ReleaseError(f"the phase is not one of 1 to {MAX_PHASE}")
        if assigned not in (None, "coin", "place", "identifier"):
            raise ReleaseError("how clients got their group is not known here")
        if (key is None) == (assigned in ("place", "identifier")):
            raise ReleaseError("identifiers are hashed with a key, and coins without one")
        if key is not None:
            text_of(key, "the key of identifiers")
        whole = assigned is None
        if whole != (len(groups) == 1 and phase is None) or (phase and assigned == "coin"):
            raise ReleaseError("how clients got their group does not fit the groups")
        return cls(items, names, Origin.of(found["plan"]), groups, phase, assigned, key)
