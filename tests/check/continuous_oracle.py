"""Additive noise on an interval, from the definitions: ratios in 60 digits, beliefs by quadrature.

Under all priors a claim is decided by likelihoods of pairs of inputs at the outputs where these
change their shape, just beside them and in between; what is met exactly counts as a breach where
it is met on outputs of positive probability. Under a density beliefs are integrals of Gauss and
Legendre over the pieces on which everything is smooth, in floats: what is closer to a limit than
they are exact is not decided.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import mpmath
import numpy as np
from continuous_beliefs import Beliefs
from definition_oracle import valued
from mpmath import mpf

mpmath.mp.dps = 60
BESIDE = mpf(10) ** -45
EQUAL = mpf(10) ** -38
CLOSE = 1e-7  # beliefs are not told from a limit that is nearer


def number(text: str) -> mpf:
    x = valued(text)
    return mpf(x.numerator) / mpf(x.denominator)


class Channel:
    """p(z|x), and the probabilities of both ends of a window that outputs are moved to."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.lo, self.hi = (number(x) for x in described["inputs"])
        self.law = described["noise"]["law"]
        self.numbers = [number(x) for x in described["noise"]["parameters"]]
        window = described["window"]
        self.kind = None if window is None else window["kind"]
        self.ends = None if window is None else tuple(number(x) for x in window["ends"])
        self.possible = self._possible()

    def _possible(self) -> bool:
        bounded = self.law in ("uniform", "triangular")
        good = self.lo < self.hi and self.law in ("uniform", "triangular", "normal", "laplace")
        good = good and len(self.numbers) == 1 + bounded
        good = good and (self.numbers[0] < self.numbers[-1] if bounded else self.numbers[0] > 0)
        if good and self.ends is not None:
            good = self.ends[0] < self.ends[1]
            if good and self.kind == "truncated":
                good = all(self.share(x) > 0 for x in (self.lo, self.hi))
        return good

    def density(self, v: mpf) -> mpf:
        a, b = self.numbers[0], self.numbers[-1]
        if self.law == "normal":
            return mpmath.npdf(v / a) / a
        if self.law == "laplace":
            return mpmath.exp(-abs(v) / a) / (2 * a)
        if not a < v < b:
            return mpf(0)
        half = (b - a) / 2
        return 1 / (2 * half) if self.law == "uniform" else (half - abs(v - (a + b) / 2)) / half**2

    def below(self, v: mpf) -> mpf:
        a, b = self.numbers[0], self.numbers[-1]
        if self.law == "normal":
            return mpmath.ncdf(v / a)
        if self.law == "laplace":
            return mpmath.exp(v / a) / 2 if v < 0 else 1 - mpmath.exp(-v / a) / 2
        t = min(max((v - a) / (b - a), mpf(0)), mpf(1))
        if self.law == "uniform":
            return t
        return 2 * t * t if 2 * t < 1 else 1 - 2 * (1 - t) ** 2

    def share(self, x: mpf) -> mpf:
        """How likely the output lies in the window."""
        assert self.ends is not None
        return self.below(self.ends[1] - x) - self.below(self.ends[0] - x)

    def seen(self, x: mpf, z: mpf) -> mpf:
        """The density of an output strictly between the ends of the window."""
        found = self.density(z - x)
        return found / self.share(x) if self.kind == "truncated" else found

    def atoms(self, x: mpf) -> list[mpf]:
        if self.kind != "clamped":
            return []
        assert self.ends is not None
        if self.law in ("normal", "laplace"):  # far out 1 - F loses its digits
            return [self.below(self.ends[0] - x), self.below(x - self.ends[1])]
        return [self.below(self.ends[0] - x), 1 - self.below(self.ends[1] - x)]

    def marks(self, inputs: list[mpf]) -> list[mpf]:
        """Where likelihoods change their shape, and beyond."""
        found = set()
        for x in inputs:
            if self.law in ("uniform", "triangular"):
                a, b = self.numbers
                found |= {x + a, x + b, x + (a + b) / 2}
            else:
                found |= {x, *(x + s * k * self.numbers[0] for s in (-1, 1) for k in (1, 4, 40))}
        if self.ends is not None:
            found |= set(self.ends)
            found = {z for z in found if self.ends[0] <= z <= self.ends[1]}
        return sorted(found)

    def ratios(self, x1: mpf, x2: mpf) -> Iterator[tuple[mpf, bool]]:
        """p(z|x1)/p(z|x2), and whether that is so on outputs of positive probability."""
        for one, two in zip(self.atoms(x1), self.atoms(x2), strict=True):
            if one > 0:
                yield (one / two if two > 0 else mpmath.inf), True
        marks = self.marks([x1, x2])
        points = [(a + b) / 2 for a, b in itertools.pairwise(marks)]
        near = [a + BESIDE for a in marks[:-1]] + [b - BESIDE for b in marks[1:]]
        for z, plain in [*((z, True) for z in points), *((z, False) for z in near)]:
            one, two = self.seen(x1, z), self.seen(x2, z)
            if one > 0:
                yield (one / two if two > 0 else mpmath.inf), plain


def side_of(channel: Channel, pairs: list[tuple[mpf, mpf]], limit: mpf) -> tuple[int, bool]:
    """-1, 0, 1: below, at or above the limit; whether it is met with positive probability."""
    side, met = -1, False
    for x1, x2 in pairs:
        for ratio, plain in channel.ratios(x1, x2):
            if ratio > limit * (1 + EQUAL):
                return 1, True
            if ratio >= limit * (1 - EQUAL):
                side, met = 0, met or plain
    return side, met


