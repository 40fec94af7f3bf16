"""Sums of independent bits of others who are told apart in parts, in floating point.

Of n - 1 others any o send a 1 with chance hi, the rest with lo. Cut 0..n - 1 into parts [o, o'): in
each at least o are of the first kind for sure, and n - o' of the second; their sum is the noise
that hides one bit (docs/shuffling.md, T7).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

SHARES = (1 / 8, 1 / 64, 1 / 512)
"""By what part of the noise others of one part may differ from others who are all told apart."""

MOST_PARTS = 300
MOST_CLIENTS = 10**8

_WIDE = 9.5
"""Of sums, in standard deviations."""

_DIRECT = 1 << 20
"""Longer sums are found by Fourier transforms, whose errors are 1e-16 of the largest chance."""


@lru_cache(maxsize=4096)
def binomial(trials: int, chance: float) -> tuple[int, Floats]:
    """How many of so many bits are 1: from where on, and the chances."""
    if trials == 0 or chance <= 0:
        return 0, np.ones(1)
    if chance >= 1:
        return trials, np.ones(1)
    mode = min(trials, int((trials + 1) * chance))
    half = int(_WIDE * math.sqrt(trials * chance * (1 - chance)) + 40)
    low, high = max(0, mode - half), min(trials, mode + half)
    s = np.arange(low, high)
    steps = np.log((trials - s) / (s + 1)) + math.log(chance) - math.log1p(-chance)
    weights = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(weights - weights.max())
    return low, weights / weights.sum()


def convolved(one: Floats, two: Floats) -> Floats:
    """Sums; by Fourier transforms where they are long."""
    if len(one) * len(two) <= _DIRECT:
        return np.convolve(one, two)
    size = len(one) + len(two) - 1
    return np.maximum(np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(two, size), size), 0)


def parted(clients: int, hi: float, lo: float, share: float) -> tuple[int, ...] | None:
    """Ends of parts of 0..n - 1, in each of which such a share of the least noise is lost at most.

    In [o, o') at least o of the others hold the value for sure and n - o' lack it. None: too many.
    """
    holding, lacking = hi * (1 - hi), lo * (1 - lo)
    kept = (1 - share) * clients * min(holding, lacking)
    ends = [0]
    while ends[-1] < clients:
        start = ends[-1]
        end = clients
        if lacking > 0:
            end = int(clients - (kept - start * holding) / lacking)
        ends.append(min(clients, max(start + 1, end)))
        if len(ends) > MOST_PARTS:
            return None
    return tuple(ends)


def with_bit(others: Floats, chance: float) -> Floats:
    """The sum with one bit more."""
    return np.asarray(np.append(others * (1 - chance), 0.0) + np.append(0.0, others * chance))


@dataclass(frozen=True)
class Cover:
    """Ends of parts, from which sum on P exceeds g Q in each, and by how much at most."""

    parts: tuple[int, ...]
    turns: tuple[int, ...]
    value: float


def cover(
    own: tuple[float, float], others: tuple[float, float], clients: int, factor: float, share: float
) -> Cover | None:
    """A bit that is 1 with chance p against q < p: sum of max(0, P[s] - g Q[s]), over all parts.

    others: hi and lo. None: too many parts, or one report alone decides it.
    """
    (p, q), (hi, lo) = own, others
    gaining, losing = p - factor * q, factor * (1 - q) - (1 - p)
    ends = parted(clients, hi, lo, share) if clients <= MOST_CLIENTS else None
    if ends is None or gaining <= 0 or losing <= 0:
        return None
    most, turns = 0.0, []
    for start, end in itertools.pairwise(ends):
        first, one = binomial(start, hi)
        second, two = binomial(clients - end, lo)
        f = np.append(np.append(0.0, convolved(one, two)), 0.0)
        positive = gaining * f[:-1] >= losing * f[1:]
        # It turns beyond the mode. Far out signs are those of rounding errors: there little is
        # left, and nothing is taken off.
        mode = int(f.argmax()) if losing >= gaining else 1
        last = int(np.flatnonzero(f > 1e-14 * f.max())[-1])
        sure = np.flatnonzero(positive[mode:last])
        turn = mode + int(sure[0]) if len(sure) else last
        tail = np.append(np.cumsum(f[::-1])[::-1], 0.0)
        less = losing * tail[turn + 1] if len(sure) else 0.0
        most = max(most, float(gaining * tail[turn] - less))
        turns.append(first + second + turn)
    return Cover(ends, tuple(turns), most)
