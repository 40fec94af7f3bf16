"""InputRows: an operator row by row, p[x -> .] of each input by itself, whole or of one person.

What follows an input from output to output is no function of views, which count inputs alike. An
input (u_1, ..., u_n) is a database of n people's values; a value that is no tuple is one person's.

    whole:    x -> Y
    persons:  u_i -> Y under a prior, P[y | u_i] = sum over x with x_i = u_i of P[x | u_i] p[x -> y]
    alone:    u_i -> Y for each i and all values of the others, which are fixed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.declare.arithmetic.exact import ZERO
from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputClass, View

MAX_CHANNELS = 2_000
"""Most fixed values of the others that are looked at for one person."""


@dataclass(frozen=True)
class InputRows:
    """Inputs with their rows over the outputs, and their probabilities where there is a prior."""

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    rows: tuple[tuple[Any, ...], ...]
    masses: tuple[Any, ...] | None = None

    @property
    def columns(self) -> Iterator[tuple[Any, ...]]:
        """The likelihoods of each output."""
        return zip(*self.rows, strict=True)

    def views(self, known: int) -> list[View]:
        """Each input a class of its own; outputs that all rows have alike once."""
        examples: dict[tuple[Any, ...], Value] = {}
        for column, output in zip(self.columns, self.outputs, strict=True):
            examples.setdefault(column, output)
        masses = self.masses or [None] * len(self.inputs)
        return [
            View(
                tuple(
                    InputClass(likelihood, 1, x, mass)
                    for likelihood, x, mass in zip(column, self.inputs, masses, strict=True)
                ),
                outputs,
                examples[column],
                known,
            )
            for column, outputs in Counter(self.columns).items()
        ]


def views_of(channels: Sequence[InputRows]) -> tuple[View, ...]:
    """The views of all of them, each channel's under its number."""
    return tuple(view for number, one in enumerate(channels) for view in one.views(number))


def whole(operator: Operator, prior: Prior | None = None, largest: int = 10_000) -> InputRows:
    """Every input apart; TooLarge for more entries than `largest`."""
    if operator.inputs.size * operator.outputs.size > largest:
        told = " x ".join(show_count(domain.size) for domain in (operator.inputs, operator.outputs))
        raise TooLarge(f"{told} pairs of inputs and outputs; at most {largest:,} are followed")
    matrix = operator.matrix()
    rows = tuple(tuple(matrix.palette[code] for code in row) for row in matrix.codes.tolist())
    if prior is None:
        return InputRows(tuple(operator.inputs), tuple(operator.outputs), rows)
    aligned = prior.aligned(operator.inputs)
    masses = tuple(aligned.palette[code] for code in aligned.codes.tolist())
    return InputRows(tuple(operator.inputs), tuple(operator.outputs), rows, masses)


def persons(channel: InputRows) -> list[InputRows]:
    """One for each person, of the values that have a probability above 0."""
    assert channel.masses is not None
    databases, found = _databases(channel), []
    for i in range(len(databases[0])):
        joint: dict[Value, list[Any]] = {}
        for value, row, mass in zip(databases, channel.rows, channel.masses, strict=True):
            if mass != ZERO:
                before = joint.get(value[i], [ZERO] * len(row))
                joint[value[i]] = [a + mass * p for a, p in zip(before, row, strict=True)]
        masses = [sum(row, ZERO) for row in joint.values()]
        rows = [
            tuple(p / mass for p in row) for row, mass in zip(joint.values(), masses, strict=True)
        ]
        found.append(InputRows(tuple(joint), channel.outputs, tuple(rows), tuple(masses)))
    return found


def alone(channel: InputRows) -> list[list[InputRows]]:
    """For each person, with the others' values fixed in every way; TooLarge for too many ways.

    Those that differ in the names of outputs alone are there once.
    """
    databases, found = _databases(channel), []
    for i in range(len(databases[0])):
        others: dict[Any, dict[Value, tuple[Any, ...]]] = {}
        for value, row in zip(databases, channel.rows, strict=True):
            others.setdefault(value[:i] + value[i + 1 :], {})[value[i]] = row
        if len(others) > MAX_CHANNELS:
            raise TooLarge(f"more than {MAX_CHANNELS:,} values of the others")
        unlike: dict[Any, InputRows] = {}
        for own in others.values():
            one = InputRows(tuple(own), channel.outputs, tuple(own.values()))
            unlike.setdefault((one.inputs, frozenset(Counter(one.columns).items())), one)
        found.append(list(unlike.values()))
    return found


def _databases(channel: InputRows) -> list[tuple[Value, ...]]:
    values = [value if isinstance(value, tuple) else (value,) for value in channel.inputs]
    if any(len(value) != len(values[0]) for value in values):
        raise ValueError("databases of different numbers of people")
    return values
