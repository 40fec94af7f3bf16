"""Decay: outputs on a line with weights w^|x - y|, 0 < w <= 1, drawn by the bits of the distance.

A geometric number g with P[g] in proportion to w^g is low + 2^r high, where high is geometric with
ratio w^(2^r), the r bits of low are independent, and bit i is 1 with probability

    w^(2^i) / (1 + w^(2^i))

So r coins draw a distance below 2^r, however near to 1 w is, and w = 1 too. r is the least for
which w^(2^r) <= 1/2, or 2^r reaches over the line: high then takes few coins, or is not needed. A
distance gets a side; what falls beyond an end, or is 0 on the left, is drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, simplify
from ppdm_formal.declare.operators.cut import Steps, drawable
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers
from ppdm_formal.declare.operators.shipped import odds_json, values_json

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Decay:
    """The draws on `size` values of a line with this decay, a number in (0, 1]."""

    size: int
    decay: Exact

    @cached_property
    def _powers(self) -> list[Exact]:
        """w, w^2, w^4, ..., w^(2^r)."""
        found = [drawable(self.decay)]
        while found[-1] > _HALF and 1 << len(found) - 1 < self.size:
            found.append(simplify(found[-1] * found[-1]))
        return found

    @cached_property
    def low(self) -> list[Exact]:
        """How likely each bit of a distance is 1, the lowest first."""
        return [simplify(power / (1 + power)) for power in self._powers[:-1]]

    @cached_property
    def high(self) -> Exact | None:
        """How likely 2^r more are added, each time; None where that leaves the line."""
        last = len(self._powers) - 1
        return None if 1 << last >= self.size else self._powers[last]

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """For each input, by its position, an output."""
        found = rows.astype(np.int64)
        waiting = np.arange(rows.size)
        coins = [Steps.heads(chance, bits.width) for chance in self.low]
        while waiting.size:
            right = bits.below(np.full(waiting.size, 2, dtype=np.int64)) == 1
            distance = np.zeros(waiting.size, dtype=np.int64)
            for bit, coin in enumerate(coins):
                distance += bits.coins(coin, waiting.size).astype(np.int64) << bit
            self._add_high(distance, bits)
            place = rows[waiting] + np.where(right, distance, -distance)
            kept = (place >= 0) & (place < self.size) & ((distance > 0) | right)
            found[waiting[kept]] = place[kept]
            waiting = waiting[~kept]
        return found

    def _add_high(self, distance: Integers, bits: Bits) -> None:
        if self.high is None:
            return
        coin = Steps.heads(self.high, bits.width)
        moving = np.arange(distance.size)
        while moving.size:
            moving = moving[bits.coins(coin, moving.size)]
            distance[moving] += 1 << len(self.low)
            moving = moving[distance[moving] < self.size]

    def client(self, inputs: Domain) -> dict[str, Any]:
        """The coins."""
        return {
            "kind": "decay",
            "inputs": values_json(inputs),
            "low": [odds_json(chance) for chance in self.low],
            "high": None if self.high is None else odds_json(self.high),
        }
