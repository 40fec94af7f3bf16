"""Decimals: rounding to significant digits, and fractions that end as decimals, in text.

Nothing here stops at Python's limit of 4,300 digits for the text of an integer.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.exponential import Real

_LONGEST_PLAIN = 30
_PYTHON_BITS = 14_000


def digits_of(value: int) -> str:
    """The decimal digits of an integer, also past Python's limit."""
    if value.bit_length() < _PYTHON_BITS:
        return str(value)
    from flint import fmpz

    return str(fmpz(value))


def round_to(value: Real, digits: int, *, up: bool) -> Fraction:
    """Round to so many significant decimal digits, up or down."""
    if value == 0:
        return Fraction(0)
    unit = Fraction(10) ** (order_of(value) - digits + 1)
    return (math.ceil(value / unit) if up else math.floor(value / unit)) * unit


def order_of(value: Real) -> int:
    """The power of ten at which a number other than 0 starts: 10^order <= |value| < 10^(order+1).

    >>> order_of(Fraction(-999)), order_of(Fraction(1, 1000))
    (2, -3)
    """
    size: Any = abs(value)
    near = value if isinstance(value, Fraction) else value.between(64)[0]
    order = (near.numerator.bit_length() - near.denominator.bit_length()) * 30103 // 100_000
    while Fraction(10) ** order > size:
        order -= 1
    while Fraction(10) ** (order + 1) <= size:
        order += 1
    return order


def nearest(value: Real, digits: int) -> Fraction:
    """Round to so many significant decimal digits, to the nearest, upward from the middle."""
    down, up = round_to(value, digits, up=False), round_to(value, digits, up=True)
    return up if up - value <= value - down else down


def decimal_text(value: Fraction, digits: int = 1) -> str:
    """A fraction that ends as a decimal (its denominator divides a power of ten), in text.

    At least `digits` significant digits are written; very large and small numbers as 1.5e-40.
    """
    if value == 0:
        return "0"
    places = 0
    rest = value.denominator
    while rest > 1:
        rest //= math.gcd(rest, 10)
        places += 1
        if math.gcd(rest, 10) == 1 and rest > 1:
            raise ValueError("a fraction that does not end as a decimal")
    spelled = digits_of(abs(value.numerator) * 10**places // value.denominator)
    if places == 0:
        bare = spelled.rstrip("0")
        spelled, places = bare, len(bare) - len(spelled)
    if len(spelled) < digits:
        places += digits - len(spelled)
        spelled = spelled.ljust(digits, "0")
    sign = "-" if value < 0 else ""
    order = len(spelled) - 1 - places
    if abs(order) > _LONGEST_PLAIN:
        tail = f".{spelled[1:]}" if len(spelled) > 1 else ""
        return f"{sign}{spelled[0]}{tail}e{order}"
    if places <= 0:
        return sign + spelled + "0" * -places
    spelled = spelled.rjust(places + 1, "0")
    return f"{sign}{spelled[:-places]}.{spelled[-places:]}"
