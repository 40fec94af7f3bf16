"""Bernstein: the sign of a polynomial over a box, by its coefficients in the Bernstein basis.

On the box, scaled to 0 <= t <= 1, the polynomial is a mean of its coefficients b,

    f(t) = sum over i of b[i] * product over axes of C(d, i) t^i (1 - t)^(d - i),

so that coefficients of one sign settle it, and those at the corners are values of f. Boxes
that do not decide are halved. All arithmetic is on integers: signs do not need a scale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import comb, lcm, prod
from typing import TypeAlias

Terms: TypeAlias = Sequence[tuple[Sequence[int], Fraction]]
"""The powers of each variable, and the coefficient."""

MAX_BOXES = 4096
"""How many boxes a question may split into."""

MAX_COEFFICIENTS = 4096
"""Polynomials with more coefficients are left undecided."""


@dataclass(frozen=True)
class Coefficients:
    """The coefficients of a polynomial on a box, times a positive number; the last axis runs."""

    shape: tuple[int, ...]
    values: list[int]

    def halved(self, axis: int, upper: bool) -> Coefficients:
        """The coefficients on the lower or upper half of the box."""
        return Coefficients(
            self.shape, _along(self.values, self.shape, axis, _upper if upper else _lower)
        )

    def face(self, chosen: Sequence[int | None]) -> list[int]:
        """The coefficients of a face: along each axis the first (0), the last (-1), or all."""
        places = [0]
        for size, end in zip(self.shape, chosen, strict=True):
            kept = range(size) if end is None else [end % size]
            places = [place * size + i for place in places for i in kept]
        return [self.values[place] for place in places]


def table(terms: Terms, box: Sequence[tuple[Fraction, Fraction]]) -> Coefficients | None:
    """The coefficients on a box; None where they are too many. Without terms: of 0."""
    shape = tuple(1 + max((p[axis] for p, _ in terms), default=0) for axis in range(len(box)))
    if prod(shape) > MAX_COEFFICIENTS:
        return None
    return Coefficients(shape, _coefficients(terms, box, shape))


def sign_on_box(terms: Terms, box: Sequence[tuple[Fraction, Fraction]]) -> int | None:
    """1 or -1 where the polynomial is never of the other sign (it may touch 0), otherwise None.

    terms: the powers of each variable, and the coefficient; not all coefficients are 0.

    >>> mixed = [((1, 0), Fraction(1)), ((0, 1), Fraction(1)), ((1, 1), Fraction(-2))]
    >>> sign_on_box(mixed, [(Fraction(0), Fraction(1))] * 2)
    1
    """
    start = table(terms, box)
    if start is None:
        return None
    shape = start.shape
    corners = [_place(corner, shape) for corner in product(*({0, n - 1} for n in shape))]
    boxes = [(0, start)]
    found: set[int] = set()
    for _ in range(MAX_BOXES):
        depth, part = boxes.pop()
        values = part.values
        if min(values) >= 0:
            found.add(1)
        elif max(values) <= 0:
            found.add(-1)
        else:
            found.update((values[c] > 0) - (values[c] < 0) for c in corners if values[c])
            while shape[depth % len(shape)] == 1:
                depth += 1
            axis = depth % len(shape)
            boxes.extend((depth + 1, part.halved(axis, upper)) for upper in (False, True))
        if len(found) == 2:
            return None
        if not boxes:
            return found.pop()
    return None


def _place(index: Sequence[int], shape: Sequence[int]) -> int:
    place = 0
    for position, size in zip(index, shape, strict=True):
        place = place * size + position
    return place


def _along(
    values: list[int], shape: Sequence[int], axis: int, change: Callable[[list[int]], list[int]]
) -> list[int]:
    """Change every line of coefficients that runs along an axis."""
    changed = list(values)
    stride = prod(shape[axis + 1 :])
    span = stride * shape[axis]
    for start in range(0, len(values), span):
        for first in range(start, start + stride):
            line = slice(first, first + span - stride + 1, stride)
            changed[line] = change(values[line])
    return changed


def _coefficients(
    terms: Terms,
    box: Sequence[tuple[Fraction, Fraction]],
    shape: Sequence[int],
) -> list[int]:
    """The Bernstein coefficients on the box, times a positive number."""
    common = lcm(*(coefficient.denominator for _, coefficient in terms))
    values = [0] * prod(shape)
    for powers, coefficient in terms:
        values[_place(powers, shape)] = int(coefficient * common)
    for axis, (low, high) in enumerate(box):

        def converted(line: list[int], low: Fraction = low, high: Fraction = high) -> list[int]:
            return _converted(line, low, high)

        values = _along(values, shape, axis, converted)
    return values


def _converted(line: list[int], low: Fraction, high: Fraction) -> list[int]:
    """From powers of x to the Bernstein basis of t, x = low + (high - low) t."""
    degree = len(line) - 1
    scale = lcm(low.denominator, high.denominator)
    start, width = int(low * scale), int((high - low) * scale)
    powers = [
        width**k
        * sum(
            comb(j, k) * start ** (j - k) * scale ** (degree - j) * line[j]
            for j in range(k, degree + 1)
        )
        for k in range(degree + 1)
    ]
    whole = lcm(*(comb(degree, k) for k in range(degree + 1)))
    return [
        sum(comb(i, k) * (whole // comb(degree, k)) * powers[k] for k in range(i + 1))
        for i in range(degree + 1)
    ]


def _lower(line: list[int]) -> list[int]:
    """The coefficients on the lower half (de Casteljau), times 2^degree."""
    half = []
    while line:
        half.append(line[0] << (len(line) - 1))
        line = [a + b for a, b in pairwise(line)]
    return half


def _upper(line: list[int]) -> list[int]:
    return _lower(line[::-1])[::-1]
