"""Estimate: what was estimated from a release, before any writer; all numbers are sampled."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.undoing.discoveries import Discoveries
from ppdm_formal.infer.undoing.simplex import nearest_distribution

Method: TypeAlias = Literal["unbiased", "mle"]


@dataclass(frozen=True)
class Cell:
    """The estimated probability of one value, or of one combination.

    se: of the estimate as one of a population; se_coins: of the coins alone, the people being who
    they are. low, high: this cell's interval; low_all, high_all: of all cells at once.
    """

    value: tuple[Value, ...]
    estimate: float
    se: float
    se_coins: float
    low: float
    high: float
    low_all: float
    high_all: float


@dataclass(frozen=True)
class LostCell:
    """A value whose probability cannot be recovered."""

    value: tuple[Value, ...]


@dataclass(frozen=True)
class AlikeValues:
    """Values of one column that give the same answers: only their sum can be recovered."""

    values: tuple[Value, ...]
    estimate: float
    se: float
    low: float
    high: float


@dataclass(frozen=True)
class Quantity:
    """A mean (at is None) or the quantile at a share."""

    at: Fraction | None
    estimate: float
    se: float
    se_coins: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Independence:
    """A chi-square test that some columns are independent, the randomization accounted for."""

    columns: tuple[str, ...]
    mutual: bool
    statistic: float
    freedom: int
    p_value: float


@dataclass(frozen=True)
class Direction:
    """A direction in which one column's distribution is lost: (value, coefficient) pairs."""

    column: str
    terms: tuple[tuple[Value, int], ...]


@dataclass(frozen=True)
class Likelihood:
    """How maximum likelihood ended: within `gap` of the optimum."""

    log_likelihood: float
    gap: float
    steps: int
    information: bool
    """False where standard errors are those of the fixed decoder instead."""


@dataclass(frozen=True)
class ColumnFacts:
    """What is known of a column's decoder, and its prior by input where the model has one."""

    name: str
    operator: str
    numeric: bool
    inputs: int
    outputs: int
    exact: bool
    bias: float
    prior: tuple[str, tuple[Fraction, ...]] | None


@dataclass(frozen=True)
class EstimatedTable:
    """One column, or several jointly."""

    columns: tuple[ColumnFacts, ...]
    cells: tuple[Cell | LostCell, ...]
    groups: tuple[AlikeValues, ...]
    quantities: tuple[Quantity, ...]
    tests: tuple[Independence, ...]
    lost: tuple[Direction, ...]
    likelihood: Likelihood | None
    discovered: Discoveries | None = field(default=None, compare=False)
    """Of reports that speak for many values: those that somebody has, few of them false."""

    @cached_property
    def consistent(self) -> tuple[float, ...] | None:
        """The distribution nearest to the estimates, cell by cell; None where some are lost."""
        found = np.array([cell.estimate for cell in self.estimated])
        if len(found) < len(self.cells):
            return None
        return tuple(nearest_distribution(found).tolist())

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(column.name for column in self.columns)

    @property
    def estimated(self) -> list[Cell]:
        """The cells that have an estimate."""
        return [cell for cell in self.cells if isinstance(cell, Cell)]


@dataclass(frozen=True)
class ReleaseSource:
    """The release: its data file, and the digest of its description."""

    file: str
    sha256: str


@dataclass(frozen=True)
class Estimate(Result):
    """Everything asked about one collection."""

    shown_in: ClassVar[str] = "estimate"

    rows: int
    method: Method
    level: Fraction
    tables: tuple[EstimatedTable, ...]
    source: ReleaseSource | None
    simulated: bool
    """Whether a seeded generator drew the answers."""

    @property
    def complete(self) -> bool:
        """Whether every cell could be recovered."""
        return all(not table.lost for table in self.tables)

    @property
    def exit_code(self) -> int:
        """3 where some values cannot be recovered."""
        return 0 if self.complete else 3

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-estimate/1."""
        from ppdm_formal.infer.tables.estimate_json import estimate_json

        return estimate_json(self)
