"""Set-ups of AA01's experiments: what the paper says, and what it leaves open, by name.

The paper does not say which cells, which domain and which stopping rule were used. `support` has
cells of width 1/5 where x is (for normal x: within three standard deviations) and stops as
Agrawal and Srikant do: it was kept because the paper's losses of uniform x lie within its range,
which is so in 4 of 25 set-ups that were tried (benchmarks/reconstruction.py). `wide` has them on
twice that domain, or so, and stops by gain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.noises.named import Noise, Normal, Uniform
from ppdm_formal.infer.reals.bins import Bins, bin_places, bins_per_cell
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import Method, design, explained
from ppdm_formal.infer.reals.iterate import Ended, iterate
from ppdm_formal.infer.reals.loss import information_loss
from ppdm_formal.infer.reals.privacy import reach
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Channel, Floats

SAMPLE = 500
"""Records of a sample, as in the paper."""

SD = Fraction(math.sqrt(2 / (math.pi * math.e))).limit_denominator(10**9)
"""Normal data have the privacy of uniform data on an interval of length 2: variance 2/(pi e)."""

DATA: dict[str, Noise] = {
    "uniform": Uniform(Fraction(-1), Fraction(1)),
    "normal": Normal(SD),
}
"""The two distributions of x, around 0."""


@dataclass(frozen=True)
class SetUp:
    """Domain and cells for each kind of data, and a stopping rule."""

    name: str
    words: str
    half: dict[str, Fraction]
    width: Fraction
    rule: Rule

    def cells(self, data: str, centre: Fraction = Fraction(0)) -> Partition:
        """The cells for a kind of data around some point."""
        half = self.half[data]
        return Partition(centre - half, centre + half, math.ceil(2 * half / self.width))


SUPPORT = SetUp(
    "support",
    "cells of width 1/5 on the support of x (normal x: -1.5..1.5), stop: chi-square 1%; chosen "
    "of 25 because the paper's losses of uniform x lie within its range",
    {"uniform": Fraction(1), "normal": Fraction(3, 2)},
    Fraction(1, 5),
    Rule("chi2", 0.01),
)
WIDE = SetUp(
    "wide",
    "cells of width 1/5 on twice the support of x (normal x: -3..3), stop: gain below 0.5 nats",
    {"uniform": Fraction(2), "normal": Fraction(3)},
    Fraction(1, 5),
    Rule("gain", 0.5),
)
SETUPS = (SUPPORT, WIDE)


@dataclass(frozen=True)
class Experiment:
    """x of a law around a centre, plus noise, in samples; one design serves all samples."""

    data: str
    noise: Noise
    cells: Partition
    method: Method
    centre: float = 0.0
    _design: tuple[Bins, Channel] = field(init=False)

    def __post_init__(self) -> None:
        per = bins_per_cell(self.cells) if self.method == "em" else 1
        low, high = reach(self.noise)
        law = DATA[self.data]
        start, end = reach(law)
        width = self.cells.width / per
        offset = float(self.cells.lo)
        first = math.floor((min(offset, start + self.centre) + low - offset) / width) - 1
        last = math.ceil((max(float(self.cells.hi), end + self.centre) + high - offset) / width) + 1
        bins = Bins(self.cells, per, first, np.zeros(last - first))
        object.__setattr__(self, "_design", (bins, design(bins, self.noise, self.method)))

    def density(self, at: Floats) -> Floats:
        """Of x."""
        return DATA[self.data].pdf(at - self.centre)

    def sample(self, size: int, seed: Sequence[int]) -> Floats:
        """z, by a seeded generator."""
        random = np.random.default_rng(seed)
        x = DATA[self.data].drawn(size, random) + self.centre
        return np.asarray(x + self.noise.drawn(size, random))

    def reconstructed(self, z: Floats, rule: Rule) -> Ended:
        """Where the iterations end; z that no cell reaches are left out."""
        bins, channel = self._design
        places = bin_places(z, self.cells, bins.per_cell) - bins.first
        counts = np.bincount(places, minlength=len(bins.counts)).astype(np.float64)
        return iterate(channel, explained(bins.with_counts(counts), channel)[0].counts, rule)

    def loss(self, masses: Floats) -> float:
        """Half the L1 distance to the density of x."""
        return information_loss(self.density, self.cells, masses)

    def losses(self, size: int, rule: Rule, repetitions: int, seed: int = 1) -> Floats:
        """The loss of each sample."""
        ends = (
            self.reconstructed(self.sample(size, (seed, size, k)), rule) for k in range(repetitions)
        )
        return np.array([self.loss(ended.masses) for ended in ends])


def perturbation(kind: str, deviation: Fraction | float) -> Noise:
    """Uniform or normal noise of a standard deviation."""
    if kind == "normal":
        return Normal(Fraction(deviation).limit_denominator(10**9))
    half = Fraction(math.sqrt(3) * float(deviation)).limit_denominator(10**9)
    return Uniform(-half, half)
