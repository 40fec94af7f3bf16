"""Numbers in text: one spelling for files, one for people, at any length."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isqrt

import pytest
import sympy
from core_strategies import COINS, p, q
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.decimals import (
    decimal_text,
    digits_of,
    nearest,
    order_of,
    round_to,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.arithmetic.people import (
    about_bound,
    at_most,
    bound_percent,
    brief_count,
    exact_within,
    fraction_words,
    moved,
    moved_share,
    number_words,
    percent,
    percent_toward,
    rounded,
    share,
    short,
    show_count,
)
from ppdm_formal.declare.arithmetic.spelling import count_json, form_text, integer_text, number_text
from ppdm_formal.declare.arithmetic.value import INFINITY

HUGE = Fraction(3**20_000, 2**31_000 + 1)  # both past Python's limit of 4,300 digits
TINY = Fraction(1, 10**5000)
SHARES = st.fractions(0, 1)
COUNTS = st.integers(1, 2**2000)


def number(shown: str) -> Fraction:
    """A percentage or decimal read back, marks left out."""
    return Fraction(Decimal(shown.strip("~<>%")))


def test_files_hold_exact_numbers_of_any_length():
    assert number_text(Fraction(-3, 7)) == "-3/7"
    assert number_text(5) == "5"
    top, bottom = number_text(HUGE).split("/")
    assert Fraction(int(top, 16), int(bottom, 16)) == HUGE
    assert integer_text(10**3999 - 1) == "9" * 3999
    assert integer_text(-(10**3999)) == hex(-(10**3999))
    assert count_json(10**15) == 10**15
    assert count_json(10**15 + 1) == "1000000000000001"


def test_closed_forms_with_coefficients_of_any_length():
    wide = sympy.Integer(10**4500)
    assert number_text(wide * p + 1) == f"1 + {hex(10**4500)}*p"
    assert number_text((p + 2) / (3 * wide)) == f"(2 + p)/{hex(3 * 10**4500)}"


def log2(form):
    return sympy.log(form) / sympy.log(2)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (sympy.log(p), "ln(p)"),
        (-sympy.log(p), "-ln(p)"),
        (sympy.Rational(1, 2) * sympy.log(p), "(1/2)*ln(p)"),
        (-2 * sympy.log(p), "-2*ln(p)"),
        (p**2 * sympy.log(p), "p^2*ln(p)"),
        ((p - 1) * sympy.log(p), "-(1 - p)*ln(p)"),
        (2 * p * (p - 1) * sympy.log(q), "(2*p*(-1 + p))*ln(q)"),
        ((p - 1) / p * sympy.log(q), "((-1 + p)/p)*ln(q)"),
        (log2(2 * p) - p * log2(q), "-p*log2(q) + log2(2*p)"),
        (sympy.Max(p, 1 - p, evaluate=False), "max(1 - p, p)"),
    ],
    ids=str,
)
def test_forms_with_logarithms(form, text):
    assert form_text(form) == text


@given(st.sampled_from(COINS), st.sampled_from([p, q, 1 + p]), st.integers(1, 9))
def test_the_text_of_a_form_is_its_value(factor, argument, at):
    """The text, with ln as a number of its own, comes to what the form comes to."""
    shown = form_text(factor * sympy.log(argument)) if factor else "0"
    if not factor:
        return
    before, _, rest = shown.rpartition("ln(")
    spelled = {"p": Fraction(at, 10), "q": Fraction(at, 11)}
    value = before.rstrip("*").replace("^", "**") or "1"
    value = value + "1" if value == "-" else value
    found = eval(value, {}, {name: sympy.Rational(v) for name, v in spelled.items()})
    wanted = factor.xreplace({p: sympy.Rational(at, 10), q: sympy.Rational(at, 11)})
    assert sympy.simplify(found - wanted) == 0
    assert rest == number_text(argument) + ")"


@given(COUNTS)
def test_one_count_everywhere(count):
    """The terminal, the report and the JSON say the same power of two, the nearest one."""
    shown = show_count(count)
    if count <= 10**15:
        assert shown == str(count)
        assert show_count(count, separated=True).replace(",", "") == shown
        return
    assert show_count(count, separated=True) == shown
    if count >= 10**100:
        assert brief_count(count) == shown
    power = int(shown.rpartition("^")[2])
    assert shown.startswith("about") == (count != 2**power)
    # nearest on the logarithmic scale: within a factor of the square root of 2
    assert isqrt(2 ** (2 * power - 1)) <= count <= isqrt(2 ** (2 * power + 1)) + 1


@given(SHARES, st.integers(0, 6))
def test_bounds_are_rounded_outward(value, digits):
    up, down = (percent_toward(value, digits, up=way) for way in (True, False))
    assert down <= value * 100 <= up
    assert up - down <= Fraction(1, 10**digits)
    for way in (True, False):
        shown = number(bound_percent(value, up=way))
        assert shown >= value * 100 if way else shown <= value * 100
        assert about_bound(value, up=way).startswith("~") == (shown != value * 100)


@given(SHARES, SHARES)
def test_a_belief_moves_at_least_as_far_as_shown(before, after):
    shown = number(moved(before, after))
    if after > before:
        assert shown >= after * 100
    if after < before:
        assert shown <= after * 100


@given(SHARES)
def test_percent_is_the_nearest_and_marked(value):
    shown = percent(value)
    if shown[0] in "<>":
        assert 0 < value < 1
        assert value * 100 < number(shown) if shown[0] == "<" else value * 100 > number(shown)
    else:
        assert abs(number(shown) - value * 100) <= Fraction(1, 200)
        assert (shown[0] == "~") == (number(shown) != value * 100)


@given(st.fractions().filter(bool), st.integers(1, 8))
def test_nearest_digits(value, digits):
    shown = nearest(value, digits)
    unit = Fraction(10) ** (order_of(value) - digits + 1)
    assert abs(shown - value) <= unit / 2
    assert (shown / unit).denominator == 1
    assert number(rounded(value, digits)) == shown
    assert round_to(value, digits, up=False) <= value <= round_to(value, digits, up=True)


@given(st.floats(1e-30, 1e30).map(Fraction) | st.fractions(-1000, 1000).filter(bool))
def test_short_is_as_python_formats(value):
    """Three digits as format "g" would write them."""
    if value.denominator == 1:
        assert short(value, 60) == str(value)
        return
    about = short(value, 0).removeprefix("~")
    whole = f"{Decimal(value.numerator) / Decimal(value.denominator):.60g}"
    assert abs(number(about) - Fraction(whole)) <= abs(value) / 100
    expected = f"{float(nearest(value, 3)):.3g}"
    assert about == expected


def test_words():
    assert percent(Fraction(1, 10**6)) == "<0.01%"
    assert percent(1 - Fraction(1, 10**6)) == ">99.99%"
    assert rounded(Fraction(2, 3)) == "~0.666667"
    assert moved_share(Fraction(1, 2), Fraction(1)) == "100%"
    assert moved_share(Fraction(1, 2), Fraction(1, 3)) == "~33.33% (1/3)"
    assert fraction_words(Fraction(7)) == "7"
    assert exact_within(Fraction(123, 45), 5) == "41/15"
    assert exact_within(Fraction(123, 45), 4) is None
    assert at_most(INFINITY) == "infinity"


@pytest.mark.parametrize("value", [TINY, 1 - TINY, 1 / (1 + HUGE)], ids=["tiny", "most", "some"])
def test_words_for_probabilities_of_any_length(value):
    for shown in (
        percent(value),
        percent(value, 6),
        share(value),
        moved(Fraction(1, 2), value),
        moved_share(Fraction(1, 2), value),
        bound_percent(value, up=True),
        bound_percent(value, up=False),
        about_bound(value, up=True),
        short(value),
        rounded(value),
        number_words(value),
        fraction_words(value),
        at_most(value),
    ):
        assert 0 < len(shown) <= 20


def test_large_numbers_in_words():
    assert short(HUGE) == "~3.13e+210"
    assert number_words(HUGE) == "~3.128e210"
    assert rounded(Fraction(10) ** 5000) == "1e5000"
    assert number_words(Fraction(10) ** 5000 + 1) == "~1e5000"
    assert at_most(Fraction(10) ** 5000 + 1) == "1.001e5000"


def test_digits_of_any_length():
    value = -(7**9000)
    assert Fraction(Decimal(digits_of(value))) == value
    assert Fraction(Decimal(decimal_text(Fraction(value, 10**5000)))) == Fraction(value, 10**5000)
    with pytest.raises(ValueError, match="does not end"):
        decimal_text(Fraction(1, 3**10_000))


def test_many_digits_of_an_enclosure():
    """More digits may be asked for than Python writes of an integer."""
    found = log_of(Fraction(2), digits=5000)
    ends = found.to_json(5000)
    assert all(len(end) > 5000 for end in ends.values())
    assert Fraction(Decimal(ends["lo"])) <= found.lo <= found.hi <= Fraction(Decimal(ends["hi"]))
    assert str(Enclosure.exactly(TINY)) == "1e-5000"
