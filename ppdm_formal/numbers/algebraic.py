"""Exact points on a line: rationals, and irrational roots of irreducible polynomials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ppdm_formal.numbers.exact import Exact, is_symbolic, substitute, to_fraction, to_sympy
from ppdm_formal.numbers.parameter import Parameter


@dataclass(frozen=True)
class Root:
    """The only root of an irreducible polynomial between lo and hi, and irrational."""

    polynomial: Any
    lo: Fraction
    hi: Fraction

    def refined(self) -> Root:
        """Half the interval."""
        middle = (self.lo + self.hi) / 2
        if _sign(self.polynomial, self.lo) == _sign(self.polynomial, middle):
            return Root(self.polynomial, middle, self.hi)
        return Root(self.polynomial, self.lo, middle)


Point: TypeAlias = Fraction | Root


def ends(point: Point) -> tuple[Fraction, Fraction]:
    """Rationals around the point (the point itself, twice)."""
    return (point.lo, point.hi) if isinstance(point, Root) else (point, point)


def _sign(polynomial: Any, at: Fraction) -> int:
    value = polynomial.eval(to_sympy(at))
    return int(bool(value > 0)) - int(bool(value < 0))


def parts(value: Exact, parameter: Parameter) -> tuple[Any, Any]:
    """Numerator and denominator as polynomials in the parameter."""
    import sympy

    top, bottom = sympy.fraction(sympy.together(to_sympy(value)))
    return tuple(sympy.Poly(part, parameter.symbol, domain="QQ") for part in (top, bottom))


def breakpoints(values: Iterable[Exact], parameter: Parameter) -> list[Point]:
    """All zeros and poles strictly inside the parameter's interval, sorted and set apart."""
    factors: dict[Any, None] = {}
    for value in values:
        for polynomial in parts(value, parameter):
            for factor, _ in polynomial.factor_list()[1]:
                factors[factor.monic()] = None
    points: list[Point] = []
    for factor in factors:
        points += _roots(factor, parameter)
    return _apart(points)


def _roots(factor: Any, parameter: Parameter) -> list[Point]:
    found: list[Point] = []
    if factor.degree() == 1:
        root = -factor.eval(0) / factor.LC()
        found = [to_fraction(root)]
    else:
        for (low, high), _ in factor.intervals():
            point = Root(factor, to_fraction(low), to_fraction(high))
            while any(point.lo <= end <= point.hi for end in (parameter.lower, parameter.upper)):
                point = point.refined()
            found.append(point)
    return [p for p in found if parameter.lower < ends(p)[0] and ends(p)[1] < parameter.upper]


def _apart(points: list[Point]) -> list[Point]:
    """Sorted, with intervals that do not touch."""
    points = sorted(points, key=ends)
    while True:
        close = next(
            (i for i in range(len(points) - 1) if ends(points[i])[1] >= ends(points[i + 1])[0]),
            None,
        )
        if close is None:
            return points
        for index in (close, close + 1):
            point = points[index]
            if isinstance(point, Root):
                points[index] = point.refined()
        points.sort(key=ends)


def sign_at(value: Exact, parameter: Parameter, point: Point) -> int:
    """The exact sign of a closed form at a point where it is defined."""
    if not is_symbolic(value):
        return int(bool(value > 0)) - int(bool(value < 0))
    if not isinstance(point, Root):
        number = substitute(value, {parameter.name: point})
        return int(number > 0) - int(number < 0)
    top, bottom = parts(value, parameter)
    return _sign_at_root(top, point) * _sign_at_root(bottom, point)


def _sign_at_root(polynomial: Any, root: Root) -> int:
    if polynomial.rem(root.polynomial).is_zero:
        return 0
    while polynomial.count_roots(to_sympy(root.lo), to_sympy(root.hi)):
        root = root.refined()
    return _sign(polynomial, root.lo)
