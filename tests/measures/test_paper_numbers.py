"""The numbers of EGS03 Examples 1 and 2 (Tables 1 and 2), exact and to the printed digits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.value import INFINITY, value_json, value_text
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.information import information, output_information
from ppdm_formal.derive.measures.local_dp import local_dp
from ppdm_formal.derive.measures.posterior import posterior

NUMBERS = Domain(range(1001), "Number")
PRIOR = Prior.of(NUMBERS, {0: "1/100", **dict.fromkeys(range(1, 1001), "99/100000")}, "X")
ZERO = Property.of(NUMBERS, [0], "zero")
FAR = Property.where(NUMBERS, lambda x: not 200 <= x <= 800, "far")


def circulant(inside, at_most, near, far):
    distance = (np.arange(1001)[None, :] - np.arange(1001)[:, None]) % 1001
    close = (distance <= at_most) | (distance >= 1001 - at_most)
    coded = CodedMatrix(1 - close.astype(np.int64), [Fraction(near), Fraction(far)])
    return Operator.from_codes(NUMBERS, NUMBERS, coded, inside)


OPERATORS = {
    "R1": circulant("R1", 0, "1/5", "1/1250"),
    "R2": circulant("R2", 100, "1/201", 0),
    "R3": circulant("R3", 100, Fraction(1, 402) + Fraction(1, 2002), "1/2002"),
}


@pytest.mark.parametrize(
    ("name", "zero", "far"),
    [
        ("R1", "250/349", "289501/349000"),
        ("R2", "5/104", "1"),
        ("R3", "3005/102302", "28961501/40920800"),
    ],
)
def test_posteriors_given_zero(name, zero, far):
    found = posterior(OPERATORS[name], PRIOR, ZERO, 0)
    assert (found.before, found.after) == (Fraction(1, 100), Fraction(zero))
    found = posterior(OPERATORS[name], PRIOR, FAR, 0)
    assert (found.before, found.after) == (Fraction(40501, 100000), Fraction(far))


@pytest.mark.parametrize(("name", "text"), [("R1", "250"), ("R2", "infinity"), ("R3", "1202/201")])
def test_amplification(name, text):
    assert amplification(OPERATORS[name]).text == text


@pytest.mark.parametrize(
    ("name", "mutual", "worst", "inverse"),
    [
        ("R1", "1.27111...", "3.90292...", "1.72356..."),
        ("R2", "2.31594...", "2.32923...", "infinity"),
        ("R3", "0.549074...", "0.550781...", "0.488963..."),
    ],
)
def test_information(name, mutual, worst, inverse):
    found = information(OPERATORS[name], PRIOR)
    assert value_text(found.mutual) == mutual
    assert value_text(found.worst_case.value) == worst
    assert value_text(found.inverse_worst_case.value) == inverse
    assert set(value_json(found.mutual)) == {"lo", "hi"}


def test_example_two():
    bit = Operator.from_matrix([["0.6", "0.4"], ["0.4", "0.6"]])
    erase = Operator.from_matrix(
        [["0.000099", "0.000001", "0.9999"], ["0.000001", "0.000099", "0.9999"]],
        outputs=[0, 1, "e"],
    )
    half = Prior.uniform(bit.inputs)
    first, second = information(bit, half), information(erase, half)
    assert str(first.mutual).startswith("0.02904")
    assert str(second.worst_case.value).startswith("0.91920")
    assert second.worst_case.output == 0
    assert str(second.mutual).startswith("0.00009192")
    assert second.mutual.hi < first.mutual.lo
    by_output = {one.output: one.divergence for one in output_information(erase, half)}
    assert by_output["e"].is_exact
    assert by_output["e"].lo == 0
    assert posterior(erase, half, Property.of(bit.inputs, [1]), 1).after == Fraction(99, 100)
    assert amplification(erase).value == 99


def test_exact_bits():
    names = Domain(range(8))
    told = Operator.from_function(names, names, lambda x, y: int(x == y))
    found = information(told, Prior.uniform(names))
    assert found.mutual.is_exact
    assert found.mutual.lo == found.worst_case.value.lo == 3
    assert found.inverse_worst_case.value is INFINITY
    hidden = Operator.from_function(names, range(3), lambda x, y: "1/3")
    found = information(hidden, Prior.uniform(names))
    assert found.mutual.is_exact
    assert found.mutual.lo == found.inverse_worst_case.value.hi == 0
    assert local_dp(hidden).epsilon.is_exact
