"""Changes of sign in the Bernstein basis: enclosed coefficients say what exact ones do."""

from __future__ import annotations

import random
from fractions import Fraction as F

from ppdm_formal.checker.exponential import e_to
from ppdm_formal.checker.interval import bernstein, enclosed_bernstein, sign_changes


def value(coefficients, x):
    return sum((c * x**k for k, c in enumerate(coefficients)), F(0))


def test_enclosed_coefficients_have_the_signs_of_the_exact_ones():
    dice = random.Random(8)
    shown = 0
    for _ in range(60):
        polynomial = [
            F(dice.randint(-9, 9), dice.randint(1, 5))
            + e_to(F(dice.randint(1, 9), dice.randint(1, 4))) * F(dice.randint(-5, 5), 3)
            for _ in range(dice.randint(2, 5))
        ]
        low, width = F(dice.randint(-9, 9), 4), F(dice.randint(1, 9), 3)
        exact = bernstein(polynomial, low, width)
        assert (exact[0] > 0) == (value(polynomial, low) > 0)
        assert (exact[-1] > 0) == (value(polynomial, low + width) > 0)
        enclosed = enclosed_bernstein(polynomial, low, width)
        shown += bool(enclosed)
        if enclosed:
            assert [c > 0 for c in enclosed] == [bool(c > 0) for c in exact]
    assert shown > 40


def test_what_no_digits_show_is_decided_exactly():
    e = e_to(F(1))
    touching = [e * 2, e * -3, e]  # e (x - 1)(x - 2)
    assert enclosed_bernstein(touching, F(1), F(1)) == []
    assert sign_changes(touching, F(1), F(2)) == 2  # both ends
    near = [e - F(1, 10**90), -e]  # its root is 10^-90/e below 1, more than 256 bits
    assert enclosed_bernstein(near, F(0), F(1)) == []
    assert sign_changes(near, F(0), F(1)) == 1
    assert sign_changes([e + F(1, 10**90), -e], F(0), F(1)) == 0
