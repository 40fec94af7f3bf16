"""Duchi's one-bit mean (Duchi, Jordan, Wainwright 2013): a number in [-1, 1] as one of two signs.

Input x of 0..k-1 stands for v = -1 + 2x/(k - 1). It is rounded at random to a sign with mean v,
which is then told truly with probability t/(t + 1), t = gamma = e^epsilon:

    p[x -> 1] = 1/2 + v (t - 1) / (2 (t + 1)),    p[x -> -1] = 1 - p[x -> 1]

(t + 1)/(t - 1) times the mean of the answers estimates the mean of v without bias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, ratio_of
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.law import Integers, Law, MatrixLaw, Spelled, check_rows
from ppdm_formal.declare.operators.matrix import CodedMatrix, Palette, TooLarge
from ppdm_formal.declare.operators.pair import CrowdPair, PairClass, crowd_kinds, pair_classes
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import odds_json, values_json
from ppdm_formal.declare.operators.view import View, extreme_view

MAX_CLASSES = 50_000
"""Most classes of inputs that a view holds."""

MAX_PAIRED = 150
"""Most values of which every pair is looked at."""


@dataclass(frozen=True)
class RoundedSign(Law):
    """The law; `true` is how likely the rounded sign is told truly. Two columns always fit."""

    size: int
    true: Exact

    def spelled(self) -> Spelled:
        """By how much likelier the truth is."""
        return Spelled("duchi_mean", {"gamma": self.true / (1 - self.true)})

    def entry(self, row: int, column: int) -> Exact:
        """The sign in `column` (0 is -1), rounded to with probability x/(k - 1) or the rest."""
        share = Fraction(row if column else self.size - 1 - row, self.size - 1)
        return simplify(share * self.true + (1 - share) * (1 - self.true))

    @cached_property
    def _written(self) -> MatrixLaw:
        if self.size > MAX_CLASSES:
            raise TooLarge(
                f"{self.size:,} values: as many likelihoods are too many to write out; a claim for "
                "all priors, without `under`, is decided, and where it holds it holds under any"
            )
        palette = Palette()
        up = np.array([palette.code(self.entry(row, 1)) for row in range(self.size)])
        return MatrixLaw(CodedMatrix(np.stack([up[::-1], up], axis=1), palette.values))

    def extreme(self, inputs: Domain, outputs: Domain) -> View:
        """A sign, which tells the two ends apart most: likelihoods are linear in x."""
        return extreme_view(inputs, outputs, self.true, simplify(1 - self.true))

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Two outputs."""
        return pair_classes((self.entry(first, y), self.entry(second, y), 1) for y in (0, 1))

    def unlike_pairs(self) -> Iterator[tuple[int, int]]:
        """All but those that are mirrored; of many the ends, which all others are mixtures of."""
        if self.size > MAX_PAIRED:
            yield 0, self.size - 1
            return
        for first in range(self.size):
            for second in range(first + 1, self.size - first):
                yield first, second

    def crowd_pairs(self) -> tuple[CrowdPair, ...] | None:
        """The ends, which all inputs are mixtures of; from one a sign is least likely."""
        if is_symbolic(self.true):
            return None
        last = self.size - 1
        least = min(self.entry(0, 0), self.entry(last, 0))
        signs = ((self.entry(0, y), self.entry(last, y)) for y in (0, 1))
        parts = ((1, (first, second, least, second)) for first, second in signs)
        return (CrowdPair(0, last, last, crowd_kinds(parts)),)

    def mass(self) -> Exact:
        """True and not true, whatever the rounding."""
        return simplify(self.true + (1 - self.true))

    def values(self) -> Sequence[Exact]:
        """How likely the truth is."""
        return (self.true,)

    def matrix(self) -> CodedMatrix:
        """The two columns."""
        return self._written.coded

    def map(self, change: Callable[[Exact], Exact]) -> RoundedSign:
        """The same law with parameters given values."""
        return RoundedSign(self.size, change(self.true))

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """Up where a uniform number below k - 1 is below x, then a coin for the truth."""
        check_rows(rows, self.size)
        up = bits.below(np.full(rows.size, self.size - 1, dtype=np.int64)) < rows
        told = bits.coins(Steps.heads(self.true, bits.width), rows.size)
        return np.where(up == told, 1, 0)

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """A coin for the truth."""
        return {"kind": "sign", "inputs": values_json(inputs), "true": odds_json(self.true)}


def duchi_mean(
    values: int,
    gamma: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """One bit on `values` evenly spaced points of [-1, 1].

    >>> [str(duchi_mean(5, 3).probability(x, 1)) for x in range(5)]
    ['1/4', '3/8', '1/2', '5/8', '3/4']
    """
    check_values("a one-bit mean", values, least=2)
    ratio = ratio_of(gamma, epsilon, parameters)
    law = RoundedSign(values, simplify(ratio / (ratio + 1)))
    return Operator(Domain(range(values)), Domain([-1, 1]), law, name, parameters)
