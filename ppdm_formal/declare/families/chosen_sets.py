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
    moves = np.abs(excess)
    among = np.where(excess > 0, sizes, items - 1 - sizes)
    starts = np.concatenate([[0], np.cumsum(moves)]).astype(np.int64)
    owner = np.repeat(rows, moves)
    chosen = bits.below(among[owner] - (np.arange(len(owner)) - starts[owner]))
    kernel = compiled(_flip) or _flip_plain
    kernel(found, starts, chosen, excess > 0)
    set_bits(found, rows, own, held)
    return found


def _flip(batch: Bytes, starts: Integers, chosen: Integers, out: Flags) -> None:
    """The kernel: in row i the chosen[j]-th one (or zero) is flipped, for j of that row."""
    for row in range(batch.shape[0]):
        for j in range(starts[row], starts[row + 1]):
            left = chosen[j]
            byte = 0
            while True:
                some = np.int64(batch[row, byte])
                if not out[row]:
                    some ^= 255
                many = some - ((some >> 1) & 0x55)
                many = (many & 0x33) + ((many >> 2) & 0x33)
                many = (many + (many >> 4)) & 0x0F
                if left < many:
                    break
                left -= many
                byte += 1
            bit = 0
            while True:
                if (some >> bit) & 1:
                    if left == 0:
                        break
                    left -= 1
                bit += 1
            batch[row, byte] ^= np.uint8(1 << bit)


def _flip_plain(batch: Bytes, starts: Integers, chosen: Integers, out: Flags) -> None:
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
