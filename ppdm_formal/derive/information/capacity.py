"""Channel capacity: the most that outputs tell of x on average, over all priors (Blahut, Arimoto).

    C = max over priors r of I(X; Y) = min over q of max over x of KL(p[x -> .] || q)

The iteration runs in floats and proves nothing. What it ends at is rounded to rationals r, and with
q = r P both I(r) <= C and C <= max over x of KL(p[x -> .] || q) are enclosed rigorously.

For an operator on one person's value C is the epsilon of mutual-information differential privacy
(Dor18 1.2.4); with several people, the largest C of one person's value, the others' being fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.derive.information.balls import ball, between, divergence

ITERATIONS = 20_000
GAP = 1e-11
STILL = 300
"""So many steps are gone where floats tell no difference any more."""
_GRAIN = 1 << 50


@dataclass(frozen=True)
class ChannelCapacity:
    """C in nats between rigorous bounds, and the prior by which the lower one is met."""

    nats: Enclosure
    prior: tuple[Fraction, ...]


def channel_capacity(rows: Sequence[Sequence[Real]]) -> ChannelCapacity:
    """From exact rows p[x -> .].

    >>> quarter = Fraction(1, 4)
    >>> coin = [[3 * quarter, quarter], [quarter, 3 * quarter]]
    >>> print(channel_capacity(coin).nats)  # ln(2) - H(1/4)
    0.130812...
    """
    reached = [y for y in range(len(rows[0])) if any(row[y] != 0 for row in rows)]
    exact = [[row[y] for y in reached] for row in rows]
    prior = rounded_shares(_iterated(np.array([[float(p) for p in row] for row in exact])))
    mixed: list[Any] = [
        sum((r * row[y] for r, row in zip(prior, exact, strict=True)), Fraction(0))
        for y in range(len(reached))
    ]

    def bounds() -> tuple[Any, Any]:
        apart = [divergence(row, mixed) for row in exact]
        low = sum((ball(r) * one for r, one in zip(prior, apart, strict=True)), arb(0))
        high = apart[0]
        for one in apart[1:]:
            high = high.max(one)
        return low, high

    return ChannelCapacity(between(bounds), prior)


def _iterated(matrix: Any) -> Any:
    """A prior that is nearly best, in floats.

    Blahut and Arimoto's step is r[x] e^(KL of x), made longer for as long as that tells more: where
    inputs are better left out, steps of length 1 take ever longer.
    """
    r = np.full(len(matrix), 1 / len(matrix))
    logs = np.log(matrix, out=np.zeros_like(matrix), where=matrix > 0)
    own = (matrix * logs).sum(axis=1)

    def apart_from(prior: Any) -> Any:
        q = prior @ matrix
        return own - matrix @ np.log(q, out=np.zeros_like(q), where=q > 0)

    apart = apart_from(r)
    told, length, still = float(r @ apart), 1.0, 0
    for _ in range(ITERATIONS):
        if apart.max() - told < GAP:
            break
        moved = r * np.exp(length * (apart - apart.max()))
        moved /= moved.sum()
        beyond = apart_from(moved)
        more = float(moved @ beyond)
        if more < told and length > 1:
            length = 1.0
            continue
        still = still + 1 if more <= told else 0
        if still > STILL:
            break
        r, apart, told = moved, beyond, more
        length *= 1.5
    return r


def rounded_shares(values: Any, never: Any = None) -> tuple[Fraction, ...]:
    """Positive floats as rationals that are positive and sum to 1; 0 where `never` allows it."""
    grains = [round(float(value) * _GRAIN) for value in values]
    grains = [max(g, 1) if never is None or not never[k] else g for k, g in enumerate(grains)]
    return tuple(Fraction(grain, sum(grains)) for grain in grains)
