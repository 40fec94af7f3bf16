"""Random small operators and claims, a part of them exactly at the boundary of a breach."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import certify_oracle as oracle

from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator

DIRECTIONS = ("both", "both", "upward", "downward")


@dataclass
class Case:
    """A claim twice: as this package has it, and as plain lists for the oracle."""

    rows: list[list[Fraction]]
    prior: list[Fraction] | None
    about: int | None
    knowledge: list[list[Fraction]] | None
    claim: BreachClaim
    operator: Operator
    at_boundary: bool = False

    @property
    def arguments(self):
        return self.claim.direction, self.claim.rho1, self.claim.rho2

    @cached_property
    def changes(self):
        found = oracle.known_prior_changes(self.rows, self.prior, self.knowledge, self.about)
        return set(found)

    def breached(self) -> bool:
        if self.prior is None:
            return oracle.all_priors_breached(
                self.rows, self.knowledge, self.about, *self.arguments
            )
        return any(oracle.breached(*self.arguments, *change) for change in self.changes)

    def thresholds(self):
        if self.prior is None:
            return oracle.all_priors_thresholds(
                self.rows, self.knowledge, self.about, *self.arguments
            )
        return oracle.known_prior_thresholds(self.changes, *self.arguments)


def distribution(chance: random.Random, size: int, zeros: float) -> list[Fraction]:
    weights = [
        0 if chance.random() < zeros else chance.choice((1, 1, 2, 3, 5, 9)) for _ in range(size)
    ]
    if not any(weights):
        weights[chance.randrange(size)] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def matrix(chance: random.Random, size: int, width: int) -> list[list[Fraction]]:
    """Rows with zeros, equal rows, and now and then an output that nothing reaches."""
    zeros = chance.choice((0.0, 0.0, 0.1, 0.5))
    rows = [distribution(chance, width, zeros) for _ in range(size)]
    if size > 1 and chance.random() < 0.3:
        rows[-1] = rows[0]
    if chance.random() < 0.15:
        rows = [[*row, Fraction(0)] for row in rows]
    return rows


def known_function(chance: random.Random, size: int) -> list[list[Fraction]]:
    """Background knowledge: deterministic half of the time."""
    if chance.random() < 0.5:
        picks = [chance.randrange(2) for _ in range(size)]
        return [[Fraction(int(pick == z)) for z in range(2)] for pick in picks]
    return [distribution(chance, 2, 0.1) for _ in range(size)]


def build(rows, prior, about, knowledge, direction, rho1, rho2) -> Case:
    operator = Operator.from_matrix(rows, name="R")
    domain = Domain(range(len(rows)))
    claim = BreachClaim(
        rho1,
        rho2,
        direction,
        None if prior is None else Prior.of(domain, dict(enumerate(prior)), "X"),
        None
        if about is None
        else Property.of(domain, [x for x in range(len(rows)) if about >> x & 1], "Q"),
        None if knowledge is None else Operator.from_matrix(knowledge, name="Z"),
    )
    return Case(rows, prior, about, knowledge, claim, operator)


def random_case(seed: int) -> Case:
    chance = random.Random(seed)
    size = chance.choice((1, 2, 3, 3, 4, 4, 5, 6))
    rows = matrix(chance, size, chance.choice((1, 2, 2, 3)))
    prior = distribution(chance, size, chance.choice((0.0, 0.3))) if chance.random() < 0.6 else None
    about = chance.randrange(1 << size) if chance.random() < 0.3 else None
    knowledge = known_function(chance, size) if chance.random() < 0.2 else None
    direction = chance.choice(DIRECTIONS)
    low, high = sorted(chance.sample(range(1, 20), 2))
    rho1, rho2 = Fraction(low, 20), Fraction(high, 20)
    case = build(rows, prior, about, knowledge, direction, rho1, rho2)
    if chance.random() < 0.4:
        # Move a bound to its exact threshold: a breach by equality.
        above, below = case.thresholds()
        if chance.random() < 0.5 and above is not None and above > rho1:
            case = build(rows, prior, about, knowledge, direction, rho1, above)
            case.at_boundary = True
        elif below is not None and below < rho2:
            case = build(rows, prior, about, knowledge, direction, below, rho2)
            case.at_boundary = True
    return case
