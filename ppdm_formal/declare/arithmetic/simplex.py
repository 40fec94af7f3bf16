"""Exact linear programs: maximize goal . x with rows a . x + d >= 0 or == 0, and x >= 0.

A two-phase tableau simplex in rationals (FLINT's), or in numbers with exponentials. Either a best
point, or multipliers (at least 0 except for ==) under which the rows add up to a contradiction
(Farkas' lemma). Meant for dozens of variables; nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, is_rational, to_flint, to_fraction

Sign: TypeAlias = Literal[">=", "=="]
LinearRow: TypeAlias = tuple[Sequence[Any], Any, Sign]
"""Coefficients, constant, and how their sum compares with 0."""


class Unbounded(ValueError):
    """The goal grows without limit."""


@dataclass(frozen=True)
class Best:
    """The greatest value, a point that attains it, and the rows' multipliers that prove it."""

    value: Fraction
    point: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]


@dataclass(frozen=True)
class Impossible:
    """No point satisfies the rows; added up with these multipliers they contradict."""

    multipliers: tuple[Fraction, ...]


def maximize(goal: Sequence[Fraction], rows: Sequence[LinearRow]) -> Best | Impossible:
    """Solve the program; Unbounded where there is no greatest value.

    >>> one = Fraction(1)
    >>> found = maximize([one, one], [([-2 * one, -one], 4 * one, ">=")])
    >>> str(found.value), [str(x) for x in found.point]
    ('4', ['0', '4'])
    """
    tableau = _Tableau(len(goal), rows, _rational(goal, rows))
    zero, one = tableau.zero, tableau.one
    if tableau.run([zero] * tableau.real + [one] * len(rows)) > 0:
        return Impossible(tableau.multipliers(one))
    cost = [-tableau.number(g) for g in goal]
    least = tableau.run(cost + [zero] * (tableau.columns - len(cost)))
    return Best(tableau.exact(-least), tableau.point(), tableau.multipliers(zero))


def _rational(goal: Sequence[Any], rows: Sequence[LinearRow]) -> bool:
    return all(map(is_rational, goal)) and all(
        is_rational(constant) and all(map(is_rational, coefficients))
        for coefficients, constant, _ in rows
    )


class _Tableau:
    """Columns: x, a surplus a row, an artificial a row; and the right hand side."""

    def __init__(self, width: int, rows: Sequence[LinearRow], rational: bool) -> None:
        self.number: Callable[[Any], Any] = to_flint if rational else lambda value: value
        self.exact: Callable[[Any], Any] = to_fraction if rational else lambda value: value
        self.zero, self.one = self.number(ZERO), self.number(ONE)
        height = len(rows)
        self.width, self.real, self.columns = width, width + height, width + 2 * height
        self.signs: list[int] = []
        self.cells: list[list[Any]] = []
        for index, (coefficients, constant, relation) in enumerate(rows):
            surplus, artificial = [self.zero] * height, [self.zero] * height
            surplus[index] = -self.one if relation == ">=" else self.zero
            artificial[index] = self.one
            sign = 1 if constant <= 0 else -1
            left = [*map(self.number, coefficients), *surplus]
            self.signs.append(sign)
            self.cells.append(
                [*(sign * cell for cell in left), *artificial, -sign * self.number(constant)]
            )
        self.basis = list(range(self.real, self.columns))
        self.reduced: list[Any] = []

    def run(self, cost: list[Any]) -> Any:
        """The least cost, from the basis that there is."""
        self.reduced = [*cost, self.zero]
        for row, basic in zip(self.cells, self.basis, strict=True):
            factor = cost[basic]
            if factor != 0:
                self.reduced = [a - factor * b for a, b in zip(self.reduced, row, strict=True)]
        pivots = 0
        while (entering := self._entering(careful=pivots > 50)) is not None:
            self._pivot(self._leaving(entering), entering)
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
        if best is None:
            raise Unbounded("the linear program is unbounded")
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

    def point(self) -> tuple[Fraction, ...]:
        """The values of x."""
        values = [Fraction(0)] * self.width
        for row, basic in zip(self.cells, self.basis, strict=True):
            if basic < self.width:
                values[basic] = self.exact(row[-1])
        return tuple(values)

    def multipliers(self, artificial_cost: Any) -> tuple[Fraction, ...]:
        """The dual values of the rows, with the signs that the rows were given with."""
        return tuple(
            self.exact(sign * (artificial_cost - self.reduced[self.real + index]))
            for index, sign in enumerate(self.signs)
        )
