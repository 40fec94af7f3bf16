"""Slices: intervals of x under a density, and how likely each leads to an output.

A slice a..b has weights w(x), prior density by window, between two numbers, and their integral W.
Its part in p(z), the integral of w(x) f(z - x), lies between those numbers times the integral M of
f(z - x), and within (b - a) (range of w) (range of f)/4 of W M/(b - a): the inequality of Gruess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .additive import Additive
from .limits import ZERO
from .noise import Noise
from .noise_normal import Normal
from .result import need
from .spans import MAX_SPANS, Span, outward, phi_span, quotient_span


@dataclass(frozen=True)
class Slice:
    """An interval of x, whether it lies in the property that rises, and what it weighs.

    prior: its probability beforehand; weight: prior density by the share of outputs that are not
    drawn again; whole: the integral of that; share: between what these shares lie.
    """

    lo: Fraction
    hi: Fraction
    inside: bool
    prior: Span
    weight: Span
    whole: Span
    share: Span


def slices(
    operator: Additive, inside: Sequence[Span], parts: int, bits: int, *, everywhere: bool = False
) -> list[Slice]:
    """The density's pieces, cut by the property, and into so many parts where weights vary."""
    assert operator.density is not None
    need(1 <= parts <= 1000, "parts: not from 1 to 1,000")
    bell = [part for part in operator.density if part[0] == "normal"]
    flat = [part for part in operator.density if part[0] == "uniform"]
    cuts = {end for part in flat for end in part[1:3]} | (
        {operator.lo, operator.hi} if bell else set()
    )
    ends = sorted(cuts | {end for part in inside for end in part})
    whole = {part: bell_share(operator, part, bits) for part in bell}
    truncated = operator.window is not None and not operator.clamped
    found: list[Slice] = []
    for a, b in pairwise(ends):
        height = sum((p[3] / (p[2] - p[1]) for p in flat if p[1] <= a and b <= p[2]), ZERO)
        if not height and not bell:
            continue
        held = any(p[0] <= a and b <= p[1] for p in inside)
        count = parts if bell or truncated or everywhere else 1
        need(len(found) + count <= MAX_SPANS, "too many cells")
        for k in range(count):
            low, high = a + (b - a) * Fraction(k, count), a + (b - a) * Fraction(k + 1, count)
            weight = height, height
            prior = height * (high - low), height * (high - low)
            for part in bell:
                weight = sum_span(weight, bell_span(part, whole[part], low, high, bits))
                prior = sum_span(prior, bell_mass(part, whole[part], low, high, bits))
            share = Fraction(1), Fraction(1)
            total = prior
            if truncated:
                share = share_span(operator, low, high, bits)
                total = drawn_again(operator, low, high, weight, prior, bits)
                weight = quotient_span(weight, share)
            spans = (outward(*span, bits) for span in (prior, weight, total, share))
            found.append(Slice(low, high, held, *spans))
    return found


def sum_span(one: Span, other: Span) -> Span:
    """The sum of two numbers."""
    return one[0] + other[0], one[1] + other[1]


def drawn_again(
    operator: Additive, low: Fraction, high: Fraction, weight: Span, prior: Span, bits: int
) -> Span:
    """The integral of prior density by share: a share is log-concave in x, its inverse convex.

    So the inverse averages between that in the middle and the mean of those at both ends.
    """
    one = Fraction(1), Fraction(1)
    points = low, (low + high) / 2, high
    first, middle, last = (quotient_span(one, share_span(operator, x, x, bits)) for x in points)
    mean = middle[0], (first[1] + last[1]) / 2
    inverse = quotient_span(one, share_span(operator, low, high, bits))
    slack = (high - low) * (weight[1] - weight[0]) * (inverse[1] - inverse[0]) / 4
    return max(prior[0] * mean[0] - slack, ZERO), prior[1] * mean[1] + slack


def bell_share(operator: Additive, part: Any, bits: int) -> Span:
    """How much of a normal law lies in the domain."""
    _, mean, deviation, _ = part
    return Normal(deviation).between(operator.lo - mean, operator.hi - mean, bits)


def bell_mass(part: Any, whole: Span, low: Fraction, high: Fraction, bits: int) -> Span:
    """How likely a truncated normal law lies between two numbers, times its weight."""
    _, mean, deviation, weight = part
    inside = Normal(deviation).between(low - mean, high - mean, bits)
    low_part, high_part = quotient_span(inside, whole)
    return weight * low_part, weight * high_part


def bell_span(part: Any, whole: Span, low: Fraction, high: Fraction, bits: int) -> Span:
    """Between what the density of a truncated normal law lies: it has one peak, its mean."""
    _, mean, deviation, weight = part
    points = [low, high, *([mean] if low < mean < high else [])]
    found = [phi_span((x - mean) / deviation, bits) for x in points]
    span = min(f[0] for f in found), max(f[1] for f in found)
    low_part, high_part = quotient_span(span, whole)
    return weight * low_part / deviation, weight * high_part / deviation


def share_span(operator: Additive, low: Fraction, high: Fraction, bits: int) -> Span:
    """How likely the output lies in the window, for x between two numbers: one peak again."""
    assert operator.window is not None
    _, lo, hi = operator.window
    peak = (lo + hi) / 2 - operator.noise.center
    points = [low, high, *([peak] if low < peak < high else [])]
    found = [operator.noise.between(lo - x, hi - x, bits) for x in points]
    return min(f[0] for f in found), max(f[1] for f in found)


def joint(noise: Noise, part: Slice, low: Fraction, high: Fraction, bits: int) -> Span:
    """A slice's part in p(z), for all z from low to high."""
    peak = (part.lo + part.hi) / 2 + noise.center
    points = [low, high, *([peak] if low < peak < high else [])]
    found = [noise.between(z - part.hi, z - part.lo, bits) for z in points]
    mass = min(f[0] for f in found), max(f[1] for f in found)
    if part.weight[0] == part.weight[1]:
        return part.weight[0] * mass[0], part.weight[1] * mass[1]
    return closer(part, mass, noise.heights(low - part.hi, high - part.lo, bits))


def at_atom(operator: Additive, part: Slice, end: str, bits: int) -> Span:
    """The same where outputs beyond an end of the window are moved to it."""
    assert operator.window is not None
    noise, (_, lo, hi) = operator.noise, operator.window
    if end == "hi":
        noise, a, b = noise.mirrored(), part.lo - hi, part.hi - hi
    else:
        a, b = lo - part.hi, lo - part.lo
    one, two = noise.integral(a, bits), noise.integral(b, bits)
    mass = max(two[0] - one[1], ZERO), max(two[1] - one[0], ZERO)
    if part.weight[0] == part.weight[1]:
        return part.weight[0] * mass[0], part.weight[1] * mass[1]
    return closer(part, mass, (noise.distribution(a, bits)[0], noise.distribution(b, bits)[1]))


def closer(part: Slice, mass: Span, likelihood: Span) -> Span:
    """Both bounds of the integral of weight times likelihood at once."""
    width = part.hi - part.lo
    slack = width * (part.weight[1] - part.weight[0]) * (likelihood[1] - likelihood[0]) / 4
    return (
        max(part.weight[0] * mass[0], part.whole[0] * mass[0] / width - slack),
        min(part.weight[1] * mass[1], part.whole[1] * mass[1] / width + slack),
    )
