"""Audit: everything that a model asks of its operators, measured and decided.

The result holds the exact values; the reports (terminal, JSON and others) only render it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from ppdm_formal.claim import Claim
from ppdm_formal.language.errors import ModelError
from ppdm_formal.language.model import Audit, Model
from ppdm_formal.measures.amplification import Amplification, disclosed
from ppdm_formal.measures.dependence import Dependence
from ppdm_formal.measures.discovery import all_measures
from ppdm_formal.measures.event_dependence import EventDependence, event_dependence
from ppdm_formal.measures.information import Information
from ppdm_formal.measures.local_dp import LocalDP
from ppdm_formal.measures.parts_cost import PartsCost, not_measured, parts_cost
from ppdm_formal.measures.posterior import posterior, worst_posterior
from ppdm_formal.measures.record import Asked, CannotCompute, Measure, NotComputed, Reading
from ppdm_formal.measures.vulnerability import Capacity, Vulnerability
from ppdm_formal.namesake import called_as_its_function
from ppdm_formal.numbers.deadline import NEVER, Deadline, DeadlinePassed
from ppdm_formal.numbers.enclosure import DIGITS, Unit
from ppdm_formal.numbers.exact import Exact
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numbers.value import Measured
from ppdm_formal.operator.domain import Value
from ppdm_formal.operator.matrix import TooLarge
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.outside import Reading as MatrixReading
from ppdm_formal.operator.parts import Parts
from ppdm_formal.operator.prior import Prior, Property

if TYPE_CHECKING:
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.certify.continuous_certificate import ContinuousCertificate
    from ppdm_formal.continuous_audit import ContinuousAudit
    from ppdm_formal.language.model import RealAudit
    from ppdm_formal.numeric.continuous.additive import ContinuousOperator

Kind = TypeVar("Kind")
Found: TypeAlias = Reading | NotComputed

_INFORMATION = (
    "mutual_information",
    "worst_case_information",
    "inverse_worst_case_information",
)

HOLDS, BREACH, BAD_INPUT, UNKNOWN, REJECTED, INTERNAL = range(6)
"""Exit codes of every command."""

EXIT_CODES = {"certified": HOLDS, "breached": BREACH, "unknown": UNKNOWN}
PARTS_CODES = {"holds": HOLDS, "fails": BREACH, "unknown": UNKNOWN}


def worst_exit(codes: Sequence[int]) -> int:
    """The exit code where several apply: 5, then 2, 4, 1, 3."""
    return next((code for code in (5, 2, 4, 1, 3) if code in codes), HOLDS)


@dataclass(frozen=True)
class PosteriorRow:
    """A property before and after an output; after is None where the output cannot occur.

    worst is "highest" or "lowest" where the output was searched for, None where it was given.
    """

    prior: Prior
    property: Property
    given: Value
    before: Exact
    after: Exact | None
    worst: str | None = None


@dataclass(frozen=True)
class PriorMeasures:
    """The measures under one prior, in the order of discovery."""

    prior: Prior
    readings: tuple[Found, ...]

    @property
    def information(self) -> Information | None:
        """I, I_w and J_w together; None where they were not computed."""
        found = {reading.measure.name: reading for reading in _taken(self.readings)}
        if not found.keys() >= set(_INFORMATION):
            return None
        mutual = found["mutual_information"]
        assert mutual.unit is not None
        return Information(
            mutual.unit,
            *(found[name].result for name in _INFORMATION),
        )

    @property
    def dependence(self) -> Dependence | None:
        """Epsilon-dependence."""
        return _result(self.readings, "dependence", Dependence)

    @property
    def vulnerability(self) -> Vulnerability | None:
        """The best guess, where no parameter is free."""
        return _result(self.readings, "vulnerability", Vulnerability)


@dataclass(frozen=True)
class OperatorAudit:
    """What was found of one operator: its measures for all priors, under priors, and its claims."""

    operator: Operator
    views: int | None
    readings: tuple[Found, ...]
    priors: tuple[PriorMeasures, ...]
    posteriors: tuple[PosteriorRow, ...]
    certificates: tuple[Certificate, ...]
    posteriors_missing: int = 0
    """How many posteriors were not computed within the limits."""
    posteriors_limit: Literal["time limit", "size limit"] = "time limit"
    events: tuple[EventDependence, ...] = ()
    """Dependence of each property, for all priors and under each; not those limits kept away."""

    @property
    def amplification(self) -> Amplification | None:
        """The amplification; None where the time was over."""
        return _result(self.readings, "amplification", Amplification)

    @property
    def gain(self) -> Measured | None:
        """The amplification's value."""
        return None if self.amplification is None else self.amplification.value

    @property
    def disclosed(self) -> Amplification | None:
        """The amplification; of a rounded matrix the greatest of all that it may be."""
        return self.amplification and disclosed(self.operator, self.amplification)

    @property
    def local_dp(self) -> LocalDP | None:
        """Its logarithm."""
        return _result(self.readings, "epsilon", LocalDP)

    @property
    def capacity(self) -> Capacity | None:
        """Min-entropy capacity, where no parameter is free and probabilities are known."""
        return _result(self.readings, "min_entropy_capacity", Capacity)


