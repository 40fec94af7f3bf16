"""Unbiased estimates against every collection there can be, and intervals against Wilson's."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from estimate_oracle import FEW, collections, laws, masses, outputs
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.result import Cell, LostCell
from ppdm_formal.infer.tables.tables import RandomizedColumn, table
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.decoder import NotEstimable
from ppdm_formal.infer.undoing.intervals import Moments, pointwise, simultaneous

LEVEL = Fraction(95, 100)


def unbiased(operators, counts, method="unbiased"):
    columns = [
        o if isinstance(o, RandomizedColumn) else RandomizedColumn(f"c{k}", o)
        for k, o in enumerate(operators)
    ]
    return table(columns, Counts.of_array(np.array(counts)), method, LEVEL)


@FEW
@given(st.data())
def test_mean_and_variance_over_all_collections_of_three_rows(data):
    """The mean of the estimates is pi; the mean of their variances is their variance."""
    rows = data.draw(laws(inputs=(2, 3), outputs=(2, 4)))
    pi = data.draw(masses(len(rows)))
    operator = RandomizedColumn("c", Operator.from_matrix(rows))
    size = 3
    sums = {}
    for probability, counts in collections(outputs(rows, pi), size):
        weight = float(probability)
        for x, cell in enumerate(unbiased([operator], counts).cells):
            if isinstance(cell, Cell):
                assert cell.low <= cell.estimate <= cell.high
                assert cell.low_all <= cell.low + 1e-9
                assert cell.high <= cell.high_all + 1e-9
                sums.setdefault(x, np.zeros(3))
                sums[x] += weight * np.array([cell.estimate, cell.estimate**2, cell.se**2])
    for x, (first, second, variance) in sums.items():
        assert first == pytest.approx(float(pi[x]), abs=1e-9)
        assert variance == pytest.approx(second - first**2, rel=1e-7, abs=1e-9)


@FEW
@given(st.data())
def test_the_coins_alone(data):
    """For fixed people: the variance over their coins is the mean of se_coins^2 (unclipped)."""
    keep = data.draw(st.sampled_from(["3/4", "2/5", "9/10"]))
    operator = randomized_response(3, keep)
    people = data.draw(st.lists(st.integers(0, 2), min_size=3, max_size=3))
    rows = [[operator.probability(x, y) for y in range(3)] for x in range(3)]
    first, second, coins = np.zeros(3), np.zeros(3), np.zeros(3)
    for answers in product(range(3), repeat=3):
        probability = math.prod(float(rows[x][y]) for x, y in zip(people, answers, strict=True))
        cells = unbiased([operator], [answers.count(y) for y in range(3)]).cells
        estimates = np.array([cell.estimate for cell in cells])
        first += probability * estimates
        second += probability * estimates**2
        coins += probability * np.array([cell.se_coins**2 for cell in cells])
    assert first == pytest.approx([people.count(x) / 3 for x in range(3)])
    assert coins == pytest.approx(second - first**2)


@FEW
@given(st.data())
def test_joint_tables_are_those_of_the_product_operator(data):
    """Mode by mode, without the product's matrix, for two and three columns."""
    size = data.draw(st.integers(2, 3))
    rows = [data.draw(laws(inputs=(1, 3), outputs=(2, 3))) for _ in range(size)]
    operators = [Operator.from_matrix(each) for each in rows]
    shape = [len(each[0]) for each in rows]
    counts = np.array(
        data.draw(st.lists(st.integers(0, 4), min_size=math.prod(shape), max_size=math.prod(shape)))
    ).reshape(shape)
    for axis, each in enumerate(rows):  # only outputs that can occur
        reached = np.array([any(row[y] for row in each) for y in range(len(each[0]))])
        counts *= reached.reshape([-1 if k == axis else 1 for k in range(size)])
    if not counts.sum():
        return
    whole = operators[0]
    for operator in operators[1:]:
        whole = whole.product(operator)
    for method in ("unbiased", "mle"):
        joint = unbiased(operators, counts, method)
        flat = unbiased([whole], counts.ravel(), method)
        for mine, theirs in zip(joint.cells, flat.cells, strict=True):
            assert (mine.value,) == theirs.value
            assert type(mine) is type(theirs)
            if isinstance(mine, Cell):
                assert mine.estimate == pytest.approx(theirs.estimate, abs=1e-4)
                assert mine.se == pytest.approx(theirs.se, rel=1e-2, abs=1e-4)
                if method == "unbiased":
                    assert mine.se_coins == pytest.approx(theirs.se_coins, abs=1e-9)


