"""What a claim asks, whom it guards against, and what its verdict rests on, in plain words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.declare.arithmetic.exponential import Ln
from ppdm_formal.declare.arithmetic.people import brief, share
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.report.words.crowd_words import (
    among_words,
    beside_words,
    crowd_asked,
    crowd_promise,
)
from ppdm_formal.report.words.several import after_words
from ppdm_formal.report.words.subject import trusted
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.audited import AnyCertificate


def _filled(template: str, claim: BoundClaim) -> str:
    return template.format(
        how="as much as" if claim.relation == "<" else "more than",
        bound=number_text(claim.bound) if isinstance(claim.bound, Ln) else brief(claim.bound),
        argument="" if claim.at is None else number_text(claim.at),
        prior="" if claim.prior is None else clean(claim.prior.name),
        unit=claim.unit or "",
    )


def promise_words(claim: Claim) -> str:
    """What the claim promises, as part of a sentence."""
    if claim.of_crowd:
        return crowd_promise(claim)
    if isinstance(claim, BoundClaim):
        return _filled(measure_named(claim.measure).promise, claim) + after_words(claim)
    low, high = share(claim.rho1), share(claim.rho2)
    what = "any property" if claim.about is None else clean(claim.about.name)
    rise = f"raises the belief in {what} from {low} or less to {high} or more"
    fall = f"lowers the belief in {what} from {high} or more to {low} or less"
    both = f"{rise}, or the reverse"
    change = {"both": both, "upward": rise, "downward": fall}[claim.direction]
    who = "single report" if claim.reports == 1 else f"sequence of {claim.reports:,} reports"
    return f"no {who} {change}"


def asked_words(claim: Claim) -> str:
    """The claim as a sentence for those who do not write models."""
    if claim.of_crowd:
        return crowd_asked(claim)
    if claim.crowd is not None:
        asked = asked_words(replace(claim, crowd=None))
        return f"{asked} This is claimed where {among_words(claim.crowd)}."
    if isinstance(claim, BoundClaim):
        asked = _filled(measure_named(claim.measure).question, claim)
        return f"{asked[:-1]}{after_words(claim)}."
    low, high = share(claim.rho1), share(claim.rho2)
    what = "any yes-or-no property of the true value"
    if claim.about is not None:
        what = f"the property {clean(claim.about.name)}"
    up = f"raise the belief in {what} from {low} or less to {high} or more"
    down = f"lower it from {high} or more to {low} or less"
    if claim.direction == "downward":
        down = f"lower the belief in {what} from {high} or more to {low} or less"
    change = {"both": f"{up}, or {down}", "upward": up, "downward": down}[claim.direction]
    what = "one output" if claim.reports == 1 else f"{claim.reports:,} reports of one true value"
    return f"Seeing {what} must not {change}, {against_words(claim)}."


def against_words(claim: Claim) -> str:
    """Whom the claim guards against."""
    prior = claim.under if isinstance(claim, BreachClaim) else claim.prior
    who = "whatever the observer believed before"
    if isinstance(prior, Prior | Density):
        who = f"for an observer whose prior belief is {clean(prior.name)}"
    elif isinstance(prior, PriorFamily):
        who = f"for every prior belief with {clean(str(prior), 120)}"
    if isinstance(claim, BreachClaim) and claim.knowing is not None:
        who += f", who also sees {clean(claim.knowing.name)}(x)"
    return who + beside_words(claim)


def trust_words(certificate: Certificate, *, theorems: bool = True) -> str:
    """What must be trusted for the verdict; theorems: and whether one covers it."""
    trust = certificate.trust
    if trust is None:
        return "Nothing was proved either way."
    if trust.unchecked:
        return trusted(trust, "")
    if trust.exact:
        if certificate.claim.of_crowd:
            how = "integers, rounded to the safe side, bound it again for any crowd of that size"
            if certificate.verdict is Verdict.BREACHED:
                how = "integers, rounded to the safe side, find the example as likely as that again"
        elif certificate.region is not None:
            how = "exact fractions derive again where the claim holds and where it fails"
        elif certificate.verdict is Verdict.BREACHED:
            how = "the breach was replayed in exact fractions"
        else:
            how = "exact fractions derive the verdict again"
        theorem = theorem_file(certificate) if theorems else ""
        said = confirmed_words(certificate)
        covered = f" A theorem in Coq covers it ({theorem})." if theorem else ""
        also = f" Decided exactly, {said}." if said else ""
        return f"Re-checked exactly: {how}, no prover is trusted.{covered}{also}"
    rests = (
        f"rests on the answers of {solver_names(certificate)}, a theorem prover; --certificates "
        "keeps the questions put to it as .smt2 files, for any other prover."
    )
    return f"The verdict {rests}"


def theorem_file(certificate: Certificate) -> str:
    """Which file of proofs/coq covers the certificate; empty where none does."""
    from ppdm_formal.certify.theorem import (
        library_of,  # with the checker it takes a tenth of a second
    )

    return "" if certificate.trust is None else library_of(certificate.to_json())


def confirmed_words(certificate: Certificate) -> str:
    """What z3 said of a verdict beside the exact decision; nothing where it was not asked."""
    said = certificate.confirmation
    if said is None or said.disagrees:
        return ""
    if said.solver:
        return f"confirmed by {clean(said.solver, 40)}"
    return f"not confirmed by z3: {clean(said.why, 120)}"


def solver_names(certificate: AnyCertificate) -> str:
    """The provers that must be trusted, with their versions; empty where there is none."""
    trust = certificate.trust
    return "" if trust is None else clean(", ".join(trust.solvers), 80)
