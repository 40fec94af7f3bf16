"""Exact points on a line: rationals, and irrational roots of irreducible polynomials.

Coefficients may have exponentials: e itself is the root of x - exp(1). Where closed forms have
their roots is found in line.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from ppdm_formal.declare.arithmetic.exact import to_sympy
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, sign_of


@dataclass(frozen=True)
class Root:
    """The only root of an irreducible polynomial between lo and hi, and irrational.

    coefficients: of 1, x, x^2, ..., the last one 1.
    """

    coefficients: tuple[Real, ...]
    lo: Fraction
    hi: Fraction

    @classmethod
    def of_number(cls, number: ExpNumber) -> Root:
        """An irrational number as the root that it is."""
        return cls((-number, Fraction(1)), *number.between(_NUMBER_BITS))

    @property
    def number(self) -> ExpNumber | None:
        """The point as a number, where it is one with exponentials."""
        return -self.coefficients[0] if len(self.coefficients) == 2 else None  # type: ignore[return-value]

    def polynomial(self, symbol: Any) -> Any:
        """Its polynomial, of sympy's."""
        import sympy

        return sympy.Poly([to_sympy(c) for c in reversed(self.coefficients)], symbol, domain="QQ")

    def refined(self) -> Root:
        """Half the interval."""
        middle = (self.lo + self.hi) / 2
        if self.sign(self.lo) == self.sign(middle):
            return Root(self.coefficients, middle, self.hi)
        return Root(self.coefficients, self.lo, middle)

    def sign(self, x: Fraction) -> int:
        """The sign of its polynomial at a rational."""
        value: Real = Fraction(0)
        for coefficient in reversed(self.coefficients):
            value = value * x + coefficient
        return sign_of(value)

    def same(self, other: object) -> bool:
        """Whether two that are set apart from other roots, or numbers, are one point."""
        return (
            isinstance(other, Root)
            and self.coefficients == other.coefficients
            and (self.lo < other.hi and other.lo < self.hi)
        )


Point: TypeAlias = Fraction | Root

Name = TypeVar("Name")

_NUMBER_BITS = 96
"""How close the rationals around a number with exponentials are."""


def ends(point: Point) -> tuple[Fraction, Fraction]:
    """Rationals around the point (the point itself, twice)."""
    return (point.lo, point.hi) if isinstance(point, Root) else (point, point)


def as_sympy(point: Point) -> Any:
    """The same number as a rational, a radical, or a root of an integer polynomial."""
    if not isinstance(point, Root):
        return to_sympy(point)
    import sympy

    low, high = map(to_sympy, ends(point))
    polynomial = point.polynomial(sympy.Symbol("x", real=True))
    return next(root for root in sympy.real_roots(polynomial) if low <= root <= high)


def set_apart(points: list[tuple[Name, Point]]) -> list[tuple[Name, Point]]:
    """Different points, by any names, sorted, with intervals that do not touch."""

    def place(named: tuple[Name, Point]) -> tuple[Fraction, Fraction]:
        return ends(named[1])

    points = sorted(points, key=place)
    while True:
        close = next(
            (i for i in range(len(points) - 1) if place(points[i])[1] >= place(points[i + 1])[0]),
            None,
        )
        if close is None:
            return points
        for index in (close, close + 1):
            name, point = points[index]
            if isinstance(point, Root):
                points[index] = (name, point.refined())
        points.sort(key=place)


def between(low: Fraction, high: Fraction) -> Fraction:
    """A simple rational strictly between two others.

    >>> between(Fraction(1, 3), Fraction(2, 3))
    Fraction(1, 2)
    """
    scale = 1
    while True:
        candidate = Fraction(math.floor(low * scale) + 1, scale)
        if candidate < high:
            return candidate
        scale *= 2
