"""Leakage about each person of a database: event by event, and whoever the others are.

An input (u_1, ..., u_n) is a database of n people's values (a value that is no tuple is one
person's). Under a prior, the event-based leakage of i is I(U_i; Y) (Dor18 1.2.5), and their maximum
is the database's. For all priors, mutual-information differential privacy (1.2.4) bounds
I(U_i; Y | all others): its least epsilon is the largest channel capacity from u_i to Y over all
values of the others, since I(U_i; Y | others) is a mean of such mutual informations.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ppdm_formal.information.capacity import channel_capacity
from ppdm_formal.information.knowledge import exact_rows
from ppdm_formal.numbers.enclosure import Enclosure
from ppdm_formal.numbers.log_sum import LogSum
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior

MAX_CHANNELS = 2_000
"""Most fixed values of the others that are looked at for one person."""


@dataclass(frozen=True)
class PersonLeakage:
    """What outputs tell of one person, in nats: under the prior, and at most for any prior."""

    person: int
    under_prior: Enclosure
    for_all: Enclosure | None
    """None where there are too many values of the others."""


def leakages(operator: Operator, prior: Prior) -> list[PersonLeakage]:
    """One for each person, from 1 on."""
    rows, masses = exact_rows(operator, prior)
    values = [value if isinstance(value, tuple) else (value,) for value in operator.inputs]
    people = len(values[0])
    if any(len(value) != people for value in values):
        raise ValueError("databases of different numbers of people")
    return [_person(i, values, rows, masses) for i in range(people)]


def _person(i: int, values: Any, rows: Any, masses: Any) -> PersonLeakage:
    joint: dict[Any, list[Fraction]] = {}
    others: dict[Any, list[list[Fraction]]] = defaultdict(list)
    for value, row, mass in zip(values, rows, masses, strict=True):
        before = joint.get(value[i], [Fraction(0)] * len(row))
        joint[value[i]] = [a + mass * p for a, p in zip(before, row, strict=True)]
        others[value[:i] + value[i + 1 :]].append(row)
    highest = None
    if len(others) <= MAX_CHANNELS:
        ends = [channel_capacity(channel).nats for channel in others.values()]
        highest = Enclosure(max(end.lo for end in ends), max(end.hi for end in ends))
    return PersonLeakage(i + 1, mutual(list(joint.values())).enclosed(), highest)


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
