"""A formula on a view in ball arithmetic: quick, and wide enough to hold the exact value.

Only to tell which views cannot attain a maximum; what may attain it is evaluated exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.operators.view import InputClass, View
from ppdm_formal.derive.measures.formula import Term

_PRECISION = 128

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda *values: sum(values, arb(0)),
    "*": lambda *values: reduce(lambda a, b: a * b, values),
    "-": lambda a, b: a - b,
    "/": lambda a, b: a / b,
    "abs": abs,
    "log": lambda a: a.log(),
}


def view_ball(term: Term, view: View) -> Any:
    """The term on a view that can occur; not finite where balls do not tell."""
    classes = [part for part in view.classes if part.prior is None or part.prior]
    before, ctx.prec = ctx.prec, _PRECISION
    try:
        evidence = arb(0)
        if all(part.prior is not None for part in classes):
            evidence = sum(
                (part.count * _ball(part.prior) * _ball(part.likelihood) for part in classes),
                arb(0),
            )
        return _value(term, classes, evidence, None)
    finally:
        ctx.prec = before


def _value(term: Term, classes: list[InputClass], evidence: Any, part: InputClass | None) -> Any:
    if not isinstance(term, tuple):
        if term == "evidence":
            return evidence
        if isinstance(term, str):
            assert part is not None
            named = {"likelihood": part.likelihood, "prior": part.prior, "value": part.example}
            return _ball(named[term])
        return _ball(term)
    operation, *operands = term
    if operation in ("sum", "max", "min"):
        each = [_value(operands[0], classes, evidence, one) for one in classes]
        if operation == "sum":
            return sum((one.count * v for one, v in zip(classes, each, strict=True)), arb(0))
        return reduce(arb.max if operation == "max" else arb.min, each)
    return _OPERATIONS[operation](*(_value(one, classes, evidence, part) for one in operands))


def _ball(value: Any) -> Any:
    return ball_of(Fraction(value) if isinstance(value, int) else value)
