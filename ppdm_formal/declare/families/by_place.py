"""Families by their names: families/NAME.py holds a function NAME, which builds the operator.

Models, releases and tests find them here; there is no list to edit.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ppdm_formal.declare import families
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator

Family = Callable[..., Operator]


def family_function(name: str) -> Family | None:
    """The function that builds a family."""
    if not name.isidentifier() or name.startswith("_"):
        return None
    try:
        module = import_module(f"ppdm_formal.declare.families.{name}")
    except ModuleNotFoundError:
        return None
    return getattr(module, name, None)


def family_names() -> list[str]:
    """All families."""
    names = [module.name for module in pkgutil.iter_modules(families.__path__)]
    return sorted(name for name in names if family_function(name) is not None)


def takes(function: Family) -> dict[str, inspect.Parameter]:
    """The arguments of a family, without those that every family has."""
    found = inspect.signature(function).parameters
    return {key: one for key, one in found.items() if key not in ("name", "parameters")}


def told_by(inputs: Domain, outputs: Domain) -> dict[str, Any]:
    """Arguments that the domains tell: how many values, which sets of items, or they themselves."""
    told: dict[str, Any] = {"values": inputs.size, "inputs": inputs, "outputs": outputs}
    if isinstance(inputs, Subsets) and inputs.members is not None:
        told |= {"items": inputs.items, "size": inputs.members}
    return told


def built_again(
    family: str,
    arguments: Mapping[str, Any],
    inputs: Domain,
    outputs: Domain,
    name: str = "",
    **parameters: Any,
) -> Operator:
    """The operator of a spelled law between these domains; ValueError where there is none.

    >>> line = Domain(range(3))
    >>> str(built_again("randomized_response", {"keep": "1/2"}, line, line).probability(0, 1))
    '1/4'
    """
    function = family_function(family)
    if function is None:
        raise ValueError(f"{family[:60]} is no family that is known here")
    told = {key: value for key, value in told_by(inputs, outputs).items() if key in takes(function)}
    found = function(**told, **arguments, name=name, **parameters)
    if inputs == outputs and found.inputs == found.outputs and found.inputs.size == inputs.size:
        # From values to themselves, by position: whatever they are called.
        return Operator(inputs, outputs, found.law, name, found.parameters)
    if found.inputs != inputs or found.outputs != outputs:
        which = "inputs" if found.inputs != inputs else "outputs"
        raise ValueError(f"{family} has other {which} than its law")
    return found
