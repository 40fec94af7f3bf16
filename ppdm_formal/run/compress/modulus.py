"""Primitive polynomials over GF(2): the moduli of the fields GF(2^r), r up to 64.

A polynomial is an integer: bit i is the coefficient of x^i. f of degree r is irreducible iff
x^(2^r) = x modulo f and x^(2^(r/p)) - x is prime to f for every prime p that divides r; it is
primitive iff moreover x^((2^r - 1)/p) != 1 for every prime p that divides 2^r - 1.
"""

from __future__ import annotations

from collections.abc import Iterable

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
