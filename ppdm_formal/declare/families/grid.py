"""Grid: the multiples of a step between two ends, as a domain."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.decimals import decimal_text
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.domain import Domain, Numeral, Value


class Grid(Domain):
    """The multiples of a step from one end to the other, whole numbers where all of them are.

    >>> list(Grid(Fraction(0), Fraction(1), Fraction(1, 4)))
    ['0', '0.25', '0.5', '0.75', '1']
    """

    def __init__(self, lo: Fraction, hi: Fraction, step: Fraction, name: str = "") -> None:
        for end in (lo, hi):
            if (end / step).denominator != 1:
                raise ValueError(
                    f"{number_text(end)} is not a multiple of the step {number_text(step)}"
                )
        self.step = step
        self.first, self.last = int(lo / step), int(hi / step)
        points = range(self.first, self.last + 1)
        values: Any = points
        if step != 1:
            values = [_value(place * step, step) for place in points]
        super().__init__(values, name)

    def point(self, position: int) -> Fraction:
        """The number at a position."""
        return (self.first + position) * self.step

    def nearest(self, number: Fraction) -> int | None:
        """The position that a number is rounded to, ties upward; None outside of the ends."""
        if not self.first * self.step <= number <= self.last * self.step:
            return None
        return math.floor(number / self.step + Fraction(1, 2)) - self.first


def _value(number: Fraction, step: Fraction) -> Value:
    if step.denominator == 1:
        return int(number)
    return Numeral(_decimal(number))


def _decimal(number: Fraction) -> str:
    """0.25 where it ends, otherwise 1/3."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return decimal_text(number) if rest == 1 else number_text(number)
