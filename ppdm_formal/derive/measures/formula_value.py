"""The value of a formula on views: exact rationals, sums of logarithms, or infinity.

Everything is decided exactly, so that maxima, absolute values and comparisons with a bound are
right also where two numbers are equal. Only a product of two logarithms has no exact form here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.enclosure import Unit, real_enclosure
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, is_number
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, sign_of
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.arithmetic.value import INFINITY, Measured
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.view import InputClass, View
from ppdm_formal.derive.measures.formula import Formula, Term, mentions
from ppdm_formal.derive.measures.formula_ball import view_ball
from ppdm_formal.derive.measures.posterior import joint_mass, prior_of
from ppdm_formal.derive.measures.record import (
    Asked,
    CannotCompute,
    Field,
    InputOrOutput,
    Measure,
    Reading,
)

Number: TypeAlias = "Fraction | ExpNumber | LogSum | Endless"


@dataclass(frozen=True)
class Endless:
    """Plus or minus infinity."""

    sign: int


@dataclass(frozen=True)
class ViewValue:
    """A view that can occur, by its position, and the formula's term on it."""

    position: int
    view: View
    value: Number


def view_values(formula: Formula, views: Sequence[View], unit: Unit) -> Iterator[ViewValue]:
    """The term's value on every view that can occur."""
    if any(view.relative for view in views) and not formula.scale_free:
        message = "the operator gives its likelihoods up to a factor, not P[Y = y] itself"
        raise CannotCompute("relative likelihoods", message)
    for position, view in enumerate(views):
        evaluation = _Evaluation(view, unit)
        if evaluation.occurs:
            yield ViewValue(position, view, evaluation.value(formula.of))


def contenders(formula: Formula, views: Sequence[View]) -> tuple[View, ...]:
    """The views that may attain the largest value: exact numbers are only needed of these."""
    occurring = [view for view in views if _Evaluation(view, "nat").occurs]
    if len(occurring) < 2:
        return tuple(views)
    balls = [view_ball(formula.of, view) for view in occurring]
    if not all(ball.is_finite() for ball in balls):
        return tuple(views)
    floor = max((ball.lower() for ball in balls), key=float)
    return tuple(v for v, ball in zip(occurring, balls, strict=True) if not ball < floor)


def total(values: Sequence[ViewValue], unit: Unit) -> Number:
    """The sum over outputs."""
    return _sum([_product([Fraction(one.view.outputs), one.value]) for one in values], unit)


def totals(values: Sequence[ViewValue], unit: Unit) -> list[ViewValue]:
    """The sums over outputs of each group of views (one, where views have no `known`).

    Each stands with its first view.
    """
    groups: dict[Value | None, list[ViewValue]] = {}
    for one in values:
        groups.setdefault(one.view.known, []).append(one)
    return [
        ViewValue(group[0].position, group[0].view, total(group, unit)) for group in groups.values()
    ]


def _person(worst: ViewValue) -> int:
    """People are counted from 1 on, groups of views from 0."""
    assert isinstance(worst.view.known, int)
    return worst.view.known + 1


def largest(values: Sequence[ViewValue]) -> ViewValue:
    """The first of the largest."""
    best = values[0]
    for one in values[1:]:
        if compare(one.value, best.value) > 0:
            best = one
    return best


