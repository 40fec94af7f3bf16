"""Payoffs of answers: what an estimate from a coalition's N answers is worth.

The estimate of a value's share from N answers through an operator has the variance V / N, with
V = sum over y of m[y] D[y, x]^2 - pi[x]^2 under a prior pi (D is the unbiased decoder of least
variance, m[y] = sum over x of pi[x] p[x -> y]); the value that is estimated worst counts. Worth is
declared in steps, "so much where the standard error is at most e", so that a coalition earns
w if V / N <= e^2: decided in rationals, with no square root.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ppdm_formal.declare.operators.least_variance import exact_scores
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import recoverable
from ppdm_formal.infer.undoing.counts import Floats
from ppdm_formal.infer.undoing.decoder import EXACT_WORK, NotEstimable
from ppdm_formal.infer.undoing.near_law import near_law, rounded_number
from ppdm_formal.tables.coalition.game import MAX_PLAYERS, Game, sums
from ppdm_formal.tables.coalition.shapley import Arrived

MAX_PEOPLE = 10**8
MAX_PROVIDERS = 300


@dataclass(frozen=True)
class Worth:
    """Steps (least number of answers, worth), rising in both."""

    variance: Fraction
    steps: tuple[tuple[int, Fraction], ...]
    errors: tuple[Fraction, ...] = ()
    """The standard errors that were declared, one a step."""

    @classmethod
    def of(cls, variance: Fraction, declared: Sequence[tuple[Fraction, Fraction]]) -> Worth:
        """From (standard error, worth): a smaller error must be worth more."""
        ordered = sorted(declared, reverse=True)
        if not ordered or any(error <= 0 or worth <= 0 for error, worth in ordered):
            raise ValueError("a standard error and its worth must be above 0")
        for (wide, less), (narrow, more) in pairwise(ordered):
            if wide == narrow or less >= more:
                raise ValueError("a smaller standard error must be worth more than a larger one")
        steps = tuple((math.ceil(variance / e**2), w) for e, w in ordered)
        return cls(variance, steps, tuple(e for e, _ in ordered))

    def payoff(self, answers: int) -> Fraction:
        """What so many answers are worth; no answers are worth nothing."""
        reached = [worth for least, worth in self.steps if 0 < answers >= least]
        return reached[-1] if reached else Fraction(0)

    def payoffs(self, people: Sequence[int]) -> Callable[[Arrived], Floats]:
        """The same for many coalitions of providers at once, as floats: for sampled numbers."""
        limits = np.array([max(1, least) for least, _ in self.steps])
        gains = np.array([0.0, *(float(worth) for _, worth in self.steps)])

        def earned(arrived: Arrived) -> Floats:
            reached = np.searchsorted(limits, arrived @ np.array(people), side="right")
            return np.asarray(gains[reached])

        return earned


def answer_variance(operator: Operator, prior: Prior | None = None) -> Fraction:
    """V of one answer, for the value whose share is estimated worst; ValueError where none is."""
    operator = near_law(operator)
    inputs, outputs = operator.inputs.size, operator.outputs.size
    if operator.parameters:
        raise NotEstimable("the operator has free parameters: give them values with --set")
    if inputs**2 * (inputs + outputs) > EXACT_WORK:
        raise NotEstimable(f"{inputs:,} inputs and {outputs:,} outputs are too many for this")
    matrix = operator.matrix()
    found = recoverable(matrix)
    if len(found.basis) < inputs:
        raise NotEstimable("different distributions give the same answers: no share is estimable")
    masses = [Fraction(1, inputs)] * inputs
    if prior is not None:
        aligned = prior.aligned(operator.inputs)
        masses = [rounded_number(aligned.palette[int(code)]) for code in aligned.codes]
    likely_codes = matrix.codes[[x for x in range(inputs) if masses[x]]]
    positive = np.array([value > 0 for value in matrix.palette])
    if not positive[likely_codes].any(axis=0).all():
        raise NotEstimable("under this prior some answers never occur: choose another --prior")
    scores, likely = exact_scores(matrix, found, masses)
    return max(
        sum((m * row[x] ** 2 for m, row in zip(likely, scores, strict=True)), Fraction(0))
        - masses[x] ** 2
        for x in range(inputs)
    )


def answers_game(people: Sequence[int], worth: Worth) -> Game:
    """The game of a few providers with so many people each, named by their place: 1, 2, ..."""
    counts = sums(people)
    names = [str(place) for place in range(1, len(people) + 1)]
    return Game.of(names, lambda coalition: worth.payoff(counts[coalition]))


def proportional(people: Sequence[int], worth: Worth) -> tuple[Fraction, ...] | None:
    """Shares by people, where they are in the core: for providers too many to list coalitions.

    No coalition objects exactly if none earns more for each of its people than everybody does;
    for each step that is the smallest possible coalition which reaches it.
    """
    total = sum(people)
    reachable = 1
    for count in people:
        reachable |= reachable << count
    earned = worth.payoff(total)
    for least, value in worth.steps:
        above = reachable >> max(1, least)
        smallest = max(1, least) + (above & -above).bit_length() - 1
        if above and value * total > earned * smallest:
            return None
    return tuple(earned * Fraction(count, total) for count in people)


def apart(people: Sequence[int], worth: Worth) -> tuple[tuple[int, ...], ...] | None:
    """Disjoint coalitions that earn more than everybody does, where some are found.

    They are a balanced collection with weights 1, and so the core is empty. For each step the
    providers are dealt out, the largest first, each to the coalition that has least.
    """
    earned = worth.payoff(sum(people))
    largest_first = sorted(range(len(people)), key=lambda i: -people[i])
    for least, value in worth.steps:
        for parts in range(2, min(len(people), sum(people) // max(1, least)) + 1):
            if parts * value <= earned:
                continue
            heap: list[tuple[int, list[int]]] = [(0, []) for _ in range(parts)]
            for i in largest_first:
                count, members = heap[0]
                heapq.heapreplace(heap, (count + people[i], [*members, i]))
            if heap[0][0] >= least:
                return tuple(tuple(sorted(members)) for _, members in heap)
    return None


def check_people(people: Sequence[int]) -> None:
    """Providers must have people, and not too many."""
    if not people or any(count < 1 for count in people):
        raise ValueError("every provider has at least one person")
    if len(people) > MAX_PROVIDERS:
        raise ValueError(f"{len(people)} providers; at most {MAX_PROVIDERS} are taken")
    if sum(people) > MAX_PEOPLE:
        raise ValueError(f"{sum(people):,} people; at most {MAX_PEOPLE:,} are taken")


def few(people: Sequence[int]) -> bool:
    """Whether all coalitions can be listed."""
    return len(people) <= MAX_PLAYERS
