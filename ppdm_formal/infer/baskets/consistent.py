"""Consistent supports: the nearest ones that are in [0, 1] and fall from sets to larger sets.

The supports f that minimize sum (f_i - x_i)^2 / v_i where no set has more than a subset of it. The
multipliers l_e >= 0 of these inequalities minimize |x - V A' l|^2 in the norm of V^-1, by
projected gradients with momentum; f = x - V A' l. Being in [0, 1] is then a matter of clipping.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.estimated_supports import Floats

STEPS = 3000


def consistent(estimates: Floats, variances: Floats, above: npt.NDArray[np.int64]) -> Floats:
    """The nearest consistent supports; above: rows (subset, larger set), numbers of estimates.

    >>> pairs = np.array([[0, 2], [1, 2]])
    >>> consistent(np.array([0.5, 0.1, 0.2]), np.ones(3), pairs).round(3).tolist()
    [0.5, 0.15, 0.15]
    >>> consistent(np.array([0.5, 1.4, -0.2]), np.ones(3), pairs).round(3).tolist()
    [0.5, 1.0, 0.0]
    """
    small, large = np.asarray(above, dtype=np.int64).reshape(-1, 2).T
    x = np.array(estimates, dtype=float)
    v = np.maximum(variances, max(float(np.max(variances, initial=0)) * 1e-9, 1e-300))
    many = len(x)
    degree = np.bincount(small, minlength=many) + np.bincount(large, minlength=many)
    step = 1 / (v[small] * degree[small] + v[large] * degree[large])
    held = ahead = np.zeros(len(small))
    momentum = 1.0

    def supports(multipliers: Floats) -> Floats:
        moved = np.bincount(small, multipliers, many) - np.bincount(large, multipliers, many)
        return np.asarray(x + v * moved)

    scale = float(np.sqrt(np.min(v, initial=1.0)))
    for _ in range(STEPS if len(small) else 0):
        found = supports(ahead)
        new = np.maximum(ahead + step * (found[large] - found[small]), 0)
        if ((ahead - new) * (new - held)).sum() > 0:
            momentum = 1.0  # the momentum leads uphill: begin it anew
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / faster * (new - held)
        change = np.abs((new - held) / step).max()
        held, momentum = new, float(faster)
        if change < 1e-9 * scale:
            break
    return _lowered(np.clip(supports(held), 0, 1), small, large)


def _lowered(found: Floats, small: npt.NDArray[np.int64], large: npt.NDArray[np.int64]) -> Floats:
    """What is left by rounding: larger sets are lowered to their subsets."""
    while (found[large] > found[small]).any():
        found = found.copy()
        np.minimum.at(found, large, found[small])
    return found
