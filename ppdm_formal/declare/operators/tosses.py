"""Tosses: eight coins at a time, exactly, from little more than the bits they are worth.

The 2^8 patterns of eight coins, heads with probability p each, are one distribution. Sixteen
random bits decide which pattern it is, but for words on which a cut falls (at most 255 of
65,536); those are decided by further bits. A table looks the others up: two bits a coin.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.declare.machine.threads import in_threads
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits, compare

WIDTH = 16
COINS = 8

FEW = 64
"""Fewer coins than this are tossed one by one: the table is not worth its making."""

COMPILED_FROM = 1 << 12
"""So many patterns that loading compiled code is worth while."""

_NONE = np.empty(0, dtype=np.int64)

CHUNK = 1 << 17
"""Patterns that are looked up at a time: what is done with them stays in the cache."""


class Tosses:
    """Coins of one probability."""

    def __init__(self, heads: Real) -> None:
        ones = [bin(pattern).count("1") for pattern in range(1 << COINS)]
        parts = [heads**many * (1 - heads) ** (COINS - many) for many in ones]
        self.steps = Steps.distribution(parts, WIDTH)
        words = np.arange(1 << WIDTH, dtype=np.uint64)
        found, undecided = compare(self.steps, words)
        self.rare = 255 if 2 * heads <= 1 else 0  # the rarest pattern, in the table also for "open"
        self.table = found.astype(np.uint8)
        self.table[undecided] = self.rare
        self.open = np.zeros(1 << WIDTH, dtype=bool)
        self.open[undecided] = True
        self._lower = np.zeros(1 << WIDTH, dtype=np.int16)
        self._floor = np.zeros(1 << WIDTH, dtype=np.uint64)
        self._single = np.zeros(1 << WIDTH, dtype=bool)
        for word in undecided.tolist():
            lower = int(np.searchsorted(self.steps.floors, np.uint64(word)))
            upper = int(np.searchsorted(self.steps.floors, np.uint64(word), side="right"))
            if upper == lower + 1:  # one cut falls on the word: the next 64 bits decide
                self._single[word] = True
                self._lower[word] = lower
                self._floor[word] = self.steps.cut(lower).after(word, WIDTH).floor(64)

    def coins(self, count: int, bits: Bits) -> npt.NDArray[np.bool_]:
        """So many coins, a byte each."""
        patterns = self.patterns(-(-count // COINS), bits)
        found = np.empty(len(patterns) * COINS, dtype=np.uint8)

        def unpack(start: int) -> None:
            some = patterns[start : start + CHUNK]
            part = found[COINS * start : COINS * (start + CHUNK)]
            part[:] = np.unpackbits(some, bitorder="little")

        in_threads(unpack, range(0, len(patterns), CHUNK))
        return found[:count].view(np.bool_)

    def patterns(self, count: int, bits: Bits) -> npt.NDArray[np.uint8]:
        """So many bytes of eight coins each.

        Words are drawn in order; looking them up is divided among threads.
        """
        words = bits.lanes(WIDTH).words(count)
        found = np.empty(count, dtype=np.uint8)
        left: dict[int, npt.NDArray[np.int64]] = {}
        kernel = compiled(look_all_up) if count >= COMPILED_FROM else None

        def look_up(start: int) -> None:
            some = words[start : start + CHUNK]
            if kernel is not None:
                places = np.empty(len(some), dtype=np.int64)
                many = kernel(some, self.table, self.open, found[start : start + CHUNK], places)
                left[start] = start + places[:many]
                return
            patterns = self.table.take(some, out=found[start : start + CHUNK], mode="clip")
            rare = np.flatnonzero(patterns == self.rare)
            left[start] = start + rare[self.open[some[rare]]]

        in_threads(look_up, range(0, count, CHUNK))
        undecided = np.concatenate([left[start] for start in sorted(left)] or [_NONE])
        if undecided.size:
            found[undecided] = self._settled(words[undecided], bits).astype(np.uint8)
        return found

    def _settled(self, words: npt.NDArray[np.unsignedinteger], bits: Bits) -> npt.NDArray[np.int64]:
        """The patterns of strings that begin with these words, which leave them open."""
        found = np.empty(len(words), dtype=np.int64)
        several = np.flatnonzero(~self._single[words])
        if several.size:
            found[several] = bits.lanes(WIDTH).settle(self.steps, words[several])
        single = np.flatnonzero(self._single[words])
        lower, floors = self._lower[words[single]], self._floor[words[single]]
        further = bits.words(len(single))
        found[single] = lower + (further >= floors)
        for place in np.flatnonzero(further == floors).tolist():  # once in 2^64
            cut = self.steps.cut(int(lower[place])).after(int(words[single[place]]), WIDTH)
            rest = Steps.of([cut.after(int(floors[place]), 64)], 64)
            found[single[place]] = int(lower[place]) + int(bits.choose(rest, 1)[0])
        return found


def look_all_up(
    words: npt.NDArray[np.uint16],
    table: npt.NDArray[np.uint8],
    open_words: npt.NDArray[np.bool_],
    found: npt.NDArray[np.uint8],
    places: npt.NDArray[np.int64],
) -> int:
    """The kernel: patterns of words, and the places of those that leave it open; how many."""
    many = 0
    for k in range(len(words)):
        word = words[k]
        found[k] = table[word]
        places[many] = k
        many += open_words[word]
    return many


@lru_cache(maxsize=64)
def tosses(heads: Real) -> Tosses:
    """The table of a probability; sizes of a plan share theirs."""
    return Tosses(heads)


def toss(heads: Real, count: int, bits: Bits) -> npt.NDArray[np.bool_]:
    """So many coins, heads with this probability."""
    if count < FEW or bits.width < 64 or not 0 < heads < 1:
        lanes = bits.lanes(8)
        return lanes.coins(Steps.heads(heads, lanes.width), count)
    return tosses(heads).coins(count, bits)


def toss_packed(heads: Real, rows: int, width: int, bits: Bits) -> npt.NDArray[np.uint8]:
    """Rows of so many coins, eight a byte, the first the lowest bit; spare bits are 0."""
    packed = -(-width // COINS)
    if rows * width < FEW or bits.width < 64 or not 0 < heads < 1:
        loose = toss(heads, rows * width, bits).reshape(rows, width)
        return np.packbits(loose, axis=1, bitorder="little")
    found = tosses(heads).patterns(rows * packed, bits).reshape(rows, packed)
    if width % COINS:
        found[:, -1] &= (1 << width % COINS) - 1
    return found
