"""Audit: everything that a model asks of its operators, measured and decided.

The result holds the exact values; the reports (terminal, JSON and others) only render it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ppdm_formal.claim import Claim
from ppdm_formal.language.errors import ModelError
from ppdm_formal.language.model import Audit, Model
from ppdm_formal.measures.amplification import Amplification, amplification
from ppdm_formal.measures.dependence import Dependence, dependence
from ppdm_formal.measures.information import Information, information
from ppdm_formal.measures.local_dp import LocalDP, local_dp
from ppdm_formal.measures.posterior import posterior, worst_posterior
from ppdm_formal.measures.vulnerability import (
    Capacity,
    Vulnerability,
    min_entropy_capacity,
    vulnerability,
)
from ppdm_formal.numbers.enclosure import DIGITS, Unit
from ppdm_formal.numbers.exact import Exact
from ppdm_formal.operator.domain import Value
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior, Property

if TYPE_CHECKING:
    from ppdm_formal.certify.certificate import Certificate

HOLDS, BREACH, BAD_INPUT, UNKNOWN, REJECTED, INTERNAL = range(6)
"""Exit codes of every command."""


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
    """The measures that need a prior; vulnerability only where no parameter is free."""

    prior: Prior
    information: Information
    dependence: Dependence
    vulnerability: Vulnerability | None


@dataclass(frozen=True)
class OperatorAudit:
    """What was found of one operator."""

    operator: Operator
    views: int
    amplification: Amplification
    local_dp: LocalDP
    capacity: Capacity | None
    priors: tuple[PriorMeasures, ...]
    posteriors: tuple[PosteriorRow, ...]
    certificates: tuple[Certificate, ...]


@dataclass(frozen=True)
class AuditResult:
    """What was found of every audited operator of a model."""

    model: Model
    unit: Unit
    operators: tuple[OperatorAudit, ...]

    @property
    def exit_code(self) -> int:
        """0: every claim holds; 1: a breach was found; 3: a claim stayed undecided."""
        meaning = {"certified": HOLDS, "breached": BREACH, "unknown": UNKNOWN}
        return worst_exit(
            [meaning[c.verdict.value] for found in self.operators for c in found.certificates]
        )

    def _repr_html_(self) -> str:
        from ppdm_formal.report.formats.notebook import audit_html

        return audit_html(self)


def audit(
    model: Model,
    claims: Sequence[Claim] = (),
    *,
    unit: Unit = "bit",
    digits: int = DIGITS,
    timeout: float = 60,
    cross_check: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> AuditResult:
    """Measure every audited operator (all of them where the model audits none) and decide claims.

    claims: further claims, asked of every audited operator.
    """
    found = []
    for request in gathered(model):
        progress(f"{request.operator.name}: measuring")
        measured = _measure(request, unit, digits)
        certificates = []
        for claim in (*request.claims, *claims):
            progress(f"{request.operator.name}: {claim}")
            certificates.append(_decide(request.operator, claim, model, timeout, cross_check))
        found.append(OperatorAudit(*measured, tuple(certificates)))
    return AuditResult(model, unit, tuple(found))


def gathered(model: Model) -> list[Audit]:
    """The audits of a model, one an operator, the requests of several blocks together."""
    if not model.operators:
        raise ModelError("the model declares no operator to audit").in_file(model.file)
    asked: dict[str, Audit] = {}
    for part in model.audits or [Audit(operator) for operator in model.operators.values()]:
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


def _measure(
    request: Audit, unit: Unit, digits: int
) -> tuple[
    Operator,
    int,
    Amplification,
    LocalDP,
    Capacity | None,
    tuple[PriorMeasures, ...],
    tuple[PosteriorRow, ...],
]:
    operator = request.operator
    try:
        capacity = min_entropy_capacity(operator, digits)
    except ValueError:  # free parameters, or likelihoods known up to a factor only
        capacity = None
    priors = []
    for prior in request.priors:
        free = operator.parameters or prior.parameters
        priors.append(
            PriorMeasures(
                prior,
                information(operator, prior, unit, digits),
                dependence(operator, prior, digits),
                None if free else vulnerability(operator, prior, digits),
            )
        )
    return (
        operator,
        len(operator.views()),
        amplification(operator),
        local_dp(operator, digits),
        capacity,
        tuple(priors),
        tuple(_posteriors(request)),
    )


def _posteriors(request: Audit) -> list[PosteriorRow]:
    """Each property after each given output, and after the worst outputs in both directions."""
    rows = []
    for prior in request.priors:
        for property in request.properties:
            before = prior.mass(property)
            for output in request.given:
                try:
                    after = posterior(request.operator, prior, property, output).after
                except ValueError:  # the output has probability 0
                    after = None
                rows.append(PosteriorRow(prior, property, output, before, after))
            if request.operator.parameters or prior.parameters:
                continue
            for direction, word in (("upward", "highest"), ("downward", "lowest")):
                worst = worst_posterior(request.operator, prior, property, direction)  # type: ignore[arg-type]
                rows.append(PosteriorRow(prior, property, worst.output, before, worst.after, word))
    return rows


def _decide(
    operator: Operator, claim: Claim, model: Model, timeout: float, cross_check: bool
) -> Certificate:
    from ppdm_formal.certify import InconsistentConstraints, SolverMissing, certify

    origin = provenance(model)
    try:
        return certify(operator, claim, timeout=timeout, cross_check=cross_check, provenance=origin)
    except (InconsistentConstraints, SolverMissing) as problem:
        raise ModelError(f"{operator.name}: {claim}: {problem}").in_file(model.file) from None


def provenance(model: Model) -> dict[str, object]:
    """Where an operator came from, as certificates record it."""
    from pathlib import PurePath

    return {
        "file": PurePath(model.file).name,
        "sha256": model.sha256,
        "set": {name: str(Fraction(value)) for name, value in model.values.items()},
        "files": [{"file": name, "sha256": d} for name, d in sorted(model.csv_files.items())],
    }
