"""Every noise, found by its place: each question it answers against integration of its density.

The density in floats is what a noise is here; all else is integrated from it, point by point.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import acb, arb, ctx
from scipy.integrate import quad

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.noises.by_place import noise_laws, parse_noise
from ppdm_formal.declare.noises.noise import Noise
from ppdm_formal.declare.noises.normal import Normal

EXAMPLES = [law.example for law in noise_laws().values()]
SIZES = [str(law.around_zero(Fraction(7, 3))) for law in noise_laws().values()]


@pytest.fixture(params=[*EXAMPLES, *SIZES])
def noise(request):
    return parse_noise(request.param)


def reach(noise):
    """Where practically all of it lies."""
    least, most = (None if end is None else float(end) for end in noise.support)
    far = 40 * noise.sd
    return -far if least is None else least, far if most is None else most


def integrated(noise, function, lo, hi):
    """An integral from kink to kink."""
    inner = [float(kink) for kink in noise.kinks if lo < float(kink) < hi]
    inner += [c for k in (-4, -1, 1, 4) if lo < (c := float(noise.center) + k * noise.sd) < hi]
    cuts = sorted({lo, hi, *inner})
    return sum(quad(function, a, b, epsabs=1e-13, limit=200)[0] for a, b in pairwise(cuts))


def f(noise, v):
    return float(noise.pdf(v))


def places(noise, count=9):
    """Numbers inside its pieces, no kink among them."""
    lo, hi = reach(noise) if None not in noise.support else (-4 * noise.sd, 4 * noise.sd)
    cuts = sorted({lo, hi, *(float(kink) for kink in noise.kinks if lo < kink < hi)})
    return [
        Fraction(a + (b - a) * (k + 0.5) / count).limit_denominator(1000)
        for a, b in pairwise(cuts)
        for k in range(count)
    ]


def test_a_noise_is_a_density_symmetric_and_log_concave(noise):
    lo, hi = reach(noise)
    center = float(noise.center)
    assert integrated(noise, lambda v: f(noise, v), lo, hi) == pytest.approx(1, abs=1e-9)
    mean = integrated(noise, lambda v: v * f(noise, v), lo, hi)
    assert mean == pytest.approx(center, abs=1e-9)
    square = integrated(noise, lambda v: (v - center) ** 2 * f(noise, v), lo, hi)
    assert square == pytest.approx(float(noise.variance), rel=1e-8)
    points = np.linspace(center, min(hi, center + 6 * noise.sd) - 1e-9, 400)
    np.testing.assert_allclose(noise.pdf(points), noise.pdf(2 * center - points), atol=1e-12)
    logs = np.log(noise.pdf(points))
    assert (np.diff(logs) <= 1e-12).all()  # one peak
    assert (np.diff(logs, 2) <= 1e-9).all()
    assert list(noise.kinks) == sorted(noise.kinks)
    for end in noise.support:
        assert end is None or end in noise.kinks


def test_one_of_the_ways_to_fall_is_said(noise):
    ended = noise.support != (None, None)
    assert ended + (noise.tail is not None) + (noise.spread is not None) == 1
    last = float(noise.kinks[-1]) if noise.kinks else float(noise.center)
    if noise.tail is not None:
        for v in (0.5, 3.0, 11.0):
            fall = f(noise, last + v) / f(noise, last)
            assert fall == pytest.approx(np.exp(-v / float(noise.tail)))
    if noise.spread is not None:
        spread = float(noise.spread)
        assert spread == pytest.approx(noise.sd, rel=0.5)
        falls = [f(noise, k * spread) / f(noise, (k + 1) * spread) for k in range(8)]
        assert all(one < other for one, other in pairwise(falls))
        near, far = noise.spread, 3 * noise.spread
        assert float(noise.nats(near, far)) == pytest.approx(
            np.log(f(noise, float(near)) / f(noise, float(far)))
        )


def test_distributions_are_integrals_of_the_density(noise):
    lo, hi = reach(noise)
    for v in places(noise, 4):
        below = integrated(noise, lambda t: f(noise, t), lo, float(v))
        square = integrated(noise, lambda t, v=v: (float(v) - t) * f(noise, t), lo, float(v))
        ball = ball_of(v)
        assert float(noise.cdf(float(v))) == pytest.approx(below, abs=1e-9)
        assert float(noise.ball_cdf(ball)) == pytest.approx(below, abs=1e-9)
        assert float(acb(noise.piece_cdf(acb(ball), v)).real) == pytest.approx(below, abs=1e-9)
        assert float(noise.ball_integral(ball)) == pytest.approx(square, abs=1e-8)
        assert float(noise.ball_pdf(ball)) == pytest.approx(f(noise, float(v)), rel=1e-9)
        assert float(acb(noise.piece_pdf(acb(ball), v)).real) == pytest.approx(
            f(noise, float(v)), rel=1e-9
        )
        exact, below_exact = noise.exact_pdf(v), noise.exact_cdf(v)
        assert exact is None or float(ball_of(exact)) == pytest.approx(f(noise, float(v)))
        assert below_exact is None or float(ball_of(below_exact)) == pytest.approx(below)
        p_log_p = integrated(
            noise, lambda t: (p := f(noise, t)) and p * np.log(p), max(lo, -25 * noise.sd), float(v)
        )
        found = acb(noise.piece_log(acb(ball), v, analytic=False)).real
        assert float(found) == pytest.approx(p_log_p, abs=1e-7)
    ends = max(lo, -25 * noise.sd), min(hi, 25 * noise.sd)
    entropy = -integrated(noise, lambda t: (p := f(noise, t)) and p * np.log(p), *ends)
    assert float(noise.ball_entropy()) == pytest.approx(entropy, abs=1e-7)


def test_forms_of_pieces_hold_beside_the_line(noise):
    """Closed forms at complex numbers satisfy F' = f, by differences along the imaginary axis."""
    step = acb(0, 1) * arb(2) ** -20
    for v in places(noise, 3):
        at = acb(ball_of(v))
        slope = (noise.piece_cdf(at + step, v) - noise.piece_cdf(at - step, v)) / (2 * step)
        assert float(abs(slope - noise.piece_pdf(at, v))) < 1e-8


