"""What an audit finds: typed results that reports only render, and events that announce them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar

from ppdm_formal.declare.arithmetic.enclosure import Unit
from ppdm_formal.declare.arithmetic.exact import Exact
from ppdm_formal.declare.arithmetic.value import Measured
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.language.model import Model
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.parts import Parts, PartsClaim
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.result import Result
from ppdm_formal.derive.measures.amplification import Amplification, disclosed
from ppdm_formal.derive.measures.dependence import Dependence
from ppdm_formal.derive.measures.event_dependence import EventDependence
from ppdm_formal.derive.measures.information import Information
from ppdm_formal.derive.measures.local_dp import LocalDP
from ppdm_formal.derive.measures.parts_cost import PartsCost
from ppdm_formal.derive.measures.record import NotComputed, Reading
from ppdm_formal.derive.measures.vulnerability import Capacity, Vulnerability

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.certify.crowd_table import CrowdTable
    from ppdm_formal.declare.reals.additive import ContinuousOperator

Kind = TypeVar("Kind")
Found: TypeAlias = Reading | NotComputed
Files: TypeAlias = Mapping[tuple[str, int], str]
"""Names of files of certificates, by operator and position among its claims."""
AnyCertificate: TypeAlias = "Certificate[Any, Any]"
AnyAudit: TypeAlias = "OperatorAudit | ContinuousAudit | RecordAudit"
"""What was found of an operator of any kind; all have certificates."""

_INFORMATION = (
    "mutual_information",
    "worst_case_information",
    "inverse_worst_case_information",
)

HOLDS, BREACH, BAD_INPUT, UNKNOWN, REJECTED, INTERNAL = range(6)
"""Exit codes of every command."""

EXIT_CODES = {"certified": HOLDS, "breached": BREACH, "partly": BREACH, "unknown": UNKNOWN}


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
    crowds: tuple[CrowdTable, ...] = ()
    """What crowds' reports show, by the number of clients, where claims name crowds."""

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
class RecordAudit:
    """What was found of a record in parts: what it costs, and its claims."""

    cost: PartsCost
    certificates: tuple[Certificate[Parts, PartsClaim], ...]

    @property
    def parts(self) -> Parts:
        """The record."""
        return self.cost.parts


@dataclass(frozen=True)
class AuditResult(Result):
    """What was found of every audited operator of a model."""

    shown_in: ClassVar[str] = "document"

    model: Model
    unit: Unit
    operators: tuple[OperatorAudit, ...]
    parts: tuple[RecordAudit, ...] = ()
    continuous: tuple[ContinuousAudit, ...] = ()
    files: Files = field(default_factory=dict)
    """Where certificates were written."""

    @property
    def audited(self) -> list[AnyAudit]:
        """All that was audited, in order: operators, continuous ones, and last records in parts."""
        return [*self.operators, *self.continuous, *self.parts]

    @property
    def certificates(self) -> list[AnyCertificate]:
        """Those of all claims, in that order."""
        return [certificate for found in self.audited for certificate in found.certificates]

    @property
    def exit_code(self) -> int:
        """0: every claim holds; 1: a breach; 3: a claim is undecided, or says nothing."""
        return self.exit_code_if(allow_vacuous=False)

    def exit_code_if(self, *, allow_vacuous: bool) -> int:
        """The same; with allow_vacuous, claims that say nothing count as claims that hold."""
        found = self.certificates
        silent = [UNKNOWN for c in found if c.says_nothing and not allow_vacuous]
        return worst_exit([EXIT_CODES[c.verdict.value] for c in found] + silent)

    def to_pandas(self) -> Any:
        """A frame with a row for each claim: operator, claim, verdict, whether it says nothing."""
        import pandas as pd

        rows = [
            {
                "operator": one.operator.name,
                "claim": str(one.claim),
                "verdict": one.verdict.value,
                "vacuous": one.vacuous,
                "reason": one.reason,
            }
            for one in self.certificates
        ]
        return pd.DataFrame(rows, columns=["operator", "claim", "verdict", "vacuous", "reason"])

    def __repr__(self) -> str:
        counts = Counter(
            "saying nothing" if c.says_nothing else c.verdict.value for c in self.certificates
        )
        said = [f"{count} {word}" for word, count in counts.items()]
        return f"<Audit of {PurePath(self.model.file).name}: {', '.join(said) or 'no claims'}>"

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-audit/1."""
        from ppdm_formal.certify.audit.audited_json import audit_json

        return audit_json(self)


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
    certificate: Certificate | Certificate[ContinuousOperator]


@dataclass(frozen=True)
class OperatorAudited:
    """All that was found of one operator."""

    found: OperatorAudit | ContinuousAudit


Event: TypeAlias = OperatorStarted | MeasureTaken | ClaimStarted | ClaimDecided | OperatorAudited
