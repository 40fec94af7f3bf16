"""Local randomizers as a release describes them: a family by its name and exact arguments.

Each is built again by the family's own function, which checks what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.families.duchi_mean import RoundedSign, duchi_mean
from ppdm_formal.families.exponential_mechanism import (
    MAX_WEIGHTS,
    DecayLaw,
    ExponentialLaw,
    exponential_mechanism,
)
from ppdm_formal.families.hadamard_response import HadamardLaw, hadamard_response
from ppdm_formal.families.select_a_size import SelectASize
from ppdm_formal.families.single_values import SingleValues
from ppdm_formal.families.subset_selection import ChosenSubset, subset_selection
from ppdm_formal.families.truncated_geometric import GeometricLaw, truncated_geometric
from ppdm_formal.families.unary_encoding import unary_encoding
from ppdm_formal.numbers.exact import Exact
from ppdm_formal.operator.law import Law
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.json_parts import fields

Description = tuple[str, dict[str, Any]]

_FAMILIES: Mapping[str, tuple[Callable[..., Operator], tuple[str, ...]]] = {
    "unary_encoding": (unary_encoding, ("keep", "flip")),
    "subset_selection": (subset_selection, ("gamma", "chosen")),
    "hadamard_response": (hadamard_response, ("gamma",)),
    "truncated_geometric": (truncated_geometric, ("ratio",)),
    "duchi_mean": (duchi_mean, ("gamma",)),
    "exponential_mechanism": (exponential_mechanism, ("weights",)),
    "exponential_decay": (exponential_mechanism, ("decay",)),
}


def local_json(law: Law, number: Callable[[Exact], str]) -> Description | None:
    """Name and arguments of a local randomizer, numbers in text; None for any other law."""
    if isinstance(law, SingleValues):
        sets = law.sets
        if isinstance(sets, SelectASize):
            chances = {"keep": number(sets.keep[1]), "flip": number(sets.insert)}
            return "unary_encoding", chances
        if isinstance(sets, ChosenSubset):
            return "subset_selection", {"gamma": number(sets.gamma), "chosen": sets.chosen}
    if isinstance(law, HadamardLaw):
        return "hadamard_response", {"gamma": number(law.even / law.odd)}
    if isinstance(law, GeometricLaw):
        return "truncated_geometric", {"ratio": number(law.ratio)}
    if isinstance(law, RoundedSign):
        return "duchi_mean", {"gamma": number(law.true / (1 - law.true))}
    if isinstance(law, ExponentialLaw):
        return "exponential_mechanism", {"weights": [number(weight) for weight in law.weights]}
    if isinstance(law, DecayLaw):
        return "exponential_decay", {"decay": number(law.decay)}
    return None


def local_of(
    kind: object, arguments: object, values: int, number: Callable[[object], Fraction], name: str
) -> Operator | None:
    """The operator that local_json described, on so many values; None for another family."""
    if not isinstance(kind, str) or kind not in _FAMILIES:
        return None
    function, takes = _FAMILIES[kind]
    given = dict(fields(arguments, kind, *takes))
    for key, value in given.items():
        if key == "chosen":
            if not isinstance(value, int) or isinstance(value, bool):
                raise ReleaseError(f"{kind}: {key} is not an integer")
        elif key == "weights":
            if not isinstance(value, list) or len(value) > MAX_WEIGHTS:
                raise ReleaseError(f"{kind}: {key} is not a list of numbers")
            given[key] = [number(one) for one in value]
        else:
            given[key] = number(value)
    return function(values, **given, name=name)
