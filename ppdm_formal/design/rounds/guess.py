"""Guesses: which pairs are promising, and how many of them baskets hold, from items alone.

A pair's support is guessed as the product of its items', as if they were independent; true ones
are about 1.2 times as large (pairs go together more often than not), and half as far off again.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ppdm_formal.design.rounds.lengths import Floats, Lengths

Integers = npt.NDArray[np.int64]

TOGETHER = 1.2
"""How much likelier pairs are than their items' product says, and ..."""

SCATTER = 0.5
"""... by what share of that they differ from it."""

FEWEST = 12
"""Pairs are made of the most frequent items, at least so many, and of those that are sure."""


def promising(supports: Floats, errors: Floats, items: int, most: int) -> Integers:
    """The pairs with the largest products, a row each, of the items that look most frequent."""
    top = np.argsort(-supports, kind="stable")[:items]
    sure = supports[top] > 2 * errors[top]
    top = top[: max(int(sure.sum()), min(FEWEST, len(top)))] if sure.any() else top[:FEWEST]
    first, second = np.triu_indices(len(top), 1)
    product = supports[top[first]] * supports[top[second]]
    best = np.argsort(-product, kind="stable")[:most]
    pairs = np.stack([top[first[best]], top[second[best]]], axis=1)
    return np.sort(pairs, axis=1).astype(np.int64)


def products(supports: Floats, pairs: Integers) -> Floats:
    """What is guessed of each pair."""
    held = np.clip(supports, 1e-6, 1)
    first, second = held[pairs[:, 0]], held[pairs[:, 1]]
    return np.asarray(np.minimum(TOGETHER * first * second, np.minimum(first, second)))


def shrunk(found: Floats, variance: Floats, guess: Floats) -> tuple[Floats, Floats]:
    """What was measured, drawn towards the guess as far as it is noisy; with its variance."""
    spread = (SCATTER * guess) ** 2 + 1e-16
    both = 1 / (1 / variance + 1 / spread)
    return both * (found / variance + guess / spread), both


def in_doubt(
    found: Floats, variance: Floats, top: int, rng: np.random.Generator, fewest: int = 0
) -> Integers:
    """Which are neither surely among the `top` largest nor surely not (3% and 97%).

    Where these are fewer than `fewest`, those nearest to the last of the largest.
    """
    if len(found) <= top:
        return np.arange(len(found))
    drawn = found + rng.standard_normal((300, len(found))) * np.sqrt(variance)
    least = -np.partition(-drawn, top - 1, axis=1)[:, top - 1]
    chance = (drawn >= least[:, None]).mean(axis=0)
    doubt = np.flatnonzero((chance > 0.03) & (chance < 0.97))
    if len(doubt) >= fewest:
        return doubt
    last = np.sort(found)[::-1][top - 1 : top + 1].mean()
    return np.sort(np.argsort(np.abs(found - last), kind="stable")[:fewest])


def imagined(
    lengths: Lengths, supports: Floats, pairs: Integers, rng: np.random.Generator, draws: int = 6000
) -> Lengths:
    """How many of the pairs baskets hold, imagined from their lengths and the items' supports."""
    used = np.unique(pairs)
    rates = np.geomspace(1e-7, 60, 500)
    held = (1 - np.exp(-np.outer(rates, lengths.sizes))) @ lengths.shares
    own = np.interp(np.clip(supports[used], 1e-6, 0.98), held, rates)
    sizes = rng.choice(lengths.sizes, draws, p=lengths.shares)
    holds = (rng.random((draws, len(used))) < 1 - np.exp(-np.outer(sizes, own))).astype(np.float32)
    graph = np.zeros((len(used), len(used)), dtype=np.float32)
    graph[np.searchsorted(used, pairs[:, 0]), np.searchsorted(used, pairs[:, 1])] = 1
    counts = np.rint(((holds @ graph) * holds).sum(axis=1)).astype(np.int64)
    return Lengths.of(dict(enumerate((np.bincount(counts) + 1e-9).tolist())))


def corrected_aim(
    supports: Floats, errors: Floats, items: int, top: int, rng: np.random.Generator
) -> float:
    """The support of the last of the top pairs, without what looking for the largest adds.

    Noise makes the largest look larger (the winner's curse): as much as further noise of the same
    size adds to the aim of the estimates is taken away from it again.
    """

    def aim(found: Floats) -> float:
        best = -np.sort(-np.clip(found, 0, 1))[:items]
        first, second = np.triu_indices(len(best), 1)
        guess = -np.sort(-TOGETHER * best[first] * best[second])
        return float(guess[min(top, len(guess)) - 1])

    seen = aim(supports)
    noisier = [aim(supports + errors * rng.standard_normal(len(supports))) for _ in range(20)]
    return max(seen * seen / max(seen, float(np.mean(noisier)), 1e-300), 1e-6)
