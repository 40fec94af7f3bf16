"""Kernels: inner loops over bits, written in the part of Python that numba compiles.

Each has a NumPy twin beside its caller, which gives the same bits and is used where numba is
not installed. Compiled code holds no lock, so callers run it in threads.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import compiled as compiled

Words: TypeAlias = npt.NDArray[np.uint64]

LANES = 64
"""Words of each column that `expand` works on at once: 4,096 transactions."""

TILE, CHUNK = 4, 512
"""Bytes of a seed, and functionals, that it works on at once, so that they stay in the cache."""


def solve(
    functionals: Words,
    places: npt.NDArray[np.int64],
    values: npt.NDArray[np.uint32],
    seeds: Words,
) -> int:
    """Move each seed to one whose items have the values wanted; -1, or a row without solution.

    functionals[i, j]: the seed bits whose sum is bit j of item i's value. places[r]: the items
    of row r. Once an equation's pivot is gone from all later ones, flipping pivots from the last
    equation to the first mends one at a time. No branches: whether a pivot occurs is a fair coin.
    """
    count, items = places.shape
    bits, words = functionals.shape[1], functionals.shape[2]
    size = items * bits
    matrix = np.empty((words + 1, size), dtype=np.uint64)  # an equation a column, its value last
    masks = np.empty(size, dtype=np.uint64)
    where = np.empty(size, dtype=np.int64)
    pivot = np.empty(size, dtype=np.uint64)
    zero, one, full = np.uint64(0), np.uint64(1), np.uint64(0xFFFF_FFFF_FFFF_FFFF)
    for row in range(count):
        for item in range(items):
            place = places[row, item]
            value = values[row, item]
            for bit in range(bits):
                for word in range(words):
                    matrix[word, item * bits + bit] = functionals[place, bit, word]
                wanted = (value >> np.uint32(bit)) & np.uint32(1)
                matrix[words, item * bits + bit] = np.uint64(wanted)
        for this in range(size):
            first = 0
            while first < words and matrix[first, this] == zero:
                first += 1
            if first == words:
                return row
            lowest = matrix[first, this] & (~matrix[first, this] + one)
            where[this] = first
            pivot[this] = lowest
            mask, line = masks[this + 1 :], matrix[first, this + 1 :]
            for later in range(mask.size):  # from 0 on: only such loops are vectorized
                mask[later] = full if line[later] & lowest != zero else zero
            for word in range(first, words + 1):
                added, line = matrix[word, this], matrix[word, this + 1 :]
                for later in range(mask.size):
                    line[later] ^= added & mask[later]
        for this in range(size - 1, -1, -1):
            total = zero
            for word in range(where[this], words):
                total ^= matrix[word, this] & seeds[row, word]
            for shift in (32, 16, 8, 4, 2, 1):
                total ^= total >> np.uint64(shift)
            if total & one != matrix[words, this]:
                seeds[row, where[this]] ^= pivot[this]
    return -1


def expand(
    seeds: Words, digits: npt.NDArray[np.uint8], bits: int, numerator: int, columns: Words
) -> None:
    """Which of 4,096 seeds hold each item: item i as 4,096 bits in columns[i].

    digits[i * bits + j]: the seed bits of bit j of item i's value, in an even number of bytes.
    The method of four Russians: for each half byte all 16 sums of bits of the seeds stand in a
    table; larger tables would need fewer of them, but pass the fastest cache.
    """
    groups = digits.shape[1]
    tables = np.empty((2 * groups, 16, LANES), dtype=np.uint64)
    square = np.empty(64, dtype=np.uint64)
    planes = np.empty((64, LANES), dtype=np.uint64)
    for word in range(seeds.shape[1]):
        for lane in range(LANES):
            square[:] = seeds[64 * lane : 64 * lane + 64, word]
            half = 32  # 64 seeds with a word each become 64 bits with a word each
            mask = np.uint64(0xFFFF_FFFF)
            while half:
                shift = np.uint64(half)
                for start in range(0, 64, 2 * half):
                    for row in range(start, start + half):
                        swapped = ((square[row] >> shift) ^ square[row + half]) & mask
                        square[row + half] ^= swapped
                        square[row] ^= swapped << shift
                half //= 2
                mask ^= mask << np.uint64(half)
            planes[:, lane] = square
        for place in range(16 * word, min(16 * word + 16, 2 * groups)):
            table = tables[place]
            table[0, :] = 0
            for bit in range(4):
                plane = planes[4 * (place - 16 * word) + bit]
                for digit in range(1 << bit):
                    known, added = table[digit], table[(1 << bit) + digit]
                    for lane in range(LANES):
                        added[lane] = known[lane] ^ plane[lane]
    step = max(1, CHUNK // bits)
    sums = np.empty((step * bits, LANES), dtype=np.uint64)
    for begin in range(0, columns.shape[0], step):
        items = min(step, columns.shape[0] - begin)
        sums[:] = 0
        for tile in range(0, groups, TILE):
            last = min(tile + TILE, groups)
            for f in range(items * bits):
                total = sums[f]
                for group in range(tile, last, 2):
                    one, other = (
                        digits[begin * bits + f, group],
                        digits[begin * bits + f, group + 1],
                    )
                    a, b = tables[2 * group, one & 15], tables[2 * group + 1, one >> 4]
                    c, d = tables[2 * group + 2, other & 15], tables[2 * group + 3, other >> 4]
                    for lane in range(LANES):
                        total[lane] ^= a[lane] ^ b[lane] ^ c[lane] ^ d[lane]
        for item in range(items):
            less = columns[begin + item]
            less[:] = 0
            for bit in range(bits):  # value < numerator, from the lowest bit up
                value = sums[item * bits + bit]
                if (numerator >> bit) & 1:
                    for lane in range(LANES):
                        less[lane] |= ~value[lane]
                else:
                    for lane in range(LANES):
                        less[lane] &= ~value[lane]