def test_lines_are_the_density(noise):
    if not noise.lines:
        assert noise.line_at(noise.center) is None
        return
    assert [line.lo for line in noise.lines] == list(noise.kinks[:-1])
    assert [line.hi for line in noise.lines] == list(noise.kinks[1:])
    for v in places(noise):
        line = noise.line_at(v)
        assert line.lo < v < line.hi
        assert float(line.first + line.slope * (v - line.lo)) == pytest.approx(f(noise, float(v)))
        end, height = line.lower
        assert height == min(line.first, line.last)
        assert height == (line.first if end == line.lo else line.last)


def test_logarithms_of_pieces(noise):
    top = f(noise, float(noise.center))
    for v in places(noise):
        form = noise.log_form(v)
        if form is None:
            line = noise.line_at(v)
            assert line is None or line.slope
            continue
        found = acb(form(acb(ball_of(v)))).real
        assert float(found) == pytest.approx(np.log(f(noise, float(v)) / top), abs=1e-9)


def test_where_ratios_do_not_change(noise):
    """Up to hi no ratio differs from that at hi; just below the start, some does (or none can)."""
    unit = Fraction(noise.sd).limit_denominator(8)
    for x2, width, lo, reach_up in [
        (0, 1, -6, 4), (0, 1, -6, 0), (0, 2, -6, 1), (-1, 3, -9, -2), (0, 1, 2, 5), (1, 1, -5, 1),
    ]:  # fmt: skip
        x1, x2, lo, hi = (
            (x2 + width) * unit / 2,
            x2 * unit / 2,
            lo * unit / 2,
            reach_up * unit / 2,
        )
        least, most = noise.support
        if most is not None and (hi - x2 >= most or hi - x1 <= least):
            continue
        start = noise.constant_from(x1, x2, lo, hi)

        def ratio(z, x1=x1, x2=x2):
            over, under = f(noise, float(z - x1)), f(noise, float(z - x2))
            return over / under if under else np.inf

        just_below = hi - (hi - lo) / 10**6
        if start is None:
            assert ratio(just_below) != pytest.approx(ratio(hi - (hi - lo) / 100), rel=1e-9)
            continue
        assert lo <= start < hi
        for k in range(1, 20):
            z = start + (hi - start) * Fraction(k, 20)
            assert ratio(z) == pytest.approx(ratio(just_below), rel=1e-9)
        if start > lo:
            assert ratio(start - (start - lo) / 10) != pytest.approx(ratio(just_below), rel=1e-9)


