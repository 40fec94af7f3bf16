"""Natural logarithms of numbers, where an epsilon is meant: sums, multiples, and words for them.

Budgets are added and scaled, and what is computed with is e^epsilon: so ln(a) + ln(b) = ln(a b),
ln(a) + q = ln(a e^q) and n ln(a) = ln(a^n) stay in the field of rational functions of e^(1/d).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.decimals import decimal_text, nearest
from ppdm_formal.declare.arithmetic.enclosure import log_of
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Ln, Real, exp_of
from ppdm_formal.declare.arithmetic.people import number_words
from ppdm_formal.declare.arithmetic.spelling import number_text

_BESIDE = 40
"""Longest logarithm that is written beside its decimal."""


Exponent: TypeAlias = Fraction | Ln
"""An epsilon: what e^ is taken of."""


def ln(value: Real) -> Exponent:
    """The natural logarithm; rational for powers of e.

    >>> str(ln(Fraction(3))), ln(exp_of(Fraction(2))), str(added(ln(Fraction(3)), Fraction(1)))
    ('ln(3)', Fraction(2, 1), 'ln(3*exp(1))')
    """
    if value <= 0:
        raise ValueError(f"ln({number_text(value)}): a logarithm is taken of positive numbers")
    power = value.power() if isinstance(value, ExpNumber) else (value, Fraction(0))
    if power is not None and power[0] == 1:
        return power[1]
    return Ln(value)


def e_to(exponent: Exponent) -> Real:
    """e^exponent."""
    return exponent.of if isinstance(exponent, Ln) else exp_of(exponent)


def added(first: Exponent, second: Exponent) -> Exponent:
    """The sum."""
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first + second
    return ln(e_to(first) * e_to(second))


def scaled(exponent: Exponent, factor: Fraction) -> Exponent:
    """A multiple; ValueError where e^ of it would be no such number (3^(1/2))."""
    if isinstance(exponent, Fraction):
        return exponent * factor
    base = exponent.of
    if factor.denominator > 1:
        found = _root(base, factor.denominator)
        if found is None:
            raise ValueError(
                f"{number_text(factor)} * {exponent}: e^ of it would be a root of "
                f"{number_text(base)}, which is not rational"
            )
        base = found
    return ln(base**factor.numerator)


def exponent_words(exponent: Exponent) -> str:
    """As people read it: 1/2, ~1.099 (ln(3)).

    >>> exponent_words(ln(Fraction(3))), exponent_words(Fraction(2))
    ('~1.099 (ln(3))', '2')
    """
    if isinstance(exponent, Fraction):
        return number_words(exponent)
    low = log_of(exponent.of, digits=30).lo
    shown = number_text(exponent)
    about = f"~{decimal_text(nearest(low, 4))}"
    return f"{about} ({shown})" if len(shown) <= _BESIDE else about


def _root(value: Real, degree: int) -> Real | None:
    """The root of a number c e^q, where that of c is rational."""
    c, q = (value, Fraction(0)) if isinstance(value, Fraction) else value.power() or (None, None)
    if c is None or q is None:
        return None
    parts = [_whole_root(part, degree) for part in c.as_integer_ratio()]
    if None in parts:
        return None
    return Fraction(*parts) * exp_of(q / degree)  # type: ignore[arg-type]


def _whole_root(value: int, degree: int) -> int | None:
    from flint import fmpz

    found = int(fmpz(value).root(degree)) if value.bit_length() >= degree else 1
    return found if found**degree == value else None
