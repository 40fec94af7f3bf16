"""Claims about continuous operators in words: what shows a breach, and how often it happens."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.real_witness import RealWitness, ToldApart
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import bound_percent, brief, percent, share
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.derive.reals.breaching import Breaching, Outputs
from ppdm_formal.derive.reals.extremes import Extreme, most_extreme
from ppdm_formal.report.words.question import against_words, asked_words
from ppdm_formal.report.words.real_words import (
    density_words,
    epsilon_text,
    percentless,
    ratio_text,
)
from ppdm_formal.report.words.subject import Details, Words, evidence, trusted
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.report.words.decided import AnyDecided

_RARE = Fraction(1, 10**9)
"""Outputs that are less likely get a bound instead of their probability."""

_CHECKED = (
    "Re-checked exactly: ppdm check encloses exponentials and normal probabilities between "
    "fractions by itself; that the ends of the outputs say most is proved in docs/numeric.md."
)

Certified: TypeAlias = "Certificate[ContinuousOperator]"


class OfReals(Words[ContinuousOperator, Claim]):
    """Of claims about noise on real numbers."""

    def asked(self, certificate: Certified) -> str:
        """The claim as a sentence for those who do not write models."""
        return asked_words(certificate.claim)

    def against(self, certificate: Certified) -> str:
        """Whom the claim guards against."""
        return against_words(certificate.claim)

    def finding(self, certificate: Certified, found: ContinuousAudit | None = None) -> str:
        """Holds, fails, or is not decided, and why."""
        reason, told = certificate.reason, certificate.finding.told
        if certificate.verdict is Verdict.UNKNOWN:
            return f"Not decided: {reason}."
        if certificate.verdict is Verdict.BREACHED:
            assert told is not None
            return f"Fails: {_witness_words(certificate, told)}."
        if certificate.vacuous:
            return f"Holds, but tests nothing: {reason}."
        extreme = most_extreme(certificate.operator) if found is None else found.amplification
        return f"Holds: {_within_words(certificate.claim, extreme) or reason}."

    def details(
        self, certificate: Certified, decided: AnyDecided | None, theorems: bool
    ) -> Details:
        """How often, and what must be trusted."""
        often = "" if decided is None else often_words(certificate, decided.often)
        trust = trusted(certificate.trust, _CHECKED)
        return [("How often", often), ("Trust", trust)]

    def compact(self, certificate: Certified, decided: AnyDecided | None) -> list[str]:
        """The evidence, and how often where that is known."""
        if decided is None or decided.often is None:
            return evidence(certificate)
        return [*evidence(certificate), often_words(certificate, decided.often)]

    def often(
        self, certificate: Certified, found: ContinuousAudit, position: int, *, count: bool
    ) -> Breaching | None:
        """As the audit found it."""
        return found.often[position]

    def belief(self, certificate: Certified) -> tuple[str, str] | None:
        """The density that the claim names, in words."""
        claim = certificate.claim
        density = claim.under if isinstance(claim, BreachClaim) else claim.prior
        if not isinstance(density, Density):
            return None
        return clean(density.name), density_words(density)


WORDS = OfReals()


def often_words(certificate: Certified, often: Breaching | None) -> str:
    """How often an output that breaches occurs, and which outputs those are."""
    claim = certificate.claim
    if certificate.verdict is not Verdict.BREACHED:
        return ""
    if often is None or not isinstance(claim, BreachClaim):
        return "How often is computed for a property under a density, not for claims of this kind."
    value, prior = often.probability, clean(claim.under_text)
    ends = [f"z = {percentless(z)}" for z in (*often.atoms, *often.open_atoms)]
    where = " or ".join([*map(_interval, often.shown), *ends])
    close = value.width <= value.hi / 100
    if value.hi < _RARE:
        chance, close = f"At most {bound_percent(_RARE, up=True)}", True
    elif close:
        chance = percent((value.lo + value.hi) / 2, 3)
    else:
        chance = f"{bound_percent(value.lo, up=False)} to {bound_percent(value.hi, up=True)}"
    roughly = "" if value.width <= value.hi / 10**6 else "roughly "
    those = f"{roughly}those with" if close else "some or all of those with"
    return f"{chance} of outputs under {prior}, {those} {where}, breach it."


def _interval(outputs: Outputs) -> str:
    low, high = (None if end is None else f"{float(end):.5g}" for end in outputs)
    if low is None or high is None:
        return "any z" if low == high else (f"z above {low}" if low else f"z below {high}")
    return f"z from {low} to {high}"


def _within_words(claim: Claim, extreme: Extreme) -> str:
    """By how much a claim that the greatest ratio decides is kept; empty for other claims."""
    gain = extreme.value
    if isinstance(gain, Infinity):
        return ""
    if isinstance(claim, BoundClaim):
        what = epsilon_text(extreme) if claim.measure == "epsilon" else ratio_text(gain)
        return f"{claim.measure} is {what}, within the limit of {number_text(claim.bound)}"
    if claim.about is not None or claim.under is not None:
        return ""
    most = gain.hi if isinstance(gain, Enclosure) else gain
    after = most * claim.rho1 / (1 - claim.rho1 + most * claim.rho1)
    return (
        f"the greatest ratio of likelihoods is {ratio_text(gain)}, and a breach needs "
        f"{brief(_needed(claim))}: no output raises a belief of {percent(claim.rho1)} or less "
        f"beyond {bound_percent(after, up=True)}"
    )


def _needed(claim: BreachClaim) -> Fraction:
    """The ratio of likelihoods from which a breach exists."""
    ratio: Fraction = claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))
    return ratio


def _witness_words(certificate: Certified, witness: RealWitness) -> str:
    claim = certificate.claim
    if isinstance(witness, ToldApart):
        x1, x2 = number_text(witness.likely), number_text(witness.unlikely)
        said = f"{_outputs(witness)} {_times(claim)} as likely from x = {x1} as from x = {x2}"
        if isinstance(claim, BreachClaim):
            start = percent(claim.rho1 if witness.direction != "downward" else claim.rho2)
            said += f"; take the prior with {start} on the one and the rest on the other"
        return said
    assert isinstance(claim, BreachClaim)
    if witness.limit is not None:
        end = "larger" if witness.limit == "top" else "smaller"
        outputs = f"the {end} outputs are, the further they"
    elif witness.atom is not None:
        window = certificate.operator.window
        assert window is not None
        end = number_text(window.lo if witness.atom == "lo" else window.hi)
        outputs = f"the output z = {end}"
    else:
        assert witness.low is not None
        assert witness.high is not None
        low, high = percentless(witness.low), percentless(witness.high)
        if low == high:
            low, high = (f"{float(end):.12g}" for end in (witness.low, witness.high))
        outputs = f"outputs z from {low} to {high}"
    what = "the property" if claim.about is None else clean(claim.about.name)
    upward = witness.direction == "upward"
    if witness.about is not None:
        # In a downward breach it is the belief in all other x that falls.
        falls = witness.about if upward else witness.about.complement
        parts = [" to ".join(map(percentless, part)) for part in falls.intervals]
        what = f"the property that x lies in {' or '.join(parts)}"
    after = claim.rho2 if upward else claim.rho1
    word = "raise" if upward else "lower"
    does = f"{word}s" if witness.atom else word
    limit = "or more" if upward else "or less"
    return f"{outputs} {does} the belief in {what} to {share(after)} {limit}"


def _outputs(witness: ToldApart) -> str:
    if witness.z is None:
        return f"outputs at the {witness.side} come as close as one likes to"
    z = number_text(witness.z)
    if witness.at == "atom":
        return f"the output z = {z} is"
    return f"all outputs {'above' if witness.side == 'top' else 'below'} z = {z} are"


def _times(claim: Claim) -> str:
    if isinstance(claim, BoundClaim):
        return f"at least {ratio_text(claim.limit)} times"
    return f"at least {brief(_needed(claim))} times"
