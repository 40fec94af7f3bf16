"""Functions of numbers and sets: abs, min, max, sum, xor, bit, comb, exp, ln, size(SET).

min, max, sum and xor take any number of numbers, and tuples of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from math import comb
from typing import TYPE_CHECKING, Any

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import (
    Column,
    Const,
    Ints,
    apply,
    apply_two,
    fast_integers,
    plain,
)
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.exponentials import exponential, logarithm
from ppdm_formal.declare.language.scope import MAX_EXPONENT, Scope, describe
from ppdm_formal.declare.language.varying_set import sizes

if TYPE_CHECKING:
    from ppdm_formal.declare.language.evaluate import Evaluator, Worlds

_TAKES = {
    "abs": (1, "one number: abs(a)"),
    "size": (1, "one set: size(SET)"),
    "bit": (2, "two integers: bit(n, i)"),
    "comb": (2, "two integers: comb(n, k)"),
    "exp": (1, "one number: exp(q)"),
    "ln": (1, "one number: ln(q)"),
}
"""How many arguments a function takes; the others take any number."""

Step = Callable[[Any, Any], Any]


def call_function(node: s.Call, worlds: Worlds, evaluator: Evaluator) -> Column:
    """The function's value in each world."""
    count, form = _TAKES.get(node.name, (len(node.arguments), ""))
    if len(node.arguments) != count:
        raise ModelError(f"{node.name} takes {form}, not {len(node.arguments)} of them", node.at)
    if node.name == "size":
        return sizes(evaluator.sets(node.arguments[0], worlds), worlds.size)
    columns = [evaluator.numbers(argument, worlds) for argument in node.arguments]
    if node.name in ("exp", "ln"):
        if node.name == "exp":
            scope = evaluator.scope
            return apply(columns[0], worlds.size, lambda value: exponential(value, node.at, scope))
        return apply(columns[0], worlds.size, lambda value: logarithm(value, node.at))
    step = _step(node.name, evaluator.scope, node.at)
    if node.name == "abs":
        minus = evaluator.scope.arithmetic("-", node.at)
        negated = _two("-", Const(0), columns[0], worlds.size, minus)
        return _two("max", columns[0], negated, worlds.size, step)
    if node.name in ("bit", "comb"):
        return _two(node.name, columns[0], columns[1], worlds.size, step)
    folded = [_folded(column, worlds.size, evaluator.scope, step, node) for column in columns]
    return reduce(lambda a, b: _two(node.name, a, b, worlds.size, step), folded)


def _two(name: str, first: Column, second: Column, size: int, step: Step) -> Column:
    """A function of two columns, on machine integers where they do."""
    quick = fast_integers(name, first, second)
    return apply_two(first, second, size, step) if quick is None else quick


def _folded(column: Column, size: int, scope: Scope, step: Step, node: s.Call) -> Column:
    """A number as it is; a tuple's parts put together."""
    if isinstance(column, Ints) and node.name != "xor":
        return column

    def fold(value: Any) -> Any:
        parts = value if isinstance(value, tuple) else (value,)
        first, *rest = [plain(scope.number(part, node.at)) for part in parts]
        if node.name == "xor":
            return reduce(step, rest, step(first, 0))
        return reduce(step, rest, first)

    return apply(column, size, fold)


def _step(name: str, scope: Scope, at: Place) -> Step:
    """The function of two values that is asked for, or folded."""

    def whole(value: Any) -> int:
        number = scope.integer(value, at)
        if number < 0:
            raise ModelError(f"{name} of {describe(number)}: expected an integer from 0 on", at)
        return number

    def ways(n: Any, k: Any) -> int:
        if whole(n) > MAX_EXPONENT:
            raise ModelError(f"comb of {describe(n)}; at most {MAX_EXPONENT:,}", at)
        chosen = scope.integer(k, at)
        return comb(n, chosen) if chosen >= 0 else 0

    match name:
        case "sum":
            return scope.arithmetic("+", at)
        case "xor":
            return lambda a, b: whole(a) ^ whole(b)
        case "bit":
            return lambda n, i: whole(n) >> whole(i) & 1
        case "comb":
            return ways
        case _:
            wanted = -1 if name == "min" else 1
            return lambda a, b: scope.extreme(wanted, a, b, at)
