"""Line: where closed forms of one parameter change sign, and cells in between where none does.

The roots of every polynomial that is asked about are isolated once, exactly, and kept set apart.
Most have none in a cell, which their coefficients in the Bernstein basis show at once. Numbers
with exponentials are among the coefficients where the line's ring has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from ppdm_formal.declare.arithmetic.algebraic import Point, Root, between, ends, set_apart
from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, common_step
from ppdm_formal.declare.arithmetic.line_polynomial import RATIONAL, Polynomial, Ring, degree, key
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.machine.deadline import NEVER, Deadline

Name: TypeAlias = tuple[Any, ...]
"""What names a point of the line: its irreducible polynomial, and which of its roots it is."""


@dataclass(frozen=True)
class LineForm:
    """A closed form of the line's parameter: top/bottom, polynomials over the integers."""

    top: Polynomial
    bottom: Polynomial
    ring: Ring

    def defined(self, x: Fraction) -> bool:
        """Whether it has no pole there."""
        return self.ring.sign(self.bottom, x) != 0

    def at(self, x: Fraction) -> Real:
        """Its value; ZeroDivisionError at a pole."""
        return self.ring.value(self.top, x) / self.ring.value(self.bottom, x)

    def sign(self, x: Fraction) -> int:
        """The sign of its value; 0 at a pole too."""
        return self.ring.sign(self.top, x) * self.ring.sign(self.bottom, x)

    def raised(self, power: int) -> LineForm:
        """A power of it."""
        return LineForm(self.top**power, self.bottom**power, self.ring)

    def times(self, other: LineForm) -> LineForm:
        """The product."""
        return LineForm(self.top * other.top, self.bottom * other.bottom, self.ring)

    def plus(self, other: LineForm) -> LineForm:
        """The sum."""
        return self.minus(LineForm(-other.top, other.bottom, self.ring))

    def minus(self, other: LineForm) -> LineForm:
        """This minus the other."""
        common = self.bottom.gcd(other.bottom)
        left, right = self.bottom / common, other.bottom / common
        return LineForm(self.top * right - other.top * left, self.bottom * right, self.ring)


