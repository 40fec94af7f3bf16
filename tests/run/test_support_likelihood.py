"""Maximum likelihood from reports that support values, against the matrix written out."""

import numpy as np
import pytest

from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.infer.tables.collected import estimate, estimate_counts
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.infer.undoing.channel import DenseChannel
from ppdm_formal.infer.undoing.decoder import NotEstimable
from ppdm_formal.infer.undoing.likelihood import fit
from ppdm_formal.infer.undoing.support_channel import SupportChannel
from ppdm_formal.run.randomize import randomize

SMALL = {
    "optimized": unary_encoding(5, epsilon=2),
    "symmetric": unary_encoding(4, "4/5"),
    "skewed": unary_encoding(6, "7/10", "1/10"),
    "subset": subset_selection(6, chosen=2, epsilon=1),
    "half": subset_selection(6, chosen=3, epsilon=2),
    "hashed": local_hashing(5, 2, epsilon=1),
    "buckets": local_hashing(7, 3, keep="2/3"),
}
EACH = pytest.mark.parametrize("operator", SMALL.values(), ids=SMALL.keys())


@EACH
def test_odds_and_supports_are_those_of_the_matrix(operator):
    odds = operator.law.supported_odds()
    report, outputs = operator.report, list(operator.outputs)
    held = report.supports(report.of_values(outputs))
    counts = np.zeros(report.supported, dtype=np.int64)
    report.add_supports(report.of_values(outputs), counts)
    assert counts.tolist() == held.sum(axis=0).tolist()
    for y, output in enumerate(outputs):
        chances = [operator.probability(x, output) for x in operator.inputs]
        inside = {c for c, one in zip(chances, held[y], strict=True) if one}
        outside = {c for c, one in zip(chances, held[y], strict=True) if not one}
        assert len(inside) <= 1
        assert len(outside) <= 1
        if inside and outside:
            assert odds == inside.pop() / outside.pop()


@EACH
def test_the_optimum_is_that_of_the_whole_matrix(operator):
    outputs = list(operator.outputs)
    size = operator.inputs.size
    people = [k * k % size for k in range(400)]
    drawn = randomize(operator, people, seed=3).values
    matrix = np.array([[float(operator.probability(x, y)) for y in outputs] for x in range(size)])
    places = [outputs.index(y) for y in drawn]
    counts = np.bincount(places, minlength=len(outputs)).astype(float)
    expected = fit(DenseChannel(matrix), counts)
    line = SupportChannel.of(
        operator.report,
        [operator.report.of_values(drawn[:150]), operator.report.of_values(drawn[150:])],
        float(operator.law.supported_odds()),
    )
    found = fit(line, np.ones(400))
    assert found.gap < 1e-4
    assert np.allclose(found.masses, expected.masses, atol=2e-3)
    by_steps = fit(line, np.ones(400), 1e-3, newton=False)
    assert by_steps.gap <= 1e-2
    assert np.allclose(by_steps.masses, expected.masses, atol=0.02)


@EACH
def test_the_channel_is_a_linear_map_and_its_adjoint(operator):
    drawn = randomize(operator, [0, 1, 2, 3] * 9, seed=5).values
    odds = float(operator.law.supported_odds())
    line = SupportChannel.of(operator.report, [operator.report.of_values(drawn)], odds)
    matrix = np.array(
        [
            [odds if held else 1.0 for held in row]
            for row in operator.report.supports(operator.report.of_values(drawn))
        ]
    ).T
    draw = np.random.default_rng(1)
    masses, values = draw.random(operator.inputs.size), draw.random(36)
    assert np.allclose(line.forward(masses), masses @ matrix)
    assert np.allclose(line.back(values), matrix @ values)
    assert np.allclose(line.information(values), (matrix * values) @ matrix.T)


@pytest.mark.parametrize(
    "operator",
    [
        unary_encoding(40, epsilon=2),
        subset_selection(60, epsilon=1),
        local_hashing(100, 8, epsilon=2),
    ],
    ids=["unary", "subset", "hashed"],
)
def test_the_likeliest_are_nearer_where_most_values_are_rare(operator):
    people = [k % 3 for k in range(3000)]
    drawn = randomize(operator, people, seed=2)
    likely = estimate(operator, drawn, method="mle")
    plain = estimate(operator, drawn)
    truth = np.array([1 / 3] * 3 + [0] * (operator.inputs.size - 3))
    masses, means = (
        np.array([cell.estimate for cell in found.tables[0].cells]) for found in (likely, plain)
    )
    assert masses.sum() == pytest.approx(1)
    assert masses.min() >= 0
    assert np.abs(masses - truth).sum() < np.abs(means - truth).sum() / 2
    assert likely.tables[0].likelihood.gap < 1
    cells = likely.tables[0].cells
    assert all(cell.low <= cell.estimate <= cell.high for cell in cells)


def test_counts_alone_do_not_tell_the_likelihood():
    operator = unary_encoding(40, epsilon=2)
    sent = [operator.report.encoded(one) for one in randomize(operator, [0, 1, 2])]
    counted = ReportCounts.create(operator).add(sent)
    with pytest.raises(NotEstimable, match="counts do not tell"):
        estimate_counts([counted], method="mle")
