"""How much an operator may tell where a crowd hides it: the largest parameter that keeps a claim.

largest(lambda gamma: randomized_response(10, keep=gamma / (gamma + 9)), claim, low=1, high=10**6)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.crowd import CrowdSearch, decide_crowd
from ppdm_formal.certify.crowd_described import CrowdDescribed
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.operators.randomization import Operator

_CLOSE = 1.002
"""So near the largest number is found, as a factor; it is then cut to three digits."""

_STEPS_BACK = 6


@dataclass(frozen=True)
class Largest:
    """The number, the operator that it gives, and the claim decided of that operator: certified.

    unbounded: even the highest number that was asked about keeps the claim.
    """

    value: Fraction
    operator: Operator
    finding: Finding
    unbounded: bool


def largest(
    build: Callable[[Fraction], Operator],
    claim: BreachClaim | BoundClaim,
    low: Fraction | int,
    high: Fraction | int,
    deadline: Deadline = NEVER,
) -> Largest | None:
    """The largest number between two for which the claim is certified; None where it is of none.

    build: the operator of a number; it must tell more the larger the number is (an amplification
    gamma, or 1/rho of bits that are flipped with probability rho). The search is in floats, on a
    logarithmic scale; what is returned was decided, and has evidence for a certificate.
    """
    if not 0 < low < high:
        raise ValueError("the largest of what? expected two numbers, 0 < low < high")
    low, high = Fraction(low), Fraction(high)

    def holds(number: Fraction) -> bool:
        deadline.check()
        return _bounded(build(number), claim, deadline)

    unbounded = holds(high)
    value = high
    if not unbounded:
        if not holds(low):
            return None
        bottom, top = math.log(low), math.log(high)
        while top - bottom > math.log(_CLOSE):
            middle = (bottom + top) / 2
            if holds(_cut(math.exp(middle), low)):
                bottom = middle
            else:
                top = middle
        value = _cut(math.exp(bottom), low)
    for _ in range(_STEPS_BACK):
        operator = build(value)
        finding = decide_crowd(operator, claim, deadline)
        if finding.verdict is Verdict.CERTIFIED:
            return Largest(value, operator, finding, unbounded)
        value, unbounded = _cut(float(value) * 0.99, low), False
    return None


def _cut(number: float, low: Fraction) -> Fraction:
    """Down to three digits, where these do not fall below the lowest."""
    exponent = math.floor(math.log10(number)) - 2
    unit = Fraction(10) ** exponent
    return max(low, math.floor(Fraction(number) / unit) * unit)


def _bounded(operator: Operator, claim: BreachClaim | BoundClaim, deadline: Deadline) -> bool:
    """Whether a bound in floats is low enough, or one report alone."""
    described = CrowdDescribed.of(operator, claim)
    return CrowdSearch(claim, described.compared(), described, deadline).kept
