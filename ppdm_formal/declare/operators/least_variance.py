"""The decoder of least variance: D = W P^T (P W P^T)^-1 with W = diag(1 / m), in exact algebra.

Scores D[y, x] with P D = I estimate the distribution of x without bias; of all such D this one
has the least variance in every linear function at once, where outputs have the probabilities m.
Where P has dependent rows, the same formula for a basis of them gives every linear function that
is recoverable: its scores are D c, with 0 for inputs outside the basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, fmpq_mat

from ppdm_formal.declare.arithmetic.exact import (
    ZERO,
    Exact,
    is_symbolic,
    simplify,
    to_flint,
    to_fraction,
)
from ppdm_formal.declare.arithmetic.rational_matrix import dot, inverse, multiply
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.recoverable import Recoverable


def exact_scores(
    matrix: CodedMatrix, found: Recoverable, masses: Sequence[Fraction]
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """D, a row an output, and the outputs' probabilities; outputs that cannot occur score 0."""
    inputs, outputs = matrix.shape
    palette = [to_flint(value) for value in matrix.palette]
    codes = matrix.codes.tolist()
    output_masses = [
        sum(
            (masses[x] * matrix.palette[codes[x][y]] for x in range(inputs) if masses[x]),
            Fraction(0),
        )
        for y in range(outputs)
    ]
    reached = [y for y in range(outputs) if output_masses[y]]
    rank = len(found.basis)
    forward = fmpq_mat(
        rank, len(reached), [palette[codes[b][y]] for b in found.basis for y in reached]
    )
    if rank == len(reached):
        solved = forward.inv()
    else:
        weighted = fmpq_mat(
            len(reached),
            rank,
            [
                palette[codes[b][y]] / to_flint(output_masses[y])
                for y in reached
                for b in found.basis
            ],
        )
        solved = weighted * (forward * weighted).inv()
    scores = [[Fraction(0)] * inputs for _ in range(outputs)]
    for row, y in enumerate(reached):
        for column, x in enumerate(found.basis):
            scores[y][x] = to_fraction(solved[row, column])
    return scores, output_masses


def decoding_masses(matrix: CodedMatrix, inputs: Domain, prior: Prior | None) -> list[Fraction]:
    """The prior's masses, or uniform ones where it is free or rules out an output."""
    uniform = [Fraction(1, inputs.size)] * inputs.size
    if prior is None or any(is_symbolic(value) for value in prior.palette):
        return uniform
    aligned = prior.aligned(inputs)
    masses = [aligned.palette[int(code)] for code in aligned.codes]
    positive = np.array([value > 0 for value in matrix.palette])[matrix.codes]
    held = np.array([mass > 0 for mass in masses])
    if (positive.any(axis=0) & ~positive[held].any(axis=0)).any():
        return uniform
    return masses


def closed_scores(
    matrix: CodedMatrix, found: Recoverable, masses: Sequence[Exact]
) -> list[list[Exact]]:
    """D where likelihoods have free parameters; outputs that cannot occur score 0."""
    forward = [[matrix.palette[code] for code in matrix.codes[b].tolist()] for b in found.basis]
    likely = [
        dot(masses, [matrix.palette[code] for code in matrix.codes[:, y].tolist()])
        for y in range(matrix.shape[1])
    ]
    reached = [y for y, mass in enumerate(likely) if mass != 0]
    rows = tuple(tuple(row[y] for y in reached) for row in forward)
    weighted = tuple(
        tuple(simplify(row[k] / likely[y]) for row in rows) for k, y in enumerate(reached)
    )
    solved = multiply(weighted, inverse(multiply(rows, weighted)))
    scores: list[list[Exact]] = [[ZERO] * matrix.shape[0] for _ in range(matrix.shape[1])]
    for row, y in enumerate(reached):
        for column, x in enumerate(found.basis):
            scores[y][x] = solved[row][column]
    return scores


def ball_scores(forward: arb_mat, likely: Sequence[arb]) -> arb_mat:
    """D in balls, a row an output; ZeroDivisionError where independent rows do not show.

    likely: the outputs' probabilities, all positive. Precision is the caller's.
    """
    inputs, outputs = forward.nrows(), forward.ncols()
    if inputs == outputs:
        return forward.inv()
    weighted = arb_mat(
        outputs, inputs, [forward[x, y] / likely[y] for y in range(outputs) for x in range(inputs)]
    )
    return weighted * (forward * weighted).inv()
