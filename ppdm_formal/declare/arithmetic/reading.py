"""Numbers read back from files, in the one spelling that spelling.py gives them.

"num/den" in lowest terms, hexadecimal where it is very long, "(1 + 2*exp(1/2))/(9 + exp(1))",
and exponents: those, "ln(3)", or multiples of a free parameter, "3*eps/2".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exponential import Ln, Real, from_terms
from ppdm_formal.declare.arithmetic.logarithm import Exponent, ln
from ppdm_formal.declare.arithmetic.parameter import FreeLn, Parameter
from ppdm_formal.declare.arithmetic.spelling import number_text

_TERM = re.compile(
    r"(?:(?P<c>\d+|0x[0-9a-f]+)\*)?exp\((?P<q>\d+(?:/\d+)?)\)|(?P<n>\d+|0x[0-9a-f]+)"
)

LONGEST = 100_000
"""Characters of a number with exponentials."""


def read_real(text: str) -> Real:
    """A number; ValueError where it is not written as it would be written here.

    >>> read_real("(1 + 2*exp(1/2))/(9 + exp(1))") > Fraction(1, 3), read_real("1/3")
    (True, Fraction(1, 3))
    """
    if "exp(" not in text:
        top, _, bottom = text.partition("/")
        return Fraction(int(top, 0), int(bottom or "1", 0))
    if len(text) > LONGEST:
        raise ValueError("a number with exponentials that is too long")
    sides = _sides(text)
    found = from_terms(_terms(sides[0]), _terms(sides[1]))
    if number_text(found) != text:
        raise ValueError(f"{text[:60]} is not a number as files hold it")
    return found


def read_exponent(text: str, free: Iterable[Parameter] = ()) -> Exponent:
    """An epsilon: a rational, the logarithm of a number, or a multiple of a free parameter's."""
    for parameter in free:
        match = re.fullmatch(rf"(?:(\d+)\*)?{re.escape(parameter.told.name)}(?:/(\d+))?", text)
        if match is not None and parameter.of is not None:
            top, bottom = (int(part or 1) for part in match.groups())
            return FreeLn.multiple(parameter, Fraction(top, bottom))
    try:
        found = ln(read_real(text[3:-1])) if text.startswith("ln(") else read_real(text)
    except ValueError:
        found = None
    if not isinstance(found, Fraction | Ln) or number_text(found) != text:
        raise ValueError(f"{text[:60]} is not an epsilon as files hold it")
    return found


def _sides(text: str) -> tuple[str, str]:
    """What is above and below the line, without parentheses around it."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "/" and depth == 0:
            return _bare(text[:place]), _bare(text[place + 1 :])
    return _bare(text), "1"


def _bare(side: str) -> str:
    return side[1:-1] if side.startswith("(") and side.endswith(")") else side


def _terms(side: str) -> list[tuple[Fraction, int]]:
    signed = side.replace(" - ", " + -").split(" + ")
    found = []
    for part in signed:
        sign, bare = (-1, part[1:]) if part.startswith("-") else (1, part)
        match = _TERM.fullmatch(bare)
        if match is None:
            raise ValueError(f"{side[:60]} is not a sum of powers of e")
        if match["n"]:
            found.append((Fraction(0), sign * int(match["n"], 0)))
        else:
            found.append((Fraction(match["q"]), sign * int(match["c"] or "1", 0)))
    return found
