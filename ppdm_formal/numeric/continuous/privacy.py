"""Information: what z says about x on the whole, by rigorous integration in ball arithmetic.

    h(X) = -integral of p ln p,  Pi(X) = e^h(X)                      (AA01, in nats; 2^h in bits)
    I(X; Z) = h(Z) - E[h(Z|x)],  Pi(X|Z) = Pi(X) e^-I,  privacy loss 1 - e^-I

Atoms of clamped outputs count with -P ln P. Near an end where a density vanishes, p ln p is bounded
instead of integrated; so are the tails of normal noise. Where outputs are drawn again the density
of z is no closed form, and I is bounded by cells of x and intervals of z, less closely.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, ctx

from ppdm_formal.numbers.enclosure import Enclosure, ball_of
from ppdm_formal.numbers.exponential import dyadic
from ppdm_formal.numeric.continuous.additive import ContinuousOperator
from ppdm_formal.numeric.continuous.analytic import (
    NotEnclosed,
    below,
    f_log_f,
    integral,
    x_log_x,
)
from ppdm_formal.numeric.continuous.density import Density, Flat, Piece
from ppdm_formal.numeric.continuous.of_outputs import FAR, OfOutputs
from ppdm_formal.numeric.continuous.worst_case import mutual_by_cells
from ppdm_formal.numeric.noise import Laplace, Noise, Normal

_PRECISION = 90
_TINY = Fraction(1, 2**26)


@dataclass(frozen=True)
class Information:
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
        """The share of Pi(X) that is lost, 1 - e^-I."""
        return _mapped(lambda _, i: 1 - (-i).exp(), self)


def _mapped(function: Callable[[Any, Any], Any], found: Information) -> Enclosure:
    with ctx.workprec(_PRECISION):
        return _enclosure(function(_ball(found.entropy), _ball(found.mutual)))


def _ball(enclosed: Enclosure) -> Any:
    return ball_of(enclosed.lo).union(ball_of(enclosed.hi))


def _enclosure(ball: Any) -> Enclosure:
    return Enclosure(dyadic(ball.lower()), dyadic(ball.upper()))


def information(operator: ContinuousOperator, density: Density) -> Information:
    """h(X) and I(X; Z), enclosed."""
    with ctx.workprec(_PRECISION):
        entropy = _enclosure(-_p_log_p_of_prior(density))
        if operator.window is not None and operator.window.kind == "truncated":
            mutual = mutual_by_cells(operator, density)
        else:
            of_z = -_p_log_p_of_outputs(operator, density)
            given = -_conditional(operator, density)
            mutual = _enclosure(of_z - given)
    only = density.components[0] if len(density.components) == 1 else None
    length = only.hi - only.lo if isinstance(only, Flat) else None
    return Information(entropy, Enclosure(max(mutual.lo, Fraction(0)), mutual.hi), length)


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


def _p_log_p_of_outputs(operator: ContinuousOperator, density: Density) -> Any:
    """The integral of p ln p over z, and P ln P of atoms."""
    noise, window = operator.noise, operator.window
    outputs = OfOutputs(operator, density)
    cuts = outputs.cuts()
    total = _inside(outputs)
    if window is not None:
        for mass in _atoms(operator, density):
            total += mass * mass.log() if mass > 0 else arb(0)
        return total
    if isinstance(noise, Laplace):
        for end in (cuts[0], cuts[-1]):  # p = C e^(-t/scale) beyond: C scale (ln C - 1)
            height = outputs.p(acb(ball_of(end)), end + (1 if end == cuts[-1] else -1)).real
            total += height * ball_of(noise.scale) * (height.log() - 1)
    if isinstance(noise, Normal):
        far = ball_of(FAR * noise.deviation)
        if not noise.ball_pdf(far) < (-arb(1)).exp():  # -p ln p would fall with p
            raise NotEnclosed("noise so narrow that its tails are not bounded")
        tail = -f_log_f(noise, -far, Fraction(-1))
        total -= 2 * arb(0).union(tail.real if isinstance(tail, acb) else tail)
    return total


def _inside(outputs: OfOutputs) -> Any:
    """The integral of p ln p over the outputs between cuts."""
    pairs = itertools.pairwise(outputs.cuts())
    return sum((_piece(outputs, lo, hi) for lo, hi in pairs), arb(0))


def _piece(outputs: OfOutputs, lo: Fraction, hi: Fraction) -> Any:
    p = outputs.p
    middle = (lo + hi) / 2
    if not p(acb(ball_of(middle)), middle).real > 0:
        return arb(0)  # no such outputs: both terms vanish there
    edges = [
        Fraction(0) if p(acb(ball_of(end)), middle).real > 0 else (hi - lo) * _TINY
        for end in (lo, hi)
    ]
    inner = integral(lambda z, flag: x_log_x(p(z, middle), flag), lo + edges[0], hi - edges[1])
    for start, edge in ((lo, edges[0]), (hi - edges[1], edges[1])):
        if edge:
            ball = ball_of(start).union(ball_of(start + edge))
            most = p(acb(ball), middle).real.upper().max(arb(0))
            rises = most < (-arb(1)).exp()  # up to there, so does -p ln p
            bound = (-most * most.log()).upper() if rises and most > 0 else arb(1)
            inner -= ball_of(edge) * arb(0).union(bound.max(arb(0)))
    return inner


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
                    beyond = below(law, sign * (ball_of(end) - x), place)  # noqa: B023
                    return part.ball_pdf(x) * beyond  # noqa: B023

                total += integral(moved, lo, hi)
        yield total


# -- what is left when x is known ----------------------------------------------------------------


def _conditional(operator: ContinuousOperator, density: Density) -> Any:
    """The mean over x of the integral of p(z|x) ln p(z|x), atoms included."""
    noise, window = operator.noise, operator.window
    if window is None:
        return -noise.ball_entropy()

    def at(x: Any, middle: Fraction, analytic: bool) -> Any:
        ends = [(ball_of(end) - x, end - middle) for end in (window.lo, window.hi)]
        low, high = (f_log_f(noise, v, place) for v, place in ends)
        total = high - low
        masses = [below(noise, *ends[0]), 1 - below(noise, *ends[1])]
        for mass, (_, place) in zip(masses, ends, strict=True):
            if _possible(noise, place):
                total += mass * acb(mass).log(analytic=analytic)
        return total

    total = arb(0)
    changes = [end - kink for end in (window.lo, window.hi) for kink in noise.kinks]
    for piece in density.pieces():
        inner = {place for place in changes if piece.lo < place < piece.hi}
        for lo, hi in itertools.pairwise(sorted({piece.lo, piece.hi, *inner})):
            middle = (lo + hi) / 2
            edge = (hi - lo) * _TINY if noise.support != (None, None) else Fraction(0)
            total += integral(
                lambda x, flag: piece.ball_pdf(x) * at(x, middle, flag),  # noqa: B023
                lo + edge,
                hi - edge,
            )
            if edge:
                # |f ln f| of the noise integrates to at most 3 |h| + 1, and atoms add 2/e.
                most = 4 * (1 + abs(noise.ball_entropy()))
                slack = ball_of(2 * edge) * _highest(piece) * most
                total += (-slack).union(slack)
    return total


def _highest(piece: Piece) -> Any:
    """No density of the piece is above this."""
    bells = (bell.ball_pdf(ball_of(bell.mean)) for bell in piece.bells)
    return sum(bells, ball_of(piece.height))


def _possible(noise: Noise, place: Fraction) -> bool:
    """Whether outputs beyond an end have a positive probability that is not 1."""
    least, most = noise.support
    return least is None or most is None or least < place < most
