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
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq_mat, nmod_mat

from ppdm_formal.declare.arithmetic.exact import (
    ONE,
    ZERO,
    Exact,
    is_rational,
    simplify,
    to_flint,
    to_fraction,
)
from ppdm_formal.declare.operators.matrix import CodedMatrix, Codes, TooLarge

_PRIME = (1 << 61) - 1

MAX_SYMBOLIC = 50_000
"""Closed forms and exponentials are eliminated up to so many steps: inputs * rank * outputs."""


@dataclass(frozen=True)
class Lost:
    """A direction that is lost: masses may move along it and no output changes its probability.

    By input position; they add up to 0. Integers without a common factor, where likelihoods are
    rational; otherwise exact numbers.
    """

    coefficients: tuple[tuple[int, Any], ...]


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
    apart = told_apart(matrix)
    first, lost = apart.basis, list(apart.lost)
    columns = np.unique(matrix.codes[list(first)], axis=1)
    basis, relations = _eliminated(columns, matrix.palette)
    for row, relation in relations:
        terms: list[tuple[int, Any]] = [(first[row], Fraction(1))]
        terms += [(first[b], -size) for b, size in relation]
        lost.append(_integers(terms))
    return Recoverable(matrix.shape[0], tuple(first[b] for b in basis), tuple(lost))


def told_apart(matrix: CodedMatrix) -> Recoverable:
    """The first of each group of equal rows, as if those were independent."""
    first: dict[bytes, int] = {}
    lost = []
    for row, codes in enumerate(matrix.codes):
        before = first.setdefault(codes.tobytes(), row)
        if before != row:
            lost.append(Lost(((before, -1), (row, 1))))
    return Recoverable(matrix.shape[0], tuple(first.values()), tuple(lost))


def rank_modulo(codes: Codes, palette: Sequence[Fraction]) -> int:
    """The rank modulo a prime: never above the rank, and below it only by rare accident."""
    residues = [value.numerator * pow(value.denominator, -1, _PRIME) % _PRIME for value in palette]
    entries = [residues[code] for code in codes.ravel().tolist()]
    return int(nmod_mat(*codes.shape, entries, _PRIME).rank())


def _eliminated(
    codes: npt.NDArray[np.integer], palette: Sequence[Exact]
) -> tuple[list[int], list[tuple[int, list[tuple[int, Any]]]]]:
    """A basis of the rows, and each other row as a combination of it."""
    if not all(map(is_rational, palette)):
        return _reduced([[palette[code] for code in row] for row in codes.tolist()])
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


def _reduced(
    rows: Sequence[Sequence[Exact]],
) -> tuple[list[int], list[tuple[int, list[tuple[int, Any]]]]]:
    """The same with exponentials or free parameters, which FLINT's matrices do not hold."""
    if len(rows) * min(len(rows), len(rows[0])) * len(rows[0]) > MAX_SYMBOLIC:
        raise TooLarge(f"{len(rows):,} inputs are too many to eliminate in closed forms")
    basis: list[int] = []
    relations = []
    kept: list[tuple[int, list[Any], list[Any]]] = []  # pivot, reduced row, as sum of the basis
    for number, row in enumerate(rows):
        rest, used = list(row), [ZERO] * len(basis)
        for pivot, reduced, made in kept:
            factor = rest[pivot]
            if factor != 0:
                rest = [simplify(a - factor * b) for a, b in zip(rest, reduced, strict=True)]
                for place, part in enumerate(made):
                    used[place] = simplify(used[place] + factor * part)
        pivot = next((place for place, value in enumerate(rest) if value != 0), -1)
        if pivot < 0:
            relations.append((number, [(b, s) for b, s in zip(basis, used, strict=True) if s != 0]))
            continue
        scale = rest[pivot]
        made = [*(simplify(-part / scale) for part in used), simplify(ONE / scale)]
        kept.append((pivot, [simplify(value / scale) for value in rest], made))
        basis.append(number)
    return basis, relations


def _integers(terms: Sequence[tuple[int, Any]]) -> Lost:
    if not all(is_rational(size) for _, size in terms):
        return Lost(tuple(sorted(terms, key=lambda term: term[0])))
    common = lcm(*(size.denominator for _, size in terms))
    sizes = [int(size * common) for _, size in terms]
    shared = gcd(*sizes)
    pairs = sorted((place, size // shared) for (place, _), size in zip(terms, sizes, strict=True))
    return Lost(tuple(pairs))
