"""Shapley value: a player's mean contribution v(S + i) - v(S) over all orders of arrival.

phi[i] = sum over S with i in it of (s - 1)! (n - s)! / n! v(S)
       - sum over S without i      of s! (n - s - 1)! / n! v(S),   s = |S|.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.tables.coalition.game import Game

Arrived: TypeAlias = "npt.NDArray[np.bool_]"
"""Coalitions, a row each: who is in it."""


def shapley(game: Game) -> tuple[Fraction, ...]:
    """The exact value, through the sum of payoffs of each size with and without each player.

    >>> gloves = Game.of("LRS", lambda s: Fraction(bool(s & 1) and bool(s & 6)))
    >>> [str(share) for share in shapley(gloves)]
    ['2/3', '1/6', '1/6']
    """
    n = len(game.players)
    total = [0] * (n + 1)
    inside = [[0] * (n + 1) for _ in range(n)]
    for coalition, top in enumerate(game.tops):
        if top:
            size = coalition.bit_count()
            total[size] += top
            for i in range(n):
                if coalition >> i & 1:
                    inside[i][size] += top
    orders = math.factorial
    shares = []
    for i in range(n):
        top = sum(orders(s - 1) * orders(n - s) * inside[i][s] for s in range(1, n + 1)) - sum(
            orders(s) * orders(n - s - 1) * (total[s] - inside[i][s]) for s in range(n)
        )
        shares.append(Fraction(top, orders(n) * game.bottom))
    return tuple(shares)


@dataclass(frozen=True)
class Sampled:
    """An estimated share of each player, with its standard error."""

    shares: tuple[float, ...]
    errors: tuple[float, ...]
    orders: int


def sampled_shapley(
    players: int, payoff: Callable[[Arrived], npt.NDArray[np.float64]], orders: int, bits: Bits
) -> Sampled:
    """From random orders of arrival, each with its reverse: the mean of the contributions.

    payoff: what coalitions earn, a row of Booleans each. A pair of an order and its reverse is
    one observation, so that standard errors hold although the two are not independent.
    """
    pairs = max(2, orders // 2)
    sums, squares = np.zeros(players), np.zeros(players)
    for _ in range(pairs):
        order = _order(players, bits)
        both = np.zeros(players)
        for arrival in (order, order[::-1]):
            arrived = np.zeros((players + 1, players), dtype=bool)
            arrived[1:, arrival] = np.tri(players, dtype=bool)
            both[arrival] += np.diff(payoff(arrived)) / 2
        sums += both
        squares += both**2
    mean = sums / pairs
    spread = np.maximum(squares / pairs - mean**2, 0) / (pairs - 1)
    return Sampled(tuple(mean.tolist()), tuple(np.sqrt(spread).tolist()), 2 * pairs)


def _order(players: int, bits: Bits) -> npt.NDArray[np.int64]:
    """A uniform order, by exchanging each place with one that is not before it."""
    order = np.arange(players)
    chosen = bits.below(np.arange(players, 0, -1)) + np.arange(players)
    for place, other in enumerate(chosen.tolist()):
        order[[place, other]] = order[[other, place]]
    return order
