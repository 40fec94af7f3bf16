"""Enclosure: an interval lo <= value <= hi with rational ends that provably contains a value.

Logarithms and roots of rationals are irrational. They are computed in ball arithmetic
(python-flint's arb) at growing precision until enough digits are certain; the ends are
then rounded outward to short decimals. A value that the arithmetic finds exactly has
lo == hi.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.decimals import decimal_text, order_of, round_to
from ppdm_formal.declare.arithmetic.exact import to_flint
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, dyadic
from ppdm_formal.declare.arithmetic.spelling import number_text

Unit: TypeAlias = Literal["bit", "nat"]

DIGITS = 15
"""Correct digits that are given unless others are asked for."""

MAX_DIGITS = 10_000
"""Most digits that may be asked for."""

_FIRST_PRECISION = 96
_LAST_PRECISION = 1 << 24
_GUARD_DIGITS = 3
_ZERO_DIGITS = 30


@dataclass(frozen=True)
class Enclosure:
    """The closed interval from lo to hi; the value lies in it.

    >>> print(log_of(Fraction(1202, 201)))
    1.78843...
    >>> log_of(Fraction(8), "bit").to_json()
    {'lo': '3', 'hi': '3'}
    """

    lo: Fraction
    hi: Fraction

    def __post_init__(self) -> None:
        if self.lo > self.hi:
            ends = f"{number_text(self.lo)} and {number_text(self.hi)}"
            raise ValueError(f"an enclosure needs lo <= hi, not {ends}")

    @classmethod
    def exactly(cls, value: Fraction | int) -> Enclosure:
        """The interval of one point."""
        return cls(Fraction(value), Fraction(value))

    @property
    def is_exact(self) -> bool:
        """Whether the interval is one point."""
        return self.lo == self.hi

    @property
    def width(self) -> Fraction:
        """How wide the interval is."""
        return self.hi - self.lo

    @property
    def smallest(self) -> Fraction:
        """No number of the interval is nearer to zero."""
        return max(self.lo, -self.hi, Fraction(0))

    def contains(self, value: Fraction) -> bool:
        """Whether a number lies in the interval."""
        return self.lo <= value <= self.hi

    def holds(self, relation: Literal["<", "<="], bound: Fraction) -> bool | None:
        """Whether the value is below (at most) a bound; None where the interval leaves it open."""
        if self.hi < bound or (relation == "<=" and self.hi == bound):
            return True
        if self.lo > bound or (relation == "<" and self.lo == bound):
            return False
        return None

    def decimal(self, digits: int) -> tuple[str, str]:
        """Both ends as decimals of at most so many significant digits, rounded outward."""
        return (
            decimal_text(round_to(self.lo, digits, up=False)),
            decimal_text(round_to(self.hi, digits, up=True)),
        )

    def to_json(self, digits: int | None = None) -> dict[str, str]:
        """{"lo": ..., "hi": ...}: decimals rounded outward, as fine as the interval unless said."""
        if digits is None:
            digits = 40
            while not self.is_exact and (
                round_to(self.hi, digits, up=True) - round_to(self.lo, digits, up=False)
                > 2 * self.width
            ):
                digits *= 2
        lo, hi = self.decimal(digits)
        return {"lo": lo, "hi": hi}

    def __str__(self) -> str:
        """The digits that both ends share, six at most; both ends where they share less than three.

        Digits before the decimal point that are not shared are not written: 1.23456...e10.
        """
        if self.is_exact:
            short = round_to(self.lo, 12, up=False)
            return decimal_text(short) + ("" if short == self.lo else "...")
        if self.lo > 0 or self.hi < 0:
            for digits in range(6, 2, -1):
                # Toward zero, so that every digit shown is a digit of the value.
                lo, hi = (round_to(end, digits, up=end < 0) for end in (self.lo, self.hi))
                if lo != hi:
                    continue
                shown, e, power = decimal_text(lo, digits).partition("e")
                if not e and abs(lo) >= 10**digits:
                    e, power = "e", str(order_of(lo))
                    shown = decimal_text(lo / 10 ** int(power), digits)
                return f"{shown}...{e}{power}"
        return "[" + ", ".join(self.decimal(6)) + "]"


def enclose_all(
    evaluate: Callable[[], Sequence[Any]],
    digits: int = DIGITS,
    *,
    nonzero: bool = False,
    nonnegative: bool = False,
) -> tuple[Enclosure, ...]:
    """Evaluate arb expressions at growing precision until each has `digits` correct digits.

    `evaluate` runs at the working precision in force and returns balls that contain the
    values. nonzero: no value is zero, so precision grows until that shows; otherwise a value
    that cannot be told from zero at 30 digits more than asked is given as an interval around
    zero (from zero on, where it is known to be nonnegative). More digits give an interval
    inside the one of fewer digits.
    """
    if not 1 <= digits <= MAX_DIGITS:
        raise ValueError(f"between 1 and {MAX_DIGITS} digits can be asked for, not {digits}")
    known: list[tuple[Fraction, Fraction] | None] | None = None
    precision = _FIRST_PRECISION
    while precision <= _LAST_PRECISION:
        with ctx.workprec(precision):
            found = [_ends(ball) for ball in evaluate()]
        known = found if known is None else [_both(a, b) for a, b in zip(known, found, strict=True)]
        if all(_accurate(ends, digits, nonzero) for ends in known):
            return tuple(_rounded(ends, digits, nonnegative) for ends in known if ends is not None)
        precision *= 2
    raise ArithmeticError(f"no {digits} digits at a precision of {_LAST_PRECISION} bits")


def enclose(
    evaluate: Callable[[], Any],
    digits: int = DIGITS,
    *,
    nonzero: bool = False,
    nonnegative: bool = False,
) -> Enclosure:
    """The same for one value.

    >>> print(enclose(lambda: arb(2).sqrt()))
    1.41421...
    """
    return enclose_all(lambda: (evaluate(),), digits, nonzero=nonzero, nonnegative=nonnegative)[0]


def log_of(value: Real, unit: Unit = "nat", digits: int = DIGITS) -> Enclosure:
    """The logarithm of a positive number; exact for powers of e, and in bits for powers of 2."""
    if value <= 0:
        raise ValueError(f"the logarithm of {number_text(value)} is not a number")
    if value == 1:
        return Enclosure.exactly(0)
    if isinstance(value, ExpNumber):
        power = value.power()
        if unit == "nat" and power is not None and power[0] == 1:
            return Enclosure.exactly(power[1])
    return enclose(lambda: ball_log(ball_of(value), unit), digits, nonzero=True)


def ball_enclosure(ball: Any, digits: int = DIGITS) -> Enclosure:
    """A finite ball as it is, its ends rounded outward to so many digits or as fine as it is."""
    ends = _ends(ball)
    if ends is None:
        raise ArithmeticError("a ball without ends")
    return _rounded(ends, digits, nonnegative=False)


def ball_of(value: Real) -> Any:
    """A number in ball arithmetic, at the precision in force."""
    return value.ball() if isinstance(value, ExpNumber) else arb(to_flint(value))


def real_enclosure(value: Real, digits: int = DIGITS) -> Enclosure:
    """A number with so many correct digits; a rational exactly."""
    if isinstance(value, Fraction):
        return Enclosure.exactly(value)
    return enclose(value.ball, digits, nonzero=True)


def ball_log(ball: Any, unit: Unit) -> Any:
    """The logarithm of a ball, in nats or bits; an exact power of 2 gives exact bits."""
    if unit == "nat":
        return ball.log()
    if ball.is_exact() and ball > 0:
        mantissa, exponent = ball.man_exp()
        if mantissa == 1:
            return arb(exponent)
    return ball.log() / arb.const_log2()


def _ends(ball: Any) -> tuple[Fraction, Fraction] | None:
    if not ball.is_finite():
        return None
    lo, hi = (ball, ball) if ball.is_exact() else (ball.lower(), ball.upper())
    return dyadic(lo), dyadic(hi)


def _both(
    first: tuple[Fraction, Fraction] | None, second: tuple[Fraction, Fraction] | None
) -> tuple[Fraction, Fraction] | None:
    """Two intervals that hold the same value: so does their intersection."""
    if first is None or second is None:
        return first or second
    return max(first[0], second[0]), min(first[1], second[1])


def _accurate(ends: tuple[Fraction, Fraction] | None, digits: int, nonzero: bool) -> bool:
    if ends is None:
        return False
    lo, hi = ends
    if lo > 0 or hi < 0 or lo == hi:
        return bool((hi - lo) * 10 ** (digits + 1) <= min(abs(lo), abs(hi)))
    return not nonzero and bool((hi - lo) * 10 ** (digits + _ZERO_DIGITS) <= 1)


def _rounded(ends: tuple[Fraction, Fraction], digits: int, nonnegative: bool) -> Enclosure:
    """Short decimal ends, outward; an exact value stays as it is."""
    lo, hi = ends
    if nonnegative:
        lo = max(lo, Fraction(0))
    if lo == hi:
        return Enclosure(lo, hi)
    kept = digits + _GUARD_DIGITS
    return Enclosure(round_to(lo, kept, up=False), round_to(hi, kept, up=True))
