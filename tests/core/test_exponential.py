"""Numbers with exponentials: arithmetic, order and equality against 200 digits of mpmath."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import mpmath
import pytest
import sympy

from ppdm_formal.checker import Rejected
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.spelling import spell
from ppdm_formal.declare.arithmetic.enclosure import log_of, real_enclosure
from ppdm_formal.declare.arithmetic.exact import exact, is_symbolic, simplify, substitute, total
from ppdm_formal.declare.arithmetic.exponential import (
    ExpNumber,
    Ln,
    TooManyPowers,
    exp_of,
    from_terms,
)
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.arithmetic.logarithm import added, e_to, ln, scaled
from ppdm_formal.declare.arithmetic.people import number_words, share
from ppdm_formal.declare.arithmetic.spelling import number_text

E = exp_of(Fraction(1))
CLOSE = mpmath.mpf(10) ** -150


def random_terms(dice, size, bottoms):
    """Exponents of e with coefficients, not all 0 below the line."""
    return [
        (Fraction(dice.randint(0, 6), dice.choice(bottoms)), dice.randint(-9, 9) or 1)
        for _ in range(dice.randint(1, size))
    ]


def value_of(terms):
    """The same sum in 200 digits."""
    return mpmath.fsum(c * mpmath.exp(mpmath.mpf(q.numerator) / q.denominator) for q, c in terms)


def numbers(dice, count, bottoms=(1, 1, 2, 3, 10)):
    """Random numbers, each with its 200 digits."""
    found = []
    while len(found) < count:
        above, below = random_terms(dice, 4, bottoms), random_terms(dice, 3, bottoms)
        if not from_terms(below, [(Fraction(0), 1)]):
            continue
        found.append((from_terms(above, below), value_of(above) / value_of(below)))
    return found


def test_thousands_of_comparisons_agree_with_200_digits():
    dice = random.Random(13)
    with mpmath.workdps(200):
        pool = numbers(dice, 400)
        for _ in range(4000):
            (a, about_a), (b, about_b) = dice.choice(pool), dice.choice(pool)
            gap = about_a - about_b
            if abs(gap) < CLOSE:
                assert a == b
                assert a <= b <= a
            else:
                assert a != b
                assert (a < b, a <= b, a > b, a >= b) == (gap < 0, gap < 0, gap > 0, gap > 0)


def test_arithmetic_agrees_with_200_digits():
    dice = random.Random(14)
    with mpmath.workdps(200):
        pool = numbers(dice, 60)
        for _ in range(300):
            (a, about_a), (b, about_b) = dice.choice(pool), dice.choice(pool)
            found = [a + b, a - b, a * b, -a, abs(a), a**3]
            wanted = [about_a + about_b, about_a - about_b, about_a * about_b, -about_a]
            wanted += [abs(about_a), about_a**3]
            if b != 0:
                found.append(a / b)
                wanted.append(about_a / about_b)
            for number, about in zip(found, wanted, strict=True):
                ends = real_enclosure(number, 60)
                slack = mpmath.mpf(10) ** -50 * (1 + abs(about))
                low, high = (mpmath.mpf(e.numerator) / e.denominator for e in (ends.lo, ends.hi))
                assert low - slack <= about <= high + slack
                assert high - low <= slack
            assert math.floor(a) == int(mpmath.floor(about_a))


def test_the_checker_computes_the_same_numbers_by_itself():
    dice = random.Random(15)

    def spelled(number):
        return read_number(number_text(number))

    with mpmath.workdps(200):
        pool = [number for number, _ in numbers(dice, 80, [1, 1, 2])]
        for _ in range(300):
            a, b = dice.choice(pool), dice.choice(pool)
            mine, theirs = spelled(a), spelled(b)
            assert spell(mine + theirs) == number_text(a + b)
            assert spell(mine * theirs) == number_text(a * b)
            assert spell(mine - theirs) == number_text(a - b)
            if b != 0:
                assert spell(mine / theirs) == number_text(a / b)
            assert (mine < theirs, mine == theirs) == (a < b, a == b)


def test_equal_numbers_are_recognized_however_they_are_written():
    half, third = exp_of(Fraction(1, 2)), exp_of(Fraction(1, 3))
    assert half * half == E
    assert (E - 1) / (half - 1) == half + 1
    assert hash(third**3) == hash(E)
    assert E * exp_of(Fraction(-1)) == 1
    assert isinstance(E / E, Fraction)
    assert (E + 1) ** 2 - E * E - 2 * E == 1
    assert Fraction(2718281828459045, 10**15) != E
    assert len({E, third**3, half**2, Fraction(3)}) == 2


def test_neighbours_that_differ_after_a_thousand_digits_are_told_apart():
    near = real_enclosure(E, 1000)
    assert near.lo < E < near.hi
    assert Fraction(near.lo) < E
    assert E - near.lo < Fraction(1, 10**999)


def test_exponents_without_a_common_step_are_refused_where_they_would_fill_the_memory():
    assert exp_of(Fraction(234567, 100000)) > 10
    with pytest.raises(TooManyPowers):
        exp_of(Fraction(999983, 999979)) + E
    with pytest.raises(TooManyPowers):
        exp_of(Fraction(10**7))


def test_one_spelling():
    assert number_text(E / (E + 9)) == "exp(1)/(9 + exp(1))"
    assert number_text(1 / (1 - E)) == "-1/(-1 + exp(1))"
    assert number_text((1 + 2 * exp_of(Fraction(1, 2))) / 3) == "(1 + 2*exp(1/2))/3"
    assert number_text(1 / (2 * E)) == "1/(2*exp(1))"
    assert number_words(E**2) == "~7.389 (exp(2))"
    assert share(1 / E) == "~36.79% (1/exp(1))"


@pytest.mark.parametrize(
    "text", ["exp(2/2)", "exp(1) + 1", "exp(0)", "2*exp(1)/2", "1*exp(1)", "exp(1/0)", "exp(-1)"]
)
def test_the_checker_takes_one_spelling_only(text):
    with pytest.raises(Rejected):
        read_number(text)


def test_exponentials_among_closed_forms():
    p = sympy.Symbol("p", real=True)
    form = simplify(p * E / (E + exp_of(Fraction(1, 2))) + exp_of(Fraction(1, 2)))
    assert is_symbolic(form)
    half = exp_of(Fraction(1, 2))
    assert substitute(form, {"p": Fraction(1)}) == half / (half + 1) + half
    assert substitute(form, {"p": half}) == half * half / (half + 1) + half
    assert simplify(p * E - p * half * half + 1) == 1
    assert exact(E) is E
    assert total([(2, E), (1, Fraction(1, 2)), (-2, E)]) == Fraction(1, 2)


def test_logarithms_are_exact_where_they_can_be():
    assert ln(E**2) == 2
    assert log_of(E**2).is_exact
    assert ln(Fraction(3)) == Ln(Fraction(3))
    assert e_to(added(ln(Fraction(3)), Fraction(1))) == 3 * E
    assert scaled(ln(Fraction(9)), Fraction(1, 2)) == ln(Fraction(3))
    with pytest.raises(ValueError, match="root"):
        scaled(ln(Fraction(3)), Fraction(1, 2))
    with pytest.raises(ValueError, match="positive"):
        ln(1 - E)


def test_sums_of_logarithms_with_exponentials_are_compared_exactly():
    one = Fraction(1)
    product = LogSum.log((E + 1) * (E + 2))
    parts = LogSum.log(E + 1) + LogSum.log(E + 2)
    assert (product - parts).sign() == 0
    assert (product - parts).times(E).sign() == 0
    assert (product - parts + LogSum.of(Fraction(1, 10**40))).sign() == 1
    assert (LogSum.log(3 * E) - LogSum.log(Fraction(3)) - LogSum.of(one)).sign() == 0
    assert (LogSum.log(E + 1, "bit") - LogSum.of(one, "bit")).sign() == 1
    assert isinstance(E, ExpNumber)


def test_terms_that_cancel_are_enclosed_all_the_same():
    """(e^(3/7) - e^(1/5))^40 has terms up to 10^18 times its size."""
    number = (exp_of(Fraction(3, 7)) - exp_of(Fraction(1, 5))) ** 40
    low, high = number.between(64)
    with mpmath.workdps(80):
        true = (mpmath.exp(mpmath.mpf(3) / 7) - mpmath.exp(mpmath.mpf(1) / 5)) ** 40
        assert mpmath.mpf(low.numerator) / low.denominator <= true
        assert true <= mpmath.mpf(high.numerator) / high.denominator
    assert 0 < high - low < low / 2**60
