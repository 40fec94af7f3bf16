"""Finding: what a decider found out about a claim, before it becomes a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, TypeAlias

EXACTLY = "re-checked exactly"
"""The trust of evidence that rational arithmetic verifies."""


class Verdict(Enum):
    """certified, breached or unknown. A verdict has no truth value: unknown is neither."""

    CERTIFIED = "certified"
    BREACHED = "breached"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value: compare it with Verdict.CERTIFIED")


@dataclass(frozen=True)
class Enclosed:
    """A number known to lie between lo and hi."""

    lo: Fraction
    hi: Fraction


Threshold: TypeAlias = Fraction | Enclosed | None


@dataclass(frozen=True)
class Thresholds:
    """The claim holds exactly for rho2 > rho2_above and for rho1 < rho1_below (None: for none)."""

    rho2_above: Threshold
    rho1_below: Threshold


@dataclass(frozen=True)
class WitnessPart:
    """How many inputs of a class have the property, and the prior's mass on them and the others.

    The masses are None where the claim names the prior.
    """

    index: int
    inside: int
    mass_inside: Fraction | None = None
    mass_outside: Fraction | None = None


@dataclass(frozen=True)
class BreachWitness:
    """A prior, a property and an output with a breach: P[Q] = before, P[Q | y] = after."""

    direction: Literal["upward", "downward"]
    view: int
    parts: tuple[WitnessPart, ...]
    before: Fraction
    after: Fraction
    parameters: Mapping[str, Fraction] | None = None


@dataclass(frozen=True)
class BoundWitness:
    """The view that breaks a bound; for amplification the two classes and their ratio as well.

    The ratio is None where it is infinite.
    """

    view: int
    likely: int | None = None
    unlikely: int | None = None
    value: Fraction | None = None
    parameters: Mapping[str, Fraction] | None = None


@dataclass(frozen=True)
class Question:
    """A question put to a solver, as SMT-LIB 2 text, and its answer."""

    text: str
    solver: str
    answer: str


@dataclass(frozen=True)
class Finding:
    """A verdict with its evidence (as JSON), its witness, and one sentence that says why."""

    verdict: Verdict
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    witness: BreachWitness | BoundWitness | None = None
    thresholds: Thresholds | None = None
    region: Mapping[str, Any] | None = None
    questions: tuple[Question, ...] = ()
    trust: str = EXACTLY


class InconsistentConstraints(ValueError):
    """No prior satisfies the constraints of a claim, so that it would hold of anything."""


def clipped_above(raw: Fraction, rho1: Fraction) -> Fraction | None:
    """The threshold rho2_above from its raw value: at least rho1, none from 1 on."""
    return None if raw >= 1 else max(raw, rho1)


def clipped_below(raw: Fraction, rho2: Fraction) -> Fraction | None:
    """The threshold rho1_below from its raw value: at most rho2, none from 0 down."""
    return None if raw <= 0 else min(raw, rho2)
