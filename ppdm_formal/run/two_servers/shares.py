"""Additive shares: a vector as two that are uniformly random each, and sum to it modulo 2^64."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

MODULUS = 1 << 64


def split(report: Sequence[int]) -> tuple[list[int], list[int]]:
    """The shares of a report; the second is random bits, and so, on its own, is the first.

    >>> first, second = split([0, 1, 0])
    >>> total([first, second], 3)
    [0, 1, 0]
    """
    second = [secrets.randbits(64) for _ in report]
    return [(y - r) % MODULUS for y, r in zip(report, second, strict=True)], second


def total(vectors: Iterable[Sequence[int]], width: int) -> list[int]:
    """The sum of vectors, modulo 2^64."""
    found = [0] * width
    for vector in vectors:
        found = [(a + b) % MODULUS for a, b in zip(found, vector, strict=True)]
    return found


def is_share(found: object, width: int) -> bool:
    """Whether it has the form of a share; that is all that a server can tell."""
    return (
        isinstance(found, list)
        and len(found) == width
        and all(type(part) is int and 0 <= part < MODULUS for part in found)
    )


def vector_of(report: int | Sequence[int], width: int) -> list[int]:
    """A report as what is added up: one value as its indicator, several as those of all.

    >>> vector_of(2, 4), vector_of([0, 3], 4)
    ([0, 0, 1, 0], [1, 0, 0, 1])
    """
    members = {report} if isinstance(report, int) else set(report)
    return [int(value in members) for value in range(width)]
