"""CheckResult: what came of a check; Rejected: why a certificate does not hold."""

from __future__ import annotations

from typing import Any, NamedTuple

from .clock import tick

EXACTLY = "re-checked exactly"
TAKEN = "the numbers of this operator are taken from the file"
"""What is not shown without the model, whatever the kind of operator, claim or evidence."""

EXITS = {
    "accepted": 0,
    "unreadable": 2,
    "solver-trusted": 3,
    "unknown": 3,
    "rejected": 4,
    "internal": 5,
}
"""Exit codes by status; a verified breach is 1, and a claim that says nothing 3."""


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
    taken: what was not derived anew but taken from the file, empty where operator and claim were
    compared with a model's. sha256: the certificate's own digest. origin: its model, with values.
    unstated: the claim is none of those that the model's audit states.
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
    taken: str = ""
    sha256: str = ""
    origin: dict[str, Any] | None = None
    unstated: bool = False

    @property
    def accepted(self) -> bool:
        """Whether the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value: ask for .accepted")


class Permits(NamedTuple):
    """What is let pass: claims that no case can test, and verified breaches."""

    vacuous: bool = False
    breached: bool = False


def exit_codes(result: CheckResult, permits: Permits) -> set[int]:
    """The exit codes that a result asks for."""
    found = {EXITS[result.status]}
    if result.vacuous is not False and not permits.vacuous:
        found.add(3)
    if result.accepted and result.verdict != "certified" and not permits.breached:
        found.add(1)
    return found


def worst(codes: set[int]) -> int:
    """The exit code where several apply: 5, then 2, 4, 1, 3."""
    return next((code for code in (5, 2, 4, 1, 3) if code in codes), 0)


def need(holds: object, why: str) -> None:
    """Reject unless something holds, and unless there is time left."""
    tick()
    if not holds:
        raise Rejected(why)
