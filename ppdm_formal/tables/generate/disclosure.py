"""Disclosure: which records and rare itemsets of the original a generated database holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.kernels import Words
from ppdm_formal.tables.generate.bit_rows import BitRows

TRIES = 40
"""Itemsets that are drawn for each one of support one that is wanted, at most."""


@dataclass(frozen=True)
class CommonRecords:
    """Records that are in both databases."""

    generated: float
    """The share of generated records that the original has."""
    original: float
    """The share of original records that were generated."""
    supports: tuple[tuple[int, float], ...]
    """Supports in the original of distinct common records, with the share up to each."""


@dataclass(frozen=True)
class RareItemsets:
    """Random itemsets that exactly one record of the original holds."""

    drawn: int
    absent: float | None
    """The share of them that no generated record holds."""
    by_length: tuple[tuple[int, int, int], ...]
    """For each number of items: how many were drawn, and how many of these were generated."""


def common_records(original: BitRows, generated: BitRows) -> CommonRecords:
    """Records of both, compared item by item."""
    places = {row.tobytes(): number for number, row in enumerate(original.words)}
    weights = generated.weights.tolist()
    found = [places.get(row.tobytes()) for row in generated.words]
    common = [(a, b) for a, b in zip(found, weights, strict=True) if a is not None]
    supports = np.sort(original.weights[[place for place, _ in common]])
    steps = np.unique(supports)
    shares = np.searchsorted(supports, steps, side="right") / max(1, len(supports))
    return CommonRecords(
        sum(weight for _, weight in common) / int(generated.weights.sum()),
        int(supports.sum()) / int(original.weights.sum()),
        tuple(zip(steps.tolist(), shares.tolist(), strict=True)),
    )


def rare_itemsets(
    original: BitRows, wanted: int, random: np.random.Generator
) -> list[npt.NDArray[np.int64]]:
    """Random itemsets of support one: a random part, of random size, of a random record."""
    columns, found = original.columns(), []
    lone = np.flatnonzero(original.weights == 1)
    if not len(lone):
        return []
    members = np.unpackbits(
        np.ascontiguousarray(original.words.astype("<u8")).view(np.uint8), axis=1, bitorder="little"
    )
    for _ in range(TRIES * wanted):
        row = int(random.choice(lone))
        items = np.flatnonzero(members[row])
        if not len(items):
            continue
        some = np.sort(random.choice(items, int(random.integers(1, len(items) + 1)), False))
        if holders(columns, some) == 1:  # rows are distinct, and this one occurs once
            found.append(some)
            if len(found) == wanted:
                break
    return found


def rare_in(itemsets: list[npt.NDArray[np.int64]], generated: BitRows) -> RareItemsets:
    """How many of them a generated database holds."""
    columns = generated.columns()
    there = [(len(one), holders(columns, one) > 0) for one in itemsets]
    lengths = sorted({length for length, _ in there})
    by_length = tuple(
        (
            length,
            sum(size == length for size, _ in there),
            sum(size == length and held for size, held in there),
        )
        for length in lengths
    )
    absent = 1 - sum(held for _, held in there) / len(there) if there else None
    return RareItemsets(len(there), absent, by_length)


def holders(columns: Words, items: npt.NDArray[np.integer]) -> int:
    """How many distinct rows hold all of the items."""
    return int(np.bitwise_count(np.bitwise_and.reduce(columns[items], axis=0)).sum())
