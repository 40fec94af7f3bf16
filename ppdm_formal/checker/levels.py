"""Evidence "levels": continuous operators under a density, every property at once.

For all properties Q with P[Q] <= r and every level t >= 0 (Neyman and Pearson),

    P[Q, z] <= r t + integral of p(x) (p(z|x) - t)^+ dx.

So none gets to the belief s at z if the right side is below s p(z). Evidence names a level for each
interval of outputs; an integral over a slice is bounded by what its likelihood lies between.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from .additive import Additive, read_fractions
from .cells import covered, ends_of, in_bits
from .certificate import Certificate, Evidence
from .claim import BreachClaim, Claim
from .decision import Decision
from .limits import ZERO
from .reading import Fields, read_rational
from .result import need
from .slices import Slice, at_atom, joint, slices
from .spans import MAX_SPANS, Span, quotient_span
from .spelling import spell


class Seen(NamedTuple):
    """A slice: its part in p(z), and between what the likelihood of z lies."""

    part: Slice
    joint: Span
    likelihood: Span


def levels_decide(operator: Additive, claim: BreachClaim, evidence: Any) -> None:
    """No property is taken too far by any output; otherwise rejected."""
    need(operator.density is not None, "the claim names no density")
    need(operator.intervals is None, "levels decide a claim for every property")
    need(type(claim.rho1) is Fraction and type(claim.rho2) is Fraction, "rationals are needed here")
    rows = Fields(evidence, "evidence", "kind ways").list("ways", len(claim.directions))
    for way, row in zip(claim.directions, rows, strict=True):
        fields = Fields(row, "ways", "direction parts cuts levels tails atoms")
        need(fields.text("direction") == way, "evidence: not this direction")
        upward = way == "upward"
        start = claim.rho1 if upward else 1 - claim.rho2
        reach = claim.rho2 if upward else 1 - claim.rho1
        verify_levels(operator, start, reach, fields)


def verify_levels(operator: Additive, start: Fraction, reach: Fraction, fields: Fields) -> None:
    """Between any two cuts, beyond them, and at atoms."""
    parts = fields.position("parts", 1001)
    cuts, levels = (read_fractions(fields.raw[key]) for key in ("cuts", "levels"))
    need(2 <= len(cuts) <= MAX_SPANS, "cuts: too many or too few")
    need(len(levels) == len(cuts) - 1, "levels: not one for each interval")
    need(all(a <= b for a, b in pairwise(cuts)), "cuts: not in order")
    made = functools.cache(lambda bits: slices(operator, (), parts, bits, everywhere=True))

    def kept(level: Fraction, low: Fraction, high: Fraction) -> bool:
        def side(bits: int) -> int:
            return excess_side(seen(operator, made(bits), low, high, bits), level, start, reach)

        return level >= 0 and in_bits(side, -1)

    for (a, b), level in zip(pairwise(cuts), levels, strict=True):
        need(kept(level, a, b), f"a property gets too far from {spell(a)} to {spell(b)}")
    first, last = ends_of(operator)
    tails = fields.list("tails", 2)
    for side, end, raw in (("bottom", cuts[0], tails[0]), ("top", cuts[-1], tails[1])):
        if not covered(operator, side, end, first, last):
            # Beyond all x the likelihoods of Laplace noise fall by one factor for every x.
            alike = end <= first if side == "bottom" else end >= last
            need(operator.noise.settles and alike, f"the {side} is not covered")
            need(kept(read_rational(raw), end, end), f"a property gets too far at the {side}")
    if operator.clamped:
        for atom, raw in zip(("lo", "hi"), fields.list("atoms", 2), strict=True):
            level = ZERO if raw is None else read_rational(raw)

            def at(bits: int, atom: str = atom, level: Fraction = level) -> int:
                shown = seen_at(operator, made(bits), atom, bits)
                return excess_side(shown, level, start, reach)

            need(level >= 0 and in_bits(at, -1), "a property gets too far at an end of the window")


def seen(
    operator: Additive, made: Iterable[Slice], low: Fraction, high: Fraction, bits: int
) -> list[Seen]:
    """Every slice, for all z from low to high."""
    found = []
    for part in made:
        heights = operator.noise.heights(low - part.hi, high - part.lo, bits)
        likelihood = quotient_span(heights, part.share)
        found.append(Seen(part, joint(operator.noise, part, low, high, bits), likelihood))
    return found


def seen_at(operator: Additive, made: Iterable[Slice], atom: str, bits: int) -> list[Seen]:
    """Every slice, where the output is an end of the window."""
    assert operator.window is not None
    noise, (_, lo, hi) = operator.noise, operator.window
    found = []
    for part in made:
        if atom == "hi":
            a, b = part.lo - hi, part.hi - hi
            law = noise.mirrored()
        else:
            a, b = lo - part.hi, lo - part.lo
            law = noise
        likelihood = law.distribution(a, bits)[0], law.distribution(b, bits)[1]
        found.append(Seen(part, at_atom(operator, part, atom, bits), likelihood))
    return found


def excess_side(shown: list[Seen], level: Fraction, start: Fraction, reach: Fraction) -> int:
    """-1: r t + integral of p (p(z|x) - t)^+ is below s p(z), or no such output exists; 0: open."""
    total = start * level
    for part, mass, likelihood in shown:
        if likelihood[0] >= level:
            total += (1 - reach) * mass[1] - level * part.prior[0]
        else:
            total -= reach * mass[0]
            total += part.prior[1] * max(likelihood[1] - level, ZERO)
    impossible = all(one.joint[1] == 0 for one in shown)
    return -1 if total < 0 or impossible else 0


class ByLevels(Evidence):
    """Levels for intervals of outputs."""

    kind, of = "levels", ("additive",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """A density and every property."""
        breach = isinstance(claim, BreachClaim) and claim.about is None
        return breach and claim.prior is not None

    def decide(self, certificate: Certificate) -> Decision:
        """That no property is taken too far."""
        levels_decide(certificate.subject.operator, certificate.claim, certificate.evidence)
        return Decision(False)
