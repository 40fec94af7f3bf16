"""Private counts: how many rows hold an itemset, by randomized response on each (Dor18 3.3).

Z_i = 1 where row i holds the itemset; S_i = Z_i with probability p = e^epsilon/(1 + e^epsilon), and
1 - Z_i otherwise: the largest p that is epsilon-dependent for all priors. From the mean s of the
S_i, z = (s + p - 1)/(2p - 1) estimates the share of rows without bias, with the variance
p (1 - p) / (n (2p - 1)^2) over the coins, whatever the rows are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.declare.arithmetic.exponential import Real, exp_of
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.run.shown import ShownAsIs

Z95 = 1.959963984540054

LEAST_EPSILON = Fraction(1, 10**100)
"""Below, standard errors are beyond floating point; rows that many there are not."""

_HALF = Fraction(1, 2)

SHOWN = (
    ShownAsIs("the number of rows", True),
    ShownAsIs("the itemsets that were asked about", True),
)
"""What counts show besides what epsilon is of: an item that no row has is counted like others."""


@dataclass(frozen=True)
class PrivateCount:
    """How many rows said yes, and what that says of the rows that hold the itemset."""

    itemset: tuple[str, ...]
    rows: int
    yes: int
    epsilon: Fraction

    @property
    def truth(self) -> float:
        """P."""
        return float(truth_chance(self.epsilon))

    @property
    def share(self) -> float:
        """z, the estimated share; it can be below 0 or above 1.

        2p - 1 = (e^epsilon - 1)/(e^epsilon + 1) is taken exactly: as floats p may be 1/2.
        """
        grown = exp_of(self.epsilon)
        return float((Fraction(self.yes, self.rows) - _HALF) * (grown + 1) / (grown - 1) + _HALF)

    @property
    def error(self) -> float:
        """Its standard error over the coins: p (1 - p)/(2p - 1)^2 is e^eps/(e^eps - 1)^2."""
        grown = exp_of(self.epsilon)
        return sqrt(float(grown / (grown - 1) ** 2 / self.rows))

    @property
    def interval(self) -> tuple[float, float]:
        """95% about the possible share that is nearest, cut to shares.

        So a share far beyond 1, of many rows by chance, is not taken for a certain 1.
        """
        middle = max(0.0, min(1.0, self.share))
        return max(0.0, middle - Z95 * self.error), min(1.0, middle + Z95 * self.error)

    def to_json(self) -> dict[str, Any]:
        """Part of ppdm-count/1: what was drawn exactly, and sampled numbers as decimals."""
        low, high = self.interval
        return {
            "itemset": list(self.itemset),
            "yes": self.yes,
            "share": f"{self.share:.8g}",
            "standard_error": f"{self.error:.4g}",
            "interval_95": {"lo": f"{low:.8g}", "hi": f"{high:.8g}"},
            "count": f"{self.share * self.rows:.8g}",
            "truth_probability": number_text(truth_chance(self.epsilon)),
        }


@dataclass(frozen=True)
class PrivateCounts(Result):
    """Counts of several itemsets in the same rows, each with its own coins."""

    shown_in: ClassVar[str] = "counts"
    counts: tuple[PrivateCount, ...]
    seed: int | None

    @property
    def epsilon(self) -> Fraction:
        """What a row pays for each."""
        return self.counts[0].epsilon

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-count/1."""
        whole = number_text(len(self.counts) * self.epsilon)
        simulated = f"simulated with seed {self.seed}"
        return {
            "format": "ppdm-count/1",
            "rows": self.counts[0].rows,
            "epsilon": {"each": number_text(self.epsilon), "all": whole},
            "unit": "row",
            "shown": [one.to_json() for one in SHOWN],
            "randomness": "cryptographic" if self.seed is None else simulated,
            "counts": [one.to_json() for one in self.counts],
        }


def truth_chance(epsilon: Fraction) -> Real:
    """P = e^epsilon/(1 + e^epsilon), exactly.

    >>> str(truth_chance(Fraction(1)))
    'exp(1)/(1 + exp(1))'
    """
    grown = exp_of(epsilon)
    return grown / (1 + grown)


def private_count(
    rows: Rows, items: list[int], names: tuple[str, ...], epsilon: Fraction, bits: Bits
) -> PrivateCount:
    """Toss a coin for every row; each coin is heads with probability p exactly."""
    if epsilon <= 0:
        raise ValueError("epsilon must be above 0")
    if epsilon < LEAST_EPSILON:
        raise ValueError("epsilon is below 10^-100: answers would say nothing of the rows")
    if not len(rows):
        raise ValueError("there are no transactions")
    owners = np.repeat(np.arange(len(rows)), np.diff(rows.offsets))
    hits = np.bincount(owners[np.isin(rows.items, items)], minlength=len(rows))
    held = hits == len(set(items))
    truthful = bits.coins(Steps.heads(truth_chance(epsilon), bits.width), len(rows))
    return PrivateCount(names, len(rows), int((held == truthful).sum()), epsilon)