def wilson(share, rows, z):
    """All t with (share - t)^2 <= z^2 t (1 - t) / rows."""
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = math.sqrt(middle**2 - share**2 / (1 + z * z / rows))
    return middle - half, middle + half


def test_randomized_response_has_wilsons_interval_with_a_longer_tail():
    """The end on the longer tail's side is Wilson's for a frequency moved by the skewness."""
    operator = randomized_response(3, "3/5")
    counts, z, rows = [50, 30, 20], pointwise(0.95), 100
    for x, cell in enumerate(unbiased([operator], counts).cells):
        share = counts[x] / rows
        likely = (counts[x] + 1 / 3) / (rows + 1)
        lean = (z * z - 1) / 6 * (1 - 2 * likely) / rows
        ends = [wilson(share, rows, z), wilson(share - lean, rows, z)]
        assert cell.low == pytest.approx((min(low for low, _ in ends) - 0.2) / 0.4)
        assert cell.high == pytest.approx((max(high for _, high in ends) - 0.2) / 0.4)
        assert cell.estimate == pytest.approx((share - 0.2) / 0.4)


@pytest.mark.parametrize(
    ("values", "rows"), [((20,), 20), ((80,), 100), ((20, 20), 300), ((3, 20, 9), 400)]
)
def test_sparse_tables_are_covered(values, rows):
    """Far fewer answers than cells: what was hardly seen has no narrow interval."""
    chance = np.random.default_rng(7)
    operators = [randomized_response(size, "1/2") for size in values]
    truth = chance.dirichlet(np.full(math.prod(values), 0.3)).reshape(values)
    law = truth
    for size in values:  # each column goes to the end, randomized
        law = np.moveaxis(law, 0, -1)
        law = law * (1 / 2 - 1 / 2 / (size - 1)) + law.sum(-1, keepdims=True) / 2 / (size - 1)
    held, below, together, runs = [], 0, 0, 30
    for _ in range(runs):
        drawn = chance.multinomial(rows, law.ravel() / law.sum()).reshape(values)
        cells = unbiased(operators, drawn).cells
        for cell, mass in zip(cells, truth.ravel(), strict=True):
            held.append(cell.low <= mass <= cell.high)
            below += cell.high < 0
        together += all(
            cell.low_all <= mass <= cell.high_all
            for cell, mass in zip(cells, truth.ravel(), strict=True)
        )
    assert np.mean(held) > 0.94
    assert below < 0.02 * len(held)
    assert together >= 0.85 * runs


def test_one_answer_proves_nothing():
    cells = unbiased([randomized_response(5, "1/2")], [0, 1, 0, 0, 0]).cells
    assert all(cell.low < 0.25 and cell.high > 0.3 and cell.se > 0.3 for cell in cells)
    joint = np.zeros((5, 5), dtype=int)
    joint[2, 3] = 1
    for method in ("unbiased", "mle"):
        cells = unbiased([randomized_response(5, "1/2")] * 2, joint, method).cells
        assert all(cell.low < 0.25 and cell.se > 0.1 for cell in cells)


def test_a_value_never_seen_still_has_an_interval():
    """Without noise and without a single row of it: Wilson's upper end, not 0."""
    identity = Operator.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    cell = unbiased([identity], [60, 40, 0]).cells[2]
    z = pointwise(0.95)
    assert (cell.estimate, cell.se) == (0, 0)
    assert cell.low == pytest.approx(0, abs=1e-12)
    assert cell.high == pytest.approx(z * z / (100 + z * z), rel=1e-6)


