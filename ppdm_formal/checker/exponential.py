"""Exponential: a number top(t)/bottom(t), t = e^step; its sign, by enclosing t."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from .limits import MAX_EXP_BITS, MAX_POWERS, ONE, ZERO
from .result import Rejected, need

# A number with exponentials is a rational function of t = e^step. e^q is transcendental for
# rational q other than 0, so that a polynomial in t that is not 0 does not vanish at t: equal
# numbers have one form, and a sign shows as soon as t is enclosed closely enough.

# What names a parameter t = e^(top NAME / bottom).
EXP_NAME = r"exp\((?:(?P<top>[0-9]{1,9})\*)?(?P<name>[^\W\d]\w*)(?:/(?P<bottom>[0-9]{1,9}))?\)"

Polynomial = tuple[int, ...]  # the constant first, the last coefficient not 0


@dataclass(frozen=True)
class Exponential:
    """top(t)/bottom(t), t = e^step: in lowest terms, the greatest step, bottom(t) > 0."""

    top: Polynomial
    bottom: Polynomial
    step: Fraction

    def __add__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        if b == d:
            return exponential(plus(a, c), b, step)
        return exponential(plus(by(a, d), by(c, b)), by(b, d), step)

    def __mul__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        return exponential(by(a, c), by(b, d), step)

    def __truediv__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        return exponential(by(a, d), by(b, c), step)

    def __rtruediv__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        return exponential(by(c, b), by(d, a), step)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Exponential:
        return Exponential(tuple(-c for c in self.top), self.bottom, self.step)

    def __pow__(self, power: int) -> Any:
        result: Any = ONE
        for _ in range(abs(power)):
            result = self * result
        return result if power >= 0 else 1 / result

    def __abs__(self) -> Exponential:
        return self if self > 0 else -self

    def __bool__(self) -> bool:
        return True

    def __lt__(self, other: Any) -> bool:
        if type(other) is float:
            return bool(other > 0)  # infinity
        if self == other:
            return False
        bits = 128  # numbers that are not equal differ at some precision
        while bits <= MAX_EXP_BITS:
            low, high = self.ends(bits)
            least, most = other.ends(bits) if type(other) is Exponential else (other, other)
            if high < least or most < low:
                return bool(high < least)
            bits *= 2
        raise Rejected(f"a comparison that {MAX_EXP_BITS} bits do not decide")

    def ends(self, bits: int) -> tuple[Any, Any]:
        """Numbers around it, closer for more bits; infinities where these are not enough."""
        low, high = polynomial_bounds(self.top, self.step, bits)
        least, most = polynomial_bounds(self.bottom, self.step, bits)
        if least <= 0:
            return -math.inf, math.inf
        return (
            Fraction(low, most if low >= 0 else least),
            Fraction(high, least if high >= 0 else most),
        )

    def __gt__(self, other: Any) -> bool:
        return not self < other and self != other

    def __le__(self, other: Any) -> bool:
        return bool(self < other or self == other)

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around a positive number, close to each other: a 2^-bits part of it."""
        work = bits + 32
        while work <= MAX_EXP_BITS:
            top = polynomial_bounds(self.top, self.step, work)
            bottom = polynomial_bounds(self.bottom, self.step, work)
            if top[0] > 0 < bottom[0]:
                low, high = Fraction(top[0], bottom[1]), Fraction(top[1], bottom[0])
                if (high - low) * 2**bits <= low:
                    return low, high
            work *= 2
        raise Rejected("a number too close to 0 to be enclosed")

    __radd__, __rmul__ = __add__, __mul__


Number = Fraction | Exponential


def exponential(top: Polynomial, bottom: Polynomial, step: Fraction) -> Any:
    """In its one form; a Fraction where it is rational."""
    need(bottom, "a number divides by 0")
    size = max(len(top), len(bottom)) <= MAX_POWERS + 1
    need(size, f"more than {MAX_POWERS} powers of e^step")
    if not top:
        return ZERO
    # Powers of t that all terms share are divided out, and powers of a power of t made powers of t.
    low = min(next(i for i, c in enumerate(part) if c) for part in (top, bottom))
    top, bottom, step = thinned(top[low:], bottom[low:], step)
    top, bottom, step = thinned(*lowest(top, bottom), step)
    if len(top) == len(bottom) == 1:
        return Fraction(top[0], bottom[0])
    if polynomial_sign(bottom, step) < 0:
        top, bottom = tuple(-c for c in top), tuple(-c for c in bottom)
    return Exponential(top, bottom, step)


def thinned(
    top: Polynomial, bottom: Polynomial, step: Fraction
) -> tuple[Polynomial, Polynomial, Fraction]:
    """Polynomials in t^n as polynomials in t, with a step n times as great."""
    shared = math.gcd(*(i for part in (top, bottom) for i, c in enumerate(part) if c)) or 1
    return top[::shared], bottom[::shared], step * shared


