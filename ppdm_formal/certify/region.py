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
from ppdm_formal.numbers.algebraic import Point, Root, ends
from ppdm_formal.numbers.exact import to_fraction
from ppdm_formal.numbers.line import Line, Name
from ppdm_formal.numbers.line import cells as line_cells
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.spelling import number_text


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
            return f"{name} = {_point_text(interval.start)}"
        low, high = (_point_text(point) for point in (interval.start, interval.end))
        below = "<=" if interval.start_included else "<"
        above = "<=" if interval.end_included else "<"
        from_start = (
            interval.start == self.parameter.lower
            and interval.start_included == self.parameter.includes_lower
        )
        to_end = (
            interval.end == self.parameter.upper
            and interval.end_included == self.parameter.includes_upper
        )
        if from_start:
            return f"{name} {above} {high}"
        if to_end:
            return f"{name} {'>=' if interval.start_included else '>'} {low}"
        return f"{low} {below} {name} {above} {high}"

    def __contains__(self, value: object) -> bool:
        """Whether the claim holds at a rational value of the parameter."""
        return isinstance(value, Fraction) and any(value in part for part in self.intervals)


def find_region(problem: Problem, line: Line) -> tuple[Region, tuple[Point, ...]]:
    """The region, and the cuts between which nothing that decides changes.

    Each cell is decided by a sample, each point in between by itself: a rational one like a
    sample, an irrational one by what decides in the cell before it, which still does.
    """
    parameter = line.parameter

    def holds(x: Fraction) -> bool:
        return not problem(x).violated(lambda form: _sign(form.at(x)))

    # Alternately points and cells, from the lower end to the upper one.
    stretches: list[_Stretch] = []
    cells = line_cells(line, lambda x: problem(x).polynomials())
    if parameter.includes_lower:
        stretches.append(_Stretch(line.low, line.low, holds(parameter.lower), parameter.lower))
    for left, right in cells:
        sample = _between(ends(line.point(left))[1], ends(line.point(right))[0])
        stretches.append(_Stretch(left, right, holds(sample), sample))
        point = line.point(right)
        if isinstance(point, Root):
            near = problem(sample)
            good = not near.violated(lambda form, at=right: line.sign_at(form, at))  # type: ignore[misc]
            stretches.append(_Stretch(right, right, good, None))
        elif point in parameter:
            stretches.append(_Stretch(right, right, holds(point), point))
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


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


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


def _point_text(point: Point) -> str:
    if not isinstance(point, Root):
        return number_text(point)
    while _millionths(point.lo) != _millionths(point.hi) or point.lo < 0 < point.hi:  # irrational
        point = point.refined()
    digits = str(_millionths(point.lo)).rjust(7, "0")
    sign = "-" if point.lo < 0 else ""
    polynomial = number_text(point.polynomial.clear_denoms(convert=True)[1].as_expr())
    return f"{sign}{digits[:-6]}.{digits[-6:]}... (a root of {polynomial})"


def _millionths(value: Fraction) -> int:
    """How many there are in its size, the rest cut off."""
    return abs(value.numerator) * 10**6 // value.denominator


def point_json(point: Point) -> Any:
    """A number, or the only root of a polynomial between two numbers."""
    if not isinstance(point, Root):
        return number_text(point)
    coefficients = map(to_fraction, reversed(point.polynomial.all_coeffs()))
    between = [number_text(point.lo), number_text(point.hi)]
    return {"polynomial": list(map(number_text, coefficients)), "between": between}
