"""Uniform noise: every number between two ends is as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.noises.noise import Floats, LinePiece
from ppdm_formal.declare.noises.of_lines import OfLines


@dataclass(frozen=True)
class Uniform(OfLines):
    """f = 1/(hi - lo) between lo and hi."""

    name: ClassVar[str] = "uniform"
    example: ClassVar[str] = "uniform(-1, 1)"

    @cached_property
    def lines(self) -> tuple[LinePiece, ...]:
        """One, which is level."""
        height = 1 / (self.hi - self.lo)
        return (LinePiece(self.lo, self.hi, height, height),)

    def mirrored(self) -> Uniform:
        """Ends swapped."""
        return Uniform(-self.hi, -self.lo)

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """By NumPy."""
        return random.uniform(float(self.lo), float(self.hi), count)

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """A line between the ends."""
        v = np.asarray(values, dtype=np.float64)
        lo, hi = float(self.lo), float(self.hi)
        return np.clip((v - lo) / (hi - lo), 0.0, 1.0)

    def shortest(self, confidence: Fraction) -> Enclosure:
        """The share c of (hi - lo), exactly."""
        super().shortest(confidence)
        return Enclosure.exactly(confidence * (self.hi - self.lo))
