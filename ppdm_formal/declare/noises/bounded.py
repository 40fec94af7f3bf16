"""Bounded: noise on an interval, symmetric about its middle."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from ppdm_formal.declare.noises.noise import LARGEST, End, Noise


@dataclass(frozen=True)
class Bounded(Noise):
    """A law on an interval, symmetric about its middle."""

    lo: Fraction
    hi: Fraction

    def __post_init__(self) -> None:
        _check_ends(self)

    @property
    def support(self) -> tuple[End, End]:
        """Its two ends."""
        return self.lo, self.hi

    @classmethod
    def around_zero(cls, size: Fraction) -> Bounded:
        """From -size to size."""
        return cls(-size, size)

    def piece_cdf(self, v: Any, at: Fraction) -> Any:
        """0 and 1 beyond the ends."""
        if at <= self.lo:
            return arb(0)
        return arb(1) if at >= self.hi else self._piece(v, at)

    @abstractmethod
    def _piece(self, v: Any, at: Fraction) -> Any:
        """The same between the ends."""

    @property
    def center(self) -> Fraction:
        """The middle."""
        return (self.lo + self.hi) / 2


def _check_ends(noise: Bounded) -> None:
    if max(abs(noise.lo), abs(noise.hi)) > LARGEST:
        raise ValueError(f"{noise} is beyond what is read: at most 10^30")
    if noise.hi - noise.lo < 1 / LARGEST:
        raise ValueError(f"{noise} needs two ends, the lower one first")
