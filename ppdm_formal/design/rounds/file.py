"""Plans in rounds as files, format ppdm-rounds/1: the one reader and writer (docs/plans.md).

A plan comes from a file: every number that runs is checked before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.design.plan import MAX_SIZE, PlanError
from ppdm_formal.design.rounds.asked import KINDS, RoundsAsked
from ppdm_formal.design.rounds.plan import FAMILIES, Form, Goal, RoundGroup, RoundsPlan, Shuffled

FORMAT = "ppdm-rounds/1"

MAX_GROUPS = 100
MAX_NAME = 60
MAX_VALUES = (1 << 31) - 1


def rounds_content(plan: RoundsPlan) -> dict[str, Any]:
    """The plan as a JSON value."""
    sizes = plan.histogram
    status = "not protected" if plan.at_hand else "public"
    return {
        "format": FORMAT,
        "rho1": number_text(plan.rho1),
        "rho2": number_text(plan.rho2),
        "gamma": number_text(plan.gamma),
        "shuffled": None if plan.shuffled is None else number_text(plan.shuffled.exception),
        "items": plan.items,
        "find": plan.goal.find,
        "top": plan.goal.top,
        "min_support": None if plan.goal.least is None else number_text(plan.goal.least),
        "groups": [_group_content(group) for group in plan.groups],
        "clients": plan.clients,
        "histogram": None if sizes is None else {str(size): n for size, n in sizes.items()},
        "shown": [{"what": "the number of baskets and their sizes", "status": status}],
        "learned": None if plan.learned is None else dict(plan.learned),
        "notes": list(plan.notes),
    }


def write_rounds(plan: RoundsPlan) -> str:
    """The plan as JSON text."""
    return json.dumps(rounds_content(plan), indent=1) + "\n"


def _group_content(group: RoundGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "share": number_text(group.share),
        "round": group.phase,
        "kind": group.kind,
        "size": group.size,
        "law": group.form.to_json(),
        "asked": None if group.asked is None else group.asked.to_json(),
        "values": group.values,
        **({} if group.among is None else {"among": group.among}),
    }


def rounds_of(content: Mapping[str, Any]) -> RoundsPlan:
    """The plan that a JSON value of this format holds, checked."""
    groups = content.get("groups")
    if not isinstance(groups, list) or not 1 <= len(groups) <= MAX_GROUPS:
        raise PlanError(f"the plan does not have a list of 1 to {MAX_GROUPS} groups")
    least, shuffled = content.get("min_support"), content.get("shuffled")
    try:
        goal = Goal(
            content.get("find", "pairs"),
            _whole_or_none(content.get("top"), "top"),
            None if least is None else _number(least, "min_support"),
        )
        return RoundsPlan(
            _number(content.get("rho1"), "rho1"),
            _number(content.get("rho2"), "rho2"),
            _whole(content.get("items"), "the number of items"),
            tuple(map(_group, groups)),
            goal,
            _whole_or_none(content.get("clients"), "the number of clients"),
            _histogram(content.get("histogram")),
            "not protected" in str(content.get("shown")),
            _learned(content.get("learned")),
            _notes(content.get("notes")),
            None if shuffled is None else Shuffled(_number(shuffled, "shuffled")),
        )
    except PlanError:
        raise
    except ValueError as wrong:
        raise PlanError(f"the plan: {wrong}") from None


def _group(entry: object) -> RoundGroup:
    if not isinstance(entry, dict):
        raise PlanError("a group of the plan is not an object")
    name = entry.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        raise PlanError(f"a group of the plan has no name of 1 to {MAX_NAME} printable characters")
    share = _number(entry.get("share"), f"the share of group {name}")
    if not 0 < share <= 1:
        raise PlanError(f"the share of group {name} is not between 0 and 1")
    kind = entry.get("kind")
    if kind not in KINDS:
        raise PlanError(f"group {name} is asked neither items, itemsets nor lengths")
    size = _whole(entry.get("size"), f"the size of group {name}", MAX_SIZE)
    if kind == "lengths" and size != 1:
        raise PlanError(f"group {name}: a client has one length")
    asked = entry.get("asked")
    return RoundGroup(
        name,
        share,
        _whole(entry.get("round"), f"the round of group {name}", MAX_GROUPS),
        kind,
        size,
        _form(entry.get("law"), name),
        None if asked is None else RoundsAsked.of(asked),
        _whole_or_none(entry.get("values"), f"values of group {name}"),
        _whole_or_none(entry.get("among"), f"among of group {name}"),
    )


def _form(entry: object, name: str) -> Form:
    if not isinstance(entry, dict) or set(entry) != {"family", "arguments"}:
        raise PlanError(f"the law of group {name} has a family and arguments")
    family, arguments = entry["family"], entry["arguments"]
    if family not in FAMILIES or not isinstance(arguments, dict) or len(arguments) > 5:
        raise PlanError(f"the law of group {name} is of no family that is known here")
    found: dict[str, Fraction | int] = {}
    for key, value in arguments.items():
        if isinstance(value, str):
            found[str(key)] = _number(value, f"{key} of group {name}")
        else:
            found[str(key)] = _whole(value, f"{key} of group {name}", least=0)
    return Form(family, found)


def _learned(found: object) -> Mapping[str, Any] | None:
    if found is not None and not isinstance(found, dict):
        raise PlanError("what the plan learned is not an object")
    return found


def _notes(found: object) -> tuple[str, ...]:
    known = found if isinstance(found, list) else []
    return tuple(one for one in known if isinstance(one, str))


def _histogram(found: object) -> dict[int, int] | None:
    if not isinstance(found, dict):
        return None
    if not all(isinstance(k, str) and k.isdigit() and len(k) < 8 for k in found):
        raise PlanError("the histogram of the plan has sizes that are no numbers")
    return {int(k): _whole(n, "a count of the histogram") for k, n in found.items()}


def _number(found: object, what: str) -> Fraction:
    if not isinstance(found, str):
        raise PlanError(f"{what} is not a number as text")
    try:
        return parse_number(found)
    except ValueError as wrong:
        raise PlanError(f"{what}: {wrong}") from None


def _whole_or_none(found: object, what: str) -> int | None:
    return None if found is None else _whole(found, what)


def _whole(found: object, what: str, most: int = MAX_VALUES, least: int = 1) -> int:
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        raise PlanError(f"{what} is not a whole number from {least} to {most}")
    return found