def e_to(q: Fraction) -> Any:
    """e^q."""
    need(abs(q) <= MAX_POWERS, f"a power of e above {MAX_POWERS}")
    if q == 0:
        return ONE
    return Exponential((0, 1), (1,), q) if q > 0 else Exponential((1,), (0, 1), -q)


def common_step(one: Exponential, other: Any) -> Any:
    """Both numbers as polynomials in one t."""
    if type(other) is not Exponential:
        pair = (other.numerator,) if other.numerator else (), (other.denominator,)
        return (one.top, one.bottom), pair, one.step
    below = math.lcm(one.step.denominator, other.step.denominator)
    step = Fraction(math.gcd(int(one.step * below), int(other.step * below)), below)
    parts = [
        tuple(spread(part, int(number.step / step)) for part in (number.top, number.bottom))
        for number in (one, other)
    ]
    return (*parts, step)


def spread(polynomial: Polynomial, thick: int) -> Polynomial:
    """A polynomial in t^thick as one in t."""
    need(len(polynomial) * thick <= 2 * MAX_POWERS, f"more than {MAX_POWERS} powers of t")
    found = [0] * ((len(polynomial) - 1) * thick + 1)
    found[::thick] = polynomial
    return tuple(found)


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    """The sum."""
    found = [x + y for x, y in zip_longest(a, b, fillvalue=0)]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def by(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product."""
    if not a or not b:
        return ()
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                found[i + j] += x * y
    return tuple(found)


def lowest(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both without what they have in common: Euclid's algorithm over the integers."""
    a, b = primitive(top), primitive(bottom)
    while b:
        rest = list(a)
        while len(rest) >= len(b):
            lead, shift_by = rest[-1], len(rest) - len(b)
            rest = [c * b[-1] for c in rest]
            for i, c in enumerate(b):
                rest[shift_by + i] -= lead * c
            while rest and rest[-1] == 0:
                rest.pop()
        a, b = b, primitive(tuple(rest))
    divisor = math.gcd(*top, *bottom)
    return tuple(
        tuple(c // divisor for c in part) if len(a) == 1 else divided(part, a, divisor)
        for part in (top, bottom)
    )  # type: ignore[return-value]


def primitive(polynomial: Polynomial) -> Polynomial:
    """Without a common factor of its coefficients."""
    divisor = math.gcd(*polynomial) if polynomial else 1
    return tuple(c // divisor for c in polynomial)


def divided(polynomial: Polynomial, factor: Polynomial, divisor: int) -> Polynomial:
    """What is left of a polynomial without a primitive factor and an integer one."""
    rest, found = list(polynomial), []
    while len(rest) >= len(factor):
        quotient = rest[-1] // factor[-1]
        found.append(quotient // divisor)
        shift_by = len(rest) - len(factor)
        for i, c in enumerate(factor):
            rest[shift_by + i] -= quotient * c
        rest.pop()
    return tuple(reversed(found))


@functools.lru_cache(maxsize=256)
def exp_bounds(step: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits e^step: the series of e^(step / 2^k), squared k times."""
    halvings = max(0, math.ceil(step)).bit_length()
    bits_now = bits + 2 * halvings + 2 * math.ceil(step) + 8  # e^step < 2^(2 step)
    x = step / 2**halvings  # at most 1
    low = term = 1 << bits_now
    n = 0
    while term:
        n += 1
        term = term * x.numerator // (n * x.denominator)
        low += term
    high = low + 2 * n + 2  # a division leaves less than 1 out, and the next ones half of that
    for _ in range(halvings):
        low, high = low * low >> bits_now, -(-high * high >> bits_now)
    return low >> bits_now - bits, -(-high >> bits_now - bits)


def polynomial_bounds(polynomial: Polynomial, step: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits times the value at t, by Horner's rule on both sides."""
    below, above = exp_bounds(step, bits)
    low = high = 0
    for c in reversed(polynomial):
        low *= below if low > 0 else above
        high *= above if high > 0 else below
        low, high = (low >> bits) + (c << bits), -(-high >> bits) + (c << bits)
    return low, high


def polynomial_sign(polynomial: Polynomial, step: Fraction) -> int:
    """The sign at t, for a polynomial that is not 0."""
    if min(polynomial) >= 0 or max(polynomial) <= 0:
        return 1 if max(polynomial) > 0 else -1
    bits = 128
    while bits <= MAX_EXP_BITS:
        low, high = polynomial_bounds(polynomial, step, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 2
    raise Rejected(f"a sign that {MAX_EXP_BITS} bits do not decide")
