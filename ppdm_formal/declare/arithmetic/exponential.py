"""ExpNumber: an exact number top(t)/bottom(t), polynomials over the integers in t = e^step.

e^q is transcendental for every rational q other than 0 (Lindemann), so a polynomial in t that is
not 0 does not vanish at t: numbers are equal exactly if they are equal as rational functions, and
a sign is found by enclosing the value ever closer until it leaves 0 (docs/decisions). What is
rational is a Fraction, never an ExpNumber. Each number has one form: lowest terms, the greatest
rational step > 0 of which all exponents are multiples, bottom(t) > 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

MAX_DEGREE = 250_000
"""Highest power of t; beyond, numbers would fill the memory."""

MAX_EXPONENT = 10**6
"""Largest power of e: e^(10^6) has half a million digits."""

_FIRST_PRECISION = 128

Real: TypeAlias = "Fraction | ExpNumber"


class TooManyPowers(ValueError):
    """The number has higher powers of t than are computed with."""


class ExpNumber:
    """A number that is not rational; make one with `exp_of` and by arithmetic.

    >>> e = exp_of(Fraction(1))
    >>> e / (e + 9) < Fraction(1, 4), e * exp_of(Fraction(-1)), str(exp_of(Fraction(1, 2)) ** 2)
    (True, Fraction(1, 1), 'exp(1)')
    """

    __slots__ = ("_key", "bottom", "step", "top")

    def __init__(self, top: Any, bottom: Any, step: Fraction) -> None:
        """Parts as `of_polynomials` has brought them into their one form."""
        self.top, self.bottom, self.step = top, bottom, step
        self._key: tuple[Any, ...] | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from other numbers: the step and both lists of coefficients."""
        if self._key is None:
            self._key = (self.step, _coefficients(self.top), _coefficients(self.bottom))
        return self._key

    @property
    def bits(self) -> int:
        """How much it takes to write it down, about."""
        return sum(int(part.height_bits()) * int(part.length()) for part in (self.top, self.bottom))

    # -- arithmetic ---------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        both = _common(self, other)
        if both is None:
            return NotImplemented
        (a, b), (c, d), step = both
        return (
            of_polynomials(a + c, b, step) if b == d else of_polynomials(a * d + c * b, b * d, step)
        )

    __radd__ = __add__

    def __neg__(self) -> ExpNumber:
        return ExpNumber(-self.top, self.bottom, self.step)

    def __pos__(self) -> ExpNumber:
        return self

    def __abs__(self) -> ExpNumber:
        return self if self.sign() > 0 else -self

    def __sub__(self, other: Any) -> Any:
        both = _common(self, other)
        if both is None:
            return NotImplemented
        (a, b), (c, d), step = both
        return (
            of_polynomials(a - c, b, step) if b == d else of_polynomials(a * d - c * b, b * d, step)
        )

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        both = _common(self, other)
        if both is None:
            return NotImplemented
        (a, b), (c, d), step = both
        return of_polynomials(a * c, b * d, step)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        both = _common(self, other)
        if both is None:
            return NotImplemented
        (a, b), (c, d), step = both
        if not c:
            raise ZeroDivisionError("division by zero")
        return of_polynomials(a * d, b * c, step)

    def __rtruediv__(self, other: Any) -> Any:
        both = _common(self, other)
        if both is None:
            return NotImplemented
        (a, b), (c, d), step = both
        return of_polynomials(b * c, a * d, step)

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, int):
            return NotImplemented
        top, bottom = (self.top, self.bottom) if exponent >= 0 else (self.bottom, self.top)
        size = abs(exponent)
        one = self.power()
        if one is not None and size * abs(one[1]) <= MAX_EXPONENT:  # c e^q, whatever its step
            return one[0] ** exponent * exp_of(one[1] * exponent)
        if size * max(top.degree(), bottom.degree()) > MAX_DEGREE:
            raise TooManyPowers(_too_many())
        return of_polynomials(top**size, bottom**size, self.step)

    def __floor__(self) -> int:
        """The whole part; never met exactly, since no such number is rational."""
        precision = _FIRST_PRECISION
        while True:
            low, high = self.between(precision)
            if math.floor(low) == math.floor(high):
                return math.floor(low)
            precision *= 2

    def __ceil__(self) -> int:
        return math.floor(self) + 1

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return math.floor(self + Fraction(1, 2))
        scale = Fraction(10) ** digits
        return math.floor(self * scale + Fraction(1, 2)) / scale

    def __int__(self) -> int:
        return math.floor(self) if self > 0 else math.ceil(self)

    def __float__(self) -> float:
        """The nearest double, or its neighbour; nothing exact is decided with it."""
        return float(self.between(_FIRST_PRECISION)[0])

    # -- comparison ---------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ExpNumber):
            return self.key == other.key
        return False if isinstance(other, int | Fraction) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __bool__(self) -> bool:
        return True

    def __lt__(self, other: Any) -> Any:
        return self._above(other) < 0 if isinstance(other, _REALS) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return self._above(other) <= 0 if isinstance(other, _REALS) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return self._above(other) > 0 if isinstance(other, _REALS) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self._above(other) >= 0 if isinstance(other, _REALS) else NotImplemented

    def _above(self, other: Any) -> int:
        """The sign of the difference: what is not equal differs at some precision."""
        if self == other:
            return 0
        from flint import arb, fmpq

        precision = _FIRST_PRECISION
        while True:
            with _precision(precision):
                if isinstance(other, ExpNumber):
                    gap = self.ball() - other.ball()
                else:
                    gap = self.ball() - arb(fmpq(other.numerator, other.denominator))
                if gap > 0 or gap < 0:
                    return 1 if gap > 0 else -1
            precision *= 2

    def sign(self) -> int:
        """1 or -1: the value is never 0."""
        return polynomial_sign(self.top, self.step)

    # -- values -------------------------------------------------------------------------------

    def ball(self) -> Any:
        """The value in ball arithmetic, at the precision in force."""
        t = _generator(self.step)
        return self.top(t) / self.bottom(t)

    def between(self, precision: int) -> tuple[Fraction, Fraction]:
        """Rationals below and above it, about 2^-precision apart relative to its size."""
        return _enclosed(self.ball, precision)

    def power(self) -> tuple[Fraction, Fraction] | None:
        """(c, q) where the number is c e^q, both rational; None where it is not of that form."""
        (above, c), (below, d) = (_single(part) for part in (self.top, self.bottom))
        if c is None or d is None:
            return None
        return Fraction(c, d), (above - below) * self.step

    def terms(self) -> tuple[list[tuple[Fraction, int]], list[tuple[Fraction, int]]]:
        """Exponents of e with their coefficients, rising: above and below the line."""
        above, below = (
            [(k * self.step, int(c)) for k, c in enumerate(part.coeffs()) if c]
            for part in (self.top, self.bottom)
        )
        return above, below

    def __str__(self) -> str:
        from ppdm_formal.declare.arithmetic.spelling import number_text

        return number_text(self)

    def __repr__(self) -> str:
        return f"ExpNumber({self})"

    def _sympy_(self) -> Any:
        """Among closed forms in parameters: a symbol stands for e^step."""
        from ppdm_formal.declare.arithmetic.constant_symbol import as_form

        return as_form(self)


