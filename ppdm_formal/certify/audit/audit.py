"""Audit: everything that a model asks of its operators, measured and decided.

The result holds the exact values (audited.py); reports only render it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from ppdm_formal.certify.audit.audited import (
    AuditResult,
    ClaimDecided,
    ClaimStarted,
    Event,
    Found,
    MeasureTaken,
    OperatorAudit,
    OperatorAudited,
    OperatorStarted,
    PosteriorRow,
    PriorMeasures,
    RecordAudit,
)
from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Unit
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.model import Audit, Model
from ppdm_formal.declare.machine.deadline import NEVER, Deadline, DeadlinePassed
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.outside import MatrixReading as MatrixReading
from ppdm_formal.declare.operators.parts import Parts
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.discovery import all_measures
from ppdm_formal.derive.measures.event_dependence import EventDependence, event_dependence
from ppdm_formal.derive.measures.parts_cost import PartsCost, not_measured, parts_cost
from ppdm_formal.derive.measures.posterior import posterior, worst_posterior
from ppdm_formal.derive.measures.record import Asked, CannotCompute, Measure, NotComputed

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.certify.crowd_table import CrowdTable
    from ppdm_formal.certify.subject import Asked as Claimed
    from ppdm_formal.certify.subject import Sent
    from ppdm_formal.declare.language.model import RealAudit

Kind = TypeVar("Kind")

CROWDS_TIMEOUT = 20
"""Seconds for the tables of what crowds' reports show, at most."""


def audit_events(
    model: Model,
    claims: Sequence[Claim] = (),
    *,
    unit: Unit = "bit",
    digits: int = DIGITS,
    timeout: float = 60,
    cross_check: bool = False,
    confirm: bool = True,
    whole: Deadline = NEVER,
) -> Iterator[Event]:
    """Audit a model step by step: what is found is yielded as soon as it is.

    timeout: seconds for the measures of an operator together, and for each claim. confirm: put
    verdicts that were decided exactly to z3 as well, within a small share of the time. whole: when
    all of it must end; the steps share what is left until then.
    """
    requests, real = gathered(model), continuous_requests(model)
    together = len(requests) + len(real)
    confirmed = _confirmer(timeout) if confirm and _asks(requests, claims) else lambda one: one
    further = {one.operator.name: asked_of(model, one.operator.name, claims) for one in requests}
    every = [(*request.claims, *further[request.operator.name]) for request in requests]
    every += [(*request.claims, *claims) for request in real]
    # Tables of crowds are a step as well.
    steps = sum(1 + len(asked) + any(claim.of_crowd for claim in asked) for asked in every)

    def seconds() -> float:
        """For the next step: a fair share of the time that is left, or a quarter of it."""
        nonlocal steps
        share = max(1 / steps, 1 / 4)
        steps -= 1
        return min(timeout, whole.left * share)

    for position, request in enumerate(requests, start=1):
        operator = request.operator
        yield OperatorStarted(operator, position, together)
        taken: list[MeasureTaken] = []
        deadline = Deadline.after(seconds())
        for found in _measured(request, unit, digits, deadline):
            taken.append(MeasureTaken(operator, found))
            yield taken[-1]
        rows = [_limited(deadline, partial(_sized, row)) for row in _posteriors(request)]
        events = [_limited(deadline, partial(_event, *one)) for one in _events(request)]
        certificates = []
        for claim in (*request.claims, *further[operator.name]):
            yield ClaimStarted(operator, claim)
            certificates.append(confirmed(decide(operator, claim, model, seconds(), cross_check)))
            yield ClaimDecided(operator, certificates[-1])
        readings = [event.found for event in taken]
        yield OperatorAudited(
            OperatorAudit(
                operator,
                _views(operator, deadline),
                tuple(reading for reading in readings if reading.prior is None),
                tuple(
                    PriorMeasures(prior, tuple(r for r in readings if r.prior is prior))
                    for prior in request.priors
                ),
                tuple(row for row in rows if isinstance(row, PosteriorRow)),
                tuple(certificates),
                sum(not isinstance(row, PosteriorRow) for row in rows),
                "size limit" if any(isinstance(row, TooLarge) for row in rows) else "time limit",
                tuple(event for event in events if event is not None),
                _crowds(operator, certificates, seconds, request.priors),
            )
        )
    if real:
        from ppdm_formal.certify.audit.continuous_audit import continuous_events
    for position, part in enumerate(real, start=len(requests) + 1):
        yield OperatorStarted(part.operator, position, together)
        decided = partial(decide, model=model, cross_check=False)
        yield from continuous_events(part, claims, decided, seconds)


