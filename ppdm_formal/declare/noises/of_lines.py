"""OfLines: noise on an interval whose density is made of straight lines, all else following."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.noises.bounded import Bounded
from ppdm_formal.declare.noises.noise import (
    Floats,
    LinePiece,
    Place,
    cut,
    middle_in,
    monotone,
    positive,
    x_log_x,
)


@dataclass(frozen=True)
class OfLines(Bounded):
    """A law whose density is straight between its kinks."""

    @property
    @abstractmethod
    def lines(self) -> tuple[LinePiece, ...]:
        """The lines, from lo to hi."""

    @cached_property
    def kinks(self) -> tuple[Fraction, ...]:
        """The ends of the lines."""
        return (self.lo, *(line.hi for line in self.lines))

    @property
    def variance(self) -> Fraction:
        """The sum over lines of the integral of (v - center)^2 f."""
        found = Fraction(0)
        for line in self.lines:
            a, b = line.lo - self.center, line.hi - self.center
            level = line.first - line.slope * a  # f = level + slope t, for t = v - center
            found += level * (b**3 - a**3) / 3 + line.slope * (b**4 - a**4) / 4
        return found

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """A line by its mass, and a place on it: the larger of two where it rises, and so on."""
        shares = np.array([float(line.mass) for line in self.lines])
        which = random.choice(len(shares), count, p=shares / shares.sum())
        lo, hi, first, last = (
            np.array([float(end) for end in ends])[which]
            for ends in zip(*((n.lo, n.hi, n.first, n.last) for n in self.lines), strict=True)
        )
        one, other = random.random(count), random.random(count)
        level = random.random(count) * (first + last) < 2 * np.minimum(first, last)
        steep = np.where(first < last, np.maximum(one, other), np.minimum(one, other))
        return np.asarray(lo + (hi - lo) * np.where(level, one, steep))

    def pdf(self, values: npt.ArrayLike) -> Floats:
        """The greater one where two lines meet."""
        v = np.asarray(values, dtype=np.float64)
        found = np.zeros_like(v)
        for line in self.lines:
            here = float(line.first) + float(line.slope) * (v - float(line.lo))
            inside = (v >= float(line.lo)) & (v <= float(line.hi))
            found = np.maximum(found, np.where(inside, here, 0.0))
        return found

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """The areas below the lines."""
        v = np.asarray(values, dtype=np.float64)
        found = np.zeros_like(v)
        for line in self.lines:
            t = np.clip(v - float(line.lo), 0.0, float(line.hi - line.lo))
            found += t * (float(line.first) + float(line.slope) * t / 2)
        return found

    def exact_pdf(self, v: Fraction) -> Real:
        """The greater one where two lines meet."""
        return max((line.at(v) for line in self.lines if line.lo <= v <= line.hi), default=_ZERO)

    def exact_cdf(self, v: Fraction) -> Real:
        """The areas below the lines."""
        return self._below(v)

    def _below(self, v: Fraction) -> Fraction:
        found = _ZERO
        for line in self.lines:
            if v > line.lo:
                end = min(v, line.hi)
                found += (end - line.lo) * (line.first + line.at(end)) / 2
        return found

    @cached_property
    def _starts(self) -> dict[Fraction, Fraction]:
        """The distribution at each kink."""
        return {kink: self._below(kink) for kink in self.kinks}

    def ball_pdf(self, v: Any) -> Any:
        """A line."""
        line = next((one for one in self.lines if middle_in(v, one.lo, one.hi)), None)
        return arb(0) if line is None else _on(line, v)

    def piece_pdf(self, v: Any, at: Fraction) -> Any:
        """A line, which goes on."""
        line = self.line_at(at)
        return arb(0) if line is None else _on(line, v)

    def ball_cdf(self, v: Any) -> Any:
        """Monotone, so that the ends of a ball enclose all of it."""
        return monotone(self._cdf_at, v)

    def _cdf_at(self, v: Any) -> Any:
        found = arb(0)
        for line in self.lines:
            length = line.hi - line.lo
            share = cut((v - ball_of(line.lo)) / ball_of(length))
            found += share * ball_of(length * line.first)
            found += share * share * ball_of(length * (line.last - line.first) / 2)
        return found

    def _piece(self, v: Any, at: Fraction) -> Any:
        return self._area(at)(v)

    def piece_between(self, most: Place, least: Place, sign: int) -> Callable[[Any], Any]:
        """Numbers of both lines turned into balls once for all x."""
        (high, there), (low, here) = most, least
        over, under = self._area(there), self._area(here)
        return lambda x: over(high + sign * x) - under(low + sign * x)

    def _area(self, at: Fraction) -> Callable[[Any], Any]:
        """F on the line of `at`, from the end where it is lower: no digits are lost there."""
        line = self.line_at(at)
        if line is None or at >= self.hi:
            whole = arb(0 if at <= self.lo else 1)
            return lambda v: whole
        place, below = ball_of(line.lower[0]), ball_of(self._starts[line.lower[0]])
        bend, height = ball_of(line.slope / 2), ball_of(line.lower[1])
        if not line.slope:
            return lambda v: below + (v - place) * height

        def area(v: Any) -> Any:
            t = v - place
            found = below + t * t * bend
            return found + t * height if line.lower[1] else found

        return area

    def piece_log(self, v: Any, at: Fraction, analytic: bool) -> Any:
        """By parts: p^2 ln p/2 - p^2/4 over the slope, or p ln p for each unit of a level line."""
        total = arb(0)
        for line in self.lines:
            if at <= line.lo:
                break
            if line.slope:
                end = ball_of(line.last) if at > line.hi else _on(line, v)
                gap = _twice_integrated(end, analytic)
                gap -= _twice_integrated(ball_of(line.first), analytic)
                total += gap / ball_of(line.slope)
            else:
                end = ball_of(line.hi) if at > line.hi else v
                total += (end - ball_of(line.lo)) * x_log_x(ball_of(line.first), analytic)
        return total

    def ball_integral(self, v: Any) -> Any:
        """Squares of what lies above kinks where f jumps, cubes where its slope does."""
        found = arb(0)
        value = slope = _ZERO
        for line in (*self.lines, LinePiece(self.hi, self.hi + 1, _ZERO, _ZERO)):
            t = positive(v - ball_of(line.lo))
            if line.first != value:
                found += t**2 * ball_of((line.first - value) / 2)
            found += t**3 * ball_of((line.slope - slope) / 6)
            value, slope = line.last, line.slope
        return found

    def ball_entropy(self) -> Any:
        """The integral of f ln f, with its sign changed."""
        return -self.piece_log(ball_of(self.hi), self.hi, analytic=False).real

    def ball_width(self, confidence: Any) -> Any:
        """Around the center, which is where f is highest: its right half has half of c."""
        wanted = (1 - confidence) / 2  # the mass beyond its right end
        beyond = _ZERO
        for line in reversed(self.lines):
            if not ball_of(beyond + line.mass) < wanted:
                break
            beyond += line.mass
        rest = wanted - ball_of(beyond)
        # t (last - slope t/2) = rest, for the distance t from the line's end on the right.
        root = (ball_of(line.last**2) - 2 * ball_of(line.slope) * rest).sqrt()
        return 2 * (ball_of(line.hi - self.center) - 2 * rest / (ball_of(line.last) + root))


_ZERO = Fraction(0)


def _on(line: LinePiece, v: Any) -> Any:
    """The line at v, from its lower end, where it may be 0."""
    place, height = line.lower
    rising = (v - ball_of(place)) * ball_of(line.slope)
    return rising + ball_of(height) if height else rising


def _twice_integrated(p: Any, analytic: bool) -> Any:
    """The integral of p ln p over p."""
    return p * x_log_x(p, analytic) / 2 - p * p / 4
