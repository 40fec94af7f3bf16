"""Channels of operators (infer/undoing/channel.py), by the structure that makes each one quick."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.undoing.channel import Channel, DenseChannel
from ppdm_formal.infer.undoing.counts import Floats, Integers

_SMALLEST = 1e-6
"""Running sums lose what is far below 1: they serve only where all probabilities are above."""


@dataclass(frozen=True)
class RunChannel(DenseChannel):
    """Rows that are constant over long runs of outputs: running sums, in time of the runs.

    steps[k] is added to row rows[k] from the output columns[k] on. The information, which is wanted
    a few times only, goes through the matrix.
    """

    rows: Integers
    columns: Integers
    steps: Floats

    def forward(self, masses: Floats) -> Floats:
        """What steps up or down at each output, summed from the left."""
        moved = masses[self.rows] * self.steps
        changes = np.bincount(self.columns, weights=moved, minlength=self.outputs[0])
        return np.cumsum(changes, dtype=np.float64)

    def back(self, values: Floats) -> Floats:
        """Each step applies to all outputs from its own on."""
        right = np.cumsum(values[::-1])[::-1]
        moved = right[self.columns] * self.steps
        return np.asarray(np.bincount(self.rows, weights=moved, minlength=self.inputs[0]))


@dataclass(frozen=True)
class KeepOrReplaceChannel:
    """Randomized response: keep on the diagonal, other elsewhere."""

    size: int
    keep: float
    other: float

    @property
    def inputs(self) -> tuple[int, ...]:
        """The values."""
        return (self.size,)

    @property
    def outputs(self) -> tuple[int, ...]:
        """The same values."""
        return (self.size,)

    def forward(self, masses: Floats) -> Floats:
        """The symmetric map."""
        return np.asarray((self.keep - self.other) * masses + self.other * masses.sum())

    back = forward

    def likeliest(self, counts: Floats) -> Floats | None:
        """The likeliest masses in closed form: max(0, n / level - c), c = other / (keep - other).

        The derivative of each term, n / (mass + c), is the level wherever the mass is positive.
        None where other values are likelier than one's own: then masses are bounded above.
        """
        if not self.keep > self.other:
            return None
        offset = self.other / (self.keep - self.other)
        falling = np.sort(counts)[::-1]
        levels = np.cumsum(falling) / (1 + offset * np.arange(1, self.size + 1))
        # The largest counts are positive as long as each is above the level of those so far.
        positive = falling > offset * levels
        last = int(np.flatnonzero(positive)[-1])
        masses = np.maximum(counts / levels[last] - offset, 0.0)
        return np.asarray(masses / masses.sum())

    def information(self, weights: Floats) -> Floats:
        """(a I + b J) diag(w) (a I + b J), written out."""
        apart = self.keep - self.other
        full = np.add.outer(weights, weights) * (apart * self.other)
        full += self.other**2 * weights.sum()
        full[np.diag_indices(self.size)] += apart**2 * weights
        return full


@dataclass(frozen=True)
class ProductChannel:
    """Independent coins a column: each column's matrix along its own axis, one after the other."""

    matrices: tuple[Floats, ...]

    @property
    def inputs(self) -> tuple[int, ...]:
        """An axis a column."""
        return tuple(matrix.shape[0] for matrix in self.matrices)

    @property
    def outputs(self) -> tuple[int, ...]:
        """An axis a column."""
        return tuple(matrix.shape[1] for matrix in self.matrices)

    def forward(self, masses: Floats) -> Floats:
        """Axis by axis."""
        return along(masses, self.matrices)

    def back(self, values: Floats) -> Floats:
        """Axis by axis."""
        return along(values, [matrix.T for matrix in self.matrices])

    def information(self, weights: Floats) -> Floats:
        """Axis by axis with the products of pairs of rows: p[x -> y] p[x' -> y] for all x, x'."""
        pairs = [
            (matrix[:, None, :] * matrix[None, :, :]).reshape(-1, matrix.shape[1]).T
            for matrix in self.matrices
        ]
        full = along(weights, pairs).reshape([size for n in self.inputs for size in (n, n)])
        axes = range(full.ndim)
        size = math.prod(self.inputs)
        return full.transpose([*axes[::2], *axes[1::2]]).reshape(size, size)


def along(array: Floats, matrices: Sequence[Floats]) -> Floats:
    """Apply a matrix to each axis: its rows are summed over."""
    for matrix in matrices:
        # The first axis goes to the end each time: after all of them the order is the old one.
        array = np.tensordot(array, matrix, axes=(0, 0))
    return array


def doubles(matrix: CodedMatrix) -> Floats:
    """The matrix, each entry to the nearest double."""
    return np.array([float(value) for value in matrix.palette])[matrix.codes]


def channel(operators: Sequence[Operator]) -> Channel:
    """The channel of one column, or of several with independent coins."""
    if len(operators) > 1:
        return ProductChannel(tuple(doubles(operator.matrix()) for operator in operators))
    two = operators[0].law.keep_or_replace()
    if two is not None:
        return KeepOrReplaceChannel(operators[0].inputs.size, *map(float, two))
    coded = operators[0].matrix()
    matrix = doubles(coded)
    codes = coded.codes.astype(np.int64)
    changed = np.ones(codes.shape, dtype=bool)
    changed[:, 1:] = codes[:, 1:] != codes[:, :-1]
    rows, columns = np.nonzero(changed)
    if min(map(float, coded.palette)) >= _SMALLEST and 8 * len(rows) < codes.size:
        before = np.where(columns > 0, matrix[rows, columns - 1], 0.0)
        return RunChannel(matrix, rows, columns, matrix[rows, columns] - before)
    return DenseChannel(matrix)
