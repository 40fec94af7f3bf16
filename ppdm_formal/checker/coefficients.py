"""Coefficients of polynomials on boxes, which show what cannot be anywhere on a box.

On a box scaled to 0 <= t <= 1 a polynomial is a mean of its coefficients in the Bernstein basis,
C(d, i) t^i (1 - t)^(d - i) along each axis, with weights that are all positive inside the box. On
a face of the box it is one of the coefficients of that face.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from .clock import tick
from .closed_form import Terms
from .interval import Interval, is_rational
from .limits import MAX_TABLE, ZERO
from .result import need


@dataclass(frozen=True)
class Table:
    """The coefficients of a polynomial on a box, times a positive number; the last axis runs."""

    shape: tuple[int, ...]
    entries: list[int]

    def halved(self, axis: int, upper: bool) -> Table:
        """On the lower or upper half of the box (de Casteljau)."""
        entries = list(self.entries)
        for line in lines(self.shape, axis):
            values = entries[line][::-1] if upper else entries[line]
            half = []
            while values:
                half.append(values[0] << (len(values) - 1))
                values = [a + b for a, b in pairwise(values)]
            entries[line] = half[::-1] if upper else half
        return Table(self.shape, entries)

    def face(self, sides_of: Sequence[int | None]) -> list[int]:
        """The entries of a face: 0 or -1 for an end of an axis, None for all of it."""
        places = [0]
        for size, side in zip(self.shape, sides_of, strict=True):
            kept = range(size) if side is None else [side % size]
            places = [place * size + i for place in places for i in kept]
        return [self.entries[place] for place in places]


def table(polynomial: Terms, box: Sequence[Interval]) -> Table:
    """The coefficients on a box, from those of the powers, one axis after the other."""
    need(is_rational([*polynomial.values()]), "exponentials beside several free parameters")
    shape = tuple(1 + max((p[i] for p in polynomial), default=0) for i in range(len(box)))
    need(math.prod(shape) <= MAX_TABLE, "a polynomial of too many coefficients")
    common = math.lcm(*(c.denominator for c in polynomial.values()))
    entries = [int(common * polynomial.get(p, ZERO)) for p in product(*map(range, shape))]
    for axis, interval in enumerate(box):
        low, high, degree = interval.low.low, interval.high.low, shape[axis] - 1
        scale = math.lcm(low.denominator, high.denominator)
        start, width = int(low * scale), int((high - low) * scale)
        whole = math.lcm(*(math.comb(degree, k) for k in range(degree + 1)))
        for line in lines(shape, axis):
            old = entries[line]
            # With x = (start + width t)/scale, in powers of t; then in the Bernstein basis.
            powers = [
                width**k
                * sum(
                    math.comb(j, k) * start ** (j - k) * scale ** (degree - j) * old[j]
                    for j in range(k, degree + 1)
                )
                for k in range(degree + 1)
            ]
            entries[line] = [
                sum(
                    math.comb(i, k) * (whole // math.comb(degree, k)) * powers[k]
                    for k in range(i + 1)
                )
                for i in range(degree + 1)
            ]
    return Table(shape, entries)


def lines(shape: Sequence[int], axis: int) -> Iterator[slice]:
    """The places of entries that lie behind each other along an axis."""
    stride = math.prod(shape[axis + 1 :])
    span = stride * shape[axis]
    for start in range(0, math.prod(shape), span):
        for first in range(start, start + stride):
            tick()
            yield slice(first, first + span - stride + 1, stride)


Wrong = list[tuple[Table, bool]]  # something wrong: all are above 0 (flag), or at least 0


def refuted(wrong: Wrong, box: Sequence[tuple[bool, bool]]) -> bool:
    """Whether it cannot be anywhere on a box, whose lower and upper ends belong to it or not.

    The points of a box are those of its faces, each without its own border: on each of them one
    of the conditions must fail.
    """

    def fails(entries: list[int], strict: bool) -> bool:
        return max(entries) <= 0 and (strict or min(entries) < 0)

    if any(max(part.entries) < (1 if strict else 0) for part, strict in wrong):
        return True
    axes = [[None] + [0] * low + [-1] * high for low, high in box]
    return all(
        any(fails(part.face(face), strict) for part, strict in wrong) for face in product(*axes)
    )
