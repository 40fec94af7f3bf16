"""Bounds on dependence and worst-case information: refined until decided, exact at equality."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator

SECRET = Operator.from_matrix([[1, 0], [0, 1]], name="secret")
COIN = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="coin")
BLIND = Operator.from_matrix([["1/3", "2/3"], ["1/3", "2/3"]], name="blind")
UNIFORM = Prior.uniform(COIN.inputs, "U")
SKEWED = Prior.of(COIN.inputs, {0: "1/8", 1: "7/8"}, "S")

KL = 0.75 * math.log2(1.5) + 0.25 * math.log2(0.5)


def verdict(operator, *claim):
    return certify(operator, BoundClaim(*claim)).verdict


@pytest.mark.parametrize(("unit", "scale"), [("bit", 1.0), ("nat", math.log(2))])
def test_information_of_a_coin(unit, scale):
    near = Fraction(round(KL * scale * 10**6), 10**6)
    step = Fraction(2, 10**6)
    assert (
        verdict(COIN, "worst_case_information", "<=", near + step, UNIFORM, unit)
        is Verdict.CERTIFIED
    )
    assert (
        verdict(COIN, "worst_case_information", "<=", near - step, UNIFORM, unit)
        is Verdict.BREACHED
    )


def test_information_exactly_at_the_bound():
    assert (
        verdict(SECRET, "worst_case_information", "<=", Fraction(1), UNIFORM, "bit")
        is Verdict.CERTIFIED
    )
    assert (
        verdict(SECRET, "worst_case_information", "<", Fraction(1), UNIFORM, "bit")
        is Verdict.BREACHED
    )
    tiny = Fraction(1, 10**100)
    assert (
        verdict(SECRET, "worst_case_information", "<=", 1 - tiny, UNIFORM, "bit")
        is Verdict.BREACHED
    )
    assert (
        verdict(SECRET, "worst_case_information", "<", 1 + tiny, UNIFORM, "bit")
        is Verdict.CERTIFIED
    )
    # The rarer secret tells 3 bits, the other less.
    assert (
        verdict(SECRET, "worst_case_information", "<=", Fraction(3), SKEWED, "bit")
        is Verdict.CERTIFIED
    )
    assert (
        verdict(SECRET, "worst_case_information", "<", Fraction(3), SKEWED, "bit")
        is Verdict.BREACHED
    )


def test_nothing_is_learnt_from_a_blind_operator():
    for unit in ("bit", "nat"):
        zero = Fraction(0)
        assert (
            verdict(BLIND, "worst_case_information", "<=", zero, SKEWED, unit) is Verdict.CERTIFIED
        )
        assert verdict(BLIND, "worst_case_information", "<", zero, SKEWED, unit) is Verdict.BREACHED
    assert verdict(BLIND, "dependence", "<=", Fraction(0), SKEWED) is Verdict.CERTIFIED


def test_dependence_of_a_coin_is_the_logarithm_of_two():
    # 40 digits of ln 2: far past what a float tells.
    digits = Fraction(6931471805599453094172321214581765680755, 10**40)
    assert verdict(COIN, "dependence", "<=", digits, UNIFORM) is Verdict.BREACHED
    above = digits + Fraction(1, 10**40)
    assert verdict(COIN, "dependence", "<=", above, UNIFORM) is Verdict.CERTIFIED


def test_infinite_dependence():
    assert verdict(SECRET, "dependence", "<=", Fraction(10**6), UNIFORM) is Verdict.BREACHED


def test_a_bound_too_close_to_tell_is_unknown():
    # ln 2 to 300 digits, rounded down and up: closer than the last enclosure.
    with_digits = _ln2(300)
    found = certify(COIN, BoundClaim("dependence", "<=", with_digits, UNIFORM))
    assert found.verdict is Verdict.UNKNOWN
    assert "240 digits" in found.reason


def _ln2(digits: int) -> Fraction:
    """Sum of 1 / (k 2^k), rounded down."""
    scale = 10 ** (digits + 10)
    total = sum(scale // (k << k) for k in range(1, 4 * digits))
    return Fraction(total // 10**10, 10**digits)


def test_the_worst_amplification_is_that_of_the_most_telling_output():
    """Whichever output it is, whatever the sizes of the likelihoods on the others."""
    chance = random.Random(5)
    for _ in range(100):
        rows = [[Fraction(chance.randint(1, 9)) for _ in range(4)] for _ in range(3)]
        rows = [[entry / sum(row) for entry in row] for row in rows]
        found = certify(Operator.from_matrix(rows), BoundClaim("amplification", "<=", Fraction(3)))
        truth = max(max(column) / min(column) for column in zip(*rows, strict=True))
        (worst,) = found.worst
        assert worst.value == truth
        assert found.verdict is (Verdict.CERTIFIED if truth <= 3 else Verdict.BREACHED)
