"""Terms and formulas over the reals, written as Python expressions.

    a, b, r = reals("a b r")
    (a + b <= r * 2) & (a > 0)

They are spelled as SMT-LIB 2 for solvers and evaluated in Fractions for replays, so that what
a solver says of a formula is checked by code that shares nothing with the solver.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, Union

Number: TypeAlias = Union["Term", int, Fraction]

_ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_RELATIONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
}


@dataclass(frozen=True, eq=False)
class Term:
    """A variable, a rational constant, or a sum, difference or product of two terms.

    >>> a, b = reals("a b")
    >>> ((a + b) * 2 - 1).at({"a": Fraction(1, 2), "b": Fraction(1, 3)})
    Fraction(2, 3)
    """

    sign: str
    parts: tuple[Term, ...] = ()
    name: str = ""
    value: Fraction = Fraction(0)

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """The exact value where the variables have these values."""
        if self.sign == "variable":
            return values[self.name]
        if self.sign == "constant":
            return self.value
        left, right = (part.at(values) for part in self.parts)
        return _ARITHMETIC[self.sign](left, right)

    def smt(self, symbols: Mapping[str, str]) -> str:
        """SMT-LIB 2 text, each variable spelled as its symbol."""
        if self.sign == "variable":
            return symbols[self.name]
        if self.sign == "constant":
            return _smt_number(self.value)
        return f"({self.sign} {' '.join(part.smt(symbols) for part in self.parts)})"

    def variables(self) -> dict[str, None]:
        """The names in it, in the order of their first occurrence."""
        return {self.name: None} if self.sign == "variable" else _merged(self.parts)

    def __add__(self, other: Number) -> Term:
        return Term("+", (self, term(other)))

    def __radd__(self, other: Number) -> Term:
        return Term("+", (term(other), self))

    def __sub__(self, other: Number) -> Term:
        return Term("-", (self, term(other)))

    def __rsub__(self, other: Number) -> Term:
        return Term("-", (term(other), self))

    def __mul__(self, other: Number) -> Term:
        return Term("*", (self, term(other)))

    def __rmul__(self, other: Number) -> Term:
        return Term("*", (term(other), self))

    def __neg__(self) -> Term:
        return 0 - self

    def __truediv__(self, other: int | Fraction) -> Term:
        if isinstance(other, Term):
            raise TypeError("multiply out instead of dividing by a term: it may be zero")
        return self * (Fraction(1) / other)

    def __lt__(self, other: Number) -> RealFormula:
        return RealFormula("<", (self, term(other)))

    def __le__(self, other: Number) -> RealFormula:
        return RealFormula("<=", (self, term(other)))

    def __gt__(self, other: Number) -> RealFormula:
        return RealFormula("<", (term(other), self))

    def __ge__(self, other: Number) -> RealFormula:
        return RealFormula("<=", (term(other), self))

    def __eq__(self, other: object) -> RealFormula:  # type: ignore[override]
        if not isinstance(other, Term | int | Fraction):
            return NotImplemented
        return RealFormula("=", (self, term(other)))

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("a term has no truth value")


@dataclass(frozen=True, eq=False)
class RealFormula:
    """A comparison of two terms, or formulas joined by and, or, not.

    >>> a, = reals("a")
    >>> rule = ~(a < 1) | (a == 0)
    >>> rule.at({"a": Fraction(0)}), rule.at({"a": Fraction(1, 2)})
    (True, False)
    >>> rule.smt({"a": "s0"})
    '(or (not (< s0 1.0)) (= s0 0.0))'
    """

    sign: str
    parts: tuple[Term, Term] | tuple[RealFormula, ...]

    def at(self, values: Mapping[str, Fraction]) -> bool:
        """Whether it is true where the variables have these values."""
        if self.sign in _RELATIONS:
            left, right = (part.at(values) for part in self.parts)
            return _RELATIONS[self.sign](Fraction(left), Fraction(right))
        truths = [bool(part.at(values)) for part in self.parts]
        return {"and": all(truths), "or": any(truths), "not": not truths[0]}[self.sign]

    def smt(self, symbols: Mapping[str, str]) -> str:
        """SMT-LIB 2 text, each variable spelled as its symbol."""
        return f"({self.sign} {' '.join(part.smt(symbols) for part in self.parts)})"

    def variables(self) -> dict[str, None]:
        """The names in it, in the order of their first occurrence."""
        return _merged(self.parts)

    def __and__(self, other: RealFormula) -> RealFormula:
        return RealFormula("and", (self, other))

    def __or__(self, other: RealFormula) -> RealFormula:
        return RealFormula("or", (self, other))

    def __invert__(self) -> RealFormula:
        return RealFormula("not", (self,))

    def __bool__(self) -> bool:
        raise TypeError("a formula has no truth value: join with & and |, and do not chain < <=")


def reals(names: str) -> tuple[Term, ...]:
    """Variables by their names, separated by blanks."""
    return tuple(Term("variable", name=name) for name in names.split())


def term(number: Number) -> Term:
    """A constant as a term; floats are refused."""
    if isinstance(number, Term):
        return number
    if isinstance(number, bool) or not isinstance(number, int | Fraction):
        raise TypeError(f"terms hold integers and Fractions, not a {type(number).__name__}")
    return Term("constant", value=Fraction(number))


def _merged(parts: tuple[Term, ...] | tuple[RealFormula, ...]) -> dict[str, None]:
    return {name: None for part in parts for name in part.variables()}


def _smt_number(value: Fraction) -> str:
    size = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        size = f"(/ {size} {value.denominator}.0)"
    return f"(- {size})" if value < 0 else size
