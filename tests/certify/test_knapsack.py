"""Branch and bound: the maximum against brute force, and trees that prove what they say."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass
from fractions import Fraction

from how_many import cases

from ppdm_formal.certify.knapsack import Amounts, Effort, Knapsack, maximize
from ppdm_formal.certify.subset_sum import greatest_sum


@dataclass
class Problem:
    """In plain Fractions."""

    values: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    counts: tuple[int, ...]
    capacity: Fraction

    @property
    def knapsack(self) -> Knapsack:
        values, weights = Amounts.of(self.values), Amounts.of(self.weights)
        return Knapsack(values, weights, self.counts, self.capacity)


def brute_force(problem: Problem) -> Fraction:
    best = Fraction(0)
    for chosen in itertools.product(*(range(count + 1) for count in problem.counts)):
        weight = sum(n * w for n, w in zip(chosen, problem.weights, strict=True))
        if weight <= problem.capacity:
            best = max(best, sum(n * v for n, v in zip(chosen, problem.values, strict=True)))
    return best


def rounded_down(value: Fraction, parts) -> Fraction:
    common = math.lcm(*(part.denominator for part in parts))
    unit = Fraction(math.gcd(*(int(part * common) for part in parts)), common)
    return value // unit * unit if unit else value


def proves(problem: Problem, tree, at_most: Fraction, low=None, high=None) -> bool:
    """The rules of docs/certificate.md, written a second time."""
    low = low or [0] * len(problem.counts)
    high = high or list(problem.counts)
    capacity = rounded_down(problem.capacity, problem.weights)
    if tree == "over":
        return sum(n * w for n, w in zip(low, problem.weights, strict=True)) > capacity
    if isinstance(tree, str):
        t = Fraction(tree)
        bound = t * capacity
        for v, w, a, b in zip(problem.values, problem.weights, low, high, strict=True):
            bound += (v - t * w) * (b if v > t * w else a)
        return t >= 0 and rounded_down(bound, problem.values) <= at_most
    c, at = tree["class"], tree["at"]
    if not low[c] <= at < high[c]:
        return False
    below, above = list(high), list(low)
    below[c], above[c] = at, at + 1
    return proves(problem, tree["below"], at_most, low, below) and proves(
        problem, tree["above"], at_most, above, high
    )


def random_problem(chance: random.Random) -> Problem:
    size = chance.randrange(1, 6)
    whole = chance.choice((1, 7, 60, 997))
    return Problem(
        tuple(Fraction(chance.choice((0, 1, 5, 9, 14, 17, 23)), whole) for _ in range(size)),
        tuple(Fraction(chance.choice((0, 2, 3, 5, 7, 11, 13)), 30) for _ in range(size)),
        tuple(chance.choice((1, 1, 2, 3)) for _ in range(size)),
        Fraction(chance.randrange(0, 40), 31),
    )


def test_maxima_and_their_trees():
    chance = random.Random(11)
    split = 0
    for _ in range(cases(100, 400)):
        problems = [random_problem(chance) for _ in range(chance.randrange(1, 4))]
        found = maximize([*(p.knapsack for p in problems), None], Effort())
        best = max(map(brute_force, problems))
        assert found.at_least == found.at_most == best
        chosen = problems[found.problem]
        assert sum(n * v for n, v in zip(found.chosen, chosen.values, strict=True)) == best
        assert (
            sum(n * w for n, w in zip(found.chosen, chosen.weights, strict=True)) <= chosen.capacity
        )
        assert found.trees[-1] is None
        for problem, tree in zip(problems, found.trees, strict=False):
            assert proves(problem, tree, best)
            split += isinstance(tree, dict)
            if brute_force(problem) == best:
                unit = Fraction(1, 10**9)
                assert not proves(problem, tree, best - unit)
    assert split > cases(12, 50)


def test_an_interrupted_search_still_encloses_with_a_proof():
    chance = random.Random(3)
    weights = tuple(Fraction(chance.randrange(10**8, 10**9), 10**11) for _ in range(60))
    values = tuple(w * chance.choice((1, Fraction(3, 2))) for w in weights)
    problem = Problem(values, weights, (1,) * 60, Fraction(1, 7))
    found = maximize([problem.knapsack], Effort(ample=20_000))
    assert found.at_least < found.at_most
    assert found.at_most - found.at_least < Fraction(1, 10**4)
    assert proves(problem, found.trees[0], found.at_most)


def test_a_target_is_decided_beyond_the_ample_effort():
    chance = random.Random(4)
    weights = tuple(Fraction(chance.randrange(10**8, 10**9), 10**11) for _ in range(60))
    problem = Problem(weights, weights, (1,) * 60, Fraction(1, 7))
    found = maximize(
        [problem.knapsack], Effort(target=Fraction(1, 7) - Fraction(1, 10**7), ample=0)
    )
    assert found.at_least >= Fraction(1, 7) - Fraction(1, 10**7)


def test_subset_sums():
    chance = random.Random(7)
    for _ in range(300):
        size = chance.randrange(1, 5)
        weights = [chance.randrange(1, 15) for _ in range(size)]
        counts = [chance.randrange(0, 5) for _ in range(size)]
        limit = chance.randrange(0, 60)
        sums = [
            sum(n * w for n, w in zip(chosen, weights, strict=True))
            for chosen in itertools.product(*(range(count + 1) for count in counts))
        ]
        total, chosen = greatest_sum(weights, counts, limit)
        assert total == max(value for value in sums if value <= limit)
        assert sum(n * w for n, w in zip(chosen, weights, strict=True)) == total
        assert all(n <= count for n, count in zip(chosen, counts, strict=True))
