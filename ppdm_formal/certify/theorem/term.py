"""Terms for the proved checkers, spelled twice: for Coq, and plainly for the extracted program.

An int, a Fraction and a bool are themselves; a tuple is a list. One term, two spellings: what the
extracted program is asked is what the theorem's computation is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

MAX_DIGITS = 4000
TOO_LONG = 10**MAX_DIGITS


class NotCovered(Exception):
    """No theorem is written for certificates of this kind."""


class Name(str):
    """A constant, such as Both."""

    __slots__ = ()


@dataclass(frozen=True)
class App:
    """A constructor or function with its arguments."""

    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Pair:
    """Two terms together."""

    first: Any
    second: Any


@dataclass(frozen=True)
class In:
    """A term whose numbers Coq must read as those of a scope: nat, Z."""

    scope: str
    term: Any


@dataclass(frozen=True)
class Given:
    """A definition of the file, spoken of by its name; the plain spelling writes its value."""

    name: str
    type: str
    term: Any


def rational(value: Any) -> Fraction:
    """A rational number; anything else is not covered."""
    if not isinstance(value, int | Fraction):
        raise NotCovered("numbers with exponentials, but for all priors and every property")
    if max(abs(value.numerator), value.denominator) >= TOO_LONG:
        raise NotCovered(f"numbers of more than {MAX_DIGITS} digits")
    return Fraction(value)


def whole(value: int) -> int:
    """A whole number of bearable length."""
    return int(rational(value))


def in_coq(term: Any, within: bool = True) -> str:
    """As Coq reads it; `within` another term applications stand in parentheses."""
    if isinstance(term, bool):
        return "true" if term else "false"
    if isinstance(term, Name):
        return str(term)
    if isinstance(term, int | Fraction):
        exact = Fraction(term)
        if exact.denominator == 1:
            return str(exact.numerator) if exact >= 0 else f"({exact.numerator})"
        return f"({exact.numerator}#{exact.denominator})"
    if isinstance(term, Given):
        return term.name
    if isinstance(term, Pair):
        return f"({in_coq(term.first, False)}, {in_coq(term.second, False)})"
    if isinstance(term, In):
        return f"{in_coq(term.term)}%{term.scope}"
    if isinstance(term, App):
        said = " ".join([term.name, *(in_coq(part) for part in term.arguments)])
        return f"({said})" if within else said
    rows = any(isinstance(part, App | Pair | tuple) for part in term)
    between = ";\n   " if rows else "; "
    return f"[{between.join(in_coq(part, False) for part in term)}]"


def in_plain(term: Any) -> str:
    """As the extracted program reads it: numbers, names, and lists in parentheses."""
    if isinstance(term, bool):
        return "true" if term else "false"
    if isinstance(term, Name | int | Fraction):
        return str(term)
    if isinstance(term, Given | In):
        return in_plain(term.term)
    if isinstance(term, Pair):
        return f"({in_plain(term.first)} {in_plain(term.second)})"
    if isinstance(term, App):
        return f"({' '.join([term.name, *(in_plain(part) for part in term.arguments)])})"
    return f"({' '.join(in_plain(part) for part in term)})"
