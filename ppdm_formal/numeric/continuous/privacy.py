"""Information: what z says about x on the whole, by rigorous integration in ball arithmetic.

    h(X) = -integral of p ln p,  Pi(X) = e^h(X)                      (AA01, in nats; 2^h in bits)
    I(X; Z) = h(Z) - E[h(Z|x)],  Pi(X|Z) = Pi(X) e^-I,  privacy loss 1 - e^-I

Atoms of clamped outputs count with -P ln P. The density of Z is a closed form between the points
where pieces of the prior meet kinks of the noise. Near an end where a density vanishes, p ln p is
bounded instead of integrated; so are the tails of normal noise.
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
from ppdm_formal.numeric.continuous.density import Bell, Density, Flat
from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform

_PRECISION = 90
_TINY = Fraction(1, 2**26)
_FAR = 9
"""Standard deviations beyond which the tails of normal noise are bounded."""


class NoClosedForm(ValueError):
    """The density of z is no closed form here, so that nothing is computed."""


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
    bells = any(isinstance(part, Bell) for part in density.components)
    if bells and not (isinstance(operator.noise, Normal | Uniform) and operator.window is None):
        raise NoClosedForm("a normal law under a window, or under Laplace or triangular noise")
    with ctx.workprec(_PRECISION):
        entropy = _enclosure(-_p_log_p_of_prior(density))
        of_z = -_p_log_p_of_outputs(operator, density)
        given = -_conditional(operator, density)
        mutual = _enclosure(of_z - given)
    only = density.components[0] if len(density.components) == 1 else None
    length = only.hi - only.lo if isinstance(only, Flat) else None
    return Information(entropy, Enclosure(max(mutual.lo, Fraction(0)), mutual.hi), length)


# -- distributions that are analytic on a piece ----------------------------------------------------


def _below(noise: Noise, v: Any, at: Fraction) -> Any:
    """F(v) for a complex v, as the closed form of the piece that `at` lies in."""
    match noise:
        case Uniform() | Triangular():
            if at <= noise.lo:
                return acb(0)
            if at >= noise.hi:
                return acb(1)
            if isinstance(noise, Uniform):
                return (v - ball_of(noise.lo)) / ball_of(noise.hi - noise.lo)
            t = (v - ball_of(noise.lo)) / ball_of(noise.half)
            return t * t / 2 if at < noise.center else 1 - (2 - t) ** 2 / 2
        case Laplace():
            scale = ball_of(noise.scale)
            return (v / scale).exp() / 2 if at < 0 else 1 - (-v / scale).exp() / 2
        case Normal():
            return (-v / (ball_of(noise.deviation) * arb(2).sqrt())).erfc() / 2
    raise AssertionError


def _f_log_f(noise: Noise, v: Any, at: Fraction) -> Any:
    """The integral of f ln f up to v, for a complex v, on the piece of `at`."""
    match noise:
        case Uniform():
            return -_below(noise, v, at) * ball_of(noise.hi - noise.lo).log()
        case Triangular():
            if at <= noise.lo:
                return acb(0)
            whole = -ball_of(noise.half).log() - arb(1) / 2
            if at >= noise.hi:
                return acb(whole)
            if at >= noise.center:
                return whole - _f_log_f(noise, 2 * ball_of(noise.center) - v, 2 * noise.center - at)
            t = (v - ball_of(noise.lo)) / ball_of(noise.half)
            return t * t / 2 * ((t / ball_of(noise.half)).log() - arb(1) / 2)
        case Laplace():
            scale = ball_of(noise.scale)
            if at >= 0:
                return -(2 * scale).log() - 1 - _f_log_f(noise, -v, -abs(at) or Fraction(-1))
            w = v / scale
            return -w.exp() / 2 * (2 * scale).log() - (1 - w) * w.exp() / 2
        case Normal():
            below = _below(noise, v, at)
            deviation = ball_of(noise.deviation)
            flat = (deviation * (2 * arb.pi()).sqrt()).log()
            return -below * flat - (below - v * noise.ball_pdf(v)) / 2
    raise AssertionError


# -- the density of x ------------------------------------------------------------------------------


def _p_log_p_of_prior(density: Density) -> Any:
    total = arb(0)
    for piece in density.pieces():
        if not piece.bells:
            height = ball_of(piece.height)
            total += ball_of(piece.hi - piece.lo) * height * height.log()
        else:
            total += _integral(lambda x, flag: _xlogx(piece.ball_pdf(x), flag), piece.lo, piece.hi)  # noqa: B023
    return total


def _xlogx(p: Any, analytic: bool) -> Any:
    return p * acb(p).log(analytic=analytic)


def _integral(function: Callable[[Any, bool], Any], lo: Fraction, hi: Fraction) -> Any:
    found = acb.integral(function, ball_of(lo), ball_of(hi), rel_tol=2.0**-44, abs_tol=2.0**-48)
    if not found.real.is_finite():
        raise NoClosedForm("an integral that is not enclosed")
    return found.real


# -- the density of z ------------------------------------------------------------------------------


def _density_of_z(operator: ContinuousOperator, density: Density) -> Callable[[Any, Fraction], Any]:
    noise = operator.noise
    flats = [part for part in density.components if isinstance(part, Flat)]
    bells = [part for part in density.components if isinstance(part, Bell)]

    def density_at(z: Any, middle: Fraction) -> Any:
        total = acb(0)
        for part in flats:
            law, u, at = noise, z, middle
            lo, hi = part.lo, part.hi
            if middle > hi + noise.center:  # mirrored, so that no digits are lost far out
                law, u, at, lo, hi = noise.mirrored(), -z, -middle, -part.hi, -part.lo
            over = _below(law, u - ball_of(lo), at - lo)
            total += ball_of(part.height) * (over - _below(law, u - ball_of(hi), at - hi))
        for bell in bells:
            if isinstance(noise, Normal):
                total += _normal_sum(bell, noise, z, middle > bell.hi)
            else:
                assert isinstance(noise, Uniform)
                total += _uniform_sum(bell, noise, z, middle)
        return total

    return density_at


def _normal_sum(bell: Bell, noise: Normal, z: Any, above: bool) -> Any:
    """The density of a truncated normal x plus normal noise: one bell times a share of another."""
    a, b = ball_of(bell.law.variance), ball_of(noise.variance)
    gap = z - ball_of(bell.mean)
    center = ball_of(bell.mean) + gap * a / (a + b)
    spread = (a * b / (a + b)).sqrt() * arb(2).sqrt()
    ends = [(ball_of(end) - center) / spread for end in (bell.lo, bell.hi)]
    if above:  # mirrored, so that no digits are lost far out
        ends = [-end for end in reversed(ends)]
    share = ends[0].erfc() - ends[1].erfc()
    whole = bell.law.ball_cdf(ball_of(bell.hi - bell.mean)) - bell.law.ball_cdf(
        ball_of(bell.lo - bell.mean)
    )
    height = (-gap * gap / (2 * (a + b))).exp() / (2 * arb.pi() * (a + b)).sqrt()
    return ball_of(bell.weight) * height * share / (2 * whole)


def _uniform_sum(bell: Bell, noise: Uniform, z: Any, middle: Fraction) -> Any:
    """The density of a truncated normal x plus uniform noise: the share of x within reach."""
    if middle - noise.center > bell.mean:  # mirrored, so that no digits are lost far out
        flipped = Bell(bell.weight, -bell.mean, bell.law, -bell.hi, -bell.lo)
        return _uniform_sum(flipped, noise.mirrored(), -z, -middle)
    low = z - ball_of(noise.hi) if middle - noise.hi > bell.lo else ball_of(bell.lo)
    high = z - ball_of(noise.lo) if middle - noise.lo < bell.hi else ball_of(bell.hi)
    if middle - noise.lo <= bell.lo or middle - noise.hi >= bell.hi:
        return acb(0)
    spread = ball_of(bell.law.deviation) * arb(2).sqrt()
    lower, upper = ((acb(ball_of(bell.mean)) - end) / spread for end in (low, high))
    share = (upper.erfc() - lower.erfc()) / 2
    return share * bell.ball_pdf_factor() / ball_of(noise.hi - noise.lo)


def _cuts(operator: ContinuousOperator, density: Density) -> list[Fraction]:
    """Where the closed form of the density of z changes."""
    noise, window = operator.noise, operator.window
    ends = sorted({end for part in density.components for end in part.support})
    cuts = {end + kink for end in ends for kink in noise.kinks} | set(ends)
    for bell in (part for part in density.components if isinstance(part, Bell)):
        steps = {bell.mean + noise.center + 2 * k * bell.law.deviation for k in range(-3, 4)}
        cuts |= {step for step in steps if min(cuts) < step < max(cuts)}
    if isinstance(noise, Normal):
        spread = noise.deviation
        step = 2 * spread
        lo, hi = ends[0] - _FAR * spread, ends[-1] + _FAR * spread
        count = int((hi - lo) / step) + 1
        cuts = {lo + (hi - lo) * Fraction(k, min(count, 60)) for k in range(min(count, 60) + 1)}
    if window is not None:
        cuts = {cut for cut in cuts if window.lo < cut < window.hi} | {window.lo, window.hi}
        least, most = noise.support
        if least is not None and most is not None:
            first, last = ends[0] + least, ends[-1] + most
            cuts = {cut for cut in cuts if first <= cut <= last} or {window.lo}
            cuts |= {end for end in (first, last) if window.lo < end < window.hi}
    return sorted(cuts)


def _p_log_p_of_outputs(operator: ContinuousOperator, density: Density) -> Any:
    """The integral of p ln p over z, and P ln P of atoms."""
    noise, window = operator.noise, operator.window
    if window is not None and window.kind == "truncated":
        raise NoClosedForm("under a truncated window the density of z is no closed form")
    p = _density_of_z(operator, density)
    cuts = _cuts(operator, density)
    total = arb(0)
    for lo, hi in itertools.pairwise(cuts):
        total += _piece(p, lo, hi)
    if window is not None:
        for mass in _atoms(operator, density):
            total += mass * mass.log() if mass > 0 else arb(0)
        return total
    if isinstance(noise, Laplace):
        for end in (cuts[0], cuts[-1]):  # p = C e^(-t/scale) beyond: C scale (ln C - 1)
            height = p(acb(ball_of(end)), end + (1 if end == cuts[-1] else -1)).real
            total += height * ball_of(noise.scale) * (height.log() - 1)
    if isinstance(noise, Normal):
        far = ball_of(_FAR * noise.deviation)
        tail = -_f_log_f(noise, -far, Fraction(-1))
        total -= 2 * arb(0).union(tail.real if isinstance(tail, acb) else tail)
    return total


def _piece(p: Callable[[Any, Fraction], Any], lo: Fraction, hi: Fraction) -> Any:
    middle = (lo + hi) / 2
    if not p(acb(ball_of(middle)), middle).real > 0:
        return arb(0)  # no such outputs: both terms vanish there
    edges = [
        Fraction(0) if p(acb(ball_of(end)), middle).real > 0 else (hi - lo) * _TINY
        for end in (lo, hi)
    ]
    inner = _integral(lambda z, flag: _xlogx(p(z, middle), flag), lo + edges[0], hi - edges[1])
    for start, edge in ((lo, edges[0]), (hi - edges[1], edges[1])):
        if edge:
            ball = ball_of(start).union(ball_of(start + edge))
            most = p(acb(ball), middle).real.upper().max(arb(0))
            rises = most < (-arb(1)).exp()  # up to there, so does -p ln p
            bound = (-most * most.log()).upper() if rises and most > 0 else arb(1)
            inner -= ball_of(edge) * arb(0).union(bound.max(arb(0)))
    return inner


def _atoms(operator: ContinuousOperator, density: Density) -> Iterator[Any]:
    window, noise = operator.window, operator.noise
    assert window is not None
    for flip, end in ((False, window.lo), (True, window.hi)):
        law = noise.mirrored() if flip else noise
        total = arb(0)
        for part in density.components:
            assert isinstance(part, Flat)
            a, b = (part.lo - end, part.hi - end) if flip else (end - part.hi, end - part.lo)
            gap = law.ball_integral(ball_of(b)) - law.ball_integral(ball_of(a))
            total += ball_of(part.height) * gap
        yield total


# -- what is left when x is known ----------------------------------------------------------------


def _conditional(operator: ContinuousOperator, density: Density) -> Any:
    """The mean over x of the integral of p(z|x) ln p(z|x), atoms included."""
    noise, window = operator.noise, operator.window
    if window is None:
        return -noise.ball_entropy()

    def at(x: Any, middle: Fraction, analytic: bool) -> Any:
        ends = [(ball_of(end) - x, end - middle) for end in (window.lo, window.hi)]
        low, high = (_f_log_f(noise, v, place) for v, place in ends)
        total = high - low
        masses = [_below(noise, *ends[0]), 1 - _below(noise, *ends[1])]
        for mass, (_, place), top in zip(masses, ends, (False, True), strict=True):
            if _possible(noise, place, top):
                total += mass * acb(mass).log(analytic=analytic)
        return total

    total = arb(0)
    for part in density.components:
        assert isinstance(part, Flat)
        inner = {
            end - kink
            for end in (window.lo, window.hi)
            for kink in noise.kinks
            if part.lo < end - kink < part.hi
        }
        for lo, hi in itertools.pairwise(sorted({part.lo, part.hi, *inner})):
            middle = (lo + hi) / 2
            edge = (hi - lo) * _TINY if noise.support != (None, None) else Fraction(0)
            found = _integral(lambda x, flag: at(x, middle, flag), lo + edge, hi - edge)  # noqa: B023
            # Near the edges: at most 2/e of atoms, and the integral of f |ln f|.
            slack = ball_of(edge) * 4 * (1 + abs(noise.ball_entropy()))
            total += ball_of(part.height) * (found + (-slack).union(slack))
    return total


def _possible(noise: Noise, place: Fraction, top: bool) -> bool:
    """Whether outputs beyond an end have a positive probability that is not 1."""
    least, most = noise.support
    return least is None or most is None or least < place < most
