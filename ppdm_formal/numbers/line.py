"""Line: where closed forms of one parameter change sign, and cells in between where none does.

The roots of every polynomial that is asked about are isolated once, exactly, and kept set apart.
Most have none in a cell, which their coefficients in the Bernstein basis show at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

from flint import fmpq, fmpq_poly, fmpz_poly

from ppdm_formal.numbers.algebraic import Point, Root, between, ends, roots_of, set_apart
from ppdm_formal.numbers.deadline import NEVER, Deadline
from ppdm_formal.numbers.exact import Exact, is_symbolic
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.rational_function import Quotient, read

Name: TypeAlias = tuple[Any, ...]
"""What names a point of the line: its irreducible polynomial, and which of its roots it is."""


@dataclass(frozen=True)
class Form:
    """A closed form of the line's parameter: top/bottom, polynomials over the integers."""

    top: fmpz_poly
    bottom: fmpz_poly

    def defined(self, x: Fraction) -> bool:
        """Whether it has no pole there."""
        return bool(self.bottom(fmpq(x.numerator, x.denominator)))

    def at(self, x: Fraction) -> Fraction:
        """Its value; ZeroDivisionError at a pole."""
        where = fmpq(x.numerator, x.denominator)
        found = fmpq(self.top(where)) / fmpq(self.bottom(where))
        return Fraction(int(found.p), int(found.q))

    def raised(self, power: int) -> Form:
        """A power of it."""
        return Form(self.top**power, self.bottom**power)

    def minus(self, other: Form, mine: int = 1, theirs: int = 1) -> Form:
        """So many times this, minus so many times the other."""
        common = self.bottom.gcd(other.bottom)
        left, right = self.bottom // common, other.bottom // common
        top = mine * self.top * right - theirs * other.top * left
        return Form(top, self.bottom * right)


