"""Cross-validation: the number of iterations after which held-out records are likeliest."""

from __future__ import annotations

import numpy as np

from ppdm_formal.infer.undoing.channel import Channel, Floats
from ppdm_formal.infer.undoing.likelihood import LikelihoodSearch

_PATIENCE = 50
"""Iterations without an improvement after which none is expected."""

_MOST = 2_000


def held_out_iterations(channel: Channel, counts: Floats, folds: int, seed: int = 0) -> int:
    """Records are dealt to folds at random; each fold judges what the others reconstruct."""
    random = np.random.default_rng(seed)
    parts = _dealt(counts, folds, random)
    searches = [LikelihoodSearch(channel, counts - part) for part in parts]
    size = channel.inputs[0]
    masses = [np.full(size, 1.0 / size) for _ in parts]
    best, best_at, at = -np.inf, 0, 0
    while at <= min(best_at + _PATIENCE, _MOST):
        held = 0.0
        for k, part in enumerate(parts):
            _, gradient, outputs = searches[k].at(masses[k])
            seen = part > 0
            with np.errstate(divide="ignore"):
                held += float(part[seen] @ np.log(np.maximum(outputs[seen], 0.0)))
            masses[k] = masses[k] * gradient / searches[k].rows
        if held > best:
            best, best_at = held, at
        at += 1
    return best_at


def _dealt(counts: Floats, folds: int, random: np.random.Generator) -> list[Floats]:
    """Whole records, dealt in turn after a shuffle: the folds differ by one record at most."""
    records = np.repeat(np.arange(len(counts)), counts.astype(np.int64))
    random.shuffle(records)
    return [
        np.bincount(records[k::folds], minlength=len(counts)).astype(np.float64)
        for k in range(folds)
    ]
