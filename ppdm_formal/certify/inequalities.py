"""Linear inequalities, exactly: a solution x >= 0 of rows a.x + d >= 0, > 0, == 0, or why not.

Why not: rational multipliers (at least 0 except for ==) under which the rows add up to a
contradiction: coefficients <= 0 throughout, and a constant below 0, or equal to 0 with a
strict row among them (Motzkin's transposition theorem). Both come from one linear program that
maximizes the strict rows' common slack t <= 1; the multipliers are its dual solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.declare.arithmetic.simplex import Impossible, LinearRow, maximize

RowRelation: TypeAlias = Literal[">=", ">", "=="]


@dataclass(frozen=True)
class Row:
    """coefficients . x + constant, compared with 0."""

    coefficients: Sequence[Fraction]
    constant: Fraction
    relation: RowRelation


@dataclass(frozen=True)
class LinearOutcome:
    """Either a solution, or the multipliers of a contradiction, one a row."""

    solution: tuple[Fraction, ...] | None
    multipliers: tuple[Fraction, ...] | None


def solve(rows: Sequence[Row]) -> LinearOutcome:
    """Solve the rows or refute them."""
    width = len(rows[0].coefficients)
    program: list[LinearRow] = []
    for row in rows:
        slack = Fraction(-1 if row.relation == ">" else 0)
        sign: Literal[">=", "=="] = "==" if row.relation == "==" else ">="
        program.append(([*row.coefficients, slack], row.constant, sign))
    limit = [Fraction(0)] * width + [Fraction(-1)]
    found = maximize([-one for one in limit], [*program, (limit, Fraction(1), ">=")])
    # t's own row only adds to the constant: without it the rows still contradict.
    multipliers = found.multipliers[:-1]
    if isinstance(found, Impossible):
        return LinearOutcome(None, multipliers)
    if found.value > 0 or not any(row.relation == ">" for row in rows):
        return LinearOutcome(found.point[:width], None)
    return LinearOutcome(None, multipliers)