def _taken(readings: Iterable[Found]) -> Iterator[Reading]:
    return (reading for reading in readings if isinstance(reading, Reading))


def _result(readings: Iterable[Found], name: str, kind: type[Kind]) -> Kind | None:
    found = next((r.result for r in _taken(readings) if r.measure.name == name), None)
    return found if isinstance(found, kind) else None


@dataclass(frozen=True)
class AuditResult:
    """What was found of every audited operator of a model."""

    model: Model
    unit: Unit
    operators: tuple[OperatorAudit, ...]
    parts: tuple[PartsCost, ...] = ()
    continuous: tuple[ContinuousAudit, ...] = ()

    @property
    def exit_code(self) -> int:
        """0: every claim holds; 1: a breach; 3: a claim is undecided, or says nothing."""
        return self.exit_code_if(allow_vacuous=False)

    def exit_code_if(self, *, allow_vacuous: bool) -> int:
        """The same; with allow_vacuous, claims that say nothing count as claims that hold."""
        found: list[Certificate | ContinuousCertificate] = []
        for operator in self.operators:
            found += operator.certificates
        for continuous in self.continuous:
            found += continuous.certificates
        silent = [UNKNOWN for c in found if c.says_nothing and not allow_vacuous]
        parts = [PARTS_CODES[verdict] for one in self.parts for _, verdict in one.verdicts]
        return worst_exit([EXIT_CODES[c.verdict.value] for c in found] + silent + parts)

    def to_pandas(self) -> Any:
        """A frame with a row for each claim: operator, claim, verdict, whether it says nothing."""
        import pandas as pd

        rows = [
            {
                "operator": found.operator.name,
                "claim": str(one.claim),
                "verdict": one.verdict.value,
                "vacuous": one.vacuous,
                "reason": one.reason,
            }
            for found in self.operators
            for one in found.certificates
        ]
        return pd.DataFrame(rows, columns=["operator", "claim", "verdict", "vacuous", "reason"])

    def __repr__(self) -> str:
        found = [c for operator in self.operators for c in operator.certificates]
        counts = Counter("saying nothing" if c.says_nothing else c.verdict.value for c in found)
        said = [f"{count} {word}" for word, count in counts.items()]
        return f"<Audit of {PurePath(self.model.file).name}: {', '.join(said) or 'no claims'}>"

    def _repr_html_(self) -> str:
        from ppdm_formal.report.formats.notebook import audit_html

        return audit_html(self)


@dataclass(frozen=True)
class OperatorStarted:
    """The next operator is begun: the position-th of so many."""

    operator: Operator | ContinuousOperator
    position: int
    operators: int


@dataclass(frozen=True)
class MeasureTaken:
    """A measure was computed, or was not."""

    operator: Operator
    found: Found


@dataclass(frozen=True)
class ClaimStarted:
    """A claim is about to be decided."""

    operator: Operator | ContinuousOperator
    claim: Claim


