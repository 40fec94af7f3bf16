"""The core: all ways to divide v(everybody) so that no coalition S gets less than v(S).

By linear programming duality it is empty exactly if some balanced collection earns more:
weights w[S] >= 0 that cover every player once, sum of w[S] over S with i in it = 1 for each i,
with sum of w[S] v(S) > v(everybody) (Bondareva 1963, Shapley 1967). One program gives both: the
greatest worth of a balanced collection is the least total that keeps every coalition, and its
dual point pays it. Coalitions join the program as they object, and the evidence is checked in
integers by itself.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.arithmetic.simplex import Best, maximize
from ppdm_formal.tables.coalition.game import Game, sums


@dataclass(frozen=True)
class Core:
    """Whether the core is empty, and why.

    point: shares that no coalition can better, which pay `least` in all. Where `least` is
    v(everybody) they are in the core; otherwise it is empty, and the collection of weighted
    coalitions, which covers every player once, is worth `least`.
    """

    empty: bool
    least: Fraction
    point: tuple[Fraction, ...]
    collection: tuple[tuple[int, Fraction], ...]


def core(game: Game) -> Core:
    """Decide the core, with evidence that was re-checked.

    >>> majority = Game.of("ABC", lambda s: Fraction(s.bit_count() >= 2))
    >>> found = core(majority)
    >>> found.empty, str(found.least), [str(weight) for _, weight in found.collection]
    (True, '3/2', ['1/2', '1/2', '1/2'])
    """
    n = len(game.players)
    active = [1 << i for i in range(n)]
    if game.everybody not in active:
        active.append(game.everybody)
    while True:
        best = maximize(
            [game.payoff(s) for s in active],
            [([ONE if s >> i & 1 else ZERO for s in active], -ONE, "==") for i in range(n)],
        )
        assert isinstance(best, Best)  # the players one by one are a balanced collection
        point = tuple(-m for m in best.multipliers)
        objecting = objections(game, point, n)
        if not objecting:
            break
        active += objecting
    collection = tuple((s, weight) for s, weight in zip(active, best.point, strict=True) if weight)
    found = Core(best.value > game.payoff(game.everybody), best.value, point, collection)
    _check(game, found)
    return found


def objections(game: Game, point: tuple[Fraction, ...], most: int = 1) -> list[int]:
    """Coalitions that get less than they earn by themselves, the worst first."""
    bottom = math.lcm(*(share.denominator for share in point))
    got = sums([share.numerator * (bottom // share.denominator) for share in point])
    short = (
        (top * bottom - paid * game.bottom, coalition)
        for coalition, (top, paid) in enumerate(zip(game.tops, got, strict=True))
        if top * bottom > paid * game.bottom
    )
    return [coalition for _, coalition in heapq.nlargest(most, short)]


def _check(game: Game, found: Core) -> None:
    """The evidence alone, whatever found it: it shows that the verdict is right."""
    covers = all(
        sum(weight for s, weight in found.collection if s >> i & 1) == 1
        for i in range(len(game.players))
    )
    worth = sum((weight * game.payoff(s) for s, weight in found.collection), ZERO)
    positive = all(weight > 0 for _, weight in found.collection)
    kept = not objections(game, found.point) and sum(found.point, ZERO) == found.least
    empty = worth > game.payoff(game.everybody)
    if not (covers and positive and worth == found.least and kept and empty == found.empty):
        raise AssertionError("the evidence about the core does not hold")
