"""Channels: p[x -> y] in floating point as a linear map: what likelihoods need of an operator.

forward: masses of inputs to those of outputs; back: sums of a function of the outputs over each
input's outputs; information: P diag(w) P^T.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.room import need_memory

Floats = npt.NDArray[np.float64]


class Channel(Protocol):
    """A linear map from inputs to outputs; arrays of several columns have an axis each."""

    @property
    def inputs(self) -> tuple[int, ...]:
        """How many inputs, a number a column."""

    @property
    def outputs(self) -> tuple[int, ...]:
        """How many outputs, a number a column."""

    def forward(self, masses: Floats) -> Floats:
        """The outputs' masses."""

    def back(self, values: Floats) -> Floats:
        """For each input the mean of a function of the outputs."""

    def information(self, weights: Floats) -> Floats:
        """P diag(weights) P^T, as a matrix."""


@runtime_checkable
class KnownOptimum(Protocol):
    """A channel whose likeliest masses have a closed form."""

    def likeliest(self, counts: Floats) -> Floats | None:
        """The likeliest masses, or None where the closed form does not apply."""


@dataclass(frozen=True)
class DenseChannel:
    """A matrix of doubles; several vectors at once are the rows of an array."""

    matrix: Floats

    @property
    def inputs(self) -> tuple[int, ...]:
        """Rows."""
        return (self.matrix.shape[0],)

    @property
    def outputs(self) -> tuple[int, ...]:
        """Columns."""
        return (self.matrix.shape[1],)

    def forward(self, masses: Floats) -> Floats:
        """A product."""
        return np.asarray(masses @ self.matrix)

    def back(self, values: Floats) -> Floats:
        """A product."""
        return np.asarray(values @ self.matrix.T)

    def information(self, weights: Floats) -> Floats:
        """Two products."""
        inputs, outputs = self.matrix.shape
        need_memory(
            8 * inputs * (inputs + outputs), f"a table of {inputs:,} cells and {outputs:,} outputs"
        )
        return np.asarray((self.matrix * weights) @ self.matrix.T)


@dataclass(frozen=True)
class ConvolutionChannel:
    """p[i -> s] = kernel[s - stride i + (size - 1) stride] for inputs i < size: sums by FFT."""

    kernel: Floats
    size: int
    stride: int = 1

    @property
    def inputs(self) -> tuple[int, ...]:
        """The inputs."""
        return (self.size,)

    @property
    def outputs(self) -> tuple[int, ...]:
        """As many as the kernel has room for."""
        return (len(self.kernel) - (self.size - 1) * self.stride,)

    @property
    def _length(self) -> int:
        """A length at which nothing wraps around into what is used."""
        return int(2 ** np.ceil(np.log2(len(self.kernel) + self.size * self.stride)))

    def forward(self, masses: Floats) -> Floats:
        """A convolution of the masses, spread out by the stride, with the kernel."""
        reach = (self.size - 1) * self.stride
        spread = np.zeros((*masses.shape[:-1], reach + 1))
        spread[..., :: self.stride] = masses
        product = np.fft.rfft(spread, self._length) * np.fft.rfft(self.kernel, self._length)
        full = np.fft.irfft(product, self._length)
        return np.asarray(full[..., reach : reach + self.outputs[0]])

    def back(self, values: Floats) -> Floats:
        """The correlation with the kernel, at every stride-th place."""
        product = np.fft.rfft(values[..., ::-1], self._length) * np.fft.rfft(
            self.kernel, self._length
        )
        full = np.fft.irfft(product, self._length)
        start = self.outputs[0] - 1
        found = full[..., start : start + (self.size - 1) * self.stride + 1 : self.stride]
        return np.asarray(found[..., ::-1])

    def information(self, weights: Floats) -> Floats:
        """Through the matrix."""
        return self.dense().information(weights)

    def dense(self) -> DenseChannel:
        """The same map as a matrix."""
        reach = (self.size - 1) * self.stride
        needed = 16 * self.size * self.outputs[0]
        need_memory(needed, f"a table of {self.size:,} cells and {self.outputs[0]:,} outputs")
        places = np.arange(self.outputs[0]) + reach - self.stride * np.arange(self.size)[:, None]
        return DenseChannel(self.kernel[places])