@dataclass
class Line:
    """The range of a parameter, with the points met so far: its ends, roots and poles."""

    parameter: Parameter
    deadline: Deadline = NEVER
    _points: dict[Name, Point] = field(default_factory=dict)
    _roots: dict[Name, tuple[Name, ...]] = field(default_factory=dict)
    _order: dict[Name, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.low: Name = ("end", 0)
        self.high: Name = ("end", 1)
        self._points = {self.low: self.parameter.lower, self.high: self.parameter.upper}

    def point(self, name: Name) -> Point:
        """A point by its name, set apart from all others that were met."""
        self._arrange()
        return self._points[name]

    def place(self, name: Name) -> int:
        """Where it stands among the points that were met."""
        self._arrange()
        return self._order[name]

    def form(self, value: Exact) -> Form:
        """A closed form of the parameter, or a number."""
        if not is_symbolic(value):
            return Form(fmpz_poly([value.numerator]), fmpz_poly([value.denominator]))
        return form_of(read(value, (self.parameter.symbol,)))

    def roots(self, polynomial: fmpz_poly) -> tuple[Name, ...]:
        """All of its roots strictly inside the range."""
        key = tuple(map(int, polynomial.coeffs()))
        if key not in self._roots:
            self.deadline.check()
            found: list[Name] = []
            for factor, _ in polynomial.factor()[1]:
                own = tuple(map(int, factor.coeffs()))
                if own not in self._roots:
                    points = roots_of(own, self.parameter)
                    self._roots[own] = tuple((own, i) for i in range(len(points)))
                    self._points.update(zip(self._roots[own], points, strict=True))
                    self._order.clear()
                found += self._roots[own]
            self._roots[key] = tuple(found)
        return self._roots[key]

    def inside(self, polynomial: fmpz_poly, left: Name, right: Name) -> list[Name]:
        """Its roots strictly between two points."""
        if polynomial.degree() < 1:
            return []
        start, end = self.point(left), self.point(right)
        exact = not (isinstance(start, Root) or isinstance(end, Root))
        if keeps_sign(polynomial, ends(start)[0], ends(end)[1], strict=not exact):
            return []
        found = self.roots(polynomial)
        return [n for n in found if self.place(left) < self.place(n) < self.place(right)]

    def sample(self, left: Name, right: Name) -> Fraction:
        """A simple rational between two points."""
        return between(ends(self.point(left))[1], ends(self.point(right))[0])

    def nearest(self, names: Iterable[Name], x: Fraction) -> tuple[Name | None, Name | None]:
        """Of some points the nearest below a rational (or at it), and the nearest above."""
        below = [name for name in names if self.side(name, x) <= 0]
        above = [name for name in names if name not in below]
        return max(below, key=self.place, default=None), min(above, key=self.place, default=None)

    def side(self, name: Name, x: Fraction) -> int:
        """-1, 0, 1: the point lies below, at or above a rational."""
        point = self._points[name]
        while isinstance(point, Root) and point.lo <= x <= point.hi:
            point = point.refined()
        self._points[name] = point
        low, high = ends(point)
        return (low > x) - (high < x)

    def sign_at(self, form: Form, name: Name) -> int:
        """The sign of a closed form at a point where none of its parts has a root unknown here."""
        return self._sign(form.top, name) * self._sign(form.bottom, name)

    def _sign(self, polynomial: fmpz_poly, name: Name) -> int:
        point = self.point(name)
        if isinstance(point, Root):
            if fmpq_poly(polynomial) % fmpq_poly(list(name[0])) == 0:
                return 0
            self.roots(polynomial)  # so that they are set apart from this one
            point = ends(self.point(name))[0]
        value = polynomial(fmpq(point.numerator, point.denominator))
        return int(value > 0) - int(value < 0)

    def _arrange(self) -> None:
        if not self._order:
            self._points = dict(set_apart(list(self._points.items())))
            self._order = {name: place for place, name in enumerate(self._points)}


def keeps_sign(polynomial: fmpz_poly, low: Fraction, high: Fraction, *, strict: bool) -> bool:
    """Whether one look shows that no root lies inside the interval (strict: at its ends neither).

    (1 + t)^d p((low + high t)/(1 + t)) has the coefficients of p in the Bernstein basis, each
    times a binomial coefficient, and so their signs.
    """
    scale = lcm(low.denominator, high.denominator)
    degree = polynomial.degree()
    whole = fmpz_poly([c * scale ** (degree - k) for k, c in enumerate(polynomial.coeffs())])
    start, width = int(low * scale), int((high - low) * scale)
    shifted = whole(fmpz_poly([start, width]))
    turned = fmpz_poly(shifted.coeffs()[::-1])(fmpz_poly([1, 1]))
    found = turned.coeffs()
    if strict and len(found) <= degree:
        return False  # 0 at an end
    return all(c >= strict for c in found) or all(c <= -strict for c in found)


def form_of(quotient: Quotient) -> Form:
    """A quotient in one parameter."""
    return Form(_dense(quotient.top), _dense(quotient.bottom))


def _dense(polynomial: Any) -> fmpz_poly:
    found: list[int] = [0] * (polynomial.degrees()[0] + 1) if polynomial else []
    for (power,), coefficient in polynomial.terms():
        found[int(power)] = int(coefficient)
    return fmpz_poly(found)


def cells(
    line: Line, deciding: Callable[[Fraction], Iterable[fmpz_poly]]
) -> list[tuple[Name, Name]]:
    """Neighbouring cells in which no polynomial changes sign that decides at a sample of the cell.

    Each is as wide as its sample allows: up to the nearest roots on both sides.
    """
    found: list[tuple[Name, Name]] = []
    waiting = [(line.low, line.high)]
    while waiting:
        line.deadline.check()
        left, right = waiting.pop()
        sample = line.sample(left, right)
        roots: dict[Name, None] = {}
        for polynomial in deciding(sample):
            roots.update(dict.fromkeys(line.inside(polynomial, left, right)))
        below, above = line.nearest(roots, sample)
        if below is not None and line.side(below, sample) == 0:
            waiting += [(below, right), (left, below)]
            continue
        middle = (below or left, above or right)
        rest = [(left, below)] if below is not None else []
        found.append(middle)
        waiting += [*rest, *([(above, right)] if above is not None else [])]
    return sorted(found, key=lambda cell: line.place(cell[0]))
