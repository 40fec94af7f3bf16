"""Integer noise: the laws as identities in exponentials, and frequencies of what is drawn."""

import math
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.run.simulation import Simulation
from ppdm_formal.tables.generate.marginals import discrete_gaussian, discrete_laplace, geometric


@pytest.mark.parametrize("rate", [Fraction(2), Fraction(1, 3), Fraction(2, 7)])
def test_digits_of_a_geometric_number_are_independent_coins(rate):
    """What `geometric` draws, multiplied out exactly: (1 - t) t^g."""
    t = exp_of(-rate)
    digits = max(0, math.ceil(math.log2(max(1.0, float(1 / rate)))))
    for g in range(12):
        chance = Fraction(1)
        for digit in range(digits):
            power = exp_of(-rate * 2**digit)
            chance = chance * ((power if g >> digit & 1 else 1) / (1 + power))
        above = exp_of(-rate * 2**digits)
        chance = chance * above ** (g >> digits) * (1 - above)
        assert chance == (1 - t) * t**g


def frequencies(drawn, law):
    """Every frequency is within five standard errors of its probability."""
    for value, chance in law.items():
        error = math.sqrt(chance * (1 - chance) / len(drawn))
        assert abs(np.mean(drawn == value) - chance) < 5 * error + 1e-12


def test_what_is_drawn():
    count = 40_000
    t = math.exp(-0.25)
    drawn = geometric(Fraction(1, 4), count, Simulation(1))
    frequencies(drawn, {g: (1 - t) * t**g for g in range(20)})
    drawn = discrete_laplace(Fraction(1, 4), count, Simulation(2))
    frequencies(drawn, {z: (1 - t) / (1 + t) * t ** abs(z) for z in range(-15, 16)})
    for variance in (Fraction(1, 2), Fraction(9)):
        drawn = discrete_gaussian(variance, count, Simulation(3))
        weights = {z: math.exp(-z * z / (2 * float(variance))) for z in range(-60, 61)}
        whole = sum(weights.values())
        frequencies(drawn, {z: weights[z] / whole for z in range(-9, 10)})


def test_noise_that_would_not_fit():
    with pytest.raises(ValueError, match="64-bit"):
        geometric(Fraction(1, 1 << 50), 1, Simulation(1))
    with pytest.raises(ValueError, match="64-bit"):
        discrete_gaussian(Fraction(1 << 90), 1, Simulation(1))