def limit_of(claim: dict[str, Any]) -> mpf:
    """The ratio of likelihoods that the claim speaks of."""
    if claim["kind"] == "breach":
        rho1, rho2 = number(claim["rho1"]), number(claim["rho2"])
        return rho2 * (1 - rho1) / (rho1 * (1 - rho2))
    text = claim["bound"]
    if claim["measure"] == "amplification":
        return number(text)
    return number(text[3:-1]) if text.startswith("ln(") else mpmath.exp(number(text))


def intervals_of(described: dict[str, Any]) -> tuple[list[Any], list[Any]] | None:
    """The property and its complement; None where it is none."""
    lo, hi = (F(x) for x in described["inputs"])
    inside = [(F(a), F(b)) for a, b in described["property"]]
    cuts = [lo, *(end for part in inside for end in part), hi]
    if any(a > b for a, b in itertools.pairwise(cuts)) or any(a >= b for a, b in inside):
        return None
    outside = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a < b]
    return (inside, outside) if inside and outside else None


def directions(claim: dict[str, Any]) -> list[str]:
    return [d for d in ("upward", "downward") if claim["direction"] in (d, "both")]


def ends_in(parts: list[Any]) -> list[mpf]:
    found = sorted({end for part in parts for end in part})
    return [number(str(x)) for x in found]


def all_priors_true(certificate: dict[str, Any], channel: Channel) -> bool | None:
    """Without a density: pairs of inputs, on different sides of the property where there is one."""
    claim, described = certificate["claim"], certificate["operator"]
    said, limit = certificate["verdict"] == "breached", limit_of(claim)
    lo, hi = channel.lo, channel.hi
    if claim["kind"] == "bound" or described["property"] is None:
        middle = lo + (hi - lo) * mpf("0.37")
        pairs = list(itertools.permutations([lo, middle, hi], 2))
        if limit < 1:
            return said  # equal inputs break it
        side, met = side_of(channel, pairs, limit)
        if claim["kind"] == "bound":
            broken = side > 0 or (side == 0 and claim["relation"] == "<")
        else:
            broken = side > 0 or (side == 0 and met)
        return broken == said
    both = intervals_of(described)
    if both is None:
        return False
    broken = False
    for way in directions(claim):
        inside, outside = both if way == "upward" else both[::-1]
        pairs = list(itertools.product(ends_in(inside), ends_in(outside)))
        side, _ = side_of(channel, [(a, b) for a, b in pairs if a != b], limit)
        if side == 0:
            return None  # whether an end belongs to the property decides
        broken = broken or side > 0
    return broken == said


def belief_true(certificate: dict[str, Any], channel: Channel) -> bool | None:
    """Under a density: one property, or the best one, at many outputs."""
    claim, described = certificate["claim"], certificate["operator"]
    said, witness = certificate["verdict"] == "breached", certificate["witness"]
    rho1, rho2 = float(F(claim["rho1"])), float(F(claim["rho2"]))
    beliefs = Beliefs(described)
    if not beliefs.possible:
        return False
    every = described["property"] is None
    both = None if every else intervals_of(described)
    if not every and both is None:
        return False
    stated = certificate["vacuous"]
    if said:
        if stated:
            return False
        way = witness["direction"]
        if way not in directions(claim):
            return False
        if every:
            parts = [(F(a), F(b)) for a, b in witness["property"]]
        else:
            assert both is not None
            parts = both[0] if way == "upward" else both[1]
        start, reach = (rho1, rho2) if way == "upward" else (1 - rho2, 1 - rho1)
        before = beliefs.before(parts)
        if before <= 0 or before > start + CLOSE:
            return False
        after = beliefs.at_witness(parts, witness)
        if after is None or after < reach - CLOSE:
            return False
        return True if before < start - CLOSE or after > reach + CLOSE else None
    tested, open_ = False, False
    for way in directions(claim):
        start, reach = (rho1, rho2) if way == "upward" else (1 - rho2, 1 - rho1)
        if every:
            tested = True
            if beliefs.best(start) > reach + 3e-3:
                return False
            continue
        assert both is not None
        parts = both[0] if way == "upward" else both[1]
        before = beliefs.before(parts)
        if abs(before - start) < CLOSE or before < CLOSE:
            exact = beliefs.exactly_before(parts)
            wanted = F(claim["rho1"]) if way == "upward" else 1 - F(claim["rho2"])
            if exact is None:
                open_ = True
                continue
            if not 0 < exact <= wanted:
                continue
        elif before > start:
            continue
        tested = True
        if beliefs.most(parts) > reach + CLOSE:
            return False
    if stated is not None and not open_ and stated == tested:
        return False
    return None if open_ else True


def continuous_true(certificate: dict[str, Any]) -> bool | None:
    """Whether what a certificate says of its operator is so; None where it is not decided."""
    claim, described = certificate["claim"], certificate["operator"]
    channel = Channel(described)
    if not channel.possible:
        return False
    if claim["kind"] == "bound":
        if described["density"] is not None or described["property"] is not None:
            return False
        return not certificate["vacuous"] and all_priors_true(certificate, channel)
    if (claim["under"] == "all priors") != (described["density"] is None):
        return False
    if (claim["for"] is None) != (described["property"] is None):
        return False
    if described["density"] is None:
        return not certificate["vacuous"] and all_priors_true(certificate, channel)
    with np.errstate(all="ignore"):
        return belief_true(certificate, channel)