@pytest.mark.parametrize("mean", [Fraction(0), Fraction(5, 2), Fraction(-3)])
def test_the_part_of_a_bell(noise, mean):
    """Closed forms, and the integral that stands in where a noise has none."""
    law = Normal(Fraction(3, 2))
    lo, hi = reach(noise) if None not in noise.support else (-3 * noise.sd, 3 * noise.sd)
    pieces = [(a, b) for a, b in pairwise(sorted({lo, hi, *map(float, noise.kinks)})) if lo <= a]
    for a, b in pieces:
        if b > hi:
            continue
        z = Fraction(2)
        at = Fraction((a + b) / 2)
        ends = [Fraction(float(z) - v).limit_denominator(10**6) for v in (b, a)]
        wanted = quad(
            lambda x, z=z: f(law, x - float(mean)) * f(noise, float(z) - x), *map(float, ends)
        )[0]
        balls = [acb(ball_of(end)) for end in ends]
        for apart in (None, ends[1] - ends[0]):
            found = noise.times_bell(mean, law, acb(ball_of(z)), balls, at, apart)
            assert float(acb(found).real) == pytest.approx(wanted, abs=1e-8)
        # ends that are no multiples of each other, at a complex z: the two ways agree
        beside = acb(ball_of(z), arb(1) / 7)
        plain = WithoutForms(noise)
        with ctx.workprec(90):
            one = noise.times_bell(mean, law, beside, balls, at, None)
            other = Noise.times_bell(plain, mean, law, beside, balls, at, None)
        assert float(abs(acb(one) - acb(other))) < 1e-9


class WithoutForms:
    """A noise that only has its density on pieces."""

    def __init__(self, noise):
        self.piece_pdf = noise.piece_pdf

    def line_at(self, at):
        return None


def test_sums_over_nodes(noise):
    if noise.spread is None:
        return
    nodes = [(arb(x) * ball_of(noise.spread) / 3, arb(w)) for x, w in ((-2, 1), (1, 3), (4, 2))]
    middle = noise.spread / 2
    for z in (acb(ball_of(middle)), acb(ball_of(middle), ball_of(noise.spread / 2))):
        with ctx.workprec(90):
            one = noise.sum_around(nodes, middle, 2 * noise.spread)(z)
            other = Noise.sum_around(noise, nodes, middle, 2 * noise.spread)(z)
        assert float(abs(acb(one) - acb(other))) < 1e-12
    away, height = ball_of(noise.spread), ball_of(noise.spread * 2)
    most = noise.most_around(away, height)
    for s in (1, 1.5, 3):
        for t in (0, 1, 2):
            v = acb(ball_of(Fraction(s) * noise.spread), ball_of(Fraction(t) * noise.spread))
            assert abs(noise.ball_pdf(v)) <= most * (1 + arb(2) ** -40)


def test_mirrored_and_sized(noise):
    other = noise.mirrored()
    points = np.linspace(*(end * 1.01 for end in reach(noise)), 37)
    np.testing.assert_allclose(other.pdf(-points), noise.pdf(points), atol=1e-12)
    assert other.mirrored() == noise
    assert parse_noise(str(noise)) == noise
    one, two = (type(noise).around_zero(Fraction(k)) for k in (1, 2))
    assert two.variance == 4 * one.variance
    assert one.center == 0
    width = [float(law.shortest(Fraction(19, 20)).lo) for law in (one, two)]
    assert width[1] == pytest.approx(2 * width[0])


def test_seeded_draws_follow_the_law(noise):
    drawn = np.sort(noise.drawn(20_000, np.random.default_rng(5)))
    empirical = (np.arange(len(drawn)) + 0.5) / len(drawn)
    assert np.abs(noise.cdf(drawn) - empirical).max() < 0.015  # 1.5 times the 1% level


def test_clients_know_the_distribution_by_their_formula(noise):
    """Half a step as the exponent e^-(half) is what a client gets instead of a list."""
    formula = noise.client(Fraction(1, 5))
    if formula is None:
        return
    top, bottom = (int(part, 16) for part in formula["exponent"])
    assert noise.exact_cdf(Fraction(-1, 10)) == exp_of(-Fraction(top, bottom)) / 2