def audit(
    model: Model | Operator,
    claims: Sequence[Claim] = (),
    *,
    unit: Unit = "bit",
    digits: int = DIGITS,
    timeout: float = 60,
    cross_check: bool = False,
    confirm: bool = True,
    whole: Deadline = NEVER,
    progress: Callable[[Event], None] = lambda _: None,
) -> AuditResult:
    """Measure every audited operator (all of them where the model audits none) and decide claims.

    An operator that was built in Python is audited as a model of its own. claims: further claims,
    asked of every audited operator. progress: told of every event.
    """
    model = model if isinstance(model, Model) else Model.of(model)
    found: list[OperatorAudit] = []
    continuous: list[ContinuousAudit] = []
    for event in audit_events(
        model,
        claims,
        unit=unit,
        digits=digits,
        timeout=timeout,
        cross_check=cross_check,
        confirm=confirm,
        whole=whole,
    ):
        progress(event)
        if isinstance(event, OperatorAudited):
            if isinstance(event.found, OperatorAudit):
                found.append(event.found)
            else:
                continuous.append(event.found)
    records = [_record(parts, model, timeout, whole) for parts in model.parts.values()]
    return AuditResult(model, unit, tuple(found), tuple(records), tuple(continuous))


def _record(parts: Parts, model: Model, timeout: float, whole: Deadline) -> RecordAudit:
    """A record in parts, measured, and its claims decided."""

    def sized() -> PartsCost:
        try:
            return parts_cost(parts)
        except TooLarge:
            return not_measured(parts)

    deadline = Deadline.after(min(timeout, whole.left))
    cost = _limited(deadline, sized) or not_measured(parts)
    decided = [
        decide(parts, claim, model, max(0, min(timeout, whole.left)), False)
        for claim in parts.claims
    ]
    return RecordAudit(cost, tuple(decided))


def _asks(requests: Sequence[Audit], claims: Sequence[Claim]) -> bool:
    return bool(claims) or any(request.claims for request in requests)


def _confirmer(timeout: float) -> Callable[[Certificate], Certificate]:
    from ppdm_formal.certify.solver.confirm import Confirmer

    confirmer = Confirmer(timeout)
    confirmer.start()
    return confirmer.confirmed


def gathered(model: Model) -> list[Audit]:
    """The audits of a model, one an operator, the requests of several blocks together."""
    if not model.operators and not model.real.operators:
        raise ModelError("the model declares no operator to audit").in_file(model.file)
    asked: dict[str, Audit] = {}
    every = [] if model.real.audits else [Audit(part) for part in model.operators.values()]
    for part in model.audits or every:
        before = asked.get(part.operator.name)
        if before is not None:
            part = Audit(
                part.operator,
                tuple(dict.fromkeys((*before.priors, *part.priors))),
                tuple(dict.fromkeys((*before.properties, *part.properties))),
                tuple(dict.fromkeys((*before.given, *part.given))),
                (*before.claims, *part.claims),
            )
        asked[part.operator.name] = part
    return list(asked.values())


def asked_of(model: Model, operator: str, further: Sequence[Claim]) -> tuple[Claim, ...]:
    """What claims about all clients say of one operator: it hides among those who send alike."""
    if operator not in model.told_apart or not any(claim.of_crowd for claim in further):
        return tuple(further)
    share = model.told_apart[operator]
    if share is None:
        raise ModelError(
            f"{operator}: reports of other sizes or groups do not look like these, and the plan "
            "does not say how many clients send which, so that it is not known among how many one "
            "is hidden"
        ).in_file(model.file)
    return tuple(
        claim if claim.crowd is None else replace(claim, crowd=claim.crowd.part(share))
        for claim in further
    )


def continuous_requests(model: Model) -> list[RealAudit]:
    """The audits of continuous operators; their code is imported where there are some."""
    if not model.real.operators:
        return []
    from ppdm_formal.certify.audit.continuous_audit import requests

    return requests(model)


def _views(operator: Operator, deadline: Deadline) -> int | None:
    """How many views the operator has; None where they are too large to write out."""
    try:
        return _limited(Deadline.after(max(deadline.left, 1)), lambda: len(operator.views()))
    except TooLarge:
        return None


