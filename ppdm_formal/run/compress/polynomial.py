"""Polynomial: b bits of the values of a random polynomial of degree below q over GF(2^r).

2^r >= n, r >= b. The seed is the coefficients c_0, ..., c_(q - 1), r bits each; item i stands for
the field's element x with the bits of i. Bit l of v_i is the dot product, over j, of the bits of
c_j with those of x^l x_i^j (x the field's generator): a linear map of rank b of a polynomial's
value at x_i. The values at q points are independent (Vandermonde), and so are these bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ppdm_formal.design.seed_size import polynomial_degree
from ppdm_formal.run.compress.field import Words
from ppdm_formal.run.compress.generator import FieldGenerator, place


@dataclass(frozen=True)
class Polynomial(FieldGenerator):
    """r q bits.

    >>> Polynomial(100_000, 15, 1, 4).seed_bits
    255
    """

    name: ClassVar[str] = "polynomial"

    @property
    def degree(self) -> int:
        """The field's degree r = max(ceil(log2 n), b)."""
        return polynomial_degree(self.items, self.bits)

    def functionals(self, items: Words) -> Words:
        """Row l holds x^l x_i^j for each j."""
        points = self._checked(items)
        found = np.zeros((len(points), self.bits, self.words), dtype=np.uint64)
        value = np.ones_like(points)
        for j in range(self.q):
            shifted = value
            for bit in range(self.bits):
                place(found[:, bit], self.degree * j, shifted, self.degree)
                shifted = self.field.doubled(shifted)
            value = self.field.times(value, points)
        return found
