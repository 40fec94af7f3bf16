"""What can be recovered: the directions in which an operator cannot tell distributions apart.

Two distributions pi and pi + v give the same outputs iff v P = 0. A linear function c of pi is
recoverable iff v . c = 0 for every such v. All of it exact: elimination in rationals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np
import numpy.typing as npt
from flint import fmpq_mat

from ppdm_formal.numbers.exact import to_flint, to_fraction
from ppdm_formal.operator.matrix import CodedMatrix


@dataclass(frozen=True)
class Lost:
    """A direction that is lost: masses may move along it and no output changes its probability.

    Integers without a common factor, by input position; they add up to 0.
    """

    coefficients: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Recoverable:
    """The inputs whose rows are a basis of all rows, and the directions that are lost."""

    inputs: int
    basis: tuple[int, ...]
    lost: tuple[Lost, ...]

    @classmethod
    def everything(cls, inputs: int) -> Recoverable:
        """Nothing is lost."""
        return cls(inputs, tuple(range(inputs)), ())

    @cached_property
    def cells(self) -> npt.NDArray[np.bool_]:
        """Which single probabilities are recoverable."""
        mask = np.ones(self.inputs, dtype=bool)
        mask[[position for lost in self.lost for position, _ in lost.coefficients]] = False
        return mask

    def functional(self, weights: Sequence[int]) -> bool:
        """Whether the sum of weights * pi is recoverable."""
        return all(
            sum(weights[position] * size for position, size in lost.coefficients) == 0
            for lost in self.lost
        )

    @cached_property
    def groups(self) -> list[list[int]]:
        """Inputs with equal rows, two or more, whose sum is recoverable."""
        found: dict[int, list[int]] = {}
        for lost in self.lost:
            if sorted(size for _, size in lost.coefficients) == [-1, 1]:
                (first, _), (second, _) = lost.coefficients
                found.setdefault(first, [first]).append(second)
        return [
            group
            for group in found.values()
            if self.functional([int(k in group) for k in range(self.inputs)])
        ]


def recoverable(matrix: CodedMatrix) -> Recoverable:
    """Eliminate exactly: rows that depend on earlier ones give the directions that are lost.

    >>> same = CodedMatrix.from_rows([[Fraction(1, 2)] * 2, [Fraction(1, 2)] * 2])
    >>> recoverable(same).lost
    (Lost(coefficients=((0, -1), (1, 1))),)
    """
    rows, first, same = np.unique(matrix.codes, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rows, first = rows[order], first[order]
    place = np.argsort(order)[same.ravel()]
    lost = [
        Lost(((int(first[place[row]]), -1), (row, 1)))
        for row in range(matrix.shape[0])
        if first[place[row]] != row
    ]
    columns = np.unique(rows, axis=1)
    basis, relations = _eliminated(columns, matrix.palette)
    for row, relation in relations:
        terms = [(int(first[row]), Fraction(1))]
        terms += [(int(first[b]), -size) for b, size in relation]
        lost.append(_integers(terms))
    return Recoverable(matrix.shape[0], tuple(int(first[b]) for b in basis), tuple(lost))


def _eliminated(
    codes: npt.NDArray[np.integer], palette: Sequence[Fraction]
) -> tuple[list[int], list[tuple[int, list[tuple[int, Fraction]]]]]:
    """A basis of the rows, and each other row as a combination of it."""
    values = [to_flint(value) for value in palette]
    inputs, outputs = codes.shape
    entries = [values[code] for code in codes.T.ravel().tolist()]
    reduced, rank = fmpq_mat(outputs, inputs, entries).rref()
    basis: list[int] = []
    relations = []
    for column in range(inputs):
        if len(basis) < rank and reduced[len(basis), column] != 0:
            basis.append(column)
            continue
        combined = [(basis[k], reduced[k, column]) for k in range(len(basis))]
        relations.append((column, [(b, to_fraction(s)) for b, s in combined if s]))
    return basis, relations


def _integers(terms: Sequence[tuple[int, Fraction]]) -> Lost:
    common = lcm(*(size.denominator for _, size in terms))
    sizes = [int(size * common) for _, size in terms]
    shared = gcd(*sizes)
    pairs = sorted((place, size // shared) for (place, _), size in zip(terms, sizes, strict=True))
    return Lost(tuple(pairs))
