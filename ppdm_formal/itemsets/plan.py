"""Plans: who reports what, through which select-a-size (format ppdm-plan/1, docs/plans.md).

A plan divides clients into groups, and gives each size of basket in a group a randomization. A
plan comes from a file, so every number in it is checked again before it is used.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from ppdm_formal.families.select_a_size import (
    Randomization,
    balance,
    by_runs,
    from_balance,
    select_a_size,
    spelled_keep,
)
from ppdm_formal.numbers.exact import Exact, parse_number
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.operator.operator import Operator

FORMAT = "ppdm-plan/1"

Hidden: TypeAlias = Literal["pad", "cut"]

ALL = "all"
"""The name of the group of a plan in which all clients report alike."""

MAX_SIZE = 1000
"""The largest basket that a plan may have."""

MAX_SETS = 5000
"""The most sets of items that one client may report on: C(m, k) for m items and sets of k."""

MAX_LIFTED = 20
MAX_GROUPS = 1000
MAX_NAME = 60


class PlanError(ValueError):
    """What is wrong with a plan, in a sentence."""


@dataclass(frozen=True)
class SizePlan:
    """What baskets of one size get: select-a-size over the group's universe.

    baskets: how many of this size are expected, where the plan says so.
    """

    size: int
    randomization: Randomization
    baskets: int | None = None

    @property
    def amplification(self) -> Fraction:
        """The largest ratio of two b[j], for as many items as there may be."""
        ratios = balance(self.randomization.keep, self.randomization.insert)
        return max(ratios) / min(ratios)


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

    def _on(self, size: int, universe: int) -> Operator:
        found = self.at(size).randomization
        return select_a_size(
            universe, found.size, found.insert, keep=found.keep, name=self.label(size)
        )


@dataclass(frozen=True)
class Plan:
    """A plan against rho1-to-rho2 breaches; content is all of its JSON."""

    rho1: Fraction
    rho2: Fraction
    items: int | None
    itemsets: int
    groups: tuple[Group, ...]
    content: Mapping[str, Any] = field(repr=False)
    clients: int | None = None
    """How many clients are expected to report, empty baskets included."""

    @classmethod
    def of(cls, content: object) -> Plan:
        """The plan that a JSON value holds, checked."""
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise PlanError(f"this is not a plan of format {FORMAT}")
        groups = tuple(map(_group, _group_entries(content)))
        rho1, rho2 = (_level(content, key) for key in ("rho1", "rho2"))
        if not rho1 < rho2:
            raise PlanError("the plan needs rho1 < rho2")
        items = content.get("items")
        if items is not None:
            items = _whole(items, "the number of items")
        clients = content.get("clients")
        if clients is not None:
            clients = _whole(clients, "the number of clients")
        plan = cls(rho1, rho2, items, _itemsets(content, groups), groups, content, clients)
        plan._check()
        return plan

    @property
    def item_level(self) -> bool:
        """Whether it was designed for item-level breaches, and its amplification as it came."""
        return "item_breach" in self.content

    @property
    def flat(self) -> bool:
        """Whether all clients report items, in one phase."""
        return len(self.groups) == 1 and self.groups[0].lifted == self.groups[0].phase == 1

    @property
    def only(self) -> Group:
        """The one group of a flat plan."""
        if not self.flat:
            names = ", ".join(group.name for group in self.groups)
            raise PlanError(f"the plan divides clients into groups ({names})")
        return self.groups[0]

    def _check(self) -> None:
        names = [group.name for group in self.groups]
        if len(set(names)) < len(names):
            raise PlanError("the plan has a group twice")
        if sum(group.share for group in self.groups) != 1:
            raise PlanError("the shares of the plan's groups do not sum to 1")
        for group in self.groups:
            self._check_items(group)

    def _check_items(self, group: Group) -> None:
        if group.chosen is not None and (self.items is None or group.chosen[-1] >= self.items):
            raise PlanError(f"group {group.name} of the plan has items that the plan does not have")
        for part in group.sizes if self.items is not None else ():
            known = group.items(self.items or 0)
            if part.size > known:
                raise PlanError(f"size {part.size} of the plan is more than its {known} items")


def read_plan(source: str) -> Plan:
    """The plan in a JSON text, checked."""
    try:
        content = json.loads(source)
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno}, column {wrong.colno}"
        raise PlanError(f"the plan is not JSON from {where} on") from None
    except RecursionError:
        raise PlanError("the plan is nested too deeply") from None
    return Plan.of(content)


def write_plan(content: Mapping[str, Any]) -> str:
    """The plan as JSON text."""
    return json.dumps(content, indent=2) + "\n"


def entries_of(content: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The sizes of a group as its plan's JSON has them."""
    groups = content.get("groups", [{**content, "name": ALL}])
    found: list[dict[str, Any]] = next(g["sizes"] for g in groups if g["name"] == name)
    return found


