"""Exponential: a number top(t)/bottom(t), t = e^step; its sign, by enclosing t."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .clock import tick
from .limits import (
    MAX_EUCLID,
    MAX_EXP,
    MAX_EXP_BITS,
    MAX_POWERS,
    MAX_TERMS,
    ONE,
    ZERO,
)
from .result import Rejected, need

# A number with exponentials is a rational function of t = e^step. e^q is transcendental for
# rational q other than 0, so that a polynomial in t that is not 0 does not vanish at t: equal
# numbers have one form, and a sign shows as soon as t is enclosed closely enough.

# What names a parameter t = e^(top NAME / bottom).
EXP_NAME = r"exp\((?:(?P<top>[0-9]{1,9})\*)?(?P<name>[^\W\d]\w*)(?:/(?P<bottom>[0-9]{1,9}))?\)"

# A polynomial is what its terms are: (power, coefficient), powers rising, no coefficient 0.
Polynomial = tuple[tuple[int, int], ...]
UNIT: Polynomial = ((0, 1),)
T: Polynomial = ((1, 1),)

PRIME = (1 << 61) - 1


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
        (above, below), (one, two) = parted(b), parted(d)
        if below == two:  # c t^k apart, as the chances of a row are: no product of long ones
            return exponential(plus(by(a, one), by(c, above)), by(b, one), step)
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
        return Exponential(negative(self.top), self.bottom, self.step)

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


def total_of(numbers: Iterable[Any]) -> Any:
    """The sum: first of those whose denominators are one, but for c t^k."""
    groups: dict[Any, Any] = {}
    for number in numbers:
        shared: Any = None
        if type(number) is Exponential:
            shared = tuple((i * number.step, c) for i, c in parted(number.bottom)[1])
        groups[shared] = groups.get(shared, 0) + number
    return sum(groups.values())


def exponential(top: Polynomial, bottom: Polynomial, step: Fraction) -> Any:
    """In its one form; a Fraction where it is rational."""
    tick()
    need(bottom, "a number divides by 0")
    if not top:
        return ZERO
    need(max(len(top), len(bottom)) <= MAX_TERMS, f"a number of more than {MAX_TERMS} terms")
    # Powers of t that all terms share are divided out, and powers of a power of t made powers of t.
    low = min(top[0][0], bottom[0][0])
    top, bottom = lowest(*(tuple((i - low, c) for i, c in part) for part in (top, bottom)))
    top, bottom, step = thinned(top, bottom, step)
    if top[-1][0] == bottom[-1][0] == 0:
        return Fraction(top[0][1], bottom[0][1])
    highest = max(top[-1][0], bottom[-1][0])
    need(highest <= MAX_POWERS, f"more than {MAX_POWERS} powers of e^step")
    need(highest * step <= MAX_POWERS, f"a power of e above {MAX_POWERS}")
    if polynomial_sign(bottom, step) < 0:
        top, bottom = negative(top), negative(bottom)
    return Exponential(top, bottom, step)


def thinned(
    top: Polynomial, bottom: Polynomial, step: Fraction
) -> tuple[Polynomial, Polynomial, Fraction]:
    """Polynomials in t^n as polynomials in t, with a step n times as great."""
    shared = math.gcd(*(i for part in (top, bottom) for i, _ in part)) or 1
    thin = [tuple((i // shared, c) for i, c in part) for part in (top, bottom)]
    return thin[0], thin[1], step * shared


def e_to(q: Fraction) -> Any:
    """e^q."""
    need(abs(q) <= MAX_EXP, f"a power of e above {MAX_EXP}")
    if q == 0:
        return ONE
    return Exponential(T, UNIT, q) if q > 0 else Exponential(UNIT, T, -q)


def common_step(one: Exponential, other: Any) -> Any:
    """Both numbers as polynomials in one t."""
    if type(other) is not Exponential:
        pair = ((0, other.numerator),) if other.numerator else (), ((0, other.denominator),)
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
    return tuple((i * thick, c) for i, c in polynomial)


def negative(polynomial: Polynomial) -> Polynomial:
    """With all signs changed."""
    return tuple((i, -c) for i, c in polynomial)


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    """The sum."""
    found = dict(a)
    for i, c in b:
        found[i] = found.get(i, 0) + c
    return tuple(sorted((i, c) for i, c in found.items() if c))


def by(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product."""
    need(len(a) * len(b) <= MAX_EUCLID, "a product of too many terms")
    found: dict[int, int] = {}
    for i, x in a:
        tick()
        for j, y in b:
            found[i + j] = found.get(i + j, 0) + x * y
    return tuple(sorted((i, c) for i, c in found.items() if c))


