"""One certificate from first to last, and against what the model says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .canonical import canonical, digest, parse
from .certificate import Certificate
from .claim import BoundClaim
from .clock import OutOfTime, within
from .formula_tree import formula_text
from .frame import read_certificate
from .limits import MAX_BYTES, MAX_SECONDS
from .origin import difference, values_text
from .result import EXACTLY, TAKEN, CheckResult, Rejected, need
from .verdict import verify


@dataclass(frozen=True)
class FromModel:
    """What was derived anew from the model: the operator (or its views), the claim and so on.

    None leaves out the comparison. questions: the texts that a solver must have been asked.
    """

    operator: dict[str, Any] | list[Any] | None = None
    claim: dict[str, Any] | None = None
    model: dict[str, Any] | None = None
    questions: Sequence[str] | None = None
    region: dict[str, Any] | None = None


def compare(certificate: Certificate, derived: FromModel) -> None:
    """Reject what is not what the model says, from the claim to the solver's questions."""
    raw = certificate.raw
    if derived.model is not None:
        need_origin(raw["model"], derived.model)
    if derived.claim is not None:
        same = canonical(raw["claim"]) == canonical(derived.claim)
        need(same, "the claim is not the one that the model states by these names")
    if derived.operator is not None:
        whole = isinstance(derived.operator, dict)
        mine = raw["operator"] if whole else raw["operator"]["views"]
        need(canonical(mine) == canonical(derived.operator), "the views are not those of the model")
    if derived.questions is not None and certificate.questions:
        expected = {digest(text.encode()) for text in derived.questions}
        asked = {question.sha256 for question in certificate.questions}
        need(asked == expected, "the solver was asked other questions than the claim's")
    if derived.region is not None:
        same = canonical(raw["region"]) == canonical(derived.region)
        need(same, "the region is not that of the model")


def need_origin(made: dict[str, Any] | None, stated: dict[str, Any]) -> None:
    """Reject what was made from another model, at other values or by another reading."""
    other = difference(made, stated, "in the model as it is checked")
    need(not other, other)


def check_certificate(
    data: bytes | dict[str, Any],
    *,
    views: list[Any] | dict[str, Any] | None = None,
    model: dict[str, Any] | None = None,
    claim: dict[str, Any] | None = None,
    directory: Path | None = None,
    allow_solver_trusted: bool = False,
    derive: Callable[[dict[str, Any]], FromModel] | None = None,
    seconds: float = MAX_SECONDS,
) -> CheckResult:
    """Check one certificate, whose solver questions lie in `directory`; never raises.

    `views` (or the whole `operator`), `claim` and `model` are what was derived anew from the
    model file; or `derive` derives them, once the certificate is right in itself, and may raise.
    Where the check takes longer than so many `seconds` its status is "unknown".
    """
    try:
        with within(seconds):
            raw = parse(data if isinstance(data, bytes) else canonical(data) + b"\n")
            certificate = read_certificate(raw, directory)
            vacuous = verify(certificate)
            compare(certificate, FromModel(views, claim, model))
    except OutOfTime:
        return CheckResult("unknown", f"not verified within {seconds:g} seconds")
    except Rejected as error:
        return CheckResult("rejected", str(error))
    except Exception as error:  # whatever cannot be read does not hold
        return CheckResult("rejected", f"cannot be read: {type(error).__name__}: {error}"[:200])
    derived = FromModel()
    if derive is not None:
        try:
            derived = derive(raw)
            compare(certificate, derived)
        except Rejected as error:
            return CheckResult("rejected", str(error))
    of_model = (views is not None or derived.operator is not None, claim or derived.claim)
    whole = all(of_model)
    found = _result(certificate, vacuous, allow_solver_trusted, derived)
    origin = raw["model"]
    return found._replace(taken="" if whole else TAKEN, sha256=raw["sha256"], origin=origin)


def _result(
    certificate: Certificate,
    vacuous: bool | None,
    allow_solver_trusted: bool,
    derived: FromModel,
) -> CheckResult:
    """What a certificate that was verified says."""
    exact, claim = certificate.trust == EXACTLY, certificate.claim
    defined = isinstance(claim, BoundClaim) and claim.formula
    return CheckResult(
        "accepted" if exact or allow_solver_trusted else "solver-trusted",
        certificate.trust,
        claim.text,
        certificate.verdict,
        certificate.subject.name,
        vacuous,
        formula_text(defined) if defined else "",
        not exact and derived.questions is None,
        certificate.subject.where(certificate),
    )


def remarks(result: CheckResult) -> str:
    """What else must be said of a result, beginning with what was taken on the file's word."""
    said = f"; {result.taken}" if result.taken else ""
    said += values_text(result.origin)
    if result.vacuous:
        said += "; verified, but says nothing: no case can break it (vacuous)"
    if result.vacuous is None:
        said += "; verified, but whether any case can break it is not decided: it may say nothing"
    if result.where:
        said += f"; {result.where}"
    if result.formula:
        whose = "what this file says that it is: " if result.taken else ""
        said += f"; the measure is {whose}{result.formula}"
    if result.theorem:
        covered = "leads from these numbers to the verdict" if result.taken else "covers it"
        said += f"; a theorem {covered} ({result.theorem})"
    if result.untied:
        said += "; the solver's questions were not compared with the claim, which needs the model"
    if result.unstated:
        said += "; the model's audit does not state this claim"
    return said


def check_file(
    path: Path,
    allow_solver_trusted: bool = False,
    derive: Callable[[dict[str, Any]], FromModel] | None = None,
    seconds: float = MAX_SECONDS,
) -> CheckResult:
    """Check the certificate in a file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return CheckResult("unreadable", f"cannot be read: {error.strerror}")
    return check_certificate(
        data,
        directory=path.parent,
        allow_solver_trusted=allow_solver_trusted,
        derive=derive,
        seconds=seconds,
    )
