"""Scores of answers: their moments for cells, for linear functions and for running sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from ppdm_formal.run.estimate.counts import Counts, Floats, Integers
from ppdm_formal.run.estimate.decoder import Decoder
from ppdm_formal.run.estimate.intervals import Moments, slope


@dataclass(frozen=True)
class Scores:
    """Mean scores of some answers, by their decoders."""

    decoders: Sequence[Decoder]
    counts: Counts

    @cached_property
    def shares(self) -> Floats:
        """The frequencies of the outputs of the one column."""
        return self.counts.dense() / self.counts.rows

    def cells(self) -> Moments:
        """Of each cell, the last column fastest: products of the columns' scores."""
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
        """Of a linear function of the one column's distribution."""
        decoder = self.decoders[0]
        score = decoder.score(coefficients)
        seen = [np.array([self.shares @ score**power]) for power in (1, 2, 3)]
        before = [np.array([decoder.outputs @ score**power]) for power in (1, 2, 3)]
        return self._moments(seen, before)

    def running(self, order: Integers) -> Moments:
        """Of the sums over the first inputs in an order."""
        decoder = self.decoders[0]
        seen = [decoder.running(self.shares, order, power) for power in (1, 2, 3)]
        before = [decoder.running(decoder.outputs, order, power) for power in (1, 2, 3)]
        return self._moments(seen, before)

    def _moments(self, seen: Sequence[Floats], before: Sequence[Floats]) -> Moments:
        """The slope counts one row drawn beforehand: it must not vanish with what was not seen."""
        rows = self.counts.rows
        mixed = [(rows * now + then) / (rows + 1) for now, then in zip(seen, before, strict=True)]
        return Moments(seen[0], seen[1], slope(*mixed), rows)
