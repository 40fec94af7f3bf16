"""Random matrices printed to a few digits, samples within, and claims by their definitions.

The claims are decided on one exact matrix by brute force from the definitions, in integers; nothing
of ppdm_formal takes part in that.
"""

from __future__ import annotations

import functools
import math
import random
from dataclasses import dataclass
from fractions import Fraction as F

from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior, Property
from ppdm_formal.declare.operators.prior import Constraint, PriorFamily


def printed(rng: random.Random, size: int, digits: int, spread: int) -> list[list[F]]:
    """Rows of a random matrix, each entry rounded to so many decimals."""
    rows = []
    for _ in range(size):
        tops = [rng.randint(100 - spread, 100 + spread) for _ in range(size)]
        rows.append([F(round(F(top, sum(tops)) * 10**digits), 10**digits) for top in tops])
    return rows


def sampled(rng: random.Random, rows: list[list[F]], digits: int) -> list[list[F]]:
    """A matrix that rounds to these rows: often at the ends of the intervals."""
    found = []
    for row in rows:
        grain = rng.choice((1, 1, 7, 1000))
        unit = 2 * 10**digits * grain  # everything below is a whole number of its parts
        shown = [int(p * unit) for p in row]
        ends = [(max(0, p - grain), min(unit, p + grain)) for p in shown]
        chosen = [low + (high - low) * rng.randint(0, grain) // grain for low, high in ends]
        order = list(range(len(row)))
        rng.shuffle(order)
        for place in order:
            lacking = unit - sum(chosen)
            low, high = ends[place]
            chosen[place] = min(max(chosen[place] + lacking, low), high)
        assert sum(chosen) == unit
        found.append([F(part, unit) for part in chosen])
    return found


def whole(numbers):
    """Rationals as integers, all multiplied by the same factor."""
    common = math.lcm(*(number.denominator for number in numbers))
    return [int(number * common) for number in numbers]


@dataclass(frozen=True)
class Asked:
    """A claim, and whether one exact matrix breaks it."""

    claim: BoundClaim | BreachClaim
    breaks: object


def ratios(column):
    return [
        (i, k) for i in range(len(column)) for k in range(len(column)) if i != k and column[i] > 0
    ]


def claims(rng: random.Random, operator: Operator, middle: F) -> list[Asked]:
    """Claims of every kind; `middle` is an amplification near which they are interesting."""
    size = operator.inputs.size
    near = max(F(11, 10), middle * (1 + F(rng.randint(-40, 40), 1000)))
    rho1 = F(1, 4)
    rho2 = near * rho1 / (near * rho1 + 1 - rho1)
    tops = [rng.randint(0, 5) + (k == 0) for k in range(size)]
    masses = [F(top, sum(tops)) for top in tops]
    prior = Prior.of(operator.inputs, dict(zip(operator.inputs, masses, strict=True)), "X")
    about = Property.of(operator.inputs, [operator.inputs[0]], "first")
    family = PriorFamily((Constraint(((F(1), about),), "<=", F(1, 20)),))

    def any_ratio(rows, test):
        for column in map(whole, zip(*rows, strict=True)):
            if any(test(i, k, column[i], column[k]) for i, k in ratios(column)):
                return True
        return False

    def odds(after):
        """Whether rho1 (1 - after) most >= after (1 - rho1) least, in whole numbers."""
        more, less = whole([rho1 * (1 - after), after * (1 - rho1)])
        return lambda most, least: more * most >= less * least

    weights = whole(masses)

    @functools.cache
    def starting(low, high):
        """The properties that are unlikely enough to rise, and likely enough to fall."""
        sets = [[x for x in range(size) if chosen >> x & 1] for chosen in range(1, 1 << size)]
        before = [(inside, F(sum(weights[x] for x in inside), sum(weights))) for inside in sets]
        return (
            [inside for inside, belief in before if belief <= low],
            [inside for inside, belief in before if belief >= high],
        )

    def every_property(rows, low, high):
        rising, falling = starting(low, high)
        for column in map(whole, zip(*rows, strict=True)):
            seen = [w * p for w, p in zip(weights, column, strict=True)]
            least, most = (bound * sum(seen) for bound in (high, low))
            least, most = math.ceil(least), math.floor(most)
            if any(sum(seen[x] for x in inside) >= least for inside in rising):
                return True
            if any(sum(seen[x] for x in inside) <= most for inside in falling):
                return True
        return False

    def first_property(rows, low, high):
        for column in zip(*rows, strict=True):
            seen = [m * p for m, p in zip(masses, column, strict=True)]
            before, after = masses[0], seen[0] / sum(seen)
            if (before <= low and after >= high) or (before >= high and after <= low):
                return True
        return False

    twice = near**2 * rho1 / (near**2 * rho1 + 1 - rho1)
    once, both = odds(rho2), odds(twice)
    start = masses[0] if masses[0] < 1 else F(1, 3)
    end = near * start / (near * start + 1 - start)
    low = F(1, 3)
    high = near * low / (near * low + 1 - low)
    high = low + (high - low) * F(3, 4)
    return [
        Asked(
            BoundClaim("amplification", "<=", near),
            lambda rows: any_ratio(
                rows, lambda i, k, a, b: a * near.denominator > near.numerator * b
            ),
        ),
        Asked(BreachClaim(rho1, rho2), lambda rows: any_ratio(rows, lambda i, k, a, b: once(a, b))),
        Asked(
            BreachClaim(rho1, rho2, "upward", about=about),
            lambda rows: any_ratio(rows, lambda i, k, a, b: i == 0 and once(a, b)),
        ),
        Asked(
            BreachClaim(rho1, twice, reports=2),
            lambda rows: any_ratio(rows, lambda i, k, a, b: both(a**2, b**2)),
        ),
        Asked(
            BreachClaim(start, end, under=prior, about=about),
            lambda rows: first_property(rows, start, end),
        ),
        Asked(BreachClaim(low, high, under=prior), lambda rows: every_property(rows, low, high)),
        Asked(BreachClaim(rho1, rho2, "upward", under=family), None),
    ]
