"""Field: GF(2^r) on arrays of uint64, r up to 64; an element's bits are its coefficients.

Primitive polynomials over GF(2): the moduli of the fields GF(2^r), r up to 64.

A polynomial is an integer: bit i is the coefficient of x^i. f of degree r is irreducible iff
x^(2^r) = x modulo f and x^(2^(r/p)) - x is prime to f for every prime p that divides r; it is
primitive iff moreover x^((2^r - 1)/p) != 1 for every prime p that divides 2^r - 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.run.compress.kernels import Words

TAILS = (
    1, 3, 3, 3, 5, 3, 3, 29, 17, 9, 5, 83, 27, 43, 3, 45, 9, 39, 39, 9, 5, 3, 33, 27, 9, 71, 39, 9,
    5, 83, 9, 175, 83, 231, 5, 119, 63, 99, 17, 57, 9, 63, 89, 101, 27, 303, 33, 183, 113, 29, 75,
    9, 71, 125, 71, 149, 45, 99, 123, 3, 39, 105, 3, 27,
)  # fmt: skip
"""Of the least primitive polynomial of each degree from 1 on, what follows x^r."""

MAX_DEGREE = len(TAILS)


def modulus(degree: int) -> int:
    """The least primitive polynomial of a degree.

    >>> [bin(modulus(degree)) for degree in (1, 2, 3, 4)]
    ['0b11', '0b111', '0b1011', '0b10011']
    """
    if not 1 <= degree <= MAX_DEGREE:
        raise ValueError(f"fields GF(2^r) go from r = 1 to {MAX_DEGREE}, not to {degree}")
    return 1 << degree | TAILS[degree - 1]


def product(left: int, right: int, f: int) -> int:
    """The product of two polynomials modulo a third."""
    degree, found = f.bit_length() - 1, 0
    while right:
        if right & 1:
            found ^= left
        right >>= 1
        left <<= 1
        if left >> degree & 1:
            left ^= f
    return found


def power(base: int, exponent: int, f: int) -> int:
    """base^exponent modulo f."""
    found = 1 if f.bit_length() > 1 else 0
    while exponent:
        if exponent & 1:
            found = product(found, base, f)
        base = product(base, base, f)
        exponent >>= 1
    return found


def common_divisor(left: int, right: int) -> int:
    """The greatest common divisor of two polynomials."""
    while right:
        while left.bit_length() >= right.bit_length():
            left ^= right << (left.bit_length() - right.bit_length())
        left, right = right, left
    return left


def prime_factors(number: int) -> list[int]:
    """The primes that divide a small number, by trial division."""
    found, divisor = [], 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            found.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return found + [number] * (number > 1)


def is_irreducible(f: int) -> bool:
    """Whether f has no divisor but itself and 1 (Rabin's test).

    >>> [f for f in range(2, 20) if is_irreducible(f)]
    [2, 3, 7, 11, 13, 19]
    """
    degree = f.bit_length() - 1
    if degree < 2:
        return degree == 1

    def frobenius(times: int) -> int:
        found = 2
        for _ in range(times):
            found = product(found, found, f)
        return found

    return frobenius(degree) == 2 and all(
        common_divisor(f, frobenius(degree // prime) ^ 2) == 1 for prime in prime_factors(degree)
    )


def is_primitive(f: int, primes: Iterable[int]) -> bool:
    """Whether x generates all of GF(2)[x]/f but 0; primes: those that divide 2^degree - 1."""
    order = (1 << (f.bit_length() - 1)) - 1
    if not is_irreducible(f) or f == 2:
        return False
    x = 2 if f.bit_length() > 2 else 1  # in GF(2), x = 1
    return all(power(x, order // prime, f) != 1 for prime in primes)


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
