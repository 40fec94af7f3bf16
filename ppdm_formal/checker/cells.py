"""Evidence "cells": continuous operators under a density, by cuts of the outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .additive import Additive, Noise, read_fractions, read_intervals
from .claim import BreachClaim
from .extremes import quotient_span, rising
from .limits import ZERO
from .reading import Fields, read_list, read_rational
from .result import need
from .spans import CONTINUOUS_BITS, MAX_SPANS, Span, outward, phi_span
from .spelling import spell

# -- one density: cells of x, and cuts between intervals of z


@dataclass(frozen=True)
class Slice:
    """An interval of x, whether it lies in the property that rises, and between what it weighs."""

    lo: Fraction
    hi: Fraction
    inside: bool
    weight: Span


def slices(operator: Additive, inside: Sequence[Span], parts: int, bits: int) -> list[Slice]:
    """Cells of x: the density's pieces, cut by the property, and each into so many parts."""
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
        count = parts if bell or truncated else 1
        need(len(found) + count <= MAX_SPANS, "too many cells")
        for k in range(count):
            low, high = a + (b - a) * Fraction(k, count), a + (b - a) * Fraction(k + 1, count)
            weight = height, height
            for part in bell:
                of = bell_span(part, whole[part], low, high, bits)
                weight = weight[0] + of[0], weight[1] + of[1]
            if truncated:
                share = share_span(operator, low, high, bits)
                weight = quotient_span(weight, share)
            found.append(Slice(low, high, held, outward(*weight, bits)))
    return found


def bell_share(operator: Additive, part: Any, bits: int) -> Span:
    """How much of a normal law lies in the domain."""
    _, mean, deviation, _ = part
    return Noise("normal", deviation).between(operator.lo - mean, operator.hi - mean, bits)


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


def moved(noise: Noise, part: Slice, low: Fraction, high: Fraction, bits: int) -> Span:
    """How likely noise moves x from a cell to z, for z from low to high, times its width."""
    peak = (part.lo + part.hi) / 2 + noise.center
    points = [low, high, *([peak] if low < peak < high else [])]
    found = [noise.between(z - part.hi, z - part.lo, bits) for z in points]
    return min(f[0] for f in found), max(f[1] for f in found)


def at_atom(operator: Additive, part: Slice, end: str, bits: int) -> Span:
    """The same where outputs beyond an end of the window are moved to it."""
    assert operator.window is not None
    noise, (_, lo, hi) = operator.noise, operator.window
    if end == "hi":
        noise, a, b = noise.mirrored(), part.lo - hi, part.hi - hi
    else:
        a, b = lo - part.hi, lo - part.lo
    one, two = noise.integral(a, bits), noise.integral(b, bits)
    return max(two[0] - one[1], ZERO), max(two[1] - one[0], ZERO)


def odds_side(masses: Iterable[tuple[Slice, Span]], limit: Fraction) -> int:
    """-1: below the limit (or no such output); 1: at or above it, and possible; 0: open."""
    inside, outside = [ZERO, ZERO], [ZERO, ZERO]
    for part, mass in masses:
        total = inside if part.inside else outside
        total[0] += part.weight[0] * mass[0]
        total[1] += part.weight[1] * mass[1]
    if inside[1] < limit * outside[0] or inside[1] == 0:
        return -1
    return int(inside[0] > 0 and inside[0] >= limit * outside[1])


def in_bits(side: Callable[[int], int], wanted: int) -> bool:
    """Whether some number of bits shows this side."""
    return any(side(bits) == wanted for bits in CONTINUOUS_BITS[:2])


def mass_side(operator: Additive, inside: Sequence[Span], start: Fraction) -> int:
    """-1: the probability is above 0 and at most the start; 1: above it, or 0; 0: open."""
    assert operator.density is not None
    bits = CONTINUOUS_BITS[1]
    low = high = ZERO
    for part in operator.density:
        word, first, second, weight = part
        for a, b in inside:
            if word == "uniform":
                length = max(min(b, second) - max(a, first), ZERO)
                mass = (weight * length / (second - first),) * 2
            else:
                noise = Noise("normal", second)
                of = noise.between(a - first, b - first, bits)
                share = quotient_span(of, bell_share(operator, part, bits))
                mass = weight * share[0], weight * share[1]
            low, high = low + mass[0], high + mass[1]
    if low > start or high == 0:
        return 1
    return -1 if low > 0 and high <= start else 0


def cells_decide(
    operator: Additive, claim: BreachClaim, evidence: Any, witness: Any
) -> tuple[bool, bool]:
    """Whether the claim is broken, and whether no case tests it, under the density."""
    need(operator.density is not None, "the claim names no density")
    if witness is not None:
        Fields(evidence, "evidence", "kind")
        replay_cells(operator, claim, witness)
        return True, False
    fields = Fields(evidence, "evidence", "kind ways")
    need(operator.intervals is not None, "cells decide a claim for one property")
    rows = fields.list("ways", len(claim.directions))
    tested = False
    for way, row in zip(claim.directions, rows, strict=True):
        need(type(row) is dict and row.get("direction") == way, "evidence: not this direction")
        inside, _ = rising(operator, way)
        start, limit = start_and_limit(claim, way)
        side = mass_side(operator, inside, start)
        need(side != 0, "the property's probability is too close to where the claim starts")
        if side > 0:
            Fields(row, "ways", "direction starts")
            need(row["starts"] is False, "the claim does not start there")
            continue
        tested = True
        verify_cuts(operator, inside, limit, row)
    return False, not tested


