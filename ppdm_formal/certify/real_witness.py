"""Witnesses of breaches of continuous operators: as numbers, and as a certificate tells them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.belief import Atom

Way: TypeAlias = Literal["upward", "downward"]
"""In a downward breach the belief in the complement rises."""

Side: TypeAlias = Literal["top", "bottom"]


@dataclass(frozen=True)
class ToldApart:
    """Two inputs, and outputs that are far likelier from one than from the other.

    at: one output, all from z on to the end of their side, or none but in the limit.
    """

    side: Side
    likely: Fraction
    unlikely: Fraction
    at: Literal["atom", "from", "limit"]
    z: Fraction | None
    direction: Way | None = None

    def to_json(self) -> dict[str, Any]:
        """As a certificate tells it."""
        way = {} if self.direction is None else {"direction": self.direction}
        return {
            "side": self.side,
            "likely": number_text(self.likely),
            "unlikely": number_text(self.unlikely),
            "at": self.at,
            "z": None if self.z is None else number_text(self.z),
            **way,
        }


@dataclass(frozen=True)
class TakenFar:
    """Outputs that take a belief too far: from low to high, one atom, or the further out they lie.

    about: the property, where a claim about every property leaves it open. parts: into how many
    cells pieces of the density were cut to prove it.
    """

    direction: Way
    parts: int = 0
    atom: Atom | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    limit: Side | None = None
    about: RealProperty | None = None

    def to_json(self) -> dict[str, Any]:
        """As a certificate tells it."""
        told: dict[str, Any] = {"direction": self.direction}
        if self.limit is not None:
            told["limit"] = self.limit
        else:
            ends = {"low": self.low, "high": self.high}
            told |= {"parts": self.parts, "atom": self.atom}
            told |= {key: None if z is None else number_text(z) for key, z in ends.items()}
        if self.about is not None:
            told["property"] = [[number_text(z) for z in part] for part in self.about.intervals]
        return told


RealWitness: TypeAlias = ToldApart | TakenFar


def breached(words: str, kind: Literal["extremes", "cells"], witness: RealWitness) -> Finding:
    """A breach with its witness."""
    return Finding(Verdict.BREACHED, words, {"kind": kind}, told=witness)
