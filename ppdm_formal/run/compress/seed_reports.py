"""Seeds as reports: drawn instead of coins for all items, and written instead of lists.

Pseudorandom select-a-size (EGS03 section 5): which items of a basket stay is drawn as ever; a
seed is then drawn among those that hold exactly these items of the basket.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import IO

import numpy as np

from ppdm_formal.declare.families.select_a_size import select_a_size_law
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.run.basket_files import BasketFile
from ppdm_formal.run.baskets import Integers
from ppdm_formal.run.compress.draw import SeedSampler
from ppdm_formal.run.compress.kernels import Words
from ppdm_formal.run.compress.wire import SeedHeader, SeedPart, SeedWriter, create_seeds
from ppdm_formal.run.released_baskets import ReleasedSize, Transactions

STREAM, PARQUET = "seeds", "seeds-parquet"
"""The formats of files of seeds: the binary stream, and Parquet."""

BLOCK = 1 << 15
"""Transactions that are drawn at a time."""


def seed_header(transactions: Transactions) -> SeedHeader:
    """What a file of seeds says of itself."""
    parts = []
    for group, part in transactions.parts():
        assert part.generator is not None
        parts.append(SeedPart(group.name, part.size, part.generator))
    return SeedHeader(transactions.plan.sha256, tuple(parts))


class SeedReports:
    """See ReportKind: what clients send are seeds."""

    def __init__(self, transactions: Transactions) -> None:
        self._header = seed_header(transactions)
        self._parts = {
            (number, part.size): _Sampler(part)
            for number, group in enumerate(transactions.groups)
            for part in group.sizes
        }

    def draw(self, number: int, size: int, members: Integers, bits: Bits) -> Iterator[Words]:
        """See ReportKind."""
        for start in range(0, len(members), BLOCK):
            yield self._parts[number, size].draw(members[start : start + BLOCK], bits)

    def writer(self, target: BasketFile, raw: IO[bytes]) -> AbstractContextManager[SeedWriter]:
        """See ReportKind."""
        return create_seeds(raw, self._header, target.format == PARQUET)

    def save(self, reports: Words, file: IO[bytes]) -> tuple[int, ...]:
        """See ReportKind."""
        file.write(reports.tobytes())
        return reports.shape

    def load(self, place: tuple[int, ...], file: IO[bytes]) -> Words:
        """See ReportKind."""
        rows, words = place
        return np.frombuffer(file.read(8 * rows * words), dtype=np.uint64).reshape(rows, words)


class _Sampler:
    """The operator R' of one size."""

    def __init__(self, part: ReleasedSize) -> None:
        assert part.operator is not None
        assert part.generator is not None
        law = select_a_size_law(part.operator)
        assert law is not None
        self._law = law
        self._seeds = SeedSampler(part.generator)

    def draw(self, members: Integers, bits: Bits) -> Words:
        stays = self._law.stays(len(members), bits)
        return self._seeds.draw(stays, members.astype(np.uint64), bits)
