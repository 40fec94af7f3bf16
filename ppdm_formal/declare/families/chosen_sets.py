"""Chosen sets: for each row a set of so many of the n values besides its own, uniformly drawn.

Many of n values: a coin for each value, heads with probability d/n, then values taken out or put
in one by one, each time any of those that can be, until there are d. Coins treat all sets of one
size alike, and so does what follows: every set of d values is equally likely, whatever the coin.
Few of n values, by Floyd (Bentley, Floyd 1987): for j = n - d, ..., n - 1 any number up to j, or
j itself where that number is in the set already.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.report_bits import set_bits
from ppdm_formal.declare.operators.tosses import toss_packed

Integers: TypeAlias = npt.NDArray[np.int64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Flags: TypeAlias = npt.NDArray[np.bool_]


def many_of(items: int, own: Integers, held: Flags, wanted: Integers, bits: Bits) -> Bytes:
    """Rows of bits: `wanted` values besides `own`, which is in where it is held."""
    rows = np.arange(len(own))
    heads = Fraction(int((wanted + held).max(initial=0)), items)
    found = toss_packed(heads, len(own), items, bits)
    set_bits(found, rows, own, np.zeros(len(own), dtype=bool))
    sizes = np.bitwise_count(found).sum(axis=1, dtype=np.int64)
    excess = sizes - wanted
    set_bits(found, rows, own, excess < 0)  # not among those that can be put in
    ones = np.bitwise_count(found)
    moves = np.abs(excess)
    among = np.where(excess > 0, sizes, items - 1 - sizes)
    starts = np.concatenate([[0], np.cumsum(moves)]).astype(np.int64)
    owner = np.repeat(rows, moves)
    chosen = bits.below(among[owner] - (np.arange(len(owner)) - starts[owner]))
    kernel = compiled(_flip) or _flip_plain
    kernel(found, ones, starts, chosen, excess > 0)
    set_bits(found, rows, own, held)
    return found


def _flip(batch: Bytes, ones: Bytes, starts: Integers, chosen: Integers, out: Flags) -> None:
    """The kernel: in row i the chosen[j]-th one (or zero) is flipped, for j of that row.

    ones: how many each byte holds, which is kept up; of 16 bytes together it is counted once a row.
    """
    width = batch.shape[1]
    held = np.zeros(width // 16 + 1, dtype=np.int64)
    for row in range(batch.shape[0]):
        if starts[row] == starts[row + 1]:
            continue
        of_ones = out[row]
        for part in range(held.shape[0]):
            first, last = 16 * part, min(16 * part + 16, width)
            some = 0
            for byte in range(first, last):
                some += ones[row, byte]
            held[part] = some if of_ones else 8 * (last - first) - some
        for j in range(starts[row], starts[row + 1]):
            left = chosen[j]
            part = 0
            while left >= held[part]:
                left -= held[part]
                part += 1
            held[part] -= 1
            byte = 16 * part
            while True:
                many = ones[row, byte] if of_ones else 8 - ones[row, byte]
                if left < many:
                    break
                left -= many
                byte += 1
            whole = batch[row, byte] if of_ones else batch[row, byte] ^ 255
            for _ in range(left):
                whole &= whole - 1  # without its lowest one
            batch[row, byte] ^= whole & -whole
            if of_ones:
                ones[row, byte] -= 1
            else:
                ones[row, byte] += 1


def _flip_plain(batch: Bytes, ones: Bytes, starts: Integers, chosen: Integers, out: Flags) -> None:
    """The twin, one flip of every row at a time."""
    many = np.diff(starts)
    for turn in range(int(many.max(initial=0))):
        rows = np.flatnonzero(many > turn)
        wanted = np.unpackbits(batch[rows], axis=1, bitorder="little") == out[rows, None]
        reached = np.cumsum(wanted, axis=1) > chosen[starts[rows] + turn][:, None]
        places = np.argmax(reached, axis=1)
        set_bits(batch, rows, places, ~out[rows])


def few_of(items: int, own: Integers, held: Flags, wanted: Integers, bits: Bits) -> Integers:
    """Tables: `wanted` values besides `own`, and in the last column own where it is held."""
    found = np.empty((len(own), int((wanted + held).max(initial=0))), dtype=np.int64)
    for place in range(found.shape[1]):
        rows = np.flatnonzero(wanted > place)
        last = items - 1 - wanted[rows] + place
        drawn = bits.below(last + 1)
        again = (found[rows, :place] == drawn[:, None]).any(axis=1)
        found[rows, place] = np.where(again, last, drawn)
    found += found >= own[:, None]  # numbers among the others
    rows = np.flatnonzero(held)
    found[rows, -1] = own[rows]
    return found
