"""Entropy privacy: AA01's closed forms and table, and sums over fine cells."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from continuous_cases import AGE, MIXED, NOISES, TWO, WINDOWS, likelihood, masses, operator

from ppdm_formal.numeric.continuous.additive import ContinuousOperator, Window
from ppdm_formal.numeric.continuous.density import Bell, Density, Flat
from ppdm_formal.numeric.continuous.privacy import information
from ppdm_formal.numeric.continuous.reals import Reals
from ppdm_formal.numeric.noise import Normal, Uniform

CLAMPED = (None, Window("clamped", F(0), F(100)), Window("clamped", F(20), F(70)))


def summed(made, density):
    """I(X; Z) by sums over cells of x and z."""
    xs = np.linspace(0, 100, 801)[:-1] + 100 / 1600
    weights = masses(density, xs)
    lo, hi = made.outputs
    start, end = -250.0 if lo is None else float(lo), 350.0 if hi is None else float(hi)
    zs, step = np.linspace(start, end, 3001, retstep=True)
    table = likelihood(made, xs, (zs[1:] + zs[:-1]) / 2)
    inner = slice(1, -1) if table.shape[1] > 3000 else slice(None)
    table[:, inner] *= step
    whole = weights @ table
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where((table > 0) & (whole > 0), table * np.log(table / whole), 0)
    return float(weights @ terms.sum(axis=1))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("window", CLAMPED)
def test_information_is_the_sum_over_cells(noise, window):
    found = information(operator(noise, window), TWO).mutual
    assert found.width < F(1, 10**5)
    assert float(found.lo) == pytest.approx(summed(operator(noise, window), TWO), abs=2e-3)


@pytest.mark.parametrize("noise", NOISES[:3])
@pytest.mark.parametrize("window", WINDOWS[:2])
def test_a_mixture_with_a_normal_law(noise, window):
    made = operator(noise, window)
    found = information(made, MIXED).mutual
    assert found.width < F(1, 10**5)
    assert float(found.lo) == pytest.approx(summed(made, MIXED), abs=2e-3)


@pytest.mark.parametrize("noise", ["laplace(50)", "normal(40)"])
def test_outputs_that_are_drawn_again_are_bounded(noise):
    made = operator(noise, WINDOWS[2])
    found = information(made, TWO).mutual
    tried = summed(made, TWO)
    assert float(found.lo) <= tried <= float(found.hi)
    assert float(found.width) < tried


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
