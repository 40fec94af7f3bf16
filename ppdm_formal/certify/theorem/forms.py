"""Views whose likelihoods are polynomials in one t, up to a positive factor of the view.

t is a free parameter, or e^step where numbers hold exponentials. A view's likelihoods are brought
over one denominator, which is then left out: likelihoods count only up to a factor of the view.
Coefficients are whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.theorem.term import App, In, whole
from ppdm_formal.checker.closed_form import Terms
from ppdm_formal.checker.coefficients import table
from ppdm_formal.checker.conditions import FormClass, value_at
from ppdm_formal.checker.exponential import Exponential, Polynomial, by
from ppdm_formal.checker.interval import End, Interval, polynomial_at
from ppdm_formal.checker.region import dense
from ppdm_formal.checker.view import View

Poly = tuple[int, ...]  # the constant first


@dataclass(frozen=True)
class ClassForm:
    """A class of a view: its likelihood as a polynomial, and how many inputs it has."""

    top: Poly
    count: int

    @property
    def term(self) -> App:
        """As the proved checkers read it."""
        return App("Form", (In("Z", tuple(map(whole, self.top))), whole(self.count)))


@dataclass(frozen=True)
class Piece:
    """An interval of t, and whether its ends belong to it."""

    low: Fraction
    low_in: bool
    high: Fraction
    high_in: bool

    @property
    def middle(self) -> Fraction:
        """Halfway."""
        return (self.low + self.high) / 2

    def cut(self, at: Fraction) -> tuple[Piece, Piece]:
        """The parts below and above a number, to both of which it belongs."""
        return (
            Piece(self.low, self.low_in, at, True),
            Piece(at, True, self.high, self.high_in),
        )

    def coefficients(self, polynomial: Poly) -> list[int]:
        """Those of Bernstein, times a positive number."""
        terms: Terms = {(i,): Fraction(c) for i, c in enumerate(polynomial) if c}
        ends = Interval(End(self.low, self.low), True, End(self.high, self.high), True)
        return table(terms, [ends]).entries

    def nonneg(self, polynomial: Poly) -> bool:
        """Whether the coefficients show that it is at least 0."""
        return min(self.coefficients(polynomial)) >= 0

    def positive(self, polynomial: Poly) -> bool:
        """Whether the coefficients show that it is above 0, at the ends only if they belong."""
        found = self.coefficients(polynomial)
        ends = (found[0] > 0 or not self.low_in) and (found[-1] > 0 or not self.high_in)
        return min(found) >= 0 and max(found) > 0 and ends


def difference(x: int, one: Poly, y: int, two: Poly) -> Poly:
    """X times one polynomial, less y times another."""
    size = max(len(one), len(two))
    padded = [(*p, *(0,) * (size - len(p))) for p in (one, two)]
    return tuple(x * a - y * b for a, b in zip(*padded, strict=True))


def value(polynomial: Poly, t: Fraction) -> Fraction:
    """Its value at a number."""
    return polynomial_at([Fraction(c) for c in polynomial], t)


def of_parameter(view: Sequence[FormClass], sample: Fraction) -> tuple[ClassForm, ...]:
    """A view of closed forms in one parameter; `sample` is one of its values."""
    parts = []
    for part in view:
        top, bottom = dense(part.likelihood.top), dense(part.likelihood.bottom)
        scale = math.lcm(*(c.denominator for c in (*top, *bottom)))
        numbers = [tuple(int(c * scale) for c in side) for side in (top, bottom)]
        parts.append((numbers[0], numbers[1], part.count))
    forms = over_one(parts)
    # What was left out has one sign, for no closed form divides by 0: if it is -1, turn all.
    pairs = zip(forms, view, strict=True)
    turned = any(
        value(form.top, sample) * value_at(part.likelihood.bottom, {"t": sample})
        * value_at(part.likelihood.top, {"t": sample}) < 0
        for form, part in pairs
    )  # fmt: skip
    return tuple(ClassForm(tuple(-c for c in f.top), f.count) for f in forms) if turned else forms


def of_exponentials(view: View, step: Fraction) -> tuple[ClassForm, ...]:
    """A view of numbers with exponentials, as polynomials in e^step."""
    parts = []
    for part in view.classes:
        top, bottom = in_powers(part.likelihood, step)
        parts.append((top, bottom, part.count))
    return over_one(parts)


def in_powers(number: Any, step: Fraction) -> tuple[Poly, Poly]:
    """A number as a quotient of polynomials in e^step, the lower one above 0."""
    if not isinstance(number, Exponential):
        return ((number.numerator,) if number.numerator else ()), (number.denominator,)
    thick = int(number.step / step)
    return _written_out(number.top, thick), _written_out(number.bottom, thick)


def _written_out(polynomial: Polynomial, thick: int = 1) -> Poly:
    """Terms of powers of t^thick as all coefficients of powers of t."""
    found = [0] * (polynomial[-1][0] * thick + 1) if polynomial else []
    for power, coefficient in polynomial:
        found[power * thick] = coefficient
    return tuple(found)


def _product(one: Poly, two: Poly) -> Poly:
    terms = [tuple((k, c) for k, c in enumerate(part) if c) for part in (one, two)]
    return _written_out(by(*terms))


def over_one(parts: Sequence[tuple[Poly, Poly, int]]) -> tuple[ClassForm, ...]:
    """Quotients times a common multiple of their bottoms, in lowest terms of whole numbers."""
    split = [_split(bottom) for _, bottom, _ in parts]
    common = math.lcm(*(content for content, _, _ in split))
    power = max(power for _, power, _ in split)
    forms = []
    for (top, _, count), (content, own, bare) in zip(parts, split, strict=True):
        found = (*(0,) * (power - own), *(c * (common // content) for c in top)) if top else ()
        for other in dict.fromkeys(rest for _, _, rest in split):
            found = _product(found, other) if found and other != bare else found
        forms.append((found, count))
    divisor = math.gcd(*(c for top, _ in forms for c in top)) or 1
    return tuple(ClassForm(tuple(c // divisor for c in top), count) for top, count in forms)


def _split(bottom: Poly) -> tuple[int, int, Poly]:
    """A polynomial as a number above 0, a power of t, and the rest."""
    content = math.gcd(*bottom)
    power = next(i for i, c in enumerate(bottom) if c)
    return content, power, tuple(c // content for c in bottom[power:])
