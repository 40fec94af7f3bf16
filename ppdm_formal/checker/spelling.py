"""Numbers in text: the one spelling that each has."""

from __future__ import annotations

import re
from typing import Any

from .exponential import Exponential
from .limits import LEAST_HEXADECIMAL
from .result import need


def spell_integer(number: int) -> str:
    """Decimal digits; hexadecimal from 4000 on."""
    return str(number) if abs(number) < LEAST_HEXADECIMAL else hex(number)


def spell_exponential(number: Exponential) -> str:
    """Numerator over denominator, in rising powers: (1 + 2*exp(1/2))/(9 + exp(1))."""
    shown = []
    for part in (number.top, number.bottom):
        said, terms = "", 0
        for terms, (i, c) in enumerate(part, 1):
            power = f"exp({spell(i * number.step)})" if i else ""
            size = spell_integer(abs(c))
            word = power if power and size == "1" else "*".join(filter(None, (size, power)))
            said += ((" - " if c < 0 else " + ") if terms > 1 else "-" * (c < 0)) + word
        shown.append((said, terms))
    (over, terms), (under, below) = shown
    if under == "1":
        return over
    single = below == 1 and "*" not in under
    return f"{over if terms == 1 else f'({over})'}/{under if single else f'({under})'}"


def spell(number: Any) -> str:
    """A number as it must be written."""
    if type(number) is Exponential:
        return spell_exponential(number)
    top = spell_integer(number.numerator)
    return top if number.denominator == 1 else f"{top}/{spell_integer(number.denominator)}"


def read_integer(text: str, longest: int) -> int:
    """An integer text; what is not canonical is found out when it is spelled again."""
    good = len(text) <= longest and re.fullmatch(r"-?(?:[0-9]{1,3999}|0x[0-9a-f]+)", text)
    need(good, f"{ascii(text)[:40]} is not a number in text")
    return int(text, 16 if "x" in text else 10)
