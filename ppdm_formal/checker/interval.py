"""Intervals and regions of one parameter, whose ends are rationals or roots of polynomials."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from .clock import tick
from .closed_form import bit_size
from .limits import CLOSE, MAX_COEFFICIENTS, MAX_DEGREE, MAX_INTERVALS, ZERO
from .reading import Fields, read_number
from .result import Rejected, need
from .spelling import spell


@dataclass(frozen=True)
class End:
    """An end of an interval: a number, or the only root of a polynomial between two numbers."""

    low: Fraction
    high: Fraction
    polynomial: tuple[Fraction, ...] = ()

    def side(self, x: Fraction) -> int:
        """-1, 0, 1: x is below, at or above the end."""
        if not self.polynomial:
            return (x > self.low) - (x < self.low)
        if not self.low < x < self.high:
            return 1 if x >= self.high else -1
        value = polynomial_at(self.polynomial, x)
        same = (value > 0) == (polynomial_at(self.polynomial, self.low) > 0)
        return 0 if value == 0 else -1 if same else 1

    def narrowed(self) -> End:
        """The same end with its numbers closer together, if they are two."""
        low, high = self.low, self.high
        while self.polynomial and high - low > CLOSE:
            middle = Fraction(math.floor((low + high) * 2**127), 2**128)
            if not low < middle < high:
                break
            side = self.side(middle)
            if side == 0:
                return End(middle, middle)
            low, high = (middle, high) if side < 0 else (low, middle)
        return End(low, high, self.polynomial)


@dataclass(frozen=True)
class Interval:
    """From one end to another; the flags say whether the ends belong."""

    low: End
    low_in: bool
    high: End
    high_in: bool

    def holds(self, x: Fraction) -> bool:
        """Whether a number lies in it."""
        above, below = self.low.side(x), self.high.side(x)
        return (above > 0 or (above == 0 and self.low_in)) and (
            below < 0 or (below == 0 and self.high_in)
        )


def read_interval(said: str) -> Interval:
    """An interval as it is declared."""
    match = re.fullmatch(r"([(\[])([^,]+), ([^,]+)([)\]])", said)
    if match is None:
        raise Rejected(f"{said[:40]} is not an interval")
    left, first, second, right = match.groups()
    low, high = read_number(first), read_number(second)
    need(low < high, f"{said[:40]} is not an interval")
    return Interval(End(low, low), left == "[", End(high, high), right == "]")


def polynomial_at(coefficients: Sequence[Fraction], x: Fraction) -> Fraction:
    """Horner's rule; the constant comes first."""
    value = ZERO
    for coefficient in reversed(coefficients):
        tick()
        value = value * x + coefficient
    return value


def read_end(raw: Any) -> End:
    """A number, or a polynomial with exactly one root between two numbers."""
    if type(raw) is not dict:
        number = read_number(raw)
        return End(number, number)
    fields = Fields(raw, "region", "polynomial between")
    low, high = (read_number(x) for x in fields.list("between", 2))
    coefficients = tuple(read_number(c) for c in fields.list("polynomial"))
    size = sum(map(bit_size, coefficients)) + bit_size(low) + bit_size(high)
    good = len(coefficients) <= MAX_DEGREE + 1 and size <= MAX_COEFFICIENTS
    need(good, "region: too large a polynomial")
    need(low < high, "region: no change of sign at an end")
    change = polynomial_at(coefficients, low) * polynomial_at(coefficients, high) < 0
    need(change, "region: no change of sign at an end")
    need(len(coefficients) > 2, "region: the root of a linear polynomial is written as a number")
    alone = sign_changes if not is_rational(coefficients) else roots_between
    need(alone(coefficients, low, high) == 1, "region: several roots at an end")
    return End(low, high, coefficients)


def is_rational(coefficients: Sequence[Any]) -> bool:
    """Whether no coefficient has exponentials."""
    return all(type(c) is Fraction for c in coefficients)


def bracket(number: Any) -> tuple[Fraction, Fraction]:
    """Rationals around a number: the number itself where it is one."""
    if type(number) is Fraction:
        return number, number
    low, high = number.ends(256)
    need(-math.inf < low and high < math.inf, "a number that is not enclosed")
    return low, high


def rational_between(low: Any, high: Any) -> Fraction:
    """A rational between two numbers, in the middle of what is known to be between them."""
    after, before = bracket(low)[1], bracket(high)[0]
    return (after + before) / 2


def outer(interval: Interval) -> Interval:
    """The interval with rational ends: of 15 digits, just outside, where it has exponentials."""
    low, high = (
        end.low if type(end.low) is Fraction else fifteen_digits(end.low, up)
        for end, up in ((interval.low, False), (interval.high, True))
    )
    return Interval(End(low, low), interval.low_in, End(high, high), interval.high_in)


