"""Shapley value and core against textbook games, all orders, and balanced collections."""

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from ppdm_formal.tables.coalition import core as core_module
from ppdm_formal.tables.coalition.core import core, objections
from ppdm_formal.tables.coalition.game import Game
from ppdm_formal.tables.coalition.shapley import shapley


def members(coalition, n):
    return [i for i in range(n) if coalition >> i & 1]


def game_of(n, payoff):
    """A game from a function of lists of players."""
    return Game.of([f"p{i}" for i in range(n)], lambda s: Fraction(payoff(members(s, n))))


def by_orders(game):
    """The Shapley value from its definition."""
    n = len(game.players)
    shares = [Fraction(0)] * n
    for order in itertools.permutations(range(n)):
        before = 0
        for i in order:
            shares[i] += game.payoff(before | 1 << i) - game.payoff(before)
            before |= 1 << i
    return tuple(share / math.factorial(n) for share in shares)


def solved(rows):
    """The unique solution of rows [a1, ..., ak, b] by elimination, or None."""
    rows, width = [list(map(Fraction, row)) for row in rows], len(rows[0]) - 1
    for column in range(width):
        pivot = next((r for r in range(column, len(rows)) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [cell / rows[column][column] for cell in rows[column]]
        for r, row in enumerate(rows):
            if r != column and row[column]:
                rows[r] = [a - row[column] * b for a, b in zip(row, rows[column], strict=True)]
    return None if any(row[-1] for row in rows[width:]) else [row[-1] for row in rows[:width]]


def minimal_balanced(n):
    """All minimal balanced collections: independent coalitions with unique positive weights."""
    found = []
    for size in range(1, n + 1):
        for chosen in itertools.combinations(range(1, 1 << n), size):
            weights = solved([[s >> i & 1 for s in chosen] + [1] for i in range(n)])
            if weights is not None and min(weights) > 0:
                found.append(list(zip(chosen, weights, strict=True)))
    return found


def test_gloves():
    """One left and two right gloves: the left one gets everything in the core."""
    game = game_of(3, lambda s: 0 in s and (1 in s or 2 in s))
    assert shapley(game) == (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    found = core(game)
    assert (found.empty, found.point) == (False, (1, 0, 0))
    assert objections(game, shapley(game))


def test_airport():
    """Costs of runways: each stretch is shared by those who need it (Littlechild, Owen 1973)."""
    costs = [2, 5, 5, 9, 14]
    game = game_of(5, lambda s: -max((costs[i] for i in s), default=0))
    stretches = [
        sum(Fraction(costs[k] - (costs[k - 1] if k else 0), len(costs) - k) for k in range(i + 1))
        for i in range(5)
    ]
    assert shapley(game) == tuple(-share for share in stretches)
    assert not core(game).empty
    assert not objections(game, shapley(game))


def test_majority_has_an_empty_core():
    for n in (3, 5, 7):
        game = game_of(n, lambda s, n=n: len(s) > n // 2)
        assert shapley(game) == (Fraction(1, n),) * n
        found = core(game)
        assert found.empty
        assert found.least == Fraction(2 * n, n + 1)
        assert all(game.payoff(s) == 1 for s, _ in found.collection)


def test_security_council():
    """Five with a veto and ten others, nine votes: 421/2145 and 4/2145; the core is the vetoes'."""
    game = game_of(15, lambda s: len(s) >= 9 and set(range(5)) <= set(s))
    assert shapley(game) == (Fraction(421, 2145),) * 5 + (Fraction(4, 2145),) * 10
    found = core(game)
    assert not found.empty
    assert sum(found.point[:5]) == 1
    assert not any(found.point[5:])


def test_linear_production():
    """Owen 1975: two resources, v = min(a, b); prices of resources divide it within the core."""
    first, second = [3, 0, 1, 4], [0, 5, 2, 2]
    game = game_of(4, lambda s: min(sum(first[i] for i in s), sum(second[i] for i in s)))
    assert not core(game).empty
    prices = tuple(map(Fraction, first))  # the scarcer resource has all the price
    assert sum(prices) == game.payoff(game.everybody)
    assert not objections(game, prices)
    assert objections(game, tuple(Fraction(8, 9) * amount for amount in second))


def test_known_numbers_of_minimal_balanced_collections():
    """1, 2, 6, 42, ... (Peleg 1965), the collection of everybody among them."""
    assert [len(minimal_balanced(n)) for n in (2, 3, 4)] == [2, 6, 42]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_random_games_against_the_definitions(n):
    collections = minimal_balanced(n)
    random.seed(n)
    verdicts = set()
    for _ in range(60):
        drawn = [(random.randint(-6, 9), random.randint(1, 3)) for _ in range((1 << n) - 1)]
        payoffs = [Fraction(0), *(Fraction(top, bottom) for top, bottom in drawn)]
        payoffs[-1] += random.randint(0, 4 * n)
        game = Game.of([f"p{i}" for i in range(n)], payoffs.__getitem__)
        assert shapley(game) == by_orders(game)
        found = core(game)
        worths = [sum(w * payoffs[s] for s, w in some) for some in collections]
        assert found.least == max(worths)
        assert found.empty == any(worth > payoffs[-1] for worth in worths)
        if not found.empty:
            assert sum(found.point) == payoffs[-1]
            assert all(
                sum(found.point[i] for i in members(s, n)) >= payoffs[s] for s in range(1 << n)
            )
        verdicts.add(found.empty)
    assert verdicts == {True, False}


def test_wrong_evidence_is_noticed():
    game = game_of(3, lambda s: len(s) >= 2)
    found = core(game)
    for wrong in (
        replace(found, empty=False),
        replace(found, least=found.least + 1),
        replace(found, point=(Fraction(1, 2), Fraction(1, 2), Fraction(0))),
        replace(found, collection=found.collection[:2]),
        replace(found, collection=tuple((s, 2 * w) for s, w in found.collection)),
    ):
        with pytest.raises(AssertionError):
            core_module._check(game, wrong)
