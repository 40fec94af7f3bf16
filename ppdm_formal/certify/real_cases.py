"""The cases of a breach claim under a density: which belief rises, from where, and how far."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.real_witness import Way
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.derive.reals.search import Above, Below

_FARTHEST = 55


def ways(claim: BreachClaim) -> tuple[Way, ...]:
    """The directions that the claim forbids."""
    return ("upward", "downward") if claim.direction == "both" else (claim.direction,)


def starts_at(claim: BreachClaim, way: Way) -> Fraction:
    """The probability up to which the rising property starts."""
    return claim.rho1 if way == "upward" else 1 - claim.rho2


def reaches(claim: BreachClaim, way: Way) -> Fraction:
    """Its probability that is a breach."""
    return claim.rho2 if way == "upward" else 1 - claim.rho1


def odds_of(probability: Fraction) -> Fraction:
    """As odds."""
    return probability / (1 - probability)


def far_out(operator: ContinuousOperator) -> bool:
    """Whether outputs go on without end, and tell inputs ever further apart."""
    return operator.window is None and operator.noise.spread is not None


def too_far(operator: ContinuousOperator, answer: Above | Below) -> bool:
    """Whether outputs lie so many deviations out that the checker's digits do not get there."""
    if not isinstance(answer, Above) or answer.low is None or answer.high is None:
        return False
    far = max(answer.high - operator.inputs.lo, operator.inputs.hi - answer.low)
    return far_out(operator) and float(far) > _FARTHEST * operator.noise.sd
