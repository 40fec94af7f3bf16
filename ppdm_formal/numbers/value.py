"""The value of a measure: exact (a rational or a closed form), enclosed, or infinite."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from ppdm_formal.numbers.enclosure import Enclosure
from ppdm_formal.numbers.exact import Exact, exact, text


class Infinity(Enum):
    """Above every number; its text is "infinity".

    >>> INFINITY > Fraction(10**9), str(INFINITY)
    (True, 'infinity')
    """

    INFINITY = "infinity"

    def __str__(self) -> str:
        return "infinity"

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, Infinity)

    def __ge__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return isinstance(other, Infinity)


INFINITY = Infinity.INFINITY

Measured: TypeAlias = Exact | Enclosure | Infinity


def value_text(value: Measured) -> str:
    """The value as reports write it: 250, p/(1 - p), 1.27115..., infinity."""
    if isinstance(value, Infinity | Enclosure):
        return str(value)
    return text(value) if isinstance(value, Fraction) else form_text(value)


def value_json(value: Measured) -> str | dict[str, str]:
    """The value as JSON holds it: text, or the two ends of an enclosure."""
    return value.to_json() if isinstance(value, Enclosure) else value_text(value)


def form_text(form: Any) -> str:
    """A closed form that may have logarithms (log2 for bits, ln for nats) and maxima."""
    import sympy

    if isinstance(form, sympy.Max):
        return "max(" + ", ".join(sorted(form_text(part) for part in form.args)) + ")"
    if not form.has(sympy.log):
        return text(form)
    in_bits = form.has(1 / sympy.log(2))
    name = sympy.Function("log2" if in_bits else "ln")
    bare = form * sympy.log(2) if in_bits else form
    terms = sorted(sympy.Add.make_args(bare), key=sympy.default_sort_key)
    shown = ""
    for term in terms:
        factor, logs = term.as_independent(sympy.log, as_Add=False)
        spelled = text(exact(factor))
        negative = spelled.startswith("-")
        if negative:
            spelled = text(exact(-factor))
        plain = not any(sign in spelled for sign in "+-/")
        parts = [] if spelled == "1" else [spelled if plain else f"({spelled})"]
        for log in sympy.Mul.make_args(logs):
            parts.append(f"{name}({text(log.args[0])})" if log.func is sympy.log else text(log))
        joint = (" - " if negative else " + ") if shown else "-" * negative
        shown += joint + "*".join(parts)
    return shown
