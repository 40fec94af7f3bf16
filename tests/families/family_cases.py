"""Small operators of every family, found by place, their arguments made from annotations.

Integers are small, probabilities inside and at their closed ends, as numbers and as a free
parameter. Nothing here names a family.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import random
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.by_place import family_function
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator

F = Fraction
R = Parameter("r", F(0), F(1), includes_lower=True, includes_upper=True)
FREE = "r"
"""Stands for the parameter r, until a value takes its place."""

MOST = 120
"""So many cases of a family are enough."""

INTEGERS = (1, 2, 4, 6)
NUMBERS = (F(0), F(2, 7), F(1), F(19), FREE)
LISTS = ([F(1, 3), F(2, 3)], [F(1, 2), F(0), F(1, 2)], [F(0), F(1), F(0)])


KINDS = {
    "int": INTEGERS,
    "object": NUMBERS,
    "Sequence[object]": LISTS,
    "Runs": ([(F(1), 1), (F(3), 1)], [(F(2), 2), (F(1), 1)]),
    "Domain": (Domain(range(3)), Domain(range(-1, 5))),
    "NoiseText": ("uniform(-1, 2)", "triangular(-3, 3)", "laplace(2)", "normal(2)"),
    "Window": ("clamped", "truncated, then rounded"),
}
"""Values of arguments, by their annotations."""


def candidates(parameter):
    values = KINDS[str(parameter.annotation).removesuffix(" | None")]
    optional = parameter.default is not inspect.Parameter.empty
    return [*values, parameter.default] if optional else values


def build(function, arguments):
    """The operator, or None where the family refuses the arguments."""
    free = FREE in [value for value in arguments.values() if isinstance(value, str)]
    given = {key: R.symbol if value == FREE else value for key, value in arguments.items()}
    try:
        return function(**given, parameters=[R] if free else [])
    except ValueError:
        return None


@functools.cache
def cases(name):
    """Arguments that the family takes, with their operators; large closed forms are left out.

    Of families with many arguments, some of their many combinations: always the same ones.
    """
    function = family_function(name)
    takes = [
        parameter
        for key, parameter in inspect.signature(function).parameters.items()
        if key not in ("name", "parameters")
    ]
    found = []
    combinations = list(enumerate(itertools.product(*map(candidates, takes))))
    random.Random(1).shuffle(combinations)
    for place, values in combinations:
        if len(found) == MOST:
            break
        if values.count(FREE) > 1 or (FREE in values and max(INTEGERS) in values):
            continue
        arguments = dict(zip([parameter.name for parameter in takes], values, strict=True))
        operator = build(function, arguments)
        if operator is not None and operator.inputs.size <= 10:
            found.append((place, arguments, operator))
    found.sort(key=lambda case: case[0])
    return [(arguments, operator) for _, arguments, operator in found]


def rational(name):
    """Anew each time, since operators keep their views."""
    return [
        Operator(operator.inputs, operator.outputs, operator.law)
        for _, operator in cases(name)
        if all(map(is_rational, operator.law.values()))
    ]


def exponential(name):
    """Those with numbers such as e^(2/7)."""
    return [
        operator
        for _, operator in cases(name)
        if not operator.parameters and not all(map(is_rational, operator.law.values()))
    ]
