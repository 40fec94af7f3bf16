"""Decoders: scores D[y, x] of the outputs whose mean over the outputs of x' is 1 if x' = x else 0.

P D = I, and so the mean score of the collected outputs estimates pi without bias. Where outputs
outnumber inputs there are many such D; the one of least variance under a prior is taken
(declare/operators/least_variance.py), fixed before data are seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic
from ppdm_formal.declare.operators.alike import keep_or_replace
from ppdm_formal.declare.operators.least_variance import decoding_masses, exact_scores
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import Recoverable, recoverable
from ppdm_formal.infer.undoing.counts import Floats, Integers

EXACT_WORK = 1_000_000
"""Decoders are exact while rank^2 * (inputs + outputs) stays below this: within a second.

The rank is at most the number of inputs, and of outputs.
"""

MAX_ENTRIES = 30_000_000
"""Largest decoder that is held as a table of doubles."""


class NotEstimable(ValueError):
    """The operator or the data do not allow this estimate."""


class NotRecoverable(NotEstimable):
    """The operator does not tell distributions apart, and is too large to say which."""


class Decoder(Protocol):
    """Scores of outputs, and what is known of them."""

    @property
    def recoverable(self) -> Recoverable:
        """What can be recovered."""

    @property
    def outputs(self) -> Floats:
        """Probabilities of the outputs under the prior that the decoder was made for."""

    @property
    def exact(self) -> bool:
        """Whether it was computed in rationals, and only then rounded to doubles."""

    @property
    def bias(self) -> float:
        """0 where exact; else a bound on how far an estimate's mean can be from the truth."""

    def sums(self, weights: Floats, power: int) -> Floats:
        """The sum over y of weights[y] * D[y, x]^power, for each x."""

    def running(self, weights: Floats, order: Integers, power: int) -> Floats:
        """The same for the sums of D over the first inputs in an order, the first t for each t."""

    def score(self, coefficients: Floats) -> Floats:
        """The scores of a linear function of pi: the sum over x of coefficients[x] * D[y, x]."""

    def table(self) -> Floats:
        """D itself, a row an output."""


@dataclass(frozen=True)
class TableDecoder:
    """A decoder held as a table."""

    scores: Floats
    recoverable: Recoverable
    outputs: Floats
    exact: bool
    bias: float = 0.0

    def sums(self, weights: Floats, power: int) -> Floats:
        """Through the table, its entries to a power."""
        return np.asarray(weights @ self.scores**power)

    def running(self, weights: Floats, order: Integers, power: int) -> Floats:
        """Through the running sums of the table."""
        return np.asarray(weights @ np.cumsum(self.scores[:, order], axis=1) ** power)

    def score(self, coefficients: Floats) -> Floats:
        """Through the table."""
        return np.asarray(self.scores @ coefficients)

    def table(self) -> Floats:
        """The table."""
        return self.scores


@dataclass(frozen=True)
class KeepDecoder:
    """Randomized response: D = own where x = y, else other; no table, so a million values do."""

    size: int
    own: float
    other: float
    outputs: Floats
    exact: bool = True
    bias: float = 0.0

    @cached_property
    def recoverable(self) -> Recoverable:
        """Everything."""
        return Recoverable.everything(self.size)

    def sums(self, weights: Floats, power: int) -> Floats:
        """Two scores occur for each input."""
        apart = self.own**power - self.other**power
        return np.asarray(weights * apart + weights.sum() * self.other**power)

    def running(self, weights: Floats, order: Integers, power: int) -> Floats:
        """Over the first t inputs: (t - 1) other + own where y is among them, else t other."""
        reached = np.cumsum(weights[order])
        count = np.arange(1, self.size + 1)
        inside, outside = self.own + (count - 1) * self.other, count * self.other
        return np.asarray(reached * inside**power + (weights.sum() - reached) * outside**power)

    def score(self, coefficients: Floats) -> Floats:
        """The same two scores."""
        apart = self.own - self.other
        return np.asarray(apart * coefficients + self.other * coefficients.sum())

    def table(self) -> Floats:
        """Written out."""
        _check_entries(self.size, self.size)
        full = np.full((self.size, self.size), self.other)
        np.fill_diagonal(full, self.own)
        return full


def decoder(operator: Operator, prior: Prior | None = None) -> Decoder:
    """The decoder of least variance under the prior, else under the uniform one.

    A prior under which some output never occurs says nothing about its variance: then, too,
    the uniform one is used.
    """
    if any(is_symbolic(value) for value in operator.law.values()):
        raise NotEstimable("the operator has free parameters: give them values first")
    size, two = operator.inputs.size, operator.law.keep_or_replace()
    if two is not None and two[0] != two[1]:
        return _keep_decoder(size, *two, np.full(size, 1 / size))
    _check_entries(operator.inputs.size, operator.outputs.size)
    matrix = operator.matrix()
    masses = decoding_masses(matrix, operator.inputs, prior)
    inputs, outputs = matrix.shape
    if min(inputs, outputs) ** 2 * (inputs + outputs) <= EXACT_WORK:
        found = recoverable(matrix)
        rows, output_masses = exact_scores(matrix, found, masses)
        scores = np.array([[float(entry) for entry in row] for row in rows])
        return TableDecoder(scores, found, np.array([float(m) for m in output_masses]), True)
    rounded = np.array([float(mass) for mass in masses])
    two = keep_or_replace(matrix)
    if two is not None:
        keep, other = two
        return _keep_decoder(inputs, keep, other, float(other) + float(keep - other) * rounded)
    from ppdm_formal.infer.undoing.rounded_decoder import rounded_decoder

    return rounded_decoder(matrix, rounded)


def _keep_decoder(size: int, keep: Exact, other: Exact, outputs: Floats) -> KeepDecoder:
    """The inverse in closed form."""
    apart = keep - other
    return KeepDecoder(size, float((1 - other) / apart), float(-other / apart), outputs)


def _check_entries(inputs: int, outputs: int) -> None:
    if inputs * outputs > MAX_ENTRIES:
        raise NotEstimable(
            f"{inputs:,} inputs and {outputs:,} outputs: at most {MAX_ENTRIES:,} pairs serve"
        )
