"""Ready-made operators in a model: operator NAME = family(argument: value, ...)."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

from ppdm_formal.exact import is_symbolic
from ppdm_formal.language import syntax as s
from ppdm_formal.language.errors import ModelError
from ppdm_formal.language.evaluate import Evaluator
from ppdm_formal.operator import Operator


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
    function = family_function(node.family)
    if function is None:
        known = family_names()
        close = difflib.get_close_matches(node.family, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
        raise ModelError(f"unknown ready-made operator {node.family}", node.at, hint)
    signature = inspect.signature(function)
    takes = [name for name in signature.parameters if name not in ("name", "parameters")]
    arguments: dict[str, Any] = {}
    for argument in node.arguments:
        if argument.name not in takes:
            raise ModelError(
                f"{node.family} has no argument {argument.name}",
                argument.at,
                f"it takes {', '.join(takes)}",
            )
        if argument.name in arguments:
            raise ModelError(f"a second argument {argument.name}", argument.at)
        wants_whole = signature.parameters[argument.name].annotation in ("int", "int | None")
        numbers = [_number(value, evaluator, wants_whole) for value in argument.values]
        arguments[argument.name] = numbers if argument.is_list else numbers[0]
    for name in takes:
        needed = signature.parameters[name].default is inspect.Parameter.empty
        if needed and name not in arguments:
            raise ModelError(f"{node.family} needs the argument {name}", node.at)
    try:
        return function(**arguments, name=node.name, parameters=evaluator.scope.free())
    except (ValueError, TypeError) as problem:
        raise ModelError(str(problem), node.at) from None


def _number(node: s.Expr, evaluator: Evaluator, whole: bool) -> Any:
    value = evaluator.scope.number(evaluator.constant(node), node.at)
    if not whole:
        return value
    if is_symbolic(value) or not isinstance(value, Fraction) or value.denominator != 1:
        raise ModelError("expected an integer", node.at)
    return int(value)
