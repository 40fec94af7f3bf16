"""EGS03 Statements 6 and 7: a breach forces worst-case information up, for every f.

Upward rho1 -> rho2 (Statement 6), with the left side  rho2 f(rho2/rho1) + (1 - rho2)
f((1 - rho2)/(1 - rho1)) <= I_w^f; downward rho2 -> rho1 (Statement 7) the same for J_w^f.
"""

from __future__ import annotations

from fractions import Fraction

import measures_oracle as oracle
import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from measures_strategies import MANY, build, cases, members

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.derive.measures.f_information import (
    inverse_worst_case_f_information,
    worst_case_f_information,
)
from ppdm_formal.derive.measures.posterior import worst_posterior

NAMES = ["log", *oracle.FUNCTIONS, *oracle.ROOTS]


def left_side(name, rho1, rho2):
    first, second = [rho2, 1 - rho2], [rho1, 1 - rho1]
    if name == "log":
        return oracle.as_fraction(oracle.kl(first, second) / mpmath.log(2))
    found = oracle.kl_f(name)(first, second)
    return found if isinstance(found, Fraction) else oracle.as_fraction(found)


def at_most(left, value):
    if value is INFINITY:
        return True
    return left <= (value.hi if isinstance(value, Enclosure) else value) + oracle.SLACK


@MANY
@given(cases(), st.integers(1, 30), st.sampled_from(NAMES), st.sampled_from([0, 1, 2]))
def test_a_breach_forces_information(case, mask, name, slack):
    rows, prior = case
    operator, known = build(rows, prior)
    chosen = members(operator, mask)
    breached = False
    with mpmath.workdps(oracle.DPS):
        up = worst_posterior(operator, known, chosen, "upward")
        for measure, low, high in (
            (worst_case_f_information, up.before, up.after),
            (inverse_worst_case_f_information, *_downward(operator, known, chosen)),
        ):
            # Any rho1, rho2 with low <= rho1 < rho2 <= high is breached.
            gap = (high - low) * Fraction(slack, 5)
            rho1, rho2 = low + gap, high - gap
            if 0 < rho1 < rho2 < 1:
                breached = True
                assert at_most(left_side(name, rho1, rho2), measure(operator, known, name).value)
    assume(breached)


def _downward(operator, known, chosen):
    down = worst_posterior(operator, known, chosen, "downward")
    return down.after, down.before


def test_dropping_zero_terms_would_break_statement_six():
    # f = t^-2: the output 0 rules out input 2. Counting only possible inputs gives 1/4,
    # below the bound that the breach 1/2 -> 9/10 of {0, 1} forces.
    rows = [[Fraction(1), Fraction(0)], [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    prior = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    operator, known = build(rows, prior)
    seen = oracle.posterior(rows, prior, 0)
    dropped = sum(p * (q / p) ** 2 for p, q in zip(seen, prior, strict=True) if p)
    assert dropped == Fraction(1, 4)
    assert left_side("t^-2", Fraction(1, 2), Fraction(9, 10)) > dropped
    assert worst_case_f_information(operator, known, "t^-2").value is INFINITY


@pytest.mark.parametrize("name", ["log", "t-1", "t^2", "t^-2"])
def test_the_bound_is_attained_by_two_inputs(name):
    # Two inputs, one property: the statement holds with equality, so no smaller constant does.
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    operator, known = build(rows, [Fraction(1, 2)] * 2)
    with mpmath.workdps(oracle.DPS):
        left = left_side(name, Fraction(1, 2), Fraction(3, 4))
    value = worst_case_f_information(operator, known, name).value
    if isinstance(value, Enclosure):
        assert oracle.encloses(value, left)
    else:
        assert value == left
