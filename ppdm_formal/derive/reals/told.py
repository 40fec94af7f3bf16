"""Told: how much an output z tells, D(z), by rigorous integration; z may be complex.

With g(x) = p(z|x), a density or the probability of an atom, and any number c,

    D(z) = N/P - ln P,   P = integral of p (c g) dx,   N = integral of p (c g) ln (c g) dx,

so that c keeps P near 1. On an interval of z between cuts both are sums of integrals from one
end to another, where an end is a number, or z less a number; the same closed forms hold for the z
nearby, along a straight path of complex x.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import acb, arb

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.noises.noise import LinePiece, x_log_x
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density, DensityPiece
from ppdm_formal.derive.reals.analytic import NotEnclosed, inside, inside_form
from ppdm_formal.derive.reals.belief import Atom

_RELATIVE, _ABSOLUTE = 2.0**-48, 2.0**-16
_MOST = 20_000
_SAMPLES = 16
_I = acb(0, 1)
_STEPS, _MOST_STEPS = 32, 1024
"""Parts of a path, where z is a wide box: at first, and at most."""


@dataclass(frozen=True)
class Path:
    """An interval of x on a piece of the prior, from one end to the other; moves: z less a number.

    x, v: a number in it, and the noise that leads from there to z: they say which closed form.
    share: how many of the outputs from x a window keeps. log: ln f over its maximum, unless f
    falls to 0; line: the straight line that f is, if it is one; unit: its length from 0
    up to the maximum of f.
    """

    piece: DensityPiece
    ends: tuple[Fraction, Fraction]
    moves: tuple[bool, bool]
    x: Fraction
    v: Fraction
    share: Callable[[Any], Any]
    log: Callable[[Any], Any] | None
    line: LinePiece | None
    unit: Any

    @cached_property
    def _balls(self) -> tuple[Any, Any]:
        return acb(ball_of(self.ends[0])), acb(ball_of(self.ends[1]))

    def ball_ends(self, z: Any) -> tuple[Any, Any]:
        """Both ends, for a complex z."""
        one, other = self._balls
        return z - one if self.moves[0] else one, z - other if self.moves[1] else other


@dataclass(frozen=True)
class MassAndLogs:
    """The integrals P and N."""

    mass: Any
    logs: Any

    @property
    def told(self) -> Any:
        """D(z), a ball; not finite where P may be 0."""
        return self.logs / self.mass - self.mass.log()


class ToldByOutputs:
    """D(z) for one continuous operator under a density; work: values of functions so far."""

    def __init__(self, operator: ContinuousOperator, density: Density) -> None:
        self.work = 0
        self.operator, self.noise, self.window = operator, operator.noise, operator.window
        self.pieces = list(density.pieces())
        self._fixed = {end for piece in self.pieces for end in (piece.lo, piece.hi)}
        self.redrawn = self.window is not None and self.window.kind == "truncated"
        if self.window is not None:
            first, last = min(self._fixed), max(self._fixed)
            ends = (self.window.lo, self.window.hi)
            changes = {end - kink for end in ends for kink in self.noise.kinks}
            self._fixed |= {x for x in changes if first < x < last}

    @cached_property
    def _zeros(self) -> set[Fraction]:
        """Ends to which noise falls in a straight line."""
        return {end for end, height in (line.lower for line in self.noise.lines) if not height}

    @cached_property
    def heights(self) -> tuple[Any, Any]:
        """No density of x is higher, and no share of outputs drawn again, 1/N(x), either."""
        density = arb(0)
        for piece in self.pieces:
            density = density.max(_highest(piece))
        if not self.redrawn:
            return density, arb(1)
        assert self.window is not None
        ends = (self.pieces[0].lo, self.pieces[-1].hi)  # N is log-concave, and least at an end
        one, other = (1 / inside(self.noise, self.window, ball_of(x), x) for x in ends)
        return density, one.upper().max(other.upper())

    def cuts(self, lo: Fraction, hi: Fraction) -> list[Fraction]:
        """Points of z from lo to hi, between which P and N are one closed form."""
        inner = {x + kink for x in self._fixed for kink in self.noise.kinks}
        return sorted({lo, hi, *(z for z in inner if lo < z < hi)})

    def smooth(self, z: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Around a z that is no cut, between which numbers the closed forms are analytic.

        Where an end to which noise falls in a line meets one of a path, N has a logarithm.
        """
        ends = {x + end for x in self._fixed for end in self._zeros}
        least = max((end for end in ends if end <= z), default=None)
        return least, min((end for end in ends if end > z), default=None)

    def paths(self, z: Fraction) -> list[Path]:
        """From where z is reached; the same between two cuts."""
        ends = [(x, x, False) for x in self._fixed]
        ends += [(z - kink, kink, True) for kink in self.noise.kinks]
        ends.sort()
        return [
            Path(
                piece,
                (one[1], other[1]),
                (one[2], other[2]),
                middle,
                z - middle,
                self._share(middle),
                *self._form(z - middle),
            )
            for one, other in itertools.pairwise(ends)
            if one[0] < other[0]
            for middle in [(one[0] + other[0]) / 2]
            for piece in self.pieces
            if piece.lo < middle < piece.hi and self._reached(z - middle)
        ]

    def _share(self, x: Fraction) -> Callable[[Any], Any]:
        if not self.redrawn:
            return lambda x: arb(1)
        assert self.window is not None
        return inside_form(self.noise, self.window, x)

    def _reached(self, v: Fraction) -> bool:
        least, most = self.noise.support
        return (least is None or least < v) and (most is None or v < most)

    def _form(self, v: Fraction) -> tuple[Callable[[Any], Any] | None, LinePiece | None, Any]:
        """What is known of ln f on the piece of v: a closed form, or a line that falls to 0."""
        log, line = self.noise.log_form(v), self.noise.line_at(v)
        if log is None and (line is None or line.lower[1]):
            raise NotEnclosed(f"{self.noise.name} noise, whose logarithm has no closed form here")
        unit = ball_of(self._top / abs(line.slope)) if line is not None and line.slope else None
        return log, line, unit

    def shift(self, paths: list[Path], z: Fraction) -> Any:
        """A number ln c, by which the highest likelihood of z is about 1."""
        found = []
        for path in paths:
            for k in range(_SAMPLES + 1):
                u = arb(2 * k + 1) / (2 * _SAMPLES + 2)
                g, g_log = self._likelihood(path, acb(ball_of(z)), u, arb(0), analytic=False)
                ratio = (g_log / g).real if abs(g) > 0 else arb("-inf")
                if ratio.is_finite():
                    found.append(ratio.mid())
        return -max(found, key=float) if found else arb(0)

    def at(self, paths: list[Path], z: Any, shift: Any, error: float = _RELATIVE) -> MassAndLogs:
        """P and N at one z, a real ball that is hardly wider than a point."""
        total = acb(0)
        for path in paths:

            def part(u: Any, analytic: bool) -> Any:
                mass, logs = self._weighed(path, acb(z), u, shift, analytic)  # noqa: B023
                return mass + _I * logs

            total += _integral(part, arb(0), arb(1), error)
        return MassAndLogs(total.real, total.imag)

    def sizes(self, paths: list[Path], box: Any, shift: Any) -> tuple[Any, Any]:
        """No |P| and no |N| is larger for the z of a box; not finite where that is not known."""
        mass, logs = arb(0), arb(0)
        for path in paths:
            todo = [(k, _STEPS) for k in range(_STEPS)]
            while todo:
                k, parts = todo.pop()
                u = arb(arb(2 * k + 1) / (2 * parts), arb(1) / (2 * parts))
                one, other = self._weighed(path, box, u, shift, analytic=True, sizes=True)
                if not other.is_finite() and parts < _MOST_STEPS:  # a window's share may be 0
                    todo += [(2 * k, 2 * parts), (2 * k + 1, 2 * parts)]
                    continue
                mass += abs(one).upper() / parts
                logs += abs(other).upper() / parts
                if not logs.is_finite():
                    return mass, logs
        return mass, logs

    def _weighed(
        self, path: Path, z: Any, u: Any, shift: Any, analytic: bool, sizes: bool = False
    ) -> tuple[Any, Any]:
        """What is integrated from u = 0 to 1, for P and for N."""
        self.work += 1
        one, other = path.ball_ends(z)
        length = other - one
        g, g_log = self._likelihood(path, z, u, shift, analytic, sizes)
        weight = path.piece.ball_pdf(one + u * length) * length
        return weight * g, weight * g_log

    def _likelihood(
        self, path: Path, z: Any, u: Any, shift: Any, analytic: bool, sizes: bool = False
    ) -> tuple[Any, Any]:
        """The products c g and (c g) ln (c g), where f is taken over its maximum.

        At the moving end of a path noise of lines may be 0: its distance from there is a multiple
        of the path's length, which keeps away from 0 where both ends do.
        """
        one, other = path.ball_ends(z)
        x = one + u * (other - one)
        v = z - x
        extra = shift
        share = acb(1)
        if self.redrawn:
            assert self.window is not None
            share = acb(path.share(x))
            extra = shift - share.log(analytic=analytic)
        scale = acb(shift).exp() / share
        if path.log is not None:
            log = path.log(v) + extra
            g = log.exp() if path.line is None else scale * ball_of(path.line.first / self._top)
            return g, g * log
        y = self._height(path, one, other, u, v)
        y_log = _sizes_of_x_log_x(y) if sizes else x_log_x(y, analytic)
        return scale * y, scale * (y_log + y * extra)

    def _height(self, path: Path, one: Any, other: Any, u: Any, v: Any) -> Any:
        """Noise that falls to 0 in a line, over its maximum."""
        assert path.line is not None
        (end, _), slope, unit = path.line.lower, path.line.slope, path.unit
        # v falls along the path: the upper end can be met at its start only, the lower at its end.
        if path.moves[0] and path.ends[0] == end and slope < 0:
            return u * (other - one) / unit
        if path.moves[1] and path.ends[1] == end and slope > 0:
            return (1 - u) * (other - one) / unit
        return (v - ball_of(end) if slope > 0 else ball_of(end) - v) / unit

    @cached_property
    def _top(self) -> Fraction:
        """The maximum of noise that is made of lines."""
        return max(max(line.first, line.last) for line in self.noise.lines)

    def atom(self, end: Atom) -> MassAndLogs:
        """P and N where the output is an end of a clamped window."""
        assert self.window is not None
        noise = self.noise if end == "lo" else self.noise.mirrored()
        place, sign = (self.window.lo, 1) if end == "lo" else (self.window.hi, -1)
        nearest = min(self._fixed) if end == "lo" else max(self._fixed)
        top = noise.ball_cdf(ball_of(sign * (place - nearest)))  # 1/c: no x is likelier
        total = acb(0)
        for piece, lo, hi in self._between_fixed():
            at = sign * (place - (lo + hi) / 2)

            def part(x: Any, analytic: bool) -> Any:
                moved = acb(noise.piece_cdf(sign * (ball_of(place) - x), at)) / top  # noqa: B023
                return piece.ball_pdf(x) * (moved + _I * x_log_x(moved, analytic))  # noqa: B023

            total += _integral(part, ball_of(lo), ball_of(hi))
        return MassAndLogs(total.real, total.imag)

    def _between_fixed(self) -> Iterator[tuple[DensityPiece, Fraction, Fraction]]:
        for lo, hi in itertools.pairwise(sorted(self._fixed)):
            for piece in self.pieces:
                if piece.lo <= lo and hi <= piece.hi:
                    yield piece, lo, hi


def _integral(function: Any, lo: Any, hi: Any, error: float = _RELATIVE) -> Any:
    """That of an analytic function, whose real and imaginary parts are two integrals at once."""
    return acb.integral(
        function, lo, hi, rel_tol=error, abs_tol=error * _ABSOLUTE, eval_limit=_MOST
    )


def _highest(piece: DensityPiece) -> Any:
    tops = (bell.ball_pdf(ball_of(bell.mean)) for bell in piece.bells)
    return sum(tops, ball_of(piece.height)).upper()


def _sizes_of_x_log_x(y: Any) -> Any:
    """A ball around 0 that holds y ln y for all complex y of a box to the right of 0, 0 included.

    There |y ln y| <= |y| |ln |y|| + |y| pi/2; the first rises up to 1/e, which is its value at 1/e.
    """
    most = abs(y).upper()
    size = (most * most.log()).max((-arb(1)).exp()) if most > 0 else arb(0)
    rad = (size + most * arb.pi() / 2).upper()
    return acb(arb(0, rad), arb(0, rad))
