"""What a client needs of an operator: its exact law in integers, small enough to ship.

An operator's law says it itself (Law.client, in the numbers of declare/operators/shipped.py); here
are the clients of plans, with a law for each size of transactions, and groups of clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ppdm_formal.declare.operators.law import Law
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import integers_json
from ppdm_formal.run.assignment import Assignment
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.terms import generator_terms
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.group_reports import silent_below
from ppdm_formal.run.plan_groups import PlanRun

Part = TypeVar("Part")


def client_law(operator: Operator) -> dict[str, Any]:
    """The law of an operator as clients read it."""
    if operator.parameters:
        names = ", ".join(parameter.name for parameter in operator.parameters)
        raise DataError(f"{operator.name}: a client needs a value for {names} (--set NAME=VALUE)")
    try:
        law = operator.law.client(operator.inputs, operator.outputs)
        return {**law, "report": _without_known(operator.report.to_json(), law)}
    except TooLarge as problem:
        raise DataError(f"{operator.name}: too large for a client: {problem}") from None


def _without_known(report: dict[str, Any], law: Mapping[str, Any]) -> dict[str, Any]:
    """The report's type, without outputs that the law lists itself."""
    listed = law["outputs"] if "outputs" in law else law.get("inputs")
    return {key: part for key, part in report.items() if key != "outputs" or part != listed}


def sizes_law(items: int, laws: Mapping[int, Law]) -> dict[str, Any]:
    """Select-a-size with parameters of its own for each transaction size."""
    return {"kind": "sizes", "items": items, "sizes": _by_size(laws)}


def _by_size(
    laws: Mapping[int, Law], generators: Mapping[int, Generator] | None = None
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for size, law in laws.items():
        found[str(size)] = law.shipped()
        if generators is not None:
            found[str(size)]["generator"] = generator_terms(generators[size])
    return found


MAX_NUMBER = 1 << 53
"""Numbers of sets are below it in clients: JavaScript adds them up as doubles."""


def check_numbers(universes: Mapping[str, int]) -> None:
    """Refuse groups whose sets have numbers that a client of any language cannot hold."""
    for name, universe in universes.items():
        if universe > MAX_NUMBER:
            raise DataError(f"group {name} reports among {universe:,} sets; clients count to 2^53")


def groups_law(
    items: int,
    run: PlanRun,
    laws: Mapping[tuple[str, int], Law],
    key: str,
    generators: Mapping[tuple[str, int], Generator] | None = None,
) -> dict[str, Any]:
    """What clients of a plan's groups report; those of the other phase report nothing.

    laws: by the name of a group and the size of baskets. key: what identifiers are hashed with.
    generators: of the seeds that are sent, where such are.
    """
    active = {group.name: place for place, group in enumerate(run.active)}
    shares = tuple(group.share for group in run.groups)
    released = run.released(lambda group: [])
    groups = []
    for group in run.groups:
        if group.name not in active:
            groups.append({"name": group.name, "active": False})
            continue
        groups.append(
            {
                "name": group.name,
                "active": True,
                "lifted": group.lifted,
                "chosen": None if group.chosen is None else list(group.chosen),
                "hidden": group.hidden,
                **({} if group.asked is None else {"asked": group.asked.to_json()}),
                "silent_below": silent_below(released[active[group.name]]),
                "sizes": _by_size(
                    _of(laws, group.name),
                    None if generators is None else _of(generators, group.name),
                ),
            }
        )
    return {
        "kind": "groups",
        "items": items,
        "phases": run.phase is not None,
        "shares": integers_json(shares),
        "cuts": [hex(cut) for cut in Assignment(shares, "identifier", key).cuts],
        "key": key,
        "groups": groups,
    }


def _of(parts: Mapping[tuple[str, int], Part], group: str) -> dict[int, Part]:
    """The parts of one group by size."""
    return {size: part for (name, size), part in parts.items() if name == group}
