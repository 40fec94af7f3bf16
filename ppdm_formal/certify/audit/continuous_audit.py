"""The audit of continuous operators: their measures, posteriors and claims, as typed results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeVar

from ppdm_formal.certify.audit.audited import ClaimDecided, ClaimStarted, Event, OperatorAudited
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.real_occurrence import real_occurrence
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import Measured
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.language.model import Model, RealAudit
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.analytic import NotEnclosed
from ppdm_formal.derive.reals.belief import Belief
from ppdm_formal.derive.reals.breaching import Breaching
from ppdm_formal.derive.reals.extremes import Extreme, most_extreme
from ppdm_formal.derive.reals.privacy import DensityInformation, information
from ppdm_formal.derive.reals.search import highest, probabilities
from ppdm_formal.derive.reals.worst_case import WorstOutput, worst_case

Kind = TypeVar("Kind")

CONFIDENCES = (Fraction(1, 2), Fraction(95, 100), Fraction(999, 1000))
"""For which the shortest interval of the noise is told (Evf02 section 2)."""

_PARTS = 12
"""Cells of a piece where weights vary: enough to tell a probability to a percent or so."""


@dataclass(frozen=True)
class RealPosterior:
    """A property before and after; given is None where the worst outputs were searched for.

    which: "highest" or "lowest" then. after is None where the output cannot occur, or where
    nothing was found in time.
    """

    density: Density
    property: RealProperty
    given: Fraction | None
    before: Enclosure
    after: Enclosure | None
    which: str | None = None


@dataclass(frozen=True)
class DensityMeasures:
    """The measures under one density; None where they were not computed, and why."""

    density: Density
    information: DensityInformation | None
    why_not: str = ""
    worst: WorstOutput | None = None
    """The most that one output tells."""


@dataclass(frozen=True)
class ContinuousAudit:
    """What was found of one continuous operator."""

    operator: ContinuousOperator
    amplification: Extreme
    widths: tuple[tuple[Fraction, Enclosure], ...]
    measures: tuple[DensityMeasures, ...]
    posteriors: tuple[RealPosterior, ...]
    certificates: tuple[Certificate[ContinuousOperator], ...]
    often: tuple[Breaching | None, ...]
    """For each certificate, how often outputs breach; None where that is not computed."""

    @property
    def epsilon(self) -> Measured:
        """The logarithm of the amplification."""
        return self.amplification.epsilon


def requests(model: Model) -> list[RealAudit]:
    """The audits of continuous operators, one each; all of them where the model audits none."""
    real = model.real
    if not model.audits and not real.audits:
        return [RealAudit(operator) for operator in real.operators.values()]
    asked: dict[str, RealAudit] = {}
    for part in real.audits:
        before = asked.get(part.operator.name)
        if before is not None:
            part = RealAudit(
                part.operator,
                tuple(dict.fromkeys((*before.densities, *part.densities))),
                tuple(dict.fromkeys((*before.properties, *part.properties))),
                tuple(dict.fromkeys((*before.given, *part.given))),
                (*before.claims, *part.claims),
            )
        asked[part.operator.name] = part
    return list(asked.values())


def widths(operator: ContinuousOperator) -> tuple[tuple[Fraction, Enclosure], ...]:
    """How long the shortest intervals are that hold the noise with these confidences."""
    return tuple((c, operator.noise.shortest(c)) for c in CONFIDENCES)


def measured(request: RealAudit, deadline: Deadline) -> Iterator[DensityMeasures]:
    """Entropy, mutual information and worst-case information under each density."""
    for density in request.densities:
        why: list[str] = []
        found = _within(deadline, partial(information, request.operator, density), why)
        search = partial(worst_case, request.operator, density, deadline)
        worst = _within(deadline, search, why)
        yield DensityMeasures(density, found, "; ".join(dict.fromkeys(why)), worst)


def _within(deadline: Deadline, compute: Callable[[], Kind], why: list[str]) -> Kind | None:
    """A measure, or None and why it is not known."""
    try:
        deadline.check()
        return deadline.enforce(compute)
    except NotEnclosed as problem:
        why.append(str(problem))
    except DeadlinePassed:
        why.append("time limit")
    return None


def posteriors(request: RealAudit, deadline: Deadline) -> Iterator[RealPosterior]:
    """Each property after each given output, and the highest and lowest over all outputs."""
    operator = request.operator
    for density, property in product(request.densities, request.properties):
        before = density.mass(property)
        certain = before.hi == 0 or before.lo == 1
        belief = Belief(operator, density, property, _PARTS) if not certain else None
        for z in request.given:
            after = before if belief is None else _given(belief, z)
            yield RealPosterior(density, property, z, before, after)
        if belief is None:
            continue
        for which, about in (("highest", property), ("lowest", property.complement)):
            found = None
            try:
                deadline.check()
                one = Belief(operator, density, about, _PARTS)
                found = deadline.enforce(lambda: highest(one, deadline))  # noqa: B023
            except DeadlinePassed:
                pass
            after = None if found is None else Enclosure(*found)
            if after is not None and which == "lowest":
                after = Enclosure(1 - after.hi, 1 - after.lo)
            yield RealPosterior(density, property, None, before, after, which)


def _given(belief: Belief, z: Fraction) -> Enclosure | None:
    """The property's probability given one output; at the end of a clamped window, that atom."""
    window = belief.operator.window
    odds = None
    if window is not None and window.kind == "clamped" and z in (window.lo, window.hi):
        odds = belief.atom_odds("lo" if z == window.lo else "hi")
    if odds is None:
        odds = belief.odds(z)
    return None if odds is None else Enclosure(*probabilities(odds))


def _often(certificate: Certificate[ContinuousOperator], deadline: Deadline) -> Breaching | None:
    try:
        return deadline.enforce(lambda: real_occurrence(certificate, deadline))
    except DeadlinePassed:
        return None


def continuous_events(
    request: RealAudit,
    claims: Sequence[Claim],
    decide: Callable[..., Certificate[ContinuousOperator]],
    seconds: Callable[[], float],
) -> Iterator[Event]:
    """What is found of one operator, step by step; seconds: how many the next step has."""
    operator = request.operator
    deadline = Deadline.after(seconds())
    measures = tuple(measured(request, deadline))
    rows = tuple(posteriors(request, deadline))
    certificates, often = [], []
    for claim in (*request.claims, *claims):
        yield ClaimStarted(operator, claim)
        limit = seconds()
        deadline = Deadline.after(limit)
        certificates.append(decide(operator, claim, timeout=limit))
        often.append(_often(certificates[-1], deadline))
        yield ClaimDecided(operator, certificates[-1])
    yield OperatorAudited(
        ContinuousAudit(
            operator,
            most_extreme(operator),
            widths(operator),
            measures,
            rows,
            tuple(certificates),
            tuple(often),
        )
    )
