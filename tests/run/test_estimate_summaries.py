"""Means and quantiles against their definitions, and the test of independence."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from estimate_oracle import FEW
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.independence import independence
from ppdm_formal.infer.tables.tables import RandomizedColumn, table
from ppdm_formal.infer.undoing.chi_square import chi_square_tail
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.decoder import decoder
from ppdm_formal.infer.undoing.operator_channel import channel
from ppdm_formal.infer.undoing.scores import Scores

LEVEL = Fraction(95, 100)
IDENTITY = Operator.from_matrix(np.eye(5, dtype=int).tolist(), inputs=[30, 10, 50, 20, 40])


def quantities(operator, counts, method="unbiased", level=LEVEL):
    return table(
        [RandomizedColumn("c", operator)], Counts.of_array(counts), method, level
    ).quantities


@pytest.mark.parametrize("method", ["unbiased", "mle"])
def test_without_noise_they_are_those_of_the_sample(method):
    """Inputs in no order: 30, 10, 50, 20, 40."""
    counts = [30, 10, 20, 25, 15]
    sample = np.repeat([30, 10, 50, 20, 40], counts)
    mean, *quartiles = quantities(IDENTITY, counts, method)
    assert mean.estimate == pytest.approx(sample.mean(), abs=1e-6)
    assert mean.se == pytest.approx(sample.std(ddof=1) / 10, rel=2e-2)
    assert mean.se_coins == pytest.approx(0, abs=0.2)
    assert [q.at for q in quartiles] == [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)]
    wanted = np.quantile(sample, [0.25, 0.5, 0.75], method="inverted_cdf")
    assert [q.estimate for q in quartiles] == wanted.tolist()
    for q in quartiles:
        assert q.low <= q.estimate <= q.high
        assert q.se == pytest.approx((q.high - q.low) / (2 * 1.959964), abs=1e-6)
    assert any(q.se > 0 for q in quartiles)


def test_a_mean_can_be_recovered_where_the_distribution_cannot():
    """0, 1 and 2 with one output for two: (0, 2) moved to (1, 1) changes no output and no mean."""
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/2", "1/2"], ["1/4", "3/4"]])
    found = table([RandomizedColumn("c", operator)], Counts.of_array([40, 60]), "unbiased", LEVEL)
    assert not found.estimated
    assert [q.at for q in found.quantities] == [None]
    assert found.quantities[0].estimate == pytest.approx(1.4)  # (0.6 - 1/4) * 4
    assert found.quantities[0].se_coins is None  # that takes the mean square, which is lost


def test_moments_of_two_columns_by_their_definition():
    """Products of the columns' scores to the powers 1, 2, 3, under the fitted law of both."""
    matrices = [np.full((3, 3), 0.2) + 0.4 * np.eye(3), np.full((2, 2), 0.25) + 0.5 * np.eye(2)]
    operators = [randomized_response(size, keep) for size, keep in ((3, "3/5"), (2, "3/4"))]
    counts = Counts.of_array(np.array([[3, 1], [2, 2], [0, 4]]))
    scores = Scores([decoder(one) for one in operators], counts, channel(operators))
    found = scores.cells()
    masses = scores._joint_masses(found.first.reshape(3, 2))
    law = np.einsum("ab,ay,bz->yz", masses, *matrices)
    inverses = [np.linalg.inv(matrix) for matrix in matrices]  # symmetric: their decoders
    for power, fitted in enumerate(found.fitted, 1):
        product = np.einsum("ya,zb->yzab", *[inverse**power for inverse in inverses])
        seen, before = (np.einsum("yz,yzab->ab", w, product) for w in (law, np.full((3, 2), 1 / 6)))
        assert fitted == pytest.approx(((12 * seen + before) / 13).ravel())


@FEW
@given(st.integers(0, 10_000))
def test_means_are_linear_in_the_cells(seed):
    draw = np.random.default_rng(seed)
    rows = draw.integers(1, 9, (4, 6))
    operator = Operator.from_matrix([[Fraction(int(n), int(r.sum())) for n in r] for r in rows])
    counts = draw.integers(0, 50, 6) + 1
    for method in ("unbiased", "mle"):
        found = table([RandomizedColumn("c", operator)], Counts.of_array(counts), method, LEVEL)
        total = sum(x * cell.estimate for x, cell in enumerate(found.cells))
        assert found.quantities[0].estimate == pytest.approx(total, abs=1e-6)


