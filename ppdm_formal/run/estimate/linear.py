"""Linear estimates: moments of the scores of cells, of linear functions and of running sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Protocol

import numpy as np

from ppdm_formal.run.estimate.counts import Counts, Floats, Integers
from ppdm_formal.run.estimate.decoder import Decoder
from ppdm_formal.run.estimate.efficient import Efficient
from ppdm_formal.run.estimate.intervals import Moments, slope


class Linear(Protocol):
    """Estimates that are means of scores."""

    def cells(self) -> Moments:
        """Of each cell, in the order of the inputs, the last column fastest."""

    def function(self, coefficients: Floats) -> Moments:
        """Of a linear function of one column's distribution."""

    def running(self, order: Integers) -> Moments:
        """Of the sums over the first inputs in an order."""


@dataclass(frozen=True)
class FixedScores:
    """The decoders' own scores: unbiased."""

    decoders: Sequence[Decoder]
    counts: Counts

    @cached_property
    def shares(self) -> Floats:
        """The frequencies of the outputs of the one column."""
        return self.counts.dense() / self.counts.rows

    def cells(self) -> Moments:
        """Products of the columns' scores."""
        if len(self.decoders) == 1:
            decoder = self.decoders[0]
            seen = [decoder.sums(self.shares, power) for power in (1, 2, 3)]
            before = [decoder.sums(decoder.outputs, power) for power in (1, 2, 3)]
            return self._moments(seen, before)
        seen, before = [], []
        for power in (1, 2, 3):
            tables = [decoder.table() ** power for decoder in self.decoders]
            seen.append(self.counts.sums(tables).ravel() / self.counts.rows)
            alone = [decoder.sums(decoder.outputs, power) for decoder in self.decoders]
            before.append(reduce(np.multiply.outer, alone).ravel())
        return self._moments(seen, before)

    def function(self, coefficients: Floats) -> Moments:
        """One score an output."""
        decoder = self.decoders[0]
        score = decoder.score(coefficients)
        seen = [np.array([self.shares @ score**power]) for power in (1, 2, 3)]
        before = [np.array([decoder.outputs @ score**power]) for power in (1, 2, 3)]
        return self._moments(seen, before)

    def running(self, order: Integers) -> Moments:
        """Running sums of scores."""
        decoder = self.decoders[0]
        seen = [decoder.running(self.shares, order, power) for power in (1, 2, 3)]
        before = [decoder.running(decoder.outputs, order, power) for power in (1, 2, 3)]
        return self._moments(seen, before)

    def _moments(self, seen: Sequence[Floats], before: Sequence[Floats]) -> Moments:
        """The slope counts one row drawn beforehand: it must not vanish with what was not seen."""
        rows = self.counts.rows
        mixed = [(rows * now + then) / (rows + 1) for now, then in zip(seen, before, strict=True)]
        return Moments(seen[0], seen[1], slope(*mixed), rows)


@dataclass(frozen=True)
class EfficientScores:
    """Scores with the weights of maximum likelihood; slopes from the fixed scores."""

    fixed: FixedScores
    at: Efficient

    def cells(self) -> Moments:
        """From the diagonal of the sandwich."""
        slopes = self.fixed.cells().slope
        return self._moments(self.at.linear, np.diagonal(self.at.sandwich), slopes)

    def function(self, coefficients: Floats) -> Moments:
        """A quadratic form of the sandwich."""
        second = np.array([coefficients @ self.at.sandwich @ coefficients])
        first = np.array([self.at.linear @ coefficients])
        return self._moments(first, second, self.fixed.function(coefficients).slope)

    def running(self, order: Integers) -> Moments:
        """Running sums of the sandwich in both directions."""
        summed = self.at.sandwich[np.ix_(order, order)].cumsum(axis=0).cumsum(axis=1)
        first = np.cumsum(self.at.linear[order])
        return self._moments(first, np.diagonal(summed), self.fixed.running(order).slope)

    def _moments(self, first: Floats, second: Floats, slopes: Floats) -> Moments:
        return Moments(first, np.maximum(second, first**2), slopes, self.fixed.counts.rows)
