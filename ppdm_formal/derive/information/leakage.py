"""Leakage about each person of a database: event by event, and whoever the others are.

An input (u_1, ..., u_n) is a database of n people's values (a value that is no tuple is one
person's). Under a prior, the event-based leakage of i is I(U_i; Y) (Dor18 1.2.5), and their maximum
is the database's. For all priors, mutual-information differential privacy (1.2.4) bounds
I(U_i; Y | all others): its least epsilon is the largest channel capacity from u_i to Y over all
values of the others, since I(U_i; Y | others) is a mean of such mutual informations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.arithmetic.value import Measured, value_json
from ppdm_formal.declare.operators.channel import InputRows, alone, persons
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.result import Result
from ppdm_formal.derive.information.capacity import channel_capacity
from ppdm_formal.derive.information.knowledge import Gain, rational_channel, shown


@dataclass(frozen=True)
class PersonLeakage:
    """What outputs tell of one person, in nats: under the prior, and at most for any prior."""

    person: int
    under_prior: Enclosure
    for_all: Enclosure | None
    """None where there are too many values of the others."""


@dataclass(frozen=True)
class Leakage(Result):
    """What an operator's outputs tell, of the whole input and of each person in it."""

    shown_in: ClassVar[str] = "information"
    operator: str
    prior: str | None
    """Its name; None is the uniform one."""
    gains: Mapping[str, Gain]
    people: tuple[PersonLeakage, ...]
    epsilon: Measured
    """Of free-lunch privacy: all inputs as neighbours."""

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-leakage/1."""
        return {
            "format": "ppdm-leakage/1",
            "operator": self.operator,
            "prior": self.prior,
            "unit": "nat",
            "knowledge_gain": {
                name.replace(" ", "_"): {
                    "before": value_json(shown(gain.before)),
                    "after": value_json(shown(gain.after)),
                    "gain": value_json(gain.gain),
                }
                for name, gain in self.gains.items()
            },
            "people": [
                {
                    "person": one.person,
                    "event_based_leakage": value_json(one.under_prior),
                    "mutual_information_dp": None
                    if one.for_all is None
                    else value_json(one.for_all),
                }
                for one in self.people
            ],
            "free_lunch_epsilon": value_json(self.epsilon),
        }


def leakages(operator: Operator, prior: Prior) -> list[PersonLeakage]:
    """One for each person, from 1 on."""
    channel = rational_channel(operator, prior)
    under = [_mutual(one).enclosed() for one in persons(channel)]
    for_all: list[Enclosure | None] = [None] * len(under)
    with suppress(TooLarge):  # what holds under the prior is known all the same
        for_all = [highest_capacity(channels) for channels in alone(channel)]
    return [
        PersonLeakage(i, leaked, highest)
        for i, (leaked, highest) in enumerate(zip(under, for_all, strict=True), start=1)
    ]


def highest_capacity(channels: Sequence[InputRows]) -> Enclosure:
    """The largest capacity of any of them, in nats."""
    ends = [channel_capacity(channel.rows).nats for channel in channels]
    return Enclosure(max(end.lo for end in ends), max(end.hi for end in ends))


def _mutual(channel: InputRows) -> LogSum:
    masses = channel.masses or ()
    pairs = zip(masses, channel.rows, strict=True)
    return mutual([[mass * p for p in row] for mass, row in pairs])


def mutual(joint: list[list[Fraction]]) -> LogSum:
    """I = sum of P[u, y] ln(P[u, y] / (P[u] P[y])), in nats."""
    likely = [sum(column, Fraction(0)) for column in zip(*joint, strict=True)]
    terms = []
    for row in joint:
        mass = sum(row, Fraction(0))
        terms += [
            (p, LogSum.log(p / (mass * seen))) for p, seen in zip(row, likely, strict=True) if p
        ]
    return LogSum.total(terms, "nat")
