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
from ppdm_formal.run.described import domain_json, runs
from ppdm_formal.run.errors import DataError


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
    chosen = {
        str(size): {"keep": _integers(law.keep), "insert": _odds(law.insert)}
        for size, law in laws.items()
    }
    return {"kind": "sizes", "items": items, "sizes": chosen}


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
