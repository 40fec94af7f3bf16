"""Numbers as people read them: percent, decimals and counts, short, and never flattering.

To the nearest and with ~ where a number is only shown; outward where it is a bound: an upper
bound up, a lower bound down, a belief away from the one before. Numbers of any length.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ppdm_formal.declare.arithmetic.decimals import decimal_text, nearest, order_of, round_to
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import Exact, is_rational, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.arithmetic.spelling import LARGEST_PLAIN, count_json, number_text
from ppdm_formal.declare.arithmetic.value import Infinity, Measured

_BESIDE = 40
"""Longest fraction that is written beside its decimal."""

_MOST_DIGITS = 10


def show_count(count: int, *, separated: bool = False) -> str:
    """A count as people read it: digits up to 10^15, then the nearest power of two.

    >>> show_count(1001), show_count(2**1000), show_count(2**1000 - 1)
    ('1001', '2^1000', 'about 2^1000')
    >>> show_count(1001, separated=True)
    '1,001'
    """
    if count <= LARGEST_PLAIN:
        return f"{count:,}" if separated else str(count)
    power = (count * count).bit_length() // 2
    return f"2^{power}" if count == 1 << power else f"about 2^{power}"


def exact_within(value: Real, width: int) -> str | None:
    """The exact number where it has at most so many characters, otherwise None.

    >>> exact_within(Fraction(-1, 3), 4), exact_within(Fraction(10) ** 9000, 4)
    ('-1/3', None)
    """
    if isinstance(value, Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > 4 * width:
            return None
    elif value.bits > 100 * width:
        return None
    shown = number_text(value)
    return shown if len(shown) <= width else None


def brief(value: Real, width: int = _BESIDE, digits: int = 6) -> str:
    """The exact number where it is at most so long, otherwise so many digits of its decimal.

    >>> brief(Fraction(1, 3)), brief(Fraction(1, 3), 2)
    ('1/3', '~0.333333')
    """
    return exact_within(value, width) or rounded(value, digits)


def said(value: Exact, width: int = 1000) -> str:
    """A number in a message: exact as long as it can be read, a few digits otherwise.

    >>> said(Fraction(999, 1000)), said(1 + Fraction(1, 10**5000))
    ('999/1000', '~1 (a fraction of 5,001 digits)')
    """
    if is_symbolic(value):
        return number_text(value)
    exact = exact_within(value, width)
    if exact is not None:
        return exact
    if not is_rational(value):
        return f"~{_general(value, 3)} (with exponentials)"
    digits = 1 + max(order_of(Fraction(part)) for part in value.as_integer_ratio())
    what = "an integer" if value.denominator == 1 else "a fraction"
    return f"~{_general(value, 3)} ({what} of {digits:,} digits)"


def percent(value: Real, digits: int = 2) -> str:
    """A probability in percent, to the nearest; exact ones without ~.

    >>> percent(Fraction(1, 100)), percent(Fraction(250, 349))
    ('1%', '~71.63%')
    """
    scaled = value * 100 * 10**digits
    closest = round(scaled)
    shown = decimal_text(Fraction(closest, 10**digits))
    if closest == scaled:
        return f"{shown}%"
    if closest == 0:
        return f"<{decimal_text(Fraction(1, 10**digits))}%"
    if Fraction(closest, 10**digits) == 100:
        return f">{decimal_text(100 - Fraction(1, 10**digits))}%"
    return f"~{shown}%"


def percent_toward(value: Real, digits: int = 2, *, up: bool) -> Fraction:
    """The percentage rounded to so many places: not below the value (up), or not above it."""
    scaled = value * 100 * 10**digits
    return Fraction(math.ceil(scaled) if up else math.floor(scaled), 10**digits)


def bound_percent(value: Real, *, up: bool) -> str:
    """A bound in percent, rounded outward, with digits enough to tell it from 0% and from 100%.

    >>> bound_percent(Fraction(1, 531442), up=False), bound_percent(Fraction(601, 1204), up=True)
    ('0.0001%', '49.92%')
    """
    return f"{decimal_text(_outward(value, up=up))}%"


def about_bound(value: Real, *, up: bool) -> str:
    """The same, with ~ where the bound was rounded.

    >>> about_bound(Fraction(1, 4), up=True), about_bound(Fraction(1, 7), up=True)
    ('25%', '~14.29%')
    """
    shown = _outward(value, up=up)
    return f"{'' if shown == value * 100 else '~'}{decimal_text(shown)}%"


def bound_share(value: Real, *, up: bool) -> str:
    """The same, with the exact fraction beside it.

    >>> bound_share(Fraction(201, 1403), up=False)
    '~14.32% (201/1403)'
    """
    return _beside(about_bound(value, up=up), value)


def _beside(shown: str, value: Real) -> str:
    exact = exact_within(value, _BESIDE)
    return shown if _whole(value) or exact is None else f"{shown} ({exact})"


def _whole(value: Real) -> bool:
    return isinstance(value, Fraction) and value.denominator == 1


def _outward(value: Real, *, up: bool) -> Fraction:
    for digits in range(2, _MOST_DIGITS):
        shown = percent_toward(value, digits, up=up)
        if shown != (100 if up else 0) or value in (0, 1):
            break
    return shown


def share(value: Real | str) -> str:
    """A probability, the decimal first and the exact fraction beside it.

    >>> share("1/7"), share(Fraction(1))
    ('~14.29% (1/7)', '100%')
    """
    number = Fraction(value) if isinstance(value, str) else value
    if number in (0, 1):
        return percent(number)
    exact = exact_within(number, _BESIDE)
    return percent(number, 6) if exact is None else f"{percent(number)} ({exact})"


def moved(before: Real, after: Real) -> str:
    """A belief after a report in percent, rounded away from the belief before.

    >>> moved(Fraction(1, 100), Fraction(250, 349)), moved(Fraction(1, 100), Fraction(1))
    ('~71.64%', '100%')
    """
    return percent(after) if after == before else about_bound(after, up=after > before)


def moved_share(before: Real, after: Real) -> str:
    """The same with the exact fraction beside it."""
    return _beside(moved(before, after), after)


def short(value: Exact, width: int = 24) -> str:
    """An exact number, with a decimal beside it where the fraction says little; cut if very long.

    >>> short(Fraction(1202, 201)), short(Fraction(250)), short(Fraction(10) ** 5000 / 7)
    ('1202/201 (~5.98)', '250', '~1.43e+4999')
    """
    if is_symbolic(value):
        return number_text(value)
    exact = exact_within(value, width)
    if exact is not None and _whole(value):
        return exact
    about = _general(value, 3)
    return f"~{about}" if exact is None else f"{exact} (~{about})"


def _general(value: Real, digits: int) -> str:
    """So many significant digits at most, as Python's format "g" writes them."""
    shown = nearest(value, digits)
    order = order_of(shown)
    if -5 < order < digits:
        return decimal_text(shown)
    tail = decimal_text(shown / Fraction(10) ** order)
    return f"{tail}e{'-' if order < 0 else '+'}{abs(order):02}"


