"""Small exact matrices: rational ones through FLINT, symbolic ones through sympy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.exact import (
    Exact,
    is_symbolic,
    simplify,
    to_flint,
    to_fraction,
    to_sympy,
    total,
)

Matrix: TypeAlias = tuple[tuple[Exact, ...], ...]
Vector: TypeAlias = tuple[Exact, ...]


class Singular(ValueError):
    """The matrix has no inverse."""


def is_symbolic_matrix(matrix: Matrix) -> bool:
    """Whether some entry depends on a free parameter."""
    return any(is_symbolic(entry) for row in matrix for entry in row)


def inverse(matrix: Matrix) -> Matrix:
    """The exact inverse; Singular where there is none."""
    if is_symbolic_matrix(matrix):
        return _symbolic_inverse(matrix)
    from flint import fmpq_mat

    size = len(matrix)
    rows = [to_flint(x) for row in matrix for x in row]
    try:
        found = fmpq_mat(size, size, rows).inv()
    except ZeroDivisionError:
        raise Singular("the matrix is singular") from None
    return tuple(tuple(to_fraction(found[i, j]) for j in range(size)) for i in range(size))


def _symbolic_inverse(matrix: Matrix) -> Matrix:
    """Gauss elimination in the field of rational functions."""
    from sympy import Matrix as SympyMatrix
    from sympy.polys.matrices import DomainMatrix
    from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

    size = len(matrix)
    written = SympyMatrix(size, size, [to_sympy(entry) for row in matrix for entry in row])
    try:
        found = DomainMatrix.from_Matrix(written).to_field().inv().to_Matrix()
    except DMNonInvertibleMatrixError:
        raise Singular("the matrix is singular") from None
    return tuple(tuple(simplify(found[i, j]) for j in range(size)) for i in range(size))


def apply(matrix: Matrix, vector: Sequence[Exact]) -> Vector:
    """The product of a matrix and a column."""
    return tuple(dot(row, vector) for row in matrix)


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*second, strict=True))
    return tuple(tuple(dot(row, column) for column in columns) for row in first)


def transpose(matrix: Matrix) -> Matrix:
    """Rows become columns."""
    return tuple(zip(*matrix, strict=True))


def dot(first: Sequence[Exact], second: Sequence[Exact]) -> Exact:
    """The sum of products."""
    return total((1, simplify(a * b)) for a, b in zip(first, second, strict=True))