@dataclass(frozen=True)
class ClaimDecided:
    """A claim was decided, or stayed unknown."""

    operator: Operator | ContinuousOperator
    certificate: Certificate | ContinuousCertificate


@dataclass(frozen=True)
class OperatorAudited:
    """All that was found of one operator."""

    found: OperatorAudit | ContinuousAudit


Event: TypeAlias = OperatorStarted | MeasureTaken | ClaimStarted | ClaimDecided | OperatorAudited


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
    asked_of = [request.claims for request in requests] + [request.claims for request in real]
    steps = sum(1 + len(asked) + len(claims) for asked in asked_of)

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
        for claim in (*request.claims, *claims):
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
            )
        )
    for position, part in enumerate(real, start=len(requests) + 1):
        yield OperatorStarted(part.operator, position, together)
        yield from _continuous_events(part, model, claims, seconds)


def _continuous_events(
    request: RealAudit, model: Model, claims: Sequence[Claim], seconds: Callable[[], float]
) -> Iterator[Event]:
    """The same for a continuous operator."""
    from ppdm_formal.certify.continuous_certificate import certify_continuous
    from ppdm_formal.continuous_audit import measured, posteriors, summarized

    operator, origin = request.operator, provenance(model)
    deadline = Deadline.after(seconds())
    measures = tuple(measured(request, deadline))
    rows = tuple(posteriors(request, deadline))
    certificates = []
    for claim in (*request.claims, *claims):
        yield ClaimStarted(operator, claim)
        certificates.append(certify_continuous(operator, claim, seconds(), origin))
        yield ClaimDecided(operator, certificates[-1])
    yield OperatorAudited(summarized(request, measures, rows, tuple(certificates)))


def audit(
    model: Model,
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

    claims: further claims, asked of every audited operator. progress: told of every event.
    """
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
    records = [_record(parts, timeout, whole) for parts in model.parts.values()]
    return AuditResult(model, unit, tuple(found), tuple(records), tuple(continuous))


def _record(parts: Parts, timeout: float, whole: Deadline) -> PartsCost:
    def sized() -> PartsCost:
        try:
            return parts_cost(parts)
        except TooLarge:
            return not_measured(parts)

    deadline = Deadline.after(min(timeout, whole.left))
    return _limited(deadline, sized) or not_measured(parts)


def _asks(requests: Sequence[Audit], claims: Sequence[Claim]) -> bool:
    return bool(claims) or any(request.claims for request in requests)


def _confirmer(timeout: float) -> Callable[[Certificate], Certificate]:
    from ppdm_formal.certify.confirm import Confirmer

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


def continuous_requests(model: Model) -> list[RealAudit]:
    """The audits of continuous operators; their code is imported where there are some."""
    if not model.real.operators:
        return []
    from ppdm_formal.continuous_audit import requests

    return requests(model)


def _views(operator: Operator, deadline: Deadline) -> int | None:
    """How many views the operator has; None where they are too large to write out."""
    try:
        return _limited(Deadline.after(max(deadline.left, 1)), lambda: len(operator.views()))
    except TooLarge:
        return None


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
    operator: Operator, claim: Claim, model: Model, timeout: float, cross_check: bool
) -> Certificate:
    """Decide a claim of an operator of a model; what the model itself gets wrong is its error."""
    from ppdm_formal.certify import InconsistentConstraints, SolverMissing, certify

    origin = provenance(model)
    try:
        return certify(operator, claim, timeout=timeout, cross_check=cross_check, provenance=origin)
    except (InconsistentConstraints, SolverMissing) as problem:
        raise ModelError(f"{operator.name}: {claim}: {problem}").in_file(model.file) from None


def provenance(model: Model) -> dict[str, object]:
    """Where an operator came from, as certificates record it."""
    return {
        "file": PurePath(model.file).name,
        "sha256": model.sha256,
        "set": {name: number_text(value) for name, value in model.values.items()},
        "files": [{"file": name, "sha256": d} for name, d in sorted(model.csv_files.items())],
        **({} if model.reading == MatrixReading() else {"read": asdict(model.reading)}),
    }


called_as_its_function(__name__)
