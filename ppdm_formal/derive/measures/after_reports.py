"""After N reports of one input, each with fresh coins: amplification gamma^N, epsilon N ln(gamma).

For any two inputs the ratio of likelihoods of N reports is a product of N ratios, greatest where
the most telling output is seen each time; so the greatest of all is gamma^N, attained there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Enclosure, log_of
from ppdm_formal.declare.arithmetic.envelope import pieces_text
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.exponential import ExpNumber
from ppdm_formal.declare.arithmetic.parameter import exponent_text
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.derive.measures.amplification import Amplification

SHOWN = (1, 10, 100)
"""The numbers of reports of which every audit speaks."""

MAX_BITS = 3_000
"""Longer powers are given by their logarithm alone."""


@dataclass(frozen=True)
class AfterReports:
    """The amplification of so many reports together, from that of one."""

    reports: int
    one: Amplification

    @property
    def gain(self) -> Fraction | Infinity | None:
        """gamma^N in numbers; None while parameters are free, or where it is too long."""
        value = self.one.value
        if isinstance(value, Infinity):
            return value
        if not is_number(value):
            return None
        if isinstance(value, ExpNumber):
            bits = 0 if value.power() is not None else value.bits
        else:
            bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        return value**self.reports if bits * self.reports <= MAX_BITS else None

    @property
    def text(self) -> str:
        """gamma^N: a number, a power of a closed form, or of a number too long to be written."""
        gain = self.gain
        if is_number(gain):
            return number_text(gain)
        if self.exponent is not None:
            return f"exp({self.exponent})"
        wrap = "{}" if self.reports == 1 or gain is not None else f"({{}})^{self.reports}"
        return pieces_text(self.one.pieces, self.one.parameters, wrap)

    @property
    def exponent(self) -> str | None:
        """N eps where one report has the amplification exp(eps), eps being free."""
        return exponent_text(self.one.value, self.one.parameters, self.reports)

    def epsilon(self, digits: int = DIGITS) -> Enclosure | Infinity | None:
        """N ln(gamma), enclosed; None while parameters are free."""
        value = self.one.value
        if isinstance(value, Infinity):
            return value
        if not is_number(value):
            return None
        once = log_of(value, "nat", digits + len(str(self.reports)))
        return Enclosure(once.lo * self.reports, once.hi * self.reports)

    def reached(self, before: Fraction) -> Fraction | None:
        """The highest belief that a belief of `before` can become, whatever the prior."""
        gain = self.gain
        if isinstance(gain, Infinity):
            return Fraction(1)
        return None if gain is None else before * gain / (before * gain + 1 - before)


def most_reports(gain: Fraction, rho1: Fraction, rho2: Fraction, limit: int = 10_000) -> int | None:
    """The most reports after which no prior has a breach rho1 -> rho2; None where no end is found.

    The largest N with gamma^N < rho2 (1 - rho1) / (rho1 (1 - rho2)).

    >>> most_reports(Fraction(3), Fraction(1, 10), Fraction(1, 2))
    1
    """
    bound = rho2 * (1 - rho1) / (rho1 * (1 - rho2))
    reports, power = 0, Fraction(1)
    while power * gain < bound:
        reports, power = reports + 1, power * gain
        if reports >= limit or power.numerator.bit_length() > 10 * MAX_BITS:
            return None
    return reports
