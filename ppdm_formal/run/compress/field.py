"""Field: GF(2^r) on arrays of uint64, r up to 64; an element's bits are its coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_formal.run.compress.kernels import Words, compiled
from ppdm_formal.run.compress.modulus import modulus, power, product

__all__ = ["Field", "Words", "products"]

_CHUNK = 1 << 14  # few enough elements that the steps of a product stay in the cache
_COMPILED_FROM = 1 << 12  # so many that loading compiled code is worth while


def products(left: Words, right: Words, degree: int, overflows: Words) -> Words:
    """Horner's rule in x^4; what passes the degree is looked up. See kernels.compiled."""
    found = np.empty(left.size, dtype=np.uint64)
    multiples = np.zeros(16, dtype=np.uint64)
    four = np.uint64(4)
    top = np.uint64(degree - 1)
    one = np.uint64(1)
    inside = np.uint64(0xFFFF_FFFF_FFFF_FFFF) >> np.uint64(64 - degree)
    steps = (degree + 3) // 4
    for place in range(left.size):
        current = left[place]
        for bit in range(4):  # v times the left element, for v of four bits
            for v in range(1 << bit):
                multiples[v | 1 << bit] = multiples[v] ^ current
            carry = current >> top
            current = ((current << one) & inside) ^ (overflows[1] if carry else np.uint64(0))
        total = np.uint64(0)
        for step in range(steps - 1, -1, -1):
            if degree >= 4:
                over = total >> np.uint64(degree - 4)
                total = ((total << four) & inside) ^ overflows[over]
            total ^= multiples[(right[place] >> np.uint64(4 * step)) & np.uint64(15)]
        found[place] = total
    return found


@dataclass(frozen=True)
class Field:
    """GF(2)[x] modulo the least primitive polynomial of degree r.

    >>> field = Field(3)
    >>> field.times(np.arange(8, dtype=np.uint64), np.uint64(2))
    array([0, 2, 4, 6, 3, 1, 7, 5], dtype=uint64)
    """

    degree: int

    def __post_init__(self) -> None:
        modulus(self.degree)

    @property
    def modulus(self) -> int:
        """The polynomial that is 0, as an integer."""
        return modulus(self.degree)

    def times(self, left: Words, right: Words | np.uint64) -> Words:
        """Products, element by element."""
        shape = np.broadcast_shapes(left.shape, np.shape(right))
        one, other = (np.broadcast_to(part, shape).ravel() for part in (left, right))
        kernel = compiled(products) if one.size >= _COMPILED_FROM else None
        if kernel is not None:
            found: Words = kernel(one, other, self.degree, self._overflows)
            return found.reshape(shape)
        found = np.empty(one.size, dtype=np.uint64)
        for start in range(0, one.size, _CHUNK):
            part = slice(start, start + _CHUNK)
            found[part] = self._product(one[part], other[part])
        return found.reshape(shape)

    @cached_property
    def _overflows(self) -> Words:
        """What v x^r is, for v of four bits."""
        shifted = [power(2, self.degree + bit, self.modulus) for bit in range(4)]
        if self.degree == 1:  # x = 1
            shifted = [1] * 4
        found = np.zeros(16, dtype=np.uint64)
        for v in range(16):
            for bit in range(4):
                if v >> bit & 1:
                    found[v] ^= np.uint64(shifted[bit])
        return found

    def _product(self, left: Words, right: Words) -> Words:
        """Horner's rule in x over the bits of `right`, highest first."""
        top, one = np.uint64(self.degree - 1), np.uint64(1)
        inside = np.uint64((1 << self.degree) - 1)
        tail = np.uint64(self.modulus ^ 1 << self.degree)
        found = np.zeros_like(left)
        for place in range(self.degree - 1, -1, -1):
            carry = found >> top
            found <<= one
            found &= inside
            found ^= carry * tail
            bit = right >> np.uint64(place)
            bit &= one
            found ^= left * bit
        return found

    def doubled(self, elements: Words) -> Words:
        """Products with x, the field's generator."""
        carry = elements >> np.uint64(self.degree - 1)
        shifted = (elements << np.uint64(1)) & np.uint64((1 << self.degree) - 1)
        return shifted ^ (carry * np.uint64(self.modulus ^ 1 << self.degree))

    def within(self, elements: Words, width: int) -> Words:
        """Elements of the subfield GF(2^width), told apart by `width` of their bits."""
        found = np.zeros_like(elements)
        for target, source in enumerate(self.telling(width)):
            found |= (elements >> np.uint64(source) & np.uint64(1)) << np.uint64(target)
        return found

    def telling(self, width: int) -> list[int]:
        """Bits that tell the elements of GF(2^width) apart: pivots of a basis of it.

        The subfield is spanned by the powers of an element of order 2^width - 1.
        """
        if self.degree % width:
            raise ValueError(f"GF(2^{width}) is no subfield of GF(2^{self.degree})")
        root = power(2, ((1 << self.degree) - 1) // ((1 << width) - 1), self.modulus)
        pivots: dict[int, int] = {}
        current = 1
        for _ in range(width):
            rest = current
            while rest and rest.bit_length() - 1 in pivots:
                rest ^= pivots[rest.bit_length() - 1]
            pivots[rest.bit_length() - 1] = rest
            current = product(current, root, self.modulus)
        return sorted(pivots)

    def power(self, base: Words, exponent: int) -> Words:
        """base^exponent, with 0^0 = 1."""
        found = np.ones_like(base)
        while exponent:
            if exponent & 1:
                found = self.times(found, base)
            exponent >>= 1
            if exponent:
                base = self.times(base, base)
        return found
