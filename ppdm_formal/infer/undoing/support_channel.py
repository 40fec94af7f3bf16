"""Reports that support some values, as a channel: p[x -> y] by whether y supports x.

Where p[x -> y] = b(y) r for the values x that y supports and b(y) for all others, the likelihood
of a distribution pi is, up to the factor b(y), 1 + (r - 1) S(y), S(y) the mass that y supports. The
outputs of the channel are the reports themselves, one by one, as packed bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.report import Batch, Report
from ppdm_formal.infer.undoing.channel import Floats

MAX_BITS = 1 << 31
"""Most reports times values: each step of EM goes through all of them twice."""

_BLOCK = 1 << 22
"""Bits that are unpacked at a time."""


@dataclass(frozen=True)
class SupportChannel:
    """A row of bits a report; odds: r."""

    bits: npt.NDArray[np.uint8]
    values: int
    odds: float

    @classmethod
    def of(cls, report: Report, batches: Iterable[Batch], odds: float) -> SupportChannel:
        """Of reports, block by block."""
        step = max(1, _BLOCK // report.supported)
        rows = [np.zeros((0, -(-report.supported // 8)), dtype=np.uint8)]
        for batch in batches:
            for start in range(0, len(batch), step):
                held = report.supports(batch[start : start + step])
                rows.append(np.packbits(held, axis=1, bitorder="little"))
        return cls(np.concatenate(rows), report.supported, odds)

    @property
    def inputs(self) -> tuple[int, ...]:
        """The values."""
        return (self.values,)

    @property
    def outputs(self) -> tuple[int, ...]:
        """The reports."""
        return (len(self.bits),)

    def _blocks(self) -> Iterable[tuple[slice, Floats]]:
        step = max(1, _BLOCK // self.values)
        for start in range(0, len(self.bits), step):
            part = slice(start, start + step)
            held = np.unpackbits(self.bits[part], axis=1, bitorder="little", count=self.values)
            yield part, held.astype(np.float64)

    def forward(self, masses: Floats) -> Floats:
        """1 + (r - 1) S(y), for masses that sum to 1; else their sum stands for the 1."""
        found = np.full(len(self.bits), masses.sum())
        for part, held in self._blocks():
            found[part] += (self.odds - 1) * (held @ masses)
        return found

    def back(self, values: Floats) -> Floats:
        """For each x the sum of v(y), and (r - 1) times that of the y that support x."""
        found = np.full(self.values, values.sum())
        for part, held in self._blocks():
            found += (self.odds - 1) * (values[part] @ held)
        return found

    def information(self, weights: Floats) -> Floats:
        """P diag(w) P^T, block by block."""
        found = np.zeros((self.values, self.values))
        for part, held in self._blocks():
            rows = 1 + (self.odds - 1) * held
            found += (rows * weights[part, None]).T @ rows
        return found