def compare(first: Number, second: Number) -> int:
    """-1, 0 or 1 as first is below, equal to or above second."""
    if isinstance(first, Endless) or isinstance(second, Endless):
        ranks = [one.sign if isinstance(one, Endless) else 0 for one in (first, second)]
        return (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
    gap = difference(first, second)
    return gap.sign() if isinstance(gap, LogSum) else sign_of(gap)


def difference(first: Real | LogSum, second: Real | LogSum) -> Real | LogSum:
    """First less second."""
    if not isinstance(first, LogSum) and not isinstance(second, LogSum):
        return first - second
    return _as_logs(first, second) - _as_logs(second, first)


def measured(value: Number, formula: Formula, digits: int) -> Measured:
    """The value as measures give it: an enclosure wherever the formula has logarithms."""
    if isinstance(value, Endless):
        return INFINITY
    if isinstance(value, LogSum):
        return value.enclosed(digits)
    return real_enclosure(value, digits) if formula.has_logarithm else value


def measured_by_tree(measure: Measure, asked: Asked) -> Reading:
    """A measure that is its formula: the value, and the output that attains a largest one."""
    assert measure.tree is not None
    free = (*asked.operator.parameters, *(asked.prior.parameters if asked.prior else ()))
    if free:
        names = ", ".join(parameter.name for parameter in free)
        raise CannotCompute("free parameters", f"{measure.name} needs values of: {names}")
    unit = measure.unit_of(asked)
    views = measure.views(asked.operator, asked.prior)
    if measure.tree.over == "max":
        views = contenders(measure.tree, views)
    values = list(view_values(measure.tree, views, unit or "nat"))
    fields: dict[str, Field] = {} if unit is None else {"unit": unit}
    if measure.tree.over == "sum":
        worst_one = largest(totals(values, unit or "nat"))
        value = measured(worst_one.value, measure.tree, asked.digits)
        fields["value"] = value
        if measure.tree.each == "person":
            fields["person"] = str(_person(worst_one))
        return measure.reading(asked, value, {measure.json_key: fields}, result=worst_one)
    worst = largest(values)
    value = measured(worst.value, measure.tree, asked.digits)
    fields |= {"value": value, "output": InputOrOutput(worst.view.output)}
    return measure.reading(
        asked, value, {measure.json_key: fields}, output=worst.view.output, result=worst
    )


class _Evaluation:
    """One view: its classes (those of prior 0 left out) and P[Y = y]."""

    def __init__(self, view: View, unit: Unit) -> None:
        self.unit = unit
        self.classes = [part for part in view.classes if part.prior is None or part.prior]
        self.under_prior = any(part.prior is not None for part in view.classes)
        self.evidence = joint_mass(self.classes) if self.under_prior else ZERO
        self.known: dict[Term, Number] = {}
        self.occurs = bool(self.evidence) if self.under_prior else view.reachable

    def value(self, term: Term, part: InputClass | None = None) -> Number:
        """A term of the view (worked out once), or of one of its classes."""
        if part is not None or not isinstance(term, tuple):
            return self._value(term, part)
        if term not in self.known:
            self.known[term] = self._value(term, None)
        return self.known[term]

    def _value(self, term: Term, part: InputClass | None) -> Number:
        if not isinstance(term, tuple):
            if not isinstance(term, str):
                return Fraction(term)
            if term == "evidence":
                if not self.under_prior:
                    raise ValueError("the view has no prior probabilities")
                return self.evidence
            assert part is not None
            if term == "value":
                return _whole_number(part.example)
            return part.likelihood if term == "likelihood" else prior_of(part)
        operation, *operands = term
        if operation == "sum":
            each = [(Fraction(c.count), self.value(operands[0], c)) for c in self.classes]
            return _sum([_product(pair) for pair in each], self.unit)
        if operation in ("max", "min"):
            choose: Callable[..., Number] = max if operation == "max" else min
            kinds = self.classes
            if not mentions(operands[0], "value"):
                kinds = list({(c.likelihood, c.prior): c for c in kinds}.values())
            return choose((self.value(operands[0], c) for c in kinds), key=cmp_to_key(compare))
        return _OPERATIONS[operation]([self.value(one, part) for one in operands], self.unit)


def _whole_number(value: Value) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotCompute("inputs are no numbers", "its inputs are not whole numbers")
    return Fraction(value)


def _as_logs(value: Real | LogSum, like: Real | LogSum) -> LogSum:
    if isinstance(value, LogSum):
        return value
    return LogSum.of(value, like.unit if isinstance(like, LogSum) else "nat")


def _sum(values: Sequence[Number], unit: Unit) -> Number:
    ends = {value.sign for value in values if isinstance(value, Endless)}
    if len(ends) > 1:
        raise ArithmeticError("a sum of both infinities has no value")
    if ends:
        return Endless(ends.pop())
    finite = [value for value in values if not isinstance(value, Endless)]
    if not any(isinstance(value, LogSum) for value in finite):
        return sum((value for value in finite if is_number(value)), ZERO)
    terms = [(ONE, v if isinstance(v, LogSum) else LogSum.of(v, unit)) for v in finite]
    return _plain(LogSum.total(terms, unit))


def _plain(value: LogSum) -> Number:
    return value if value.logs else value.rational


def _sign(value: Number) -> int:
    return compare(value, ZERO)


def _product(values: Sequence[Number], unit: Unit = "nat") -> Number:
    factor: Real = ONE
    others: list[LogSum | Endless] = []
    for value in values:
        if not isinstance(value, LogSum | Endless):
            factor *= value
        else:
            others.append(value)
    if factor == 0:
        return ZERO
    if any(isinstance(value, Endless) for value in others):
        sign = 1 if factor > 0 else -1
        for value in others:
            sign *= _sign(value)
        return Endless(sign) if sign else ZERO
    logs = [value for value in others if isinstance(value, LogSum)]
    if len(logs) > 1:
        raise ArithmeticError("a product of two logarithms is not compared exactly")
    return factor if not logs else _plain(logs[0].times(factor))


def _difference(values: Sequence[Number], unit: Unit) -> Number:
    return _sum([values[0], _product([-ONE, values[1]])], unit)


def _quotient(values: Sequence[Number], unit: Unit) -> Number:
    top, bottom = values
    if isinstance(bottom, Endless):
        if isinstance(top, Endless):
            raise ArithmeticError("a quotient of infinities has no value")
        return ZERO
    if isinstance(bottom, LogSum):
        raise ArithmeticError("a quotient by a logarithm is not compared exactly")
    if bottom == 0:
        if _sign(top) == 0:
            raise ArithmeticError("0 / 0 has no value")
        return Endless(_sign(top))
    return _product([1 / bottom, top])


def _absolute(values: Sequence[Number], unit: Unit) -> Number:
    return values[0] if _sign(values[0]) >= 0 else _product([-ONE, values[0]])


def _logarithm(values: Sequence[Number], unit: Unit) -> Number:
    value = values[0]
    if isinstance(value, Endless) and value.sign > 0:
        return value
    if value == 0:
        return Endless(-1)
    if isinstance(value, LogSum | Endless):
        raise ArithmeticError("the logarithm of a logarithm is not compared exactly")
    return _plain(LogSum.log(value, unit))


_OPERATIONS: dict[str, Callable[[Sequence[Number], Unit], Number]] = {
    "+": _sum,
    "*": _product,
    "-": _difference,
    "/": _quotient,
    "abs": _absolute,
    "log": _logarithm,
}
