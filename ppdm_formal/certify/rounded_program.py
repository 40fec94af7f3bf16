"""A matrix within rounding that satisfies none of the cuts, by linear programming, or weights.

Maximize s with a . p + s <= 0 for every cut and p within. If s > 0 is possible, its point is such a
matrix; otherwise the dual values of the cuts are weights y with sum(y a . p) >= 0 throughout.
Cells that no cut names are one variable a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.simplex import Best, LinearRow, maximize
from ppdm_formal.declare.operators.within import ONE, ZERO, Cell, Rows, Within


@dataclass(frozen=True)
class ColumnCut:
    """A breach as an inequality on one column: sum(cost * p) > 0, or = 0 as well where even.

    reaching: cells of which one above 0 makes the output possible. document: the breach as it
    stands in a certificate. proof: other costs with which it is surely a breach, where the exact
    limit is no rational number and `costs` is just below it.
    """

    costs: Mapping[Cell, Fraction]
    even: bool
    reaching: tuple[Cell, ...]
    document: Mapping[str, Any] = field(compare=False)
    proof: Mapping[Cell, Fraction] | None = field(default=None, compare=False)

    def reached(self, within: Within) -> bool:
        """Whether the output is possible in every matrix, for an input that counts."""
        return any(within.least[row][column] > 0 for row, column in self.reaching)


@dataclass(frozen=True)
class CutsAnswer:
    """A matrix, or weights of the cuts, or neither."""

    matrix: Rows | None
    weights: tuple[Fraction, ...] | None


def satisfying(within: Within, cuts: Sequence[ColumnCut], near: Rows) -> CutsAnswer:
    """A matrix that satisfies no cut, or weights under which every matrix satisfies some."""
    cells = list(dict.fromkeys(cell for cut in cuts for cell in cut.costs))
    touched = list(dict.fromkeys(row for row, _ in cells))
    place = {cell: k for k, cell in enumerate(cells)}
    rest = {row: len(cells) + k for k, row in enumerate(touched)}
    width = len(cells) + len(touched) + 1
    scale = [max(abs(cost) for cost in cut.costs.values()) for cut in cuts]
    offset = 1 + max(len(cut.costs) for cut in cuts)  # s = (last variable) - offset may be below 0

    def row_of(entries: Mapping[int, Fraction], constant: Fraction, equal: bool) -> LinearRow:
        return [entries.get(k, ZERO) for k in range(width)], constant, "==" if equal else ">="

    program: list[LinearRow] = []
    for cut, size in zip(cuts, scale, strict=True):
        # Variables are what a cell exceeds its least by.
        entries = {place[cell]: -cost / size for cell, cost in cut.costs.items()}
        base = sum((c / size * within.least[i][j] for (i, j), c in cut.costs.items()), ZERO)
        program.append(row_of({**entries, width - 1: -ONE}, offset - base, False))
    for row in touched:
        own = [column for i, column in cells if i == row]
        others = [column for column in range(within.shape[1]) if column not in own]
        entries = {place[row, column]: ONE for column in own} | {rest[row]: ONE}
        program.append(row_of(entries, sum(within.least[row], ZERO) - 1, True))
        for column in own:
            room = within.most[row][column] - within.least[row][column]
            program.append(row_of({place[row, column]: -ONE}, room, False))
        room = sum((within.most[row][k] - within.least[row][k] for k in others), ZERO)
        program.append(row_of({rest[row]: -ONE}, room, False))
    found = maximize([ZERO] * (width - 1) + [ONE], program)
    assert isinstance(found, Best), "the matrices within the rounding satisfy the program"
    strict = any(cut.even for cut in cuts)
    if found.value > offset or (found.value == offset and not strict):
        fixed = {
            (row, column): within.least[row][column] + more
            for (row, column), more in zip(cells, found.point, strict=False)
        }
        return CutsAnswer(within.with_cells(near, fixed), None)
    weights = [found.multipliers[k] / scale[k] for k in range(len(cuts))]
    return CutsAnswer(None, tuple(weights))
