"""Clearance: whether what was decided of an operator's claims lets it run on people's data.

Every claim must be certified, and at least one of them must say something: a claim that no
case can test counts as none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_formal.certify.audit.audited import BREACH, HOLDS, UNKNOWN
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict


@dataclass(frozen=True)
class Clearance:
    """What stands in the way (why is "" where nothing does), and the exit code that says so."""

    why: str
    exit_code: int


CLEARED = Clearance("", HOLDS)
NO_CLAIM = Clearance("no claim", UNKNOWN)
VACUOUS = Clearance("only claims that say nothing", UNKNOWN)
UNDECIDED = Clearance("an undecided claim", UNKNOWN)
BREACHED = Clearance("a breached claim", BREACH)
PARTLY = Clearance("a claim that holds for some values of a free parameter only", BREACH)


def clearance(certificates: Sequence[Certificate]) -> Clearance:
    """Whether an operator with these decided claims may run."""
    verdicts = {certificate.verdict for certificate in certificates}
    if Verdict.BREACHED in verdicts:
        return BREACHED
    if Verdict.PARTLY in verdicts:
        return PARTLY
    if Verdict.UNKNOWN in verdicts:
        return UNDECIDED
    if not certificates:
        return NO_CLAIM
    if all(certificate.vacuous for certificate in certificates):
        return VACUOUS
    return CLEARED
