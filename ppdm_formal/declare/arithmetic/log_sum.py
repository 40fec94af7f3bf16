"""LogSum: an exact number of the form q + c1 log(r1) + ... + ck log(rk), all exact, r > 0.

Logarithms are natural, or to base 2. Signs are decided, always: enclosures grow tighter until they
leave zero, and whether the number is zero is decided before. In nats it is zero iff q = 0 and the
product of r^c is 1 (e^q is transcendental for rational q other than 0); in bits q counts as
q log2(2). A product of rational powers is 1 iff its exponents vanish over coprime bases.
With exponentials among the numbers, sums that vanish identically are recognized (log_identity.py);
another one that no precision tells from zero is refused (Undecided), never guessed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.enclosure import (
    DIGITS,
    Enclosure,
    Unit,
    ball_log,
    ball_of,
    enclose,
    real_enclosure,
)
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real
from ppdm_formal.declare.arithmetic.log_identity import vanishes

_TWO = Fraction(2)
_FEW = 8
"""So many logarithms with coefficients alike are told from zero by one product."""


_MOST_DIGITS = 1000
"""Digits at which a sum with exponentials that does not vanish identically is given up."""


class Undecided(ArithmeticError):
    """The sign was not found: a sum with exponentials that no precision told from zero."""


@dataclass(frozen=True)
class LogSum:
    """A number plus multiples of logarithms of positive numbers other than 1.

    >>> three = LogSum.log(Fraction(3), "bit")
    >>> (three + three - LogSum.log(Fraction(9), "bit")).sign()
    0
    >>> (three - LogSum.of(Fraction(3, 2), "bit")).sign()
    1
    """

    rational: Real
    logs: Mapping[Real, Real]
    unit: Unit = "nat"

    @classmethod
    def of(cls, value: Real, unit: Unit = "nat") -> LogSum:
        """A number."""
        return cls(value, {}, unit)

    @classmethod
    def log(cls, value: Real, unit: Unit = "nat") -> LogSum:
        """The logarithm of a positive number."""
        if value <= 0:
            raise ValueError(f"the logarithm of {value} is not a number")
        if isinstance(value, ExpNumber):
            parts = value.power() if unit == "nat" else None
            if parts is None:
                return cls(ZERO, {value: ONE}, unit)
            return cls(parts[1], {parts[0]: ONE} if parts[0] != 1 else {}, unit)
        if unit == "bit":
            power = max(value.numerator, value.denominator).bit_length() - 1
            if value in (_TWO**power, _TWO**-power):
                return cls(Fraction(power if value > 1 else -power), {}, unit)
        return cls(ZERO, {} if value == 1 else {value: ONE}, unit)

    @classmethod
    def total(cls, terms: Iterable[tuple[Real, LogSum]], unit: Unit) -> LogSum:
        """The sum of factor * term."""
        rational: Real = ZERO
        logs: dict[Real, Real] = {}
        for factor, term in terms:
            rational += factor * term.rational
            for base, coefficient in term.logs.items():
                logs[base] = logs.get(base, ZERO) + factor * coefficient
        return cls(rational, {base: c for base, c in logs.items() if c}, unit)

    def __add__(self, other: LogSum) -> LogSum:
        return LogSum.total([(ONE, self), (ONE, other)], self.unit)

    def __sub__(self, other: LogSum) -> LogSum:
        return LogSum.total([(ONE, self), (-ONE, other)], self.unit)

    def times(self, factor: Real) -> LogSum:
        """A multiple."""
        return LogSum.total([(factor, self)], self.unit)

    def sign(self) -> int:
        """-1, 0 or 1, exactly."""
        terms = self._terms()
        if any(isinstance(n, ExpNumber) for n in (self.rational, *terms, *terms.values())):
            return self._sign_with_exponentials(terms)
        rational = ZERO if self.unit == "bit" else self.rational
        if not terms:
            return (rational > 0) - (rational < 0)
        if rational == 0:
            quick = _one_product(terms)
            if quick is not None:
                return quick
        found = enclose(self._ball, 1)
        if found.contains(ZERO):
            if rational == 0 and is_one(terms):
                return 0
            found = enclose(self._ball, 1, nonzero=True)
        return 1 if found.lo > 0 else -1

    def _sign_with_exponentials(self, terms: Mapping[Real, Real]) -> int:
        rational = ZERO if self.unit == "bit" else self.rational
        if vanishes(rational, terms):
            return 0
        for digits in (1, 30, 100, 300, _MOST_DIGITS):
            found = enclose(self._ball, digits)
            if not found.contains(ZERO):
                return 1 if found.lo > 0 else -1
        raise Undecided("a sum of logarithms with exponentials, too close to 0 to be decided")

    def enclosed(self, digits: int = DIGITS) -> Enclosure:
        """The value in an interval with so many correct digits; exact where it is rational."""
        if not self.logs:
            return real_enclosure(self.rational, digits)
        if self.sign() == 0:
            return Enclosure.exactly(0)
        return enclose(self._ball, digits, nonzero=True)

    def _terms(self) -> dict[Any, Any]:
        """All logarithms; in bits the rational among them."""
        terms = dict(self.logs)
        if self.unit == "bit" and self.rational:
            terms[_TWO] = terms.get(_TWO, ZERO) + self.rational
        return {base: c for base, c in terms.items() if c}

    def _ball(self) -> Any:
        total = ball_of(self.rational)
        for base, coefficient in self.logs.items():
            total += ball_of(coefficient) * ball_log(ball_of(base), self.unit)
        return total


def _one_product(terms: Mapping[Fraction, Fraction]) -> int | None:
    """The sign where all coefficients have one size: that of a product of rationals less 1."""
    sizes = {abs(c) for c in terms.values()}
    if len(sizes) > 1 or len(terms) > _FEW:
        return None
    product = ONE
    for base, coefficient in terms.items():
        product = product * base if coefficient > 0 else product / base
    return (product > 1) - (product < 1)


def is_one(terms: Mapping[Fraction, Fraction]) -> bool:
    """Whether the product of base^coefficient is 1: no exponent over coprime bases is left."""
    exponents: dict[int, Fraction] = {}
    for fraction, coefficient in terms.items():
        for number, signed in (
            (fraction.numerator, coefficient),
            (fraction.denominator, -coefficient),
        ):
            if number > 1:
                exponents[number] = exponents.get(number, ZERO) + signed
    bases = _coprime(n for n, exponent in exponents.items() if exponent)
    left = dict.fromkeys(bases, ZERO)
    for whole, exponent in exponents.items():
        rest = whole if exponent else 1
        for base in bases:
            while rest % base == 0:
                rest //= base
                left[base] += exponent
    return not any(left.values())


def _coprime(numbers: Iterable[int]) -> list[int]:
    """Integers above 1, coprime in pairs, of which every given one is a product of powers."""
    bases: list[int] = []
    waiting = list(dict.fromkeys(numbers))
    while waiting:
        number = waiting.pop()
        for position, base in enumerate(bases):
            common = math.gcd(number, base)
            if common > 1:
                del bases[position]
                rest = (number // common, base // common, common)
                waiting += [part for part in rest if part > 1]
                break
        else:
            bases.append(number)
    return bases
