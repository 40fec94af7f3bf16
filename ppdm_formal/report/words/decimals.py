"""Decimals for people: short, and rounded so that they never flatter."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.numbers.enclosure import decimal_text, round_to
from ppdm_formal.numbers.exact import Exact, is_symbolic, text
from ppdm_formal.report.words.visible import clean

__all__ = ["clean", "decimal", "percent", "rounded", "short"]


def percent(value: Fraction, digits: int = 2) -> str:
    """A probability in percent, to the nearest; exact ones without ~.

    >>> percent(Fraction(1, 100)), percent(Fraction(250, 349))
    ('1%', '~71.63%')
    """
    scaled = value * 100 * 10**digits
    rounded = round(scaled)
    shown = decimal(Fraction(rounded, 10**digits))
    if rounded == scaled:
        return f"{shown}%"
    if rounded == 0:
        return f"<{decimal(Fraction(1, 10**digits))}%"
    if Fraction(rounded, 10**digits) == 100:
        return f">{decimal(100 - Fraction(1, 10**digits))}%"
    return f"~{shown}%"


def decimal(value: Fraction) -> str:
    """A decimal fraction that ends, written out."""
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    digits = ""
    while rest and len(digits) < 30:
        digit, rest = divmod(rest * 10, 1)
        digits += str(int(digit))
    return f"{sign}{int(whole)}" + (f".{digits}" if digits else "")


def short(value: Exact, width: int = 24) -> str:
    """An exact number, with a decimal beside it where the fraction says little; cut if very long.

    >>> short(Fraction(1202, 201)), short(Fraction(250))
    ('1202/201 (~5.98)', '250')
    """
    if is_symbolic(value):
        return text(value)
    if value.denominator == 1 and len(str(value)) <= width:
        return str(value)
    shown = str(value)
    about = f"{float(value):.3g}" if abs(value) < 10**300 else "very large"
    return f"{shown} (~{about})" if len(shown) <= width else f"~{about}"


def rounded(value: Fraction, digits: int = 6) -> str:
    """Decimal digits to the nearest, with ~ where more would follow.

    >>> rounded(Fraction(1, 4)), rounded(Fraction(250, 349))
    ('0.25', '~0.716332')
    """
    down = round_to(value, digits, up=False)
    if down == value:
        return decimal_text(value)
    up = round_to(value, digits, up=True)
    return "~" + decimal_text(up if up - value <= value - down else down)