@dataclass
class Line:
    """The range of a parameter, with the points met so far: its ends, roots and poles.

    exactly: the range ends where e^(step eps) does, not at the rationals just outside of it.
    """

    parameter: Parameter
    deadline: Deadline = NEVER
    ring: Ring = RATIONAL
    exactly: bool = False
    _points: dict[Name, Point] = field(default_factory=dict)
    _roots: dict[Name, tuple[Name, ...]] = field(default_factory=dict)
    _order: dict[Name, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.low: Name = ("end", 0)
        self.high: Name = ("end", 1)
        exact = self.parameter.ends if self.exactly else ()
        self._points = {
            name: Root.of_number(end) if isinstance(end, ExpNumber) else end
            for name, end in zip(
                (self.low, self.high),
                exact or (self.parameter.lower, self.parameter.upper),
                strict=True,
            )
        }

    def point(self, name: Name) -> Point:
        """A point by its name, set apart from all others that were met."""
        self._arrange()
        return self._points[name]

    def place(self, name: Name) -> int:
        """Where it stands among the points that were met."""
        self._arrange()
        return self._order[name]

    def form(self, value: Exact) -> LineForm:
        """A closed form of the parameter, or a number."""
        return LineForm(*self.ring.parts(value, self.parameter.symbol), self.ring)

    def roots(self, polynomial: Polynomial) -> tuple[Name, ...]:
        """All of its roots inside the range (and perhaps some just outside, beyond its ends)."""
        name = key(polynomial)
        if name not in self._roots:
            self.deadline.check()
            found: list[Name] = []
            for factor, _ in polynomial.factor()[1]:
                own = key(factor)
                if own not in self._roots:
                    points = self._points_of(factor)
                    self._roots[own] = tuple((own, i) for i in range(len(points)))
                    self._points.update(zip(self._roots[own], points, strict=True))
                    self._order.clear()
                found += self._roots[own]
            self._roots[name] = tuple(found)
        return self._roots[name]

    def _points_of(self, factor: Polynomial) -> list[Point]:
        """The roots of an irreducible polynomial, those at the ends of the range left out."""
        if degree(factor) < 1:
            return []
        coefficients = self.ring.coefficients(factor)
        low, high = (self._points[name] for name in (self.low, self.high))
        if len(coefficients) == 2:
            number = -coefficients[0]
            edges = [end.number if isinstance(end, Root) else end for end in (low, high)]
            if not edges[0] < number < edges[1]:  # type: ignore[operator]
                return []
            return [Root.of_number(number) if isinstance(number, ExpNumber) else number]
        outer = self.parameter.lower, self.parameter.upper  # no irrational end lies beyond
        found: list[Point] = []
        for left, right in self.ring.isolated(factor, *outer):
            root = Root(coefficients, left, right)
            while any(root.lo <= end <= root.hi for end in outer):
                root = root.refined()
            found.append(root)
        return found

    def inside(self, polynomial: Polynomial, left: Name, right: Name) -> list[Name]:
        """Its roots strictly between two points."""
        if degree(polynomial) < 1:
            return []
        start, end = self.point(left), self.point(right)
        exact = not (isinstance(start, Root) or isinstance(end, Root))
        signs = self.ring.bernstein_signs(polynomial, ends(start)[0], ends(end)[1])
        if keep_sign(signs, strict=not exact):
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

    def sign_at(self, form: LineForm, name: Name) -> int:
        """The sign of a closed form at a point where none of its parts has a root unknown here."""
        return self._sign(form.top, name) * self._sign(form.bottom, name)

    def _sign(self, polynomial: Polynomial, name: Name) -> int:
        point = self.point(name)
        if isinstance(point, Root):
            if self._vanishes(polynomial, point, name):
                return 0
            self.roots(polynomial)  # so that they are set apart from this one
            point = ends(self.point(name))[0]
        return self.ring.sign(polynomial, point)

    def _vanishes(self, polynomial: Polynomial, point: Root, name: Name) -> bool:
        """Whether a polynomial has an irrational point for a root: its factors tell."""
        if name in (self.low, self.high):
            own = point.coefficients
            factors = (factor for factor, _ in polynomial.factor()[1] if degree(factor) == 1)
            return any(self.ring.coefficients(factor) == own for factor in factors)
        return name in self.roots(polynomial)

    def _arrange(self) -> None:
        if not self._order:
            self._points = dict(set_apart(list(self._points.items())))
            self._order = {name: place for place, name in enumerate(self._points)}


def keep_sign(signs: list[int], *, strict: bool) -> bool:
    """Whether Bernstein coefficients show that no root lies inside (strict: at an end neither)."""
    return all(sign >= strict for sign in signs) or all(sign <= -strict for sign in signs)


def line_of(value: Exact, parameter: Parameter) -> Line:
    """The line of a parameter, with the exponentials of a closed form in its ring."""
    found = constants(value) if is_symbolic(value) else {}
    return Line(parameter, ring=Ring(common_step(found.values())) if found else RATIONAL)


def zeros(value: Exact, parameter: Parameter) -> list[Point]:
    """The zeros of a closed form strictly inside the parameter's interval, in order, set apart."""
    line = line_of(value, parameter)
    found = line.inside(line.form(value).top, line.low, line.high)
    return [line.point(name) for name in sorted(found, key=line.place)]


def samples(form: LineForm, line: Line) -> list[Fraction]:
    """A simple rational in each open cell between the zeros and poles of a closed form."""
    found = {n for part in (form.top, form.bottom) for n in line.inside(part, line.low, line.high)}
    places = [line.low, *sorted(found, key=line.place), line.high]
    return [line.sample(low, high) for low, high in pairwise(places)]


def cells(
    line: Line, deciding: Callable[[Fraction], Iterable[Polynomial]]
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
