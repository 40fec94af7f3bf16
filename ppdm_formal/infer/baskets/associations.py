"""Links: by how much two sets of items are held together more often than if independent.

With supports s_W of W = A and B together, s_A and s_B:

    leverage = s_W - s_A s_B,    lift = s_W / (s_A s_B)

Estimates x of the three may come from the same reports. The mean of x_A x_B is s_A s_B plus their
covariance, which is taken off. The leverage's variance to second order is

    v_W + b^2 v_A + a^2 v_B - 2 b c_WA - 2 a c_WB + 2 a b c_AB + v_A v_B + c_AB^2

where v and c are variances and covariances of the estimates: of the coins that randomized the
reports, and of who is in which group. So the test of independence, leverage over its standard
error, is one that knows of the randomization. A link is sure where a list of links with that
false-discovery rate (discovered.py) has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.baskets.discovered import RATE, chances, discovered
from ppdm_formal.run.estimated_supports import Floats, quantile

LEAST = 1e-6
"""The least support that a lift is told of: below, estimates are noise."""


@dataclass(frozen=True)
class Sides:
    """Estimates of W, A and B, a number a link each, with variances and covariances."""

    whole: Floats
    first: Floats
    second: Floats
    variances: tuple[Floats, Floats, Floats]
    whole_first: Floats
    whole_second: Floats
    first_second: Floats

    @classmethod
    def apart(
        cls, whole: Floats, first: Floats, second: Floats, variances: tuple[Floats, Floats, Floats]
    ) -> Sides:
        """Where all three come from the reports of different clients, or of coins of their own."""
        none = np.zeros(len(whole))
        return cls(whole, first, second, variances, none, none, none)


@dataclass(frozen=True)
class Leverages:
    """Leverages with standard errors and 95% intervals; chance: of one as large if independent."""

    leverage: Floats
    se: Floats
    ends: Floats
    lift: Floats
    lift_ends: Floats
    chance: Floats

    def sure(self, rate: float = RATE) -> npt.NDArray[np.bool_]:
        """Those of which on average no more than that share is not above independence."""
        return discovered(self.chance, rate)

    def take(self, which: npt.NDArray[np.int64]) -> Leverages:
        """Some of them."""
        return Leverages(
            self.leverage[which], self.se[which], self.ends[which], self.lift[which],
            self.lift_ends[which], self.chance[which],
        )  # fmt: skip

    def order(self) -> npt.NDArray[np.int64]:
        """By what is surely above independence: leverage less two standard errors."""
        return np.argsort(2 * self.se - self.leverage, kind="stable")


def leverages(sides: Sides, level: float = 0.95) -> Leverages:
    """Of estimates as they come (raw).

    >>> some = np.array([0.3]), np.array([0.5]), np.array([0.4])
    >>> found = leverages(Sides.apart(*some, (np.array([1e-4]),) * 3))
    >>> found.leverage.round(4).tolist(), found.lift.round(2).tolist()
    ([0.1], [1.5])
    """
    w, a, b = sides.whole, sides.first, sides.second
    vw, va, vb = sides.variances
    value = w - a * b + sides.first_second
    variance = (
        vw
        + b**2 * va
        + a**2 * vb
        - 2 * b * sides.whole_first
        - 2 * a * sides.whole_second
        + 2 * a * b * sides.first_second
        + va * vb
        + sides.first_second**2
    )
    se = np.sqrt(np.maximum(variance, 0))
    z = quantile(level)
    product = np.maximum(a, LEAST) * np.maximum(b, LEAST)
    lift = 1 + value / product
    # the product's own noise is in the leverage's: of the lift's, what both say together
    relative = va / np.maximum(a, LEAST) ** 2 + vb / np.maximum(b, LEAST) ** 2
    lift_se = np.sqrt((se / product) ** 2 + (lift - 1) ** 2 * relative)
    return Leverages(
        value,
        se,
        np.stack([value - z * se, value + z * se], axis=1),
        lift,
        np.stack([np.maximum(lift - z * lift_se, 0), lift + z * lift_se], axis=1),
        chances(value, 0.0, se),
    )
