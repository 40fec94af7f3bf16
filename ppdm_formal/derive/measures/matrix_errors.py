"""Errors from the matrix: the decoder of least variance in exact algebra, or in balls.

Small rational matrices are inverted in rationals, larger ones and those with exponentials in
balls, circulant ones of any size that fits by their first row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, arb_mat, ctx, fmpq_mat

from ppdm_formal.declare.arithmetic.enclosure import ball_of, enclose_all
from ppdm_formal.declare.arithmetic.exact import (
    Exact,
    is_rational,
    is_symbolic,
    simplify,
    to_flint,
    to_fraction,
)
from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.arithmetic.rational_matrix import dot
from ppdm_formal.declare.operators.circulant import convolved, inverse_row, rank
from ppdm_formal.declare.operators.least_variance import (
    ball_scores,
    closed_scores,
    decoding_masses,
    exact_scores,
)
from ppdm_formal.declare.operators.matrix import CodedMatrix, TooLarge
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import (
    Recoverable,
    rank_modulo,
    recoverable,
    told_apart,
)
from ppdm_formal.derive.measures.mean_error import MeanError, plain_variance, worst_mean
from ppdm_formal.derive.measures.moments import (
    UNKNOWABLE,
    CellsAlike,
    Errors,
    MomentSums,
    enclosed,
    errors,
    told,
)

EXACT_WORK = 300_000
"""Rational matrices are inverted exactly while min(k, n)^2 (k + n) stays below this, k x n."""

BALL_WORK = 8_000_000
"""And in balls while it stays below this: within a second."""

ELIMINATED_WORK = 2_000_000
"""And eliminated exactly, where balls do not show rows to be independent, below this."""

CLOSED_WORK = 400
"""And with free parameters while it stays below this."""

_SHOWS = 256
"""Bits of precision at which independent rows must show to be independent."""


@dataclass(frozen=True)
class FromMatrix:
    """What a matrix says: errors, what can be recovered, and the mean where inputs are numbers."""

    errors: Errors
    rank: int
    found: Recoverable | None
    mean: MeanError | None
    unique: bool


def masses_of(operator: Operator, prior: Prior | None) -> list[Exact]:
    """The distribution that errors are told for: the prior, or the uniform one."""
    size = operator.inputs.size
    if prior is None:
        return [Fraction(1, size)] * size
    aligned = prior.aligned(operator.inputs)
    return [aligned.palette[code] for code in aligned.codes.tolist()]


def matrix_errors(operator: Operator, prior: Prior | None) -> FromMatrix:
    """By exact algebra on the matrix; TooLarge where that would take too long."""
    inputs, outputs = operator.inputs.size, operator.outputs.size
    work = min(inputs, outputs) ** 2 * (inputs + outputs)
    if work > BALL_WORK:
        sizes = f"{show_count(inputs)} inputs and {show_count(outputs)} outputs"
        raise TooLarge(f"{sizes}: too large a matrix to invert")
    matrix = operator.matrix()
    masses = masses_of(operator, prior)
    if any(map(is_symbolic, (*matrix.palette, *masses))):
        if work > CLOSED_WORK:
            raise TooLarge("closed forms of so large a matrix are too long")
        return _closed(operator, matrix, prior, masses)
    if work <= EXACT_WORK and all(map(is_rational, (*matrix.palette, *masses))):
        return _exact(operator, matrix, prior, masses)
    return _balls(operator, matrix, prior, masses)


def _exact(
    operator: Operator, matrix: CodedMatrix, prior: Prior | None, masses: list[Exact]
) -> FromMatrix:
    found = recoverable(matrix)
    scores, likely = exact_scores(matrix, found, decoding_masses(matrix, operator.inputs, prior))
    inputs, outputs = matrix.shape
    flat = [to_flint(entry) for row in scores for entry in row]
    forward = _forward(matrix)
    known = UNKNOWABLE
    if not found.lost:
        squares = forward * fmpq_mat(outputs, inputs, [entry * entry for entry in flat])
        table = [[to_fraction(squares[x, c]) for c in range(inputs)] for x in range(inputs)]
        known = told(errors(_listed(table, masses)))
    values = numeric(operator)
    mean = None
    if values is not None and found.functional(values):
        weights = fmpq_mat(inputs, 1, list(values))
        decoded = fmpq_mat(outputs, inputs, flat) * weights
        second = forward * fmpq_mat(outputs, 1, [entry * entry for entry in decoded.entries()])
        parts = [to_fraction(entry) for entry in second.entries()]
        mu = sum((m * x for m, x in zip(masses, values, strict=True)), start=Fraction(0))
        error = (
            sum((m * t for m, t in zip(masses, parts, strict=True)), start=Fraction(0)) - mu * mu
        )
        worst = worst_mean(values, parts)
        mean = MeanError(error, plain_variance(values, masses), worst, _width(values))
    unique = len(found.basis) == sum(mass != 0 for mass in likely)
    return FromMatrix(known, len(found.basis), found, mean, unique)


def _balls(
    operator: Operator, matrix: CodedMatrix, prior: Prior | None, masses: list[Exact]
) -> FromMatrix:
    decoding = decoding_masses(matrix, operator.inputs, prior)
    zero = {code for code, value in enumerate(matrix.palette) if value == 0}
    rows = matrix.codes.tolist()
    reached = [y for y in range(matrix.shape[1]) if any(row[y] not in zero for row in rows)]
    found = _independent(matrix, reached)

    def forward(inputs: Sequence[int]) -> arb_mat:
        palette = [ball_of(value) for value in matrix.palette]
        entries = [palette[rows[x][y]] for x in inputs for y in reached]
        return arb_mat(len(inputs), len(reached), entries)

    def decoded() -> tuple[arb_mat, arb_mat]:
        whole = forward(range(matrix.shape[0]))
        likely = arb_mat(1, whole.nrows(), [ball_of(mass) for mass in decoding]) * whole
        return whole, ball_scores(forward(found.basis), likely.entries())

    values = numeric(operator)
    told_mean = values is not None and found.functional(values)

    def further(whole: arb_mat, scores: arb_mat, pi: arb_mat) -> list[arb]:
        """The error of the mean."""
        if values is None or not told_mean:
            return []
        weights = arb_mat(scores.ncols(), 1, [values[x] for x in found.basis])
        mu = (pi * arb_mat(len(values), 1, values))[0, 0]
        return [(pi * (whole * _squared(scores * weights)))[0, 0] - mu * mu]

    def evaluate() -> tuple[MomentSums, list[arb]]:
        whole, scores = decoded()
        pi = arb_mat(1, len(masses), [ball_of(mass) for mass in masses])
        moments = _listed((whole * _squared(scores)).tolist(), pi.entries())
        return moments, further(whole, scores, pi)

    def only_mean() -> list[arb]:
        whole, scores = decoded()
        return further(whole, scores, arb_mat(1, len(masses), [ball_of(m) for m in masses]))

    if found.lost:
        known, extra = UNKNOWABLE, enclose_all(only_mean) if told_mean else ()
    else:
        known, extra = enclosed(evaluate, max(masses) == 1)
    mean = None
    if values is not None and extra:
        mean = MeanError(extra[0], plain_variance(values, masses), None, _width(values))
    unique = len(found.basis) == len(reached)
    return FromMatrix(known, len(found.basis), found, mean, unique)


def _independent(matrix: CodedMatrix, reached: Sequence[int]) -> Recoverable:
    """What can be recovered: the rows that are told apart, if they show to be independent."""
    apart = told_apart(matrix)
    codes = matrix.codes[list(apart.basis)]
    if all(map(is_rational, matrix.palette)):
        if rank_modulo(codes, matrix.palette) == len(codes):
            return apart
    elif len(codes) <= len(reached):
        with ctx.workprec(_SHOWS):
            palette = [ball_of(value) for value in matrix.palette]
            entries = [palette[row[y]] for row in codes.tolist() for y in reached]
            forward = arb_mat(len(codes), len(reached), entries)
            try:
                (forward * forward.transpose()).inv()
                return apart
            except ZeroDivisionError:
                pass
    if min(matrix.shape) ** 2 * sum(matrix.shape) > ELIMINATED_WORK:
        raise TooLarge("the rows are nearly dependent, and too many to eliminate exactly")
    return recoverable(matrix)


def _squared(scores: arb_mat) -> arb_mat:
    entries = [entry * entry for entry in scores.entries()]
    return arb_mat(scores.nrows(), scores.ncols(), entries)


def _closed(
    operator: Operator, matrix: CodedMatrix, prior: Prior | None, masses: list[Exact]
) -> FromMatrix:
    """With free parameters: the total alone, since which cell is worst may change along them."""
    found = recoverable(matrix)
    if found.lost:
        return FromMatrix(UNKNOWABLE, len(found.basis), found, None, False)
    uniform = masses_of(operator, None)
    scores = closed_scores(matrix, found, uniform if 0 in masses else masses)
    square = [[simplify(entry * entry) for entry in row] for row in scores]
    seen = [
        dot(masses, [matrix.palette[code] for code in matrix.codes[:, y].tolist()])
        for y in range(matrix.shape[1])
    ]
    total = dot(seen, [dot([1] * len(row), row) for row in square]) - dot(masses, masses)
    plain = 1 - dot(masses, masses)
    known = told([None, None, None, total, None, plain])
    unique = matrix.shape[0] == matrix.shape[1]
    return FromMatrix(known, len(found.basis), found, None, unique)


def circulant_errors(
    row: Sequence[Fraction], operator: Operator, prior: Prior | None
) -> FromMatrix:
    """From the first row of a circulant matrix: S[x', x] depends on x - x' alone."""
    size = len(row)
    masses = masses_of(operator, prior)
    if not all(map(is_rational, masses)):
        raise TooLarge("the prior has free parameters or exponentials")
    values = numeric(operator)

    def evaluate() -> tuple[MomentSums, list[arb]]:
        scores, moved = _moved(tuple(row), ctx.prec)
        pi = _balls_of(masses)
        own, most, whole = moved[0], _most(moved[1:]), sum(moved, start=arb(0))
        if prior is None:
            cells: tuple[CellsAlike, ...] = (CellsAlike(size, pi[0], own, most, whole / size),)
        else:
            seen = convolved(pi, moved)
            cells = tuple(CellsAlike(1, pi[x], own, most, seen[x]) for x in range(size))
        moments = MomentSums(cells, ((size, whole),))
        if values is None:
            return moments, []
        back = [scores[0], *reversed(scores[1:])]  # c[y] = sum over x of x d[x - y]
        told = convolved(back, [arb(value) for value in values])
        likely = convolved(_balls_of(row), pi)
        second = sum((m * c * c for m, c in zip(likely, told, strict=True)), start=arb(0))
        mu = sum((m * x for m, x in zip(pi, values, strict=True)), start=arb(0))
        return moments, [second - mu * mu]

    try:
        found, extra = enclosed(evaluate, max(masses) == 1)
    except ZeroDivisionError:
        known = rank(row)
        if known == size:
            raise TooLarge("the shifts are too nearly alike to be told apart here") from None
        return FromMatrix(UNKNOWABLE, known, None, None, True)
    mean = None
    if values is not None:
        mean = MeanError(extra[0], plain_variance(values, masses), None, _width(values))
    return FromMatrix(found, size, None, mean, True)


@lru_cache(maxsize=4)
def _moved(row: tuple[Fraction, ...], precision: int) -> tuple[list[arb], list[arb]]:
    """The inverse's first row, and S[0, x], at a precision: the same under every prior."""
    scores = inverse_row(row)
    return scores, convolved(_balls_of(row), [score * score for score in scores])


def _balls_of(numbers: Sequence[Fraction]) -> list[arb]:
    """Equal numbers are turned into balls once."""
    known = {number: arb(to_flint(number)) for number in set(numbers)}
    return [known[number] for number in numbers]


def _forward(matrix: CodedMatrix) -> fmpq_mat:
    palette = [to_flint(value) for value in matrix.palette]
    return fmpq_mat(*matrix.shape, [palette[code] for code in matrix.codes.ravel().tolist()])


def _listed(table: Sequence[Sequence[Any]], masses: Sequence[Any]) -> MomentSums:
    """The moments of a table S[x', x]."""
    cells, size = [], len(masses)
    for x in range(size):
        column = [table[other][x] for other in range(size)]
        others = [value for other, value in enumerate(column) if other != x] or [column[x]]
        seen = sum((m * s for m, s in zip(masses, column, strict=True)), start=0 * column[x])
        cells.append(CellsAlike(1, masses[x], column[x], _most(others), seen))
    rows = tuple((1, sum(row, start=0 * row[0])) for row in table)
    alike = not isinstance(rows[0][1], arb) and len({row for _, row in rows}) == 1
    return MomentSums(tuple(cells), ((size, rows[0][1]),) if alike else rows)


def _most(values: Sequence[Any]) -> Any:
    if not isinstance(values[0], arb):
        return max(values)
    best = values[0]
    for value in values[1:]:
        best = best.max(value)
    return best


def _width(values: Sequence[int]) -> int:
    return max(values) - min(values)


def numeric(operator: Operator) -> list[int] | None:
    """The inputs, where they are numbers."""
    values = [value for value in operator.inputs if type(value) is int]
    return values if len(values) == operator.inputs.size else None
