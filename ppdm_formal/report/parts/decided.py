"""A claim of a report with all that is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.audit import OperatorAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.report.occurrence import Occurrence, occurrence
from ppdm_formal.report.words.visible import clean


@dataclass(frozen=True)
class Decided:
    """A claim of the report: its number, its certificate, its JSON summary, and how often."""

    number: int
    found: OperatorAudit
    certificate: Certificate
    summary: dict[str, Any]
    often: Occurrence | None

    @property
    def verdict(self) -> str:
        """certified, breached or unknown."""
        return str(self.summary["verdict"])

    @property
    def words(self) -> str:
        """The claim as it was written, cut if very long."""
        return clean(self.summary["claim"]["text"], 160)


def decided_claims(operators: Sequence[OperatorAudit], documents: Sequence[Any]) -> list[Decided]:
    """All claims in the order of the audit, numbered from 1."""
    claims: list[Decided] = []
    for found, document in zip(operators, documents, strict=True):
        priors = [part.prior for part in found.priors]
        for certificate, summary in zip(found.certificates, document["certificates"], strict=True):
            often = occurrence(certificate, priors)
            claims.append(Decided(len(claims) + 1, found, certificate, summary, often))
    return claims