_REALS = (int, Fraction, ExpNumber)


@dataclass(frozen=True)
class Ln:
    """ln(of), of > 0 and no power of e: an epsilon that is not rational (logarithm.py)."""

    of: Real

    @property
    def text(self) -> str:
        """Its one spelling: ln(3)."""
        from ppdm_formal.declare.arithmetic.spelling import number_text

        return f"ln({number_text(self.of)})"

    def __str__(self) -> str:
        return self.text


def exp_of(exponent: Fraction) -> Real:
    """e^exponent.

    >>> exp_of(Fraction(0)), str(exp_of(Fraction(-1, 2)))
    (Fraction(1, 1), '1/exp(1/2)')
    """
    if exponent == 0:
        return Fraction(1)
    if abs(exponent) > MAX_EXPONENT:
        raise TooManyPowers(f"a power of e above {MAX_EXPONENT:,}")
    t, one = _polynomial([0, 1]), _polynomial([1])
    return ExpNumber(t, one, exponent) if exponent > 0 else ExpNumber(one, t, -exponent)


def sign_of(value: Real | int) -> int:
    """-1, 0 or 1."""
    if isinstance(value, ExpNumber):
        return value.sign()
    return (value > 0) - (value < 0)


def logarithm(value: ExpNumber, precision: int) -> tuple[Fraction, Fraction]:
    """Rationals around the natural logarithm of a positive number."""
    return _enclosed(lambda: value.ball().log(), precision)


