"""Exact numbers: what is read, what is refused, and how closed forms are written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from core_oracle import evaluate
from core_strategies import COINS, FEW, INSIDE, MANY, SOME, P, Q, p, q
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.exact import (
    MAX_DIGITS,
    exact,
    is_symbolic,
    parse_number,
    simplify,
    substitute,
    to_sympy,
    total,
)
from ppdm_formal.declare.arithmetic.spelling import number_text

FORMS = st.sampled_from([*COINS, p / (1 - p), (1 - p) / (9 * p), (p - q) / (p + q), 1 - 2 * p])


@MANY
@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6), st.integers(0, 6))
def test_a_number_reads_as_what_it_spells(top, bottom, places):
    assert parse_number(f"{top}/{bottom}") == Fraction(top, bottom)
    assert parse_number(f" {top} ") == top
    spelled = str(Decimal(top).scaleb(-places).quantize(Decimal(1).scaleb(-places)))
    assert parse_number(spelled) == Fraction(top, 10**places)
    assert parse_number(spelled + "%") == Fraction(top, 100 * 10**places)
    assert parse_number(f"{top}/{bottom}%") == Fraction(top, 100 * bottom)
    assert parse_number(f"{spelled}e-{places}") == Fraction(top, 10 ** (2 * places))
    assert parse_number(f"{spelled}E+{places}") == top == parse_number(f"{spelled}e{places}")


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        " ",
        ".5",
        "1.",
        "1e",
        "1/2e3",
        "1e1.5",
        "e3",
        "1/-2",
        "1 / 2",
        "--1",
        "1/2/3",
        "1.5/2",
        "0x10",
        "1_000",
        "inf",
        "nan",
        "½",
        "१",
        "1%%",
        "p",
        "__import__('os')",
    ],
)
def test_other_text_is_not_a_number(wrong):
    with pytest.raises(ValueError, match="not a number"):
        parse_number(wrong)


def test_division_by_zero_and_absurd_lengths_are_refused():
    with pytest.raises(ValueError, match="divides by zero"):
        parse_number("1/0")
    with pytest.raises(ValueError, match="characters"):
        parse_number("1" * (MAX_DIGITS + 1))
    for size in (MAX_DIGITS + 1, 10**30):
        with pytest.raises(ValueError, match="power of ten"):
            parse_number(f"1e-{size}")
    assert parse_number("1" * MAX_DIGITS) == int("1" * MAX_DIGITS)


@pytest.mark.parametrize(
    "value",
    [
        0.3,
        1.0,
        np.float64(0.5),
        np.float32(0.5),
        sympy.Float("0.3"),
        0.5 * p,
        float("nan"),
        True,
        np.True_,
        None,
        1j,
        Decimal("0.1"),
        [1],
        sympy.Matrix([[1]]),
        sympy.true,
    ],
)
def test_inexact_and_foreign_values_are_refused(value):
    with pytest.raises(TypeError):
        exact(value)


@pytest.mark.parametrize(
    "form", [sympy.sqrt(2), sympy.sqrt(2) * p, sympy.pi * p, sympy.sin(p), 2**p, sympy.I * p]
)
def test_only_fractions_of_polynomials_are_closed_forms(form):
    with pytest.raises(TypeError, match="fraction of polynomials"):
        exact(form)


@pytest.mark.parametrize("value", [sympy.zoo, sympy.oo, -sympy.oo, sympy.nan, p * sympy.zoo])
def test_infinities_are_refused(value):
    with pytest.raises(ZeroDivisionError):
        exact(value)


def test_exact_numbers_come_in_many_types():
    for value in (3, "3", Fraction(3), np.int64(3), np.uint8(3), sympy.Integer(3), p + 3 - p):
        found = exact(value)
        assert found == 3
        assert isinstance(found, Fraction)
    assert exact(sympy.Rational(2, 6)) == Fraction(1, 3)
    assert not is_symbolic(exact((p**2 - 1) / (p - 1) - p))


def test_symbols_are_known_by_their_names():
    plain, positive = sympy.Symbol("p"), sympy.Symbol("p", positive=True)
    assert exact(plain / (1 - plain)) == exact(p / (1 - p)) == exact(positive / (1 - positive))
    assert exact(plain - p) == 0


@FEW
@given(FORMS, FORMS, INSIDE, INSIDE)
def test_one_value_has_one_form(first, second, a, b):
    """Forms built in different ways are equal exactly where their values are."""
    assert exact(first + second) == exact(second + first)
    if second != 1 - 2 * p:
        assert exact(first * second / second) == exact(first)
        assert exact(1 / (1 / second)) == exact(second)
    values = {"p": a, "q": b}
    assert substitute(exact(first + second), values) == substitute(
        exact(first), values
    ) + substitute(exact(second), values)


@SOME
@given(FORMS, FORMS, INSIDE, INSIDE)
def test_text_spells_the_form(first, second, a, b):
    for form in (first, first * second, first - second, -first):
        found = exact(form)
        value = substitute(found, {"p": a, "q": b})
        assert isinstance(value, Fraction)
        assert evaluate(number_text(found), {"p": a, "q": b}) == value


@pytest.mark.parametrize(
    ("form", "spelled"),
    [
        (p / (1 - p), "p/(1 - p)"),
        (-p / (p - 1), "p/(1 - p)"),
        ((1 - p) / (9 * p), "(1 - p)/(9*p)"),
        (9 * p / (1 - p), "9*p/(1 - p)"),
        ((p - 1) / p, "(-1 + p)/p"),
        (1 - p, "1 - p"),
        (p - 1, "-1 + p"),
        (-p, "-p"),
        ((1 - p) ** 2, "(1 - p)^2"),
        (1 / p, "1/p"),
        (1 / (1 + p) ** 2, "1/(1 + p)^2"),
        (-1 / (1 + p) ** 2, "-1/(1 + p)^2"),
        (p**2 / (1 - p) ** 2, "p^2/(1 - p)^2"),
        (1 - 2 * p, "1 - 2*p"),
        (sympy.Rational(1, 2) * p, "p/2"),
        (p * q / (1 - p * q), "p*q/(1 - p*q)"),
    ],
)
def test_closed_forms_read_well(form, spelled):
    assert number_text(exact(form)) == spelled


def test_rationals_in_text():
    assert [number_text(Fraction(a, b)) for a, b in ((1, 3), (6, 2), (-1, 2), (0, 5))] == [
        "1/3",
        "3",
        "-1/2",
        "0",
    ]


@SOME
@given(
    st.lists(st.tuples(st.integers(0, 10**30), st.fractions(max_denominator=99)), max_size=6),
    st.booleans(),
)
def test_total_is_the_sum(parts, symbolic):
    expected = sum((count * value for count, value in parts), Fraction(0))
    assert total(parts) == expected
    if symbolic:
        assert total([*parts, (3, p), (2, 1 - p)]) == exact(to_sympy(expected) + 2 + p)
        assert total([*parts, (1, p), (1, -p)]) == expected


def test_substitution_at_a_pole_is_a_division_by_zero():
    for form in (1 / (1 - p), q / (1 - p), q + q / (1 - p)):
        with pytest.raises(ZeroDivisionError):
            substitute(exact(form), {"p": Fraction(1)})
    assert substitute(exact((1 - p**2) / (1 - p)), {"p": Fraction(1)}) == 2


def test_substitution_by_name_leaves_other_parameters():
    half = substitute(exact(p * q), {"p": Fraction(1, 2), "unused": Fraction(3)})
    assert half == exact(q / 2)
    assert substitute(exact(p), {"q": Fraction(1)}) == p
    assert substitute(Fraction(1, 3), {"p": Fraction(1)}) == Fraction(1, 3)
    assert simplify(P.symbol + Q.symbol) == p + q
