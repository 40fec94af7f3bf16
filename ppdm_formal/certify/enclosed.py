"""Bounds on dependence and worst-case information: enclosed ever tighter until decided.

On a view with W = P[Y = y] and f = p[x -> y] / W: dependence is max |ln f| and information is
sum(prior f log f). A value that no enclosure tells from the bound is compared with it exactly,
as a product of rational powers; where that is too large, the verdict is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.certify.finding import BoundWitness, Finding, Verdict
from ppdm_formal.claim import BoundClaim
from ppdm_formal.operator.view import View

DIGITS = (15, 30, 60, 120, 240)
"""Accuracies that are tried in turn."""

MAX_POWER_BITS = 4_000_000
"""Size of the powers that are compared exactly."""

Factors = list[tuple[Fraction, Fraction]]
"""For each class with a positive prior: f, and the posterior mass count * prior * f."""


def decide_enclosed(views: Sequence[View], claim: BoundClaim) -> Finding:
    """Decide a bound on dependence or on worst-case information, view by view."""
    name = claim.measure.replace("_case", "-case").replace("_", " ")
    equal: list[int] = []
    digits = DIGITS[0]
    for position, view in enumerate(views):
        factors = _factors(view)
        if factors is None:
            continue
        side, used = _side(factors, claim)
        digits = max(digits, used)
        if side is None:
            reason = f"the {name} could not be told from the bound with {DIGITS[-1]} digits"
            return Finding(Verdict.UNKNOWN, reason)
        if side == 0:
            equal.append(position)
        if side > 0 or (side == 0 and claim.relation == "<"):
            evidence = {"kind": "enclosure", "digits": digits, "equal": equal}
            reason = f"the {name} of this output is {'at' if side == 0 else 'above'} the bound"
            return Finding(Verdict.BREACHED, reason, evidence, BoundWitness(position))
    evidence = {"kind": "enclosure", "digits": digits, "equal": equal}
    reason = f"every output's {name} is within the bound"
    return Finding(Verdict.CERTIFIED, reason, evidence)


def _factors(view: View) -> Factors | None:
    """None where the output has probability 0."""
    possible = [part for part in view.classes if part.prior]
    weights = [part.count * part.prior for part in possible]  # type: ignore[operator]
    mass = sum((w * c.likelihood for w, c in zip(weights, possible, strict=True)), Fraction(0))
    if mass == 0:
        return None
    found = [part.likelihood / mass for part in possible]
    return [(f, w * f) for f, w in zip(found, weights, strict=True)]


def _side(factors: Factors, claim: BoundClaim) -> tuple[int | None, int]:
    """The sign of value - bound (None: not decided), and how many digits it took."""
    if claim.measure == "dependence":
        if any(f == 0 for f, _ in factors):
            return 1, DIGITS[0]
        extreme = max(max(f, 1 / f) for f, _ in factors)
        factors = [(extreme, Fraction(1))]
    terms = [(f, weight) for f, weight in factors if f not in (0, 1)]
    if not terms:
        return (claim.bound < 0) - (claim.bound > 0), DIGITS[0]
    unit = "bit" if claim.unit == "bit" else "nat"
    for digits in DIGITS:
        low, high = _enclosure(terms, unit, digits)
        if high < claim.bound:
            return -1, digits
        if low > claim.bound:
            return 1, digits
        if digits == DIGITS[1] and unit == "bit" and _exactly(terms, claim.bound):
            return 0, digits
    return None, DIGITS[-1]


def _enclosure(terms: Factors, unit: str, digits: int) -> tuple[Fraction, Fraction]:
    from flint import arb, fmpq

    from ppdm_formal.numbers.enclosure import ball_log, enclose

    def ball(value: Fraction) -> arb:
        return arb(fmpq(value.numerator, value.denominator))

    def evaluate() -> arb:
        total = arb(0)
        for factor, weight in terms:
            total += ball(weight) * ball_log(ball(factor), "bit" if unit == "bit" else "nat")
        return total

    found = enclose(evaluate, digits)
    return found.lo, found.hi


def _exactly(terms: Factors, bound: Fraction) -> bool:
    """Whether the product of f^weight is 2^bound, in integers (False where they are too large)."""
    common = math.lcm(bound.denominator, *(weight.denominator for _, weight in terms))
    size = sum(
        int(weight * common) * (f.numerator.bit_length() + f.denominator.bit_length())
        for f, weight in terms
    )
    if size > MAX_POWER_BITS:
        return False
    left = right = 1
    for factor, weight in [*terms, (Fraction(2), -bound)]:
        exponent = int(weight * common)
        top, bottom = factor.numerator, factor.denominator
        if exponent < 0:
            top, bottom, exponent = bottom, top, -exponent
        left *= top**exponent
        right *= bottom**exponent
    return left == right
