"""Linear inequalities, exactly: a solution x >= 0 of rows a.x + d >= 0, > 0, == 0, or why not.

Why not: rational multipliers (at least 0 except for ==) under which the rows add up to a
contradiction: coefficients <= 0 throughout, and a constant below 0, or equal to 0 with a
strict row among them (Motzkin's transposition theorem). Both come from one simplex run that
maximizes the strict rows' common slack; the multipliers are its dual solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

RowRelation: TypeAlias = Literal[">=", ">", "=="]


@dataclass(frozen=True)
class Row:
    """coefficients . x + constant, compared with 0."""

    coefficients: Sequence[Fraction]
    constant: Fraction
    relation: RowRelation


@dataclass(frozen=True)
class Outcome:
    """Either a solution, or the multipliers of a contradiction, one a row."""

    solution: tuple[Fraction, ...] | None
    multipliers: tuple[Fraction, ...] | None


def solve(rows: Sequence[Row]) -> Outcome:
    """Solve the rows or refute them."""
    tableau = _Tableau(rows)
    if tableau.run(first_phase=True) > 0:
        return Outcome(None, tableau.multipliers(1))
    slack = -tableau.run(first_phase=False)
    if slack > 0 or not any(row.relation == ">" for row in rows):
        return Outcome(tableau.solution(), None)
    return Outcome(None, tableau.multipliers(0))


class _Tableau:
    """Columns: x, t (the strict rows' slack), a surplus and an artificial a row, t's own."""

    def __init__(self, rows: Sequence[Row]) -> None:
        from flint import fmpq

        self.zero, self.one = fmpq(0), fmpq(1)
        self.width = width = len(rows[0].coefficients)
        height = len(rows) + 1
        self.real = width + 1 + height
        self.signs: list[int] = []
        self.cells: list[list[Any]] = []
        for index, row in enumerate(rows):
            cells = [fmpq(a.numerator, a.denominator) for a in row.coefficients]
            cells.append(-self.one if row.relation == ">" else self.zero)
            cells += [self.zero] * height
            if row.relation != "==":
                cells[width + 1 + index] = -self.one
            right = fmpq(-row.constant.numerator, row.constant.denominator)
            self._add(cells, right, index, height)
        cells = [self.zero] * width + [self.one] + [self.zero] * height
        cells[-1] = self.one
        self._add(cells, self.one, height - 1, height)
        self.basis = [self.real + index for index in range(height)]

    def _add(self, cells: list[Any], right: Any, index: int, height: int) -> None:
        sign = 1 if right >= 0 else -1
        self.signs.append(sign)
        artificial = [self.zero] * height
        artificial[index] = self.one
        self.cells.append([sign * cell for cell in cells] + artificial + [sign * right])

    def run(self, first_phase: bool) -> Any:
        """Minimize the artificials' sum, or then -t; the minimum."""
        columns = len(self.cells[0]) - 1
        cost = [self.zero] * columns
        if first_phase:
            cost[self.real :] = [self.one] * (columns - self.real)
        else:
            cost[self.width] = -self.one
        self.reduced = [*cost, self.zero]
        for row, basic in zip(self.cells, self.basis, strict=True):
            if cost[basic] != 0:
                factor = cost[basic]
                self.reduced = [a - factor * b for a, b in zip(self.reduced, row, strict=True)]
        pivots = 0
        while (entering := self._entering(careful=pivots > 50)) is not None:
            leaving = self._leaving(entering)
            self._pivot(leaving, entering)
            pivots += 1
        return -self.reduced[-1]

    def _entering(self, careful: bool) -> int | None:
        """The steepest column; after many pivots the first one (Bland), which cannot cycle."""
        best, value = None, self.zero
        for column in range(self.real):
            if self.reduced[column] < value:
                if careful:
                    return column
                best, value = column, self.reduced[column]
        return best

    def _leaving(self, entering: int) -> int:
        """The row that limits the step; an artificial that is left at 0 goes first."""
        best: tuple[Any, int, int] | None = None
        for index, row in enumerate(self.cells):
            cell = row[entering]
            if self.basis[index] >= self.real and row[-1] == 0 and cell != 0:
                return index
            if cell > 0:
                key = (row[-1] / cell, self.basis[index], index)
                if best is None or key < best:
                    best = key
        assert best is not None, "t is at most 1 and the artificials' sum at least 0"
        return best[2]

    def _pivot(self, leaving: int, entering: int) -> None:
        pivot = self.cells[leaving]
        inverse = 1 / pivot[entering]
        pivot = self.cells[leaving] = [cell * inverse if cell else cell for cell in pivot]
        for index, row in enumerate([*self.cells, self.reduced]):
            factor = row[entering]
            if index == leaving or factor == 0:
                continue
            changed = [a - factor * b if b else a for a, b in zip(row, pivot, strict=True)]
            if index < len(self.cells):
                self.cells[index] = changed
            else:
                self.reduced = changed
        self.basis[leaving] = entering

    def solution(self) -> tuple[Fraction, ...]:
        """The values of x."""
        values = [Fraction(0)] * self.width
        for row, basic in zip(self.cells, self.basis, strict=True):
            if basic < self.width:
                values[basic] = _fraction(row[-1])
        return tuple(values)

    def multipliers(self, artificial_cost: int) -> tuple[Fraction, ...]:
        """The dual values of the rows (without t's own), signs as the rows were given."""
        return tuple(
            _fraction(self.signs[index] * (artificial_cost - self.reduced[self.real + index]))
            for index in range(len(self.cells) - 1)
        )


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