def fifteen_digits(number: Any, up: bool) -> Fraction:
    """The decimal of fifteen digits next below a positive number, or next above."""
    low, high = number.between(128)
    scale = Fraction(1)
    while low * scale < 10**14:
        scale *= 10
    while low * scale >= 10**15:
        scale /= 10
    need(math.floor(low * scale) == math.floor(high * scale), "digits that are not enclosed")
    return Fraction(math.floor(low * scale) + up) / scale


def sign_changes(coefficients: Sequence[Any], low: Fraction, high: Fraction) -> int:
    """Changes of sign in the Bernstein basis: no root where there are none, one root where one.

    An end where the polynomial is 0 counts as a change.
    """
    width = high - low
    found = enclosed_bernstein(coefficients, low, width) or bernstein(coefficients, low, width)
    signs = [bool(c > 0) for c in found if c]
    missing = (not found[0]) + (not found[-1])
    return missing + sum(a != b for a, b in pairwise(signs))


def bernstein(coefficients: Sequence[Any], low: Fraction, width: Fraction) -> list[Any]:
    """Bernstein coefficients from low on, all times the same number above 0.

    c_i = sum over k <= i of C(i, k) / C(d, k) * q_k, q being the coefficients in (x - low) / width;
    with x as a multiple of what divides both, whole numbers stay whole.
    """
    degree = len(coefficients) - 1
    below = math.lcm(low.denominator, width.denominator)
    start, stride = int(low * below), int(width * below)
    powers = [c * below ** (degree - k) for k, c in enumerate(coefficients)]
    for i in range(degree):  # Taylor's shift to low
        tick()
        for k in range(degree - 1, i - 1, -1):
            powers[k] = powers[k] + start * powers[k + 1]
    whole = math.lcm(*(math.comb(degree, k) for k in range(degree + 1)))
    powers = [c * (stride**k * (whole // math.comb(degree, k))) for k, c in enumerate(powers)]
    found = []
    for i in range(degree + 1):
        tick()
        found.append(sum((math.comb(i, k) * powers[k] for k in range(i + 1)), 0 * powers[0]))
    return found


def enclosed_bernstein(coefficients: Sequence[Any], low: Fraction, width: Fraction) -> list[int]:
    """Integers with the signs of the coefficients above; none where 256 bits do not show them.

    The coefficients are off by at most their weights, taken without signs, times what is left out.
    """
    around = [(c, c) if type(c) is Fraction else c.ends(256) for c in coefficients]
    if is_rational(coefficients) or not all(-math.inf < a <= b < math.inf for a, b in around):
        return []
    ends = [(math.floor(a * 2**256), math.ceil(b * 2**256)) for a, b in around]
    found = bernstein([a for a, _ in ends], low, width)
    most = bernstein([b - a for a, b in ends], abs(low), width)
    return found if all(abs(c) > r for c, r in zip(found, most, strict=True)) else []


def roots_between(coefficients: Sequence[Fraction], low: Fraction, high: Fraction) -> int:
    """How many different roots lie between two numbers that are none (Sturm's theorem)."""
    first = trimmed(coefficients)
    chain = [first, trimmed([i * c for i, c in enumerate(first)][1:])]
    while len(chain[-1]) > 1:
        rest, divisor = list(chain[-2]), chain[-1]
        while len(rest) >= len(divisor):
            tick()
            factor, shift_by = rest[-1] / divisor[-1], len(rest) - len(divisor)
            for i, c in enumerate(divisor):
                rest[shift_by + i] -= factor * c
            rest.pop()
        scaled = trimmed(rest)
        if not scaled:
            break
        size = max(abs(c) for c in scaled)
        chain.append([-c / size for c in scaled])

    def changes(x: Fraction) -> int:
        signs = [value > 0 for value in (polynomial_at(p, x) for p in chain) if value]
        return sum(a != b for a, b in pairwise(signs))

    return changes(low) - changes(high)


def trimmed(coefficients: Sequence[Fraction]) -> list[Fraction]:
    """Without leading zeros."""
    found = list(coefficients)
    while found and found[-1] == 0:
        found.pop()
    return found


@dataclass(frozen=True)
class Region:
    """Where the claim is said to hold, in the declared interval of the parameter."""

    parameter: str
    declared: Interval
    holds: tuple[Interval, ...]

    def contains(self, x: Fraction) -> bool:
        """Whether the claim is said to hold there."""
        return any(interval.holds(x) for interval in self.holds)

    def contains_end(self, end: End) -> bool:
        """The same of an irrational end, which is that of an interval, or lies in one."""
        for part in self.holds:
            if end in (part.low, part.high):
                return part.low_in if end == part.low else part.high_in
        return self.contains(end.low)

    @property
    def complete(self) -> bool:
        """Whether it is all that is declared."""
        return self.holds == (self.declared,)

    def samples(self) -> list[Fraction]:
        """Points at every end, on both sides of it (close and farther away), and in between."""
        ends = [self.declared.low, self.declared.high]
        ends += [end for part in self.holds for end in (part.low, part.high)]
        sides = [(end.low, end.high) for end in map(End.narrowed, ends)]
        marks = sorted({x for pair in sides for x in pair})
        found = set(marks)
        for a, b in pairwise(marks):
            steps = [Fraction(i, 1000) for i in (1, 250, 500, 750, 999)]
            found |= {a + (b - a) * step for step in (CLOSE, *steps, 1 - CLOSE)}
        return [x for x in sorted(found) if self.declared.holds(x)]


ROOT = r"(-?[0-9]+\.[0-9]{6})\.\.\. \(a root of (?:[^()]|exp\([^()]*\))+\)"


def read_region(raw: Any, parameter: str, declared: Interval, interval: str) -> Region:
    """The region; its text must say what it holds."""
    fields = Fields(raw, "region", "parameter declared holds text")
    same = fields.text("parameter") == parameter and fields.text("declared") == interval
    need(same, "region of another parameter")
    rows = fields.list("holds")
    need(len(rows) <= MAX_INTERVALS, "region: too many intervals")
    holds = tuple(read_part(row, declared) for row in rows)
    for one, two in pairwise(holds):
        meet = one.high == two.low
        need(meet or one.high.high <= two.low.low, "region: intervals in disorder")
        need(not (meet and (one.high_in or two.low_in)), "region: intervals that touch")
    region, said = Region(parameter, declared, holds), fields.text("text")
    roots = (match.group(0) for match in re.finditer(ROOT, said))

    def spelled(end: End) -> str:
        if not end.polynomial:
            return spell(end.low)
        text = next(roots, "0")
        need(shows_root(end, text), "the region's text shows another root")
        return text

    if not holds or region.complete:
        expected = f"{'every' if holds else 'no'} {parameter} in {interval}"
    else:
        expected = " or ".join(part_text(part, parameter, declared, spelled) for part in holds)
    need(said == expected, "the region's text does not say what it holds")
    return region


def read_part(raw: Any, declared: Interval) -> Interval:
    """One interval of a region, within what is declared."""
    fields = Fields(raw, "region", "from from_included to to_included")
    low, high = read_end(raw["from"]), read_end(raw["to"])
    low_in, high_in = fields.flag("from_included"), fields.flag("to_included")
    point = low == high
    need(low.low < high.high or point, "region: an empty interval")
    need(not point or (low_in and high_in), "region: an empty interval")
    inside = declared.low.low <= low.low and high.high <= declared.high.high
    need(inside and (point or low.high <= high.low), "region: intervals in disorder")
    for end, belongs in ((low, low_in), (high, high_in)):
        good = not belongs or end.polynomial or declared.holds(end.low)
        need(good, "region: out of the declared range")
    return Interval(low, low_in, high, high_in)


def part_text(part: Interval, p: str, declared: Interval, spelled: Callable[[End], str]) -> str:
    """An interval as the region's text spells it."""
    below, above = ("<=" if included else "<" for included in (part.low_in, part.high_in))
    if part.low == part.high:
        return f"{p} = {spelled(part.low)}"
    if (part.low, part.low_in) == (declared.low, declared.low_in):
        return f"{p} {above} {spelled(part.high)}"
    if (part.high, part.high_in) == (declared.high, declared.high_in):
        return f"{p} {'>=' if part.low_in else '>'} {spelled(part.low)}"
    return f"{spelled(part.low)} {below} {p} {above} {spelled(part.high)}"


def shows_root(end: End, text: str) -> bool:
    """Whether the decimals are those of the root, cut toward zero."""
    cut = Fraction(text.partition("...")[0])
    step = Fraction(-1 if text.startswith("-") else 1, 10**6)
    near, far = end.side(cut), end.side(cut + step)
    return near * far < 0 or near == 0


def grid(parameters: Mapping[str, Interval]) -> Iterator[dict[str, Fraction]]:
    """Points of several parameters: ends that belong, places close to them, and in between."""
    places = []
    for interval in parameters.values():
        low, high = (end.low for end in (outer(interval).low, outer(interval).high))
        steps = [Fraction(i, 1000) for i in (0, 1, 333, 500, 999, 1000)]
        found = [low + (high - low) * step for step in steps]
        places.append([x for x in found if interval.holds(x)])
    for i, chosen in enumerate(product(*places)):
        if i >= 300:
            return
        yield dict(zip(parameters, chosen, strict=True))
