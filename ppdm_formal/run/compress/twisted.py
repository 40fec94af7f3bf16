"""Twisted BCH: b bits of a polynomial's values, without the coefficients that they do not need.

As for polynomials over GF(2^r), bit l of an item with point x takes x^l' x^j (x^l' the l-th power
of the field's generator, written B_l here) for every exponent j from 0 to q - 1, or from 1 to q
where no point is 0. Let a sum of rows be 0, item i with the rows l of a set L_i, and z_i be the
sum of B_l over L_i. If the sum of z_i x_i^j is 0 for q consecutive j, all z_i are 0 (Vandermonde),
and all L_i are empty since the B_l are independent. Fewer coefficients give all these sums:

- x^0 = 1 for all items: instead of B_l the b bits of the unit vector l will do.
- Where more than b of the exponents are j, 2 j, 4 j, ... (modulo 2^r - 1), each bit l takes a
  coefficient of its own for x^j. The sum of x_i^j over the i with l in L_i is then 0 for each l,
  so are its squares, the sums of x_i^(2 j), ..., and with the factors B_l those of z_i x_i^(2 j).
- Where a coset of exponents is short, x^j lies in a smaller field, and fewer bits tell it.

With b = 1 these are the extended BCH codes, with large b polynomials; in between they are additive
codes known as twisted BCH codes (Bierbrauer and Edel). A point at infinity, where only x^(q - 1)
counts, is one item more: as above, the others' z_i are 0, and then its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.design.seed_size import Exponents, twisted_exponents
from ppdm_formal.run.compress.field import Field, Words
from ppdm_formal.run.compress.generator import FieldGenerator, place


@dataclass(frozen=True)
class TwistedBCH(FieldGenerator):
    """The shortest for most n, q and b from 2 on.

    >>> [TwistedBCH(100_000, 15, 1, bits).seed_bits for bits in (1, 2, 3, 4)]
    [120, 189, 224, 242]
    """

    name: ClassVar[str] = "twisted-bch"

    @cached_property
    def exponents(self) -> Exponents:
        """Which powers have which coefficients."""
        return twisted_exponents(self.items, self.bits, self.q)

    @property
    def degree(self) -> int:
        """The field's degree r."""
        return self.exponents.degree

    def parameters(self) -> dict[str, Any]:
        """The field and the first exponent."""
        return {**super().parameters(), "first": self.exponents.first}

    def functionals(self, items: Words) -> Words:
        """The constant, then single exponents, then full cosets, b blocks each."""
        powers, field, bits = self.exponents, self.field, self.bits
        points = self._checked(items) + np.uint64(powers.first)
        infinite = np.zeros(len(points), dtype=np.bool_)
        if self.items == (1 << powers.degree) + 1:
            infinite = points == np.uint64(1 << powers.degree)
            points = np.where(infinite, np.uint64(0), points)
        found = np.zeros((len(points), bits, self.words), dtype=np.uint64)
        start = 0
        if powers.first == 0:
            for bit in range(bits):
                place(found[:, bit], bit, (~infinite).astype(np.uint64), 1)
            start = bits
        wanted = {*powers.single, *(j for j, _ in powers.full)}
        raised = _powers(field, points, wanted)
        for j in powers.single:
            value = raised[j]
            if j == self.q - 1 and infinite.any():
                value = np.where(infinite, np.uint64(1), value)
            for bit in range(bits):
                place(found[:, bit], start, value, field.degree)
                value = field.doubled(value)
            start += field.degree
        for j, width in powers.full:
            value = raised[j] if width == field.degree else field.within(raised[j], width)
            for bit in range(bits):
                place(found[:, bit], start, value, width)
                start += width
        return found


def _powers(field: Field, points: Words, exponents: set[int]) -> dict[int, Words]:
    """The points to the powers of these exponents, all from 1 on."""
    found: dict[int, Words] = {}
    steps = {1: points}
    last, value = 0, np.ones_like(points)
    for j in sorted(exponents):
        if j - last not in steps:
            steps[j - last] = field.power(points, j - last)
        value = field.times(value, steps[j - last]) if last else steps[j]
        found[j], last = value, j
    return found
