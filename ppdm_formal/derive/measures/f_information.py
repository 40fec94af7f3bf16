"""Worst-case information with respect to f (EGS03 Definitions 7 and 8).

    I_w^f = max over y of KL^f(p_{X|Y=y} || p_X),   J_w^f = max over y of KL^f(p_X || p_{X|Y=y})
    KL^f(p1 || p2) = E_{x ~ p1} f(p1(x)/p2(x)) = sum over x of p2(x) g(p1(x)/p2(x)),  g(t) = t f(t)

Terms of probability zero enter with their limits: p2(x) g(0+) where p1(x) = 0 < p2(x), and
p1(x) f(infinity) where p2(x) = 0 < p1(x). Were they dropped, Statement 6 would fail: for
f = t^-2 an output that rules out an input has g(0+) = infinity.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Enclosure, Unit, enclose_all
from ppdm_formal.declare.arithmetic.exact import ZERO, is_number, to_flint, to_fraction
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.information import (
    WorstCase,
    inverse_worst_case_information,
    worst_case_information,
)
from ppdm_formal.derive.measures.ratio_function import RatioFunction, ratio_function
from ppdm_formal.derive.measures.shift import Shift, Shifts, ball_at, shifts


def worst_case_f_information(
    operator: Operator,
    prior: Prior,
    f: RatioFunction | str,
    unit: Unit = "bit",
    digits: int = DIGITS,
) -> WorstCase:
    """I_w^f(X; Y): exact for integer powers, enclosed for others and for log (in the unit).

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> str(worst_case_f_information(coin, Prior.uniform(coin.inputs), "t-1").value)
    '1/4'
    """
    function = ratio_function(f) if isinstance(f, str) else f
    if function.power is None:
        return worst_case_information(operator, prior, unit, digits)
    return _worst(operator, prior, function, digits, inverse=False)


def inverse_worst_case_f_information(
    operator: Operator,
    prior: Prior,
    f: RatioFunction | str,
    unit: Unit = "bit",
    digits: int = DIGITS,
) -> WorstCase:
    """J_w^f(X; Y): the same with prior and posterior exchanged."""
    function = ratio_function(f) if isinstance(f, str) else f
    if function.power is None:
        return inverse_worst_case_information(operator, prior, unit, digits)
    return _worst(operator, prior, function, digits, inverse=True)


def _worst(
    operator: Operator, prior: Prior, f: RatioFunction, digits: int, *, inverse: bool
) -> WorstCase:
    moved = shifts(operator.views(prior))
    if moved.symbolic:
        names = ", ".join(p.name for p in (*operator.parameters, *prior.parameters))
        raise ValueError(f"information with respect to {f.name} needs values of: {names}")
    limit = f.growing if inverse else f.vanishing
    if isinstance(limit, Infinity):
        for shift in moved.items:
            if shift.excluded is not None:
                return WorstCase(INFINITY, shift.view.output, shift.excluded)
        limit = ZERO
    if f.rational:
        exact = [_rational(moved, shift, f, limit, inverse) for shift in moved.items]
        best = max(range(len(exact)), key=exact.__getitem__)
        top = exact[best]
        found_exactly = top if is_number(top) else to_fraction(top)
        return WorstCase(found_exactly, moved.items[best].view.output)
    # By Jensen's inequality no divergence is below g(1) = f(1), that of an unchanged prior.
    changed = [shift for shift in moved.items if not shift.unchanged]
    if not changed:
        return WorstCase(Enclosure.exactly(f.at_one), moved.items[0].view.output)
    found = enclose_all(
        lambda: [_ball(moved, shift, f, limit, inverse) for shift in changed], digits
    )
    best = max(range(len(found)), key=lambda number: found[number].lo + found[number].hi)
    largest = Enclosure(max(one.lo for one in found), max(one.hi for one in found))
    return WorstCase(largest, changed[best].view.output)


def _rational(moved: Shifts, shift: Shift, f: RatioFunction, limit: Fraction, inverse: bool) -> Any:
    """KL^f of one output for an integer power, exact."""
    terms = [(weight, moved.likelihoods[number]) for weight, number in shift.terms]
    mass = found = 0 * terms[0][0]
    for weight, likelihood in terms:
        mass += weight * likelihood
    power = int(_power_of_shift(f, inverse))
    for weight, likelihood in terms:
        found += weight * likelihood**power
    return f.sign * found / mass**power + _constant(shift, f, limit, inverse)


def _ball(moved: Shifts, shift: Shift, f: RatioFunction, limit: Fraction, inverse: bool) -> Any:
    """KL^f of one output for a fractional power, at the working precision."""
    terms = [
        (ball_at(weight), ball_at(moved.likelihoods[number])) for weight, number in shift.terms
    ]
    mass = found = arb(0)
    for weight, likelihood in terms:
        mass += weight * likelihood
    power = _power_of_shift(f, inverse)
    for weight, likelihood in terms:
        # By integer power and root, which stays exact for exact roots.
        rooted = ((likelihood / mass) ** abs(power.numerator)).root(power.denominator)
        found += weight * (rooted if power > 0 else 1 / rooted)
    return f.sign * found + ball_at(_constant(shift, f, limit, inverse))


def _power_of_shift(f: RatioFunction, inverse: bool) -> Fraction:
    """The power of L/P in each term: g(L/P) has power + 1, f(P/L) has -power."""
    assert f.power is not None
    return -f.power if inverse else f.power + 1


def _constant(shift: Shift, f: RatioFunction, limit: Fraction, inverse: bool) -> Any:
    """The offset, which the whole sum has once, and the limits of the inputs ruled out."""
    bare = limit - f.offset if inverse else limit
    if is_number(shift.excluded_weight):
        return f.offset + bare * shift.excluded_weight
    return to_flint(f.offset) + to_flint(bare) * shift.excluded_weight