def law_json(randomization: Randomization) -> dict[str, Any]:
    """How an entry of a plan holds p[j]: as keep, or where those are long as balance.

    >>> law_json(Randomization(1, Fraction(1, 4), (Fraction(1, 3), Fraction(2, 3))))
    {'keep': ['1/3', '2/3']}
    """
    spelled = spelled_keep(randomization)
    if "keep" in spelled:
        return {"keep": [number_text(p) for p in spelled["keep"]]}
    return {"balance": [[number_text(b), many] for b, many in spelled["balance"]]}


def balance_json(ratios: Sequence[Exact]) -> list[list[Any]]:
    """b[0], ..., b[m] up to a factor, as [value, how many in a row]: short however large m is.

    >>> balance_json([Fraction(1), Fraction(19), Fraction(19)])
    [['1', 1], ['19', 2]]
    """
    return [[number_text(b), many] for b, many in by_runs(ratios)]


def _group_entries(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The groups as the file has them; a plan without groups is one group of all clients."""
    if "groups" not in content:
        one = {"name": ALL, "share": "1", "lifted": 1, "phase": 1, "chosen": None}
        return [{**one, "hidden": content.get("hidden"), "sizes": content.get("sizes")}]
    if "sizes" in content or "hidden" in content:
        raise PlanError("the plan has groups, and sizes beside them")
    found = content["groups"]
    if not isinstance(found, list) or not 1 <= len(found) <= MAX_GROUPS:
        raise PlanError(f"the plan does not have a list of 1 to {MAX_GROUPS} groups")
    if not all(isinstance(entry, dict) for entry in found):
        raise PlanError("a group of the plan is not an object")
    return found


def _group(entry: Mapping[str, Any]) -> Group:
    name = entry.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        raise PlanError(f"a group of the plan has no name of 1 to {MAX_NAME} printable characters")
    where = f"group {name} of the plan"
    share = _number(entry.get("share"), f"the share of {where}")
    if not 0 < share <= 1:
        raise PlanError(f"the share of {where} is not between 0 and 1")
    lifted = _whole(entry.get("lifted"), f"lifted of {where}", MAX_LIFTED)
    phase = _whole(entry.get("phase"), f"the phase of {where}", 2)
    chosen = _chosen(entry.get("chosen"), where)
    if chosen is not None and phase == 1:
        raise PlanError(f"{where} is of the first phase, and has chosen items")
    hidden = entry.get("hidden")
    if hidden not in (None, "pad", "cut"):
        raise PlanError(f"hidden of {where} is neither null, pad nor cut")
    sizes = entry.get("sizes")
    if not isinstance(sizes, list) or not sizes:
        raise PlanError("the plan has no transaction sizes")
    parts = tuple(sorted((_size(part, lifted) for part in sizes), key=lambda part: part.size))
    if len({part.size for part in parts}) < len(parts):
        raise PlanError("the plan has a size twice")
    if hidden is not None and len(parts) > 1:
        raise PlanError(f"{where} hides sizes, and has more than one")
    return Group(name, share, lifted, phase, chosen, hidden, parts)


def _chosen(found: object, where: str) -> tuple[int, ...] | None:
    if found is None:
        return None
    if not isinstance(found, list) or not found:
        raise PlanError(f"the chosen items of {where} are not a list of items")
    items = tuple(_whole(item, f"a chosen item of {where}", least=0) for item in found)
    if any(a >= b for a, b in pairwise(items)):
        raise PlanError(f"the chosen items of {where} do not rise")
    return items


def _size(entry: object, lifted: int) -> SizePlan:
    if not isinstance(entry, dict) or "size" not in entry:
        raise PlanError("an entry of the plan has no transaction size")
    size = _whole(entry["size"], "a transaction size of the plan", MAX_SIZE)
    where = f"size {size} of the plan"
    if size < lifted:
        raise PlanError(f"{where} has no sets of {lifted} items")
    sets = math.comb(size, lifted)
    if sets > MAX_SETS:
        raise PlanError(f"{where} has {sets} sets of {lifted} items; at most {MAX_SETS} are read")
    insert = entry.get("insert")
    if not isinstance(insert, str) or ("keep" in entry) == ("balance" in entry):
        raise PlanError(f"{where} lacks insert, or one of keep and balance")
    rho = _number(insert, f"insert of {where}")
    if not 0 < rho < 1:
        raise PlanError(f"insert = {insert} in the plan is not strictly between 0 and 1")
    keep = _keep(entry["keep"], where) if "keep" in entry else None
    if keep is None:
        keep = from_balance(_balance(entry["balance"], sets, where), rho)
    baskets = entry.get("baskets")
    if baskets is not None:
        baskets = _whole(baskets, f"the baskets of {where}", least=0)
    try:
        return SizePlan(size, Randomization(sets, rho, keep), baskets)
    except ValueError as wrong:
        raise PlanError(f"{where}: {wrong}") from None


def _keep(found: object, where: str) -> tuple[Fraction, ...]:
    if not isinstance(found, list) or not all(isinstance(p, str) for p in found):
        raise PlanError(f"{where}: keep holds numbers as text")
    return tuple(_number(p, f"keep of {where}") for p in found)


def _balance(found: object, sets: int, where: str) -> list[Fraction]:
    ratios: list[Fraction] = []
    for run in found if isinstance(found, list) else [None]:
        if not isinstance(run, list) or len(run) != 2:
            raise PlanError(f"{where}: balance is not a list of [value, count]")
        b = _number(run[0], f"balance of {where}")
        count = _whole(run[1], f"a count in the balance of {where}", sets + 1)
        if b <= 0 or len(ratios) + count > sets + 1:
            raise PlanError(f"{where}: balance does not have {sets + 1} values above 0")
        ratios += [b] * count
    if len(ratios) != sets + 1:
        raise PlanError(f"{where}: balance does not have {sets + 1} values above 0")
    return ratios


def _itemsets(content: Mapping[str, Any], groups: Sequence[Group]) -> int:
    """The largest itemset mined; a plan that does not say is for single items, or those lifted."""
    if content.get("itemsets") is None:
        return max(group.lifted for group in groups)
    return _whole(content["itemsets"], "itemsets of the plan")


def _level(content: Mapping[str, Any], key: str) -> Fraction:
    found = content.get(key)
    if not isinstance(found, str):
        raise PlanError(f"the plan lacks {key}")
    level = _number(found, key)
    if not 0 < level < 1:
        raise PlanError(f"{key} = {found} in the plan is not strictly between 0 and 1")
    return level


def _number(found: object, what: str) -> Fraction:
    if not isinstance(found, str):
        raise PlanError(f"{what} is not a number as text")
    try:
        return parse_number(found)
    except ValueError as wrong:
        raise PlanError(f"{what}: {wrong}") from None


def _whole(found: object, what: str, most: int | None = None, least: int = 1) -> int:
    if not isinstance(found, int) or isinstance(found, bool):
        raise PlanError(f"{what} is not a whole number")
    if found < least or (most is not None and found > most):
        bound = f"from {least} to {most}" if most is not None else f"at least {least}"
        raise PlanError(f"{what} is {found}, not {bound}")
    return found
