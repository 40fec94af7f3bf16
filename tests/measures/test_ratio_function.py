"""Functions f for worst-case information: which are read, which are refused and why."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.derive.measures.ratio_function import ratio_function


@pytest.mark.parametrize(
    ("name", "sign", "power", "offset"),
    [
        ("t - 1", 1, "1", "-1"),
        ("-1/t", -1, "-1", "0"),
        ("t^2", 1, "2", "0"),
        ("t^-2", 1, "-2", "0"),
        ("-t^-1/2", -1, "-1/2", "0"),
        ("t^(3/2)-1/2", 1, "3/2", "-1/2"),
        ("1/t", 1, "-1", "0"),
        ("-t^0", -1, "0", "0"),
    ],
)
def test_read(name, sign, power, offset):
    f = ratio_function(name)
    assert (f.sign, f.power, f.offset) == (sign, Fraction(power), Fraction(offset))


def test_logarithm():
    f = ratio_function("log")
    assert f.power is None
    assert (f.vanishing, f.growing, f.at_one) == (0, INFINITY, 0)


@pytest.mark.parametrize("name", ["t^-1/2", "t^-0.5", "-t", "-t^-2", "-t^2", "t^(-1/3)+5"])
def test_not_convex_or_not_read(name):
    with pytest.raises(ValueError, match=r"convex|is not a function"):
        ratio_function(name)


@pytest.mark.parametrize(
    "name", ["", "exp", "t^", "t^1/0", "t^2^3", "__import__('os')", "t^" + "9" * 70]
)
def test_nonsense(name):
    with pytest.raises(ValueError, match=r"not a function|divides by zero"):
        ratio_function(name)


def test_powers_are_bounded():
    with pytest.raises(ValueError, match="beyond"):
        ratio_function("t^1001")


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("-1/t", 0),
        ("t^-2", 0),
        ("-t^-1/2", 0),
        ("t^-2+3", 3),
        ("t^0", 1),
        ("-t^0+3", 2),
        ("t", INFINITY),
        ("log", INFINITY),
    ],
)
def test_the_limit_of_large_ratios_is_the_offset_where_powers_are_below_0(name, limit):
    assert ratio_function(name).growing == limit
