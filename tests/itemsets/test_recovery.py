"""Estimators: unbiased by symbolic identity, by enumeration, and in simulation."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from select_a_size_cases import free_randomization, outcomes
from sympy.polys.matrices import DomainMatrix

from ppdm_formal.declare.arithmetic.exact import to_sympy
from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.design.recovery import (
    Recovery,
    SizedPart,
    mixed_support,
    mixed_variance,
    partial_supports,
)
from ppdm_formal.run.simulate import simulate, simulated_counts

F = Fraction


@pytest.mark.parametrize(("m", "k"), [(1, 1), (2, 2), (3, 2), (3, 3)])
def test_estimator_is_unbiased_identically(m, k):
    recovery = Recovery.of(free_randomization(m), k)
    P, Q = field(recovery.P), field(recovery.Q)
    P, Q = P.unify(Q)
    identity = DomainMatrix.eye(k + 1, P.domain)
    assert (Q * P - identity).is_zero_matrix  # E s_est = Q P s = s, for every s


@pytest.mark.parametrize(("m", "k"), [(1, 1), (2, 2), (3, 2)])
def test_variance_estimate_is_unbiased_identically(m, k):
    recovery = Recovery.of(free_randomization(m), k)
    check_variance_identity(recovery)


def test_variance_estimate_of_triples_is_unbiased_identically_in_rho():
    rho = sympy.Symbol("rho", real=True)
    check_variance_identity(Recovery.of(Randomization(3, rho, optimal_keep(3, rho, 2, F(19))), 3))


def field(matrix):
    rows = [[to_sympy(entry) for entry in row] for row in matrix]
    return DomainMatrix.from_Matrix(sympy.Matrix(rows)).to_field()


def check_variance_identity(recovery):
    """For each l, the mean of Q_k^2 - Q_k under P[., l] is the variance (Q D[l] Q^T)_kk."""
    k = recovery.itemset
    P, Q = field(recovery.P).unify(field(recovery.Q))
    last = [Q[k, i].element for i in range(k + 1)]
    for held in range(k + 1):
        column = [P[i, held].element for i in range(k + 1)]
        mean = sum((q * p for q, p in zip(last, column, strict=True)), P.domain.zero)
        square = sum((q * q * p for q, p in zip(last, column, strict=True)), P.domain.zero)
        variance = square - mean * mean
        guess = square - mean
        assert variance == guess


def every_database(data, n, rho, keep):
    """All randomized databases, with their probabilities."""
    rows = [list(outcomes(t, n, rho, keep)) for t in data]
    for combination in itertools.product(*rows):
        yield [t for t, _ in combination], math.prod(p for _, p in combination)


@pytest.mark.parametrize("itemset", [frozenset({0}), frozenset({0, 1})])
def test_means_and_covariances_by_enumeration(itemset):
    rho, keep, n = F(1, 3), (F(1, 2), F(1, 8), F(3, 8)), 4
    data = [frozenset({0, 1}), frozenset({0, 2}), frozenset({2, 3})]
    truth = partial_supports(data, itemset)
    k = len(itemset)
    recovery = Recovery.of(Randomization(2, rho, keep), k)
    mean = [F(0)] * (k + 1)
    second = [[F(0)] * (k + 1) for _ in range(k + 1)]
    guessed = F(0)
    guessed_matrix = [[F(0)] * (k + 1) for _ in range(k + 1)]
    weights = {}
    for after, p in every_database(data, n, rho, keep):
        shares = partial_supports(after, itemset)
        weights[shares] = weights.get(shares, 0) + p
    assert sum(weights.values()) == 1
    for shares, p in weights.items():
        s = recovery.estimate(shares)
        assert s[-1] == recovery.support(shares)
        guessed += p * recovery.variance_estimate(shares, len(data))
        spread = recovery.covariance_estimate(shares, len(data))
        for i in range(k + 1):
            mean[i] += p * s[i]
            for j in range(k + 1):
                second[i][j] += p * s[i] * s[j]
                guessed_matrix[i][j] += p * spread[i][j]
    assert tuple(mean) == truth
    covariance = recovery.covariance(truth, len(data))
    for i in range(k + 1):
        for j in range(k + 1):
            assert second[i][j] - mean[i] * mean[j] == covariance[i][j] == guessed_matrix[i][j]
    assert covariance[k][k] == recovery.variance(truth, len(data)) == guessed


def test_randomized_covariance_is_that_of_the_counts():
    rho, keep = F(1, 3), (F(1, 2), F(1, 8), F(3, 8))
    recovery = Recovery.of(Randomization(2, rho, keep), 1)
    supports = (F(1, 4), F(3, 4))
    spread = recovery.randomized_covariance(supports, 10)
    bernoulli = sum(s * recovery.P[1][i] * (1 - recovery.P[1][i]) for i, s in enumerate(supports))
    assert spread[1][1] == bernoulli / 10
    assert spread[0][1] == -spread[1][1]


def test_mixing_sizes_by_enumeration():
    rho, itemset = F(1, 3), frozenset({0, 1})
    two, one = (F(1, 2), F(1, 8), F(3, 8)), (F(1, 4), F(3, 4))
    pairs, singles = [frozenset({0, 1}), frozenset({0, 2})], [frozenset({1})]
    recovery = Recovery.of(Randomization(2, rho, two), 2)
    parts = [SizedPart(2, recovery), SizedPart(1, None)]
    mean = second = guess = F(0)
    for a, p in every_database(pairs, 3, rho, two):
        for b, q in every_database(singles, 3, rho, one):
            shares = [partial_supports(a, itemset), partial_supports(b, itemset)]
            support, variance = mixed_support(parts, shares)
            mean += p * q * support
            second += p * q * support**2
            guess += p * q * variance
    assert mean == F(1, 3)  # one of three transactions holds both items
    exact = mixed_variance(parts, [partial_supports(pairs, itemset), (F(0), F(1), F(0))])
    assert second - mean**2 == exact == guess


@pytest.mark.parametrize("k", [1, 2, 3])
def test_predicted_deviation_matches_a_million_simulated_transactions(k):
    groups, each, n, m = 200, 5000, 8, 5
    rho = F(131, 256)
    r = Randomization(m, rho, optimal_keep(m, rho, 4, F(19)))
    recovery = Recovery.of(r, k)
    draw = np.random.default_rng(5)
    base = np.array([draw.permutation(n)[:m] for _ in range(each)])
    itemset = list(range(k))
    held = np.isin(base, itemset).sum(axis=1)
    truth = [F(int(c), each) for c in np.bincount(held, minlength=k + 1)]
    data = np.tile(base, (groups, 1))
    after = np.concatenate(list(simulate(data, n, r, seed=k)))
    hits = after[:, itemset].sum(axis=1).reshape(groups, each)
    counts = np.array([np.bincount(row, minlength=k + 1) for row in hits])
    estimates, deviations = recovery.supports_of(counts, each)
    predicted = math.sqrt(recovery.variance(truth, each))
    # The sample deviation of g normal values has relative error about 1/sqrt(2 (g - 1)).
    assert abs(estimates.std(ddof=1) / predicted - 1) < 4 / math.sqrt(2 * (groups - 1))
    assert abs(estimates.mean() - float(truth[-1])) < 4 * predicted / math.sqrt(groups)
    assert abs(deviations.mean() / predicted - 1) < 0.05
    whole = simulated_counts(data, n, r, [itemset], seed=k)[0]
    assert whole.tolist() == counts.sum(axis=0).tolist()


def test_simulated_rows_follow_the_exact_law():
    keep = (F(1, 10), F(3, 10), F(6, 10))
    r = Randomization(2, F(1, 3), keep)
    data = np.tile(np.array([[0, 2]]), (400_000, 1))
    law = {}
    for after, p in outcomes(frozenset({0, 2}), 4, F(1, 3), keep):
        law[after] = law.get(after, 0) + p
    found = np.zeros(16)
    for block in simulate(data, 4, r, seed=3):
        found += np.bincount(block @ (1 << np.arange(4)), minlength=16)
    for after, p in law.items():
        seen = found[sum(1 << a for a in after)]
        mean, deviation = 400_000 * float(p), math.sqrt(400_000 * float(p * (1 - p)))
        assert abs(seen - mean) < 4.5 * deviation


def test_simulation_refuses_what_does_not_fit():
    r = Randomization(2, F(1, 3), (F(0), F(0), F(1)))
    with pytest.raises(ValueError, match="must list 2 items"):
        next(simulate(np.array([[1, 2, 3]]), 5, r, seed=1))
    rho = sympy.Symbol("rho")
    free = Randomization(1, rho, (F(0), F(1)))
    with pytest.raises(ValueError, match="values before drawing"):
        next(simulate(np.array([[1]]), 5, free, seed=1))
