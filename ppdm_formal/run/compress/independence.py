"""Definition 5, checked on a generator: that the functionals of any q items are independent.

All sets of q items are tried where they are few; of more sets, some at random. That no set at
all is dependent is proved for each kind of generator in its file, from distinct points of a field
and consecutive powers; trying finds where the code does not do what the proof says.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from ppdm_formal.run.compress.generator import Generator


@dataclass(frozen=True)
class Checked:
    """How many sets of q items were tried, whether those are all, and one that depends, if any."""

    sets: int
    all: bool
    dependent: tuple[int, ...] | None

    @property
    def holds(self) -> bool:
        """Whether every set that was tried is independent."""
        return self.dependent is None


def check_independence(generator: Generator, most: int) -> Checked:
    """Try all sets of q items, or `most` of them drawn alike in every run."""
    listed = generator.q == generator.items or (
        generator.items <= most and math.comb(generator.items, generator.q) <= most
    )
    chosen = list(_listed(generator) if listed else islice(_drawn(generator), most))
    used = sorted(set().union(*chosen))
    rows = as_integers(generator.functionals(np.array(used, dtype=np.uint64)))
    bits = generator.bits
    of = {item: rows[place * bits : (place + 1) * bits] for place, item in enumerate(used)}
    for tried, items in enumerate(chosen, 1):
        if rank(row for item in items for row in of[item]) < len(items) * bits:
            return Checked(tried, False, tuple(items))
    return Checked(len(chosen), listed, None)


def independent(generator: Generator, items: Sequence[int]) -> bool:
    """Whether the functionals of these items are linearly independent over GF(2)."""
    rows = generator.functionals(np.array(items, dtype=np.uint64))
    return rank(as_integers(rows)) == len(items) * generator.bits


def as_integers(rows: np.typing.NDArray[np.uint64]) -> list[int]:
    """Each row of words as one integer, bit j of the seed being its bit j."""
    little = np.ascontiguousarray(rows.reshape(-1, rows.shape[-1]), dtype="<u8")
    return [int.from_bytes(row.tobytes(), "little") for row in little]


def rank(rows: Iterable[int]) -> int:
    """The rank over GF(2) of rows of bits.

    >>> rank([0b110, 0b011, 0b101])
    2
    """
    pivots: dict[int, int] = {}
    for row in rows:
        rest = row
        while rest and (top := rest.bit_length()) in pivots:
            rest ^= pivots[top]
        if rest:
            pivots[rest.bit_length()] = rest
    return len(pivots)


def _listed(generator: Generator) -> Iterator[Sequence[int]]:
    return combinations(range(generator.items), generator.q)


def _drawn(generator: Generator) -> Iterator[Sequence[int]]:
    """Sets at random; the first and the last items, where borders would show, are the first two."""
    q, items = generator.q, generator.items
    yield range(q)
    yield range(items - q, items)
    source = random.Random(f"{generator!r}")  # not for clients: the same sets in every run
    while True:
        found: set[int] = set()
        while len(found) < q:
            found.add(source.randrange(items))
        yield sorted(found)
