"""From z = x + noise to the distribution of x on cells."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.bins import Bins, CountedBins, NoFit, binned
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.crossvalidation import held_out_iterations
from ppdm_formal.infer.reals.design import (
    Method,
    Ties,
    check_possible,
    design,
    explained,
)
from ppdm_formal.infer.reals.errors import standard_errors
from ppdm_formal.infer.reals.intervals import MOST, MOST_ENTRIES, intervals
from ppdm_formal.infer.reals.iterate import Ended, iterate
from ppdm_formal.infer.reals.result import Fitted, Observed, Reconstruction, Sent
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Channel, ConvolutionChannel, DenseChannel, Floats
from ppdm_formal.infer.undoing.chi_square import chi_square_tail
from ppdm_formal.infer.undoing.information import covariance
from ppdm_formal.infer.undoing.likelihood import Fit

RANK_CELLS = 600
"""The rank of a design is found for so many cells at most."""

_RANK = 1e-10
"""Singular values below this share of the largest count as 0."""

_CLEAR = 1e-9
"""Squares of singular values down to this share of the largest have six digits and more."""

UNLIKELY = 1e-6
"""Below this p-value the z do not look like x + noise."""

_SEARCH = 500
"""Accelerated iterations for a distribution that explains the z."""

_SHOWN = 60
"""Intervals of z that a picture shows, about."""

_EXPECTED = 5.0


def reconstruct(
    z: npt.ArrayLike,
    noise: Noise,
    cells: Partition,
    method: Method = "em",
    rule: Rule | None = None,
    *,
    accelerate: bool = False,
    ties: Ties = "closed",
    errors: bool = True,
    step: Fraction | None = None,
) -> Reconstruction:
    """The masses of the cells by EM or AS.

    ValueError for values that are no numbers; NoFit for data that do not go with cells and noise.
    errors: whether standard errors and the rank of the design are wanted as well. step: z was
    rounded to multiples of it (half a step to both sides; AS knows of no rounding).
    """
    fine = binned(z, cells, step=step)
    check_cells(fine, cells)
    exact = design(fine, noise, "em")
    check_possible(fine, exact, cells)
    known = Explained(cells, noise, fine, exact, partial(_parts, fine, noise) if errors else None)
    if method == "em":
        return known.by_iterations(rule or Rule(), accelerate=accelerate, errors=errors)
    coarse = binned(z, cells, 1)
    channel = design(coarse, noise, "as", ties)
    bins, left_out = explained(coarse, channel)
    if bins.total == 0:
        raise NoFit("AS explains none of the values: the cells are wider than the noise")
    approximate = Stepped(channel, bins.counts, left_out)
    return known.by_iterations(
        rule or Rule(), accelerate=accelerate, errors=errors, approximate=approximate
    )


def _parts(bins: Bins, noise: Noise) -> CellParts | None:
    """Each cell in three parts or more, of whole bins each."""
    each = next((d for d in range(3, bins.per_cell) if bins.per_cell % d == 0), bins.per_cell)
    cells = Partition(bins.cells.lo, bins.cells.hi, bins.cells.count * each)
    if cells.count * len(bins.counts) > MOST_ENTRIES or bins.cells.count > MOST:
        return None
    channel = design(replace(bins, cells=cells, per_cell=bins.per_cell // each), noise, "em")
    dense = channel.dense() if isinstance(channel, ConvolutionChannel) else channel
    assert isinstance(dense, DenseChannel)
    return CellParts(dense.matrix, each)


@dataclass(frozen=True)
class CellParts:
    """The law of each of `each` parts of every cell, a row each: for intervals."""

    laws: Floats
    each: int


@dataclass(frozen=True)
class Stepped:
    """What iterations go by: a channel and counts (AS has its own), and how many z are left out."""

    channel: Channel
    counts: Floats
    left_out: int


@dataclass(frozen=True)
class Explained:
    """Counted reports, and how likely each interval of them is for x in each cell."""

    cells: Partition
    applied: Noise | Sent
    seen: CountedBins
    channel: Channel
    parts: Callable[[], CellParts | None] | None = None

    def by_iterations(
        self,
        rule: Rule,
        *,
        accelerate: bool = False,
        errors: bool = True,
        approximate: Stepped | None = None,
    ) -> Reconstruction:
        """The masses of the cells after as many iterations as a rule says."""
        how = approximate or Stepped(self.channel, self.seen.counts, 0)
        used = rule
        if rule.kind == "cv":
            if rule.value > how.counts.sum():
                raise ValueError(f"stop cv: {rule.value:g} folds of {how.counts.sum():g} records")
            used = Rule("iterations", held_out_iterations(how.channel, how.counts, int(rule.value)))
        ended = iterate(how.channel, how.counts, used, accelerate=accelerate)
        fitted = self.channel.forward(ended.masses)
        fit = goodness(self.seen, fitted)
        rank, condition = rank_of(how.channel) if errors else (None, None)
        return Reconstruction(
            cells=self.cells,
            masses=ended.masses,
            se=_errors(how, ended, accelerate, rank) if errors else None,
            applied=self.applied,
            method="em" if approximate is None else "as",
            rule=rule,
            accelerated=accelerate,
            records=int(self.seen.counts.sum()),
            iterations=ended.iterations,
            met=ended.met,
            climbed=ended.climbed,
            log_likelihood=log_likelihood(self.seen, fitted),
            gap=ended.gap if approximate is None else None,
            rank=rank,
            condition=condition,
            fit=fit,
            mismatched=fit.p_value < UNLIKELY and _unexplained(self.seen, self.channel),
            observed=observed(self.seen, fitted),
            left_out=how.left_out,
            find_intervals=partial(self._intervals, ended.masses),
        )

    def _intervals(self, masses: Floats) -> tuple[Floats, Floats] | None:
        """The ends for each cell, where that is not too much work."""
        parts = None if self.parts is None else self.parts()
        if parts is None:
            return None
        return intervals(parts.laws, parts.each, self.seen.counts, masses)


def _unexplained(seen: CountedBins, channel: Channel) -> bool:
    """Whether not even the likeliest distribution on the cells explains the z."""
    best = iterate(channel, seen.counts, Rule("optimum", 1.0), accelerate=True, most=_SEARCH)
    return goodness(seen, channel.forward(best.masses)).p_value < UNLIKELY


def check_cells(seen: CountedBins, cells: Partition) -> None:
    """Refuse more cells than records."""
    total = int(seen.counts.sum())
    if cells.count > total:
        raise NoFit(
            f"{cells.count:,} cells for {total:,} values: use fewer cells than there are values"
        )


def log_likelihood(bins: CountedBins, fitted: Floats) -> float:
    """The log-likelihood of all z: sum of n log(m / unit)."""
    seen = bins.counts > 0
    if float(fitted[seen].min()) <= 0:
        return -math.inf
    return float(bins.counts[seen] @ np.log(fitted[seen] / bins.unit))


def rank_of(channel: Channel) -> tuple[int | None, float | None]:
    """The rank of the design in floating point, and the ratio of its extreme singular values."""
    if channel.inputs[0] > RANK_CELLS:
        return None, None
    dense = channel.dense() if isinstance(channel, ConvolutionChannel) else channel
    assert isinstance(dense, DenseChannel)
    squares = np.linalg.eigvalsh(dense.matrix @ dense.matrix.T)
    if squares[0] > _CLEAR * squares[-1]:  # quicker, and only a small ratio loses digits
        return len(squares), math.sqrt(squares[-1] / squares[0])
    values = np.linalg.svd(dense.matrix, compute_uv=False)
    rank = int((values > _RANK * values[0]).sum())
    return rank, float(values[0] / values[-1]) if values[-1] > 0 else math.inf


def goodness(bins: CountedBins, fitted: Floats) -> Fitted:
    """Chi-square of the z against their fitted distribution, neighbours joined to 5 expected.

    No degree of freedom is taken off for what was fitted: too lenient rather than too strict.
    """
    counts = bins.counts
    total = float(counts.sum())
    expected = fitted * total
    marks = np.floor(np.cumsum(expected) / _EXPECTED + 1e-9).astype(np.int64)
    groups = np.concatenate([[0], np.cumsum(np.diff(marks) > 0)])
    wanted, seen = (np.bincount(groups, weights=w) for w in (expected, counts))
    # what lies outside of all bins, and a last group that is too small, go to their neighbour
    wanted[-1] += max(0.0, total - float(wanted.sum()))
    if len(wanted) > 1 and wanted[-1] < _EXPECTED:
        wanted[-2] += wanted[-1]
        seen[-2] += seen[-1]
        wanted, seen = wanted[:-1], seen[:-1]
    statistic = float(((seen - wanted) ** 2 / np.maximum(wanted, 1e-300)).sum())
    freedom = len(wanted) - 1
    return Fitted(statistic, freedom, chi_square_tail(statistic, freedom))


def observed(bins: CountedBins, fitted: Floats) -> Observed:
    """Bins joined to a number that can be shown, from the first z to the last."""
    seen = np.flatnonzero(bins.counts)
    first, last = int(seen[0]), int(seen[-1]) + 1
    joined = max(1, -(-(last - first) // _SHOWN))
    starts = np.arange(first, last, joined)
    shares = np.add.reduceat(bins.counts[first:last], starts - first) / bins.counts.sum()
    expected = np.add.reduceat(fitted[first:last], starts - first)
    edges = bins.edges
    return Observed(np.append(edges[starts], edges[last]), shares, expected)


def _errors(how: Stepped, ended: Ended, accelerate: bool, rank: int | None) -> Floats | None:
    """By the iterations themselves, or by the information where they were accelerated."""
    if not accelerate:
        return standard_errors(how.channel, how.counts, ended.iterations)
    size = len(ended.masses)
    if rank != size:
        return None
    found = Fit(ended.masses, ended.outputs, ended.climbed[-1], ended.gap, ended.iterations)
    spread = covariance(how.channel, how.counts, found, np.arange(size))
    return None if spread is None else np.asarray(np.sqrt(np.maximum(np.diag(spread), 0.0)))
