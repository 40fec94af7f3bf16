"""Seeds expanded: which items each seed's transaction holds, as columns, rows or lists of items.

Item i is in tau(seed) iff the number v_i of its b functionals is below a. All of them at once are
a product of bit matrices; columns (a bit a seed) come out of it straight, whatever items are
chosen, so that supports are counted without a transaction ever being written out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.threads import in_threads, processors
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.compress import kernels
from ppdm_formal.run.compress.generator import Generator, kept_table
from ppdm_formal.run.compress.kernels import LANES, Words

BLOCK = 64 * LANES
"""Seeds that are expanded at once."""

SHARE = 1024
"""Items that a thread takes at least: each makes tables of its own."""

BLOCK_BITS = 1 << 24
"""Bits of rows that are held at a time where transactions are written out."""


def columns(generator: Generator, seeds: Words, items: npt.NDArray[np.uint64]) -> Words:
    """For each item a column of bits: bit r % 64 of word r // 64 says whether seed r holds it."""
    if items.size and int(items.max()) >= generator.items:
        raise ValueError(f"an item is not among 0..{generator.items - 1}")
    most = 4 * len(items) >= generator.items
    table = kept_table(generator, replacing=True) if most else None
    functionals = generator.functionals(items) if table is None else table[items]
    digits = _digits(functionals.reshape(-1, generator.words), generator)
    found = np.zeros((len(items), -(-len(seeds) // 64)), dtype=np.uint64)
    if not found.size:
        return found

    step = max(SHARE, -(-len(items) // processors()))
    parts = [
        (start, first)
        for start in range(0, len(seeds), BLOCK)
        for first in range(0, len(items), step)
    ]

    def work(number: int) -> None:
        start, first = parts[number]
        some = digits[first * generator.bits : (first + step) * generator.bits]
        held = _expanded(seeds[start : start + BLOCK], some, generator.bits, generator.numerator)
        part = found[first : first + step, start // 64 : start // 64 + LANES]
        part[:] = held[:, : part.shape[1]]

    in_threads(work, range(len(parts)))
    _clear_behind(found, len(seeds))
    return found


def packed_rows(generator: Generator, seeds: Words) -> Words:
    """For each seed a row of bits: bit i % 64 of word i // 64 says whether it holds item i.

    Seeds and functionals change places: tables are made for 4,096 items, and looked up by seeds.
    """
    digits = _digits(seeds, generator)
    found = np.empty((len(seeds), -(-generator.items // 64)), dtype=np.uint64)
    table = kept_table(generator, replacing=True)

    def block(start: int) -> None:
        items = np.arange(start, min(start + BLOCK, generator.items), dtype=np.uint64)
        some = generator.functionals(items) if table is None else table[items]
        lowest = (generator.numerator & -generator.numerator).bit_length() - 1
        less = _expanded(some[:, lowest], digits, 1, 1)  # bits below decide nothing
        for bit in range(lowest + 1, generator.bits):
            unset = _expanded(some[:, bit], digits, 1, 1)
            join = np.bitwise_or if generator.numerator >> bit & 1 else np.bitwise_and
            join(less, unset, out=less)
        part = found[:, start // 64 : start // 64 + LANES]
        part[:] = less[:, : part.shape[1]]

    in_threads(block, range(0, generator.items, BLOCK))
    _clear_behind(found, generator.items)
    return found


def _clear_behind(found: Words, bits: int) -> None:
    """Rows of so many bits: nothing behind the last one."""
    if bits % 64:
        found[:, -1] &= np.uint64((1 << bits % 64) - 1)


def _expanded(block: Words, digits: npt.NDArray[np.uint8], bits: int, numerator: int) -> Words:
    """What kernels.expand finds for up to 4,096 rows of words."""
    some = np.zeros((BLOCK, block.shape[1]), dtype=np.uint64)
    some[: len(block)] = block
    kernel = kernels.compiled(kernels.expand)
    if kernel is None:
        return expand_by_numpy(some, digits, bits, numerator)
    found = np.empty((len(digits) // bits, LANES), dtype=np.uint64)
    kernel(some, digits, bits, numerator, found)
    return found


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


def _digits(words: Words, generator: Generator) -> npt.NDArray[np.uint8]:
    """Rows of words in as many bytes as a seed has, an even number, as kernels.expand wants it."""
    flat = np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
    return np.ascontiguousarray(flat[:, : 2 * -(-generator.seed_bits // 16)])


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
