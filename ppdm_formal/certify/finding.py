"""Finding: what a decider found out about a claim, before it becomes a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from ppdm_formal.certify.crowd import CrowdWitness
    from ppdm_formal.certify.parts import Broken
    from ppdm_formal.certify.real_witness import RealWitness
    from ppdm_formal.certify.region import Region
    from ppdm_formal.certify.witness import Concrete
    from ppdm_formal.declare.arithmetic.enclosure import Enclosure
    from ppdm_formal.declare.arithmetic.value import Measured
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.declare.operators.view import View


class Verdict(Enum):
    """certified, breached, partly or unknown. A verdict has no truth value: unknown is neither.

    partly: the claim holds for some values of a free parameter and fails for others; which is
    known exactly (Finding.region).
    """

    CERTIFIED = "certified"
    BREACHED = "breached"
    PARTLY = "partly"
    UNKNOWN = "unknown"

    @property
    def fails(self) -> bool:
        """Whether there is a breach: of some values of a free parameter, if there is one."""
        return self in (Verdict.BREACHED, Verdict.PARTLY)

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value: compare it with Verdict.CERTIFIED")


@dataclass(frozen=True)
class Trust:
    """What must be trusted: the solvers named (with their versions), or nothing.

    unchecked: that the checker has not verified the certificate yet, and why; empty otherwise.
    """

    solvers: tuple[str, ...] = ()
    unchecked: str = ""

    @property
    def exact(self) -> bool:
        """Whether rational arithmetic derives the verdict again, and no solver is trusted."""
        return not self.solvers

    @property
    def earned(self) -> str:
        """As it stands in certificates: what their evidence is worth once it is checked."""
        return "re-checked exactly" if self.exact else f"solver-trusted ({', '.join(self.solvers)})"

    def __str__(self) -> str:
        """As people are told."""
        if not self.unchecked:
            return self.earned
        return self.unchecked + ("" if self.exact else f", {self.earned}")


EXACTLY = Trust()
"""The trust of evidence that rational arithmetic verifies."""


class NoCase(Enum):
    """Why no case can test a claim: no belief beforehand from which it forbids a change.

    Certain: every belief that the claim speaks of is 0 or 1. Elsewhere: some are not, but none
    is where the claim starts (above 0 and at most rho1; downward at least rho2 and below 1).
    """

    CERTAIN = "certain"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Start:
    """A belief from which on a claim would have a case; included: also just there."""

    belief: Fraction
    included: bool


@dataclass(frozen=True)
class Speaks:
    """What would make a claim without a case speak: rho1 from there up, or rho2 down from there."""

    rho1_from: Start | None
    rho2_to: Start | None


Threshold: TypeAlias = "Fraction | Enclosure | None"


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


Case: TypeAlias = BreachWitness | BoundWitness


@dataclass(frozen=True)
class Question:
    """A question put to a solver, as SMT-LIB 2 text, and its answer."""

    text: str
    solver: str
    answer: str


@dataclass(frozen=True)
class Confirmation:
    """What a solver said of a verdict that was decided exactly: who, or why it had no answer."""

    solver: str
    why: str = ""
    disagrees: bool = False


@dataclass(frozen=True)
class Finding:
    """A verdict with its evidence (as JSON), its witness, and one sentence that says why.

    worst: the cases that go furthest, breach or not, where the decider knows them: one for each
    direction (no belief within the claim's start is moved further), or the greatest ratio.
    vacuous: whether no case can test the claim, and no_case why; None where that is not decided.
    tested: values of free parameters at which a case tests it, where cases depend on them.
    speaks: what would make a vacuous claim speak. untested: the direction that has no case, where
    a claim forbids both and the other one has.
    measured: of a bound on a measure, the value; where one output breaks it, that output's.
    confirmation: what a second, independent decision by a solver came to, where one was asked.
    between: of a rounded matrix, one within that keeps the claim, and one that breaks it.
    views: of which the evidence and the witness speak; in_parts: those of each part of a record.
    concrete: the witness on real inputs; instance: its view at the values of free parameters.
    told: the witness of a continuous operator; broken: of a record in parts; event: of a crowd,
    what happens more often than is allowed. clients_from: from how
    many clients on the claim holds, where that is known.
    """

    verdict: Verdict
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    witness: Case | None = None
    thresholds: Thresholds | None = None
    region: Region | None = None
    questions: tuple[Question, ...] = ()
    trust: Trust = EXACTLY
    worst: tuple[Case, ...] = ()
    vacuous: bool | None = False
    no_case: NoCase | None = None
    tested: Mapping[str, Fraction] | None = None
    speaks: Speaks | None = None
    untested: Literal["both", "upward", "downward"] | None = None
    measured: Measured | None = None
    confirmation: Confirmation | None = None
    between: Between | None = None
    views: tuple[View, ...] = ()
    in_parts: Mapping[int, Sequence[View]] = field(default_factory=dict)
    concrete: Concrete | None = None
    instance: View | None = None
    told: RealWitness | None = None
    broken: Broken | None = None
    event: CrowdWitness | None = None
    clients_from: int | None = None


@dataclass(frozen=True)
class Between:
    """Two exact matrices within one rounding: one keeps the claim, the other breaks it.

    holds is None where no such matrix was found.
    """

    holds: Operator | None
    breaks: Operator


class InconsistentConstraints(ValueError):
    """No prior satisfies the constraints of a claim, so that it would hold of anything."""


def clipped_above(raw: Fraction, rho1: Fraction) -> Fraction | None:
    """The threshold rho2_above from its raw value: at least rho1, none from 1 on."""
    return None if raw >= 1 else max(raw, rho1)


def clipped_below(raw: Fraction, rho2: Fraction) -> Fraction | None:
    """The threshold rho1_below from its raw value: at most rho2, none from 0 down."""
    return None if raw <= 0 else min(raw, rho2)
