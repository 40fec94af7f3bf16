"""Counts: how often each combination of outputs occurs, and sums of products over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """The combinations that occur, by output positions (one row each), and how often each does."""

    shape: tuple[int, ...]
    positions: Integers
    times: Integers

    @classmethod
    def of_array(cls, array: npt.ArrayLike) -> Counts:
        """From an array with one axis a column.

        >>> Counts.of_array([[0, 3], [2, 0]]).positions.tolist()
        [[0, 1], [1, 0]]
        """
        full = np.asarray(array)
        if not np.issubdtype(full.dtype, np.integer):
            raise TypeError("counts are integers")
        if full.size and full.min() < 0:
            raise ValueError("a count is negative")
        where = np.nonzero(full)
        return cls(full.shape, np.stack(where, axis=1), full[where].astype(np.int64))

    @classmethod
    def of_answers(cls, shape: Sequence[int], answers: Sequence[Integers]) -> Counts:
        """From the output positions of each row, one array a column."""
        sizes = tuple(map(int, shape))
        distinct, where = _distinct(np.stack(answers, axis=1), sizes)
        return cls(sizes, distinct, np.bincount(where, minlength=len(distinct)))

    @classmethod
    def merged(cls, shape: Sequence[int], parts: Sequence[Counts]) -> Counts:
        """The counts of several blocks of rows together."""
        sizes = tuple(map(int, shape))
        if not parts:
            empty = np.zeros(0, dtype=np.int64)
            return cls(sizes, empty.reshape(0, len(sizes)), empty)
        together = np.concatenate([part.positions for part in parts])
        times = np.concatenate([part.times for part in parts])
        return cls(sizes, together, times).marginal(range(len(sizes)))

    @property
    def rows(self) -> int:
        """How many rows were counted."""
        return int(self.times.sum())

    def marginal(self, axes: Sequence[int]) -> Counts:
        """The counts of some of the columns alone."""
        shape = tuple(self.shape[axis] for axis in axes)
        distinct, where = _distinct(self.positions[:, list(axes)], shape)
        times = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(times, where, self.times)
        return Counts(shape, distinct, times)

    def dense(self) -> Floats:
        """The counts as an array, one axis a column."""
        full = np.zeros(self.shape)
        full[tuple(self.positions.T)] = self.times
        return full

    def sums(self, tables: Sequence[Floats]) -> Floats:
        """The sum over rows of tables[0][y0, i] * tables[1][y1, j] * ..., for all i, j, ...

        One column at a time: the product of the tables is never built.
        """
        values = self.times.astype(np.float64)[:, None]
        left = self.positions
        for axis, table in enumerate(tables):
            chosen = left[:, 0]
            if axis == len(tables) - 1:
                total = np.zeros((values.shape[1], table.shape[1]))
                for part in range(0, len(chosen), _BLOCK):
                    rows = slice(part, part + _BLOCK)
                    total += values[rows].T @ table[chosen[rows]]
                values = total
                break
            rest, group = _distinct(left[:, 1:], self.shape[axis + 1 :])
            summed = [
                np.bincount(group, weights=values[:, old] * table[chosen, new], minlength=len(rest))
                for old in range(values.shape[1])
                for new in range(table.shape[1])
            ]
            values = np.array(summed, dtype=np.float64).reshape(-1, len(rest)).T
            left = rest
        return values.reshape([table.shape[1] for table in tables])


def _distinct(positions: Integers, shape: Sequence[int]) -> tuple[Integers, Integers]:
    """The distinct rows in order, and which of them each row is."""
    if math.prod(shape) >= 2**62:  # too many to number them all
        rows, where = np.unique(positions, axis=0, return_inverse=True)
        return rows, where.ravel()
    keys, where = np.unique(
        np.ravel_multi_index(tuple(positions.T), tuple(shape)), return_inverse=True
    )
    return np.stack(np.unravel_index(keys, tuple(shape)), axis=1).astype(np.int64), where.ravel()


_BLOCK = 1 << 16
"""Combinations gathered at a time, so that memory stays small."""
