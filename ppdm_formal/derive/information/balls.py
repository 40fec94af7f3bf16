"""Divergences in ball arithmetic: sums of p ln(p/q) of exact numbers, enclosed rigorously."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, Unit
from ppdm_formal.declare.arithmetic.exact import to_flint
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, Real, dyadic

PRECISION = 192
"""Bits that are worked with: far more than any gap that an iteration leaves."""


def ball(value: Real | int) -> Any:
    """An exact number as a ball, at the precision in force."""
    return value.ball() if isinstance(value, ExpNumber) else arb(to_flint(Fraction(value)))


def divergence(first: Iterable[Any], second: Iterable[Any]) -> Any:
    """KL(first || second) in nats; second is positive wherever first is."""
    total = arb(0)
    for p, q in zip(first, second, strict=True):
        if p != 0:
            total += ball(p) * (ball(p) / ball(q)).log()
    return total


def between(bounds: Callable[[], tuple[Any, Any]]) -> Enclosure:
    """From a lower and an upper bound, computed as balls at high precision, not below 0."""
    before = ctx.prec
    try:
        ctx.prec = PRECISION
        low, high = bounds()
        least, most = dyadic(low.lower()), dyadic(high.upper())
    finally:
        ctx.prec = before
    least = max(Fraction(0), least)
    return Enclosure(least, max(least, most))


def in_unit(nats: Enclosure, unit: Unit) -> Enclosure:
    """What is enclosed in nats, in a unit."""
    if unit == "nat":
        return nats
    return between(lambda: tuple(ball(end) / arb(2).log() for end in (nats.lo, nats.hi)))
