"""How often a claim about a continuous operator is breached, for a property under a density."""

from __future__ import annotations

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.continuous import sides
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.real_cases import odds_of, reaches, starts_at
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.derive.reals.breaching import Breaching, breaching


def real_occurrence(
    certificate: Certificate[ContinuousOperator], deadline: Deadline
) -> Breaching | None:
    """For a breached claim; None where it names no property or no density.

    At most one direction has a case: P[Q] is not both at most rho1 and at least rho2.
    """
    claim = certificate.claim
    if certificate.verdict is not Verdict.BREACHED or not isinstance(claim, BreachClaim):
        return None
    if not isinstance(claim.under, Density):
        return None
    for way, about in sides(claim):
        if about is None:
            return None
        before = claim.under.mass(about)
        if before.lo > 0 and before.hi <= starts_at(claim, way):
            limit = odds_of(reaches(claim, way))
            return breaching(certificate.operator, claim.under, about, limit, deadline)
    return None
