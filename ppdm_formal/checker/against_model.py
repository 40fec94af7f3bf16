"""One certificate from first to last, and against what the model says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .canonical import canonical, digest, parse
from .certificate import Certificate, read_certificate
from .claim import BoundClaim
from .clock import OutOfTime, within
from .continuous import ContinuousCertificate, verify_continuous
from .formula_tree import formula_text
from .limits import MAX_BYTES, MAX_SECONDS
from .origin import difference, values_text
from .parts import PartsCertificate, verify_parts
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


AnyCertificate = Certificate | ContinuousCertificate | PartsCertificate


def compare(certificate: AnyCertificate, derived: FromModel) -> None:
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
            raw, certificate, vacuous = _verified(data, directory)
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
    certificate: AnyCertificate,
    vacuous: bool | None,
    allow_solver_trusted: bool,
    derived: FromModel,
) -> CheckResult:
    """What a certificate that was verified says."""
    verdict = certificate.raw["verdict"]
    if isinstance(certificate, ContinuousCertificate):
        text, name = certificate.claim.text, certificate.operator.name
        return CheckResult("accepted", EXACTLY, text, verdict, name, vacuous)
    if isinstance(certificate, PartsCertificate):
        said, record = certificate.claim, certificate.record
        where = record.assumed(said, verdict)
        return CheckResult("accepted", EXACTLY, said.text, verdict, record.name, where=where)
    exact, claimed = certificate.trust == EXACTLY, certificate.claim
    defined = isinstance(claimed, BoundClaim) and claimed.formula
    return CheckResult(
        "accepted" if exact or allow_solver_trusted else "solver-trusted",
        certificate.trust,
        claimed.text,
        certificate.derived_verdict,
        certificate.described.name,
        vacuous,
        formula_text(defined) if defined else "",
        not exact and derived.questions is None,
        region_text(certificate),
    )


def _verified(
    data: bytes | dict[str, Any], directory: Path | None
) -> tuple[dict[str, Any], AnyCertificate, bool | None]:
    """The certificate, right in itself, and whether no case can test its claim."""
    raw = parse(data if isinstance(data, bytes) else canonical(data) + b"\n")
    sort = raw.get("format") if type(raw) is dict else None
    if sort == "ppdm-continuous/1":
        continuous = verify_continuous(raw)
        return raw, continuous, continuous.vacuous
    if sort == "ppdm-parts/1":
        return raw, verify_parts(raw), False
    certificate = read_certificate(raw, directory)
    return raw, certificate, verify(certificate)


def region_text(certificate: Certificate) -> str:
    """For which values of free parameters a certificate speaks."""
    described, witness = certificate.described, certificate.witness
    if not described.parameters:
        return ""
    if certificate.kind == "region":
        declared = f" (declared {certificate.raw['region']['declared']})" * certificate.breached
        return f"it holds exactly for {certificate.raw['region']['text']}{declared}"
    if witness is not None:
        point = witness["parameters"]
        return "it fails at " + ", ".join(
            f"{name} = {point[name]}" for name in described.parameters
        )
    rows = described.raw["parameters"]
    return "for every " + ", ".join(f"{row['name']} in {row['interval']}" for row in rows)


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
