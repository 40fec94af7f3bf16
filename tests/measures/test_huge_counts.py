"""Views with astronomically many inputs and outputs, and views known up to a factor."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import mpmath
import pytest
from measures_oracle import DPS, encloses, mp

from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.law import Law
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputClass, View, ViewKind
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.f_information import worst_case_f_information
from ppdm_formal.derive.measures.information import information, worst_case_information
from ppdm_formal.derive.measures.posterior import class_posteriors
from ppdm_formal.derive.measures.vulnerability import min_entropy_capacity, vulnerability

SIZE = 3**500
KEEP = Fraction(1, 2)
OTHER = KEEP / (SIZE - 1)
STAND_IN = Domain(range(2))


@dataclass(frozen=True)
class HugeResponse(Law):
    """Randomized response on SIZE values under the uniform prior; likelihoods times factor."""

    factor: Fraction = Fraction(1)

    def views(self, inputs, outputs, labels):
        each = Fraction(1, SIZE)
        classes = (
            InputClass(KEEP * self.factor, 1, 0, each),
            InputClass(OTHER * self.factor, SIZE - 1, 1, each),
        )
        return [
            View(
                classes,
                SIZE,
                0,
                kind=ViewKind.PROBABILITIES if self.factor == 1 else ViewKind.RELATIVE,
            )
        ]

    def matrix(self):
        raise TooLarge("nobody could write it out")

    def map(self, change):
        return self

    def spelled(self):
        return None

    def values(self):
        return (KEEP, OTHER)

    def mass(self):
        return KEEP + (SIZE - 1) * OTHER


def huge(factor=Fraction(1)):
    operator = Operator(STAND_IN, STAND_IN, HugeResponse(factor))
    return operator, Prior.uniform(STAND_IN)


def test_all_measures():
    operator, prior = huge()
    ratio = KEEP / OTHER
    assert amplification(operator).value == ratio
    assert dependence(operator, prior).ratio == KEEP * SIZE
    assert [part.together for part in class_posteriors(operator.views(prior)[0])] == [KEEP, KEEP]
    found = vulnerability(operator, prior)
    assert (found.before, found.after) == (Fraction(1, SIZE), KEEP)
    assert min_entropy_capacity(operator).factor == KEEP * SIZE
    told = information(operator, prior)
    with mpmath.workdps(DPS + 300):
        expected = (mpmath.log(mp(KEEP * SIZE), 2) + mpmath.log(mp(OTHER * SIZE), 2)) / 2
        inverse = -mpmath.log(mp(KEEP * SIZE), 2) / SIZE - mpmath.log(mp(OTHER * SIZE), 2) * (
            mpmath.mpf(SIZE - 1) / SIZE
        )
        assert encloses(told.mutual, expected)
        assert encloses(told.worst_case.value, expected)
        assert encloses(told.inverse_worst_case.value, inverse)
    chi = worst_case_f_information(operator, prior, "t-1").value
    assert chi == KEEP * (KEEP * SIZE) + KEEP * (OTHER * SIZE) - 1


def test_views_up_to_a_factor():
    operator, prior = huge(Fraction(7))
    exact, same = huge()
    assert amplification(operator).value == amplification(exact).value
    assert dependence(operator, prior).ratio == dependence(exact, same).ratio
    scaled, plain = (
        worst_case_information(*one).value for one in ((operator, prior), (exact, same))
    )
    assert scaled.lo <= plain.hi
    assert plain.lo <= scaled.hi
    for ask in (information, vulnerability):
        with pytest.raises(ValueError, match="up to a factor"):
            ask(operator, prior)
    with pytest.raises(ValueError, match="up to a factor"):
        min_entropy_capacity(operator)
