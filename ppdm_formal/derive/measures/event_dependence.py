"""Dependence of an event: the smallest epsilon for which {X in Q} and Y are epsilon-dependent.

    under a prior:   max over y of |ln( P[Q | y] / P[Q] )|
    for all priors:  max over y, and x1, x2 of which one has Q, of ln( p[x1 -> y] / p[x2 -> y] )

An event is a set of values, so that the first is at most the dependence in total (a ratio of sums
is between the ratios of the parts), and equal to it for the worst event. The second is the least
bound for all priors, met where Q is about to be impossible: inputs that agree on Q do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.arithmetic.exact import ZERO
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import Enough
from ppdm_formal.derive.measures.posterior import posteriors_of


@dataclass(frozen=True)
class EventDependence:
    """e^epsilon, and an output that attains it; prior None: for all priors."""

    event: Property
    prior: Prior | None
    ratio: Any
    """A number with or without exponentials, or infinity."""
    output: Value | None

    @property
    def epsilon(self) -> Enclosure | Infinity:
        """ln(ratio), in nats."""
        return self.ratio if isinstance(self.ratio, Infinity) else log_of(self.ratio)


def event_dependence(
    operator: Operator, event: Property, prior: Prior | None = None
) -> EventDependence:
    """The dependence of one event; ValueError while a parameter is free.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> zero = Property.of(coin.inputs, [0], "zero")
    >>> fair = Prior.uniform(coin.inputs)
    >>> str(event_dependence(coin, zero, fair).ratio), str(event_dependence(coin, zero).ratio)
    ('2', '3')
    """
    if operator.parameters or (prior is not None and prior.parameters):
        raise ValueError("the dependence of an event depends on the free parameters: set them")
    best: tuple[Any, Value | None] = (Fraction(1), None)
    if prior is None:
        for view in operator.views(None, [event], enough=Enough.FIRST_PROPERTY):
            for likely, unlikely in ((True, False), (False, True)):
                high = [c.likelihood for c in view.classes if c.member[0] == likely]
                low = [c.likelihood for c in view.classes if c.member[0] == unlikely]
                if high and low and max(high) != ZERO:
                    best = _larger(best, max(high), min(low), view.output)
        return EventDependence(event, None, *best)
    before = prior.mass(event)
    if before != ZERO:  # what cannot be, cannot become likelier
        for seen in posteriors_of(operator.views(prior, [event], enough=Enough.FIRST_PROPERTY), 1):
            best = _larger(best, seen.after[0], before, seen.view.output)
            best = _larger(best, before, seen.after[0], seen.view.output)
    return EventDependence(event, prior, *best)


def _larger(
    best: tuple[Any, Value | None], above: Any, below: Any, output: Value
) -> tuple[Any, Value | None]:
    ratio = INFINITY if below == ZERO else above / below
    return (ratio, output) if ratio > best[0] else best