def _enclosed(ball: Callable[[], Any], precision: int) -> tuple[Fraction, Fraction]:
    """Ends of a ball that is so precise; terms that cancel each other take more bits to begin with.

    What is asked for stays the same while the bits that are worked with double.
    """
    working = precision + 32
    while True:
        with _precision(working):
            found = ball()
            if found.is_finite() and found.rel_accuracy_bits() >= precision:
                return dyadic(found.lower()), dyadic(found.upper())
        working *= 2


def from_terms(above: list[tuple[Fraction, int]], below: list[tuple[Fraction, int]]) -> Real:
    """The number with these exponents of e and their coefficients, above and below the line."""
    step = common_step(q for q, _ in (*above, *below))
    parts = []
    for terms in (above, below):
        length = 1 + max((int(q / step) for q, _ in terms), default=0)
        if length > MAX_DEGREE:
            raise TooManyPowers(_too_many())
        coefficients = [0] * length
        for q, c in terms:
            if q < 0:
                raise ValueError("a negative power of e in a polynomial")
            coefficients[int(q / step)] += c
        parts.append(_polynomial(coefficients))
    if not parts[1]:
        raise ZeroDivisionError("division by zero")
    return of_polynomials(parts[0], parts[1], step)


def sum_of(terms: Iterable[tuple[int, ExpNumber]]) -> Real:
    """The sum of count * number: first of those with one denominator, but for powers of t.

    >>> e = exp_of(Fraction(1))
    >>> sum_of([(2, 1 / (1 + e)), (2, e / (1 + e)), (1, e)]) == 2 + e
    True
    """
    counts: dict[int, tuple[int, ExpNumber]] = {}
    for count, number in terms:  # most stand there many times
        counts[id(number)] = (counts.get(id(number), (0, number))[0] + count, number)
    step = common_step(number.step for _, number in counts.values())
    groups: dict[Any, list[tuple[int, Any]]] = {}
    for count, number in counts.values():
        top, bottom = spread(number, step)
        powers = next(k for k, c in enumerate(bottom.coeffs()) if c)
        core = tuple(int(c) for c in bottom.coeffs()[powers:])
        groups.setdefault(core, []).append((powers, count * top))
    found: Any = Fraction(0)
    for core, tops in groups.items():
        most = max(powers for powers, _ in tops)
        above = _polynomial([0])
        for powers, top in tops:
            above += top * _power(most - powers)
        found += of_polynomials(above, _polynomial(list(core)) * _power(most), step)
    return found  # type: ignore[no-any-return]


def _power(exponent: int) -> Any:
    return _polynomial([0] * exponent + [1])


def common_step(exponents: Iterable[Fraction]) -> Fraction:
    """The greatest rational of which all are multiples; 1 where all are 0.

    >>> common_step([Fraction(1, 2), Fraction(1, 3), Fraction(0)])
    Fraction(1, 6)
    """
    found = [q for q in exponents if q]
    bottom = math.lcm(*(q.denominator for q in found))
    return Fraction(math.gcd(*(int(q * bottom) for q in found)) or 1, bottom)


