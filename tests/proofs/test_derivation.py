"""Derivations: polynomials against sympy, and steps that prove nothing are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.certify.statement import DerivationStep, Lemma, derive, reals
from ppdm_formal.certify.statement.derivation import polynomial

x, y, z = reals("x y z")
NAMES = {"x": x, "y": y, "z": z}


@st.composite
def terms(draw, depth=4):
    """A term beside the same expression in sympy."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        if draw(st.booleans()):
            value = draw(st.integers(-3, 3))
            return x * 0 + value, sympy.Integer(value)
        name = draw(st.sampled_from(sorted(NAMES)))
        return NAMES[name], sympy.Symbol(name)
    (one, first), (two, second) = draw(terms(depth - 1)), draw(terms(depth - 1))
    return draw(
        st.sampled_from(
            [(one + two, first + second), (one - two, first - second), (one * two, first * second)]
        )
    )


@given(terms())
def test_terms_are_multiplied_out_as_sympy_does(pair):
    term, expression = pair
    symbols = [sympy.Symbol(name) for name in sorted(NAMES)]
    expected = {
        tuple((str(s), e) for s, e in zip(symbols, powers, strict=True) if e): Fraction(int(c))
        for powers, c in sympy.Poly(expression, *symbols).terms()
        if c
    }
    assert polynomial(term) == expected


PRODUCT = Lemma("product", (x >= 0, y >= 0), x * y >= 0)
EQUATION = Lemma("equation", (x == y, z > 0), x * z <= y * z)
SQUARE = Lemma("square", (), x * x + y * y >= 2 * x * y)
STRICT = Lemma("strict", (x > 0, y > 0, z >= 0), x * y + z > 0)


def test_what_adds_up_is_proved():
    proofs = {
        PRODUCT: [DerivationStep((0, 1))],
        EQUATION: [DerivationStep((0,), factor=z)],
        SQUARE: [DerivationStep(squares=(x - y,))],
        STRICT: [DerivationStep((0, 1)), DerivationStep((2,))],
    }
    assert derive(proofs).kind == "proved"
    assert derive(proofs).trust == "re-checked exactly"


@pytest.mark.parametrize(
    ("lemma", "steps", "why"),
    [
        (PRODUCT, [DerivationStep((0,))], "add up"),
        (PRODUCT, [], "add up"),
        (PRODUCT, [DerivationStep((0, 1), coefficient=-1)], "negative"),
        (Lemma("false", (x >= 0,), x * y >= 0), [DerivationStep((0,), factor=y)], "unknown sign"),
        (Lemma("false", (x <= y,), x == y), [DerivationStep((0,))], "equations alone"),
        (Lemma("false", (x >= 0,), x > 0), [DerivationStep((0,))], "strict"),
        (Lemma("false", (x >= 0, y > 0), x * y > 0), [DerivationStep((0, 1))], "strict"),
        (Lemma("false", (x > 0,), x * y * y > 0), [DerivationStep((0,), squares=(y,))], "strict"),
        (Lemma("shape", ((x >= 0) | (y >= 0),), x >= 0), [DerivationStep((0,))], "no comparison"),
        (Lemma("shape", (x >= 0,), (x >= 0) | (y >= 0)), [DerivationStep((0,))], "comparison"),
    ],
)
def test_what_proves_nothing_is_not_called_proved(lemma, steps, why):
    found = derive({lemma: steps})
    assert found.kind == "unknown"
    assert why in found.detail
