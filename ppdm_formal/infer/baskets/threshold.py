"""Threshold: the least support, as a share of the transactions or as a count of them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import parse_number

_WHOLE = re.compile(r"\s*[0-9]+\s*", re.ASCII)


MOST = 10**18
"""More transactions than anyone has."""


@dataclass(frozen=True)
class Threshold:
    """A share above 0 and up to 1, or a count from 1 on.

    A whole number is a count; what has a percent sign, a point or a slash is a share.

    >>> Threshold.of("0.5%").least(1001), Threshold.of("50").least(1001)
    (6, 50)
    >>> Threshold.of("1").least(1001), Threshold.of("1.0").least(1001)
    (1, 1001)
    """

    value: Fraction | int

    @classmethod
    def of(cls, given: str | int | Fraction | Threshold) -> Threshold:
        """From text, or in Python from an integer (a count) or a Fraction (a share)."""
        if isinstance(given, Threshold):
            return given
        value: Fraction | int
        if isinstance(given, str):
            value = parse_number(given)
            value = int(value) if _WHOLE.fullmatch(given) else value
        elif isinstance(given, int | Fraction) and not isinstance(given, bool):
            value = given
        else:
            raise TypeError(
                f"a least support is text such as '0.5%', a Fraction or a count, not {given!r}"
            )
        if isinstance(value, int):
            if value < 1:
                raise ValueError("a least support that is a count is at least 1")
            if value > MOST:
                raise ValueError(f"a least support that is a count is at most {MOST:,}")
        elif not 0 < value <= 1:
            raise ValueError(
                f"{given} is no share of the transactions above 0 and up to 1; write 0.5% or 0.005 "
                "for a share, and a whole number such as 50 for a count"
            )
        return cls(value)

    def least(self, transactions: int) -> int:
        """The least count that reaches it."""
        if isinstance(self.value, int):
            return self.value
        return max(1, math.ceil(self.value * transactions))

    def share(self, transactions: int) -> Fraction:
        """As a share of so many transactions."""
        if isinstance(self.value, int):
            return Fraction(self.value, max(1, transactions))
        return self.value
