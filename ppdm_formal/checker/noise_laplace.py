"""Laplace noise: its density falls by one factor a unit, on both sides of 0."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .exponential import e_to
from .limits import ONE, ZERO
from .noise import Noise, read_scale
from .spans import Span, exp_span


@dataclass(frozen=True)
class Laplace(Noise):
    """Of a scale."""

    kind, settles = "laplace", True
    scale: Fraction

    @classmethod
    def read(cls, numbers: list[Fraction]) -> Laplace:
        """Its scale."""
        return cls(read_scale(numbers))

    def density(self, v: Fraction) -> Any:
        """Exactly."""
        return e_to(-abs(v) / self.scale) / (2 * self.scale)

    def below(self, v: Fraction) -> Any:
        """The distribution, exactly."""
        tail = e_to(-abs(v) / self.scale) / 2
        return tail if v < 0 else 1 - tail

    def log_ratio(self, one: Fraction, other: Fraction) -> Fraction:
        """The logarithm of one density by another."""
        return (abs(other) - abs(one)) / self.scale

    def in_proportion(self, one: Fraction, other: Fraction) -> tuple[Any, Any]:
        """Two densities up to a common factor."""
        return e_to(self.log_ratio(one, other)), ONE

    def constant(self, one: Fraction, other: Fraction) -> bool:
        """On one side of the peak, both densities fall by the same factor."""
        return one > 0 or other <= 0

    def height(self, v: Fraction, bits: int) -> Span:
        """The density."""
        low, high = exp_span(-abs(v) / self.scale, bits)
        return low / (2 * self.scale), high / (2 * self.scale)

    def distribution(self, v: Fraction, bits: int) -> Span:
        """The distribution."""
        low, high = exp_span(-abs(v) / self.scale, bits)
        return (low / 2, high / 2) if v < 0 else (1 - high / 2, 1 - low / 2)

    def integral(self, v: Fraction, bits: int) -> Span:
        """The integral of the distribution up to v."""
        low, high = exp_span(-abs(v) / self.scale, bits)
        rest = max(v, ZERO)
        return rest + self.scale * low / 2, rest + self.scale * high / 2
