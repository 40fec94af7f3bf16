"""Reconstruction: the distribution of x that was found from z = x + noise; all numbers sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.lattice import EquallySpaced
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Floats


@dataclass(frozen=True)
class FittedParameter:
    """A parameter of a family, with its standard error where there is one."""

    name: str
    value: float
    se: float | None


@dataclass(frozen=True)
class Family:
    """A parametric family that was fitted: its name, and its parameters."""

    name: str
    parameters: tuple[FittedParameter, ...]
    outside: float
    """The mass outside of all cells."""


@dataclass(frozen=True)
class Fitted:
    """How well the distribution explains the z: chi-square on bins with 5 expected or more."""

    statistic: float
    freedom: int
    p_value: float


@dataclass(frozen=True)
class Observed:
    """The z in as many intervals as a picture can show: ends, and the share in each."""

    edges: Floats
    shares: Floats
    fitted: Floats


@dataclass(frozen=True)
class Sent:
    """What numbers were sent through where no noise was named: an operator, and its numbers."""

    operator: Operator
    inputs: EquallySpaced
    outputs: EquallySpaced
    release: ReleaseFacts | None = None

    def __str__(self) -> str:
        """The operator's name."""
        return self.operator.name or "the operator"

    def middle_law(self, most: int) -> tuple[float, Floats, Floats]:
        """For pictures: the middle input, and what is sent for it as a density on `most` steps."""
        middle = self.inputs.size // 2
        masses = self.operator.law.float_rows(self.inputs.places[[middle]])[0][self.outputs.places]
        starts = np.arange(0, len(masses), max(1, -(-len(masses) // most)))
        ends = np.append(self.outputs.edges[starts], self.outputs.edges[-1])
        at = float(self.inputs.first + middle * self.inputs.step)
        return at, ends, np.add.reduceat(masses, starts) / np.diff(ends)


@dataclass(frozen=True)
class ReleaseFacts:
    """Where the reports come from: a file, its digest, what was decided, whether simulated."""

    file: str
    sha256: str
    claims: tuple[str, ...]
    simulated: bool


@dataclass(frozen=True)
class Reconstruction(Result):
    """Masses of the cells, how they scatter, 95% intervals, and how they came about."""

    shown_in: ClassVar[str] = "density"

    cells: Partition
    masses: Floats
    se: Floats | None
    """How masses scatter: on cells, without the bias of smoothing (no error of the density)."""
    applied: Noise | Sent
    """What turned x into z."""
    method: str
    rule: Rule
    accelerated: bool
    records: int
    iterations: int
    met: bool
    climbed: tuple[float, ...]
    """The log-likelihood of all z after each iteration; for AS, that of its own approximation."""
    log_likelihood: float
    """Of all z under the exact law: of densities for noise, of probabilities for an operator."""
    gap: float | None
    rank: int | None
    condition: float | None
    fit: Fitted
    observed: Observed
    mismatched: bool
    """Whether no distribution on the cells explains the z: another noise was added, or cells."""
    left_out: int = 0
    """AS: records whose interval no cell reaches by midpoints."""
    family: Family | None = None
    find_intervals: Callable[[], tuple[Floats, Floats] | None] | None = None
    """How the ends of intervals are found, when they are asked for."""
    column: str = "x"
    """What x is called."""

    @property
    def exit_code(self) -> int:
        """3 where the values do not look like x + this noise."""
        return 3 if self.mismatched else 0

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-density/1."""
        from ppdm_formal.infer.reals.density_json import density_json

        return density_json(self)

    @cached_property
    def _ends(self) -> tuple[Floats, Floats] | None:
        found = None if self.find_intervals is None else self.find_intervals()
        if found is None:
            return None
        return np.minimum(found[0], self.masses), np.maximum(found[1], self.masses)

    @property
    def low(self) -> Floats | None:
        """Lower ends of 95% intervals that hold whatever the density is; None: not computed."""
        return None if self._ends is None else self._ends[0]

    @property
    def high(self) -> Floats | None:
        """Their upper ends; they hold the reconstructed masses."""
        return None if self._ends is None else self._ends[1]

    @property
    def density(self) -> Floats:
        """The density in each cell."""
        return self.masses / self.cells.width

    @property
    def middles(self) -> Floats:
        """The middle of each cell."""
        edges = self.cells.edges
        return np.asarray((edges[1:] + edges[:-1]) / 2)

    @property
    def mean(self) -> float:
        """Of the reconstructed distribution within the cells."""
        return float(self.masses @ self.middles / self.masses.sum())
