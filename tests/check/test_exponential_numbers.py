"""The checker's numbers with exponentials against the package's, which are FLINT's polynomials."""

from __future__ import annotations

import operator
import random
from fractions import Fraction as F

import pytest

from ppdm_formal.checker.exponential import e_to, total_of
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.result import Rejected
from ppdm_formal.checker.spelling import read_integer, spell, spell_integer
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.spelling import number_text

OPERATIONS = (operator.add, operator.sub, operator.mul, operator.truediv)


@pytest.mark.parametrize("bottoms", [(1, 2, 3), (1, 700), (999,)])
def test_random_arithmetic_gives_one_spelling_and_one_order(bottoms):
    """Quotients of quotients, so that common factors come up; steps with high powers among them."""
    rng = random.Random(len(bottoms))
    for _ in range(120):
        pool = []
        for _ in range(5):
            q = F(rng.randint(-6, 6), rng.choice(bottoms))
            c = F(rng.randint(-4, 4), rng.randint(1, 4))
            pool.append((exp_of(q) * c, e_to(q) * c if c else F(0)))
        for _ in range(6):
            (a, x), (b, y) = rng.choice(pool), rng.choice(pool)
            combine = rng.choice(OPERATIONS)
            if combine is operator.truediv and not b:
                continue
            ours, theirs = combine(a, b), combine(x, y)
            assert number_text(ours) == spell(theirs)
            assert (ours < a, ours == a) == (theirs < x, theirs == x)
            pool.append((ours, theirs))


def test_common_factors_of_high_powers_are_found():
    t, high = e_to(F(1, 1000)), e_to(F(19))
    one = (1 + t) * (2 * high + 3)
    assert spell(one / (1 + t)) == "3 + 2*exp(19)"
    assert spell((one * one) / (one * (1 + t))) == "3 + 2*exp(19)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(1 + exp(1/999983))/(1 + exp(3))", "powers of e|lowest terms"),
        ("1 + exp(6000)", "a power of e above 5000"),
    ],
)
def test_numbers_that_would_take_long_are_rejected(text, says):
    with pytest.raises(Rejected, match=says):
        read_number(text)


def test_sums_in_any_order_are_one_number():
    """Denominators c t^k apart, others, and rational numbers; a row's chances sum to 1."""
    rng = random.Random(8)
    for _ in range(40):
        pairs = []
        for _ in range(7):
            q, r = (F(rng.randint(-6, 6), rng.choice((1, 2, 8))) for _ in range(2))
            over, under = rng.randint(1, 6), rng.randint(1, 3)
            scale = rng.choice((1, 2, 3))
            pairs.append(
                (
                    exp_of(q) * over / (scale * (exp_of(r) + under)),
                    e_to(q) * over / (scale * (e_to(r) + under)),
                )
            )
        pairs.append((F(1, 3), F(1, 3)))
        ours = sum((ours for ours, _ in pairs), F(0))
        assert spell(total_of(theirs for _, theirs in pairs)) == number_text(ours)
    row = [e_to(-F(abs(x), 8)) for x in range(-3, 12)]
    assert total_of(cell / total_of(row) for cell in row) == 1
    assert total_of([F(1, 3), F(1, 6)]) == F(1, 2)
    assert total_of([]) == 0


@pytest.mark.parametrize(("sign", "power"), [(1, 0), (-1, 1), (1, 3998), (1, 4000), (-1, 6000)])
def test_integers_are_read_as_they_are_spelled_beyond_4000_digits_too(sign, power):
    number = sign * (10**power + 1)
    text = spell_integer(number)
    assert text.lstrip("-").startswith("0x") == (abs(number) >= 10**3999)
    assert read_integer(text, 100_000) == number
