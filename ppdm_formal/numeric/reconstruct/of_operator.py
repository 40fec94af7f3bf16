"""From the outputs of an operator on numbers to the distribution of x on cells, by EM.

Its inputs g are equally spaced numbers that stand for what is rounded to them. For x uniform on a
cell, p[cell -> y] = sum over g of |cell and [g - step/2, g + step/2]| / |cell| p[g -> y]: the
operator's own law, so that nothing is binned and windows, atoms at their ends and rounding are all
accounted for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.numeric.channel import DenseChannel, Floats
from ppdm_formal.numeric.continuous.grid_law import GridLaw
from ppdm_formal.numeric.reconstruct.cells import Cells
from ppdm_formal.numeric.reconstruct.design import check_possible
from ppdm_formal.numeric.reconstruct.lattice import Lattice
from ppdm_formal.numeric.reconstruct.reconstruct import Explained, check_cells
from ppdm_formal.numeric.reconstruct.result import Reconstruction, ReleaseFacts, Sent
from ppdm_formal.numeric.reconstruct.stopping import Rule
from ppdm_formal.operator.operator import Operator

MOST_ENTRIES = 20_000_000
"""Cells times outputs that are computed."""


@dataclass(frozen=True)
class OutputCounts:
    """How often each output occurs, outputs in the order of their numbers."""

    outputs: Lattice
    counts: Floats
    unit: float = 1.0

    @property
    def edges(self) -> Floats:
        """Half a step to both sides of each output."""
        return self.outputs.edges


def reconstruct_operator(
    counts: Floats,
    operator: Operator,
    cells: Cells | None = None,
    rule: Rule | None = None,
    *,
    accelerate: bool = False,
    release: ReleaseFacts | None = None,
) -> Reconstruction:
    """The masses of the cells, from how often each output of the operator occurs.

    cells: one for each input unless named, inputs joined where there are more than 150.
    """
    inputs = Lattice.of(operator.inputs, f"inputs of {operator.name}")
    outputs = Lattice.of(operator.outputs, f"outputs of {operator.name}")
    named = cells or inputs.cells()
    seen = OutputCounts(outputs, np.asarray(counts, dtype=np.float64)[outputs.places])
    if not seen.counts.any():
        raise ValueError("there are no values")
    check_cells(seen, named)
    channel = operator_channel(operator, inputs, outputs, named)
    check_possible(seen, channel, named, f"{operator.name}(x)", "name wider cells")
    sent = Sent(operator, inputs, outputs, release)
    return Explained(named, sent, seen, channel).by_iterations(
        rule or Rule(), accelerate=accelerate
    )


def operator_channel(
    operator: Operator, inputs: Lattice, outputs: Lattice, cells: Cells
) -> DenseChannel:
    """The channel from cells to outputs: means of the operator's rows."""
    if cells.count * outputs.size > MOST_ENTRIES:
        raise ValueError(
            f"{cells.count:,} cells for {outputs.size:,} outputs: at most {MOST_ENTRIES:,} "
            "probabilities are computed; name fewer cells"
        )
    some_rows = float_rows(operator)
    found = np.empty((cells.count, outputs.size))
    for row, shares in zip(found, inputs.shares(cells), strict=True):
        places, weights = (np.array(part) for part in zip(*shares, strict=True))
        row[:] = weights @ some_rows(places)
    return DenseChannel(np.ascontiguousarray(found[:, outputs.places]))


def float_rows(operator: Operator) -> Callable[[npt.NDArray[np.int64]], Floats]:
    """Rows of the matrix in floating point, by the positions of inputs; grids write none out."""
    if isinstance(operator.law, GridLaw):
        return operator.law.floats
    coded = operator.matrix()
    values = np.array([float(value) for value in coded.palette])
    return lambda places: np.asarray(values[coded.codes[places]])
