"""Re-check: every certificate is put to the independent checker before its verdict is told.

The checker can only take away: a verdict whose certificate it rejects is unknown, and one that it
did not verify in time is not called re-checked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed

LONGEST = 30.0
"""Seconds for one certificate at most; ppdm check takes as long as it is told to."""


def rechecked(certificate: Certificate[Any, Any], timeout: float) -> Certificate[Any, Any]:
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
    finding = Finding(Verdict.UNKNOWN, reason, vacuous=None, views=finding.views)
    return replace(certificate, finding=finding)


def _unchecked(certificate: Certificate[Any, Any], seconds: float) -> Certificate[Any, Any]:
    """The verdict, said not to be re-checked."""
    finding = certificate.finding
    trust = replace(finding.trust, unchecked=f"not re-checked within {seconds:.3g} s")
    return replace(certificate, finding=replace(finding, trust=trust))
