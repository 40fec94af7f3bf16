"""The exact region of a free parameter in which a claim holds, as a union of intervals.

Between the zeros of the claim's inequalities nothing changes, so that one rational sample
decides each cell; the zeros themselves (and ends that belong) are decided one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from ppdm_formal.certify.deciding import Problem
from ppdm_formal.declare.arithmetic.algebraic import Point, Root, ends
from ppdm_formal.declare.arithmetic.exact import to_sympy
from ppdm_formal.declare.arithmetic.exponential import Real, sign_of
from ppdm_formal.declare.arithmetic.line import Line, Name
from ppdm_formal.declare.arithmetic.line import cells as line_cells
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.spelling import number_text


@dataclass(frozen=True)
class Interval:
    """From one point to another, each included or not."""

    start: Point
    end: Point
    start_included: bool
    end_included: bool

    def __contains__(self, value: object) -> bool:
        """Whether a rational lies in it: a root is irrational, and told from it by refining."""
        if not isinstance(value, Fraction):
            return False
        start, end = (apart(point, value) for point in (self.start, self.end))
        above = value > ends(start)[1] or (self.start_included and value == start)
        return above and (value < ends(end)[0] or (self.end_included and value == end))


@dataclass(frozen=True)
class Region:
    """Where the claim holds; `violated` are rational values at which it does not."""

    parameter: Parameter
    intervals: tuple[Interval, ...]
    violated: tuple[Fraction, ...]
    complete: bool

    @property
    def text(self) -> str:
        """As people write it: p < 9/10."""
        name, declared = self.parameter.name, self.parameter.interval
        if self.complete:
            return f"every {name} in {declared}"
        if not self.intervals:
            return f"no {name} in {declared}"
        return " or ".join(self._interval_text(interval) for interval in self.intervals)

    def _interval_text(self, interval: Interval) -> str:
        name = self.parameter.name
        if interval.start == interval.end:
            return f"{name} = {_point_text(interval.start, self.parameter)}"
        low, high = (_point_text(point, self.parameter) for point in (interval.start, interval.end))
        below = "<=" if interval.start_included else "<"
        above = "<=" if interval.end_included else "<"
        if self.from_start(interval):
            return f"{name} {above} {high}"
        if self.to_end(interval):
            return f"{name} {'>=' if interval.start_included else '>'} {low}"
        return f"{low} {below} {name} {above} {high}"

    def from_start(self, interval: Interval) -> bool:
        """Whether an interval starts as what is declared does."""
        same = _number(interval.start) == self.parameter.ends[0]
        return same and interval.start_included == self.parameter.includes_lower

    def to_end(self, interval: Interval) -> bool:
        """Whether an interval ends as what is declared does."""
        same = _number(interval.end) == self.parameter.ends[1]
        return same and interval.end_included == self.parameter.includes_upper

    def __contains__(self, value: object) -> bool:
        """Whether the claim holds at a rational value of the parameter."""
        return isinstance(value, Fraction) and any(value in part for part in self.intervals)


def find_region(problem: Problem, line: Line) -> tuple[Region, tuple[Point, ...]]:
    """The region, and the cuts between which nothing that decides changes.

    Each cell is decided by a sample, each point in between by itself: a rational one like a
    sample, an irrational one by what decides in a cell beside it, which still does.
    """
    parameter = line.parameter

    def holds(x: Fraction) -> bool:
        return not problem(x).violated(lambda form: sign_of(form.at(x)))

    def at_point(name: Name, beside: Fraction) -> _Stretch:
        point = line.point(name)
        if not isinstance(point, Root):
            return _Stretch(name, name, holds(point), point)
        good = not problem(beside).violated(lambda form: line.sign_at(form, name))
        return _Stretch(name, name, good, None)

    # Alternately points and cells, from the lower end to the upper one.
    stretches: list[_Stretch] = []
    cells = line_cells(line, lambda x: problem(x).polynomials())
    for left, right in cells:
        sample = _between(ends(line.point(left))[1], ends(line.point(right))[0])
        if left == line.low and parameter.includes_lower:
            stretches.append(at_point(left, sample))
        stretches.append(_Stretch(left, right, holds(sample), sample))
        if right != line.high or parameter.includes_upper:
            stretches.append(at_point(right, sample))
    runs = [list(run) for good, run in groupby(stretches, key=lambda s: s.good) if good]
    intervals = tuple(
        Interval(
            line.point(run[0].start),
            line.point(run[-1].end),
            run[0].start == run[0].end,
            run[-1].start == run[-1].end,
        )
        for run in runs
    )
    bad = tuple(s.sample for s in stretches if not s.good and s.sample is not None)
    complete = all(stretch.good for stretch in stretches)
    cuts = tuple(line.point(right) for _, right in cells[:-1])
    return Region(parameter, intervals, bad, complete), cuts


@dataclass(frozen=True)
class _Stretch:
    """An open cell between two points, or one point; a rational in it unless it is irrational."""

    start: Name
    end: Name
    good: bool
    sample: Fraction | None


def _number(point: Point) -> Real | None:
    """A point that is a number, rational or with exponentials."""
    return point.number if isinstance(point, Root) else point


def apart(point: Point, value: Fraction) -> Point:
    """The point, refined until its interval does not hold the rational."""
    while isinstance(point, Root) and point.lo <= value <= point.hi:
        point = point.refined()
    return point


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The rational strictly between with the smallest denominator of the form 2^k or 10^k."""
    for base in (10, 2):
        scale = 1
        while scale <= 10**6 or base == 2:
            candidate = Fraction(low * scale // 1 + 1, scale)
            if low < candidate < high:
                return candidate
            scale *= base
    raise AssertionError("there is a rational between any two")


def _point_text(point: Point, parameter: Parameter) -> str:
    number = _number(point)
    if number is not None:
        return number_text(number)
    assert isinstance(point, Root)
    while _millionths(point.lo) != _millionths(point.hi) or point.lo < 0 < point.hi:  # irrational
        point = point.refined()
    digits = str(_millionths(point.lo)).rjust(7, "0")
    sign = "-" if point.lo < 0 else ""
    return f"{sign}{digits[:-6]}.{digits[-6:]}... (a root of {_polynomial_text(point, parameter)})"


def _polynomial_text(root: Root, parameter: Parameter) -> str:
    """Its polynomial over the integers, and over powers of e."""
    import sympy

    powers = (to_sympy(c) * parameter.symbol**k for k, c in enumerate(root.coefficients))
    return number_text(sympy.fraction(sympy.together(sympy.Add(*powers)))[0])


def _millionths(value: Fraction) -> int:
    """How many there are in its size, the rest cut off."""
    return abs(value.numerator) * 10**6 // value.denominator


def point_json(point: Point) -> Any:
    """A number, or the only root of a polynomial between two numbers."""
    number = _number(point)
    if number is not None:
        return number_text(number)
    assert isinstance(point, Root)
    between = [number_text(point.lo), number_text(point.hi)]
    return {"polynomial": list(map(number_text, point.coefficients)), "between": between}
