"""Where a claim flips: the other limit, the other starting belief, the region of a parameter."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import (
    BreachWitness,
    NoCase,
    Start,
    Threshold,
    Thresholds,
    Verdict,
)
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.declare.arithmetic.decimals import decimal_text
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import bound_share, number_words, percent_toward, share
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.derive.measures.discovery import measure_named
from ppdm_formal.derive.measures.record import Reading
from ppdm_formal.report.words.crowd_words import crowd_flips
from ppdm_formal.report.words.standing import shade


def flip_words(certificate: Certificate, found: OperatorAudit | None = None) -> list[str]:
    """Sentences, the most important first; found: what was measured, for bounds on measures."""
    claim, region, thresholds = certificate.claim, certificate.region, certificate.thresholds
    if certificate.verdict is Verdict.UNKNOWN or shade(certificate) == "partly":
        return []
    if certificate.operator.within is not None:
        return []  # where it flips depends on which of the matrices it is
    if region is not None:
        return [] if region.complete else [f"It holds for {region_words(region)}."]
    if certificate.says_nothing and isinstance(claim, BreachClaim):
        return [words] if (words := speaks_words(certificate, claim)) else []
    if claim.of_crowd:
        return crowd_flips(certificate)
    if thresholds is not None and isinstance(claim, BreachClaim):
        return threshold_words(certificate, claim, thresholds)
    if isinstance(claim, BoundClaim) and found is not None:
        return [bound_words(claim, found)]
    return []


def threshold_words(
    certificate: Certificate, claim: BreachClaim, thresholds: Thresholds
) -> list[str]:
    """The other limit, and the other starting belief."""
    high, low = thresholds.rho2_above, thresholds.rho1_below
    upward = claim.direction != "downward"
    rho1, rho2 = share(claim.rho1), share(claim.rho2)
    limit, start = ("limit", "starting belief") if upward else ("starting belief", "lower limit")
    if certificate.verdict is Verdict.CERTIFIED:
        return [
            f"The {name} of {now} could be {moved} to anything {side} {_end(end, up=up)}, "
            "no further."
            for name, now, moved, side, end, up in (
                (limit, rho2, "lowered", "above", high, True),
                (start, rho1, "raised", "below", low, False),
            )
            if end is not None
        ]
    if high is None:
        first = f"No {limit} below 100% would make it pass."
    else:
        first = f"With the {start} of {rho1}, it would pass only with a {limit} above "
        first += _end(high, up=True) + _instead(high, claim.rho2)
    if low is None:
        second = f"With the {limit} of {rho2}, no {start} above 0, however small, would do."
        if high is None:
            second = f"Nor would any {start} above 0, however small."
        return [first, second]
    below = _end(low, up=False)
    witness = certificate.witness
    own = witness.before if isinstance(witness, BreachWitness) else None
    if upward and claim.about is not None and isinstance(claim.under, Prior) and low == own:
        second = (
            f"With the limit of {rho2}, it would pass only with starting beliefs below {below}: "
            "this observer's belief, which is just that, would then no longer count."
        )
    else:
        second = f"With the {limit} of {rho2}, it would pass only with a {start} below {below}"
        second += _instead(low, claim.rho1)
    return [first, second]


def speaks_words(certificate: Certificate, claim: BreachClaim) -> str:
    """What would make a claim say something that no case can test."""
    if certificate.no_case is NoCase.CERTAIN:
        return "No other rho1 or rho2 would make it say something."
    ways = []
    if certificate.speaks is not None:
        up, down = certificate.speaks.rho1_from, certificate.speaks.rho2_to
        if up is not None:
            then = "" if up.belief < claim.rho2 else ", and rho2 above that"
            ways.append(f"with rho1 {_started(up, 'at least', 'above')}{then}")
        if down is not None:
            then = "" if down.belief > claim.rho1 else ", and rho1 below that"
            ways.append(f"with rho2 {_started(down, 'at most', 'below')}{then}")
    return f"It would say something {', or '.join(ways)}." if ways else ""


def _started(start: Start, at: str, beyond: str) -> str:
    return f"{at if start.included else beyond} {share(start.belief)}"


def _instead(needed: Threshold, given: Fraction) -> str:
    return "; it just misses that." if needed == given else f" instead of {share(given)}."


def _end(value: Fraction | Enclosure, *, up: bool) -> str:
    """A threshold in percent, rounded to the side that promises less, with its exact value."""
    if isinstance(value, Enclosure):
        shown = decimal_text(percent_toward(value.hi if up else value.lo, 6, up=up))
        return f"a value that is {'at most' if up else 'at least'} {shown}%"
    return bound_share(value, up=up)


def bound_words(claim: BoundClaim, found: OperatorAudit) -> str:
    """The measured value, at which a bound claim changes its verdict."""
    measure = measure_named(claim.measure).said
    if claim.reports > 1:
        return f"It holds exactly for bounds that the {measure} of all reports together satisfies."
    readings = found.readings
    if claim.prior is not None:
        readings = next((p.readings for p in found.priors if p.prior == claim.prior), ())
    one = next((one for one in readings if one.measure.name == claim.measure), None)
    if not isinstance(one, Reading) or claim.unit not in (None, one.unit):
        return f"It holds exactly for bounds that the {measure} satisfies."
    if isinstance(one.value, Infinity):
        return f"The {measure} is infinite: it holds for no bound."
    word = "above" if claim.relation == "<" else "of at least"
    value = number_words(one.value) if is_number(one.value) else one.text
    return f"The {measure} is {value}: it holds exactly for bounds {word} that."
