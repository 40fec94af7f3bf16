"""What answers are worth: variances against all answers listed, steps, and many providers."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.tables.coalition.answers import (
    Worth,
    answer_variance,
    apart,
    check_people,
    proportional,
)
from ppdm_formal.tables.coalition.game import Game
from ppdm_formal.tables.coalition.shapley import sampled_shapley, shapley


def warner(p):
    return Operator.from_matrix([[p, 1 - p], [1 - p, p]])


@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(9, 10), Fraction(1, 3)])
@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 10)])
def test_warners_variance(p, share):
    """Share (1 - share) + p (1 - p) / (2p - 1)^2 (Warner 1965), from one answer."""
    operator = warner(p)
    prior = Prior.of(operator.inputs, dict(zip(operator.inputs, (share, 1 - share), strict=True)))
    assert answer_variance(operator, prior) == (
        share * (1 - share) + p * (1 - p) / (2 * p - 1) ** 2
    )


def test_variance_of_three_answers_by_listing_them():
    """The mean score of three people's answers, all worlds listed: variance V / 3."""
    p = [["1/2", "1/3", "1/6"], ["1/4", "1/2", "1/4"], ["1/8", "1/8", "3/4"]]
    operator = Operator.from_matrix(p)
    law = [[Fraction(entry) for entry in row] for row in p]
    # D = the inverse of the matrix, by hand from its cofactors
    a, b, c = law
    cofactor = [
        [
            law[(i + 1) % 3][(j + 1) % 3] * law[(i + 2) % 3][(j + 2) % 3]
            - law[(i + 1) % 3][(j + 2) % 3] * law[(i + 2) % 3][(j + 1) % 3]
            for j in range(3)
        ]
        for i in range(3)
    ]
    whole = sum(a[j] * cofactor[0][j] for j in range(3))
    scores = [[cofactor[x][y] / whole for x in range(3)] for y in range(3)]
    likely = [(a[y] + b[y] + c[y]) / 3 for y in range(3)]
    variances = []
    for x in range(3):
        mean = square = Fraction(0)
        for answers in itertools.product(range(3), repeat=3):
            chance = likely[answers[0]] * likely[answers[1]] * likely[answers[2]]
            estimate = sum(scores[y][x] for y in answers) / 3
            mean += chance * estimate
            square += chance * estimate**2
        assert mean == Fraction(1, 3)
        variances.append(square - mean**2)
    assert answer_variance(operator) == 3 * max(variances)


def test_steps():
    worth = Worth.of(Fraction(1), [(Fraction(1, 10), Fraction(5)), (Fraction(1, 5), Fraction(2))])
    assert worth.steps == ((25, 2), (100, 5))
    assert [worth.payoff(n) for n in (0, 24, 25, 99, 100, 1000)] == [0, 0, 2, 2, 5, 5]
    arrived = np.array([[False, False], [True, False], [True, True]])
    assert worth.payoffs([30, 70])(arrived).tolist() == [0.0, 2.0, 5.0]


@pytest.mark.parametrize(
    "steps",
    [[], [(0, 1)], [(1, 0)], [(1, 2), (2, 3)], [(1, 2), (1, 3)], [(-1, 1)], [(1, -1)]],
)
def test_steps_that_are_none(steps):
    with pytest.raises(ValueError, match="worth"):
        Worth.of(Fraction(1), [(Fraction(e), Fraction(w)) for e, w in steps])


def test_operators_without_an_estimate():
    with pytest.raises(ValueError, match="same answers"):
        answer_variance(warner(Fraction(1, 2)))
    half = Operator.from_matrix([["1", "0", "0"], ["0", "1/2", "1/2"]])
    with pytest.raises(ValueError, match="never occur"):
        answer_variance(half, Prior.of(half.inputs, {next(iter(half.inputs)): 1}))
    with pytest.raises(ValueError, match="at least one person"):
        check_people([3, 0])
    with pytest.raises(ValueError, match="at most 300"):
        check_people([1] * 301)


def listed(people, worth):
    """All coalitions of a few providers."""
    names = [str(i) for i in range(len(people))]
    return Game.of(
        names,
        lambda s: worth.payoff(sum(n for i, n in enumerate(people) if s >> i & 1)),
    )


def test_shares_by_people_and_coalitions_apart_against_all_coalitions():
    """What is said of many providers, on few of them, where every coalition can be listed."""
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(150):
        people = rng.integers(1, 12, size=rng.integers(2, 6)).tolist()
        least = sorted(rng.choice(40, size=2, replace=False) + 1)
        worth = Worth(Fraction(1), ((int(least[0]), Fraction(2)), (int(least[1]), Fraction(5))))
        game = listed(people, worth)
        counts = [sum(n for i, n in enumerate(people) if s >> i & 1) for s in range(len(game.tops))]
        everything = game.payoff(game.everybody)
        by_people = all(
            everything * Fraction(count, sum(people)) >= game.payoff(s)
            for s, count in enumerate(counts)
        )
        point, parts = proportional(people, worth), apart(people, worth)
        assert (point is not None) == by_people
        if point is not None:
            assert sum(point) == everything
            assert parts is None
        if parts is not None:
            assert sorted(i for some in parts for i in some) == list(range(len(people)))
            together = sum(worth.payoff(sum(people[i] for i in some)) for some in parts)
            assert together > everything
        seen.add((point is None, parts is None))
    assert seen == {(False, True), (True, False), (True, True)}


def test_sampled_shares_are_near_the_exact_ones():
    people = [5, 4, 3, 2, 1, 1]
    worth = Worth(Fraction(1), ((6, Fraction(1)), (11, Fraction(3))))
    exact = [float(share) for share in shapley(listed(people, worth))]
    found = sampled_shapley(len(people), worth.payoffs(people), 4000, Simulation(3))
    assert sum(found.shares) == pytest.approx(3)
    assert all(0 < error < 0.05 for error in found.errors)
    off = [
        abs(a - b) / error for a, b, error in zip(found.shares, exact, found.errors, strict=True)
    ]
    assert max(off) < 4


def test_where_one_answer_says_it_all_everybody_stands_apart():
    """Without variance a step needs no number of answers: every provider earns it alone."""
    worth = Worth.of(Fraction(0), [(Fraction(1, 10), Fraction(3))])
    assert worth.steps == ((0, Fraction(3)),)
    for people in ((1, 1), (5, 1, 2)):
        parts = apart(people, worth)
        assert sorted(i for part in parts for i in part) == list(range(len(people)))
        assert sum(worth.payoff(sum(people[i] for i in part)) for part in parts) > 3
    assert apart((4,), worth) is None
