"""Kernels of mining: inner loops over bits and occurrences, compiled by numba where it is there.

Each has a NumPy twin beside its caller, with the same results. Compiled code holds no lock, so
callers run it in threads.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Words: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int32]
Counts: TypeAlias = npt.NDArray[np.int64]

_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONES = np.uint64(0x0101010101010101)
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


def pack(items: Numbers, offsets: Counts, first: int, block: Words) -> None:
    """Set the bits of transactions first, first + 1, ... in block[item, word].

    As many transactions as there are, up to the room.
    """
    last = min(first + block.shape[1] * 64, offsets.shape[0] - 1)
    for row in range(first, last):
        word = (row - first) // 64
        bit = _1 << np.uint64((row - first) % 64)
        for at in range(offsets[row], offsets[row + 1]):
            block[items[at], word] |= bit


def count_groups(
    blocks: Words, prefixes: Numbers, starts: Counts, last: Numbers, counts: Counts
) -> None:
    """Add to counts[c] how many transactions hold prefix g and last[c], for c of group g.

    Group g is starts[g] <= c < starts[g + 1]. A block's columns stay in the cache while all
    groups pass over them.
    """
    groups, long = prefixes.shape
    words = blocks.shape[2]
    held = np.empty(words, dtype=np.uint64)
    for block in range(blocks.shape[0]):
        for group in range(groups):
            some = np.uint64(0)
            for word in range(words):
                held[word] = blocks[block, prefixes[group, 0], word]
            for other in range(1, long):
                column = blocks[block, prefixes[group, other]]
                for word in range(words):
                    held[word] &= column[word]
            for word in range(words):
                some |= held[word]
            if some == np.uint64(0):
                continue
            for at in range(starts[group], starts[group + 1]):
                column = blocks[block, last[at]]
                total = np.uint64(0)
                for word in range(words):  # LLVM makes vector code of this count of bits
                    x = held[word] & column[word]
                    x = x - ((x >> _1) & _PAIRS)
                    x = (x & _FOURS) + ((x >> _2) & _FOURS)
                    x = (x + (x >> _4)) & _BYTES
                    total += (x * _ONES) >> _56
                counts[at] += np.int64(total)


def lay_out(
    items: Numbers, offsets: Counts, next_place: Counts, rows: Numbers, places: Counts
) -> None:
    """Write the items of each transaction and -1 to rows, and where each item stands to places.

    next_place[i]: where the places of item i begin; it is moved on.
    """
    at = 0
    for row in range(offsets.shape[0] - 1):
        for place in range(offsets[row], offsets[row + 1]):
            item = items[place]
            rows[at] = item
            places[next_place[item]] = at
            next_place[item] += 1
            at += 1
        rows[at] = -1
        at += 1


def read_numbers(text: npt.NDArray[np.uint8], values: Numbers, sizes: Counts) -> tuple[int, int]:
    """The numbers of lines of digits and blanks: values one after the other, and how many a line.

    Back come how many values and lines there were; (-1, 0) where anything else stands in the
    text, or a number of more than 9 digits. The text ends with a line end.
    """
    found = lines = size = 0
    number = digits = 0
    for at in range(text.shape[0]):
        byte = text[at]
        if 48 <= byte <= 57:
            number = number * 10 + byte - 48
            digits += 1
            continue
        if byte != 32 and not 9 <= byte <= 13:
            return -1, 0
        if digits > 0:
            if digits > 9:
                return -1, 0
            values[found] = number
            found += 1
            size += 1
            number = digits = 0
        if byte == 10:
            sizes[lines] = size
            lines += 1
            size = 0
    return found, lines
