"""Partition: the domain of x, from lo to hi, in `count` intervals of one width with exact ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.infer.undoing.channel import Floats

MOST_CELLS = 20_000
"""Most cells of a domain."""


@dataclass(frozen=True)
class Partition:
    """[lo, hi) in equal intervals; each holds its left end, the last one also its right."""

    lo: Fraction
    hi: Fraction
    count: int

    def __post_init__(self) -> None:
        if not self.lo < self.hi:
            raise ValueError(f"cells from {self.lo} to {self.hi}: the first end must be less")
        if not 1 <= self.count <= MOST_CELLS:
            raise ValueError(f"{self.count} cells: there must be from 1 to {MOST_CELLS:,}")

    @classmethod
    def parse(cls, text: str) -> Partition:
        """LO:HI:K, exactly.

        >>> Partition.parse("0:2.5:5").ends[1]
        Fraction(1, 2)
        """
        parts = text.split(":")
        if len(parts) != 3:
            raise ValueError(f"{text!r} is not of the form LO:HI:K, such as 0:100:50")
        lo, hi = (parse_number(part) for part in parts[:2])
        if not (parts[2].strip().isascii() and parts[2].strip().isdigit()):
            raise ValueError(f"{parts[2]!r} is not a number of cells")
        return cls(lo, hi, int(parts[2]))

    @property
    def ends(self) -> tuple[Fraction, ...]:
        """The count + 1 ends, exactly."""
        return tuple(self.lo + (self.hi - self.lo) * i / self.count for i in range(self.count + 1))

    @property
    def edges(self) -> Floats:
        """The same ends in floating point."""
        return np.array([float(end) for end in self.ends])

    @property
    def width(self) -> float:
        """Of one cell."""
        return float((self.hi - self.lo) / self.count)
