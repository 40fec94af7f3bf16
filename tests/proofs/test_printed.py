"""Printed numbers: which values would be printed so, against decimal's own rounding."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from ppdm_formal.certify.statement import (
    Printed,
    compare_printed,
    load_statements,
    refute_misprints,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import INFINITY

values = st.decimals(min_value=0, max_value=100, places=6)


@given(values, st.integers(0, 4), st.booleans())
def test_a_number_agrees_with_its_own_print(value, places, percent):
    """Rounded and cut off by decimal; misprints of either disagree unless on the very edge."""
    unit = Decimal(1).scaleb(-places)
    exact = Fraction(value) / (100 if percent else 1)
    for rule, how in (("rounded", ROUND_HALF_UP), ("cut", ROUND_DOWN)):
        text = f"{value.quantize(unit, rounding=how):f}" + "%" * percent
        number = Printed("it", text, exact, rule)
        assert number.agrees is True
        on_edge = (Fraction(value) / Fraction(unit)) % 1 == Fraction(1, 2)
        for misprint in number.misprints():
            assert misprint.agrees is False or (rule == "rounded" and on_edge)
            assert misprint.text != text


@given(values)
def test_exact_print_is_equality(value):
    assert Printed("it", f"{value:f}", Fraction(value), "exact").agrees is True
    assert (
        Printed("it", f"{value:f}", Fraction(value) + Fraction(1, 10**9), "exact").agrees is False
    )


@pytest.mark.parametrize(
    ("lo", "hi", "agrees"),
    [("1.2711", "1.2712", True), ("1.26", "1.28", None), ("1.274", "1.276", None),
     ("1.2", "1.25", False), ("1.28", "1.3", False)],
)  # fmt: skip
def test_enclosures_agree_only_where_all_of_them_does(lo, hi, agrees):
    computed = Enclosure(Fraction(lo), Fraction(hi))
    assert Printed("it", "1.27", computed).agrees is agrees
    kind = {True: "enclosed", None: "unknown", False: "refuted"}[agrees]
    assert compare_printed([Printed("it", "1.27", computed)]).kind == kind


def test_infinity_is_printed_as_infinity_only():
    assert Printed("it", "infinity", INFINITY).agrees is True
    assert Printed("it", "infinity", Fraction(10**9)).agrees is False
    assert Printed("it", "1000", INFINITY).agrees is False
    assert [m.agrees for m in Printed("it", "infinity", INFINITY).misprints()] == [False]


def test_one_wrong_number_among_many_is_named():
    right = [Printed(f"row {k}", str(k), Fraction(k)) for k in range(5)]
    outcome = compare_printed([*right, Printed("row 9", "-0.25", Fraction(1, 4))])
    assert outcome.kind == "refuted"
    assert list(outcome.counterexample) == ["row 9"]
    assert refute_misprints(right).kind == "refuted"


def test_a_check_too_coarse_to_see_a_misprint_is_unknown():
    coarse = Printed("it", "1.27", Enclosure(Fraction(1), Fraction(2)))
    assert refute_misprints([coarse]).kind == "unknown"


@pytest.mark.parametrize("text", ["", "about 3", "1,5", "1e5", "3.", ".5", "%"])
def test_what_is_no_decimal_is_refused(text):
    with pytest.raises(ValueError, match="not a printed decimal"):
        assert Printed("it", text, Fraction(1)).agrees


def test_de_moivres_mean_deviation_is_the_sum_over_all_counts():
    """The closed form that aa01/loss_at_20000 uses, against probabilities of scipy."""
    name = "aa01/loss_at_20000"
    loss = next(one for one in load_statements() if one.name == name).decide.__globals__
    counts = np.arange(loss["DATA"] + 1)
    for p in (1e-7, 3e-5, 0.01131, 0.35001):
        summed = (binom.pmf(counts, loss["DATA"], p) * abs(counts / loss["DATA"] - p)).sum()
        assert float(loss["_deviation"](arb(p))) == pytest.approx(summed, rel=1e-6)
