"""Standard errors and intervals of maximum likelihood, from its information at the optimum.

Observed information J = P diag(n / m^2) P^T; on distributions (sum 1) the covariance is
J^-1 - J^-1 1 1^T J^-1 / (1^T J^-1 1). At the boundary, where some masses are 0, the estimates are
not normal, and no standard error says how they scatter. Intervals are therefore those of the
linear estimator to which maximum likelihood is equivalent while all masses are positive: the
scores W P^T G^-1, G = P W P^T, with W = diag(1 / m) at the optimum. Cut to what is possible, and
widened to the estimate where that is outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_formal.run.estimate.channel import Channel
from ppdm_formal.run.estimate.counts import Floats, Integers
from ppdm_formal.run.estimate.likelihood import Fit


@dataclass(frozen=True)
class Efficient:
    """Linear estimates with scores W P^T G^-1, their sandwich G^-1 B G^-1, and the covariance."""

    linear: Floats
    sandwich: Floats
    covariance: Floats


def efficient(channel: Channel, counts: Floats, found: Fit, basis: Integers) -> Efficient | None:
    """At the optimum; inputs outside the basis of rows get 0. None where doubles do not suffice."""
    rows = float(counts.sum())
    possible = found.outputs > 0
    inverse = np.divide(1.0, found.outputs, out=np.zeros_like(found.outputs), where=possible)
    shares = counts / rows
    expected = channel.information(inverse)
    observed = channel.information(shares * inverse**2)
    score = channel.back(shares * inverse).ravel()
    inside = np.ix_(basis, basis)
    middle = _inverse(expected[inside])
    if middle is None:
        return None
    size = len(expected)
    linear = np.zeros(size)
    linear[basis] = middle @ score[basis]
    sandwich = np.zeros((size, size))
    sandwich[inside] = middle @ observed[inside] @ middle
    covariance = np.zeros((size, size))
    spread = _inverse(observed[inside])
    if spread is None:  # fewer outputs occur than there are inputs
        spread = middle
    ones = spread.sum(axis=0)
    covariance[inside] = (spread - np.outer(ones, ones) / ones.sum()) / rows
    return Efficient(linear, sandwich, covariance)


def _inverse(matrix: Floats) -> Floats | None:
    """The inverse of a positive definite matrix, or None where rounding would decide it."""
    scale = 1 / np.sqrt(np.diag(matrix))
    if not np.isfinite(scale).all():
        return None
    scaled = matrix * scale * scale[:, None]
    try:
        half = np.linalg.inv(np.linalg.cholesky(scaled))
    except np.linalg.LinAlgError:
        return None
    if np.abs(half).max() > 1e7:
        return None
    return np.asarray((half.T @ half) * scale * scale[:, None])
