"""Rows of an operator's matrix in floating point, for numeric work that decides nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ppdm_formal.numeric.channel import Floats
from ppdm_formal.numeric.continuous.grid_law import GridLaw
from ppdm_formal.operator.operator import Operator


def float_rows(operator: Operator) -> Callable[[npt.NDArray[np.int64]], Floats]:
    """p[x -> .] by the positions of inputs; noise on a grid needs no matrix for it."""
    if isinstance(operator.law, GridLaw):
        return operator.law.floats
    coded = operator.matrix()
    values = np.array([float(value) for value in coded.palette])
    return lambda places: np.asarray(values[coded.codes[places]])
