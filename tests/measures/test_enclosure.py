"""Enclosures: outward rounding, certain digits, zero, printing."""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from measures_oracle import as_fraction
from measures_strategies import MANY

from ppdm_formal.declare.arithmetic.decimals import decimal_text, round_to
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, enclose, log_of
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.arithmetic.value import INFINITY

RATIONALS = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


@MANY
@given(RATIONALS, st.sampled_from(["bit", "nat"]), st.integers(1, 40))
def test_logarithms(value, unit, digits):
    found = log_of(value, unit, digits)
    with mpmath.workdps(80):
        exact = mpmath.log(mpmath.mpf(value.numerator) / value.denominator)
        exact = as_fraction(exact / mpmath.log(2) if unit == "bit" else exact)
    slack = Fraction(1, 10**65)
    assert found.lo - slack <= exact <= found.hi + slack
    assert found.width * 10**digits <= abs(exact) + slack
    spelled = found.to_json()
    assert Fraction(spelled["lo"]) <= found.lo <= found.hi <= Fraction(spelled["hi"])
    assert Fraction(spelled["hi"]) - Fraction(spelled["lo"]) <= 2 * found.width


@MANY
@given(st.fractions(), st.integers(1, 30))
def test_rounding_is_outward_and_prints_exactly(value, digits):
    down, up = round_to(value, digits, up=False), round_to(value, digits, up=True)
    assert down <= value <= up
    assert (up - down) * 10 ** (digits - 1) <= abs(value)
    for end in (down, up):
        assert Fraction(decimal_text(end)) == end
    lo, hi = Enclosure(value, value).decimal(digits)
    assert Fraction(lo) <= value <= Fraction(hi)


def test_exact_values_are_points():
    assert log_of(Fraction(1)) == Enclosure.exactly(0)
    assert log_of(Fraction(1, 1024), "bit") == Enclosure.exactly(-10)
    assert log_of(Fraction(2) ** 100_000, "bit").lo == 100_000
    assert enclose(lambda: arb(4).sqrt()) == Enclosure.exactly(2)
    assert not log_of(Fraction(2), "nat").is_exact


def test_huge_and_tiny_arguments():
    near_one = log_of(1 + Fraction(1, 10**100))
    assert near_one.width * 10**15 <= near_one.lo
    assert near_one.contains(Fraction(1, 10**100) - Fraction(1, 2 * 10**200))
    assert str(log_of(Fraction(3) ** 100_000, "nat")) == "109861..."


def test_a_value_that_cannot_be_told_from_zero():
    def nothing():
        return arb(2).sqrt() ** 2 - 2

    found = enclose(nothing)
    assert found.lo < 0 < found.hi
    assert found.width < Fraction(1, 10**45)
    assert enclose(nothing, nonnegative=True).lo == 0


def test_more_digits_stay_inside_what_is_known():
    # The value is the coarse ball's upper end, and the fine ball around it sticks out.
    coarse = arb(1, arb(2) ** -56)
    with ctx.workprec(200):
        top = coarse.upper()
    mantissa, exponent = top.man_exp()
    known = int(mantissa) * Fraction(2) ** int(exponent)

    def ball():
        return coarse if ctx.prec < 128 else arb(top, arb(2) ** -104)

    assert enclose(ball, 15).contains(known)
    assert enclose(ball, 30).contains(known)
    assert enclose(ball, 30).hi <= known + Fraction(1, 10**32)


def test_precision_is_restored():
    before = ctx.prec

    def fails():
        raise KeyError

    with pytest.raises(KeyError):
        enclose(fails)
    log_of(Fraction(3), digits=100)
    assert ctx.prec == before


def test_printing():
    assert str(log_of(Fraction(2))) == "0.693147..."
    assert str(log_of(Fraction(1, 2))) == "-0.693147..."
    assert str(Enclosure.exactly(3)) == "3"
    assert str(Enclosure.exactly(Fraction(1, 3))) == "0.333333333333..."
    assert str(Enclosure(Fraction(0), Fraction(1, 10**40))) == "[0, 1e-40]"
    assert str(Enclosure(Fraction(1, 3), Fraction(1, 2))) == "[0.333333, 0.5]"
    assert str(log_of(1 + Fraction(1, 3 * 10**50))) == "3.33333...e-51"
    assert log_of(Fraction(8), "bit").to_json() == {"lo": "3", "hi": "3"}
    assert decimal_text(Fraction(-1, 40)) == "-0.025"
    assert decimal_text(Fraction(10) ** 12) == "1000000000000"
    with pytest.raises(ValueError, match="does not end"):
        decimal_text(Fraction(1, 6))


def test_comparison_with_a_bound():
    wide = Enclosure(Fraction(1), Fraction(2))
    assert wide.holds("<=", Fraction(2)) is True
    assert wide.holds("<", Fraction(2)) is None
    assert wide.holds("<", Fraction(1)) is False
    assert wide.holds("<=", Fraction(1)) is None
    assert wide.contains(Fraction(3, 2))
    assert not wide.contains(Fraction(5, 2))
    with pytest.raises(ValueError, match="lo <= hi"):
        Enclosure(Fraction(2), Fraction(1))


@pytest.mark.parametrize("digits", [0, 10_001])
def test_digits_are_bounded(digits):
    with pytest.raises(ValueError, match="digits"):
        log_of(Fraction(2), digits=digits)


def test_logarithm_of_nothing():
    with pytest.raises(ValueError, match="logarithm"):
        log_of(Fraction(0))
    for unit, value in itertools.product(("nat", "bit"), (Fraction(0), Fraction(-2))):
        with pytest.raises(ValueError, match="logarithm"):
            LogSum.log(value, unit)


def test_infinity_is_above_every_number_and_equal_to_itself():
    compare = (operator.lt, operator.le, operator.gt, operator.ge)
    for number in (Fraction(10**9), Fraction(0), -1):
        assert [holds(INFINITY, number) for holds in compare] == [False, False, True, True]
        assert [holds(number, INFINITY) for holds in compare] == [True, True, False, False]
    assert [holds(INFINITY, INFINITY) for holds in compare] == [False, True, False, True]


def test_digits_that_are_not_shared_are_not_filled_up():
    """Less than three shared digits, or zeros before the point, would be read as the number."""
    for low, high, text in (
        ("146.4", "153.2", "[146.4, 153.2]"),
        ("90.91", "95.98", "[90.91, 95.98]"),
        ("0.12499", "0.12501", "[0.12499, 0.12501]"),
        ("1234.5", "1239", "1.23...e3"),
        ("1.2344", "1.2345", "1.234..."),
    ):
        assert str(Enclosure(Fraction(low), Fraction(high))) == text
