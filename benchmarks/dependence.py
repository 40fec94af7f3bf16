"""Dependence on 3,000 random small joint laws: for one prior, event by event and for all priors.

Each is compared exactly with brute force from the definition, over all values, all events and
all sets of outputs; for all priors with two-point priors that come near it, and with the
amplification.
"""

from __future__ import annotations

import itertools
import random
import time
from fractions import Fraction

from benchmarks.result import Result
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.event_dependence import event_dependence
from ppdm_formal.derive.measures.local_dp import local_dp

LAWS = 3_000
_TINY = Fraction(1, 10**12)


def measure() -> list[Result]:
    """How many of them agree."""
    rng, start = random.Random(16), time.perf_counter()
    agree = sum(_agrees(rng) for _ in range(LAWS))
    seconds = time.perf_counter() - start
    return [
        Result(
            "dependence against brute force",
            f"{agree:,} of {LAWS:,} joint laws agree, {seconds:.0f} s",
            "all",
            agree == LAWS,
        )
    ]


def _shares(count: int, rng: random.Random) -> list[Fraction]:
    parts = [rng.randint(1, 9) for _ in range(count)]
    return [Fraction(part, sum(parts)) for part in parts]


def _agrees(rng: random.Random) -> bool:
    n, m = rng.randint(2, 4), rng.randint(2, 4)
    joint = [_shares(m, rng) for _ in range(n)]
    prior = _shares(n, rng)
    operator = Operator.from_matrix(joint, inputs=Domain(range(n)), outputs=Domain(range(m)))
    known = Prior.of(operator.inputs, dict(enumerate(prior)))
    likely = [sum(prior[x] * joint[x][y] for x in range(n)) for y in range(m)]
    cells = [joint[x][y] / likely[y] for x in range(n) for y in range(m)]
    total = max(max(cell, 1 / cell) for cell in cells)
    gain = max(joint[a][y] / joint[b][y] for a in range(n) for b in range(n) for y in range(m))
    chosen = rng.sample(range(n), rng.randint(1, n - 1))
    event = Property.of(operator.inputs, chosen, "Q")
    everywhere = local_dp(operator).amplification.value
    return (
        dependence(operator, known).ratio == total
        and event_dependence(operator, event, known).ratio == _event(joint, prior, chosen)
        and everywhere == gain
        and total <= gain
        and gain / _near(joint) < 1 + Fraction(1, 10**9)
    )


def _event(joint: list[list[Fraction]], prior: list[Fraction], chosen: list[int]) -> Fraction:
    """Over all sets of outputs."""
    before = sum((prior[x] for x in chosen), Fraction(0))
    worst = Fraction(1)
    outputs = range(len(joint[0]))
    for size in range(1, len(joint[0]) + 1):
        for seen in itertools.combinations(outputs, size):
            mass = sum(p * sum(row[y] for y in seen) for p, row in zip(prior, joint, strict=True))
            inside = sum(prior[x] * sum(joint[x][y] for y in seen) for x in chosen)
            worst = max(worst, inside / mass / before, before * mass / inside)
    return worst


def _near(joint: list[list[Fraction]]) -> Fraction:
    """The largest dependence under priors of two values, one of them nearly impossible."""
    return max(
        a / (_TINY * a + (1 - _TINY) * b)
        for first, second in itertools.permutations(joint, 2)
        for a, b in zip(first, second, strict=True)
    )
