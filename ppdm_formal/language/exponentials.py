"""exp and ln in models: exp(q) is an exact number, ln(q) a bound or the value of a parameter."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ppdm_formal.language.columns import plain
from ppdm_formal.language.errors import ModelError, Place
from ppdm_formal.numbers.exact import is_number
from ppdm_formal.numbers.exponential import Ln, TooManyPowers
from ppdm_formal.numbers.logarithm import added, e_to, ln, scaled

LN_PLACES = "a logarithm can be a bound, the value of a parameter, or inside exp"


def exponential(value: Any, at: Place) -> Any:
    """e^value, for a rational or a logarithm."""
    if type(value) is int:
        value = Fraction(value)
    if not isinstance(value, Fraction | Ln):
        raise ModelError(
            f"exp of {'a label' if isinstance(value, str) else value}",
            at,
            "an exponent is a rational number, such as exp(1/2), or ln(3)",
        )
    try:
        return plain(e_to(value))
    except TooManyPowers as problem:
        raise ModelError(str(problem), at) from None


def logarithm(value: Any, at: Place) -> Any:
    """ln(value), for a positive number."""
    if type(value) is int:
        value = Fraction(value)
    if not is_number(value):
        what = "a label" if isinstance(value, str) else value
        raise ModelError(f"ln of {what}: expected a positive number", at)
    try:
        return plain(ln(value))
    except ValueError as problem:
        raise ModelError(str(problem), at) from None


def log_arithmetic(operation: str, first: Any, second: Any, at: Place) -> Any:
    """Sums of logarithms and rationals, and rational multiples of logarithms."""
    a, b = (Fraction(v) if type(v) is int else v for v in (first, second))
    try:
        if all(isinstance(v, Ln | Fraction) for v in (a, b)):
            if operation == "+":
                return plain(added(a, b))
            if operation == "-":
                return plain(added(a, scaled(b, Fraction(-1))))
            if operation == "*" and not (isinstance(a, Ln) and isinstance(b, Ln)):
                factor, exponent = (a, b) if isinstance(b, Ln) else (b, a)
                return plain(scaled(exponent, factor))
            if operation == "/" and isinstance(b, Fraction) and b:
                return plain(scaled(a, 1 / b))
    except ValueError as problem:
        raise ModelError(str(problem), at) from None
    raise ModelError(f"{operation} of a logarithm", at, LN_PLACES)
