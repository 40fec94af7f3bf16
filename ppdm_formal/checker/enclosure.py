"""Evidence "enclosure": dependence and worst-case information, by enclosed logarithms."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence
from .claim import BoundClaim, Claim
from .decision import Decision
from .exponential import Exponential, e_to
from .limits import MAX_DIGITS, ONE, ZERO
from .reading import Fields, read_position
from .result import need
from .view import View


def log_bounds(x: Any, bits: int) -> tuple[int, int]:
    """Integers around 2^bits ln(x); Decimal.ln is documented to be correctly rounded."""
    if type(x) is Exponential:
        low, high = x.between(bits)
        return log_bounds(low, bits)[0], log_bounds(high, bits)[1]
    # 2^bits < 10^(bits/3) and ln(n) < 10^20 for any n that memory holds: errors far below 1.
    context = Context(prec=bits // 3 + 30)
    top = Fraction(Decimal(x.numerator).ln(context))
    bottom = Fraction(Decimal(x.denominator).ln(context))
    scaled = (top - bottom) * 2**bits
    return math.floor(scaled) - 1, math.ceil(scaled) + 1


def logs_cancel(terms: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether sum of e ln(x) is 0: over pairwise coprime bases every exponent must vanish."""
    powers: dict[int, Fraction] = {}
    left = [(x.numerator, e) for e, x in terms] + [(x.denominator, -e) for e, x in terms]
    while left:
        base, e = left.pop()
        other = next((b for b in powers if math.gcd(b, base) > 1), None)
        if other is not None:  # base^e other^f = (base/g)^e (other/g)^f g^(e + f)
            f, g = powers.pop(other), math.gcd(base, other)
            left += [(base // g, e), (other // g, f), (g, e + f)]
        elif base > 1:
            powers[base] = e
    return not any(powers.values())


def side_of_bound(view: View, claim: BoundClaim, digits: int) -> int:
    """-1, 0, 1: below (or not reached), at or above the bound."""
    shown = view.mass_of(lambda part: part.prior * part.likelihood)
    if shown == 0:
        return -1
    likely = [part for part in view.classes if part.prior]
    terms: list[tuple[Fraction, Fraction]]  # (e, x): the sum of e ln(x), and `rest`, against 0
    if claim.measure == "dependence":
        if any(part.likelihood == 0 for part in likely):
            return 1  # infinite
        ratios = [part.likelihood / shown for part in likely]
        most: Any = max(max(f, 1 / f) for f in ratios)
        if type(most) is Exponential:
            limit = e_to(claim.bound)
            return int(most > limit) - int(most < limit)
        terms, rest = [(ONE, most)], -claim.bound
    else:
        terms, rest = [], ZERO
        for part in likely:
            f = part.likelihood / shown
            if f:
                terms.append((part.count * part.prior * f, f))
        if claim.unit == "bit":
            terms.append((-claim.bound, Fraction(2)))
        else:
            rest = -claim.bound
    bits = 4 * digits + 128
    low = high = rest * 2**bits
    for e, x in terms:
        log_low, log_high = log_bounds(x, bits)
        low += e * (log_low if e > 0 else log_high)
        high += e * (log_high if e > 0 else log_low)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    # Such a sum of logarithms is never a rational other than 0 (Baker).
    rational = all(type(number) is Fraction for term in terms for number in term)
    zero = rational and rest == 0 and logs_cancel(terms)
    need(zero, f"{digits} digits do not decide")
    return 0


def enclosure(
    views: list[View], claim: BoundClaim, evidence: Any, witness: dict[str, Any] | None
) -> Decision:
    """Interval arithmetic decides each view, exact arithmetic those that meet the bound."""
    fields = Fields(evidence, "evidence", "kind digits equal")
    digits = fields.position("digits", 10**9)
    need(0 < digits <= MAX_DIGITS, f"digits are not from 1 to {MAX_DIGITS}")
    equal = [read_position(place, len(views)) for place in fields.list("equal")]
    # A breach needs one view, which the witness replays; its absence needs them all.
    if witness is None:
        looked = list(range(len(views)))
    else:
        looked = [read_position(witness.get("view"), len(views)), *equal]
    sides = {place: side_of_bound(views[place], claim, digits) for place in looked}
    meet = sorted(place for place, side in sides.items() if side == 0)
    need(equal == meet, "equal does not list the views that meet the bound")
    return Decision(not all(claim.allows(side, 0) for side in sides.values()))


class ByEnclosure(Evidence):
    """How many digits decide, and which views meet the bound."""

    kind, of = "enclosure", ("finite",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """Measures that are known by name and are no ratio, without free parameters."""
        bound = isinstance(claim, BoundClaim) and claim.formula is None and not claim.each
        return bound and not claim.of_ratio and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of all views, or of the witness's."""
        views, claim = certificate.subject.views, certificate.claim
        return enclosure(views, claim, certificate.evidence, certificate.witness)
