"""Envelopes: the largest of several closed forms, against their values at many points."""

from __future__ import annotations

from fractions import Fraction

import sympy
from core_strategies import FEW, p, q
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.envelope import envelope, pieces_text, rivals
from ppdm_formal.declare.arithmetic.exact import exact, substitute
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.signs import possible_signs

UNIT, SECOND = Parameter("p", 0, 1), Parameter("q", 0, 1)
FORMS = [
    exact(form)
    for form in (0, p, 1 - p, 2 * p - 1, 1 / (2 * p - 1), p**2 - sympy.Rational(1, 2), 1 / p)
]
PAIRS = [exact(form) for form in (0, 20 * p * q - 18, p - q, q - p, p * q, p / (p + q), 1 - p)]
GRID = [Fraction(k, 40) for k in range(1, 40)]


def at(form, **values):
    """A form's value; None at a pole."""
    try:
        return substitute(form, values)
    except ZeroDivisionError:
        return None


@FEW
@given(st.lists(st.sampled_from(FORMS), min_size=1, max_size=4))
def test_one_parameter_by_pieces(forms):
    """On every piece its form is the largest, wherever all have a value."""
    pieces = envelope([(form, k) for k, form in enumerate(forms)], [UNIT])
    for point in GRID:
        seen = [at(form, p=point) for form in forms]
        if None in seen:
            continue
        inside = [
            piece
            for piece in pieces
            if (piece.lower is None or piece.lower <= point)
            and (piece.upper is None or point <= piece.upper)
        ]
        assert inside
        for piece in inside:
            assert at(piece.value, p=point) == max(seen)
            assert forms[piece.witness] == piece.value


@FEW
@given(st.lists(st.sampled_from(PAIRS), min_size=1, max_size=4))
def test_several_parameters_keep_whatever_may_be_largest(forms):
    kept = [form for form, _ in rivals([(form, 0) for form in forms], [UNIT, SECOND])]
    for first in GRID[::2]:
        for second in (*GRID[::6], Fraction(39, 40)):
            values = {"p": first, "q": second}
            assert max(at(f, **values) for f in kept) == max(at(f, **values) for f in forms)


def test_a_form_that_leads_in_a_corner_is_kept():
    """20pq - 18 is above 0 only where both are near 1, between the points that are tried."""
    forms = [(exact(0), "zero"), (exact(20 * p * q - 18), "corner")]
    for order in (forms, forms[::-1]):
        assert {name for _, name in rivals(order, [UNIT, SECOND])} == {"zero", "corner"}
        assert pieces_text(envelope(order, [UNIT, SECOND]), [UNIT, SECOND]).startswith("max(")


def test_the_largest_changes_at_a_pole():
    """1/(2p - 1) passes from below 0 to above 0 without being 0."""
    pieces = envelope([(exact(0), 0), (exact(1 / (2 * p - 1)), 1)], [UNIT])
    assert [piece.witness for piece in pieces] == [0, 1]
    assert (pieces[0].upper, pieces[1].lower) == (Fraction(1, 2), Fraction(1, 2))
    assert pieces_text(pieces, [UNIT]) == "0 if p <= 1/2, -1/(1 - 2*p) if p >= 1/2"


def test_what_is_nowhere_above_another_is_left_out():
    small, large = (exact(p * q), 0), (exact(p), 1)
    assert rivals([small, large], [UNIT, SECOND]) == [large]
    assert rivals([large, small, large], [UNIT, SECOND]) == [large]


def test_the_signs_that_a_form_takes():
    """Exactly for one parameter; for several, 0 may be among them without being reached."""
    half = sympy.Rational(1, 2)
    for form, signs in (
        (p, {1}),
        (1 - p, {1}),
        (p - 1, {-1}),
        ((p - half) ** 2, {0, 1}),
        (p - half, {-1, 0, 1}),
        (p * q, {0, 1}),
        (p - q, {-1, 0, 1}),
    ):
        assert possible_signs(exact(form), [UNIT, SECOND]) == signs
