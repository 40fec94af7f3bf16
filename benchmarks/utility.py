"""Is utility what it says? Variances of 10^6 simulated reports, and algebra on 3,000 operators.

Each mechanism randomizes a million people, evenly spread; the mean square of each cell's scores,
for the published decoder and the one of least variance, is put beside its exact value.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from flint import fmpq_mat

from benchmarks.result import Result
from ppdm_formal.declare.arithmetic.exact import to_flint, to_fraction
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.least_variance import exact_scores
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import recoverable
from ppdm_formal.derive.measures.moments import supported
from ppdm_formal.derive.measures.utility import utility
from ppdm_formal.run.simulation import Simulation

REPORTS = 1_000_000
VALUES = 10
OPERATORS = 3_000
Floats = np.ndarray

MECHANISMS = {
    "k-ary response": randomized_response(VALUES, "1/4"),
    "symmetric unary encoding": unary_encoding(VALUES, keep="3/5"),
    "optimized unary encoding": unary_encoding(VALUES, gamma=3),
    "subset selection": subset_selection(VALUES, 3),
    "Hadamard response": hadamard_response(VALUES, 3),
    "local hashing": local_hashing(VALUES, 4, gamma=3),
}


def held(operator: Operator, people: np.ndarray, seed: int) -> np.ndarray:
    """Which values each report supports: those in its set, of its name, or of its column's sign."""
    law, bits = operator.law, Simulation(seed)
    table = np.zeros((len(people), VALUES), dtype=bool)
    if law.gives_sets:
        items, offsets = law.draw_reports(people, bits)
        table[np.repeat(np.arange(len(people)), np.diff(offsets)), items] = True
        return table
    reports = law.draw(people, bits)
    if operator.outputs.size == VALUES:
        table[np.arange(len(people)), reports] = True
        return table
    for value in range(VALUES):
        shared = np.bitwise_count(reports & (value + 1))
        table[:, value] = shared % 2 == 0
    return table


def positions(operator: Operator, table: np.ndarray) -> np.ndarray:
    """The reports as outputs, by the values that they support; none of these share all of them."""
    masks = table @ (1 << np.arange(VALUES))
    rows = [(Fraction(0), y) for y in operator.outputs]
    places = {}
    for place, (_, y) in enumerate(rows):
        if isinstance(y, frozenset):
            mask = sum(1 << item for item in y)
        elif operator.outputs.size == VALUES:
            mask = 1 << y
        else:
            mask = sum(1 << v for v in range(VALUES) if (y & (v + 1)).bit_count() % 2 == 0)
        places[mask] = place
    assert len(places) == operator.outputs.size
    found = np.zeros(1 << VALUES, dtype=np.int64)
    found[list(places)] = list(places.values())
    return found[masks]


def distances(operator: Operator, seed: int) -> Iterator[float]:
    """By how many standard errors simulated second moments miss the exact ones, cell by cell."""
    people = np.random.default_rng(seed).integers(0, VALUES, REPORTS)
    table = held(operator, people, seed)
    support = operator.law.support()
    assert support is not None
    own, other = supported(support, lambda value: value)
    exact = (own + (VALUES - 1) * other) / VALUES
    p, q = float(support.own), float(support.other)
    yield from _missed(((table - q) / (p - q)) ** 2, [float(exact)] * VALUES)
    matrix = operator.matrix()
    masses = [Fraction(1, VALUES)] * VALUES
    scores, likely = exact_scores(matrix, recoverable(matrix), masses)
    squares = np.array([[float(d) ** 2 for d in row] for row in scores])
    expected = [
        float(sum(m * row[x] ** 2 for m, row in zip(likely, scores, strict=True)))
        for x in range(VALUES)
    ]
    total = utility(operator).best.errors.total
    assert abs(sum(expected) - 1 / VALUES - float(getattr(total, "hi", total))) < 1e-9 * sum(
        expected
    )
    yield from _missed(squares[positions(operator, table)], expected)


def _missed(squares: Floats, expected: list[float]) -> Iterator[float]:
    for x, value in enumerate(expected):
        column = squares[:, x]
        yield abs(column.mean() - value) / (column.std() / np.sqrt(len(column)) + 1e-12)


