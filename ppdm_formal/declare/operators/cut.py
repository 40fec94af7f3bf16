"""Cut: a number c in [0, 1] that a uniform random u is compared with, as exactly as needed.

u comes word by word, so all that is ever asked of c is floor(c * 2^n) for some n, and whether
that is c * 2^n itself. A rational answers by integer division; an irrational can answer by
refining an enclosure until its floor is certain.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_rational, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import ExpNumber


class Cut(ABC):
    """A number c in [0, 1], known through floor(c * 2^bits)."""

    @abstractmethod
    def floor(self, bits: int) -> int:
        """The largest integer that is at most c * 2^bits."""

    @abstractmethod
    def exact(self, bits: int) -> bool:
        """Whether c * 2^bits is an integer."""

    def after(self, word: int, width: int) -> Cut:
        """What is left to compare once u began with the word floor(c * 2^width)."""
        return _Rest(self, width, word)


@dataclass(frozen=True)
class RationalCut(Cut):
    """The rational top/bottom.

    >>> third = RationalCut(1, 3)
    >>> third.floor(4), third.exact(4), third.after(5, 4)
    (5, False, RationalCut(top=1, bottom=3))
    """

    top: int
    bottom: int

    def floor(self, bits: int) -> int:
        """By integer division."""
        return (self.top << bits) // self.bottom

    def exact(self, bits: int) -> bool:
        """Whether the division leaves nothing."""
        return (self.top << bits) % self.bottom == 0

    def after(self, word: int, width: int) -> RationalCut:
        """The fractional part of c * 2^width, over the same denominator."""
        return RationalCut((self.top << width) - word * self.bottom, self.bottom)


@dataclass(frozen=True)
class ExpCut(Cut):
    """A number with exponentials: irrational, so that no word ever ends at it."""

    value: ExpNumber

    def floor(self, bits: int) -> int:
        """An enclosure is refined until its floor is certain."""
        scaled: ExpNumber = self.value * (1 << bits)
        return math.floor(scaled)

    def exact(self, bits: int) -> bool:
        """Never."""
        return False


def cut_of(value: Exact) -> Cut:
    """The cut at a number in [0, 1]."""
    number = drawable(value)
    if isinstance(number, ExpNumber):
        return ExpCut(number)
    return RationalCut(number.numerator, number.denominator)


@dataclass(frozen=True)
class _Rest(Cut):
    """c * 2^shift - prefix, for a cut that has no shorter form of its own."""

    whole: Cut
    shift: int
    prefix: int

    def floor(self, bits: int) -> int:
        return self.whole.floor(self.shift + bits) - (self.prefix << bits)

    def exact(self, bits: int) -> bool:
        return self.whole.exact(self.shift + bits)

    def after(self, word: int, width: int) -> Cut:
        return _Rest(self.whole, self.shift + width, (self.prefix << width) + word)


@dataclass(frozen=True, eq=False)
class Steps:
    """The cuts of one distribution, rising, made ready for words of one width.

    Outcome k is drawn where exactly k cuts are at most u. `floors` are the first words of the
    cuts; `loose` marks those that are above their first word by something.
    """

    floors: npt.NDArray[np.uint64]
    loose: npt.NDArray[np.bool_]
    cut: Callable[[int], Cut]
    width: int

    @classmethod
    def of(cls, cuts: Sequence[Cut], width: int) -> Steps:
        """Any rising cuts; those at 1 are never reached and left out."""
        floors = [cut.floor(width) for cut in cuts]
        while floors and floors[-1] >> width:
            floors.pop()
        loose = [not cut.exact(width) for cut in cuts[: len(floors)]]
        return cls(
            np.array(floors, dtype=np.uint64), np.array(loose, dtype=bool), cuts.__getitem__, width
        )

    @classmethod
    def of_weights(cls, parts: npt.NDArray[Any], whole: int, width: int) -> Steps:
        """Outcome k with probability parts[k] / whole; see `weights`."""
        tops = np.cumsum(parts[:-1])
        tops = tops[: np.searchsorted(tops, whole)]  # cuts at 1 are never reached
        floors, loose = _first_words(tops, whole, width)
        return cls(floors, loose, lambda k: RationalCut(int(tops[k]), whole), width)

    @classmethod
    def heads(cls, probability: Exact, width: int) -> Steps:
        """A coin: outcome 0 with this probability."""
        return cls.of([cut_of(probability)], width)

    @classmethod
    def distribution(cls, values: Sequence[Exact], width: int) -> Steps:
        """Outcome k with probability values[k]."""
        if all(map(is_rational, values)):
            return cls.of_weights(*weights(values), width)
        cuts, below = [], ZERO
        for value in values[:-1]:
            below += drawable(value)
            cuts.append(cut_of(below))
        return cls.of(cuts, width)

    def after(self, word: int) -> tuple[int, Steps]:
        """How many cuts lie below the word, and what is left of those that begin with it."""
        first, last = (
            int(np.searchsorted(self.floors, np.uint64(word), side)) for side in ("left", "right")
        )
        left = [self.cut(k).after(word, self.width) for k in range(first, last)]
        return first, Steps.of(left, self.width)


def drawable(value: Exact) -> Any:
    """The value as a number; ValueError where it still depends on a parameter."""
    if is_symbolic(value):
        raise ValueError("give the free parameters values before drawing")
    return value


def weights(values: Sequence[Exact]) -> tuple[npt.NDArray[Any], int]:
    """The values as integers over one denominator; Python's integers where int64 is too short."""
    rationals = [drawable(value) for value in values]
    whole = lcm(*(value.denominator for value in rationals))
    tops = [value.numerator * (whole // value.denominator) for value in rationals]
    return np.array(tops, dtype=np.int64 if whole < 1 << 62 else object), whole


def _first_words(
    tops: npt.NDArray[Any], whole: int, width: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """floor(top * 2^width / whole), and whether something is left, by long division."""
    digit = 63 - whole.bit_length()
    if digit < 8:
        shifted = tops.astype(object) << width
        floors = np.array([int(top) // whole for top in shifted], dtype=np.uint64)
        return floors, np.array([bool(int(top) % whole) for top in shifted], dtype=bool)
    rest = tops.astype(np.uint64)
    floors = np.zeros(rest.shape, dtype=np.uint64)
    done = 0
    while done < width:
        step = min(digit, width - done)
        rest <<= np.uint64(step)
        quotient = rest // np.uint64(whole)
        rest -= quotient * np.uint64(whole)
        floors = (floors << np.uint64(step)) | quotient
        done += step
    return floors, rest != 0
