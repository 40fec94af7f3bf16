"""Ready-made operators in a model: operator NAME = family(argument: value, ...)."""

from __future__ import annotations

import difflib
import inspect
from typing import Any

from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.families.by_place import Family, family_function, family_names, takes
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.operators.randomization import Operator

MAX_NUMBER = 1_000_000
"""Largest integer argument (items, values, ...)."""

WRITTEN = ("int", "object", "Sequence[object]")
"""Annotations of arguments that a model can write."""

MAX_SIZE = 100
"""Largest `size` of a transaction: the probabilities of all sizes are computed exactly."""


def written_arguments(function: Family) -> dict[str, inspect.Parameter] | None:
    """The arguments that a model can write: numbers and lists of them; None: it needs others.

    Noise on a grid takes its grids: models write it as x + noise, rounded to a step.
    """
    found = {}
    for name, argument in takes(function).items():
        if str(argument.annotation).removesuffix(" | None") in WRITTEN:
            found[name] = argument
        elif argument.default is inspect.Parameter.empty:
            return None
    return found


def model_families() -> list[str]:
    """The families that models can write, found by their place."""
    functions = {name: family_function(name) for name in family_names()}
    return [name for name, one in functions.items() if one and written_arguments(one) is not None]


def build_family(node: s.FamilyDeclaration, evaluator: Evaluator) -> Operator:
    """Call the family's function with the arguments as exact numbers."""
    family = node.family.text
    function = family_function(family)
    known_arguments = None if function is None else written_arguments(function)
    if function is None or known_arguments is None:
        known = model_families()
        close = difflib.get_close_matches(family, known, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
        raise ModelError(f"unknown ready-made operator {family}", node.family.at, hint)
    arguments: dict[str, Any] = {}
    for argument in node.arguments:
        if argument.name not in known_arguments:
            raise ModelError(
                f"{family} has no argument {argument.name}",
                argument.at,
                f"it takes {', '.join(known_arguments)}",
            )
        if argument.name in arguments:
            raise ModelError(f"a second argument {argument.name}", argument.at)
        kind = str(known_arguments[argument.name].annotation)
        arguments[argument.name] = _argument(argument, kind, evaluator)
    for name, one in known_arguments.items():
        needed = one.default is inspect.Parameter.empty
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
