"""Subset sums by bit sets: the greatest sum of n_i w_i up to a limit, 0 <= n_i <= m_i.

Bit s of an integer says whether s can be reached; adding a weight is a shift and an or.
"""

from __future__ import annotations

from collections.abc import Sequence

MAX_BITS = 100_000_000
"""Room for the bit sets of all steps, which are kept to find the way back."""

NEAR = 100_000
"""How much of a great sum is left to be made up exactly."""


def greatest_sum(
    weights: Sequence[int], counts: Sequence[int], limit: int
) -> tuple[int, list[int]] | None:
    """The greatest reachable sum and how many of each weight make it; None if it is too large.

    >>> greatest_sum([5, 4], [3, 1], 13)
    (10, [2, 0])
    >>> greatest_sum([10**50], [7], 10**49)
    (0, [0])
    """
    packets: list[tuple[int, int]] = []
    for index, count in enumerate(counts):
        # Packets of 1, 2, 4, ... make every number up to the count.
        size = 1
        left = min(count, limit // weights[index])
        while left:
            packets.append((index, min(size, left)))
            left -= packets[-1][1]
            size *= 2
    if not packets:  # every weight is above the limit, which may be astronomical
        return 0, [0] * len(weights)
    if len(packets) * (limit + 1) > MAX_BITS:
        return None
    inside = (1 << (limit + 1)) - 1
    reached = [1]
    for index, size in packets:
        reached.append((reached[-1] | reached[-1] << (weights[index] * size)) & inside)
    total = rest = reached[-1].bit_length() - 1
    chosen = [0] * len(weights)
    for (index, size), before in zip(reversed(packets), reversed(reached[:-1]), strict=True):
        if not before >> rest & 1:
            chosen[index] += size
            rest -= weights[index] * size
    return total, chosen


def great_sum(weights: Sequence[int], counts: Sequence[int], limit: int) -> list[int]:
    """A sum near the limit, as large as it is: most of it greedily, the rest by bit sets.

    >>> weights, counts = [999_983, 7, 5], [10, 10**6, 10**6]
    >>> sum(n * w for n, w in zip(great_sum(weights, counts, 10**7 + 3), weights))
    10000003
    """
    room = limit - min(limit, NEAR)
    base = [0] * len(weights)
    for index in sorted(range(len(weights)), key=weights.__getitem__, reverse=True):
        base[index] = min(counts[index], room // weights[index])
        room -= base[index] * weights[index]
    used = sum(n * w for n, w in zip(base, weights, strict=True))
    left = [count - n for count, n in zip(counts, base, strict=True)]
    found = greatest_sum(weights, left, limit - used)
    return base if found is None else [n + m for n, m in zip(base, found[1], strict=True)]