def rappor_distances(seed: int) -> Iterator[float]:
    """Bits of RAPPOR's filters, by its own decoder."""
    operator = rappor(16, 2, "1/2", "1/2", "3/4")
    draw = np.random.default_rng(seed)
    filters = np.argsort(draw.random((REPORTS, 16)), axis=1)[:, :2]
    filters.sort(axis=1)
    flat, offsets = filters.ravel().astype(np.int64), np.arange(REPORTS + 1) * 2
    items, ends = operator.law.draw_sets(flat, offsets, Simulation(seed))
    table = np.zeros((REPORTS, 16), dtype=bool)
    table[np.repeat(np.arange(REPORTS), np.diff(ends)), items] = True
    support = operator.law.support()
    assert support is not None
    p, q = float(support.own), float(support.other)
    total = utility(operator).best.errors.total
    assert isinstance(total, Fraction)
    mean = float(total / 16) + (2 / 16) ** 2
    yield from _missed(((table - q) / (p - q)) ** 2, [mean] * 16)


def random_operators(count: int) -> Iterator[list[list[Fraction]]]:
    """Small matrices with zeros and equal entries among them."""
    draw = random.Random(17)
    for _ in range(count):
        inputs, outputs = draw.randint(2, 5), draw.randint(2, 9)
        rows = []
        for _ in range(inputs):
            weights = [draw.choice((0, 0, 1, 1, 2, 3, 17)) for _ in range(outputs)]
            weights[draw.randrange(outputs)] += 1
            rows.append([Fraction(weight, sum(weights)) for weight in weights])
        yield rows


def wrong_decoders() -> tuple[int, int]:
    """How many operators were decoded, and how many decoders are biased or can be improved."""
    met = wrong = 0
    for rows in random_operators(OPERATORS):
        operator = Operator.from_matrix(rows)
        matrix = operator.matrix()
        found = recoverable(matrix)
        if found.lost:
            continue
        met += 1
        inputs, outputs = matrix.shape
        masses = [Fraction(1 + x, inputs * (inputs + 1) // 2) for x in range(inputs)]
        scores, likely = exact_scores(matrix, found, masses)
        forward = fmpq_mat(inputs, outputs, [to_flint(p) for row in rows for p in row])
        decoder = fmpq_mat(outputs, inputs, [to_flint(d) for row in scores for d in row])
        if forward * decoder != fmpq_mat(inputs, inputs, _identity(inputs)):
            wrong += 1
            continue
        # Any other unbiased decoder differs by columns n with P n = 0, and then has the variance
        # of this one plus sum m n^2 exactly if m D is orthogonal to n.
        weights = [to_flint(m * d) for m, row in zip(likely, scores, strict=True) for d in row]
        across = fmpq_mat(outputs, inputs, weights)
        if any(any((free * across).entries()) for free in _null_space(forward, likely)):
            wrong += 1
    return met, wrong


def _identity(size: int) -> list[int]:
    return [int(x == y) for x in range(size) for y in range(size)]


def _null_space(forward: fmpq_mat, likely: list[Fraction]) -> Iterator[fmpq_mat]:
    """A basis of the scores n with P n = 0, where outputs occur."""
    reduced, rank = forward.rref()
    width = forward.ncols()
    pivots = [next(c for c in range(width) if reduced[r, c] != 0) for r in range(rank)]
    for column in range(width):
        if column in pivots or not likely[column]:
            continue
        vector = [Fraction(0)] * width
        vector[column] = Fraction(1)
        for row, pivot in enumerate(pivots):
            vector[pivot] = -to_fraction(reduced[row, column])
        yield fmpq_mat(1, width, [to_flint(value) for value in vector])


def measure() -> list[Result]:
    """Simulation, then algebra."""
    results = []
    for seed, (name, operator) in enumerate(MECHANISMS.items(), start=1):
        worst = max(distances(operator, seed))
        results.append(_result(name, worst))
    results.append(_result("RAPPOR", max(rappor_distances(9))))
    met, wrong = wrong_decoders()
    results.append(
        Result(
            f"decoders of {met:,} random operators: unbiased, and of least variance",
            f"{wrong} are not",
            "none",
            wrong == 0,
        )
    )
    return results


def _result(name: str, worst: float) -> Result:
    return Result(
        f"{name}: variance of {REPORTS:,} simulated reports, every cell and decoder",
        f"at most {worst:.1f} standard errors from the exact value",
        "4.5",
        worst < 4.5,
    )
