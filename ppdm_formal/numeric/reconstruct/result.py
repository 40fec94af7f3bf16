"""Reconstruction: the distribution of x that was found from z = x + noise; all numbers sampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_formal.numeric.channel import Floats
from ppdm_formal.numeric.noise import Noise
from ppdm_formal.numeric.reconstruct.cells import Cells
from ppdm_formal.numeric.reconstruct.stopping import Rule


@dataclass(frozen=True)
class Parameter:
    """A parameter of a family, with its standard error where there is one."""

    name: str
    value: float
    se: float | None


@dataclass(frozen=True)
class Family:
    """A parametric family that was fitted: its name, and its parameters."""

    name: str
    parameters: tuple[Parameter, ...]
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
class Reconstruction:
    """Masses of the cells with standard errors, and how they came about."""

    cells: Cells
    masses: Floats
    se: Floats | None
    noise: Noise
    method: str
    rule: Rule
    accelerated: bool
    records: int
    iterations: int
    met: bool
    climbed: tuple[float, ...]
    """The log-likelihood of all z after each iteration; for AS, that of its own approximation."""
    log_likelihood: float
    """Of all z, as densities, under the noise's exact law."""
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
