"""Truncated geometric noise (Ghosh, Roughgarden, Sundararajan 2009): a count plus noise, cut off.

x in 0..k-1 gets noise z with probability (1 - a)/(1 + a) a^|z|, and what falls outside becomes
the nearer end:

    p[x -> y] = a^|x - y| / (1 + a) * (1 if y is an end else 1 - a)

Neighbouring counts are told apart by at most 1/a = e^epsilon, the ends by a^(1 - k).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, Exact, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, decay_of, probability
from ppdm_formal.declare.families.line import LineLaw
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Spelled, check_rows
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import odds_json, values_json
from ppdm_formal.declare.operators.view import View


@dataclass(frozen=True)
class GeometricLaw(LineLaw):
    """The law; ratio is a."""

    ratio: Exact

    def __post_init__(self) -> None:
        if self.size == 1:  # a count that is known: the noise is without effect
            object.__setattr__(self, "ratio", ONE)

    def spelled(self) -> Spelled:
        """By its ratio."""
        return Spelled("truncated_geometric", {"ratio": self.ratio})

    @property
    def reach(self) -> int:
        """Every distance has its own weight."""
        return self.size - 1

    @property
    def rows(self) -> int:
        """All inputs are alike."""
        return 1

    @property
    def columns(self) -> int:
        """The ends, and the values between them."""
        return 2

    @cached_property
    def still(self) -> Exact:
        """How likely no noise is."""
        return simplify((1 - self.ratio) / (1 + self.ratio))

    @cached_property
    def _powers(self) -> dict[int, Exact]:
        return {}

    def _power(self, distance: int) -> Exact:
        """a^d, kept."""
        if distance not in self._powers:
            self._powers[distance] = self.ratio**distance if distance else ONE
        return self._powers[distance]

    def likelihood(self, distance: int, row: int, column: int) -> Exact:
        """a^d / (1 + a), inside times 1 - a."""
        if self.size == 1:
            return ONE
        factor = self.still if column else 1 / (1 + self.ratio)
        return simplify(self._power(distance) * factor)

    def extreme(self, inputs: Domain, outputs: Domain) -> View:
        """An end, which tells the two ends apart by a^(1 - k)."""
        return self.falling(self.ratio, inputs, outputs)

    def mass(self) -> Exact:
        """Noise of 0, of -1, -2, ... and of 1, 2, ...: (1 - a + 2a)/(1 + a)."""
        return simplify(self.still + 2 * self.ratio / (1 + self.ratio))

    def values(self) -> Sequence[Exact]:
        """The ratio a."""
        return (self.ratio,)

    def map(self, change: Callable[[Exact], Exact]) -> GeometricLaw:
        """The same law with parameters given values."""
        return GeometricLaw(self.size, change(self.ratio))

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """No noise, or a sign and one step, and another one while a coin says so, up to the end."""
        check_rows(rows, self.size)
        found = rows.astype(np.int64)
        still = bits.coins(Steps.heads(self.still, bits.width), rows.size)
        moving = np.flatnonzero(~still)
        step = np.full(rows.size, -1, dtype=np.int64)
        if moving.size:
            step[moving[bits.below(np.full(moving.size, 2, dtype=np.int64)) == 1]] = 1
        coin = Steps.heads(self.ratio, bits.width)
        while True:
            end = np.where(step[moving] < 0, 0, self.size - 1)
            moving = moving[found[moving] != end]
            if not moving.size:
                return found
            found[moving] += step[moving]
            end = np.where(step[moving] < 0, 0, self.size - 1)
            moving = moving[found[moving] != end]
            if moving.size:
                moving = moving[bits.coins(coin, moving.size)]

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """Two coins: for no noise at all, and for another step."""
        noise = {"still": odds_json(self.still), "ratio": odds_json(self.ratio)}
        return {"kind": "geometric", "inputs": values_json(inputs), **noise}


def truncated_geometric(
    values: int,
    ratio: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Two-sided geometric noise with ratio a = e^(-epsilon) on 0..values-1, cut off at the ends.

    >>> [str(truncated_geometric(4, "1/2").probability(0, y)) for y in range(4)]
    ['2/3', '1/6', '1/12', '1/12']
    """
    check_values("truncated geometric noise", values)
    if (ratio is None) == (epsilon is None):
        raise ValueError("truncated geometric noise takes either ratio or epsilon")
    chance = decay_of(epsilon, 1) if ratio is None else probability("ratio", ratio, parameters)
    domain = Domain(range(values))
    return Operator(domain, domain, GeometricLaw(values, chance), name, parameters)
