"""Near law: an operator with exponentials as one in rationals, for estimates.

All probabilities are functions of one t = e^step, and a rational close to it takes its place, so
that what holds of the rows (they sum to 1, they depend on each other) holds of the new ones. Where
powers of t are too high for that, each probability is replaced by a rational within 10^-60 of it,
and the rows sum to 1. Estimates are sampled: what this changes in them is far below their rounding.
Randomization and certificates never use it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.arithmetic.exponential import ExpNumber, common_step, exp_of
from ppdm_formal.declare.families.randomized_response import KeepOrReplace
from ppdm_formal.declare.operators.law import Law, MatrixLaw
from ppdm_formal.declare.operators.matrix import CodedMatrix, Palette, TooLarge
from ppdm_formal.declare.operators.randomization import Operator

DIGITS = 60

MAX_POWER = 12
"""Highest power of t, and of e in t: numbers have so many times the digits of t."""


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
        matrix = _matrix(operator)
        near = _by_one_number(matrix)
        law = MatrixLaw(_rows_of_one(matrix.map(rounded_number)) if near is None else near)
    return Operator(operator.inputs, operator.outputs, law, operator.name, (), operator.source)


def _by_one_number(matrix: CodedMatrix) -> CodedMatrix | None:
    """The matrix with a rational for t = e^step; None where powers of t are too high."""
    numbers = [value for value in matrix.palette if isinstance(value, ExpNumber)]
    step = common_step(value.step for value in numbers)
    powers = (
        int(value.step / step) * max(value.top.degree(), value.bottom.degree()) for value in numbers
    )
    if max(powers, default=0) > MAX_POWER or step > MAX_POWER:
        return None
    # Powers of t are less precise than t: t^k moves by k t^(k - 1) times as much.
    t = rounded_number(exp_of(step), DIGITS + 10 + math.ceil(MAX_POWER * step))

    def near(value: Any) -> Any:
        if not isinstance(value, ExpNumber):
            return value
        base = t ** int(value.step / step)
        top, bottom = (
            sum((int(c) * base**k for k, c in enumerate(part.coeffs())), Fraction(0))
            for part in (value.top, value.bottom)
        )
        return top / bottom

    found = matrix.map(near)
    return found if all(value >= 0 for value in found.palette) else None


def _matrix(operator: Operator) -> CodedMatrix:
    """The matrix; where a grid is too fine for one, there is another way."""
    try:
        return operator.matrix()
    except TooLarge as problem:
        if not operator.law.rows_without_matrix:
            raise
        raise TooLarge(f"{problem}; ppdm reconstruct estimates the distribution on cells") from None


def rounded_number(value: Any, digits: int = DIGITS) -> Fraction:
    """A rational within 10^-60, or so many digits."""
    scale = 10**digits
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
