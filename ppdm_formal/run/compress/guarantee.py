"""Guarantee: what pseudorandom select-a-size keeps of select-a-size, and on which assumption.

With j = |t ∩ tau(seed)| and a generator with q >= m, P[R'(t) = seed] = b[j] / 2^k, and
P[R(t) = t'] is b[j] times a factor of t' alone. So R' has the ratios of R (EGS03 Statement 4), and
every bound on the amplification of R, every certificate of it for all priors, holds for R'. For
itemsets of up to q - m items R' has the distribution of R as well (Statement 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ppdm_formal.run.compress.generator import Generator


@dataclass(frozen=True)
class Guarantee:
    """That of the generator's q against transactions of m items; q >= m, or there is none."""

    q: int
    size: int
    items: int

    def __post_init__(self) -> None:
        if not 1 <= self.size <= self.items:
            raise ValueError(
                f"transactions of {self.size} items among {self.items}: "
                f"the size must be in 1..{self.items}"
            )
        if self.q < self.size:
            raise ValueError(
                f"a generator with q = {self.q} does not serve transactions of {self.size} items: "
                "privacy (EGS03 Statement 4) assumes q >= m"
            )

    @property
    def itemsets(self) -> int:
        """The largest itemsets whose supports are estimated as from R: q - m items, or all."""
        return self.items if self.q == self.items else self.q - self.size

    def to_json(self) -> dict[str, Any]:
        """The assumption and what follows from it."""
        return {
            "assumption": "q >= m",
            "q": self.q,
            "m": self.size,
            "holds": True,
            "amplification": "as without compression (EGS03 Statement 4)",
            "itemsets": self.itemsets,
        }


def guarantee(generator: Generator, size: int, itemsets: int = 0) -> Guarantee:
    """For transactions of m items; refused where q < m, or supports of s items are not kept."""
    found = Guarantee(generator.q, size, generator.items)
    if found.itemsets < itemsets:
        raise ValueError(
            f"a generator with q = {generator.q} keeps supports of up to {found.itemsets} items "
            f"in transactions of {size}, not of {itemsets}: EGS03 Statement 3 needs q >= m + s"
        )
    return found
