"""A claim of a report: its number, what was found, how often, and where its certificate is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ppdm_formal.certify.audit.audited import AnyAudit, AnyCertificate, Files, OperatorAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.occurrence import Occurrence
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.words.subject import words_of
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Found = TypeVar("Found", default=OperatorAudit)
    Sent = TypeVar("Sent", default=Operator)
    Asked = TypeVar("Asked", default=Claim)
    Often = TypeVar("Often", default=Occurrence)
else:
    from typing import TypeVar

    Found, Sent, Asked, Often = map(TypeVar, ("Found", "Sent", "Asked", "Often"))


@dataclass(frozen=True)
class Decided(Generic[Found, Sent, Asked, Often]):
    """A decided claim about an operator of any kind, and what was found of that operator.

    often is None where it is not known how often a breach occurs.
    """

    number: int
    found: Found
    certificate: Certificate[Sent, Asked]
    often: Often | None = None
    file: str | None = None

    @property
    def claim(self) -> Asked:
        """What was claimed."""
        return self.certificate.claim

    @property
    def of_one_report(self) -> bool:
        """Whether one report alone decides the claim: not several, and no crowd."""
        claim: Any = self.claim
        return bool(claim.reports == 1 and not claim.of_crowd)

    @property
    def about(self) -> str:
        """The name of what the claim is about."""
        operator: Any = self.certificate.operator
        return str(operator.name)

    @property
    def verdict(self) -> Verdict:
        """Certified, breached or unknown."""
        return self.certificate.verdict

    @property
    def words(self) -> str:
        """The claim as it was written, cut if very long."""
        return clean(str(self.claim), 160)


AnyDecided: TypeAlias = "Decided[Any, Any, Any, Any]"
"""A claim about an operator of whatever kind."""


def decided_claims(
    audited: Sequence[AnyAudit], files: Files | None = None, *, often: bool = True
) -> list[AnyDecided]:
    """All claims in the order of the audit, numbered from 1; often: also count breaches."""
    claims: list[AnyDecided] = []
    for found in audited:
        certificates: Sequence[AnyCertificate] = found.certificates
        for position, certificate in enumerate(certificates):
            words = words_of(certificate)
            counted = words.often(certificate, found, position, count=often)
            file = (files or {}).get((certificate.operator.name, position))
            claims.append(Decided(len(claims) + 1, found, certificate, counted, file))
    return claims
