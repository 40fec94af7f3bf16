"""Maximum likelihood: channels, the optimum and the bound on it, standard errors, boundaries."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from estimate_oracle import SOME, laws
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.undoing import likelihood
from ppdm_formal.infer.undoing.channel import DenseChannel
from ppdm_formal.infer.undoing.information import _inverse, covariance
from ppdm_formal.infer.undoing.likelihood import fit
from ppdm_formal.infer.undoing.operator_channel import (
    KeepOrReplaceChannel,
    ProductChannel,
    RunChannel,
    channel,
    doubles,
)


def ring(size, reach):
    """R3 of EGS03 Example 1 on a smaller ring: half the time near x, else anywhere."""
    numbers = np.arange(size)
    away = (numbers[None, :] - numbers[:, None]) % size
    codes = ((away > reach) & (away < size - reach)).astype(np.uint8)
    far = Fraction(1, 2 * size)
    domain = Domain(range(size))
    coded = CodedMatrix(codes, [far + Fraction(1, 2 * (2 * reach + 1)), far])
    return Operator.from_codes(domain, domain, coded)


def operators():
    uneven = Operator.from_matrix([["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]])
    return {
        "dense": ([uneven], DenseChannel),
        "runs": ([ring(81, 10)], RunChannel),
        "kept": ([randomized_response(7, "2/5")], KeepOrReplaceChannel),
        "two": ([uneven, randomized_response(3, "1/2")], ProductChannel),
        "three": ([uneven, randomized_response(3, "1/2"), uneven], ProductChannel),
    }


@pytest.mark.parametrize("name", ["dense", "runs", "kept", "two", "three"])
def test_channels_are_the_operators_matrix(name):
    parts, kind = operators()[name]
    made = channel(parts)
    assert isinstance(made, kind)
    full = np.ones((1, 1))
    for part in parts:
        full = np.kron(full, doubles(part.matrix()))
    draw = np.random.default_rng(3)
    masses, values = draw.random(made.inputs), draw.random(made.outputs)
    assert np.allclose(made.forward(masses).ravel(), masses.ravel() @ full, rtol=1e-10)
    assert np.allclose(made.back(values).ravel(), full @ values.ravel(), rtol=1e-10)
    wanted = full @ np.diag(values.ravel()) @ full.T
    assert np.allclose(made.information(values), wanted, rtol=1e-10)


def test_tiny_probabilities_are_not_left_to_running_sums():
    """Where 10^-9 counts, the differences of running sums would lose it."""
    codes = np.array([[0] * 20 + [1] * 20, [1] * 20 + [0] * 20])
    tiny = Fraction(1, 10**9)
    coded = CodedMatrix(codes, [Fraction(1, 20) - tiny, tiny])
    made = channel([Operator.from_codes(Domain(range(2)), Domain(range(40)), coded)])
    assert isinstance(made, DenseChannel)


def log_likelihood(rows, masses, counts):
    shown = np.asarray(masses) @ np.array(rows, dtype=float)
    return sum(
        n * math.log(m) if m > 0 else -math.inf for n, m in zip(counts, shown, strict=True) if n
    )


@SOME
@given(st.data())
def test_nothing_is_likelier_than_the_bound_allows(data):
    rows = data.draw(laws(inputs=(1, 5), outputs=(1, 5)))
    counts = [
        data.draw(st.integers(0, 50)) if any(row[y] for row in rows) else 0
        for y in range(len(rows[0]))
    ]
    if not any(counts):
        return
    found = fit(DenseChannel(np.array(rows, dtype=float)), np.array(counts, dtype=float))
    assert found.masses.min() >= 0
    assert found.masses.sum() == pytest.approx(1)
    assert 0 <= found.gap <= likelihood.GAP
    assert found.log_likelihood == pytest.approx(log_likelihood(rows, found.masses, counts))
    draw = np.random.default_rng(5)
    others = [*np.eye(len(rows)), *draw.dirichlet(np.full(len(rows), 0.5), 50)]
    others += [0.9 * found.masses + 0.1 * other for other in others]
    best = max(log_likelihood(rows, other, counts) for other in others)
    assert best <= found.log_likelihood + found.gap + 1e-9


def test_the_bound_holds_wherever_the_search_stops():
    parts = [ring(81, 10)]
    made = channel(parts)
    draw = np.random.default_rng(8)
    truth = draw.dirichlet(np.full(81, 0.1))
    counts = draw.multinomial(5000, made.forward(truth) / made.forward(truth).sum()).astype(float)
    best = fit(made, counts)
    last = -math.inf
    for gap in (1e4, 100.0, 10.0, 1.0, 1e-2, 1e-4):
        found = fit(made, counts, gap)
        assert found.gap <= gap
        assert best.log_likelihood - found.log_likelihood <= found.gap
        assert found.log_likelihood >= last
        last = found.log_likelihood


def test_without_newton_steps_the_search_still_climbs(monkeypatch):
    """Large tables are left to EM alone: it ends near the same place, and says how near."""
    made = channel([randomized_response(30, "1/5")])
    draw = np.random.default_rng(8)
    truth = draw.dirichlet(np.full(30, 0.3))
    counts = draw.multinomial(4000, made.forward(truth) / made.forward(truth).sum()).astype(float)
    best = fit(made, counts)
    monkeypatch.setattr(likelihood, "NEWTON_CELLS", 0)
    alone = fit(made, counts)
    assert best.log_likelihood - alone.log_likelihood <= alone.gap <= 1e-2


@SOME
@given(st.data())
def test_randomized_response_has_its_optimum_in_closed_form(data):
    size = data.draw(st.integers(2, 9))
    keep = data.draw(st.sampled_from([1.0, 0.9, 0.5, 1.001 / size, 0.5 / size, 0.0]))
    other = (1 - keep) / (size - 1)
    counts = np.array(data.draw(st.lists(st.integers(0, 40), min_size=size, max_size=size)), float)
    if not counts.any():
        return
    line = KeepOrReplaceChannel(size, keep, other)
    matrix = np.full((size, size), other)
    np.fill_diagonal(matrix, keep)
    found, slow = fit(line, counts), fit(DenseChannel(matrix), counts)
    assert found.gap <= likelihood.GAP
    assert found.log_likelihood == pytest.approx(slow.log_likelihood, abs=3e-6)
    if keep > other:
        assert found.gap <= 1e-9
        assert found.steps == 2
    else:
        assert line.likeliest(counts) is None


def test_the_optimum_is_scipys():
    from scipy.optimize import minimize

    rows = np.array([[0.5, 0.25, 0.25, 0], [0.1, 0.2, 0.3, 0.4], [0.4, 0.4, 0.1, 0.1]])
    counts = np.array([300.0, 250.0, 250.0, 200.0])
    found = fit(DenseChannel(rows), counts)
    theirs = minimize(
        lambda pi: -(counts * np.log(pi @ rows)).sum() / 1000,
        np.full(3, 1 / 3),
        bounds=[(0, 1)] * 3,
        constraints={"type": "eq", "fun": lambda pi: pi.sum() - 1},
        options={"ftol": 1e-14},
    )
    assert found.masses == pytest.approx(theirs.x, abs=1e-4)


def test_standard_errors_are_those_of_the_curvature():
    """Against a Hessian by differences, in coordinates that leave the sum at 1."""
    rows = np.array([[0.5, 0.25, 0.25, 0], [0.1, 0.2, 0.3, 0.4], [0.4, 0.4, 0.1, 0.1]])
    counts = np.array([300.0, 280.0, 230.0, 190.0])
    line = DenseChannel(rows)
    found = fit(line, counts)
    assert found.masses.min() > 0.05  # an inner optimum
    at = covariance(line, counts, found, np.arange(3))
    step, units = 1e-3, np.array([[1, 0, -1], [0, 1, -1]])

    def value(a, b):
        return (counts * np.log((found.masses + a * units[0] + b * units[1]) @ rows)).sum()

    def second(i, j):
        e = np.eye(2) * step
        return (
            value(*(e[i] + e[j])) - value(*(e[i] - e[j])) - value(*(e[j] - e[i]))
            + value(*(-e[i] - e[j]))
        ) / (4 * step * step)  # fmt: skip

    hessian = np.array([[second(i, j) for j in range(2)] for i in range(2)])
    wanted = units.T @ np.linalg.inv(-hessian) @ units
    assert at == pytest.approx(wanted, rel=1e-3)


def test_few_distinct_outputs_leave_the_expected_information():
    rows = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]])
    line = DenseChannel(rows)
    counts = np.array([10.0, 0.0, 0.0])
    at = covariance(line, counts, fit(line, counts), np.arange(3))
    assert np.isfinite(at).all()
    assert np.diagonal(at).min() >= -1e-12
    assert at.sum(axis=0) == pytest.approx(0, abs=1e-9)


def test_where_rounding_would_decide_there_is_no_inverse():
    """Of [[1, c], [c, 1]] the inverse is [[1, -c], [-c, 1]] / (1 - c^2)."""
    for gap, trusted in ((0.5, True), (1e-9, True), (1e-15, False)):
        c = 1 - gap
        found = _inverse(np.array([[1, c], [c, 1]]))
        assert (found is not None) == trusted
        if found is not None:
            assert found == pytest.approx(np.array([[1, -c], [-c, 1]]) / (1 - c * c), rel=1e-6)
