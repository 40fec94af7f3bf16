"""CheckResult: what came of a check; Rejected: why a certificate does not hold."""

from __future__ import annotations

from typing import NamedTuple

from .clock import tick

EXACTLY = "re-checked exactly"


class Rejected(Exception):
    """Why a certificate does not hold."""


class CheckResult(NamedTuple):
    """What came of a check.

    status: "accepted", "rejected", "solver-trusted" (without permission), "unreadable" (no such
    file) or "unknown" (out of time). vacuous: no case can test the claim; None: whether one can is
    not known, which is never as good as false. formula: what a measure
    is that the certificate defines. untied: a solver's questions were not compared with the claim.
    where: for which values of free parameters. theorem: the file of proofs/coq in which it is
    proved that such evidence suffices (ppdm check fills it in; alone this file does not know).
    """

    status: str
    reason: str
    claim: str = ""
    verdict: str = ""
    operator: str = ""
    vacuous: bool | None = False
    formula: str = ""
    untied: bool = False
    where: str = ""
    theorem: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value: ask for .accepted")


def need(holds: object, why: str) -> None:
    """Reject unless something holds, and unless there is time left."""
    tick()
    if not holds:
        raise Rejected(why)
