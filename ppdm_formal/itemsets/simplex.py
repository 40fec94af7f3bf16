"""A small exact linear program: maximize c x with A x <= a, B x = b, x >= 0, in rationals.

Two-phase tableau simplex with Bland's rule, so that it always ends. Meant for a dozen
variables; nothing here is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

Row: TypeAlias = tuple[Sequence[Fraction], Fraction]


class Infeasible(ValueError):
    """No point satisfies the constraints."""


def maximize(
    goal: Sequence[Fraction], at_most: Sequence[Row], equal: Sequence[Row]
) -> tuple[Fraction, tuple[Fraction, ...]]:
    """The largest value and a point that attains it.

    >>> one = Fraction(1)
    >>> best, x = maximize([one, one], [([2 * one, one], 4 * one)], [])
    >>> str(best), [str(v) for v in x]
    ('4', ['0', '4'])
    """
    count, slacks = len(goal), len(at_most)
    rows: list[list[Fraction]] = []
    for index, (left, right) in enumerate([*at_most, *equal]):
        slack = [Fraction(int(i == index)) for i in range(slacks)]
        row = [*map(Fraction, left), *slack, Fraction(right)]
        rows.append([-x for x in row] if right < 0 else row)
    width = count + slacks
    # One artificial variable a row; phase one drives their sum to zero.
    for index, row in enumerate(rows):
        row[width:width] = [Fraction(int(i == index)) for i in range(len(rows))]
    basis = [width + index for index in range(len(rows))]
    first = [Fraction(0)] * width + [Fraction(-1)] * len(rows)
    if _run(rows, basis, first, width + len(rows)) != 0:
        raise Infeasible("the constraints contradict one another")
    for index, held in enumerate(basis):
        if held >= width:
            column = next((c for c in range(width) if rows[index][c] != 0), None)
            if column is not None:
                _pivot(rows, basis, index, column)
    second = [*map(Fraction, goal), *[Fraction(0)] * (slacks + len(rows))]
    value = _run(rows, basis, second, width)
    point = [Fraction(0)] * width
    for row, held in zip(rows, basis, strict=True):
        if held < width:
            point[held] = row[-1]
    return value, tuple(point[:count])


def _run(
    rows: list[list[Fraction]], basis: list[int], goal: Sequence[Fraction], columns: int
) -> Fraction:
    """Pivot among the first `columns` variables until none improves the goal; its value."""
    while True:
        entering = None
        for column in range(columns):
            gain = goal[column] - sum(
                (goal[held] * row[column] for row, held in zip(rows, basis, strict=True)),
                Fraction(0),
            )
            if gain > 0:
                entering = column
                break
        if entering is None:
            return sum(
                (goal[held] * row[-1] for row, held in zip(rows, basis, strict=True)), Fraction(0)
            )
        limits = [
            (row[-1] / row[entering], basis[index], index)
            for index, row in enumerate(rows)
            if row[entering] > 0
        ]
        if not limits:
            raise ValueError("the linear program is unbounded")
        _pivot(rows, basis, min(limits)[2], entering)


def _pivot(rows: list[list[Fraction]], basis: list[int], index: int, column: int) -> None:
    scale = rows[index][column]
    rows[index] = [x / scale for x in rows[index]]
    for other, row in enumerate(rows):
        if other != index and row[column] != 0:
            factor = row[column]
            rows[other] = [x - factor * y for x, y in zip(row, rows[index], strict=True)]
    basis[index] = column
