"""Additive: a continuous operator z = x + noise on an interval; clamped or cut to a window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .exponential import e_to
from .limits import ONE, ZERO
from .reading import Fields, read_list, read_rational
from .result import need
from .spans import HALF, MAX_PIECES, Span, exp_span, normal_span, phi_span


@dataclass(frozen=True)
class Noise:
    """A law of noise: a and b are its ends, or a is its scale or standard deviation."""

    law: str
    a: Fraction
    b: Fraction | None = None

    @property
    def support(self) -> tuple[Fraction | None, Fraction | None]:
        """Its ends, where it has some."""
        return (self.a, self.b) if self.b is not None else (None, None)

    @property
    def center(self) -> Fraction:
        """Its middle."""
        return ZERO if self.b is None else (self.a + self.b) / 2

    def mirrored(self) -> Noise:
        """The law of the negative number."""
        return self if self.b is None else Noise(self.law, -self.b, -self.a)

    def density(self, v: Fraction) -> Any:
        """Exactly, ends included; not of the normal law."""
        if self.b is None:
            return e_to(-abs(v) / self.a) / (2 * self.a)
        if not self.a <= v <= self.b:
            return ZERO
        half = (self.b - self.a) / 2
        flat = self.law == "uniform"
        return 1 / (2 * half) if flat else (half - abs(v - self.center)) / half**2

    def height(self, v: Fraction, bits: int) -> Span:
        """The density."""
        if self.law == "normal":
            low, high = phi_span(v / self.a, bits)
            return low / self.a, high / self.a
        if self.b is not None:
            return self.density(v), self.density(v)
        low, high = exp_span(-abs(v) / self.a, bits)
        return low / (2 * self.a), high / (2 * self.a)

    def heights(self, low: Fraction, high: Fraction, bits: int) -> Span:
        """The least and the greatest density between two numbers: it has one peak."""
        ends = [self.height(v, bits)[0] for v in (low, high)]
        return min(ends), self.height(min(max(self.center, low), high), bits)[1]

    def below(self, v: Fraction) -> Any:
        """The distribution, exactly; not of the normal law."""
        if self.b is None:
            tail = e_to(-abs(v) / self.a) / 2
            return tail if v < 0 else 1 - tail
        t = min(max((v - self.a) / (self.b - self.a), ZERO), ONE)
        if self.law == "uniform":
            return t
        return 2 * t * t if t < HALF else 1 - 2 * (1 - t) ** 2

    def distribution(self, v: Fraction, bits: int) -> Span:
        """The distribution."""
        if self.law == "normal":
            return normal_span(v / self.a, bits)
        if self.b is not None:
            return self.below(v), self.below(v)
        low, high = exp_span(-abs(v) / self.a, bits)
        return (low / 2, high / 2) if v < 0 else (1 - high / 2, 1 - low / 2)

    def between(self, low: Fraction, high: Fraction, bits: int) -> Span:
        """How likely it lies between two numbers."""
        one, two = self.distribution(low, bits), self.distribution(high, bits)
        return max(two[0] - one[1], ZERO), max(two[1] - one[0], ZERO)

    def integral(self, v: Fraction, bits: int) -> Span:
        """The integral of the distribution up to v."""
        if self.law == "normal":
            t = v / self.a
            share, density = normal_span(t, bits), phi_span(t, bits)
            ends = [t * end for end in share]
            return self.a * (min(ends) + density[0]), self.a * (max(ends) + density[1])
        if self.b is None:
            low, high = exp_span(-abs(v) / self.a, bits)
            rest = max(v, ZERO)
            return rest + self.a * low / 2, rest + self.a * high / 2
        first, last = max(v - self.a, ZERO), max(v - self.b, ZERO)
        middle = max(v - self.center, ZERO)
        if self.law == "uniform":
            found = (first**2 - last**2) / (2 * (self.b - self.a))
        else:
            found = 2 * (first**3 - 2 * middle**3 + last**3) / (3 * (self.b - self.a) ** 2)
        return found, found


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
    fields = Fields(raw, "operator", "name inputs noise window density property")
    lo, hi = read_fractions(raw["inputs"], 2)
    need(lo < hi, "inputs: not an interval")
    law = Fields(raw["noise"], "noise", "law parameters")
    word, numbers = law.text("law"), read_fractions(law.raw["parameters"])
    need(word in ("uniform", "triangular", "normal", "laplace"), "unknown noise")
    ends = word in ("uniform", "triangular")
    need(len(numbers) == 1 + ends, "noise: too many or too few numbers")
    need(numbers[0] < numbers[1] if ends else numbers[0] > 0, "noise: no such law")
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
    noise = Noise(word, numbers[0], numbers[1] if ends else None)
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