def rounded(value: Real, digits: int = 6) -> str:
    """Decimal digits to the nearest, with ~ where more would follow.

    >>> rounded(Fraction(1, 4)), rounded(Fraction(250, 349))
    ('0.25', '~0.716332')
    """
    shown = nearest(value, digits)
    return f"{'' if shown == value else '~'}{decimal_text(shown)}"


def number_words(value: Real) -> str:
    """A number that is no probability, the decimal first.

    >>> number_words(Fraction(1202, 201)), number_words(Fraction(6))
    ('~5.98 (1202/201)', '6')
    """
    about = rounded(value, 4)
    exact = exact_within(value, _BESIDE)
    return about if exact is None or nearest(value, 4) == value else f"{about} ({exact})"


def fraction_words(value: Real, width: int = 24) -> str:
    """The fraction and its decimal, or the decimal alone where the fraction is long.

    >>> fraction_words(Fraction(1, 4)), fraction_words(Fraction(1, 3))
    ('1/4 = 0.25', '1/3 (~0.333333)')
    """
    exact, about = exact_within(value, width), rounded(value)
    if exact is None:
        return about
    if _whole(value):
        return exact
    return f"{exact} = {about}" if nearest(value, 6) == value else f"{exact} ({about})"


def at_most(value: Measured, digits: int = 4) -> str:
    """A measure's value, rounded up to so many significant digits.

    >>> at_most(Fraction(1, 3)), at_most(Enclosure(Fraction(1), Fraction(10, 9)))
    ('0.3334', '1.112')
    """
    if isinstance(value, Infinity):
        return "infinity"
    top = value.hi if isinstance(value, Enclosure) else value
    return decimal_text(round_to(top, digits, up=True))


def rounded_float(value: float, digits: int = 3, *, up: bool) -> str:
    """A float to so many significant digits, not below it (up) or not above it.

    >>> rounded_float(0.0012345, up=True), rounded_float(7.2389e-9, up=False)
    ('0.00124', '7.23e-09')
    """
    if value in (0, math.inf):
        return "0" if value == 0 else "infinity"
    return f"{float(round_to(Fraction(value), digits, up=up)):.{digits}g}"


def brief_count(number: int) -> int | str:
    """A count in JSON: text above 10^15, and a power of two where its digits would help nobody."""
    return count_json(number) if number < 10**100 else show_count(number)
