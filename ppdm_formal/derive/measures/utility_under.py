"""Utility under a prior: the cost in people where the distribution of x is the prior itself.

The decoder of least variance is then the one for that prior. A prior under which some output never
occurs says nothing about its weight: then the decoder for the uniform distribution is used.
"""

from __future__ import annotations

from ppdm_formal.derive.measures.record import Asked, Measure, Reading
from ppdm_formal.derive.measures.utility import fields, utility


def _compute(asked: Asked) -> Reading:
    found = utility(asked.operator, asked.under)
    value = found.best.errors.factor
    return MEASURE.reading(asked, value, {"utility_under": fields(found)}, result=found)


MEASURE = Measure(
    name="utility_under",
    title="Cost in people under the prior",
    head="people, times",
    meaning="How many times as many people are needed to estimate the distribution of x as without "
    "randomization, where that distribution is the prior, with the decoder of least variance.",
    formula="sum over x of e[x] / sum over x of pi[x] (1 - pi[x])",
    prior=True,
    compute=_compute,
    column=False,
    order=200,
)
