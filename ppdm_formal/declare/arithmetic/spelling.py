"""Numbers as files hold them, each with one spelling: "num/den", closed forms, counts.

What certificates, JSON and plans write is read back by others, so it is exact, in lowest terms
and never limited in length. How numbers are shown to people: people.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from ppdm_formal.declare.arithmetic.exact import Exact, exact, is_number
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Ln

LARGEST_PLAIN = 10**15
"""Integers above are written as text, so that no JSON reader rounds them."""

LONGEST_DECIMAL = 10**3999
"""Integers from here on are written in hexadecimal: Python limits the length of decimals."""


def integer_text(value: int) -> str:
    """Decimal digits; hexadecimal where there would be thousands."""
    return str(value) if abs(value) < LONGEST_DECIMAL else hex(value)


def number_text(value: Exact | Ln | int) -> str:
    """Text "num/den" in lowest terms, "3", or the closed form of a symbolic value.

    Each factor of a closed form starts with a positive term where it can: p/(1 - p), not
    -p/(p - 1). Exponentials stand in rising powers: (1 + 2*exp(1/2))/(9 + exp(1)).
    """
    if isinstance(value, ExpNumber):
        return _exponential_text(value)
    if isinstance(value, Ln):
        return value.text
    if not isinstance(value, Fraction | int):
        return _arranged(value).text()
    top = integer_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{integer_text(value.denominator)}"


def exp_text(exponent: Fraction, name: str = "") -> str:
    """A power of e: exp(1/2), exp(eps), exp(3*eps/2)."""
    top, bottom = exponent.numerator, exponent.denominator
    over = "" if bottom == 1 else f"/{bottom}"
    if not name:
        return f"exp({top}{over})"
    factor = {1: "", -1: "-"}.get(top, f"{top}*")
    return f"exp({factor}{name}{over})"


def _exponential_text(value: ExpNumber) -> str:
    """Numerator over denominator, each in rising powers of e."""
    above, below = value.terms()
    over = _powers_text(above)
    if below == [(Fraction(0), 1)]:
        return over
    under = _powers_text(below)
    single = len(below) == 1 and (below[0][0] == 0 or below[0][1] == 1)
    return f"{over if len(above) == 1 else f'({over})'}/{under if single else f'({under})'}"


def _powers_text(terms: list[tuple[Fraction, int]]) -> str:
    shown = ""
    for exponent, coefficient in terms:
        size = integer_text(abs(coefficient))
        if exponent:
            size = exp_text(exponent) if size == "1" else f"{size}*{exp_text(exponent)}"
        minus = coefficient < 0
        joint = (" - " if minus else " + ") if shown else "-" * minus
        shown += joint + size
    return shown


def count_json(value: int) -> int | str:
    """A JSON integer, or text above 10^15."""
    return value if value <= LARGEST_PLAIN else integer_text(value)


@lru_cache(256)
def form_text(form: Any) -> str:
    """A closed form that may have logarithms (log2 for bits, ln for nats) and maxima."""
    import sympy

    if isinstance(form, sympy.Max):
        return "max(" + ", ".join(sorted(form_text(part) for part in form.args)) + ")"
    if not form.has(sympy.log):
        return number_text(form)
    in_bits = form.has(1 / sympy.log(2))
    name = "log2" if in_bits else "ln"
    bare = form
    if in_bits:
        bare = sympy.Add(*(term * sympy.log(2) for term in sympy.Add.make_args(form)))
    shown = ""
    for term in sorted(sympy.Add.make_args(bare), key=sympy.default_sort_key):
        factor, logs = term.as_independent(sympy.log, as_Add=False)
        minus, parts = _factor(exact(factor))
        joint = (" - " if minus else " + ") if shown else "-" * minus
        shown += joint + "*".join([*parts, *_logarithms(logs, name)])
    return shown


def _factor(value: Exact) -> tuple[bool, list[str]]:
    """A factor before a logarithm: whether a minus goes in front, and its text unless it is 1."""
    if is_number(value):
        plain = isinstance(value, Fraction) and value.denominator == 1
        spelled, minus = number_text(abs(value)), value < 0
    else:
        arranged = _arranged(value)
        minus = arranged.minus
        if minus:
            arranged = _arranged(-value)
        spelled, plain = arranged.text(), arranged.plain
    if spelled == "1":
        return minus, []
    return minus, [spelled if plain else f"({spelled})"]


def _logarithms(logs: Any, name: str) -> list[str]:
    import sympy

    return [
        f"{name}({number_text(log.args[0])})" if log.func is sympy.log else number_text(log)
        for log in sympy.Mul.make_args(logs)
    ]


@dataclass(frozen=True)
class _Arranged:
    """A rational function as it is written: numerator over denominator.

    minus: its text starts with a minus. plain: it is a product without sums or fractions.
    """

    numerator: Any
    denominator: Any
    minus: bool
    plain: bool

    def text(self) -> str:
        top, bottom = self.numerator, self.denominator
        if bottom == 1:
            return _spelled(top)
        over = _spelled(top, enclosed=top.is_Add)
        return f"{over}/{_spelled(bottom, enclosed=bottom.is_Add or bottom.is_Mul)}"


def _arranged(value: Any) -> _Arranged:
    import sympy

    sign = 1
    above: list[Any] = []
    below: list[Any] = []
    for (constant, factors), parts in zip(_factored(value), (above, below), strict=True):
        sign *= -1 if constant < 0 else 1
        parts.append(abs(constant))
        for factor, power in factors:
            if _starts_negative(factor):
                factor, sign = -factor, sign * (-1) ** power
            parts.append(factor**power)
    sums = [k for k, factor in enumerate(above) if factor.is_Add]
    if sign < 0:  # -(1 - p) reads better as (-1 + p)
        turned = sums[0] if sums else 0
        above[turned] = -above[turned]
    numerator, denominator = sympy.Mul(*above), sympy.Mul(*below)
    whole = denominator == 1
    minus = sign < 0 and (not sums or (whole and bool(numerator.is_Add)))
    plain = whole and not any(factor.has(sympy.Add) for factor in above)
    return _Arranged(numerator, denominator, minus, plain)


def _factored(value: Any) -> tuple[Any, Any]:
    """Numerator and denominator, each as a constant and irreducible factors with their powers."""
    import sympy

    from ppdm_formal.declare.arithmetic.rational_function import NotRational, factored

    try:
        return factored(value)
    except (NotRational, OverflowError):  # roots of numbers, or numbers too long for FLINT
        top, bottom = sympy.fraction(sympy.together(value))
        return sympy.factor_list(top), sympy.factor_list(bottom)


def _spelled(polynomial: Any, *, enclosed: bool = False) -> str:
    shown = _printer().doprint(polynomial).replace("**", "^")
    return f"({shown})" if enclosed else shown


@cache
def _printer() -> Any:
    """A printer of closed forms, with integers of any length."""
    from sympy.printing.str import StrPrinter

    class Printer(StrPrinter):  # type: ignore[misc]
        def _print_Integer(self, number: Any) -> str:
            return integer_text(int(number))

        def _print_Rational(self, number: Any) -> str:
            return number_text(Fraction(int(number.p), int(number.q)))

    return Printer({"order": "rev-lex"})


def _starts_negative(factor: Any) -> bool:
    import sympy

    return bool(sympy.Poly(factor, *sorted(factor.free_symbols, key=str)).terms()[-1][1] < 0)
