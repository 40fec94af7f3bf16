"""Rough numbers in floats: prior masses of cells, likelihoods; for pictures, and for guesses.

Nothing is decided by them: what is found so is proved by belief.py or every_property.py.
"""

from __future__ import annotations

import numpy as np

from ppdm_formal.declare.noises.named import Floats
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density, Flat


def masses(density: Density, edges: Floats) -> Floats:
    """P[x lies in a cell], for the cells between edges."""
    found = np.zeros(edges.size - 1)
    for part in density.components:
        a, b = (float(end) for end in part.support)
        if isinstance(part, Flat):
            share = np.diff(np.clip((edges - a) / (b - a), 0, 1))
        else:
            cut = np.concatenate([[a], np.clip(edges, a, b), [b]]) - float(part.mean)
            if cut[0] > 0:  # mirrored: digits are not lost on the right
                below = part.law.cdf(-cut)
                share = (below[1:-2] - below[2:-1]) / (below[0] - below[-1])
            else:
                below = part.law.cdf(cut)
                share = np.diff(below[1:-1]) / (below[-1] - below[0])
        found += float(part.weight) * np.nan_to_num(share)
    return found


def likelihood(operator: ContinuousOperator, xs: Floats, zs: Floats) -> Floats:
    """p(z|x), a row an x."""
    found = operator.noise.pdf(zs[None, :] - xs[:, None])
    window = operator.window
    if window is not None and window.kind == "truncated":
        found = found / np.maximum(share(operator, xs), 1e-300)[:, None]
    return found


def share(operator: ContinuousOperator, xs: Floats) -> Floats:
    """P[the output lies in the window | x]."""
    window, noise = operator.window, operator.noise
    assert window is not None
    low, high = float(window.lo) - xs, float(window.hi) - xs
    left = noise.cdf(high) - noise.cdf(low)
    right = noise.mirrored().cdf(-low) - noise.mirrored().cdf(-high)
    return np.where(low > float(noise.center), right, left)
