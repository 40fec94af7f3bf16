"""Report cost: the mean size of a report, and its bits as a list, as a bitmap or as a seed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.families.select_a_size import Randomization


@dataclass(frozen=True)
class ReportCost:
    """What one report costs: its mean size, and the bits of each way to write it.

    listed: the mean of a list of item numbers. bitmap: a bit an item. seed: compressed (EGS03
    section 5), None where that is not possible.
    """

    mean_size: Fraction
    listed: Fraction
    bitmap: int
    seed: int | None

    @property
    def plain(self) -> Fraction:
        """The shorter of list and bitmap."""
        return min(self.listed, Fraction(self.bitmap))

    @property
    def worthwhile(self) -> bool:
        """Whether compressing makes reports shorter."""
        return self.seed is not None and self.seed < self.plain

    @property
    def bits(self) -> Fraction:
        """The bits of the shortest way."""
        return Fraction(self.seed) if self.worthwhile and self.seed is not None else self.plain


def report_cost(randomization: Randomization, universe: int, seed: int | None) -> ReportCost:
    """The cost of a report on so many items.

    >>> half = Fraction(1, 2)
    >>> cost = report_cost(Randomization(1, half, (half, half)), 17, 60)
    >>> str(cost.mean_size), str(cost.listed), cost.bitmap, cost.worthwhile
    ('17/2', '85/2', 17, False)
    """
    mean = Fraction(randomization.expected_size(universe))
    number = max(1, (universe - 1).bit_length())
    return ReportCost(mean, mean * number, universe, seed)
