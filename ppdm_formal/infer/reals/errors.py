"""Standard errors of reconstructed masses: how they move when records are drawn anew.

Iterations that stop early are a function of the counts. Its derivative is carried along, iteration
by iteration (forward differentiation): for a change v of the counts, with r = n / m,
d pi' = (d pi g + pi ((v - r (d pi P)) / m) P^T) / N. Counts vary like a multinomial's.

For a matrix the whole derivative is one array D of cells by bins: D' = A D + B, where
A = (diag(g) - diag(pi) P diag(r/m) P^T) / N and B = diag(pi) P diag(1/m) / N. By FFT, changes of
sqrt(n[s]) in each bin s, less the common part, are carried along one by one, or a sample of random
ones where there are many. What early stopping smooths away is bias: no standard error says it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.undoing.channel import Channel, DenseChannel, Floats

EXACT = 400
"""Bins that occur, up to which each one's change is carried along."""

SAMPLED, FEWER = 200, 64
"""Random changes otherwise: standard errors are then right to about 5%, by fewer to about 9%."""

_MUCH, _WORK = 2e9, 2e10
"""Multiplications from which fewer changes are drawn; most of them: beyond there are no errors."""

_FFT = 500
"""Multiplications that an FFT takes for one number, about."""


def standard_errors(channel: Channel, counts: Floats, iterations: int) -> Floats | None:
    """Of the masses after so many iterations from equal masses; None where it is too much work."""
    seen = np.flatnonzero(counts)
    size = channel.inputs[0]
    whole = 1.5 * size * size * len(seen) * iterations
    if isinstance(channel, DenseChannel) and whole <= _WORK:
        found = _carried(channel.matrix[:, seen], counts[seen], iterations, np.float32)
        if np.isfinite(found).all():
            return found
        return _carried(channel.matrix[:, seen], counts[seen], iterations, np.float64)
    # for one change: a product with the matrix, or an FFT
    one = float(channel.outputs[0]) * iterations
    one *= size if isinstance(channel, DenseChannel) else _FFT
    rows = len(seen)
    if rows > EXACT:
        rows = SAMPLED if SAMPLED * one <= _MUCH else FEWER
    if rows * one > _WORK:
        return None
    changes = _changes(counts, seen, rows)
    records = counts.sum()
    masses = np.full(size, 1.0 / size)
    moved = np.zeros((len(changes), size))
    for _ in range(iterations):
        outputs = channel.forward(masses)
        inverse = np.zeros(len(counts))
        inverse[seen] = 1 / outputs[seen]
        ratio = counts * inverse
        gradient = channel.back(ratio)
        bent = (changes - ratio * channel.forward(moved)) * inverse
        moved = (moved * gradient + masses * channel.back(bent)) / records
        masses = masses * gradient / records
    return np.asarray(np.sqrt((moved**2).sum(axis=0)))


def _carried(
    matrix: Floats, counts: Floats, iterations: int, kind: type[np.float32] | type[np.float64]
) -> Floats:
    """By the whole derivative; kind: of its numbers, single precision leaves four digits."""
    size, records = len(matrix), float(counts.sum())
    root = np.sqrt(counts / records)
    short: npt.NDArray[Any] = matrix.astype(kind)
    masses = np.full(size, 1.0 / size)
    moved: npt.NDArray[Any] = np.zeros(short.shape, dtype=kind)  # times sqrt(n[s] N)
    diagonal = np.diag_indices(size)
    for _ in range(iterations):
        outputs = masses @ matrix
        gradient = matrix @ (root * root / outputs)
        column = masses.astype(kind)[:, None]
        scaled = short * (root / outputs).astype(kind)
        turned = np.negative(column) * (scaled @ scaled.T)
        turned[diagonal] += gradient.astype(kind)
        moved = turned @ moved
        scaled *= column
        moved += scaled
        masses = masses * gradient
    found = moved.astype(np.float64)
    common = found @ root
    varied = np.maximum((found**2).sum(axis=1) - common**2, 0.0)
    return np.asarray(np.sqrt(varied / records))


def _changes(counts: Floats, seen: npt.NDArray[np.intp], rows: int) -> Floats:
    """Rows v with sum of v v^T = diag(n) - n n^T / N, exactly or in expectation."""
    root = np.sqrt(counts)
    if len(seen) <= EXACT:
        made = np.zeros((len(seen), len(counts)))
        made[np.arange(len(seen)), seen] = root[seen]
        # less what moves all counts together
        made -= np.outer(root[seen], counts) / counts.sum()
        return made
    normal = np.random.default_rng(0).normal(size=(rows, len(counts))) / np.sqrt(rows)
    made = normal * root
    made -= np.outer(made.sum(axis=1), counts) / counts.sum()
    return np.asarray(made)
