"""From reports to the member of a parametric family that x is likeliest drawn from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.bins import CountedBins, binned
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import check_possible, design
from ppdm_formal.infer.reals.parametric import (
    Exponential,
    FamilyLaw,
    climb,
    family_law,
    parameter_covariance,
)
from ppdm_formal.infer.reals.reconstruct import (
    UNLIKELY,
    check_cells,
    goodness,
    log_likelihood,
    observed,
)
from ppdm_formal.infer.reals.result import Family, FittedParameter, Reconstruction, Sent
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Channel, Floats

POINTS = 600
"""Points of the grid on which x is integrated out."""

_TAIL = 8.0
"""Standard deviations of unbounded noise that the grid reaches beyond the values."""


def reconstruct_family(
    z: npt.ArrayLike, noise: Noise, cells: Partition, family: str, rule: Rule | None = None
) -> Reconstruction:
    """The parameters by the general EM, and the masses that they give the cells."""
    law = family_law(family)
    values = np.asarray(z, dtype=np.float64).ravel()
    check_cells(binned(values, cells), cells)
    grid = _grid(values, noise, law)
    bins = binned(values, grid, 1)
    channel = design(bins, noise, "em")
    check_possible(bins, channel, grid)
    return GridCounts(cells, noise, bins, grid, channel).fitted(family, rule)


@dataclass(frozen=True)
class GridCounts:
    """Counted reports, and how likely each interval of them is for x in each cell of a grid."""

    cells: Partition
    applied: Noise | Sent
    seen: CountedBins
    grid: Partition
    channel: Channel

    def fitted(self, family: str, rule: Rule | None) -> Reconstruction:
        """The likeliest member of a family, and the masses that it gives the cells."""
        law = family_law(family)
        used = rule or Rule("gain", 1e-4)
        if used.kind not in ("gain", "iterations"):
            raise ValueError(f"a family is fitted until gain:NATS or iterations:N, not {used.kind}")
        counts, channel = self.seen.counts, self.channel
        edges = self.grid.edges
        points = (edges[1:] + edges[:-1]) / 2
        gain = used.value if used.kind == "gain" else -math.inf
        ended = climb(law, points, channel, counts, gain, used.most)
        masses = np.diff(law.below(self.cells.edges, ended.parameters))
        fitted = channel.forward(law.density(points, ended.parameters) * self.grid.width)
        fit = goodness(self.seen, fitted)
        spread = parameter_covariance(law, points, channel, counts, ended.parameters)
        return Reconstruction(
            cells=self.cells,
            masses=masses,
            se=_mass_errors(law, self.cells.edges, ended.parameters, spread),
            applied=self.applied,
            method=family,
            rule=used,
            accelerated=False,
            records=int(counts.sum()),
            iterations=len(ended.climbed) - 1,
            met=ended.met or used.kind == "iterations",
            climbed=ended.climbed,
            log_likelihood=log_likelihood(self.seen, fitted),
            gap=None,
            rank=None,
            condition=None,
            fit=fit,
            mismatched=fit.p_value < UNLIKELY,
            observed=observed(self.seen, fitted),
            family=_described(family, law, ended.parameters, spread, masses),
        )


def _described(
    family: str, law: FamilyLaw, parameters: Floats, spread: Floats | None, masses: Floats
) -> Family:
    errors = [None] * len(parameters) if spread is None else list(np.sqrt(np.diag(spread)))
    named = zip(law.names, parameters, errors, strict=True)
    return Family(
        family,
        tuple(FittedParameter(n, float(v), None if e is None else float(e)) for n, v, e in named),
        max(0.0, 1 - float(masses.sum())),
    )


def _grid(values: Floats, noise: Noise, law: FamilyLaw) -> Partition:
    """Where x can be at all: the values less the noise; from 0 on for exponential x."""
    if values.size == 0 or not np.isfinite(values).all():
        raise ValueError("there are no values, or some are not numbers")
    far = _TAIL * noise.sd
    low, high = noise.support
    reach_low = -far if low is None else float(low)
    reach_high = far if high is None else float(high)
    start, end = float(values.min()) - reach_high, float(values.max()) - reach_low
    if isinstance(law, Exponential):
        start = 0.0
        if end <= 0:
            raise ValueError("exponential x are positive, and these values are not")
    return Partition(Fraction(start), Fraction(end), POINTS)


def _mass_errors(
    law: FamilyLaw, edges: Floats, parameters: Floats, spread: Floats | None
) -> Floats | None:
    """By the delta method, with differences."""
    if spread is None:
        return None
    slopes = np.empty((len(edges) - 1, len(parameters)))
    for k in range(len(parameters)):
        move = np.zeros(len(parameters))
        move[k] = 1e-4 * max(abs(parameters[k]), math.sqrt(max(spread[k, k], 0.0)), 1e-12)
        high, low = (law.below(edges, parameters + sign * move) for sign in (1, -1))
        slopes[:, k] = np.diff(high - low) / (2 * move[k])
    variances = np.einsum("ij,jk,ik->i", slopes, spread, slopes)
    return np.asarray(np.sqrt(np.maximum(variances, 0.0)))
