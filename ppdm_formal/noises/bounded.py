"""Bounded: noise on an interval, symmetric about its middle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.noises.noise import LARGEST, End, Noise


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

    @property
    def center(self) -> Fraction:
        """The middle."""
        return (self.lo + self.hi) / 2


def _check_ends(noise: Bounded) -> None:
    if max(abs(noise.lo), abs(noise.hi)) > LARGEST:
        raise ValueError(f"{noise} is beyond what is read: at most 10^30")
    if noise.hi - noise.lo < 1 / LARGEST:
        raise ValueError(f"{noise} needs two ends, the lower one first")
