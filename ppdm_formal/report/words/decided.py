"""A claim of a report: its number, what was found, how often, and where its certificate is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_formal.certify.audit.audited import Files, OperatorAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.occurrence import Occurrence, occurrence
from ppdm_formal.declare.claim import Claim
from ppdm_formal.report.words.visible import clean


@dataclass(frozen=True)
class Decided:
    """A decided claim; often is None where it is not known how often a breach occurs."""

    number: int
    found: OperatorAudit
    certificate: Certificate
    often: Occurrence | None = None
    file: str | None = None

    @property
    def claim(self) -> Claim:
        """What was claimed."""
        return self.certificate.claim

    @property
    def of_one_report(self) -> bool:
        """Whether one report alone decides the claim: not several, and no crowd."""
        return self.claim.reports == 1 and not self.claim.of_crowd

    @property
    def about(self) -> str:
        """The name of what the claim is about."""
        return self.found.operator.name

    @property
    def verdict(self) -> Verdict:
        """Certified, breached or unknown."""
        return self.certificate.verdict

    @property
    def words(self) -> str:
        """The claim as it was written, cut if very long."""
        return clean(str(self.claim), 160)


def decided_claims(
    operators: Sequence[OperatorAudit], files: Files | None = None, *, often: bool = True
) -> list[Decided]:
    """All claims in the order of the audit, numbered from 1; often: also count breaches."""
    claims: list[Decided] = []
    for found in operators:
        priors = [part.prior for part in found.priors]
        for position, certificate in enumerate(found.certificates):
            counted = occurrence(certificate, priors) if often else None
            file = (files or {}).get((found.operator.name, position))
            claims.append(Decided(len(claims) + 1, found, certificate, counted, file))
    return claims
