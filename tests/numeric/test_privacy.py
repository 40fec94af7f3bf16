"""Entropy privacy: AA01's closed forms and table, and integrals over x and z by floats."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from continuous_cases import AGE, MIXED, TWO, operator
from flint import arb

from ppdm_formal.declare.noises.named import Normal, Uniform
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import Reals
from ppdm_formal.derive.reals.analytic import NotEnclosed
from ppdm_formal.derive.reals.privacy import information
from ppdm_formal.derive.reals.redrawn import slip

BELL = Density(AGE, (Bell(F(1), F(45), Normal(F(12)), F(0), F(100)),))
CUT = Window("truncated", F(10), F(90))
FAR = {"normal": 10, "laplace": 35}
"""Standard deviations beyond which the oracle sees no outputs."""


def points(edges, cells=2):
    """Gauss-Legendre points between edges (of the last axis), crowded where a logarithm may end."""
    t, weights = np.polynomial.legendre.leggauss(14)
    u = (t + 1) / 2
    places, weights = u**3 * (10 - 15 * u + 6 * u**2), weights * 15 * u**2 * (1 - u) ** 2
    step = np.diff(edges)[..., None, None] / cells
    start = edges[..., :-1, None, None] + step * np.arange(cells)[:, None]
    shape = (*edges.shape[:-1], -1)
    found = np.broadcast_to(step * weights, (start + step * places).shape)
    return (start + step * places).reshape(shape), found.reshape(shape)


def quadrature(made, density):
    """I(X; Z) by sums in two dimensions, cut wherever a density or its slope jumps."""
    noise, window = made.noise, made.window
    sd, kinks = noise.sd, np.array([float(kink) for kink in noise.kinks])
    ends = {float(end) for part in density.components for end in part.support}
    sides = [] if window is None else [float(window.lo), float(window.hi)]
    inner = ends | {side - kink for side in sides for kink in kinks}
    inner |= set(np.arange(min(ends), max(ends), min(1.5 * sd, 15)))
    xs = np.array(sorted(x for x in inner if min(ends) <= x <= max(ends)))
    far = FAR[noise.name] * sd * np.array([-1, 1]) if noise.name in FAR else kinks[[0, -1]]
    lo, hi = xs[0] + far[0], xs[-1] + far[1]
    if sides:
        lo, hi = max(lo, sides[0]), min(hi, sides[1])
    cuts = {x + kink for x in xs for kink in kinks} | {lo, hi} | set(np.arange(lo, hi, sd))
    zs, z_weights = points(np.array(sorted(cut for cut in cuts if lo <= cut <= hi)), cells=1)

    def prior(x):
        found = np.zeros_like(x)
        for part in density.components:
            a, b = map(float, part.support)
            if isinstance(part, Flat):
                found += float(part.height) * ((x > a) & (x < b))
            else:
                m = float(part.mean)
                share = np.diff(part.law.cdf([a - m, b - m]))
                found += float(part.weight) * part.law.pdf(x - m) / share * ((x > a) & (x < b))
        return found

    def mean_log(p, likelihood):
        whole = (p * likelihood).sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = p * likelihood * np.log(likelihood / whole)
        return np.where(likelihood > 0, terms, 0).sum(axis=-1)

    moving = np.clip(zs[:, None] - kinks, xs[0], xs[-1])
    edges = np.sort(np.column_stack([np.tile(xs, (zs.size, 1)), moving]), axis=1)
    x, weights = points(edges, cells=1)
    likelihood = noise.pdf(zs[:, None] - x)
    if window is not None and window.kind == "truncated":
        likelihood /= noise.cdf(sides[1] - x) - noise.cdf(sides[0] - x)
    total = z_weights @ mean_log(prior(x) * weights, likelihood)
    if window is not None and window.kind == "clamped":
        x, weights = points(xs)
        tails = noise.cdf(sides[0] - x), noise.mirrored().cdf(x - sides[1])
        total += sum(mean_log(prior(x) * weights, tail) for tail in tails)
    return total


LAWS = ("laplace(10)", "normal(20)", "uniform(-15, 20)", "triangular(-20, 25)")
PLACES = (None, Window("clamped", F(20), F(70)), CUT)
DENSITIES = (TWO, MIXED, BELL)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("law", range(4))
def test_information_is_the_integral_over_x_and_z(law, place):
    density = DENSITIES[(law + place) % 3]
    made = operator(LAWS[law], PLACES[place])
    found = information(made, density).mutual
    assert float(found.lo) == pytest.approx(quadrature(made, density), rel=2e-7)
    assert found.width < found.lo / 10**8


@pytest.mark.parametrize(
    ("noise", "ends", "density"),
    [
        ("uniform(-15, 20)", (-5, 140), BELL),  # outputs stop before the window does
        ("triangular(-130, 130)", (40, 60), TWO),  # most outputs are drawn again
        ("normal(40)", (120, 150), MIXED),  # no x lies in the window
        ("laplace(10)", (40, 50), MIXED),
    ],
)
def test_windows_of_other_kinds(noise, ends, density):
    made = operator(noise, Window("truncated", F(ends[0]), F(ends[1])))
    found = information(made, density).mutual
    assert float(found.lo) == pytest.approx(quadrature(made, density), rel=2e-7)
    assert found.width < found.lo / 10**8


def test_nothing_is_told_where_every_input_sends_the_same():
    flat = information(operator("uniform(-200, 200)", CUT), BELL)
    assert flat.mutual.lo == flat.loss.lo == 0
    assert flat.loss.hi < F(1, 10**12)


# AA01: data of variance 1 (uniform on [-sqrt 3, sqrt 3], here scaled to [-1, 1]; normal) and noise
# of so many standard deviations: privacy loss 1 - e^-I.
TABLE = {
    ("uniform", "uniform"): (0.7087, 0.3819, 0.2507),
    ("uniform", "normal"): (0.6550, 0.2778, 0.1339),
    ("normal", "uniform"): (0.6798, 0.3433, 0.2230),
    ("normal", "normal"): (0.6181, 0.2216, 0.0999),
}


WIDE = Reals(F(-4), F(4))
# The normal law with Pi(X) = 2, as the uniform one on [-1, 1] has: sd^2 = 2/(pi e).
SAME = F("0.4839414490")
DATA = {
    "uniform": Density(WIDE, (Flat(F(1), F(-1), F(1)),)),
    "normal": Density(WIDE, (Bell(F(1), F(0), Normal(SAME), F(-4), F(4)),)),
}
ROOT_3 = F("1.7320508075688772")


@pytest.mark.parametrize(("data", "noise"), TABLE)
def test_the_table_of_aa01(data, noise):
    for sd, printed in zip(("0.2", "0.6", "1"), TABLE[data, noise], strict=True):
        end = F(sd) * ROOT_3
        law = Normal(F(sd)) if noise == "normal" else Uniform(-end, end)
        loss = information(ContinuousOperator(WIDE, law), DATA[data]).loss
        assert abs(float(loss.lo) - printed) < 6e-5
        assert loss.width < F(1, 10**6)


def test_pi_is_the_length_of_a_uniform_law():
    found = information(operator("laplace(10)"), Density(AGE, (Flat(F(1), F(0), F(50)),)))
    assert found.privacy.lo == found.privacy.hi == 50
    assert found.left.hi < 50
    assert float(found.loss.lo) == pytest.approx(1 - float(found.left.lo) / 50)


@pytest.mark.parametrize(
    ("error", "highest", "length", "known"),
    [(2**-30, 1.0, 1.0, True), (2**-10, 64.0, 64.0, False), (2**-30, 2**-30, 1.0, False)],
)
def test_an_error_of_densities_is_bounded_only_where_the_theorem_says_so(
    error, highest, length, known
):
    """Small in all, and beside the highest density; then |p ln p - q ln q| is below the bound."""
    if not known:
        with pytest.raises(NotEnclosed):
            slip(arb(error), arb(highest), arb(length))
        return
    bound = float(slip(arb(error), arb(highest), arb(length)).upper())
    for p in np.linspace(error, highest, 50):  # moved by the error everywhere on the length
        moved = p - error / length
        change = abs(p * np.log(p) - (moved * np.log(moved) if moved > 0 else 0.0)) * length
        assert change <= bound
