"""Ones by column: how many rows of packed bits have a 1 at each place, in one pass.

Eight counters of a byte each stand side by side in a word: bit j of every byte is added to the
j-th of eight words, for up to 255 rows, and these are then added to the counts.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import compiled

Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]
Integers: TypeAlias = npt.NDArray[np.int64]

ROWS = 240
"""Rows before the counters of a byte are emptied: at most 255, and a multiple of 8."""

_BLOCK = 1 << 22
"""Bits that are unpacked at a time where nothing is compiled."""

_1, _2, _4, _8 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8)
_ONES = np.uint64(0x0101010101010101)


def add_bit_counts(batch: Bytes, counts: Integers) -> None:
    """Add to counts[x] how many rows have bit x set (byte x // 8, worth 2^(x mod 8)).

    >>> counts = np.zeros(10, dtype=np.int64)
    >>> add_bit_counts(np.array([[1, 2], [3, 0]], dtype=np.uint8), counts)
    >>> counts.tolist()
    [2, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    if not len(batch) or not counts.size:
        return
    kernel = compiled(count_words)
    if kernel is None:
        _by_unpacking(batch, counts)
        return
    width = batch.shape[1]
    whole = -(-width // 8)
    totals = np.zeros(whole * 64, dtype=np.int64)
    step = max(ROWS, _BLOCK // width)
    for start in range(0, len(batch), step):
        some = batch[start : start + step]
        if width % 8 or not some.flags.c_contiguous:
            padded = np.zeros((len(some), whole * 8), dtype=np.uint8)
            padded[:, :width] = some
            some = padded
        kernel(some.view(np.uint64), totals)
    counts += totals[: counts.size]


def _by_unpacking(batch: Bytes, counts: Integers) -> None:
    step = max(1, _BLOCK // (8 * batch.shape[1]))
    for start in range(0, len(batch), step):
        some = batch[start : start + step]
        bits = np.unpackbits(some, axis=1, bitorder="little", count=counts.size)
        counts += bits.sum(axis=0, dtype=np.int64)


def count_words(rows: Words, totals: Integers) -> None:
    """The kernel: rows of words, lowest byte first. Three rows at a time make two words:
    the ones' places and the twos' (a full adder), which halves what is added to the bytes.
    """
    many, width = rows.shape
    held = np.zeros((8, width), dtype=np.uint64)
    twos = np.zeros((8, width), dtype=np.uint64)
    for first in range(0, many, 240):
        last = min(first + 240, many)
        held[:] = 0
        twos[:] = 0
        row = first
        while row + 3 <= last:
            for w in range(width):
                x, y, z = rows[row, w], rows[row + 1, w], rows[row + 2, w]
                half = x ^ y
                one, two = half ^ z, (x & y) | (half & z)
                for j in range(8):
                    held[j, w] += (one >> np.uint64(j)) & np.uint64(0x0101010101010101)
                    twos[j, w] += (two >> np.uint64(j)) & np.uint64(0x0101010101010101)
            row += 3
        while row < last:
            for w in range(width):
                for j in range(8):
                    held[j, w] += (rows[row, w] >> np.uint64(j)) & np.uint64(0x0101010101010101)
            row += 1
        for w in range(width):
            for j in range(8):
                one, two = held[j, w], twos[j, w]
                for byte in range(8):
                    totals[64 * w + 8 * byte + j] += np.int64(
                        (one & np.uint64(255)) + np.uint64(2) * (two & np.uint64(255))
                    )
                    one >>= np.uint64(8)
                    two >>= np.uint64(8)