def of_polynomials(top: Any, bottom: Any, step: Fraction) -> Real:
    """The number top(t)/bottom(t) of FLINT's polynomials, in its one form."""
    common = top.gcd(bottom)
    if not common.is_one():
        top, bottom = top / common, bottom / common
    if top.is_constant() and bottom.is_constant():
        return Fraction(int(top[0]), int(bottom[0]))
    if max(top.degree(), bottom.degree()) > MAX_DEGREE:
        raise TooManyPowers(_too_many())
    thin = 1 if top[1] or bottom[1] else math.gcd(*_exponents(top), *_exponents(bottom))
    if thin > 1:
        top, bottom, step = _thinned(top, thin), _thinned(bottom, thin), step * thin
    if polynomial_sign(bottom, step) < 0:
        top, bottom = -top, -bottom
    return ExpNumber(top, bottom, step)


def _common(one: ExpNumber, other: Any) -> Any:
    """Numerators and denominators over one step; None where the other is no number."""
    if isinstance(other, ExpNumber):
        if one.step == other.step:
            return (one.top, one.bottom), (other.top, other.bottom), one.step
        step = common_step((one.step, other.step))
        return spread(one, step), spread(other, step), step
    if isinstance(other, int | Fraction):
        parts = _polynomial([other.numerator]), _polynomial([other.denominator])
        return (one.top, one.bottom), parts, one.step
    return None


def spread(number: Real, step: Fraction) -> tuple[Any, Any]:
    """Its polynomials in e^step, for a step of which its own is a multiple."""
    if isinstance(number, Fraction):
        return _polynomial([number.numerator]), _polynomial([number.denominator])
    thick = int(number.step / step)
    if thick * max(number.top.degree(), number.bottom.degree()) > MAX_DEGREE:
        raise TooManyPowers(_too_many())
    return number.top.inflate(thick), number.bottom.inflate(thick)


def _thinned(polynomial: Any, thin: int) -> Any:
    return _polynomial(polynomial.coeffs()[::thin])


def _exponents(polynomial: Any) -> list[int]:
    return [k for k, c in enumerate(polynomial.coeffs()) if c]


def _coefficients(polynomial: Any) -> tuple[int, ...]:
    return tuple(int(c) for c in polynomial.coeffs())


def _single(polynomial: Any) -> tuple[int, int | None]:
    """The power and coefficient of a polynomial of one term."""
    powers = _exponents(polynomial)
    return (powers[0], int(polynomial[powers[0]])) if len(powers) == 1 else (0, None)


def polynomial_sign(polynomial: Any, step: Fraction) -> int:
    """The sign at t = e^step of a polynomial that is not 0: some precision shows it."""
    coefficients = polynomial.coeffs()
    if all(c >= 0 for c in coefficients):
        return 1
    if all(c <= 0 for c in coefficients):
        return -1
    precision = _FIRST_PRECISION
    while True:
        with _precision(precision):
            value = polynomial(_generator(step))
            if value > 0:
                return 1
            if value < 0:
                return -1
        precision *= 2


def _generator(step: Fraction) -> Any:
    """e^step, at the precision that is set."""
    from flint import ctx

    return _power_of_e(step, ctx.prec)


@lru_cache(256)
def _power_of_e(step: Fraction, precision: int) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(step.numerator, step.denominator)).exp()


def _polynomial(coefficients: Sequence[Any]) -> Any:
    from flint import fmpz_poly  # where it is used: commands without such numbers start faster

    return fmpz_poly(coefficients)


def _precision(bits: int) -> Any:
    from flint import ctx

    return ctx.workprec(bits)


def dyadic(point: Any) -> Fraction:
    """An exact ball as the rational that it is."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _too_many() -> str:
    return f"exponentials in more than {MAX_DEGREE:,} powers of what their exponents have in common"