def _crowds(
    operator: Operator,
    certificates: Sequence[Certificate],
    seconds: Callable[[], float],
    priors: Sequence[Prior],
) -> tuple[CrowdTable, ...]:
    """Tables of what crowds' reports show, where claims name crowds."""
    if not any(certificate.claim.of_crowd for certificate in certificates):
        return ()
    from ppdm_formal.certify.crowd_table import crowd_tables

    deadline = Deadline.after(min(CROWDS_TIMEOUT, seconds()))
    return crowd_tables(operator, certificates, deadline, priors)


def _sized(row: Callable[[], PosteriorRow]) -> PosteriorRow | TooLarge:
    try:
        return row()
    except TooLarge as problem:
        return problem


def _limited(deadline: Deadline, compute: Callable[[], Kind]) -> Kind | None:
    """The result, or None where the time is over."""
    try:
        deadline.check()
        return deadline.enforce(compute)
    except DeadlinePassed:
        return None


def _measured(request: Audit, unit: Unit, digits: int, deadline: Deadline) -> Iterator[Found]:
    """Every measure of the operator, then every measure under each prior."""
    operator = request.operator
    if operator.parameters or any(prior.parameters for prior in request.priors):
        import sympy  # noqa: F401  # an import must not be interrupted half-way
    for prior in (None, *request.priors):
        asked = Asked(operator, prior, unit, digits)
        for measure in all_measures():
            if measure.prior == (prior is not None):
                found = _limited(deadline, lambda: _take(measure, asked))  # noqa: B023
                yield found or NotComputed(measure, prior, "time limit")


def _take(measure: Measure, asked: Asked) -> Found:
    try:
        return measure.measure(asked)
    except CannotCompute as problem:
        return NotComputed(measure, asked.prior, problem.reason)
    except TooLarge:
        return NotComputed(measure, asked.prior, "size limit")


def _posteriors(request: Audit) -> Iterator[Callable[[], PosteriorRow]]:
    """Each property after each given output, and after the worst outputs in both directions."""
    for prior, property in product(request.priors, request.properties):
        for output in request.given:
            yield partial(_after, request.operator, prior, property, output)
        if not (request.operator.parameters or prior.parameters):
            yield partial(_worst, request.operator, prior, property, "upward", "highest")
            yield partial(_worst, request.operator, prior, property, "downward", "lowest")


def _events(request: Audit) -> Iterator[tuple[Operator, Property, Prior | None]]:
    """Each property for all priors and under each, where no parameter is free."""
    if not request.operator.parameters and request.operator.within is None:
        for property, prior in product(request.properties, (None, *request.priors)):
            if prior is None or not prior.parameters:
                yield request.operator, property, prior


def _event(operator: Operator, property: Property, prior: Prior | None) -> EventDependence | None:
    try:
        return event_dependence(operator, property, prior)
    except TooLarge:
        return None


def _after(operator: Operator, prior: Prior, property: Property, output: Value) -> PosteriorRow:
    before = prior.mass(property)
    try:
        after = posterior(operator, prior, property, output).after
    except TooLarge:
        raise
    except ValueError:  # the output has probability 0
        after = None
    return PosteriorRow(prior, property, output, before, after)


def _worst(
    operator: Operator,
    prior: Prior,
    property: Property,
    direction: Literal["upward", "downward"],
    word: str,
) -> PosteriorRow:
    worst = worst_posterior(operator, prior, property, direction)
    return PosteriorRow(prior, property, worst.output, worst.before, worst.after, word)


def decide(
    operator: Sent, claim: Claimed, model: Model, timeout: float, cross_check: bool
) -> Certificate[Sent, Claimed]:
    """Decide a claim of an operator of a model; what the model itself gets wrong is its error."""
    from ppdm_formal.certify import InconsistentConstraints, SolverMissing, certify

    origin, about = provenance(model), cast(Any, operator)
    try:
        return certify(operator, claim, timeout=timeout, cross_check=cross_check, provenance=origin)
    except (InconsistentConstraints, SolverMissing) as problem:
        raise ModelError(f"{about.name}: {claim}: {problem}").in_file(model.file) from None


def provenance(model: Model) -> dict[str, object] | None:
    """Where an operator came from, as certificates record it; None: from Python."""
    if not model.sha256:
        return None
    return {
        "file": PurePath(model.file).name,
        "sha256": model.sha256,
        "set": {name: number_text(value) for name, value in model.values.items()},
        "files": [{"file": name, "sha256": d} for name, d in sorted(model.csv_files.items())],
        **({} if model.reading == MatrixReading() else {"read": model.reading.to_json()}),
    }
