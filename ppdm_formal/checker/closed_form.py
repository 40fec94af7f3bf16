"""Closed forms in free parameters: read from text, as a number or a quotient of polynomials."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .clock import tick
from .exponential import EXP_NAME, Exponential, e_to
from .limits import MAX_DEGREE, MAX_DEPTH, MAX_EXPONENT, MAX_FORM, MAX_SIDE, MAX_WORK, ONE, ZERO
from .result import need
from .spelling import read_integer

LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


def evaluate(form: Any, point: Mapping[str, Any]) -> Any:
    """A closed form at a point, by climbing over the precedence of + - * / ^.

    The point gives each parameter a number, or a quotient of polynomials.
    """
    need(type(form) is str and len(form) <= MAX_FORM, "not a closed form, or too long")
    return ClosedForm(form, point).result()


class ClosedForm:
    """Reads a closed form from left to right, and computes as it goes."""

    def __init__(self, form: str, point: Mapping[str, Any]) -> None:
        self.form, self.point, self.work = form, point, 0
        exp = rf"exp\([0-9]{{1,40}}(?:/[0-9]{{1,40}})?\)|{EXP_NAME}"
        found = re.finditer(rf"{exp}|0x[0-9a-f]+|[0-9]+|[^\W\d]\w*|\S", form)
        self.tokens = [match.group(0) for match in found]
        self.next = 0

    def result(self) -> Any:
        """The value; nothing may be left over."""
        found = self.climb(0, 0)
        need(self.next == len(self.tokens), f"{ascii(self.form)[:40]} is not a closed form")
        return found

    def peek(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, which is then behind us."""
        self.next += 1
        return self.tokens[self.next - 1] if self.next <= len(self.tokens) else ""

    def climb(self, level: int, depth: int) -> Any:
        """An operand and all operators after it that bind at least so strongly."""
        need(depth <= MAX_DEPTH, "a closed form nested too deep")
        token = self.take()
        if token == "-":
            left = -self.climb(3, depth + 1)
        elif token == "(":
            left = self.climb(0, depth + 1)
            need(self.take() == ")", "a parenthesis is missing")
        elif token[:1].isdigit():
            left = Fraction(read_integer(token, MAX_SIDE))
        elif token.startswith("exp(") and token not in self.point:
            need(token[4].isdigit(), f"{ascii(token)[:40]} is not a parameter")
            top, _, bottom = token[4:-1].partition("/")
            need(int(bottom or 1), "an exponent divides by 0")
            left = e_to(Fraction(int(top), int(bottom or 1)))
        else:
            need(token in self.point, f"{ascii(token)[:40]} is not a parameter")
            left = self.point[token]
        terms = [left]
        while LEVELS.get(self.peek(), -1) >= level:
            sign = self.take()
            # ^ groups from the right, the others from the left.
            right = self.climb(LEVELS[sign] + (sign != "^"), depth + 1)
            if sign in "+-":  # nothing that binds more strongly can follow here
                terms.append(right if sign == "+" else -right)
            else:
                terms = [self.combine(terms[0], sign, right)]
        return self.total(terms)

    def total(self, terms: list[Any]) -> Any:
        """The sum of numbers, two neighbours at a time: long ones are rarely added."""
        while len(terms) > 1:
            pairs = zip(terms[::2], terms[1::2], strict=False)
            rest = terms[len(terms) // 2 * 2 :]
            terms = [self.combine(one, "+", other) for one, other in pairs] + rest
        return terms[0]

    def combine(self, left: Any, sign: str, right: Any) -> Any:
        """One operation, if it is not too much work."""
        if sign == "^":
            good = type(right) is Fraction and right.denominator == 1
            need(good and abs(right) <= MAX_EXPONENT, f"not a whole exponent up to {MAX_EXPONENT}")
            if type(left) is Quotient:
                return self.power(left, int(right))
            size = bit_size(left) * int(abs(right))
            self.work += size * size // 4096
        else:
            self.work += (64 + bit_size(left)) * (64 + bit_size(right)) // 4096
        need(self.work <= MAX_WORK, "a closed form that takes too much work")
        if sign == "^":
            return left ** int(right)
        if sign == "*":
            return left * right
        if sign == "/":
            need(right, "a closed form divides by 0")
            return left / right
        return left + right

    def power(self, base: Quotient, exponent: int) -> Any:
        """A power of polynomials, one factor at a time."""
        need(abs(exponent) <= MAX_DEGREE, f"a power of a parameter beyond {MAX_DEGREE}")
        found: Any = ONE
        for _ in range(abs(exponent)):
            found = self.combine(found, "*", base)
        return found if exponent >= 0 else self.combine(ONE, "/", found)


def bit_size(x: Any) -> int:
    """How many bits a number has, or the coefficients of a quotient together."""
    if type(x) is Exponential:
        return sum(c.bit_length() + 1 for _, c in (*x.top, *x.bottom))
    if type(x) is Quotient:
        return sum(64 + bit_size(c) for part in (x.top, x.bottom) for c in part.values())
    return int(max(x.numerator.bit_length(), x.denominator.bit_length()))


Terms = dict[tuple[int, ...], Fraction]  # coefficients, none of them 0, by the powers


def multiplied(one: Terms, two: Terms) -> Terms:
    """A product of polynomials."""
    found: Terms = {}
    for p, c in one.items():
        tick()
        for q, d in two.items():
            powers = tuple(map(operator.add, p, q))
            found[powers] = found.get(powers, ZERO) + c * d
    return {powers: c for powers, c in found.items() if c}


def combined(x: Fraction | int, one: Terms, y: Fraction | int, two: Terms) -> Terms:
    """One polynomial x times, and another y times."""
    found = {powers: x * c for powers, c in one.items()}
    for powers, c in two.items():
        found[powers] = found.get(powers, ZERO) + y * c
    return {powers: c for powers, c in found.items() if c}


class Quotient:
    """top/bottom, of polynomials in the parameters; the bottom's leading coefficient is 1."""

    def __init__(self, top: Terms, bottom: Terms) -> None:
        need(bottom, "a closed form divides by 0")
        lead = bottom[max(bottom)]
        self.top = {powers: c / lead for powers, c in top.items()}
        self.bottom = {powers: c / lead for powers, c in bottom.items()}

    def lifted(self, other: Any) -> Quotient:
        """The other one as a quotient, if it is a number."""
        if type(other) is Quotient:
            return other
        nothing = (0,) * len(next(iter(self.bottom)))
        return Quotient({nothing: other + ZERO} if other else {}, {nothing: ONE})

    def combined(self, x: Fraction | int, other: Any, y: Fraction | int) -> Quotient:
        """This x times, and the other y times."""
        other = self.lifted(other)
        if self.bottom == other.bottom:
            return Quotient(combined(x, self.top, y, other.top), self.bottom)
        left, right = multiplied(self.top, other.bottom), multiplied(other.top, self.bottom)
        return Quotient(combined(x, left, y, right), multiplied(self.bottom, other.bottom))

    def __add__(self, other: Any) -> Quotient:
        return self.combined(1, other, 1)

    def __sub__(self, other: Any) -> Quotient:
        return self.combined(1, other, -1)

    def __rsub__(self, other: Any) -> Quotient:
        return self.combined(-1, other, 1)

    def __neg__(self) -> Quotient:
        return self.combined(-1, ZERO, 1)

    def __mul__(self, other: Any) -> Quotient:
        other = self.lifted(other)
        return Quotient(multiplied(self.top, other.top), multiplied(self.bottom, other.bottom))

    def __truediv__(self, other: Any) -> Quotient:
        other = self.lifted(other)
        return Quotient(multiplied(self.top, other.bottom), multiplied(self.bottom, other.top))

    def __rtruediv__(self, other: Any) -> Quotient:
        return self.lifted(other) / self

    __radd__, __rmul__ = __add__, __mul__