def test_intervals_of_means_and_quantiles_cover():
    """400 collections of 2,000 people each: at least about the stated 90%, means not far above."""
    operator = randomized_response(12, "2/5")
    draw = np.random.default_rng(11)
    truth = np.array([1, 2, 4, 8, 9, 7, 5, 3, 2, 1, 1, 1]) / 44
    law = truth @ np.array(
        [[float(operator.probability(x, y)) for y in range(12)] for x in range(12)]
    )
    mean = truth @ np.arange(12)
    exact = [int(np.argmax(np.cumsum(truth) >= q - 1e-12)) for q in (0.25, 0.5, 0.75)]
    column, hits, errors = RandomizedColumn("c", operator), np.zeros(8), []
    for _ in range(400):
        counts = Counts.of_array(draw.multinomial(2000, law / law.sum()))
        for offset, method in ((0, "unbiased"), (4, "mle")):
            found = table([column], counts, method, Fraction(9, 10)).quantities
            for k, (q, true) in enumerate(zip(found, [mean, *exact], strict=True)):
                hits[offset + k] += q.low <= true <= q.high
        errors.append(found[0].estimate - mean)
    share = hits / 400
    assert 0.86 <= share[0] <= 0.94
    assert 0.86 <= share[4] <= 0.95
    assert share.min() >= 0.86
    assert np.std(errors) == pytest.approx(found[0].se, rel=0.15)


def test_for_square_operators_the_test_is_pearsons_on_the_outputs():
    counts = np.array([[40, 25, 30], [30, 45, 20]])
    parts = [randomized_response(2, "3/4"), randomized_response(3, "1/2")]
    made = [RandomizedColumn("c", part).decoder for part in parts]
    (found,) = independence(["a", "b"], made, Counts.of_array(counts))
    theirs = chi2_contingency(counts, correction=False)
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.freedom == theirs.dof
    assert found.p_value == pytest.approx(theirs.pvalue)
    assert found.columns == ("a", "b")


def test_mutual_independence_of_three_columns():
    draw = np.random.default_rng(2)
    counts = draw.integers(5, 40, (2, 3, 2))
    parts = [
        randomized_response(2, "3/4"),
        randomized_response(3, "1/2"),
        randomized_response(2, 1),
    ]
    made = [RandomizedColumn("c", part).decoder for part in parts]
    *pairs, mutual = independence(["a", "b", "c"], made, Counts.of_array(counts))
    assert [pair.columns for pair in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    expected = np.einsum(
        "i,j,k->ijk", *(counts.sum(axis=tuple({0, 1, 2} - {a})) / counts.sum() for a in range(3))
    ) * counts.sum()  # fmt: skip
    assert mutual.mutual
    assert mutual.statistic == pytest.approx(((counts - expected) ** 2 / expected).sum())
    assert mutual.freedom == 12 - 2 - 3 - 2 + 2


def test_the_level_where_outputs_outnumber_inputs():
    """Three inputs, eight outputs: (3 - 1)(3 - 1) degrees of freedom, not (8 - 1)(8 - 1)."""
    bits = [[int(b) for b in f"{y:03b}"] for y in range(8)]

    def unary(x, y):
        chosen = Fraction(1)
        for place, bit in enumerate(bits[y]):
            chosen *= Fraction(3, 4) if bit == (place == x) else Fraction(1, 4)
        return chosen

    operator = Operator.from_function(range(3), range(8), unary)
    column = RandomizedColumn("c", operator)
    law = np.array([0.5, 0.3, 0.2]) @ np.array(
        [[float(operator.probability(x, y)) for y in range(8)] for x in range(3)]
    )
    joint = np.outer(law, law).ravel()
    draw = np.random.default_rng(4)
    tails = []
    for _ in range(1000):
        counts = draw.multinomial(1000, joint / joint.sum()).reshape(8, 8)
        (found,) = independence("ab", [column.decoder] * 2, Counts.of_array(counts))
        assert found.freedom == 4
        tails.append(found.p_value)
    for level in (0.01, 0.05, 0.2, 0.5):
        assert np.mean(np.array(tails) <= level) == pytest.approx(
            level, abs=4 * (level / 1000) ** 0.5
        )


def test_columns_that_say_nothing_cannot_be_tested():
    """A column that is always the same has no freedom; p is 1."""
    made = [
        RandomizedColumn("c", part).decoder for part in (IDENTITY, randomized_response(2, "3/4"))
    ]
    counts = np.zeros((5, 2), dtype=int)
    counts[2] = [30, 20]
    (found,) = independence("ab", made, Counts.of_array(counts))
    assert (found.freedom, found.p_value) == (0, 1.0)


@pytest.mark.parametrize(("x", "k"), [(0.5, 1), (10, 4), (300, 225), (1e4, 100), (0, 3)])
def test_tails_of_chi_square(x, k):
    assert chi_square_tail(x, k) == pytest.approx(chi2.sf(x, k), rel=1e-9, abs=1e-300)
