"""Association of records with cells (Evf02 section 2): in order of z, as many as its mass says."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.bins import bin_places, bins_per_cell, placed
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import check_possible, design
from ppdm_formal.infer.reals.iterate import iterate
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Floats

Codes = npt.NDArray[np.int64]


def associated(order: Codes, masses: Floats) -> Codes:
    """The cell of each record, given its place among the others; ties are by their order.

    >>> associated(np.array([3, 0, 2, 1]), np.array([0.25, 0.0, 0.75])).tolist()
    [2, 0, 2, 2]
    """
    ends = np.rint(np.cumsum(masses) / masses.sum() * len(order))
    return np.searchsorted(ends, order, side="right").clip(0, len(masses) - 1).astype(np.int64)


def coded(values: Floats, cells: Partition) -> Codes:
    """The cell of each value itself; what lies outside goes to the nearest one."""
    inside = values.clip(float(cells.lo), float(cells.hi))
    return bin_places(inside, cells, 1).clip(0, cells.count - 1)


class Reconstructed:
    """A perturbed attribute: what is needed to reconstruct it for any of its records."""

    def __init__(self, values: Floats, noise: Noise, cells: Partition, rule: Rule) -> None:
        whole, self.places = placed(values, cells, bins_per_cell(cells))
        self.channel = design(whole, noise, "em")
        check_possible(whole, self.channel, cells)
        self.size = len(whole.counts)
        self.rule = rule
        self.order = np.empty(len(values), dtype=np.int64)
        self.order[np.argsort(values, kind="stable")] = np.arange(len(values))

    def masses(self, records: Codes) -> Floats:
        """The reconstructed distribution of some records."""
        counts = np.bincount(self.places[records], minlength=self.size).astype(np.float64)
        return iterate(self.channel, counts, self.rule).masses

    def codes(self, records: Codes) -> Codes:
        """The cells of some records, by the distribution reconstructed from them."""
        places = np.empty(len(records), dtype=np.int64)
        places[np.argsort(self.order[records], kind="stable")] = np.arange(len(records))
        return associated(places, self.masses(records))
