"""Information loss (AA01 (6)): half the L1 distance of two densities, 1/2 int |f - g|.

AA01's loss is the mean of it over samples. g is constant on each cell and 0 outside of all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.undoing.channel import Floats

_NODES = 64


def information_loss(
    density: Callable[[npt.NDArray[Any]], npt.NDArray[Any]], cells: Partition, masses: Floats
) -> float:
    """Of masses on cells against a density; its mass outside of the cells counts as lost.

    The integral over a cell is a mean over 64 points; what the density has outside is what it
    lacks inside.
    """
    points = (np.arange(cells.count * _NODES) + 0.5) * (cells.width / _NODES) + float(cells.lo)
    true = density(points).reshape(cells.count, _NODES)
    inside = float(true.mean(axis=1).sum()) * cells.width
    apart = np.abs(true - (masses / cells.width)[:, None]).mean(axis=1).sum() * cells.width
    return float(apart + max(0.0, 1.0 - inside)) / 2


def cell_loss(true: Floats, masses: Floats) -> float:
    """The same between two distributions on the same cells: 1/2 sum |p - q|."""
    return float(np.abs(true - masses).sum()) / 2
