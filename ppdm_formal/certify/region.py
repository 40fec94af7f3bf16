"""The exact region of a free parameter in which a claim holds, as a union of intervals.

Between the zeros of the claim's inequalities nothing changes, so that one rational sample
decides each cell; the zeros themselves (and ends that belong) are decided one by one.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.violations import Alternative
from ppdm_formal.numbers.algebraic import Point, Root, ends, sign_at, zeros_and_poles
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


def find_region(alternatives: Sequence[Alternative], parameter: Parameter) -> Region:
    """Decide every cell and every point in between."""
    values = dict.fromkeys(part.value for parts in alternatives for part in parts)
    inner = zeros_and_poles(values, parameter)
    points: list[Point] = [parameter.lower, *inner, parameter.upper]

    def holds(point: Point) -> bool:
        return not any(
            all(
                sign_at(part.value, parameter, point) >= (1 if part.strict else 0) for part in parts
            )
            for parts in alternatives
        )

    # Alternately points and cells, from the lower end to the upper one.
    stretches: list[tuple[Interval, bool, Point]] = []
    if parameter.includes_lower:
        stretches.append(_at(parameter.lower, holds(parameter.lower)))
    for left, right in itertools.pairwise(points):
        sample = _between(ends(left)[1], ends(right)[0])
        stretches.append((Interval(left, right, False, False), holds(sample), sample))
        if right is not points[-1]:
            stretches.append(_at(right, holds(right)))
    if parameter.includes_upper:
        stretches.append(_at(parameter.upper, holds(parameter.upper)))
    merged: list[Interval] = []
    previous = False
    for interval, good, _ in stretches:
        if good and previous:
            last = merged[-1]
            merged[-1] = Interval(
                last.start, interval.end, last.start_included, interval.end_included
            )
        elif good:
            merged.append(interval)
        previous = good
    bad = [sample for _, good, sample in stretches if not good and isinstance(sample, Fraction)]
    complete = all(good for _, good, _ in stretches)
    return Region(parameter, tuple(merged), tuple(bad), complete)


def _at(point: Point, good: bool) -> tuple[Interval, bool, Point]:
    return Interval(point, point, True, True), good, point


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
    while point.hi - point.lo > Fraction(1, 10**8):
        point = point.refined()
    middle = (point.lo + point.hi) / 2
    digits = str(abs(middle.numerator) * 10**6 // middle.denominator).rjust(7, "0")
    sign = "-" if middle < 0 else ""
    polynomial = number_text(point.polynomial.clear_denoms(convert=True)[1].as_expr())
    return f"{sign}{digits[:-6]}.{digits[-6:]}... (a root of {polynomial})"
