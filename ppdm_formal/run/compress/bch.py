"""BCH: the columns of a binary BCH code's parity check, b of them for an item (EGS03 section 5).

Column c has a point x_c of GF(2^r) and holds x_c, x_c^3, ..., x_c^(2 l - 1); item i has columns
b i, ..., b i + b - 1. If a sum of columns is 0, so is that of x_c^j for every j from 1 to 2 l
(even powers are squares), and no 2 l points but 0 can do that (Vandermonde): any b q <= 2 l
columns are independent. The points are the nonzero elements by their bits, which are all the
powers of the field's generator, in another order than the paper's.

With a parity row (extended BCH), j = 0 belongs to the powers, 0 to the points, and 2 l + 1
columns are independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ppdm_formal.design.seed_size import bch_degree, extended_bch_degree
from ppdm_formal.run.compress.field import Words
from ppdm_formal.run.compress.generator import FieldGenerator, place


@dataclass(frozen=True)
class BCH(FieldGenerator):
    """The paper's generator.

    >>> BCH(100_000, 15, 1, 1).seed_bits, BCH(100_000, 15, 1, 4).seed_bits
    (136, 570)
    """

    name: ClassVar[str] = "bch"
    parity: ClassVar[int] = 0

    @property
    def degree(self) -> int:
        """The field's degree r."""
        return bch_degree(self.items, self.bits, self.q)

    def functionals(self, items: Words) -> Words:
        """Columns b i + l, the odd powers of their points one after the other."""
        first = self._checked(items) * np.uint64(self.bits)
        columns: Words = np.repeat(first, self.bits)
        columns += np.tile(np.arange(self.bits, dtype=np.uint64), len(items))
        found = np.zeros((len(columns), self.words), dtype=np.uint64)
        if self.parity:
            found[:, 0] = 1
        points: Words = columns + np.uint64(1 - self.parity)
        square, power = self.field.times(points, points), points
        for start in range(self.parity, self.seed_bits, self.degree):
            place(found, start, power, self.degree)
            power = self.field.times(power, square)
        return found.reshape(len(items), self.bits, self.words)


@dataclass(frozen=True)
class ExtendedBCH(BCH):
    """With one parity row; the seed's first bit goes to it.

    >>> ExtendedBCH(100_000, 15, 1, 1).seed_bits
    120
    """

    name: ClassVar[str] = "extended-bch"
    parity: ClassVar[int] = 1

    @property
    def degree(self) -> int:
        """The field's degree r."""
        return extended_bch_degree(self.items, self.bits)
