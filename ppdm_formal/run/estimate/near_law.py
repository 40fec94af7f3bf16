"""Near law: an operator with exponentials as one in rationals, for estimates.

Each probability is replaced by a rational within 10^-60 of it, and the rows sum to 1 exactly.
Estimates are sampled: what this changes in them is far below their rounding. Randomization and
certificates never use it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.families.randomized_response import KeepOrReplace
from ppdm_formal.numbers.exact import is_rational
from ppdm_formal.numbers.exponential import ExpNumber
from ppdm_formal.operator.law import Law, MatrixLaw
from ppdm_formal.operator.matrix import CodedMatrix, Palette, TooLarge
from ppdm_formal.operator.operator import Operator

DIGITS = 60


def near_law(operator: Operator) -> Operator:
    """The operator itself where it has no exponentials."""
    if all(map(is_rational, operator.law.values())):
        return operator
    if any(not isinstance(v, Fraction | ExpNumber) for v in operator.law.values()):
        return operator  # free parameters, which are refused elsewhere
    size, two = operator.inputs.size, operator.law.keep_or_replace()
    law: Law
    if two is not None:
        keep = rounded_number(two[0])
        law = KeepOrReplace(size, keep, (1 - keep) / max(1, size - 1))
    else:
        law = MatrixLaw(_rows_of_one(_matrix(operator).map(rounded_number)))
    return Operator(operator.inputs, operator.outputs, law, operator.name, (), operator.source)


def _matrix(operator: Operator) -> CodedMatrix:
    """The matrix; where a grid is too fine for one, there is another way."""
    try:
        return operator.matrix()
    except TooLarge as problem:
        if not operator.law.rows_without_matrix:
            raise
        raise TooLarge(f"{problem}; ppdm reconstruct estimates the distribution on cells") from None


def rounded_number(value: Any) -> Fraction:
    """A rational within 10^-60."""
    scale = 10**DIGITS
    return value if isinstance(value, Fraction) else Fraction(round(value * scale), scale)


def _rows_of_one(matrix: CodedMatrix) -> CodedMatrix:
    """In each row the first of its largest entries takes what the others leave."""
    palette = Palette(matrix.palette)
    codes = matrix.codes.astype(np.int64)
    for row in codes:
        counts = np.bincount(row, minlength=len(matrix.palette))
        mass = sum(int(n) * value for n, value in zip(counts, matrix.palette, strict=False))
        largest = int(row.min())  # the palette falls
        place = int(np.flatnonzero(row == largest)[0])
        row[place] = palette.code(matrix.palette[largest] + 1 - mass)
    return CodedMatrix(codes, palette.values)
