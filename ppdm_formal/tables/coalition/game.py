"""Game: what every coalition of players earns by itself, v(S), exactly, with v(nobody) = 0.

Players are numbered 0..n-1 and a coalition is an integer whose bit i says whether i is in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

MAX_PLAYERS = 16
"""All coalitions of so many players are looked at one by one; there are 65,536 of them."""

MAX_BITS = 20_000
"""Longest common denominator of all payoffs, in bits."""


@dataclass(frozen=True)
class Game:
    """Payoffs as integers over one denominator, by coalition.

    >>> gloves = Game.of("LRS", lambda s: Fraction(bool(s & 1) and bool(s & 6)))
    >>> str(gloves.payoff(0b011)), str(gloves.payoff(0b110)), gloves.named(0b101)
    ('1', '0', ('L', 'S'))
    """

    players: tuple[str, ...]
    tops: tuple[int, ...]
    bottom: int

    @classmethod
    def of(cls, players: Sequence[str], payoff: Callable[[int], Fraction]) -> Game:
        """From a function of coalitions; ValueError where numbers grow too long."""
        if not 1 <= len(players) <= MAX_PLAYERS:
            raise ValueError(f"{len(players)} players: 1 to {MAX_PLAYERS} are taken")
        found = [payoff(coalition) for coalition in range(1 << len(players))]
        if found[0] != 0:
            raise ValueError("the coalition of nobody earns nothing: its payoff must be 0")
        bottom = 1
        for one in found:
            bottom = math.lcm(bottom, one.denominator)
            if bottom.bit_length() > MAX_BITS:
                raise ValueError("payoffs whose denominators have too little in common: round them")
        tops = tuple(one.numerator * (bottom // one.denominator) for one in found)
        return cls(tuple(players), tops, bottom)

    @property
    def everybody(self) -> int:
        """The coalition of all."""
        return len(self.tops) - 1

    def payoff(self, coalition: int) -> Fraction:
        """What a coalition earns by itself."""
        return Fraction(self.tops[coalition], self.bottom)

    def named(self, coalition: int) -> tuple[str, ...]:
        """The players of a coalition."""
        return tuple(name for i, name in enumerate(self.players) if coalition >> i & 1)


def sums(parts: Sequence[int]) -> list[int]:
    """What each coalition gets in all where player i gets parts[i], by coalition.

    >>> sums([1, 10, 100])
    [0, 1, 10, 11, 100, 101, 110, 111]
    """
    found = [0]
    for part in parts:
        found += [below + part for below in found]
    return found
