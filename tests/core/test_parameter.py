"""Parameters: intervals, and signs and roots of closed forms against dense sampling."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest
import sympy
from core_strategies import FEW, SOME, fraction, p, q
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.algebraic import as_sympy, between
from ppdm_formal.declare.arithmetic.bernstein import sign_on_box
from ppdm_formal.declare.arithmetic.exact import exact
from ppdm_formal.declare.arithmetic.line import Line, samples, zeros
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.signs import (
    not_probability,
    possible_signs,
    sign_over,
    violation,
)

UNIT = Parameter("p", 0, 1)
CLOSED = Parameter("p", 0, 1, includes_lower=True, includes_upper=True)

# Factors in p with their roots in (0, 1); any two roots are more than 1/100 apart, so that a
# grid of 1/211 sees every sign that a product of them takes.
FACTORS = {
    **{p - sympy.Rational(k, 8): [sympy.Rational(k, 8)] for k in range(1, 8)},
    p**2 - sympy.Rational(1, 2): [sympy.sqrt(2) / 2],
    p**2 - sympy.Rational(1, 3): [sympy.sqrt(3) / 3],
    5 * p**2 - 5 * p + 1: [(5 - sympy.sqrt(5)) / 10, (5 + sympy.sqrt(5)) / 10],
    p**3 + p - 1: [sympy.CRootOf(p**3 + p - 1, 0)],
    p**2 + 1: [],
    p: [],
    p + 2: [],
    p - 1: [],
}
GRID = [Fraction(k, 211) for k in range(1, 211)]


@st.composite
def forms(draw):
    """A product of factors over another, the factors of each, and its values on the grid."""
    above = draw(st.lists(st.sampled_from(list(FACTORS)), min_size=1, max_size=4))
    below = draw(st.lists(st.sampled_from([f for f in FACTORS if f not in above]), max_size=2))
    scale = draw(st.sampled_from([Fraction(1), Fraction(-1), Fraction(1, 7), Fraction(-3)]))
    form = exact(sympy.Rational(scale.numerator, scale.denominator) * prod(above) / prod(below))
    return form, above, below


def values(form, points=GRID):
    """The values of a form of p at rational points, by integer arithmetic; None at poles."""
    found = []
    top, bottom = (
        [fraction(c) for c in sympy.Poly(part, p).all_coeffs()]
        for part in sympy.fraction(sympy.together(form))
    )
    for point in points:
        above = below = Fraction(0)
        for c in top:
            above = above * point + c
        for c in bottom:
            below = below * point + c
        found.append(above / below if below else None)
    return found


@FEW
@given(forms())
def test_signs_are_those_of_dense_sampling(case):
    form, _, _ = case
    signs = {(v > 0) - (v < 0) for v in values(form) if v}
    found = sign_over(form, [UNIT])
    assert found == (signs.pop() if len(signs) == 1 else None)
    assert sign_over(-form, [UNIT]) == (None if found is None else -found)


@FEW
@given(forms())
def test_roots_are_the_known_ones(case):
    form, above, _ = case
    expected = sorted({root for factor in above for root in FACTORS[factor]})
    found = [as_sympy(point) for point in zeros(form, UNIT)]
    assert len(found) == len(expected)
    assert all(sympy.simplify(a - b) == 0 for a, b in zip(found, expected, strict=True))
    half = Parameter("p", 0, Fraction(1, 2))
    assert len(zeros(form, half)) == sum(bool(root < sympy.Rational(1, 2)) for root in expected)


@FEW
@given(forms())
def test_violations_are_real_and_none_is_missed(case):
    form, _, _ = case
    found = violation(form, [UNIT])
    seen = values(form)
    if found is None:
        assert all(v is None or v >= 0 for v in seen)
    else:
        (value,) = values(form, [found["p"]])
        assert found["p"] in UNIT
        assert value is not None
        assert value < 0
    at_ends = violation(form, [CLOSED])
    if found is None and at_ends is not None:
        assert at_ends["p"] in (0, 1)
        (value,) = values(form, [at_ends["p"]])
        assert value is None or value < 0
    if at_ends is None:
        assert all(v is not None and v >= 0 for v in values(form, [Fraction(0), Fraction(1)]))


@FEW
@given(forms(), st.sampled_from([Fraction(1, 100), Fraction(1, 3), Fraction(1), Fraction(20)]))
def test_probabilities(case, scale):
    """One parameter is always decided: in [0, 1] throughout, or not at a point that is named."""
    form, _, _ = case
    form = exact(form * sympy.Rational(scale.numerator, scale.denominator) + sympy.Rational(1, 4))
    wrong = not_probability(form, [UNIT])
    if not wrong:
        assert all(v is not None and 0 <= v <= 1 for v in values(form))
    else:
        assert wrong.startswith("is not between 0 and 1 at p = ")
        point = Fraction(wrong.removeprefix("is not between 0 and 1 at p = "))
        (value,) = values(form, [point])
        assert value is None or not 0 <= value <= 1


def test_a_tiny_violation_is_found():
    """Negative only on an interval of length 2/10^9, around an irrational number."""
    form = exact((p**2 - sympy.Rational(1, 2)) ** 2 - sympy.Rational(1, 10**18))
    point = violation(form, [UNIT])
    assert point is not None
    assert values(form, [point["p"]])[0] < 0
    assert sign_over(form, [UNIT]) is None
    assert sign_over(exact((p**2 - sympy.Rational(1, 2)) ** 2), [UNIT]) == 1


@st.composite
def plane_forms(draw):
    monomials = [sympy.Integer(1), p, q, p * q, p**2, q**2, p**2 * q]
    weights = draw(st.lists(st.integers(-3, 3), min_size=7, max_size=7))
    top = sum(w * m for w, m in zip(weights, monomials, strict=True))
    return exact(top / draw(st.sampled_from([1, 1 + p * q, p + q, 1 - p * q])))


@FEW
@given(plane_forms())
def test_signs_over_two_parameters_are_never_wrong(form):
    second = Parameter("q", Fraction(1, 4), Fraction(3, 4))
    axes = (
        [Fraction(k, 13) for k in range(1, 13)],
        [Fraction(1, 4) + Fraction(k, 26) for k in range(1, 13)],
    )
    if isinstance(form, Fraction):
        assert sign_over(form, [UNIT, second]) == (form > 0) - (form < 0)
        return
    function = sympy.lambdify((p, q), form, modules=[{}])
    seen = [function(a, b) for a in axes[0] for b in axes[1]]
    found = sign_over(form, [UNIT, second])
    assert found in (1, -1, None)
    if found == 1:
        assert min(seen) >= 0
    if found == -1:
        assert max(seen) <= 0
    point = violation(form, [UNIT, second])
    if point is not None:
        assert function(*(point.get(name, Fraction(1, 2)) for name in "pq")) < 0
    if found == 1:
        assert point is None


@pytest.mark.parametrize(
    ("form", "sign"),
    [
        (p * q, 1),
        (p * q - 1, -1),
        (p + q, 1),
        (p / (p + q), 1),
        (1 - p / (p + q), 1),
        ((p - q) ** 2, 1),
        (p - q, None),
        (p**2 - 2 * p * q + q**2 + sympy.Rational(1, 10), 1),
        (-p / (1 - p * q), -1),
    ],
)
def test_common_signs_over_two_parameters_are_decided(form, sign):
    assert sign_over(exact(form), [UNIT, Parameter("q", 0, 1)]) == sign


def test_two_parameters_of_a_probability():
    both = [UNIT, Parameter("q", 0, 1)]
    for form in (p * q, p * q + (1 - p) * (1 - q), p + q - 2 * p * q, (1 - p) * (1 - q)):
        assert not_probability(exact(form), both) == ""
    assert not_probability(exact(p / (p + q)), both) == ""
    assert "is not between 0 and 1 at" in not_probability(exact(p + q), both)
    assert "undeclared parameters: q" in not_probability(exact(p * q), [UNIT])
    assert not_probability(Fraction(3, 2), both) == "is not between 0 and 1"


@SOME
@given(
    st.dictionaries(
        st.tuples(*[st.integers(0, 2)] * 3), st.integers(-4, 4).filter(bool), min_size=1
    ),
    st.lists(st.integers(-2, 1), min_size=3, max_size=3),
)
def test_bernstein_signs_are_never_wrong(terms, lows):
    """Against all values on a grid of the box; a decided polynomial keeps its sign there."""
    box = [(Fraction(low), Fraction(low) + Fraction(3, 2)) for low in lows]
    grid = product(*([low + (high - low) * Fraction(k, 4) for k in range(5)] for low, high in box))
    seen = [sum(c * a**i * b**j * d**k for (i, j, k), c in terms.items()) for a, b, d in grid]
    found = sign_on_box([(powers, Fraction(c, 3)) for powers, c in terms.items()], box)
    if found is not None:
        assert all(value * found >= 0 for value in seen)
    if min(seen) < 0 < max(seen):
        assert found is None
    if len(terms) == 1 and all(low >= 0 for low in lows):
        assert found == (1 if next(iter(terms.values())) > 0 else -1)


def test_signs_of_numbers():
    assert [sign_over(Fraction(k), []) for k in (-2, 0, 3)] == [-1, 0, 1]
    assert violation(Fraction(-1), []) == {}
    assert violation(Fraction(0), []) is None
    assert zeros(Fraction(1, 2), UNIT) == []


def test_cells_and_samples():
    form = exact((p**2 - sympy.Rational(1, 2)) / (p - sympy.Rational(1, 4)))
    line = Line(UNIT)
    low, middle, high = samples(line.form(form), line)
    assert 0 < low < Fraction(1, 4) < middle < 1
    assert middle**2 < Fraction(1, 2) < high**2 < 1
    close = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**12)
    assert close[0] < between(*close) < close[1]
    assert between(Fraction(-1), Fraction(0)) == Fraction(-1, 2)


BOTH = [Parameter(name, 0, 1, includes_lower=True, includes_upper=True) for name in ("p", "q")]


def test_where_a_form_has_no_value_it_is_no_probability():
    """p/(p + q) is 0/0 at an end that belongs to the ranges, and fine without that end."""
    form = exact(p / (p + q))
    assert violation(form, BOTH) == {"p": 0, "q": 0}
    assert "is not between 0 and 1 at p = 0, q = 0" in not_probability(form, BOTH)
    assert not_probability(form, [UNIT, Parameter("q", 0, 1)]) == ""
    assert violation(exact(1 / p), BOTH[:1]) == {"p": 0}
    assert violation(exact(1 / p), [UNIT]) is None


def test_signs_at_an_irrational_point():
    """At 1/sqrt(2), where values are small: exact, not rounded to 0."""
    line = Line(UNIT)
    (root,) = line.roots(line.form(exact(p**2 - sympy.Rational(1, 2))).top)
    for form, sign in (
        (p - sympy.Rational(7, 10), 1),
        (p - sympy.Rational(71, 100), -1),
        (p * (p**2 - sympy.Rational(1, 2)), 0),
        (1 / (sympy.Rational(7, 10) - p), -1),
        (p**2 - sympy.Rational(49, 100), 1),
    ):
        assert line.sign_at(line.form(exact(form)), root) == sign


def test_signs_change_at_poles_too():
    form = exact(1 / (2 * p - 1))
    assert sign_over(form, [UNIT]) is None
    assert possible_signs(form, [UNIT]) == {-1, 1}
    assert possible_signs(exact(2 * p - 1), [UNIT]) == {-1, 0, 1}
    assert possible_signs(exact(p), [UNIT]) == {1}
    assert possible_signs(exact(p), BOTH[:1]) == {0, 1}
    assert possible_signs(exact((2 * p - 1) ** 2), [UNIT]) == {0, 1}


def test_intervals():
    half = Parameter("p", "1/2", 1, includes_upper=True, default="75%")
    assert (half.interval, str(half), half.default) == ("(1/2, 1]", "p in (1/2, 1]", Fraction(3, 4))
    assert Fraction(1) in half
    assert Fraction(1, 2) not in half
    assert Fraction(3, 4) in half
    assert Fraction(9, 8) not in half
    assert half.symbol == p
    with pytest.raises(ValueError, match="empty"):
        Parameter("p", 1, 1, includes_lower=True, includes_upper=True)
    with pytest.raises(ValueError, match=r"p = 1/2 is outside \(1/2, 1\)"):
        Parameter("p", Fraction(1, 2), Fraction(1), default=Fraction(1, 2))
    with pytest.raises(TypeError, match="floats"):
        Parameter("p", 0.5, 1)


def test_only_parameters_that_occur_are_free():
    other = Parameter("q", 0, 1)
    assert free_parameters([Fraction(1), exact(p + 1)], [other, UNIT]) == [UNIT]
    assert free_parameters([exact(p * q)], [other, UNIT]) == [other, UNIT]
    assert free_parameters([], [UNIT]) == []
