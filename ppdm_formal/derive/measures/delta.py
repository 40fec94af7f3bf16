"""Delta of (epsilon, delta)-local differential privacy: the smallest one for a given epsilon.

    delta(epsilon) = max over x1, x2 of sum over y of max(0, p[x1 -> y] - e^epsilon p[x2 -> y])

For every set S of outputs P[R(x1) in S] <= e^epsilon P[R(x2) in S] + delta then, and for no smaller
delta: the worst S holds the outputs at which the difference is positive (the hockey-stick
divergence). It is no function of views, which do not follow an input from output to output, but of
pairs of inputs: how many outputs show them each pair of likelihoods (declare/operators/pair.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.arithmetic.logarithm import Exponent, e_to
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.pair import PairClass
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputClass, View, ViewKind
from ppdm_formal.derive.measures.record import Measure

MAX_PAIRS = 2_000_000
"""So many pairs of inputs are looked at; a family has few that are unlike."""

MAX_UNLIKE = 20_000
"""And so many of them may differ in what they show."""


@dataclass(frozen=True)
class Delta:
    """The value, and the inputs between which it is attained: likely exceeds unlikely."""

    value: Real
    likely: Value | None = None
    unlikely: Value | None = None


def delta(operator: Operator, epsilon: Exponent) -> Delta:
    """The smallest delta for an epsilon; 0 where there are no two inputs.

    >>> from fractions import Fraction
    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> str(delta(coin, Fraction(0)).value), str(delta(coin, Fraction(1)).value)
    ('1/2', '(3 - exp(1))/4')
    """
    best = Delta(ZERO)
    factor = e_to(epsilon)
    for shown in by_pair(pair_views(operator)).values():
        for likely, unlikely in ((0, 1), (1, 0)):
            value = excess(shown, likely, unlikely, factor)
            if best.likely is None or value > best.value:
                one, other = (shown[0].classes[k].example for k in (likely, unlikely))
                best = Delta(value, one, other)
    return best


def pair_views(operator: Operator) -> tuple[View, ...]:
    """What every pair of inputs shows, those that show the same once.

    A view of a pair has two classes of one input each; `known` numbers the pairs and `output` the
    kinds of outputs of a pair, each as many as its outputs. Where these are too many to be written
    out, outputs with one ratio of likelihoods are added up, which leaves every delta as it is.
    """
    sums = operator.law.summed_pair()
    if sums is not None:
        return _summed_views(operator, sums)
    met: dict[Any, None] = {}
    views: list[View] = []
    for count, (one, two) in enumerate(operator.law.unlike_pairs()):
        classes = operator.law.pair(one, two)
        key = frozenset(classes)
        if key in met or frozenset(PairClass(c.second, c.first, c.outputs) for c in classes) in met:
            continue
        met[key] = None
        if count >= MAX_PAIRS or len(met) > MAX_UNLIKE:
            raise TooLarge("more pairs of inputs than are compared")
        inputs = operator.inputs[one], operator.inputs[two]
        for kind, part in enumerate(classes):
            both = (InputClass(part.first, 1, inputs[0]), InputClass(part.second, 1, inputs[1]))
            views.append(View(both, part.outputs, kind, len(met) - 1))
    return tuple(views)


def _summed_views(operator: Operator, sums: Sequence[tuple[Exact, Exact]]) -> tuple[View, ...]:
    """The only pair that there is to look at, by the ratios that outputs show."""
    one, two = operator.inputs[0], operator.inputs[1]
    return tuple(
        View((InputClass(first, 1, one), InputClass(second, 1, two)), 1, number, 0, ViewKind.SUMMED)
        for number, (first, second) in enumerate(sums)
    )


def by_pair(views: Iterable[View]) -> dict[Value, list[View]]:
    """The views of each pair."""
    found: dict[Value, list[View]] = {}
    for view in views:
        assert view.known is not None
        found.setdefault(view.known, []).append(view)
    return found


def excess(shown: Sequence[View], likely: int, unlikely: int, factor: Real) -> Any:
    """The sum over outputs of max(0, p[x1 -> y] - factor p[x2 -> y]) of one pair."""
    total: Any = ZERO
    for view in shown:
        gap = view.classes[likely].likelihood - factor * view.classes[unlikely].likelihood
        if gap > 0:
            total += view.outputs * gap
    return total


MEASURE = Measure(
    name="delta",
    title="Delta (approximate local differential privacy)",
    head="delta",
    meaning="By how much any set of outputs may exceed e^epsilon times its chance from another "
    "true value: the smallest delta of (epsilon, delta)-local differential privacy.",
    formula="max over x1, x2 of sum over y of max(0, p[x1 -> y] - e^epsilon p[x2 -> y])",
    prior=False,
    argument="epsilon",
    certified="pairs",
    rows=pair_views,
    asked=(
        "For any two true values and any set of outputs, its chance from one may exceed "
        "e^({argument}) times its chance from the other by no {how} {bound}."
    ),
    promised=(
        "the chance of any set of outputs from one true value exceeds e^({argument}) times its "
        "chance from another by no {how} {bound}"
    ),
    probability=True,
)
