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
from ppdm_formal.declare.machine.threads import in_threads
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits, compare

WIDTH = 16
COINS = 8

FEW = 64
"""Fewer coins than this are tossed one by one: the table is not worth its making."""

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
        """So many coins. Words are drawn in order; looking them up is divided among threads."""
        words = bits.lanes(WIDTH).words(-(-count // COINS))
        found = np.empty(len(words) * COINS, dtype=np.uint8)
        left: dict[int, npt.NDArray[np.int64]] = {}

        def look_up(start: int) -> None:
            some = words[start : start + CHUNK]
            patterns = self.table.take(some)
            rare = np.flatnonzero(patterns == self.rare)
            left[start] = start + rare[self.open[some[rare]]]
            part = found[COINS * start : COINS * (start + CHUNK)]
            part[:] = np.unpackbits(patterns, bitorder="little")

        in_threads(look_up, range(0, len(words), CHUNK))
        undecided = np.concatenate([left[start] for start in sorted(left)])
        if undecided.size:
            patterns = self._settled(words[undecided], bits).astype(np.uint8)
            eight = np.unpackbits(patterns[:, None], axis=1, bitorder="little")
            found.reshape(-1, COINS)[undecided] = eight
        return found[:count].view(np.bool_)

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
