"""Mutual information of a client's value and a crowd's histogram, between two numbers: I = c/n.

With reports Y_1, ..., Y_N from a law r beside the client's, Z_x = 1/N sum p[x -> Y_i]/r(Y_i) is how
much likelier the histogram is given x (docs/shuffling.md, T2), Z their mean under the prior, and

    I = sum_x P[x] E[Z_x ln Z_x] - E[Z ln Z].

For u >= -1: u + u^2/2 - u^3/6 <= (1 + u) ln(1 + u) <= u + u^2/2 - u^3/6 + u^4/3. The left holds by
Taylor's formula; the right for u >= 0 too, and for u < 0 since sum over k >= 4 of 1/(k (k - 1)) is
1/3. Moments of means of N independent numbers are known. In floats: it certifies nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.summed_bits import Floats, binomial


@dataclass(frozen=True)
class Likelihoods:
    """Rows p[x -> .] by kinds of outputs, and how likely each x is beforehand."""

    rows: Floats
    prior: Floats

    @classmethod
    def of(cls, operator: Operator, prior: Prior) -> Likelihoods:
        """All rows of a matrix."""
        rows = operator.law.float_rows(np.arange(operator.inputs.size))
        return cls(np.asarray(rows), shares(operator, prior))

    @property
    def blanket(self) -> Floats:
        """What every value sends at least."""
        return np.asarray(self.rows.min(axis=0))

    def law_under(self, operator: Operator, others: Prior) -> Floats:
        """Of reports of others whose values are draws from a prior."""
        return np.asarray(shares(operator, others) @ self.rows)

    def of_one(self) -> float:
        """Bits that one report tells by itself."""
        joint = self.prior[:, None] * self.rows
        mean = joint.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(joint > 0, self.rows / mean, 1.0)
        return float((joint * np.log2(ratio)).sum())

    def least(self, clients: int) -> float:
        """At least: where all others have one of the values."""
        found = (self._beside(row, float(clients), 1.0, False) for row in self.rows)
        return max((value for value in found if value is not None), default=0.0)

    def least_beside(self, law: Floats, clients: int) -> float:
        """At least: where the others' reports have one law."""
        return self._beside(law, float(clients), 1.0, False) or 0.0

    def most(self, clients: int, others: Floats) -> float:
        """At most: where others send each output with such a chance at least."""
        share = min(1.0, float(others.sum()))
        one = self.of_one()
        if share <= 0 or clients == 1:
            return one
        found = self._beside(others / share, float(clients), share, True)
        return one if found is None else min(one, found)

    def _beside(self, law: Floats, clients: float, share: float, above: bool) -> float | None:
        """Reports that the law never gives are recognized, the others hide the client's."""
        hidden = np.asarray(law > 0)
        kept = self.rows[:, hidden].sum(axis=1)
        chance = float(self.prior @ kept)
        whole = self._recognized(hidden, kept)
        if chance <= 0:
            return whole
        held = self.prior * kept > 0
        rows = self.rows[held][:, hidden] / kept[held][:, None]
        prior = self.prior[held] * kept[held] / chance
        ratios = rows / law[hidden]
        inside = self._told(ratios, prior, law[hidden], int(clients), share, above)
        inside = min(inside, Likelihoods(rows, prior).of_one()) if above else max(0.0, inside)
        return whole + chance * inside

    def _recognized(self, hidden: npt.NDArray[np.bool_], kept: Floats) -> float:
        """What is told by whether, and as what, a report is recognized."""
        columns = np.concatenate([self.rows[:, ~hidden], kept[:, None]], axis=1)
        return Likelihoods(columns, self.prior).of_one()

    @staticmethod
    def _told(
        ratios: Floats, prior: Floats, law: Floats, clients: int, share: float, above: bool
    ) -> float:
        """The two bounds of the docstring, over how many of the others are left; in bits."""
        start, chances = binomial(clients - 1, share)
        n = start + 1 + np.arange(len(chances), dtype=float)

        def entropy(weights: Floats, upper: bool) -> Floats:
            u = weights - 1
            two, three, four = (float(law @ u**k) for k in (2, 3, 4))
            value = two / (2 * n) - three / (6 * n**2)
            if upper:
                value = value + (3 * two**2 * (n - 1) + four) / (3 * n**3)
            return np.asarray(value)

        each = sum(p * entropy(row, above) for p, row in zip(prior, ratios, strict=True))
        told = (each - entropy(prior @ ratios, not above)) / math.log(2)
        # Of few that are left the bound may be worse than what one report tells.
        if above:
            told = np.minimum(told, math.log2(max(2, len(prior))))
        return float(chances @ told)


def shares(operator: Operator, prior: Prior) -> Floats:
    """The prior's chances in the order of the inputs."""
    aligned = prior.aligned(operator.inputs)
    values = np.array([float(value) for value in aligned.palette])
    return np.asarray(values[np.asarray(aligned.codes)])
