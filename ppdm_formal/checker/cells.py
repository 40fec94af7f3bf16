"""Evidence "cells": continuous operators under a density, by cuts of the outputs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .additive import Additive, read_fractions, read_intervals
from .certificate import Certificate, Evidence, need_no_more
from .claim import BreachClaim, Claim
from .decision import Decision
from .extremes import rising
from .limits import ZERO
from .reading import Fields, read_list, read_rational
from .result import need
from .slices import Slice, at_atom, bell_mass, bell_share, joint, slices, sum_span
from .spans import CONTINUOUS_BITS, MAX_SPANS, Span, TooFewBits
from .spelling import spell


def odds_side(masses: Iterable[tuple[Slice, Span]], limit: Fraction) -> int:
    """-1: below the limit (or no such output); 1: at or above it, and possible; 0: open."""
    inside, outside = both_sums(masses)
    if inside[1] < limit * outside[0] or inside[1] == 0:
        return -1
    return int(inside[0] > 0 and inside[0] >= limit * outside[1])


def both_sums(masses: Iterable[tuple[Slice, Span]]) -> tuple[Span, Span]:
    """How likely an output is together with the property, and without it."""
    inside = outside = (ZERO, ZERO)
    for part, mass in masses:
        if part.inside:
            inside = sum_span(inside, mass)
        else:
            outside = sum_span(outside, mass)
    return inside, outside


def in_bits(side: Callable[[int], int], wanted: int) -> bool:
    """Whether some number of bits shows this side: far out, many are needed."""
    for bits in CONTINUOUS_BITS:
        try:
            if side(bits) == wanted:
                return True
        except TooFewBits:
            continue
    return False


def mass_side(operator: Additive, inside: Sequence[Span], start: Fraction) -> int:
    """-1: the probability is above 0 and at most the start; 1: above it, or 0; 0: open."""
    for bits in CONTINUOUS_BITS[1:]:
        try:
            low, high = mass_span(operator, inside, bits)
        except TooFewBits:
            continue
        if low > start or high == 0:
            return 1
        if low > 0 and high <= start:
            return -1
    return 0


def mass_span(operator: Additive, inside: Sequence[Span], bits: int) -> Span:
    """How likely x lies in some intervals."""
    assert operator.density is not None
    total = ZERO, ZERO
    for part in operator.density:
        word, first, second, weight = part
        for a, b in inside:
            if word == "uniform":
                length = max(min(b, second) - max(a, first), ZERO)
                mass = (weight * length / (second - first),) * 2
            else:
                mass = bell_mass(part, bell_share(operator, part, bits), a, b, bits)
            total = sum_span(total, mass)
    return total


def starts(operator: Additive, claim: BreachClaim, way: str) -> bool:
    """Whether the property, under the density, is where the claim starts."""
    side = mass_side(operator, rising(operator, way)[0], start_and_limit(claim, way)[0])
    need(side != 0, "the property's probability is too close to where the claim starts")
    return side < 0


def starts_nowhere(operator: Additive, claim: BreachClaim) -> bool:
    """Whether no case tests the claim; every property, or every density, has some."""
    if operator.density is None or operator.intervals is None:
        return False
    return not any(starts(operator, claim, way) for way in claim.directions)


def cells_decide(operator: Additive, claim: BreachClaim, evidence: Any) -> None:
    """Below the limit wherever the claim starts; otherwise rejected."""
    fields = Fields(evidence, "evidence", "kind ways")
    need(operator.intervals is not None, "cells decide a claim for one property")
    rows = fields.list("ways", len(claim.directions))
    for way, row in zip(claim.directions, rows, strict=True):
        need(type(row) is dict and row.get("direction") == way, "evidence: not this direction")
        if not starts(operator, claim, way):
            Fields(row, "ways", "direction starts")
            need(row["starts"] is False, "the claim does not start there")
            continue
        verify_cuts(operator, rising(operator, way)[0], start_and_limit(claim, way)[1], row)


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
    made = functools.cache(lambda bits: slices(operator, inside, parts, bits))
    noise = operator.noise

    def below(low: Fraction, high: Fraction) -> bool:
        return in_bits(
            lambda bits: odds_side(
                ((p, joint(noise, p, low, high, bits)) for p in made(bits)), limit
            ),
            -1,
        )

    for a, b in pairwise(cuts):
        need(below(a, b), f"the odds are not below the limit from {spell(a)} to {spell(b)}")
    first, last = ends_of(operator)
    for side, end in (("bottom", cuts[0]), ("top", cuts[-1])):
        if not covered(operator, side, end, first, last):
            need(side in read_list(row["tails"]), f"nothing is said of the {side} of the outputs")
            settled = noise.settles and (end >= last if side == "top" else end <= first)
            good = below(end, end) if settled else tail_below(operator, made, side, end, limit)
            need(good, f"the odds are not below the limit at the {side} of the outputs")
    if operator.clamped:
        for atom in ("lo", "hi"):
            good = in_bits(
                lambda bits, atom=atom: odds_side(  # type: ignore[misc]
                    ((p, at_atom(operator, p, atom, bits)) for p in made(bits)), limit
                ),
                -1,
            )
            need(good, "the odds are not below the limit at an end of the window")


def ends_of(operator: Additive) -> Span:
    """Between which numbers x has a density."""
    assert operator.density is not None
    if any(part[0] == "normal" for part in operator.density):
        return operator.lo, operator.hi
    return min(part[1] for part in operator.density), max(part[2] for part in operator.density)


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
    operator: Additive,
    made: Callable[[int], list[Slice]],
    side: str,
    end: Fraction,
    limit: Fraction,
) -> bool:
    """Against the cells beyond the property alone: their share grows the further z goes.

    That needs an output at the end, or one beyond the reach of the property: before all outputs
    of bounded noise both sums are 0.
    """

    def at(bits: int) -> int:
        held = [part for part in made(bits) if part.inside]
        least, most = operator.noise.support
        if side == "top":
            edge = max(part.hi for part in held)
            beyond = [part for part in made(bits) if not part.inside and part.lo >= edge]
            out_of_reach = most is not None and end >= edge + most
        else:
            edge = min(part.lo for part in held)
            beyond = [part for part in made(bits) if not part.inside and part.hi <= edge]
            out_of_reach = least is not None and end <= edge + least
        masses = [(p, joint(operator.noise, p, end, end, bits)) for p in (*held, *beyond)]
        with_it, without = both_sums(masses)
        return -1 if out_of_reach or with_it[1] < limit * without[0] else 0

    return in_bits(at, -1)


def surer_and_surer(operator: Additive, inside: Sequence[Span], side: str) -> bool:
    """Whether the belief comes as close to 1 as one likes the further out z lies.

    Normal noise: f(z - x1)/f(z - x2) grows without bound with z for x1 > x2, evenly for all x2 up
    to any number below x1. So whoever is at the end of the density is all that is left.
    """
    first, last = ends_of(operator)
    if operator.window is not None or not operator.noise.surer:
        return False
    if side == "top":
        return any(a < last <= b for a, b in inside)
    return side == "bottom" and any(a <= first < b for a, b in inside)


def replay_cells(operator: Additive, claim: BreachClaim, witness: Any) -> None:
    """A property (the claim's, or one named here) and outputs that take its odds too far."""
    every = operator.intervals is None
    limit_only = type(witness) is dict and "limit" in witness
    keys = "direction limit" if limit_only else "direction parts atom low high"
    fields = Fields(witness, "witness", keys + " property" * every)
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
    if limit_only:
        need(surer_and_surer(operator, inside, fields.text("limit")), "witness: no such limit")
        return
    parts = fields.position("parts", 1001)
    if witness["atom"] is not None:
        end = fields.text("atom")
        need(operator.clamped and end in ("lo", "hi"), "witness: no such atom")
        mass = functools.partial(at_atom, operator, end=end)
    else:
        low, high = read_rational(witness["low"]), read_rational(witness["high"])
        if operator.window is not None:
            low, high = max(low, operator.window[1]), min(high, operator.window[2])
        need(low < high, "witness: not an interval of outputs")
        mass = functools.partial(joint, operator.noise, low=low, high=high)

    def side(bits: int) -> int:
        made = slices(operator, inside, parts, bits)
        return odds_side(((part, mass(part, bits=bits)) for part in made), limit)

    need(in_bits(side, 1), "witness: the odds there are too small")


class ByCells(Evidence):
    """Cuts of the outputs; of a breach nothing but its witness."""

    kind, of = "cells", ("additive",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """A density."""
        return isinstance(claim, BreachClaim) and claim.prior is not None

    def decide(self, certificate: Certificate) -> Decision:
        """That the odds stay below, or that the witness takes them too far."""
        operator, claim = certificate.subject.operator, certificate.claim
        if certificate.witness is None:
            cells_decide(operator, claim, certificate.evidence)
            return Decision(False)
        need_no_more(certificate)
        replay_cells(operator, claim, certificate.witness)
        return Decision(True)