def parted(polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
    """The factor c t^k of one that is not 0, c > 0 and k the greatest that there are; the rest."""
    low, divisor = polynomial[0][0], math.gcd(*(c for _, c in polynomial))
    return ((low, divisor),), tuple((i - low, c // divisor) for i, c in polynomial)


def lowest(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both without what they have in common; they have no power of t in common."""
    divisor = math.gcd(*(c for part in (top, bottom) for _, c in part))
    top, bottom = (tuple((i, c // divisor) for i, c in part) for part in (top, bottom))
    if min(len(top), len(bottom)) == 1:  # c t^k, which has no other factors
        return top, bottom
    factor = common_factor(bare(top), bare(bottom))
    if len(factor) == 1:
        return top, bottom
    return divided(top, factor), divided(bottom, factor)


def bare(polynomial: Polynomial) -> list[int]:
    """All coefficients, from the lowest power that there is."""
    low, high = polynomial[0][0], polynomial[-1][0]
    need(high - low <= MAX_POWERS, f"more than {MAX_POWERS} powers of e^step")
    found = [0] * (high - low + 1)
    for i, c in polynomial:
        found[i - low] = c
    return found


def common_factor(a: list[int], b: list[int]) -> list[int]:
    """The greatest one of two lists of coefficients, primitive.

    A common factor over the integers is one modulo a prime as well, of the same degree where the
    prime divides no leading coefficient. So the greatest one there, if it can be read as one
    over the integers, is the greatest. Otherwise Euclid's algorithm finds it.
    """
    if a[-1] % PRIME and b[-1] % PRIME:
        lead = math.gcd(a[-1], b[-1])
        scaled = (c * lead % PRIME for c in modular_factor(a, b))
        found = primitive([c - PRIME if 2 * c > PRIME else c for c in scaled])
        if len(found) == 1:
            return [1]
        if all(divided_by(part, found) is not None for part in (a, b)):
            return found
    need(len(a) + len(b) <= 2 * MAX_TERMS, "a number too long to bring into lowest terms")
    a, b = primitive(a), primitive(b)
    while b:
        rest = list(a)
        while len(rest) >= len(b):
            tick()
            lead, shift_by = rest[-1], len(rest) - len(b)
            rest = [c * b[-1] for c in rest]
            for i, c in enumerate(b):
                rest[shift_by + i] -= lead * c
            strip(rest)
        a, b = b, primitive(rest)
    return a


def modular_factor(a: list[int], b: list[int]) -> list[int]:
    """The greatest common factor modulo PRIME, its leading coefficient 1."""
    a, b = sorted(([c % PRIME for c in part] for part in (a, b)), key=len, reverse=True)
    work = 0
    while b:
        rest, inverse = a, pow(b[-1], -1, PRIME)
        terms = [(i, c) for i, c in enumerate(b) if c]
        while len(rest) >= len(b):
            tick()
            work += len(terms)
            need(work <= MAX_EUCLID, "a number too long to bring into lowest terms")
            lead, shift_by = rest[-1] * inverse % PRIME, len(rest) - len(b)
            for i, c in terms:
                rest[shift_by + i] = (rest[shift_by + i] - lead * c) % PRIME
            strip(rest)
        a, b = b, rest
    inverse = pow(a[-1], -1, PRIME)
    return [c * inverse % PRIME for c in a]


def strip(coefficients: list[int]) -> None:
    """Leave out zeros at the end."""
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()


def primitive(coefficients: list[int]) -> list[int]:
    """Without a common factor of its coefficients."""
    divisor = math.gcd(*coefficients) if coefficients else 1
    return [c // divisor for c in coefficients]


def divided_by(coefficients: list[int], factor: list[int]) -> list[int] | None:
    """One list divided by another; None where something is left over."""
    rest, found = list(coefficients), [0] * (len(coefficients) - len(factor) + 1)
    terms = [(i, c) for i, c in enumerate(factor) if c]
    need(len(found) * len(terms) <= MAX_EUCLID, "a number too long to bring into lowest terms")
    for place in reversed(range(len(found))):
        tick()
        found[place], left = divmod(rest[place + len(factor) - 1], factor[-1])
        if left:
            return None
        if found[place]:
            for i, c in terms:
                rest[place + i] -= found[place] * c
    return None if any(rest) else found


def divided(polynomial: Polynomial, factor: list[int]) -> Polynomial:
    """What is left of a polynomial without a factor."""
    found = divided_by(bare(polynomial), factor)
    assert found is not None, "a factor divides"
    return tuple((polynomial[0][0] + i, c) for i, c in enumerate(found) if c)


@functools.lru_cache(maxsize=256)
def exp_bounds(step: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits e^step: the series of e^(step / 2^k), squared k times."""
    halvings = max(0, math.ceil(step)).bit_length()
    bits_now = bits + 2 * halvings + 2 * math.ceil(step) + 8  # e^step < 2^(2 step)
    x = step / 2**halvings  # at most 1
    low = term = 1 << bits_now
    n = 0
    while term:
        tick()
        n += 1
        term = term * x.numerator // (n * x.denominator)
        low += term
    high = low + 2 * n + 2  # a division leaves less than 1 out, and the next ones half of that
    for _ in range(halvings):
        low, high = low * low >> bits_now, -(-high * high >> bits_now)
    return low >> bits_now - bits, -(-high >> bits_now - bits)


def polynomial_bounds(polynomial: Polynomial, step: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits times the value at t, by Horner's rule on both sides."""
    low = high = 0
    powers = [i for i, _ in polynomial]
    gaps = [powers[0], *(i - lower for lower, i in pairwise(powers))]
    rises = {gap: exp_bounds(gap * step, bits) for gap in set(gaps) if gap}
    for (_, c), gap in zip(reversed(polynomial), reversed(gaps), strict=True):
        tick()
        low, high = low + (c << bits), high + (c << bits)
        if gap:
            below, above = rises[gap]
            low *= below if low > 0 else above
            high *= above if high > 0 else below
            low, high = low >> bits, -(-high >> bits)
    return low, high


def polynomial_sign(polynomial: Polynomial, step: Fraction) -> int:
    """The sign at t, for a polynomial that is not 0."""
    signs = {c > 0 for _, c in polynomial}
    if len(signs) == 1:
        return 1 if signs.pop() else -1
    bits = 128
    while bits <= MAX_EXP_BITS:
        low, high = polynomial_bounds(polynomial, step, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 2
    raise Rejected(f"a sign that {MAX_EXP_BITS} bits do not decide")
