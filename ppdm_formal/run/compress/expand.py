"""Seeds expanded: which items each seed's transaction holds, as columns, rows or lists of items.

Item i is in tau(seed) iff the number v_i of its b functionals is below a. All of them at once are
a product of bit matrices; columns (a bit a seed) come out of it straight, whatever items are
chosen, so that supports are counted without a transaction ever being written out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.compress import kernels
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.kernels import LANES, Words

BLOCK = 64 * LANES
"""Seeds that are expanded at once."""

BLOCK_BITS = 1 << 24
"""Bits of rows that are held at a time where transactions are written out."""


def columns(generator: Generator, seeds: Words, items: npt.NDArray[np.uint64]) -> Words:
    """For each item a column of bits: bit r % 64 of word r // 64 says whether seed r holds it."""
    digits = _digits(generator, items)
    found = np.zeros((len(items), -(-len(seeds) // 64)), dtype=np.uint64)
    if not found.size:
        return found
    kernel = kernels.compiled(kernels.expand)

    def block(start: int) -> None:
        some = np.zeros((BLOCK, seeds.shape[1]), dtype=np.uint64)
        here = min(BLOCK, len(seeds) - start)
        some[:here] = seeds[start : start + here]
        bits, numerator = generator.bits, generator.numerator
        if kernel is None:
            part = expand_by_numpy(some, digits, bits, numerator)
        else:
            part = np.empty((len(items), LANES), dtype=np.uint64)
            kernel(some, digits, bits, numerator, part)
        words = -(-here // 64)
        found[:, start // 64 : start // 64 + words] = part[:, :words]

    kernels.in_threads(block, range(0, len(seeds), BLOCK))
    if len(seeds) % 64:  # behind the last seed nothing is held
        found[:, -1] &= np.uint64((1 << len(seeds) % 64) - 1)
    return found


def packed_rows(generator: Generator, seeds: Words) -> Words:
    """For each seed a row of bits: bit i % 64 of word i // 64 says whether it holds item i."""
    items = np.arange(generator.items, dtype=np.uint64)
    return transposed(columns(generator, seeds, items), len(seeds))


def transposed(found: Words, rows: int) -> Words:
    """Columns of `rows` bits as rows of bits."""
    turned = np.empty((rows, -(-len(found) // 64)), dtype=np.uint64)
    kernel = kernels.compiled(kernels.transpose)
    if kernel is None:
        bits = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")[:, :rows]
        wide = np.zeros((rows, 64 * turned.shape[1]), dtype=np.uint8)
        wide[:, : len(found)] = bits.T
        packed = np.packbits(wide, axis=1, bitorder="little")
        return np.ascontiguousarray(packed).view(np.uint64)
    step = 64 * max(1, -(-found.shape[1] // kernels.processors()))

    def part(start: int) -> None:
        some = np.ascontiguousarray(found[:, start // 64 : (start + step) // 64])
        kernel(some, turned[start : start + step])

    kernels.in_threads(part, range(0, rows, step))
    return turned


def baskets(generator: Generator, seeds: Words) -> Iterator[Baskets]:
    """The transactions as lists of items, in blocks."""
    step = max(1, BLOCK_BITS // max(1, generator.items))
    for start in range(0, len(seeds), step):
        rows = packed_rows(generator, seeds[start : start + step])
        held = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
        sizes = np.count_nonzero(held, axis=1)
        items = np.flatnonzero(held) - np.repeat(np.arange(len(held)) * held.shape[1], sizes)
        yield Baskets.joined(items, sizes.astype(np.int64))


def holds(
    generator: Generator, seeds: Words, items: npt.NDArray[np.uint64]
) -> npt.NDArray[np.bool_]:
    """Row r, column i: whether seed r holds the i-th of the items."""
    found = columns(generator, seeds, items).view(np.uint8)
    bits = np.unpackbits(found, axis=1, bitorder="little")[:, : len(seeds)]
    return bits.T.astype(bool)


def _digits(generator: Generator, items: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """The functionals in bytes, as kernels.expand wants them."""
    if items.size and int(items.max()) >= generator.items:
        raise ValueError(f"an item is not among 0..{generator.items - 1}")
    functionals = generator.functionals(items).astype("<u8")
    flat = functionals.reshape(len(items) * generator.bits, generator.words).view(np.uint8)
    return np.ascontiguousarray(flat[:, : -(-generator.seed_bits // 8)])


def expand_by_numpy(
    seeds: Words, digits: npt.NDArray[np.uint8], bits: int, numerator: int
) -> Words:
    """The same as kernels.expand: a table a byte, and a gather from it for all items at once."""
    bits_of = np.unpackbits(seeds.astype("<u8").view(np.uint8), axis=1, bitorder="little")
    turned = np.packbits(bits_of.T, axis=1, bitorder="little")
    planes = np.ascontiguousarray(turned).view(np.uint64)
    sums = np.zeros((len(digits), planes.shape[1]), dtype=np.uint64)
    table = np.zeros((256, planes.shape[1]), dtype=np.uint64)
    for group in range(digits.shape[1]):
        for bit in range(8):
            table[1 << bit : 2 << bit] = table[: 1 << bit] ^ planes[8 * group + bit]
        sums ^= table[digits[:, group]]
    values = ~sums.reshape(-1, bits, planes.shape[1])
    less = np.zeros_like(values[:, 0])
    for bit in range(bits):
        less = less | values[:, bit] if numerator >> bit & 1 else less & values[:, bit]
    return less
