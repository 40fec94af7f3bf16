"""Bits: random words, and what is drawn exactly by comparing them with cuts.

u in [0, 1) is a string of random words. Its first word w decides whether c <= u, unless w is
the first word of c and c goes on after it; only then the next word is drawn, and compared with
what is left of c. No rounding takes place, whatever the size of the denominators.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.cut import RationalCut, Steps

LARGEST_LIMIT = 1 << 31
"""`below` multiplies halves of words by its limits within 64 bits."""


class Bits(ABC):
    """A source of independent uniform random words; subclasses say where they come from."""

    width: int = 64
    """How many bits a word has: 64, fewer in lanes and tests."""

    @abstractmethod
    def words(self, count: int) -> npt.NDArray[np.unsignedinteger]:
        """So many fresh words."""

    def choose(self, steps: Steps, count: int) -> npt.NDArray[np.int64]:
        """So many independent outcomes of one distribution."""
        return self.settle(steps, self.words(count))

    def settle(self, steps: Steps, words: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.int64]:
        """The outcomes of strings that begin with these words, drawn on where that is needed."""
        found, undecided = compare(steps, words)
        for word in np.unique(words[undecided]):
            alike = undecided[words[undecided] == word]
            lower, rest = steps.after(int(word))
            found[alike] = lower + self.choose(rest, alike.size)
        return found

    def coins(self, steps: Steps, count: int) -> npt.NDArray[np.bool_]:
        """So many coins, heads where u is below the one cut (with no cut left, c = 1: always)."""
        if not steps.floors.size:
            return np.ones(count, dtype=bool)
        words = self.words(count)
        floor = steps.floors[0].astype(words.dtype)
        heads: npt.NDArray[np.bool_] = words < floor
        if steps.loose[0]:
            undecided = np.flatnonzero(words == floor)
            if undecided.size:
                heads[undecided] = self.coins(steps.after(int(floor))[1], undecided.size)
        return heads

    def below(self, limits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Uniform integers 0 <= k < limit, each with its own limit: the whole part of u * limit."""
        if limits.size and not 0 < limits.min() <= limits.max() <= LARGEST_LIMIT:
            raise ValueError("a uniform integer needs a limit of 1 to 2^31")
        found, room = whole_parts(self.words(limits.size), limits, self.width)
        for k in np.flatnonzero(room < limits.astype(np.uint64) - np.uint64(1)):
            limit = int(limits[k])
            tops = range(int(room[k]) + 1, limit, 1 << self.width)
            carries = Steps.of([RationalCut(top, limit) for top in tops], self.width)
            found[k] += int(self.choose(carries, 1)[0])
        return found

    def lanes(self, width: int) -> Bits:
        """The same bits in words of 8, 16 or 32: cheaper where one cut is compared very often."""
        return _Lanes(self, width) if width < self.width else self


class _Lanes(Bits):
    """Words cut in pieces; what is left over of the last one is not used."""

    def __init__(self, source: Bits, width: int) -> None:
        self.width = width
        self._source = source

    def words(self, count: int) -> npt.NDArray[np.unsignedinteger]:
        long = self._source.words(-(-count * self.width // self._source.width))
        pieces: npt.NDArray[np.unsignedinteger] = long.view(f"u{self.width // 8}")
        return pieces[:count]


def compare(
    steps: Steps, words: npt.NDArray[np.unsignedinteger]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The outcome of each first word, and the positions of the words that leave it open.

    Where several cuts begin with the same word, the last of them tells whether any goes on.
    """
    found = np.searchsorted(steps.floors, words, side="right")
    if not steps.loose.any():
        return found, np.empty(0, dtype=np.int64)
    before = found - 1  # where no cut is below, this is the last cut, which begins otherwise
    undecided = (steps.floors[before] == words) & steps.loose[before]
    return found, np.flatnonzero(undecided)


def whole_parts(
    words: npt.NDArray[np.unsignedinteger], limits: npt.NDArray[np.int64], width: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """The whole part of word * limit / 2^width, and 2^width - 1 less what the division leaves.

    u * limit is in [left, left + limit) / 2^width above the whole part, so the word decides
    unless that is more than the room. The product takes 128 bits, hence the two halves.
    """
    half = width // 2
    low, rest = np.uint64((1 << half) - 1), np.uint64((1 << (width - half)) - 1)
    many, word = limits.astype(np.uint64), words.astype(np.uint64)
    lower = (word & low) * many
    upper = (word >> np.uint64(half)) * many + (lower >> np.uint64(half))
    left = ((upper & rest) << np.uint64(half)) | (lower & low)
    whole = (upper >> np.uint64(width - half)).astype(np.int64)
    return whole, np.uint64((1 << width) - 1) - left
