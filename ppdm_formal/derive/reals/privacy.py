"""Information: what z says about x on the whole, by rigorous integration in ball arithmetic.

    h(X) = -integral of p ln p,  Pi(X) = e^h(X)                      (AA01, in nats; 2^h in bits)
    I(X; Z) = h(Z) - E[h(Z|x)],  Pi(X|Z) = Pi(X) e^-I,  privacy loss 1 - e^-I

Atoms of clamped outputs count with -P ln P; tails that fall ever faster are bounded. Where outputs
are drawn again, the density of z is a closed form up to an error that is bounded (redrawn.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, ball_of
from ppdm_formal.declare.arithmetic.exponential import dyadic
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.noises.noise import x_log_x
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.derive.reals.analytic import (
    NotEnclosed,
    inside,
    inside_log,
    integral,
)
from ppdm_formal.derive.reals.of_outputs import FAR, OfOutputs
from ppdm_formal.derive.reals.redrawn import slip

_PRECISION = 90
_WIDEST = 1e-3
"""Nats: information that is known less closely than to twice that is not told."""


@dataclass(frozen=True)
class DensityInformation:
    """What a density is worth before z is seen, and after; in nats."""

    entropy: Enclosure
    mutual: Enclosure
    length: Fraction | None = None
    """Of the interval that x is uniform on, if it is."""

    @property
    def privacy(self) -> Enclosure:
        """Pi(X) = e^h(X): the length of an interval with the same uncertainty."""
        if self.length is not None:
            return Enclosure.exactly(self.length)
        return _mapped(lambda h, _: h.exp(), self)

    @property
    def left(self) -> Enclosure:
        """Pi(X|Z): the same once z is seen."""
        return _mapped(lambda h, i: (h - i).exp(), self)

    @property
    def loss(self) -> Enclosure:
        """The share of Pi(X) that is lost, 1 - e^-I, which is not below 0."""
        found = _mapped(lambda _, i: 1 - (-i).exp(), self)
        return Enclosure(max(found.lo, Fraction(0)), found.hi)


def _mapped(function: Callable[[Any, Any], Any], found: DensityInformation) -> Enclosure:
    with ctx.workprec(_PRECISION):
        return _enclosure(function(_ball(found.entropy), _ball(found.mutual)))


def _ball(enclosed: Enclosure) -> Any:
    return ball_of(enclosed.lo).union(ball_of(enclosed.hi))


def _enclosure(ball: Any) -> Enclosure:
    return Enclosure(dyadic(ball.lower()), dyadic(ball.upper()))


def information(operator: ContinuousOperator, density: Density) -> DensityInformation:
    """h(X) and I(X; Z), enclosed."""
    with ctx.workprec(_PRECISION):
        entropy = _enclosure(-_p_log_p_of_prior(density))
        mutual = _given_input(operator, density) - _of_outputs(operator, density)
        if not mutual.rad() < _WIDEST:
            raise NotEnclosed("noise that is very narrow beside the density of x")
    only = density.components[0] if len(density.components) == 1 else None
    length = only.hi - only.lo if isinstance(only, Flat) else None
    told = _enclosure(mutual)
    return DensityInformation(entropy, Enclosure(max(told.lo, Fraction(0)), told.hi), length)


# -- the density of x ------------------------------------------------------------------------------


def _p_log_p_of_prior(density: Density) -> Any:
    total = arb(0)
    for piece in density.pieces():
        if not piece.bells:
            height = ball_of(piece.height)
            total += ball_of(piece.hi - piece.lo) * height * height.log()
        else:
            total += integral(lambda x, flag: x_log_x(piece.ball_pdf(x), flag), piece.lo, piece.hi)  # noqa: B023
    return total


# -- the density of z ------------------------------------------------------------------------------


def _of_outputs(operator: ContinuousOperator, density: Density) -> Any:
    """The integral of p ln p over z, and P ln P of atoms."""
    noise, window = operator.noise, operator.window
    outputs = OfOutputs(operator, density)
    cuts = outputs.cuts()
    total = sum((_piece(outputs, lo, hi) for lo, hi in itertools.pairwise(cuts)), arb(0))
    if window is not None and window.kind == "truncated":
        off = slip(outputs.error, _highest(operator, density), ball_of(window.hi - window.lo))
        return total + (-off).union(off)
    if window is not None:
        for mass in _atoms(operator, density):
            total += mass * mass.log() if mass > 0 else arb(0)
        return total
    if noise.tail is not None:
        for end, step in (
            (cuts[0], -1),
            (cuts[-1], 1),
        ):  # p = C e^(-t/scale) beyond: C scale (ln C - 1)
            height = outputs.on(end, end + step)(acb(ball_of(end))).real
            total += height * ball_of(noise.tail) * (height.log() - 1)
    if noise.spread is not None:
        far = ball_of(FAR * noise.spread)
        if not noise.ball_pdf(far) < (-arb(1)).exp():  # -p ln p would fall with p
            raise NotEnclosed("noise so narrow that its tails are not bounded")
        total += 2 * arb(0).union(noise.piece_log(-far, Fraction(-1), analytic=False))
    return total


def _piece(outputs: OfOutputs, lo: Fraction, hi: Fraction) -> Any:
    if not outputs.possible((lo + hi) / 2):
        return arb(0)
    p = outputs.on(lo, hi)
    return integral(lambda z, flag: x_log_x(p(z), flag), lo, hi)


def _highest(operator: ContinuousOperator, density: Density) -> Any:
    """No density of z, given any x, is above this: N is log-concave, and least at an end."""
    noise, window = operator.noise, operator.window
    assert window is not None
    pieces = list(density.pieces())
    shares = [inside(noise, window, ball_of(x), x) for x in (pieces[0].lo, pieces[-1].hi)]
    return (noise.ball_pdf(ball_of(noise.center)) / min(shares, key=float).lower()).upper()


def _atoms(operator: ContinuousOperator, density: Density) -> Iterator[Any]:
    """The probabilities of the ends of a clamped window."""
    window, noise = operator.window, operator.noise
    assert window is not None
    for flip, end in ((False, window.lo), (True, window.hi)):
        law = noise.mirrored() if flip else noise
        total = arb(0)
        for part in density.components:
            if isinstance(part, Flat):
                a, b = (part.lo - end, part.hi - end) if flip else (end - part.hi, end - part.lo)
                gap = law.ball_integral(ball_of(b)) - law.ball_integral(ball_of(a))
                total += ball_of(part.height) * gap
                continue
            sign = -1 if flip else 1
            inner = {end - kink for kink in noise.kinks if part.lo < end - kink < part.hi}
            for lo, hi in itertools.pairwise(sorted({part.lo, part.hi, *inner})):
                place = sign * (end - (lo + hi) / 2)

                def moved(x: Any, _: bool) -> Any:
                    beyond = law.piece_cdf(sign * (ball_of(end) - x), place)  # noqa: B023
                    return part.ball_pdf(x) * beyond  # noqa: B023

                total += integral(moved, lo, hi)
        yield total


# -- what is left when x is known ----------------------------------------------------------------


def _given_input(operator: ContinuousOperator, density: Density) -> Any:
    """The mean over x of the integral of p(z|x) ln p(z|x), atoms included."""
    noise, window = operator.noise, operator.window
    if window is None:
        return -noise.ball_entropy()
    given = _given_clamped if window.kind == "clamped" else _given_truncated
    total = arb(0)
    changes = [end - kink for end in (window.lo, window.hi) for kink in noise.kinks]
    for piece in density.pieces():
        inner = {place for place in changes if piece.lo < place < piece.hi}
        for lo, hi in itertools.pairwise(sorted({piece.lo, piece.hi, *inner})):

            def weighted(x: Any, analytic: bool) -> Any:
                at = (lo + hi) / 2  # noqa: B023
                return piece.ball_pdf(x) * given(noise, window, x, at, analytic)  # noqa: B023

            total += integral(weighted, lo, hi)
    return total


def _given_truncated(noise: Noise, window: Window, x: Any, at: Fraction, analytic: bool) -> Any:
    """The integral of (f/N) ln (f/N) over the window: that of f ln f over N, less ln N."""
    share = inside(noise, window, x, at)
    return inside_log(noise, window, x, at, analytic) / share - acb(share).log(analytic=analytic)


def _given_clamped(noise: Noise, window: Window, x: Any, at: Fraction, analytic: bool) -> Any:
    """That of f ln f, and P ln P for both ends."""
    total = inside_log(noise, window, x, at, analytic)
    under = noise.piece_cdf(ball_of(window.lo) - x, window.lo - at)
    over = noise.mirrored().piece_cdf(x - ball_of(window.hi), at - window.hi)
    return total + x_log_x(under, analytic) + x_log_x(over, analytic)
