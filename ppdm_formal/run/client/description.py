"""What a client needs of an operator: its exact law in integers, small enough to ship.

Weights are integers over one denominator a row, in hexadecimal text, which no JSON reader rounds
and no language limits. Rows are runs of equal weights; families are told by their few numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.families.randomized_response import KeepOrReplace
from ppdm_formal.families.replace_items import ReplaceItems
from ppdm_formal.families.select_a_size import SelectASize
from ppdm_formal.numbers.exact import Exact
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.assignment import Assignment
from ppdm_formal.run.described import domain_json, runs
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.group_reports import silent_below
from ppdm_formal.run.plan_groups import PlanRun


def client_law(operator: Operator) -> dict[str, Any]:
    """The law of an operator as clients read it."""
    if operator.parameters:
        names = ", ".join(parameter.name for parameter in operator.parameters)
        raise DataError(f"{operator.name}: a client needs a value for {names} (--set NAME=VALUE)")
    law = operator.law
    if isinstance(law, KeepOrReplace):
        keep, other = _integers((law.keep, law.other))
        inputs = domain_json(operator.inputs)
        return {"kind": "diagonal", "inputs": inputs, "keep": keep, "other": other}
    if isinstance(law, SelectASize):
        return sizes_law(law.items, {law.size: law})
    if isinstance(law, ReplaceItems):
        return {
            "kind": "replacement",
            "items": law.items,
            "size": law.size,
            "keep": _odds(law.keep),
        }
    return _rows_law(operator)


def sizes_law(items: int, laws: Mapping[int, SelectASize]) -> dict[str, Any]:
    """Select-a-size with parameters of its own for each transaction size."""
    return {"kind": "sizes", "items": items, "sizes": _by_size(laws)}


def _by_size(laws: Mapping[int, SelectASize]) -> dict[str, Any]:
    return {
        str(size): {"keep": _integers(law.keep), "insert": _odds(law.insert)}
        for size, law in laws.items()
    }


def groups_law(
    items: int,
    run: PlanRun,
    laws: Mapping[tuple[str, int], SelectASize],
    key: str,
) -> dict[str, Any]:
    """What clients of a plan's groups report; those of the other phase report nothing.

    laws: by the name of a group and the size of baskets. key: what identifiers are hashed with.
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
                "silent_below": silent_below(released[active[group.name]]),
                "sizes": _by_size({m: law for (g, m), law in laws.items() if g == group.name}),
            }
        )
    return {
        "kind": "groups",
        "items": items,
        "phases": run.phase is not None,
        "shares": _integers(shares),
        "cuts": [hex(cut) for cut in Assignment(shares, "identifier", key).cuts],
        "key": key,
        "groups": groups,
    }


def _rows_law(operator: Operator) -> dict[str, Any]:
    """Each distinct row once."""
    coded = operator.matrix()
    rows, row_of = np.unique(coded.codes, axis=0, return_inverse=True)
    weights = []
    for row in rows:
        pairs = runs(row)
        found = _integers([coded.palette[code] for code, _ in pairs])
        weights.append([[count, weight] for (_, count), weight in zip(pairs, found, strict=True)])
    return {
        "kind": "rows",
        "inputs": domain_json(operator.inputs),
        "outputs": domain_json(operator.outputs),
        "row_of": [int(row) for row in row_of.ravel()],
        "rows": weights,
    }


def _integers(values: Sequence[Exact]) -> list[str]:
    """Probabilities as integers over their common denominator."""
    common = math.lcm(*(value.denominator for value in values))
    return [hex(value.numerator * (common // value.denominator)) for value in values]


def _odds(probability: Fraction) -> list[str]:
    """A probability as [numerator, denominator]."""
    return [hex(probability.numerator), hex(probability.denominator)]
