"""Standard errors of maximum likelihood: the covariance by the observed information.

J = P diag(n / m^2) P^T; on distributions (sum 1) the covariance is
J^-1 - J^-1 1 1^T J^-1 / (1^T J^-1 1), over all inputs, also those whose estimate is 0.

At the boundary, where some masses are 0, the estimates are not normal, and no standard error says
how they scatter. Intervals are therefore not made from these, nor from scores weighted by the
optimum (where an output's mass is estimated as 0, they take its absence for certain): they are
those of the unbiased estimates, cut to what is possible and widened to the estimate where that is
outside. So they cover what those cover.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.undoing.channel import Channel, Floats
from ppdm_formal.infer.undoing.likelihood import Fit


def covariance(
    channel: Channel, counts: Floats, found: Fit, basis: npt.NDArray[np.int64]
) -> Floats | None:
    """At the optimum; inputs outside the basis of rows get 0. None where doubles do not suffice.

    Where fewer outputs occur than there are inputs, the expected information stands in.
    """
    rows = float(counts.sum())
    possible = found.outputs > 0
    inverse = np.divide(1.0, found.outputs, out=np.zeros_like(found.outputs), where=possible)
    inside = np.ix_(basis, basis)
    spread = _inverse(channel.information(counts * inverse**2)[inside])
    if spread is None:
        spread = _inverse(channel.information(rows * inverse)[inside])
    if spread is None:
        return None
    size = int(np.prod(channel.inputs))
    full = np.zeros((size, size))
    ones = spread.sum(axis=0)
    full[inside] = spread - np.outer(ones, ones) / ones.sum()
    return full


def _inverse(matrix: Floats) -> Floats | None:
    """The inverse of a positive definite matrix, or None where rounding would decide it."""
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    scaled = matrix * scale * scale[:, None]
    try:
        half = np.linalg.inv(np.linalg.cholesky(scaled))
    except np.linalg.LinAlgError:
        return None
    if not np.abs(half).max() < 1e7:
        return None
    return np.asarray((half.T @ half) * scale * scale[:, None])
