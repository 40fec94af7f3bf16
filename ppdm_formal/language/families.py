"""Ready-made operators in a model: operator NAME = family(argument: value, ...)."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ppdm_formal.language import syntax as s
from ppdm_formal.language.errors import ModelError
from ppdm_formal.language.evaluate import Evaluator
from ppdm_formal.numbers.exact import is_rational
from ppdm_formal.operator.operator import Operator

MAX_NUMBER = 1_000_000
"""Largest integer argument (items, values, ...)."""

MAX_SIZE = 100
"""Largest `size` of a transaction: the probabilities of all sizes are computed exactly."""


def family_function(name: str) -> Callable[..., Operator] | None:
    """The function that builds a family: families/NAME.py holds a function NAME."""
    if not name.isidentifier() or name.startswith("_"):
        return None
    try:
        module = import_module(f"ppdm_formal.families.{name}")
    except ModuleNotFoundError:
        return None
    return getattr(module, name, None)


def family_names() -> list[str]:
    """All ready-made operators, found by their place."""
    import pkgutil

    from ppdm_formal import families

    names = [module.name for module in pkgutil.iter_modules(families.__path__)]
    return sorted(name for name in names if family_function(name) is not None)


def build_family(node: s.FamilyDeclaration, evaluator: Evaluator) -> Operator:
    """Call the family's function with the arguments as exact numbers."""
    family = node.family.text
    function = family_function(family)
    if function is None:
        known = family_names()
        close = difflib.get_close_matches(family, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
        raise ModelError(f"unknown ready-made operator {family}", node.family.at, hint)
    signature = inspect.signature(function)
    takes = [name for name in signature.parameters if name not in ("name", "parameters")]
    arguments: dict[str, Any] = {}
    for argument in node.arguments:
        if argument.name not in takes:
            raise ModelError(
                f"{family} has no argument {argument.name}",
                argument.at,
                f"it takes {', '.join(takes)}",
            )
        if argument.name in arguments:
            raise ModelError(f"a second argument {argument.name}", argument.at)
        kind = str(signature.parameters[argument.name].annotation)
        arguments[argument.name] = _argument(argument, kind, evaluator)
    for name in takes:
        needed = signature.parameters[name].default is inspect.Parameter.empty
        if needed and name not in arguments:
            raise ModelError(f"{family} needs the argument {name}", node.family.at)
    try:
        return function(**arguments, name=node.name, parameters=evaluator.scope.free())
    except (ValueError, TypeError) as problem:
        raise ModelError(str(problem), node.family.at) from None


def _argument(argument: s.Argument, kind: str, evaluator: Evaluator) -> Any:
    """A number, an integer or a list of numbers, as the function's annotation says."""
    if argument.is_list != kind.startswith("Sequence"):
        form = "one number" if argument.is_list else "a list: [p0, p1, ...]"
        raise ModelError(f"{argument.name} takes {form}", argument.at)
    numbers = [
        evaluator.scope.number(value, node.at)
        for node in argument.values
        for value in evaluator.constant_numbers(node)
    ]
    if not kind.startswith("int"):
        return numbers if argument.is_list else numbers[0]
    (number,) = numbers
    if not is_rational(number) or number.denominator != 1:
        raise ModelError(f"{argument.name} takes an integer", argument.values[0].at)
    most = MAX_SIZE if argument.name == "size" else MAX_NUMBER
    if number > most:
        raise ModelError(f"{argument.name} is at most {most:,}", argument.values[0].at)
    return int(number)
