"""Triangular noise: the likelier, the nearer to the middle, in straight lines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.noises.noise import Floats, LinePiece
from ppdm_formal.declare.noises.of_lines import OfLines


@dataclass(frozen=True)
class Triangular(OfLines):
    """f rises in a line from lo to the middle, and falls in a line to hi."""

    name: ClassVar[str] = "triangular"
    example: ClassVar[str] = "triangular(-3, 3)"

    @property
    def half(self) -> Fraction:
        """Half its width."""
        return (self.hi - self.lo) / 2

    @cached_property
    def lines(self) -> tuple[LinePiece, ...]:
        """One rises, and one falls."""
        top = 1 / self.half
        up = LinePiece(self.lo, self.center, Fraction(0), top)
        return up, LinePiece(self.center, self.hi, top, Fraction(0))

    def mirrored(self) -> Triangular:
        """Ends swapped."""
        return Triangular(-self.hi, -self.lo)

    def drawn(self, count: int, random: np.random.Generator) -> Floats:
        """By NumPy."""
        return random.triangular(float(self.lo), float(self.center), float(self.hi), count)

    def pdf(self, values: npt.ArrayLike) -> Floats:
        """(half - |v - center|)/half^2."""
        v = np.asarray(values, dtype=np.float64)
        half, center = float(self.half), float(self.center)
        return np.maximum(half - np.abs(v - center), 0.0) / half**2

    def cdf(self, values: npt.ArrayLike) -> Floats:
        """t^2/2 below the middle and 1 - (2 - t)^2/2 above, where t = (v - lo)/half."""
        v = np.asarray(values, dtype=np.float64)
        t = np.clip((v - float(self.lo)) / float(self.half), 0.0, 2.0)
        return np.where(t < 1, t**2 / 2, 1 - (2 - t) ** 2 / 2)
