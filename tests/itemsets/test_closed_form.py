"""The estimator in closed form: against the matrix route, against every t', and in floats."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from select_a_size_cases import free_randomization, outcomes

from ppdm_formal.declare.arithmetic.exact import simplify
from ppdm_formal.declare.arithmetic.rational_matrix import Singular, inverse
from ppdm_formal.declare.families.select_a_size import Randomization, from_balance
from ppdm_formal.design.closed_form import (
    NoiseMoments,
    default_grid,
    krawtchouk_grid,
    moments,
    moments_grid,
    noise_of_grid,
)
from ppdm_formal.design.recovery import transition_matrix

F = Fraction


@pytest.mark.parametrize(("m", "k"), [(m, k) for m in range(1, 6) for k in range(1, min(m, 4) + 1)])
def test_weights_invert_the_matrix_and_noise_is_its_variance_identically(m, k):
    """For all rho and p[j], w P = (0, ..., 0, 1) and v_l = sum of w^2 P[., l] - [l = k]."""
    free = free_randomization(m)
    P = transition_matrix(free, k)
    found = moments(free, k)
    last = found.lambdas[k]
    scaled = [simplify(w * last) for w in found.weights(k)]  # polynomials: quick to expand
    noise = [simplify(v * last**2) for v in found.noise(k)]
    for held in range(k + 1):
        column = [P[seen][held] for seen in range(k + 1)]
        mean = sum(w * p for w, p in zip(scaled, column, strict=True))
        square = sum(w * w * p for w, p in zip(scaled, column, strict=True))
        whole = int(held == k)
        assert sympy.expand(mean - whole * last) == 0
        assert sympy.expand(square - whole * last**2 - noise[held]) == 0


@pytest.mark.parametrize(("n", "m", "k"), [(4, 2, 2), (5, 2, 1), (5, 3, 2), (6, 3, 3), (6, 4, 2)])
def test_mean_and_variance_over_every_randomized_transaction(n, m, k):
    rho = F(2, 7)
    parts = [3, 1, 4, 1, 5][: m + 1]
    r = Randomization(m, rho, tuple(F(p, sum(parts)) for p in parts))
    found = moments(r, k)
    weights, noise = found.weights(k), found.noise(k)
    for items in itertools.combinations(range(n), k):
        wanted = frozenset(items)
        t = frozenset(range(m))
        held = len(t & wanted)
        law = list(outcomes(t, n, rho, r.keep))
        products = [
            (p, math.prod((int(a in after) - rho for a in wanted), start=F(1))) for after, p in law
        ]
        mean = sum(p * x for p, x in products)
        square = sum(p * x * x for p, x in products)
        assert mean == (found.lambdas[k] if held == k else 0)
        assert (square - mean * mean) / found.lambdas[k] ** 2 == noise[held]
        assert sum(p * weights[len(after & wanted)] for after, p in law) == int(held == k)


weights = st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(any)


@given(weights, st.fractions(F(1, 50), F(49, 50), max_denominator=50), st.integers(1, 5))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_where_the_matrix_has_an_inverse_its_last_row_is_the_closed_form(parts, rho, k):
    m = len(parts) - 1
    k = min(k, m)
    r = Randomization(m, rho, tuple(F(part, sum(parts)) for part in parts))
    found = moments(r, k)
    P = transition_matrix(r, k)
    if all(found.lambdas):
        assert inverse(P)[-1] == found.weights(k)
    else:
        with pytest.raises(Singular):
            inverse(P)
    if found.recoverable(k):
        last = found.weights(k)
        for held, noise in enumerate(found.noise(k)):
            column = [row[held] for row in P]
            assert sum(w * p for w, p in zip(last, column, strict=True)) == int(held == k)
            square = sum(w * w * p for w, p in zip(last, column, strict=True))
            assert square - int(held == k) == noise
            assert noise >= 0
    else:
        with pytest.raises(Singular, match=f"lambda_{k} = 0"):
            found.noise(k)


def test_a_singular_matrix_whose_last_moment_is_not_zero():
    r = Randomization(5, F(1, 2), from_balance([F(b) for b in (19, 1, 1, 1, 1, 19)], F(1, 2)))
    with pytest.raises(Singular):
        inverse(transition_matrix(r, 2))
    found = moments(r, 2)
    assert found.lambdas == (1, 0, F(9, 68))
    assert found.noise(2)[:2] == (F(289, 81), F(289, 81))


def test_noise_for_no_item_held_and_one():
    rho = F(1, 10)
    r = Randomization(4, rho, tuple(F(x, 100) for x in (10, 10, 60, 10, 10)))
    found = moments(r, 3)
    assert found.noise(3)[0] == (rho * (1 - rho)) ** 3 / found.lambdas[3] ** 2
    more = 1 + (1 - 2 * rho) * found.lambdas[1] / (rho * (1 - rho))
    assert found.noise(3)[1] / found.noise(3)[0] == more


@given(weights, st.fractions(F(1, 64), F(63, 64), max_denominator=64), st.integers(1, 5))
@settings(derandomize=True, deadline=None, max_examples=80)
def test_floats_agree_with_the_exact_numbers(parts, rho, k):
    m = len(parts) - 1
    k = min(k, m)
    ratios = [F(part + 1) for part in parts]
    exact = moments(Randomization(m, rho, from_balance(ratios, rho)), k)
    at = np.array([float(rho)])
    found = moments_grid(np.array([[float(b) for b in ratios]]), at, k)
    root = math.sqrt(rho * (1 - rho))
    for i, value in enumerate(exact.lambdas):
        assert found[0, i] == pytest.approx(float(value) / root**i, rel=1e-9, abs=1e-13)
    noise = noise_of_grid(found, at, k)[0]
    if exact.recoverable(k):
        if abs(found[0, k]) > 1e-4:
            assert noise == pytest.approx([float(v) for v in exact.noise(k)], rel=1e-8, abs=1e-8)
    else:
        assert np.isinf(noise).all()


@pytest.mark.parametrize(
    ("m", "k", "rho"), [(10, 7, F(5, 8)), (20, 20, F(7, 8)), (300, 3, F(1, 2))]
)
def test_floats_of_large_itemsets_and_transactions(m, k, rho):
    ratios = [F(1)] * m + [F(19)]
    exact = moments(Randomization(m, rho, from_balance(ratios, rho)), k)
    at = np.array(float(rho))
    found = noise_of_grid(moments_grid(np.array([float(b) for b in ratios]), at, k), at, k)
    assert found[0] == pytest.approx(float(exact.noise(k)[0]), rel=1e-9)
    assert found == pytest.approx([float(v) for v in exact.noise(k)], abs=1e-9 * found.max())


def test_grids_broadcast_rows_of_ratios_with_values_of_rho():
    ratios = np.array([[1.0, 1, 1, 9], [1, 9, 1, 9]])
    rho = np.array([0.1, 0.4, 0.7])
    found = moments_grid(ratios[:, None, :], rho, 2)
    assert found.shape == (2, 3, 3)
    for row, one in enumerate(ratios):
        for column, at in enumerate(rho):
            assert moments_grid(one, np.array(at), 2) == pytest.approx(found[row, column])


def test_krawtchouk_values_are_means_of_products():
    n, rho = 5, 0.3
    root = math.sqrt(rho * (1 - rho))
    table, _ = krawtchouk_grid(n, 5, np.array(rho))
    for j, i in itertools.product(range(n + 1), range(n + 1)):
        y = [1] * j + [0] * (n - j)
        means = [
            math.prod((x - rho) / root for x in chosen) for chosen in itertools.combinations(y, i)
        ]
        assert table[j, i] == pytest.approx(sum(means) / len(means), abs=1e-12)


@pytest.mark.parametrize("rho", [F(1, 64), F(1, 2), F(7, 8), F(127, 128)])
@pytest.mark.parametrize("n", [20, 60, 150])
def test_krawtchouk_values_are_as_accurate_as_they_say(n, rho):
    table, errors = krawtchouk_grid(n, 20, np.array(float(rho)))
    root = math.sqrt(rho * (1 - rho))
    for j, i in itertools.product(range(0, n + 1, 5), range(0, 21, 4)):
        exact = sum(
            math.comb(j, a) * math.comb(n - j, i - a) * (1 - rho) ** a * (-rho) ** (i - a)
            for a in range(i + 1)
        )
        value = float(exact / math.comb(n, i)) / root**i
        assert abs(table[j, i] - value) <= errors[j, i] + 1e-13 * abs(value)


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_default_probabilities_of_any_size_sum_to_1(size):
    found = default_grid(size, np.array([1e-6, 0.3, 1 - 1e-6]))
    assert found.sum(axis=-1) == pytest.approx(1, rel=1e-11)
    assert found[1, 0] == pytest.approx(0.7**size, rel=1e-11)


def test_what_is_refused():
    r = Randomization(2, F(1, 3), (F(1, 3), F(1, 3), F(1, 3)))
    with pytest.raises(ValueError, match="hold no itemsets of 3 items"):
        moments(r, 3)
    with pytest.raises(ValueError, match="itemsets of 1 to 2 items, not of 0"):
        moments(r, 2).noise(0)
    with pytest.raises(ValueError, match="not of 3"):
        moments(r, 2).weights(3)
    with pytest.raises(Singular, match="lambda_1 = 0"):
        NoiseMoments(F(1, 2), (F(1), F(0))).weights(1)
