"""Continuous operators in words: what is added to x, what it hides, and how a claim went."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ppdm_formal.certify.audit.audited import Files
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.real_witness import RealWitness, ToldApart
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import bound_percent, brief, percent, share
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity, Measured, value_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.reals.density import Bell, Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit, DensityMeasures
    from ppdm_formal.certify.continuous_certificate import ContinuousCertificate
    from ppdm_formal.derive.reals.breaching import Breaching, Outputs
    from ppdm_formal.derive.reals.extremes import Extreme
    from ppdm_formal.derive.reals.worst_case import WorstOutput

_RARE = Fraction(1, 10**9)
"""Outputs that are less likely get a bound instead of their probability."""


@dataclass(frozen=True)
class DecidedReal:
    """A decided claim about a continuous operator, with its number in the report."""

    number: int
    found: ContinuousAudit
    certificate: ContinuousCertificate
    often: Breaching | None = None
    file: str | None = None

    @property
    def claim(self) -> Claim:
        """What was claimed."""
        return self.certificate.claim

    @property
    def words(self) -> str:
        """The claim as it was written, cut if very long."""
        return clean(str(self.claim), 160)

    @property
    def about(self) -> str:
        """The name of what the claim is about."""
        return self.found.operator.name


def decided_real(
    found: tuple[ContinuousAudit, ...], files: Files | None, first: int
) -> list[DecidedReal]:
    """The claims about continuous operators, numbered on."""
    claims: list[DecidedReal] = []
    for part in found:
        for position, certificate in enumerate(part.certificates):
            file = (files or {}).get((part.operator.name, position))
            often = part.often[position]
            claims.append(DecidedReal(first + len(claims), part, certificate, often, file))
    return claims


def ratio_text(value: Measured) -> str:
    """A ratio with its decimals."""
    if isinstance(value, Infinity | Enclosure):
        return str(value)
    closer = "" if isinstance(value, Fraction) else f" (~{float(value):.4g})"
    return f"{brief(value)}{closer}"


def amplification_words(extreme: Extreme) -> str:
    """The greatest ratio of likelihoods, and which outputs show it."""
    x1, x2 = number_text(extreme.likely), number_text(extreme.unlikely)
    end = "largest" if extreme.side == "top" else "smallest"
    if isinstance(extreme.value, Infinity):
        if extreme.reached == "limit":
            return (
                f"Infinite: the {end} outputs z are ever more likely from x = {x1} than from "
                f"x = {x2}, without bound the further out z lies."
            )
        where = "at" if extreme.reached == "atom" else "among the outputs from"
        at = number_text(extreme.at) if extreme.at is not None else ""
        on = "" if extreme.reached == "atom" else " on to the end"
        return f"Infinite: {where} z = {at}{on}, x = {x1} is possible and x = {x2} is not."
    how = {
        "atom": f"the output z = {_at(extreme)} is",
        "region": f"outputs z from {_at(extreme)} on to the end are",
        "limit": f"outputs z are, in the limit towards {_at(extreme)},",
    }[extreme.reached]
    times = ratio_text(extreme.value)
    return f"{times}: {how} so many times as likely from x = {x1} as from x = {x2}."


def _at(extreme: Extreme) -> str:
    return "" if extreme.at is None else number_text(extreme.at)


def width_words(found: ContinuousAudit) -> list[str]:
    """Evf02's privacy: intervals of the noise, for each confidence, beside the inputs' range."""
    whole = found.operator.inputs.width
    said = []
    for confidence, width in found.widths:
        part = percent(width.lo / whole, 3)
        said.append(
            f"at {percent(confidence)} confidence x is known from z up to an interval of length "
            f"{width}, which is {part} of the range of inputs"
        )
    return said


def measures_words(part: DensityMeasures) -> list[str]:
    """Entropy privacy of a density, before and after."""
    found = part.information
    name = clean(part.density.name)
    worst = [] if part.worst is None else [worst_words(part.worst)]
    if found is None:
        return [f"Information under {name} is not computed: {part.why_not}.", *worst]
    return [
        f"Before z is seen, x is as uncertain under {name} as on an interval of length "
        f"{found.privacy} (Pi(X), AA01)",
        f"after, on average, as on one of length {found.left} (Pi(X|Z)): "
        f"{probability_words(found.loss)} of it is lost",
        *worst,
    ]


def worst_words(worst: WorstOutput) -> str:
    """Worst-case information, with the output that shows it."""
    at = "" if worst.at is None else percentless(worst.at)
    if isinstance(worst.value, Infinity):
        where = f"the closer z comes to {at}" if at else "the further out z lies"
        return f"one output can tell without bound ({where}): worst-case information is infinite"
    told = f"one output tells at most {bound(worst.value)} nats (worst-case information, EGS03)"
    if not at:
        return told
    end = " and all further out" if worst.beyond else ""
    return f"{told}; z = {at}{end} tells at least {float(worst.value.lo):.4g}"


def bound(value: Enclosure) -> str:
    """An upper bound to four digits, rounded up."""
    number, digits = float(value.hi), 4
    if number <= 0:
        return "0"
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(number)))
    return f"{math.ceil(number * scale) / scale:.{digits}g}"


def probability_words(value: Enclosure | None) -> str:
    """A probability that is known exactly, closely, or between two numbers."""
    if value is None:
        return "not known"
    if value.is_exact:
        return share(value.lo)
    low, high = percent(value.lo), percent(value.hi)
    if low == high:
        return f"{low}"
    return f"{bound_percent(value.lo, up=False)} to {bound_percent(value.hi, up=True)}"


def finding_words(decided: DecidedReal) -> str:
    """Holds, fails, or is not decided, and why."""
    certificate = decided.certificate
    reason = certificate.finding.reason
    if certificate.verdict is Verdict.UNKNOWN:
        return f"Not decided: {reason}."
    if certificate.verdict is Verdict.BREACHED:
        assert certificate.finding.told is not None
        return f"Fails: {_witness_words(decided, certificate.finding.told)}."
    if certificate.vacuous:
        return f"Holds, but tests nothing: {reason}."
    return f"Holds: {_within_words(decided) or reason}."


def often_words(decided: DecidedReal) -> str:
    """How often an output that breaches occurs, and which outputs those are."""
    often, claim = decided.often, decided.claim
    if decided.certificate.verdict is not Verdict.BREACHED:
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


def _within_words(decided: DecidedReal) -> str:
    """By how much a claim that the greatest ratio decides is kept; empty for other claims."""
    claim, gain = decided.claim, decided.found.amplification.value
    if isinstance(gain, Infinity):
        return ""
    if isinstance(claim, BoundClaim):
        what = epsilon_text(decided.found) if claim.measure == "epsilon" else ratio_text(gain)
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


def _witness_words(decided: DecidedReal, witness: RealWitness) -> str:
    claim = decided.claim
    if isinstance(witness, ToldApart):
        x1, x2 = number_text(witness.likely), number_text(witness.unlikely)
        said = f"{_outputs(witness)} {_times(decided)} as likely from x = {x1} as from x = {x2}"
        if isinstance(claim, BreachClaim):
            start = percent(claim.rho1 if witness.direction != "downward" else claim.rho2)
            said += f"; take the prior with {start} on the one and the rest on the other"
        return said
    assert isinstance(claim, BreachClaim)
    if witness.limit is not None:
        end = "larger" if witness.limit == "top" else "smaller"
        outputs = f"the {end} outputs are, the further they"
    elif witness.atom is not None:
        window = decided.found.operator.window
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


def _times(decided: DecidedReal) -> str:
    claim = decided.claim
    if isinstance(claim, BoundClaim):
        return f"at least {ratio_text(claim.limit)} times"
    return f"at least {brief(_needed(claim))} times"


def percentless(value: Fraction) -> str:
    """A number on an axis, to six digits."""
    return brief(value) if value.denominator == 1 else f"{float(value):.6g}"


def rule_words(found: ContinuousAudit) -> str:
    """What the operator does."""
    operator = found.operator
    said = f"x between {number_text(operator.inputs.lo)} and {number_text(operator.inputs.hi)}"
    said += f" is sent as z = x + {operator.noise}"
    if operator.window is not None:
        lo, hi = number_text(operator.window.lo), number_text(operator.window.hi)
        if operator.window.kind == "clamped":
            said += f", where outputs below {lo} become {lo}, and above {hi} become {hi}"
        else:
            said += f", drawn again until it lies between {lo} and {hi}"
    return said + "."


def density_words(density: Density) -> str:
    """The parts of a mixture, each with its probability."""
    said = []
    for part in density.components:
        lo, hi = map(number_text, part.support)
        if isinstance(part, Bell):
            mean, deviation = number_text(part.mean), number_text(part.law.deviation)
            how = f"normally about {mean} with standard deviation {deviation}"
            how += f", cut off at {lo} and {hi}"
        else:
            how = f"evenly between {lo} and {hi}"
        said.append(how if part.weight == 1 else f"{brief(part.weight)} {how}")
    return "what the observer believes of x before: " + "; ".join(said)


def interval_words(property: RealProperty) -> str:
    """Where x has the property."""
    parts = [f"{number_text(a)} and {number_text(b)}" for a, b in property.intervals]
    return "true of x between " + ", or between ".join(parts)


def hidden_words(found: ContinuousAudit) -> str:
    """What the noise hides, in a sentence: how closely x is known, how much privacy is lost."""
    confidence, width = found.widths[1]
    said = f"{percent(confidence)} of the noise lies in an interval of length {width}"
    if isinstance(found.amplification.value, Infinity):
        said += "; some outputs tell inputs apart without bound"
    else:
        said += f"; no output is more than {ratio_text(found.amplification.value)} times as likely"
        said += " from one input as from another"
    known = [part for part in found.measures if part.information is not None]
    if known:
        part = known[0]
        assert part.information is not None
        said += f"; {probability_words(part.information.loss)} of the privacy is lost under"
        said += f" {clean(part.density.name)}"
    return said + "."


def epsilon_text(found: ContinuousAudit) -> str:
    """Epsilon of local differential privacy."""
    return value_text(found.epsilon)
