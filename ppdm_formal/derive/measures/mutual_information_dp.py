"""Mutual-information differential privacy: the least epsilon of it (Dor18 section 1.2.4).

epsilon = max over people i and priors of I(U_i; Y | all others)
        = max over i and values of the others of the capacity of u_i -> Y

since I(U_i; Y | others) is a mean of mutual informations, one for each value of the others. For an
operator on one person's value it is the capacity of the channel.
"""

from __future__ import annotations

from ppdm_formal.declare.operators.channel import InputRows, alone, views_of, whole
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.information.balls import in_unit
from ppdm_formal.derive.information.leakage import highest_capacity
from ppdm_formal.derive.measures.record import Asked, CannotCompute, Measure, Reading


def channels(operator: Operator) -> list[InputRows]:
    """From each person's value, the others' fixed in every way."""
    return [channel for own in alone(whole(operator)) for channel in own]


def channel_views(operator: Operator) -> tuple[View, ...]:
    """What they show, each channel's views under its number."""
    return views_of(channels(operator))


def _read(asked: Asked) -> Reading:
    free = [parameter.name for parameter in asked.operator.parameters]
    if free:
        raise CannotCompute("free parameters", f"capacities need values of: {', '.join(free)}")
    unit = MEASURE.unit_of(asked)
    found = in_unit(highest_capacity(channels(asked.operator)), unit or "nat")
    return MEASURE.reading(asked, found, {MEASURE.json_key: {"unit": unit, "value": found}})


MEASURE = Measure(
    name="mutual_information_dp",
    title="Mutual-information differential privacy",
    head="MI-DP",
    spoken="epsilon of mutual-information differential privacy",
    meaning="How much one report tells on average of one person's value at most, whatever the "
    "prior, to someone who knows all others.",
    formula="max over i, priors of I(U_i; Y given all others)",
    source="Dor18 section 1.2.4",
    prior=False,
    unit="asked",
    compute=_read,
    certified="capacity",
    rows=channel_views,
    column=False,
    order=33,
)
