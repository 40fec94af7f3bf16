"""Re-check: every certificate is put to the independent checker before its verdict is told.

The checker can only take away: a verdict whose certificate it rejects is unknown, and one that it
did not verify in time is not called re-checked.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.certify.written import Written
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed

Kind = TypeVar("Kind", bound=Written)

LONGEST = 30.0
"""Seconds for one certificate at most; ppdm check takes as long as it is told to."""


def rechecked(certificate: Kind, timeout: float) -> Kind:
    """The certificate as the checker leaves it: accepted, not verified in time, or unknown."""
    from ppdm_formal.checker import check_certificate

    finding = certificate.finding
    if finding.verdict is Verdict.UNKNOWN:
        return certificate
    seconds = max(0.0, min(timeout, LONGEST))
    deadline = Deadline.after(seconds)
    try:
        document = deadline.enforce(certificate.to_json)
    except DeadlinePassed:
        return _unchecked(certificate, seconds)
    result = check_certificate(document, allow_solver_trusted=True, seconds=deadline.left)
    if result.status == "unknown":
        return _unchecked(certificate, seconds)
    if result.accepted and result.verdict == finding.verdict.value:
        return certificate
    why = result.reason if not result.accepted else f"it derives {result.verdict}"
    reason = (
        f"DISAGREEMENT: decided as {finding.verdict.value}, but the checker does not accept the "
        f"certificate ({why}); please report this"
    )
    return _with(certificate, Finding(Verdict.UNKNOWN, reason, vacuous=None))


def _unchecked(certificate: Kind, seconds: float) -> Kind:
    """The verdict, said not to be re-checked."""
    finding = certificate.finding
    trust = replace(finding.trust, unchecked=f"not re-checked within {seconds:.3g} s")
    return _with(certificate, replace(finding, trust=trust))


def _with(certificate: Kind, finding: Finding) -> Kind:
    """The certificate with another finding; of an unknown one nothing is left of a witness."""
    made: Any = certificate  # each kind is a dataclass
    changed: dict[str, Any] = {"finding": finding}
    if finding.verdict is Verdict.UNKNOWN:
        names = {field.name for field in fields(made)}
        changed |= dict.fromkeys(names & {"concrete", "instance", "broken"})
    found: Kind = replace(made, **changed)
    return found