def start_and_limit(claim: BreachClaim, way: str) -> Span:
    """Up to which probability the claim starts, and which odds are a breach."""
    need(type(claim.rho1) is Fraction and type(claim.rho2) is Fraction, "rationals are needed here")
    if way == "upward":
        return claim.rho1, claim.rho2 / (1 - claim.rho2)
    return 1 - claim.rho2, (1 - claim.rho1) / claim.rho1


def verify_cuts(operator: Additive, inside: Sequence[Span], limit: Fraction, row: Any) -> None:
    """Below the limit between any two cuts, beyond them, and at atoms."""
    fields = Fields(row, "ways", "direction starts parts cuts tails atoms")
    need(fields.flag("starts"), "the claim starts there")
    parts = fields.position("parts", 1001)
    cuts = read_fractions(row["cuts"])
    need(2 <= len(cuts) <= MAX_SPANS, "cuts: too many or too few")
    need(all(a <= b for a, b in pairwise(cuts)), "cuts: not in order")
    made = {bits: slices(operator, inside, parts, bits) for bits in CONTINUOUS_BITS[:2]}
    noise = operator.noise

    def below(low: Fraction, high: Fraction) -> bool:
        return in_bits(
            lambda bits: odds_side(
                ((p, moved(noise, p, low, high, bits)) for p in made[bits]), limit
            ),
            -1,
        )

    for a, b in pairwise(cuts):
        need(below(a, b), f"the odds are not below the limit from {spell(a)} to {spell(b)}")
    first, last = min(p.lo for p in made[192]), max(p.hi for p in made[192])
    for side, end in (("bottom", cuts[0]), ("top", cuts[-1])):
        if not covered(operator, side, end, first, last):
            need(side in read_list(row["tails"]), f"nothing is said of the {side} of the outputs")
            laplace = noise.law == "laplace" and (end >= last if side == "top" else end <= first)
            good = below(end, end) if laplace else tail_below(operator, made, side, end, limit)
            need(good, f"the odds are not below the limit at the {side} of the outputs")
    if operator.clamped:
        for atom in ("lo", "hi"):
            good = in_bits(
                lambda bits, atom=atom: odds_side(  # type: ignore[misc]
                    ((p, at_atom(operator, p, atom, bits)) for p in made[bits]), limit
                ),
                -1,
            )
            need(good, "the odds are not below the limit at an end of the window")


def covered(operator: Additive, side: str, end: Fraction, first: Fraction, last: Fraction) -> bool:
    """Whether no output with a density lies beyond an end."""
    least, most = operator.noise.support
    limits: list[Fraction] = []
    if operator.window is not None:
        limits.append(operator.window[1] if side == "bottom" else operator.window[2])
    if least is not None and most is not None:
        limits.append(first + least if side == "bottom" else last + most)
    return any(end <= limit if side == "bottom" else end >= limit for limit in limits)


def tail_below(
    operator: Additive, made: Mapping[int, list[Slice]], side: str, end: Fraction, limit: Fraction
) -> bool:
    """Against the cells beyond the property alone: their share grows the further z goes."""

    def at(bits: int) -> int:
        held = [part for part in made[bits] if part.inside]
        if side == "top":
            edge = max(part.hi for part in held)
            beyond = [part for part in made[bits] if not part.inside and part.lo >= edge]
        else:
            edge = min(part.lo for part in held)
            beyond = [part for part in made[bits] if not part.inside and part.hi <= edge]
        masses = [(p, moved(operator.noise, p, end, end, bits)) for p in (*held, *beyond)]
        return odds_side(masses, limit) if beyond else 0

    return in_bits(at, -1)


def replay_cells(operator: Additive, claim: BreachClaim, witness: Any) -> None:
    """A property (the claim's, or one named here) and outputs that take its odds too far."""
    every = operator.intervals is None
    fields = Fields(witness, "witness", "direction parts atom low high" + " property" * every)
    way = fields.text("direction")
    need(way in claim.directions, "witness: not this direction")
    if every:
        inside = read_intervals(fields.list("property"))
        cuts = [operator.lo, *(end for part in inside for end in part), operator.hi]
        need(inside and all(a <= b for a, b in pairwise(cuts)), "witness: not intervals in order")
    else:
        inside, _ = rising(operator, way)
    start, limit = start_and_limit(claim, way)
    need(mass_side(operator, inside, start) < 0, "witness: the claim does not start there")
    parts = fields.position("parts", 1001)
    if witness["atom"] is not None:
        end = fields.text("atom")
        need(operator.clamped and end in ("lo", "hi"), "witness: no such atom")
        good = in_bits(
            lambda bits: odds_side(
                (
                    (p, at_atom(operator, p, end, bits))
                    for p in slices(operator, inside, parts, bits)
                ),
                limit,
            ),
            1,
        )
    else:
        low, high = read_rational(witness["low"]), read_rational(witness["high"])
        if operator.window is not None:
            low, high = max(low, operator.window[1]), min(high, operator.window[2])
        need(low < high, "witness: not an interval of outputs")
        good = in_bits(
            lambda bits: odds_side(
                (
                    (p, moved(operator.noise, p, low, high, bits))
                    for p in slices(operator, inside, parts, bits)
                ),
                limit,
            ),
            1,
        )
    need(good, "witness: the odds there are too small")
