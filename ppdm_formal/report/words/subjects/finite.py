"""Claims about operators on finite sets in words, among crowds and up to rounding as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.occurrence import Occurrence, occurrence
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.words.claim_words import actual_words, often_words, worst_words
from ppdm_formal.report.words.crowd_words import rests_words
from ppdm_formal.report.words.flips import flip_words
from ppdm_formal.report.words.prior_words import prior_words
from ppdm_formal.report.words.question import (
    against_words,
    asked_words,
    confirmed_words,
    trust_words,
)
from ppdm_formal.report.words.subject import Details, Words, evidence
from ppdm_formal.report.words.verdict_words import finding_words
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.report.words.decided import AnyDecided


class OfFinite(Words[Operator, Claim]):
    """Of claims about operators on finite sets."""

    def asked(self, certificate: Certificate) -> str:
        """The claim as a sentence for those who do not write models."""
        return asked_words(certificate.claim)

    def against(self, certificate: Certificate) -> str:
        """Whom the claim guards against."""
        return against_words(certificate.claim)

    def finding(self, certificate: Certificate, found: OperatorAudit | None = None) -> str:
        """What the verdict means, and what it rests on."""
        return finding_words(certificate)

    def details(
        self, certificate: Certificate, decided: AnyDecided | None, theorems: bool
    ) -> Details:
        """What claims among a crowd rest on, how far beliefs go, where verdicts flip, how often."""
        flips = flip_words(certificate, None if decided is None else decided.found)
        rests = rests_words(certificate.claim)
        return [
            ("Rests on", rests if len(rests) > 1 else "".join(rests)),
            ("Actual change", actual_words(certificate)),
            ("Worst case", "" if decided is None else worst_words(decided)),
            ("Flips at", flips if len(flips) > 1 else "".join(flips)),
            ("How often", "" if decided is None else often_words(decided)),
            ("Trust", trust_words(certificate, theorems=theorems)),
        ]

    def compact(self, certificate: Certificate, decided: AnyDecided | None) -> list[str]:
        """The same in short, without what takes a page."""
        worst = "" if decided is None else worst_words(decided)
        # Of a crowd the finding itself says from how many clients on.
        flips = [] if certificate.claim.of_crowd else flip_words(certificate)
        rests = rests_words(certificate.claim)
        return [actual_words(certificate), worst, *rests, *flips, *_evidence(certificate)]

    def often(
        self, certificate: Certificate, found: OperatorAudit, position: int, *, count: bool
    ) -> Occurrence | None:
        """Counted over views."""
        if not count:
            return None
        return occurrence(certificate, [part.prior for part in found.priors])

    def belief(self, certificate: Certificate) -> tuple[str, str] | None:
        """The prior that the claim names, in words."""
        claim = certificate.claim
        prior = claim.under if isinstance(claim, BreachClaim) else claim.prior
        return (clean(prior.name), prior_words(prior)) if isinstance(prior, Prior) else None


WORDS = OfFinite()


def _evidence(certificate: Certificate) -> list[str]:
    """What the verdict rests on, and whether a solver confirms it."""
    said = confirmed_words(certificate)
    return [line[:-1] + f"; {said}." if said else line for line in evidence(certificate)]
