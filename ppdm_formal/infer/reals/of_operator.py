"""From the outputs of an operator on numbers to the distribution of x, on cells or in a family.

Its inputs g are equally spaced numbers that stand for what is rounded to them. For x uniform on a
cell, p[cell -> y] = sum over g of |cell and [g - step/2, g + step/2]| / |cell| p[g -> y]: the
operator's own law, so that nothing is binned and windows, atoms at their ends and rounding are all
accounted for. AS takes the row of the input that a cell's midpoint is rounded to instead (upwards
if it is half-way): the same where each input has a cell of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.reals.bins import NoFit
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import Method, check_possible
from ppdm_formal.infer.reals.in_family import POINTS, GridCounts
from ppdm_formal.infer.reals.intervals import MOST
from ppdm_formal.infer.reals.intervals import MOST_ENTRIES as MOST_ENTRIES_HELD
from ppdm_formal.infer.reals.lattice import EquallySpaced
from ppdm_formal.infer.reals.reconstruct import CellParts, Explained, Stepped, check_cells
from ppdm_formal.infer.reals.result import Reconstruction, ReleaseFacts, Sent
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import DenseChannel, Floats

MOST_ENTRIES = 20_000_000
"""Cells times outputs that are computed."""


@dataclass(frozen=True)
class OutputCounts:
    """How often each output occurs, outputs in the order of their numbers."""

    outputs: EquallySpaced
    counts: Floats
    unit: float = 1.0

    @property
    def edges(self) -> Floats:
        """Half a step to both sides of each output."""
        return self.outputs.edges


def reconstruct_operator(
    counts: Floats,
    operator: Operator,
    cells: Partition | None = None,
    rule: Rule | None = None,
    *,
    method: Method = "em",
    family: str | None = None,
    accelerate: bool = False,
    release: ReleaseFacts | None = None,
) -> Reconstruction:
    """The masses of the cells, from how often each output of the operator occurs.

    cells: one for each input unless named, inputs joined where there are more than 150. family:
    the likeliest of one, by the general EM, on a fine grid of all x that inputs stand for.
    """
    if family is not None and (method == "as" or accelerate):
        raise ValueError("a family is fitted by the general EM alone: it takes stop only")
    inputs = EquallySpaced.of(operator.inputs, f"inputs of {operator.name}")
    outputs = EquallySpaced.of(operator.outputs, f"outputs of {operator.name}")
    named = cells or inputs.cells()
    seen = OutputCounts(outputs, np.asarray(counts, dtype=np.float64)[outputs.places])
    if not seen.counts.any():
        raise ValueError("there are no values")
    check_cells(seen, named)
    sent = Sent(operator, inputs, outputs, release)
    if family is not None:
        inputs.shares(named)  # cells where no x can be are refused
        grid = inputs.grid(POINTS)
        channel = operator_channel(operator, inputs, outputs, grid)
        return GridCounts(named, sent, seen, grid, channel).fitted(family, rule)
    channel = operator_channel(operator, inputs, outputs, named)
    check_possible(seen, channel, named, f"{operator.name}(x)", "name wider cells")
    stepped = _by_midpoints(sent, seen, named) if method == "as" else None
    return Explained(named, sent, seen, channel, partial(_parts, sent, named)).by_iterations(
        rule or Rule(), accelerate=accelerate, approximate=stepped
    )


def _parts(sent: Sent, cells: Partition) -> CellParts | None:
    """Each cell in parts: one for each input of its own, up to four."""
    width, step = (cells.hi - cells.lo) / cells.count, sent.inputs.step
    each = max(1, min(4, round(width / step)))
    fine = Partition(cells.lo, cells.hi, cells.count * each)
    if fine.count * sent.outputs.size > MOST_ENTRIES_HELD or cells.count > MOST:
        return None
    channel = operator_channel(sent.operator, sent.inputs, sent.outputs, fine)
    return CellParts(channel.matrix, each)


def _by_midpoints(sent: Sent, seen: OutputCounts, cells: Partition) -> Stepped:
    """AS: what iterations go by, without outputs that no midpoint leads to."""
    inputs, ends = sent.inputs, cells.ends
    middles = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    matrix = _rows(sent.operator, sent.outputs, [[(inputs.nearest(m), 1.0)] for m in middles])
    unreached = matrix.sum(axis=0) <= 0
    left_out = int(seen.counts[unreached].sum())
    if left_out == int(seen.counts.sum()):
        raise NoFit("AS explains none of the values: no midpoint of a cell leads to any")
    return Stepped(DenseChannel(matrix), np.where(unreached, 0.0, seen.counts), left_out)


def operator_channel(
    operator: Operator, inputs: EquallySpaced, outputs: EquallySpaced, cells: Partition
) -> DenseChannel:
    """The channel from cells to outputs: means of the operator's rows."""
    if cells.count * outputs.size > MOST_ENTRIES:
        raise ValueError(
            f"{cells.count:,} cells for {outputs.size:,} outputs: at most {MOST_ENTRIES:,} "
            "probabilities are computed; name fewer cells"
        )
    return DenseChannel(_rows(operator, outputs, inputs.shares(cells)))


def _rows(
    operator: Operator, outputs: EquallySpaced, shares: Sequence[Sequence[tuple[int, float]]]
) -> Floats:
    """For each cell, the mean of the rows of inputs, by their shares."""
    some_rows = operator.law.float_rows
    found = np.empty((len(shares), outputs.size))
    for row, part in zip(found, shares, strict=True):
        places, weights = (np.array(column) for column in zip(*part, strict=True))
        row[:] = weights @ some_rows(places)
    return np.ascontiguousarray(found[:, outputs.places])