def test_lost_values_are_said_to_be_lost_and_others_estimated():
    """The rows of b and c are one; a is still recoverable, and so is nothing else."""
    operator = Operator.from_matrix(
        [["3/4", "1/4"], ["1/4", "3/4"], ["1/4", "3/4"]], inputs=["a", "b", "c"]
    )
    for method in ("unbiased", "mle"):
        found = unbiased([operator], [70, 30], method)
        assert isinstance(found.cells[0], Cell)
        assert found.cells[0].estimate == pytest.approx(0.9, abs=1e-5)
        assert found.cells[1:] == (LostCell(("b",)), LostCell(("c",)))
        assert [direction.terms for direction in found.lost] == [(("b", -1), ("c", 1))]


def test_what_is_certain_has_no_error():
    """A single value, or the sum of all: scores are constant, and so the interval is a point."""
    one = np.ones(3)
    moments = Moments(one, one, [one, one, one], 5)
    assert [end.tolist() for end in moments.interval(2.0)] == [[1, 1, 1], [1, 1, 1]]
    only = Operator.from_matrix([["1/2", "1/2"]])
    (cell,) = unbiased([only], [3, 4]).cells
    assert (cell.estimate, cell.se, cell.low, cell.high) == pytest.approx((1, 0, 1, 1), abs=1e-7)


def test_simultaneous_intervals_cover_independent_normals_exactly():
    from scipy.stats import norm

    for cells in (1, 2, 50):
        assert (1 - 2 * norm.sf(simultaneous(0.9, cells))) ** cells == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("counts", "message"),
    [([0, 0, 0], "no rows"), ([3, 2, 1], "no value can give the answers e"), ([0, 0, 7], "give")],
)
def test_impossible_collections_are_refused(counts, message):
    operator = Operator.from_matrix([["3/4", "1/4", 0], ["1/4", "3/4", 0]], outputs=["y", "n", "e"])
    for method in ("unbiased", "mle"):
        with pytest.raises(NotEstimable, match=message):
            unbiased([operator], counts, method)


def test_tables_that_are_too_large_are_refused():
    coin, wide = randomized_response(2, "3/4"), randomized_response(1001, "1/2")
    with pytest.raises(NotEstimable, match="one to 3 columns"):
        unbiased([coin] * 4, np.ones((2, 2, 2, 2), dtype=int))
    with pytest.raises(NotEstimable, match="1,002,001 combinations"):
        unbiased([wide, wide], np.ones((1001, 1001), dtype=int))


def test_one_row_is_enough_to_estimate_from():
    cells = unbiased([randomized_response(2, "3/4")], [1, 0]).cells
    assert [cell.estimate for cell in cells] == pytest.approx([1.5, -0.5])
    assert all(math.isfinite(cell.high - cell.low) for cell in cells)


@pytest.mark.parametrize("level", ["1/1000000", "999999999/1000000000"])
@pytest.mark.parametrize("largest", [1, 10**12])
def test_extreme_counts_and_levels_give_finite_numbers_in_order(level, largest):
    """Rows from 10^-6 to nearly 1, singular in part, with one answer or 10^13 of them."""
    tiny = Fraction(1, 10**6)
    operator = Operator.from_matrix(
        [
            [1 - tiny, tiny, 0, 0],
            [tiny, 1 - 2 * tiny, tiny, 0],
            [0, 0, tiny, 1 - tiny],
            [0, 1, 0, 0],
        ]
    )
    coin = randomized_response(2, "1/2") if largest == 1 else randomized_response(2, "9/10")
    draw = np.random.default_rng(6)
    for shape, parts in (((4,), [operator]), ((4, 2), [operator, coin])):
        counts = draw.integers(0, largest + 1, shape)
        counts.flat[0] += 1
        for method in ("unbiased", "mle"):
            columns = [RandomizedColumn(str(k), part) for k, part in enumerate(parts)]
            found = table(columns, Counts.of_array(counts), method, Fraction(level))
            for cell in found.estimated:
                numbers = (cell.estimate, cell.se, cell.se_coins, cell.low_all, cell.high_all)
                assert all(map(math.isfinite, numbers))
                assert cell.low <= cell.estimate <= cell.high
