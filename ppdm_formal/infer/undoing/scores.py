"""Scores of answers: their moments for cells, for linear functions and for running sums.

Each comes as seen (means over the answers) and as fitted: under the output law of nonnegative
masses near the estimates. What was not seen has no scatter in the answers, but it has in truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from ppdm_formal.infer.undoing.channel import Channel
from ppdm_formal.infer.undoing.counts import Counts, Floats, Integers
from ppdm_formal.infer.undoing.decoder import Decoder
from ppdm_formal.infer.undoing.intervals import Moments
from ppdm_formal.infer.undoing.likelihood import fit
from ppdm_formal.infer.undoing.operator_channel import ProductChannel, along

_ROUNDS = 20
"""How often a joint table is fitted to the columns' own distributions in turn."""


@dataclass(frozen=True)
class Scores:
    """Mean scores of some answers, by their decoders; the channel that the answers came through."""

    decoders: Sequence[Decoder]
    counts: Counts
    line: Channel

    @cached_property
    def shares(self) -> Floats:
        """The frequencies of the outputs of the one column."""
        return self.counts.dense() / self.counts.rows

    @cached_property
    def fitted(self) -> Floats:
        """The law of the one column's outputs, from masses that are estimated and not negative.

        Where the masses themselves cannot be estimated, from the likeliest ones.
        """
        if self.decoders[0].recoverable.lost:
            return self.line.forward(fit(self.line, self.counts.dense()).masses)
        return self.line.forward(positive(self.decoders[0].sums(self.shares, 1)))

    def cells(self) -> Moments:
        """Of each cell, the last column fastest: products of the columns' scores."""
        if len(self.decoders) == 1:
            return self._one(self.decoders[0].sums)
        tables = [[made.table() ** power for made in self.decoders] for power in (1, 2, 3)]
        first, second = (self.counts.sums(tables[k]).ravel() / self.counts.rows for k in (0, 1))
        assert isinstance(self.line, ProductChannel)
        masses = self._joint_masses(first.reshape([made.shape[1] for made in tables[0]]))
        seen = [
            along(masses, [p @ made for p, made in zip(self.line.matrices, part, strict=True)])
            for part in tables
        ]
        before = [
            reduce(np.multiply.outer, [made.sums(made.outputs, k) for made in self.decoders])
            for k in (1, 2, 3)
        ]
        fitted = self._mixed([part.ravel() for part in seen], [part.ravel() for part in before])
        return Moments(first, second, fitted, self.counts.rows)

    def _joint_masses(self, estimates: Floats) -> Floats:
        """Nonnegative masses near the estimates, with the columns' own distributions.

        In a sparse table estimates are noise, and the product of the columns' distributions says
        more; with many rows a cell it is the other way round.
        """
        own = [
            positive(made.sums(self.counts.marginal([axis]).dense() / self.counts.rows, 1))
            for axis, made in enumerate(self.decoders)
        ]
        rows, cells = self.counts.rows, estimates.size
        apart = reduce(np.multiply.outer, own)
        masses = (rows * positive(estimates) + cells * apart) / (rows + cells)
        for _ in range(_ROUNDS):
            for axis, wanted in enumerate(own):
                others = tuple(k for k in range(masses.ndim) if k != axis)
                now = masses.sum(axis=others, keepdims=True)
                aim = wanted.reshape([-1 if k == axis else 1 for k in range(masses.ndim)])
                masses = masses * np.divide(aim, now, out=np.zeros_like(now), where=now > 0)
        return positive(masses)

    def function(self, coefficients: Floats) -> Moments:
        """Of a linear function of the one column's distribution."""
        score = self.decoders[0].score(coefficients)
        return self._one(lambda weights, power: np.array([weights @ score**power]))

    def running(self, order: Integers) -> Moments:
        """Of the sums over the first inputs in an order."""
        decoder = self.decoders[0]
        return self._one(lambda weights, power: decoder.running(weights, order, power))

    def _one(self, moment: Callable[[Floats, int], Floats]) -> Moments:
        """The moments of one column's scores, as seen and as fitted."""
        outputs = self.decoders[0].outputs
        first, second = (moment(self.shares, power) for power in (1, 2))
        powers = (1, 2, 3)
        fitted = self._mixed(
            [moment(self.fitted, power) for power in powers],
            [moment(outputs, power) for power in powers],
        )
        return Moments(first, second, fitted, self.counts.rows)

    def _mixed(self, seen: Sequence[Floats], before: Sequence[Floats]) -> list[Floats]:
        """One row drawn beforehand counts, too: no score's scatter may vanish."""
        rows = self.counts.rows
        return [(rows * now + then) / (rows + 1) for now, then in zip(seen, before, strict=True)]


def positive(masses: Floats) -> Floats:
    """Nonnegative, and 1 in all."""
    kept = np.maximum(masses, 0.0)
    return np.asarray(kept / kept.sum())
