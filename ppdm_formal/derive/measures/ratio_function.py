"""RatioFunction: f(t) for worst-case information with respect to f (EGS03 Definitions 7, 8).

f is log(t), or sign * t^power + offset; t f(t) must be convex on t > 0. For t^a that is
t^(a+1), convex where a >= 0 or a <= -1; for -t^a it is convex where -1 <= a <= 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity

MAX_POWER = 1000
"""Largest numerator and denominator of a power."""

_SPELLED = re.compile(
    r"(?P<sign>-?)(?:t(?:\^(?P<power>-?\d+(?:/\d+)?|\(-?\d+(?:/\d+)?\)))?|(?P<inverse>1/t))"
    r"(?P<offset>[-+]\d+(?:/\d+)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class RatioFunction:
    """log(t) (power None), or sign * t^power + offset."""

    name: str
    power: Fraction | None
    sign: Literal[1, -1] = 1
    offset: Fraction = ZERO

    def __post_init__(self) -> None:
        if self.power is None:
            return
        if max(abs(self.power.numerator), self.power.denominator) > MAX_POWER:
            raise ValueError(f"{self.name}: powers beyond {MAX_POWER} are not computed")
        between = -1 < self.power < 0
        outside = self.power < -1 or self.power > 0
        if (self.sign == 1 and between) or (self.sign == -1 and outside):
            shape = f"{'-' if self.sign == -1 else ''}t^({self.power + 1})"
            raise ValueError(f"{self.name}: t f(t) must be convex on t > 0, and {shape} is not")

    @property
    def rational(self) -> bool:
        """Whether rational t give rational f(t)."""
        return self.power is not None and self.power.denominator == 1

    @property
    def at_one(self) -> Fraction:
        """f(1), the divergence of a distribution from itself."""
        return ZERO if self.power is None else self.sign * ONE + self.offset

    @property
    def vanishing(self) -> Fraction | Infinity:
        """The limit of t f(t) as t -> 0."""
        if self.power is None or self.power > -1:
            return ZERO
        return INFINITY if self.power < -1 else Fraction(self.sign)

    @property
    def growing(self) -> Fraction | Infinity:
        """The limit of f(t) as t -> infinity."""
        if self.power is None or self.power > 0:
            return INFINITY
        return self.offset + (self.sign if self.power == 0 else 0)


def ratio_function(name: str) -> RatioFunction:
    """Read f from its name: log, t-1, -1/t, t^2, t^-2, -t^-1/2, t^(3/2)-1.

    >>> ratio_function("-t^-1/2").power
    Fraction(-1, 2)
    >>> ratio_function("t^-1/2")
    Traceback (most recent call last):
    ...
    ValueError: t^-1/2: t f(t) must be convex on t > 0, and t^(1/2) is not
    """
    spelled = name.replace(" ", "")
    if spelled == "log":
        return RatioFunction("log", None)
    match = _SPELLED.fullmatch(spelled) if len(spelled) <= 60 else None
    if match is None:
        raise ValueError(f"{name!r} is not a function such as log, t-1, -1/t, t^2 or -t^-1/2")
    power = _fraction("-1" if match["inverse"] else (match["power"] or "1").strip("()"), name)
    offset = _fraction(match["offset"] or "0", name)
    return RatioFunction(spelled, power, -1 if match["sign"] else 1, offset)


def _fraction(text: str, name: str) -> Fraction:
    top, _, bottom = text.partition("/")
    if bottom and int(bottom) == 0:
        raise ValueError(f"{name!r} divides by zero")
    return Fraction(int(top), int(bottom or "1"))
