"""Knowledge gain: U(prior) - mean of U(posterior), for any uncertainty function U (Dor18 1.2.2).

U takes a distribution to a number, higher where less is known: Shannon's entropy (the gain is then
the mutual information), the Bayes risk (the chance that the best guess is wrong), the variance (of
inputs that are numbers), or any function of a distribution that gives exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.operators.channel import InputRows, whole
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator

Distribution: TypeAlias = Mapping[Value, Fraction]
Uncertainty: TypeAlias = Callable[[Distribution], Any]
"""An exact number, or a LogSum."""

MAX_CELLS = 1_000_000


def entropy(law: Distribution) -> LogSum:
    """H = -sum of p ln(p), in nats."""
    return LogSum.total([(-p, LogSum.log(p)) for p in law.values() if p], "nat")


def bayes_risk(law: Distribution) -> Fraction:
    """1 - max of p: how likely the best guess is wrong."""
    return 1 - max(law.values())


def variance(law: Distribution) -> Fraction:
    """Of values that are whole numbers; ValueError for others."""
    if any(isinstance(value, bool) or not isinstance(value, int) for value in law):
        raise ValueError("the variance is of inputs that are numbers")
    mean = sum((p * value for value, p in law.items()), Fraction(0))  # type: ignore[operator]
    return sum((p * (value - mean) ** 2 for value, p in law.items()), Fraction(0))  # type: ignore[operator]


UNCERTAINTIES: Mapping[str, Uncertainty] = {
    "entropy": entropy,
    "bayes risk": bayes_risk,
    "variance": variance,
}


@dataclass(frozen=True)
class Gain:
    """Uncertainty before, after on average, and their difference; exact, or enclosed (entropy)."""

    before: Any
    after: Any

    @property
    def gain(self) -> Any:
        """What the outputs take away of it."""
        return shown(self.before - self.after)


def shown(value: Any) -> Fraction | Enclosure:
    """A number as it is, a sum of logarithms enclosed."""
    return value.enclosed() if isinstance(value, LogSum) else value


def knowledge_gain(operator: Operator, prior: Prior, uncertainty: Uncertainty) -> Gain:
    """From the posterior of every output; ValueError for what is too large or not rational.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> gain = knowledge_gain(coin, Prior.uniform(coin.inputs), bayes_risk)
    >>> str(gain.before), str(gain.after), str(gain.gain)
    ('1/2', '1/4', '1/4')
    """
    channel = rational_channel(operator, prior)
    rows, masses, values = channel.rows, channel.masses or (), channel.inputs
    before = uncertainty(dict(zip(values, masses, strict=True)))
    terms: list[tuple[Fraction, Any]] = []
    for y in range(len(rows[0])):
        joint = [mass * row[y] for mass, row in zip(masses, rows, strict=True)]
        seen = sum(joint, Fraction(0))
        if seen:
            law = {value: part / seen for value, part in zip(values, joint, strict=True)}
            terms.append((seen, uncertainty(law)))
    if isinstance(before, LogSum):
        return Gain(before, LogSum.total(terms, "nat"))
    return Gain(before, sum((seen * one for seen, one in terms), Fraction(0)))


def rational_channel(operator: Operator, prior: Prior) -> InputRows:
    """The operator row by row and the prior, in rationals; ValueError where they are not."""
    if operator.parameters or prior.parameters:
        raise ValueError("free parameters: give them values with --set")
    channel = whole(operator, prior, MAX_CELLS)
    numbers = {p for row in (*channel.rows, channel.masses or ()) for p in row}
    if not all(map(is_rational, numbers)):
        raise ValueError("probabilities with exponentials: knowledge gain is of rational ones")
    return channel
