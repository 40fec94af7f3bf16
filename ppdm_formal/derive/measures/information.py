"""Information measures of X and Y = R(X) under a prior (EGS03 section 6).

    mutual information               I   = sum over y of P[Y = y] KL(p_{X|Y=y} || p_X)
    worst-case information           I_w = max over y of KL(p_{X|Y=y} || p_X)
    inverse worst-case information   J_w = max over y of KL(p_X || p_{X|Y=y})

With likelihoods L, P = P[Y = y] and expectations over the prior,
KL(p_{X|Y=y} || p_X) = E[L log L] / P - log P  and  KL(p_X || p_{X|Y=y}) = log P - E[log L],
so that one logarithm for each distinct likelihood and each view is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Enclosure, Unit, ball_log, enclose_all
from ppdm_formal.declare.arithmetic.value import INFINITY, Measured
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.posterior import require_probabilities
from ppdm_formal.derive.measures.record import Asked
from ppdm_formal.derive.measures.shift import Shift, Shifts, ball_at, shifts

_ZERO = Enclosure.exactly(0)


@dataclass(frozen=True)
class WorstCase:
    """A maximum over outputs and an output that attains it (within the accuracy asked for).

    Where it is infinite, excluded is an input that the output rules out. A closed form that
    is a maximum names the output of its first part.
    """

    value: Measured
    output: Value
    excluded: Value | None = None


@dataclass(frozen=True)
class Information:
    """I, I_w and J_w in one unit."""

    unit: Unit
    mutual: Measured
    worst_case: WorstCase
    inverse_worst_case: WorstCase


@dataclass(frozen=True)
class OutputInformation:
    """The two divergences of the outputs that share a view: from the prior, and inverse."""

    output: Value
    outputs: int
    divergence: Measured
    inverse: Measured


def information(
    operator: Operator, prior: Prior, unit: Unit = "bit", digits: int = DIGITS
) -> Information:
    """Mutual, worst-case and inverse worst-case information at once, sharing their work.

    >>> secret = Operator.from_matrix([[1, 0], [0, 1]])
    >>> found = information(secret, Prior.uniform(secret.inputs))
    >>> print(found.mutual, found.worst_case.value, found.inverse_worst_case.value)
    1 1 infinity
    """
    views = operator.views(prior)
    require_probabilities(views)
    moved = shifts(views)
    if moved.symbolic:
        from ppdm_formal.derive.measures import information_forms as forms

        return Information(
            unit,
            forms.mutual(moved, unit),
            _worst_form(moved, unit, inverse=False),
            _worst_form(moved, unit, inverse=True),
        )
    return _enclosed(moved, unit, digits)


def of_asked(asked: Asked) -> Information:
    """The same for the measures that share it."""
    return information(asked.operator, asked.under, asked.unit, asked.digits)


def mutual_information(
    operator: Operator, prior: Prior, unit: Unit = "bit", digits: int = DIGITS
) -> Measured:
    """I(X; Y), averaged over outputs."""
    return information(operator, prior, unit, digits).mutual


def worst_case_information(
    operator: Operator, prior: Prior, unit: Unit = "bit", digits: int = DIGITS
) -> WorstCase:
    """I_w(X; Y), which bounds upward breaches (EGS03 Statement 6)."""
    moved = shifts(operator.views(prior))
    if moved.symbolic:
        return _worst_form(moved, unit, inverse=False)
    return _enclosed(moved, unit, digits).worst_case


def inverse_worst_case_information(
    operator: Operator, prior: Prior, unit: Unit = "bit", digits: int = DIGITS
) -> WorstCase:
    """J_w(X; Y), which bounds downward breaches (EGS03 Statement 7).

    Infinite where an output of positive probability rules out an input of positive prior
    probability.
    """
    moved = shifts(operator.views(prior))
    if moved.symbolic:
        return _worst_form(moved, unit, inverse=True)
    return _enclosed(moved, unit, digits).inverse_worst_case


def output_information(
    operator: Operator, prior: Prior, unit: Unit = "bit", digits: int = DIGITS
) -> list[OutputInformation]:
    """Both divergences for each view with P[Y = y] > 0."""
    moved = shifts(operator.views(prior))
    pairs: list[tuple[Measured, Measured]]
    if moved.symbolic:
        from ppdm_formal.derive.measures import information_forms as forms

        pairs = [
            (forms.divergence(moved, shift, unit), forms.inverse_divergence(moved, shift, unit))
            for shift in moved.items
        ]
    else:
        changed = [shift for shift in moved.items if not shift.unchanged]

        def evaluate() -> list[Any]:
            found = _divergences(moved, changed, unit)
            return [ball for _, there, back in found for ball in (there, back) if ball is not None]

        ends = iter(enclose_all(evaluate, digits, nonzero=True))
        pairs = [
            (_ZERO, _ZERO)
            if shift.unchanged
            else (next(ends), INFINITY if shift.excluded is not None else next(ends))
            for shift in moved.items
        ]
    return [
        OutputInformation(shift.view.output, shift.view.outputs, there, back)
        for shift, (there, back) in zip(moved.items, pairs, strict=True)
    ]


def _divergences(
    moved: Shifts, chosen: Sequence[Shift], unit: Unit
) -> list[tuple[Any, Any, Any | None]]:
    """P[Y = y] and both divergences as balls, for each chosen shift; None for infinity."""
    table = []
    for likelihood in moved.likelihoods:
        ball = ball_at(likelihood)
        log = ball_log(ball, unit)
        table.append((ball, ball * log, log))
    found = []
    for shift in chosen:
        mass = weighted = logs = arb(0)
        for weight, number in shift.terms:
            share = ball_at(weight)
            ball, product, log = table[number]
            mass += share * ball
            weighted += share * product
            logs += share * log
        log_mass = ball_log(mass, unit)
        back = None if shift.excluded is not None else log_mass - logs
        found.append((mass, weighted / mass - log_mass, back))
    return found


def _enclosed(moved: Shifts, unit: Unit, digits: int) -> Information:
    """The three values; all are above zero as soon as one output changes the prior."""
    changed = [shift for shift in moved.items if not shift.unchanged]
    if not changed:
        nothing = WorstCase(_ZERO, moved.items[0].view.output)
        return Information(unit, _ZERO, nothing, nothing)
    shut = next((shift for shift in changed if shift.excluded is not None), None)
    last: list[tuple[Any, Any, Any | None]] = []

    def evaluate() -> list[Any]:
        nonlocal last
        last = _divergences(moved, changed, unit)
        mutual = arb(0)
        for shift, (mass, there, _) in zip(changed, last, strict=True):
            mutual += shift.view.outputs * mass * there
        values = [mutual, _largest([there for _, there, _ in last])]
        if shut is None:
            values.append(_largest([back for _, _, back in last]))
        return values

    mutual, worst, *inverse = enclose_all(evaluate, digits, nonzero=True)
    worst_case = WorstCase(worst, _where(changed, [there for _, there, _ in last]))
    if shut is not None:
        inverse_worst = WorstCase(INFINITY, shut.view.output, shut.excluded)
    else:
        inverse_worst = WorstCase(inverse[0], _where(changed, [back for _, _, back in last]))
    return Information(unit, mutual, worst_case, inverse_worst)


def _largest(balls: Sequence[Any]) -> Any:
    best = balls[0]
    for ball in balls[1:]:
        best = best.max(ball)
    return best


def _where(chosen: Sequence[Shift], balls: Sequence[Any]) -> Value:
    best = 0
    for number, ball in enumerate(balls):
        if ball.mid() > balls[best].mid():
            best = number
    return chosen[best].view.output


def _worst_form(moved: Shifts, unit: Unit, *, inverse: bool) -> WorstCase:
    from ppdm_formal.derive.measures import information_forms as forms

    if inverse:
        shut = next((shift for shift in moved.items if shift.excluded is not None), None)
        if shut is not None:
            return WorstCase(INFINITY, shut.view.output, shut.excluded)
    found: dict[Any, Value] = {}
    for shift in moved.items:
        form = (forms.inverse_divergence if inverse else forms.divergence)(moved, shift, unit)
        found.setdefault(form, shift.view.output)
    return WorstCase(forms.maximum(list(found)), next(iter(found.values())))
