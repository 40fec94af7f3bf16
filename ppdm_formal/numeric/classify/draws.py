"""Simulated noise: seeded draws in floating point, for experiments; they protect nobody."""

from __future__ import annotations

import numpy as np

from ppdm_formal.numeric.channel import Floats
from ppdm_formal.numeric.noise import Laplace, Noise, Normal, Triangular, Uniform


def simulated(noise: Noise, count: int, random: np.random.Generator) -> Floats:
    """So many draws."""
    match noise:
        case Uniform():
            return random.uniform(float(noise.lo), float(noise.hi), count)
        case Triangular():
            return random.triangular(float(noise.lo), float(noise.center), float(noise.hi), count)
        case Normal():
            return random.normal(0.0, float(noise.deviation), count)
        case Laplace():
            return random.laplace(0.0, float(noise.scale), count)
    raise ValueError(f"no way to simulate {noise}")
