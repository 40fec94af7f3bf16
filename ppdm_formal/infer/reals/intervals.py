"""Intervals of masses that cover whatever the density: noise, and a bias that is bounded.

Reconstructed masses are smoothed, and nothing in the data says by how much. So intervals come from
other estimates: means of scores d(s) of the bins s, whose bias is bounded for every distribution.
For x spread over cell j in the way t, P[j t, s] is the law of s, and the bias of cell i's scores
there is (P d)[j t] - [i = j]. No distribution has more than the largest of these, nor less than the
smallest; taking off their middle leaves half of their difference. Ways t are a density that falls
linearly to 0 within the cell, and one that rises so: every mixture of the two is allowed for.

Scores d = M^-1 P^T (P M^-1 P^T + lambda)^-1 e[i], with M = diag(m) about the law of s, trade noise
for bias; for each cell the lambda is taken at which bias + z standard errors is least. Wide
intervals say that the noise hides the cell: they cannot be narrower unless more is assumed.
"""

from __future__ import annotations

import numpy as np

from ppdm_formal.infer.undoing.channel import Floats

Z95 = 1.959963984540054

MOST = 400
"""Cells up to which intervals are computed."""

MOST_ENTRIES = 4_000_000
"""Parts of cells times bins up to which they are."""

_TRADES = np.geomspace(1e-9, 10.0, 21)
"""Lambdas that are tried, as shares of the largest eigenvalue."""


def tilted(parts: Floats, each: int) -> Floats:
    """Laws for x in each cell with a density that falls linearly to 0, and that rises so.

    parts: a row for each of `each` parts of every cell.

    >>> tilted(np.eye(2), 2).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    falling = (2 * (each - np.arange(each)) - 1) / each**2
    both = np.stack([falling, falling[::-1]])
    cells = parts.reshape(len(parts) // each, each, -1)
    return np.asarray((both @ cells).reshape(-1, parts.shape[1]))


def intervals(parts: Floats, each: int, counts: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """The ends for each cell, in [0, 1]; masses: about those of the cells, for the law of s."""
    size, records = len(masses), float(counts.sum())
    even = parts.reshape(size, each, -1).mean(axis=1)
    # as if each cell had been seen once more: an empty bin is not impossible
    law = (records * masses @ even + even.sum(axis=0)) / (records + size)
    seen = law > 0
    laws, law, share = tilted(parts, each)[:, seen], law[seen], counts[seen] / records
    law = law / law.sum()
    scaled = laws / law
    values, vectors = np.linalg.eigh(scaled @ laws.T)
    values = np.maximum(values, 0.0)
    target = np.repeat(np.eye(size), 2, axis=0)
    turned, whole = vectors.T @ target, vectors.T @ laws.sum(axis=1)
    best, weights = np.full(size, np.inf), np.zeros(size)
    middle, half = np.zeros(size), np.ones(size)
    for weight in _TRADES * values[-1]:
        kept = values / (values + weight)
        bias = (vectors * kept) @ turned - target
        most, least = bias.max(axis=0), bias.min(axis=0)
        # the second moment and the mean of scores d under m, without the scores themselves
        square = (kept / (values + weight)) @ turned**2
        spread = square - ((whole / (values + weight)) @ turned) ** 2
        length = (most - least) / 2 + Z95 * np.sqrt(np.maximum(spread, 0.0) / records)
        better = length < best
        best, weights = np.where(better, length, best), np.where(better, weight, weights)
        middle = np.where(better, (most + least) / 2, middle)
        half = np.where(better, (most - least) / 2, half)
    scores = scaled.T @ (vectors @ (turned / (values[:, None] + weights)))
    error = np.maximum(_error(law, scores, records), _error(share, scores, records))
    found, reach = share @ scores - middle, half + Z95 * error
    return np.clip(found - reach, 0.0, 1.0), np.clip(found + reach, 0.0, 1.0)


def _error(law: Floats, scores: Floats, records: float) -> Floats:
    """The standard error of mean scores of records that follow a law."""
    spread = law @ scores**2 - (law @ scores) ** 2
    return np.asarray(np.sqrt(np.maximum(spread, 0.0) / records))
