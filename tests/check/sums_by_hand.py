"""Sums of columns by hand: what is seen of reports of independent bits, by listing all sums.

A column's bit is 1 with chance hi where the value is held, lo where not. Of the others so many hold
the value of each column. Everything is a Fraction; nothing is shared with what it checks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction as F

Law = list[F]


def column(chances: Sequence[F]) -> Law:
    """How likely so many of independent bits are 1."""
    found = [F(1)]
    for p in chances:
        longer = [F(0)] * (len(found) + 1)
        for s, mass in enumerate(found):
            longer[s] += mass * (1 - p)
            longer[s + 1] += mass * p
        found = longer
    return found


def joint(columns: Sequence[Law]) -> Iterator[tuple[tuple[int, ...], F]]:
    """All sums of all columns."""
    for sums in itertools.product(*(range(len(law)) for law in columns)):
        yield sums, math.prod((law[s] for law, s in zip(columns, sums, strict=True)), start=F(1))


def seen(
    hi: F, lo: F, apart: tuple[int, int], clients: int, held: Sequence[int], first: bool
) -> list[Law]:
    """The columns' laws where the client has the first input, or the second."""
    ahead = apart[0]
    found = []
    for at, many in enumerate(held):
        own = hi if (at < ahead) == first else lo
        found.append(column([own, *[hi] * many, *[lo] * (clients - 1 - many)]))
    return found


def delta(hi: F, lo: F, apart: tuple[int, int], clients: int, held: Sequence[int], factor: F) -> F:
    """The definition, for others of whom so many hold each column's value."""
    one = joint(seen(hi, lo, apart, clients, held, True))
    two = joint(seen(hi, lo, apart, clients, held, False))
    return sum((max(F(0), p - factor * q) for (_, p), (_, q) in zip(one, two, strict=True)), F(0))


def breach(hi: F, lo: F, apart: tuple[int, int], clients: int, held: Sequence[int], gain: F) -> F:
    """How likely the odds are multiplied by the gain or more, given the first."""
    one = joint(seen(hi, lo, apart, clients, held, True))
    two = joint(seen(hi, lo, apart, clients, held, False))
    return sum((p for (_, p), (_, q) in zip(one, two, strict=True) if p and p >= gain * q), F(0))


def worst(hi: F, lo: F, apart: tuple[int, int], clients: int, factor: F) -> F:
    """Whatever the others hold, column by column."""
    every = itertools.product(range(clients), repeat=sum(apart))
    kinds = {(tuple(sorted(held[: apart[0]])), tuple(sorted(held[apart[0] :]))) for held in every}
    return max(delta(hi, lo, apart, clients, (*a, *b), factor) for a, b in kinds)


def alike(apart: tuple[int, int], clients: int, other: str) -> tuple[int, ...]:
    """Where all others have the first input, the second, or a third one."""
    ahead, behind = apart
    n = clients - 1
    return (
        *[n if other == "first" else 0] * ahead,
        *[n if other == "second" else 0] * behind,
    )
