"""Designs: how likely each bin of z is for x in each cell, for EM and for AS.

EM (AA01 section 4): p[i -> s] = P[Z in bin s] for X uniform on cell i, that is
Pr(Y in z - cell i) / |cell i| integrated over the bin. AS (Evf02 (1)): bins are as wide as cells,
and p[i -> s] = f_Y(m(s) - m(i)) |bin|, m being midpoints. Both depend on s - stride i alone, so
that one row holds them all: sums go by FFT where there are many cells.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.bins import Bins, CountedBins, NoFit
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.undoing.channel import Channel, ConvolutionChannel, Floats

Method = Literal["em", "as"]
Ties = Literal["closed", "half", "open"]

FFT_CELLS = 300
"""From so many cells on, sums go by FFT; below, a matrix is quicker."""

_NODES = 16
"""Points of a bin over which probabilities are averaged: uniform noise has corners inside bins."""

_WIDEST = 1e8
"""Noise whose standard deviation is so many cells leaves only rounding errors of them."""

WIDER = "name wider cells, or the noise that was added"

_EDGE = 1e-9
"""AS: a jump of the density within this of a difference of midpoints (in bins) is a tie."""


def design(bins: Bins, noise: Noise, method: Method, ties: Ties = "closed") -> Channel:
    """The channel from cells to bins.

    ties: AS may evaluate f_Y just where it jumps (uniform noise). closed takes the larger side,
    which is f_Y on its closed support, open the smaller one, half their mean.
    """
    count, stride = bins.cells.count, bins.per_cell
    # s - stride i for the last cell and the first bin, up to the first cell and the last bin
    offsets = np.arange(
        bins.first - stride * (count - 1), bins.first + len(bins.counts), dtype=np.float64
    )
    offsets += bins.shift
    kernel = (
        _bin_chances(offsets, bins, noise)
        if method == "em"
        else _midpoint_densities(offsets, bins, noise, ties)
    )
    if noise.sd > _WIDEST * bins.cells.width or not kernel.max() > 0:
        raise NoFit(
            f"{noise} is out of all proportion to cells of width {bins.cells.width:g}: nothing of "
            "them is left in the values"
        )
    made = ConvolutionChannel(kernel, count, stride)
    return made if count >= FFT_CELLS else made.dense()


def _bin_chances(offsets: Floats, bins: Bins, noise: Noise) -> Floats:
    """P[Z in bin], X uniform on a cell: mean over z in the bin of Pr(Y in z - cell) / |cell|."""
    # Nodes of all bins lie on one grid, and a cell is a whole number of its steps.
    step, cell = bins.width / _NODES, bins.per_cell * _NODES
    places = np.arange(-cell, len(offsets) * _NODES) + 0.5
    below = noise.cdf(offsets[0] * bins.width + places * step)
    inside = np.maximum(below[cell:] - below[:-cell], 0.0)
    shares = inside.reshape(len(offsets), _NODES).mean(axis=1)
    return np.asarray(shares * (bins.width / bins.cells.width))


def _midpoint_densities(offsets: Floats, bins: Bins, noise: Noise, ties: Ties) -> Floats:
    """f_Y at differences of midpoints, times the width of a bin."""
    if bins.per_cell != 1:
        raise ValueError("AS takes bins as wide as cells")
    apart = offsets * bins.width
    sides = np.stack([noise.pdf(apart + shift * bins.width) for shift in (-_EDGE, _EDGE)])
    chosen = {"closed": sides.max(axis=0), "half": sides.mean(axis=0), "open": sides.min(axis=0)}
    return np.asarray(chosen[ties] * bins.width)


def check_possible(
    seen: CountedBins,
    channel: Channel,
    cells: Partition,
    made: str = "x + noise",
    remedy: str = WIDER,
) -> None:
    """NoFit where a z that occurs is impossible for x in the cells."""
    reached = channel.forward(np.full(channel.inputs, 1.0 / cells.count))
    outside = (seen.counts > 0) & (reached <= 1e-14 * reached.max())
    if outside.any():
        lost, total = int(seen.counts[outside].sum()), int(seen.counts.sum())
        edges, places = seen.edges, np.flatnonzero(seen.counts)
        raise NoFit(
            f"{lost:,} of {total:,} values cannot be {made} for any x in the cells "
            f"from {float(cells.lo):g} to {float(cells.hi):g} (values reach from about "
            f"{edges[places[0]]:g} to {edges[places[-1] + 1]:g}): {remedy}"
        )


def explained(bins: Bins, channel: Channel) -> tuple[Bins, int]:
    """AS: bins without those whose midpoint no cell's midpoint reaches, and how many z they held.

    The published sum would divide 0 by 0 there.
    """
    reached = channel.forward(np.full(channel.inputs, 1.0 / bins.cells.count))
    outside = reached <= 1e-14 * reached.max()
    left = int(bins.counts[outside].sum())
    return bins.with_counts(np.where(outside, 0.0, bins.counts)), left
