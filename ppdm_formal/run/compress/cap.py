"""Cap: for q = 3, points of which no three are on a line, over GF(Q) with Q = 2^b.

Item i has the digits d_1, ..., d_M of i to base Q, and the symbols 1, d_1, ..., d_M, N_1, ... of
GF(Q): N(u, v) = u^2 + u v + D v^2 for each pair of digits, where y^2 + y + D has no root in GF(Q),
so that N is 0 only at u = v = 0; a last single digit has N = u^2. Bit l of v_i takes all symbols
times x^l, x the generator of GF(Q).

Let z_1, z_2, z_3 in GF(Q), not all 0, make the symbols of three items sum to 0. With 1 and the
digits, no z is 0, and the digits are p + t_i u, points on a line with t_1, t_2, t_3 different. As N
has degree 2, the sum of z_i N is N(u) times the sum of z_i t_i^2, which is not 0 (Vandermonde): on
the pair where u is not 0, the sum is not 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ppdm_formal.design.seed_size import cap_digits
from ppdm_formal.run.compress.field import Field, Words
from ppdm_formal.run.compress.generator import Generator, place


@dataclass(frozen=True)
class Cap(Generator):
    """About b + 1.5 log2 n bits, where polynomials take b + 2 log2 n.

    >>> Cap(100_000, 3, 1, 2).seed_bits
    30
    """

    name: ClassVar[str] = "cap"

    @cached_property
    def field(self) -> Field:
        """GF(2^b)."""
        return Field(self.bits)

    @cached_property
    def constant(self) -> int:
        """D: the least element that y^2 + y does not take."""
        elements = np.arange(1 << self.bits, dtype=np.uint64)
        taken = {int(one) for one in self.field.times(elements, elements) ^ elements}
        return min(set(range(1 << self.bits)) - taken)

    def parameters(self) -> dict[str, Any]:
        """The field, and the constant of N."""
        return {"degree": self.bits, "modulus": self.field.modulus, "constant": self.constant}

    def functionals(self, items: Words) -> Words:
        """Row l: all symbols times x^l."""
        rest, field, width = self._checked(items), self.field, self.bits
        digits = []
        for place_of in range(cap_digits(self.items, self.bits)):
            digits.append(rest >> np.uint64(width * place_of) & np.uint64((1 << width) - 1))
        symbols = [np.ones_like(rest), *digits]
        for u, v in zip(digits[::2], [*digits[1::2], None], strict=False):
            norm = field.times(u, u)
            if v is not None:
                square = field.times(field.times(v, v), np.uint64(self.constant))
                norm = norm ^ field.times(u, v) ^ square
            symbols.append(norm)
        found = np.zeros((len(rest), width, self.words), dtype=np.uint64)
        for position, symbol in enumerate(symbols):
            value = symbol
            for bit in range(width):
                place(found[:, bit], width * position, value, width)
                value = field.doubled(value)
        return found
