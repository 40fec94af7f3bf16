"""Local differential privacy: the smallest epsilon, the logarithm of the amplification.

epsilon = max over reachable y and over x1, x2 of  ln(p[x1 -> y] / p[x2 -> y])
"""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Enclosure, log_of
from ppdm_formal.declare.arithmetic.envelope import pieces_text
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.parameter import exponent_text
from ppdm_formal.declare.arithmetic.value import Infinity, Measured, value_text
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.amplification import MEASURE as AMPLIFICATION
from ppdm_formal.derive.measures.amplification import Amplification, AttainedRatio, amplification
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.record import Asked, Measure, Reading


@dataclass(frozen=True)
class LocalDP:
    """Epsilon in nats, and the amplification e^epsilon that it comes from, with its witness."""

    epsilon: Measured
    amplification: Amplification

    @property
    def witness(self) -> AttainedRatio:
        """The output and the two inputs that attain it."""
        return self.amplification.witness

    @property
    def text(self) -> str:
        """Epsilon in text: 1.78843..., ln(p/(1 - p)), infinity."""
        gain = self.amplification.value
        if is_number(gain) or isinstance(gain, Infinity):
            return value_text(self.epsilon)
        found = self.amplification
        return pieces_text(found.pieces, found.parameters, "ln({})", exponent_text)


def local_dp(operator: Operator, digits: int = DIGITS) -> LocalDP:
    """The smallest epsilon for which the operator is epsilon-locally differentially private.

    >>> print(local_dp(Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])).epsilon)
    1.09861...
    """
    return epsilon_of(amplification(operator), digits)


def epsilon_of(found: Amplification, digits: int = DIGITS) -> LocalDP:
    """The same from the amplification, where that is known already."""
    gamma = found.value
    if isinstance(gamma, Infinity):
        return LocalDP(gamma, found)
    if is_number(gamma):
        return LocalDP(log_of(gamma, "nat", digits), found)
    import sympy

    return LocalDP(sympy.log(gamma), found)


def _read(asked: Asked) -> Reading:
    found = epsilon_of(AMPLIFICATION.measure(asked).result, asked.digits)
    at = found.witness
    epsilon = found.epsilon if isinstance(found.epsilon, Enclosure) else found.text
    return MEASURE.reading(
        asked,
        found.epsilon,
        {"local_dp": {"unit": "nat", "epsilon": epsilon}},
        text=found.text,
        output=at.output,
        inputs=(at.likely, at.unlikely),
        result=found,
    )


MEASURE = Measure(
    name="epsilon",
    also=("local_dp", "free_lunch"),
    key="local_dp",
    certified="ratio",
    title="Epsilon (local differential privacy)",
    head="epsilon",
    meaning=(
        "The logarithm of the amplification, in nats: the epsilon of local differential privacy."
    ),
    formula="max over y, x1, x2 of ln(p[x1 -> y] / p[x2 -> y])",
    asked=(
        "No output may be {how} e^({bound}) times as likely from one true value as from another: "
        "epsilon of local differential privacy."
    ),
    promised="no output is {how} e^({bound}) times as likely from one true value as from another",
    prior=False,
    unit="nat",
    tree=Formula("max", ("log", ("/", ("max", "likelihood"), ("min", "likelihood")))),
    compute=_read,
    of_ratios=True,
    order=1,
)
