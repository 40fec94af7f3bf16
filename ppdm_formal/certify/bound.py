"""Bounds on measures: the measure's formula is compared with the bound, view by view or as a sum.

Comparisons are exact, equality included. The evidence is what the measure's record says: the
checker evaluates the formula itself, or knows dependence and worst-case information by name and is
told how many digits tell each view's value from the bound (and which values equal it).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.log_sum import LogSum, Undecided
from ppdm_formal.declare.arithmetic.value import Measured
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.derive.measures.formula_value import (
    Endless,
    Number,
    ViewValue,
    compare,
    difference,
    largest,
    measured,
    total,
    totals,
    view_values,
)
from ppdm_formal.derive.measures.record import CannotCompute, Measure

DIGITS = (15, 30, 60, 120, 240)
"""Accuracies of which a certificate names one: more are not re-checked."""


def decide_bound(views: Sequence[View], claim: BoundClaim, deadline: Deadline = NEVER) -> Finding:
    """Decide whether a measure stays within its bound."""
    measure = measure_named(claim.measure)
    if measure.certified == "ratio":
        from ppdm_formal.certify.ratio import decide_amplification

        return decide_amplification(views, claim, deadline)
    if measure.certified == "pairs":
        from ppdm_formal.certify.pairs import decide_delta

        return decide_delta(views, claim, deadline)
    if measure.certified == "capacity":
        from ppdm_formal.certify.capacity import decide_capacity

        return decide_capacity(views, claim, deadline)
    assert measure.tree is not None
    values = []
    try:
        for one in view_values(measure.tree, views, claim.unit or "nat"):
            deadline.check()
            values.append(one)
        return (
            _of_sum(values, claim, measure)
            if measure.tree.over == "sum"
            else _of_views(values, claim, measure)
        )
    except (CannotCompute, Undecided) as problem:
        return Finding(Verdict.UNKNOWN, str(problem))


def _of_sum(values: Sequence[ViewValue], claim: BoundClaim, measure: Measure) -> Finding:
    unit = claim.unit or "nat"
    greatest = largest(totals(values, unit))
    value = greatest.value
    digits = _digits(value, claim.bound, measure)
    if digits is None:
        return Finding(Verdict.UNKNOWN, _too_close(measure))
    side = compare(value, claim.bound)
    evidence = _evidence(measure, digits, [])
    if _allows(side, claim):
        reason = f"the {measure.said} is {_where(side)} the bound"
        return Finding(Verdict.CERTIFIED, reason, evidence, measured=_shown(value, measure))
    of_group = [one for one in values if one.view.known == greatest.view.known]
    most = largest(
        [ViewValue(one.position, one.view, total([one], unit)) for one in of_group]
    ).position
    reason = f"the {measure.said}, a sum over outputs, is {_where(side)} the bound"
    shown = _shown(value, measure)
    return Finding(Verdict.BREACHED, reason, evidence, BoundWitness(most), measured=shown)


def _of_views(values: Sequence[ViewValue], claim: BoundClaim, measure: Measure) -> Finding:
    """The first view that is not within the bound breaks the claim."""
    equal: list[int] = []
    most = DIGITS[0]
    for one in values:
        side = compare(one.value, claim.bound)
        digits = _digits(one.value, claim.bound, measure)
        if digits is None:
            return Finding(Verdict.UNKNOWN, _too_close(measure))
        most = max(most, digits)
        if side == 0:
            equal.append(one.position)
        if not _allows(side, claim):
            reason = f"the {measure.said} of this output is {_where(side)} the bound"
            evidence = _evidence(measure, most, equal)
            witness, shown = BoundWitness(one.position), _shown(one.value, measure)
            return Finding(Verdict.BREACHED, reason, evidence, witness, measured=shown)
    reason = f"every output's {measure.said} is within the bound"
    evidence = _evidence(measure, most, equal)
    shown = _greatest([_shown(one.value, measure) for one in values])
    return Finding(Verdict.CERTIFIED, reason, evidence, measured=shown)


def _shown(value: Number, measure: Measure) -> Measured:
    assert measure.tree is not None
    return measured(value, measure.tree, DIGITS[0])


def _greatest(values: Sequence[Measured]) -> Measured | None:
    """The greatest of numbers; of enclosures one that holds it, which needs no comparing."""
    enclosed = [value for value in values if isinstance(value, Enclosure)]
    if enclosed and len(enclosed) == len(values):
        return Enclosure(max(e.lo for e in enclosed), max(e.hi for e in enclosed))
    numbers = [value for value in values if is_number(value)]
    return max(numbers) if numbers and len(numbers) == len(values) else None


def within(value: Number, claim: BoundClaim) -> bool:
    """Whether a value is within the claim's bound."""
    return _allows(compare(value, claim.bound), claim)


def _allows(side: int, claim: BoundClaim) -> bool:
    return side < 0 or (side == 0 and claim.relation == "<=")


def _where(side: int) -> str:
    return ("below", "at", "above")[side + 1]


def _digits(value: Number, bound: Fraction, measure: Measure) -> int | None:
    """How many decimals tell the value from the bound; None where those tried do not.

    The checker compares rationals exactly, but may write rational sums as logarithms.
    """
    assert measure.tree is not None
    if isinstance(value, Endless) or not measure.tree.has_logarithm:
        return DIGITS[0]
    if compare(value, bound) == 0:
        return DIGITS[1] if measure.certified == "enclosure" else None
    gap = difference(value, bound)
    near = gap.enclosed(1).smallest if isinstance(gap, LogSum) else abs(gap)
    return next((digits for digits in DIGITS if near * 10**digits > 1), None)


def _evidence(measure: Measure, digits: int, equal: list[int]) -> dict[str, Any]:
    if measure.certified == "enclosure":
        return {"kind": "enclosure", "digits": digits, "equal": equal}
    return {"kind": "formula"}


def _too_close(measure: Measure) -> str:
    return f"the {measure.said} could not be told from the bound with {DIGITS[-1]} digits"
