"""What parts cost: epsilon of each, and of the whole record, epsilon_1 + ... + epsilon_n exactly.

Independent coins multiply: the operator on whole records has the product of the amplifications,
attained where each part attains its own. So whatever is known beforehand, all outputs together and
the record are (epsilon_1 + ... + epsilon_n)-dependent, and no less for all priors. A part alone is
epsilon_i-dependent on all outputs where the parts are independent, and where X_i and the others
are epsilon_d-dependent, (epsilon_i + epsilon_d)-dependent on all outputs and the other parts (Dor18
Theorem 4, which has 2 epsilon_d: docs/findings.md), and for all such laws no less, if the part and
another one have two values each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity
from ppdm_formal.declare.operators.parts import Parts, SanitizedPart
from ppdm_formal.derive.measures.amplification import amplification, disclosed
from ppdm_formal.derive.measures.local_dp import LocalDP, epsilon_of


@dataclass(frozen=True)
class PartCost:
    """A part, its own epsilon, and what is learned of it where the parts depend on each other.

    ratio: e^(epsilon + epsilon_d): an exact number, infinity, or None while a parameter is free.
    """

    part: SanitizedPart
    own: LocalDP
    ratio: Any

    @property
    def epsilon(self) -> Enclosure | Infinity | None:
        """ln(ratio)."""
        return logarithm(self.ratio)


@dataclass(frozen=True)
class PartsCost:
    """All parts, and the whole record, whose ratio is the product; no costs: not measured."""

    parts: Parts
    costs: tuple[PartCost, ...]
    ratio: Any

    @property
    def epsilon(self) -> Enclosure | Infinity | None:
        """What the whole record costs."""
        return logarithm(self.ratio)


def parts_cost(parts: Parts) -> PartsCost:
    """Measure all parts, exactly."""
    costs, ratio = [], Fraction(1)
    for position, part in enumerate(parts.parts):
        gain = disclosed(part.operator, amplification(part.operator))
        alone = gain.value if isinstance(gain.value, Infinity) or is_number(gain.value) else None
        among = Fraction(1) if parts.other(position) is None else e_to(parts.shared)
        costs.append(PartCost(part, epsilon_of(gain), _times(alone, among)))
        ratio = _times(ratio, alone)
    return PartsCost(parts, tuple(costs), ratio)


def not_measured(parts: Parts) -> PartsCost:
    """Where limits of time or size kept everything away: nothing is known."""
    return PartsCost(parts, (), None)


def logarithm(ratio: Any) -> Enclosure | Infinity | None:
    """The natural logarithm of a ratio that may be infinite or unknown."""
    return ratio if ratio is None or isinstance(ratio, Infinity) else log_of(ratio)


def _times(first: Any, second: Any) -> Any:
    if first is None or second is None:
        return None
    infinite = isinstance(first, Infinity) or isinstance(second, Infinity)
    return INFINITY if infinite else first * second
