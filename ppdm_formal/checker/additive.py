"""Additive: a continuous operator z = x + noise on an interval; clamped or cut to a window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .limits import ZERO
from .noise import Noise, read_noise
from .reading import Fields, read_list, read_rational
from .result import need
from .spans import MAX_PIECES, Span


@dataclass(frozen=True)
class Additive:
    """The operator of a certificate, and the density and the property of its claim."""

    name: str
    lo: Fraction
    hi: Fraction
    noise: Noise
    window: tuple[str, Fraction, Fraction] | None
    density: tuple[tuple[str, Fraction, Fraction, Fraction], ...] | None  # law, numbers, weight
    intervals: tuple[Span, ...] | None  # of the property

    def mirrored(self) -> Additive:
        """The same of -x and -z."""
        window = self.window and (self.window[0], -self.window[2], -self.window[1])
        return replace(self, lo=-self.hi, hi=-self.lo, noise=self.noise.mirrored(), window=window)

    @property
    def clamped(self) -> bool:
        """Whether the ends of the window are atoms."""
        return self.window is not None and self.window[0] == "clamped"


def read_fractions(things: Any, length: int | None = None) -> list[Fraction]:
    """A list of rationals."""
    return [read_rational(thing) for thing in read_list(things, length)]


def read_intervals(rows: list[Any]) -> tuple[Span, ...]:
    """Pairs of rationals."""
    return tuple((a, b) for a, b in (read_fractions(row, 2) for row in rows))


def read_additive(raw: Any) -> Additive:
    """The operator, with all that makes it one."""
    fields = Fields(raw, "operator", "kind name inputs noise window density property")
    lo, hi = read_fractions(raw["inputs"], 2)
    need(lo < hi, "inputs: not an interval")
    law = Fields(raw["noise"], "noise", "law parameters")
    noise = read_noise(law.text("law"), read_fractions(law.raw["parameters"]))
    window = None
    if raw["window"] is not None:
        part = Fields(raw["window"], "window", "kind ends")
        kind, (low, high) = part.text("kind"), read_fractions(part.raw["ends"], 2)
        need(kind in ("clamped", "truncated") and low < high, "no such window")
        window = kind, low, high
    parts = None if raw["density"] is None else read_density(raw["density"], lo, hi)
    intervals = None
    if raw["property"] is not None:
        intervals = read_intervals(fields.list("property"))
        cuts = [lo, *(end for part in intervals for end in part), hi]
        rising = all(a <= b for a, b in pairwise(cuts)) and all(a < b for a, b in intervals)
        need(0 < len(intervals) <= MAX_PIECES and rising, "property: not intervals in order")
        need(len(intervals) > 1 or intervals[0] != (lo, hi), "property: everything")
    found = Additive(fields.text("name"), lo, hi, noise, window, parts, intervals)
    if window is not None and window[0] == "truncated":
        for x in (lo, hi):
            least, most = noise.support
            inside = least is None or (x + least < window[2] and x + (most or ZERO) > window[1])
            need(inside, "window: from some x nothing is left")
    return found


def read_density(raw: Any, lo: Fraction, hi: Fraction) -> Any:
    """The parts of a mixture, whose weights sum to 1."""
    parts = []
    for entry in read_list(raw):
        part = Fields(entry, "density", "law parameters weight")
        word, (first, second) = part.text("law"), read_fractions(part.raw["parameters"], 2)
        weight = read_rational(part.raw["weight"])
        need(word in ("uniform", "normal") and weight > 0, "density: no such part")
        good = second > 0 if word == "normal" else lo <= first < second <= hi
        need(good, "density: no such part")
        parts.append((word, first, second, weight))
    good = 0 < len(parts) <= MAX_PIECES and sum(part[3] for part in parts) == 1
    need(good, "density: the weights do not sum to 1")
    return tuple(parts)
