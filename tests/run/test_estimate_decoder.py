"""Decoders: exactly unbiased, of least variance, and right about what is lost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from estimate_oracle import SOME, laws, masses, outputs, rank
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.least_variance import exact_scores
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import recoverable
from ppdm_formal.infer.undoing.decoder import NotEstimable, decoder
from ppdm_formal.infer.undoing.rounded_decoder import rounded_decoder


def times(rows, column):
    return [sum(a * b for a, b in zip(row, column, strict=True)) for row in rows]


@SOME
@given(st.data())
def test_lost_directions_are_all_of_the_left_kernel(data):
    rows = data.draw(laws())
    found = recoverable(CodedMatrix.from_rows(rows))
    assert len(found.basis) == rank(rows)
    assert len(found.lost) == len(rows) - rank(rows)
    vectors = []
    for lost in found.lost:
        vector = [Fraction(0)] * len(rows)
        for place, size in lost.coefficients:
            vector[place] = Fraction(size)
        assert sum(vector) == 0
        assert not any(times(zip(*rows, strict=True), vector))
        vectors.append(vector)
    assert not vectors or rank(vectors) == len(vectors)


@SOME
@given(st.data())
def test_what_is_recoverable_is_what_some_scores_estimate(data):
    """A function c of pi is recoverable iff P d = c has a solution d."""
    rows = data.draw(laws())
    found = recoverable(CodedMatrix.from_rows(rows))
    weights = data.draw(st.lists(st.integers(-2, 2), min_size=len(rows), max_size=len(rows)))
    units = [[int(k == x) for k in range(len(rows))] for x in range(len(rows))]
    for c in [weights, *units]:
        extended = [[*row, Fraction(entry)] for row, entry in zip(rows, c, strict=True)]
        solvable = rank(extended) == rank(rows)
        assert found.functional(c) == solvable
        if c in units:
            assert bool(found.cells[units.index(c)]) == solvable


@SOME
@given(st.data())
def test_scores_are_unbiased_and_of_least_variance(data):
    rows = data.draw(laws())
    prior = data.draw(masses(len(rows), least=1))
    matrix = CodedMatrix.from_rows(rows)
    found = recoverable(matrix)
    scores, law = exact_scores(matrix, found, prior)
    assert law == outputs(rows, prior)
    columns = [list(column) for column in zip(*scores, strict=True)]
    for x, column in enumerate(columns):
        if found.cells[x]:
            assert times(rows, column) == [int(k == x) for k in range(len(rows))]
    # Scores that estimate 0 are uncorrelated with those of least variance.
    change = data.draw(st.lists(st.integers(-3, 3), min_size=len(law), max_size=len(law)))
    moved = times(rows, change)
    null = [change[y] - sum(moved[x] * columns[x][y] for x in found.basis) for y in range(len(law))]
    null = [n if m else Fraction(0) for n, m in zip(null, law, strict=True)]
    if not any(times(rows, null)):
        for x in found.basis:
            assert sum(m * d * n for m, d, n in zip(law, columns[x], null, strict=True)) == 0
    # The constant 1 is estimated without error.
    assert all(sum(row) == 1 for row, m in zip(scores, law, strict=True) if m)


@SOME
@given(st.data())
def test_large_decoders_in_doubles_agree_with_exact_ones(data):
    rows = data.draw(laws(inputs=(1, 4), outputs=(4, 6)))
    prior = data.draw(masses(len(rows), least=1))
    matrix = CodedMatrix.from_rows(rows)
    masses_ = np.array([float(p) for p in prior])
    if rank(rows) < len(rows):
        with pytest.raises(NotEstimable, match=f"{len(rows) - rank(rows)} directions are lost"):
            rounded_decoder(matrix, masses_)
        return
    made = rounded_decoder(matrix, masses_)
    exact = exact_scores(matrix, recoverable(matrix), prior)[0]
    assert np.allclose(made.table(), np.array(exact, dtype=float), rtol=1e-6, atol=1e-8)
    wrong = [
        abs(sum(p * Fraction(float(d)) for p, d in zip(row, column, strict=True)) - (k == x))
        for x, column in enumerate(made.table().T)
        for k, row in enumerate(rows)
    ]
    assert max(wrong) <= made.bias  # the bound holds in exact arithmetic


def test_nearly_dependent_rows_are_refused_in_doubles_and_solved_exactly():
    tiny = Fraction(1, 10**17)
    half = Fraction(1, 2)
    matrix = CodedMatrix.from_rows([[half, half], [half + tiny, half - tiny]])
    with pytest.raises(NotEstimable, match="nearly dependent"):
        rounded_decoder(matrix, np.array([0.5, 0.5]))
    scores, _ = exact_scores(matrix, recoverable(matrix), [half, half])
    assert scores[0][1] == 1 / (2 * tiny)


@pytest.mark.parametrize("keep", ["19/28", "1/100", "1", "0"])
def test_randomized_response_without_its_matrix(keep):
    operator = randomized_response(6, keep)
    made = decoder(operator)
    written = Operator.from_codes(operator.inputs, operator.outputs, operator.matrix())
    table = decoder(written)
    assert np.allclose(made.table(), table.table(), rtol=1e-12)
    weights = np.array([0.3, 0.1, 0.0, 0.2, 0.15, 0.25])
    order = np.array([3, 1, 0, 2, 5, 4])
    for power in (1, 2, 3):
        assert np.allclose(made.sums(weights, power), table.sums(weights, power))
        assert np.allclose(
            made.running(weights, order, power), table.running(weights, order, power)
        )
    assert np.allclose(made.score(np.arange(6.0)), table.score(np.arange(6.0)))


@pytest.mark.parametrize("keep", ["1/3", "1", "0", "1/1000"])
def test_a_large_matrix_of_randomized_response_is_exact_too(keep):
    size = 100
    keep = Fraction(keep)
    other = (1 - keep) / (size - 1)
    rows = [[keep if x == y else other for y in range(size)] for x in range(size)]
    operator = Operator.from_matrix(rows)
    weights = [Fraction(2 * x + 1, size**2) for x in range(size)]
    made = decoder(operator, Prior.of(operator.inputs, dict(enumerate(weights)), "P"))
    assert made.exact
    assert made.bias == 0
    assert np.allclose(np.array(rows, dtype=float) @ made.table(), np.eye(size), atol=1e-9)
    expected = [sum(weights[x] * rows[x][y] for x in range(size)) for y in range(size)]
    assert np.allclose(made.outputs, np.array(expected, dtype=float), rtol=1e-12, atol=0)
    family = decoder(randomized_response(size, keep))
    assert np.array_equal(made.table(), family.table())


def test_what_only_resembles_randomized_response_is_not_taken_for_it():
    size = 100
    base = [
        [Fraction(1, 2) if x == y else Fraction(1, 198) for y in range(size)] for x in range(size)
    ]
    shifted = [row[-1:] + row[:-1] for row in base]
    swapped = [*base[:-2], base[-1], base[-2]]
    three = [list(row) for row in base]
    three[0][1:3] = [Fraction(1, 99), Fraction(0)]
    for rows in (shifted, swapped, three):
        made = decoder(Operator.from_matrix(rows))
        assert not made.exact
        assert np.allclose(np.array(rows, dtype=float) @ made.table(), np.eye(size), atol=1e-9)


def test_a_prior_under_which_an_output_never_occurs_gives_way_to_the_uniform_one():
    rows = [["1/2", "1/2", 0, 0], [0, 0, "1/2", "1/2"]]
    operator = Operator.from_matrix(rows)
    certain = Prior.of(operator.inputs, {0: 1})
    assert np.array_equal(decoder(operator, certain).table(), decoder(operator).table())
    uneven = Operator.from_matrix([["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]])
    skewed = Prior.of(uneven.inputs, {0: "9/10", 1: "1/10"})
    assert not np.allclose(decoder(uneven, skewed).table(), decoder(uneven).table())


def test_operators_with_free_parameters_and_huge_ones_are_refused():
    import sympy

    from ppdm_formal.declare.arithmetic.parameter import Parameter

    free = Parameter("p", Fraction(0), Fraction(1))
    with pytest.raises(NotEstimable, match="free parameters"):
        decoder(randomized_response(3, sympy.Symbol("p", real=True), parameters=[free]))
    flat = randomized_response(100_000, Fraction(1, 100_000))  # every value alike: all is lost
    with pytest.raises(NotEstimable, match="at most"):
        decoder(flat)
    assert decoder(randomized_response(100_000, "1/2")).recoverable.inputs == 100_000


def test_all_values_alike():
    found = decoder(randomized_response(3, "1/3")).recoverable
    assert len(found.lost) == 2
    assert not found.cells.any()
    assert found.functional([1, 1, 1])
    assert Domain(range(3)).size == 3
