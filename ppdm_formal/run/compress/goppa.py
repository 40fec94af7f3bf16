"""Goppa: the columns of a binary Goppa code's parity check, for rho = 1/2 and n near 2^r.

Items are all elements of GF(2^r), and g = y^t + y + c is a polynomial over it without roots: c is
the least element that is not of the form x^t + x (0 and 1 share a value, so there is one). g has
no double root anywhere: its derivative is 1 for even t and y^(t - 1) + 1 for odd t, and where
that is 0, g = c. Column x holds x^j / g(x), j = 0..t - 1.

If columns of points x_i sum to 0, g divides the sum of 1/(y - x_i), which is s'/s for
s = product of (y - x_i). s' is a square, g has no double roots: g^2 divides s', of degree below the
number of points. So any 2 t columns are independent: r t bits for q = 2 t. For q = 2 t + 1, a
parity row is added, and one item that has only that: 2^r + 1 items. BCH codes have one item less.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.design.seed_size import goppa_degree
from ppdm_formal.run.compress.field import Words
from ppdm_formal.run.compress.generator import FieldGenerator, place


@dataclass(frozen=True)
class Goppa(FieldGenerator):
    """One bit less than extended BCH for n = 2^r and even q, t bits less for n = 2^r + 1, odd q.

    >>> Goppa(65536, 14, 1, 1).seed_bits, Goppa(65537, 15, 1, 1).seed_bits
    (112, 113)
    """

    name: ClassVar[str] = "goppa"

    @property
    def errors(self) -> int:
        """The degree t of g."""
        return self.q // 2

    @property
    def degree(self) -> int:
        """The field's degree r."""
        return goppa_degree(self.items, self.q)

    @cached_property
    def constant(self) -> int:
        """The constant term c of g: the least element that x^t + x does not take."""
        elements = np.arange(1 << self.field.degree, dtype=np.uint64)
        taken = np.zeros(len(elements), dtype=np.bool_)
        taken[self.field.power(elements, self.errors) ^ elements] = True
        return int(np.flatnonzero(~taken)[0])

    def parameters(self) -> dict[str, Any]:
        """The field, and g."""
        return {
            **super().parameters(),
            "constant": self.constant,
        }

    def functionals(self, items: Words) -> Words:
        """The parity bit for odd q, then x^j / g(x)."""
        points, field, odd = self._checked(items), self.field, self.q % 2
        infinite = points >= np.uint64(1 << field.degree)
        points = np.where(infinite, np.uint64(0), points)
        found = np.zeros((len(points), 1, self.words), dtype=np.uint64)
        if odd:
            found[:, 0, 0] = 1
        g = field.power(points, self.errors) ^ points ^ np.uint64(self.constant)
        value = field.power(g, (1 << field.degree) - 2)  # 1/g
        value = np.where(infinite, np.uint64(0), value)
        for j in range(self.errors):
            place(found[:, 0], odd + j * field.degree, value, field.degree)
            value = field.times(value, points)
        return found
