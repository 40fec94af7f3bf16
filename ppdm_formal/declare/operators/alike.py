"""Inputs that are all alike: any two of them can take the place of any others.

Two things are then enough to say how well the distribution of x can be estimated. Support, by
which the published decoders count: a report speaks for a value or not, for the true one with
probability `own`, for any other with `other`. Ratios, by which the decoder of least variance
weighs: how likely an output is where x is true, and how much likelier than on average over all
inputs, p[x -> y] / m(y).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, simplify, total
from ppdm_formal.declare.operators.matrix import CodedMatrix

MAX_COMPARED = 20_000_000
"""So many likelihoods are compared to find out whether inputs are alike: inputs^2 * outputs."""

Take: TypeAlias = Callable[[Exact], Any]
"""Turns an exact number into what is computed with: itself, or a ball."""


@dataclass(frozen=True)
class Support:
    """How likely a report supports the true value, and any other one.

    sets: where inputs are sets, it is their items that are supported: n of them, m in each input.
    """

    own: Exact
    other: Exact
    sets: tuple[int, int] | None = None


@dataclass(frozen=True)
class Ratio:
    """Outputs that are `chance` likely together where x is true, and `ratio` = p[x -> y] / m(y)."""

    chance: Any
    ratio: Any


def ratios_by_size(size: int, parts: Sequence[tuple[int, Any, Any]]) -> list[Ratio]:
    """Ratios of reports that are sets of values, told apart by their size alone.

    parts: for each size w the chances that a report of that size holds x, and that it does not.
    Any set of w values has the same m(y), and holds w of the k values.
    """
    found = []
    for width, inside, outside in parts:
        whole = inside + outside
        if whole == 0:
            continue
        if width:
            found.append(Ratio(inside, inside * size / (whole * width)))
        if width < size:
            found.append(Ratio(outside, outside * size / (whole * (size - width))))
    return found


def ratios_of_two(size: int, keep: Any, other: Any) -> list[Ratio]:
    """Ratios of a law that gives the value itself, or any other one, each equally likely."""
    return ratios_by_size(size, [(1, keep, (size - 1) * other)])


def keep_or_replace(matrix: CodedMatrix) -> tuple[Exact, Exact] | None:
    """The value on the diagonal and the one everywhere else, of a matrix that has no others."""
    inputs, outputs = matrix.shape
    if inputs != outputs or len(matrix.palette) != 2:
        return None
    own = int(matrix.codes[0, 0])
    same = matrix.codes == own
    if not same.diagonal().all() or int(same.sum()) != inputs:
        return None
    return matrix.palette[own], matrix.palette[1 - own]


def alike_ratios(matrix: CodedMatrix) -> list[tuple[Exact, Exact, int]] | None:
    """Likelihood, mean likelihood and how many outputs of one input; None if inputs are unlike.

    Inputs are alike if any two different ones, in this order, meet equally many outputs with the
    same two likelihoods and the same view.
    """
    inputs, outputs = matrix.shape
    kinds = len(matrix.palette)
    if inputs < 2 or inputs * inputs * outputs > MAX_COMPARED or kinds * outputs > MAX_COMPARED:
        return None
    codes = matrix.codes.astype(np.int64)
    ordered = np.sort(codes, axis=1)
    if (ordered != ordered[0]).any():
        return None
    counts = np.zeros((outputs, kinds), dtype=np.int64)
    np.add.at(counts, (np.arange(outputs), codes), 1)
    views, view = np.unique(counts, axis=0, return_inverse=True)
    shown = codes * len(views) + view.ravel()
    rows = np.sort(shown, axis=1)
    if (rows != rows[0]).any():
        return None
    first = np.sort(shown[0] * kinds + codes[1])
    for x in range(inputs):
        pairs = np.sort(shown[x] * kinds + np.delete(codes, x, axis=0), axis=1)
        if (pairs != first).any():
            return None
    found, many = np.unique(rows[0], return_counts=True)
    share = Fraction(1, inputs)
    mean = [
        simplify(share * total((int(n), v) for n, v in zip(row, matrix.palette, strict=True)))
        for row in views
    ]
    parts = [
        (matrix.palette[key // len(views)], mean[key % len(views)], count)
        for key, count in zip(found.tolist(), many.tolist(), strict=True)
    ]
    return [part for part in parts if part[0] != 0]
