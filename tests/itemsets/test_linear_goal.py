"""Linear goals: exact optima against every vertex, and that complements lose nothing."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.design.lds import lds_grid
from ppdm_formal.design.paper_form import (
    all_vertices,
    cutoff_values,
    goal_value,
    kept_itemsets,
    linear_optimum,
    upper_bound_gap,
)

F = Fraction
N = 5_000_000


def brute_value(goal, b, rho):
    m = len(goal) - 1
    d = [math.comb(m, j) * rho**j * (1 - rho) ** (m - j) for j in range(m + 1)]
    return sum(f * x * y for f, x, y in zip(goal, b, d, strict=True)) / sum(
        x * y for x, y in zip(b, d, strict=True)
    )


rhos = st.fractions(F(1, 30), F(29, 30), max_denominator=30)
gammas = st.fractions(F(11, 10), F(30), max_denominator=10)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=7), rhos, gammas)
@settings(derandomize=True, deadline=None, max_examples=80)
def test_linear_optimum_beats_every_vertex(goal, rho, gamma):
    goal = [F(f) for f in goal]
    best = linear_optimum(goal, rho, gamma)
    vertices = [brute_value(goal, b, rho) for b in all_vertices(len(goal) - 1, gamma)]
    assert best.value == max([*vertices, brute_value(goal, [1] * len(goal), rho)])
    assert upper_bound_gap(goal, rho, gamma, best.value) == 0
    assert upper_bound_gap(goal, rho, gamma, best.value - F(1, 1000)) > 0


@given(st.integers(1, 6), st.integers(1, 3), rhos, gammas)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_statement_2_for_kept_itemsets(m, k, rho, gamma):
    goal = kept_itemsets(m, min(k, m))
    best = linear_optimum(goal, rho, gamma)
    assert best.cutoff is not None
    values = cutoff_values(goal, rho, gamma)
    assert values[best.cutoff] == best.value == max(values)
    assert best.value == goal_value(goal, best.ratios, rho)


def test_statement_2_needs_an_increasing_goal():
    goal = [F(1), F(0), F(1)]
    best = linear_optimum(goal, F(1, 2), F(19))
    assert best.cutoff is None
    assert max(cutoff_values(goal, F(1, 2), F(19))) < best.value


@given(st.lists(st.integers(1, 19), min_size=3, max_size=6), st.floats(0.05, 0.95))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_complements_have_the_same_lds(b, rho):
    b = np.array([b], dtype=float)
    mined = (1, 2, 3)
    one = lds_grid(b, np.array([rho]), mined, N)[0]
    two = lds_grid(b[:, ::-1], np.array([1 - rho]), mined, N)[0]
    if np.isfinite(one) and one < 1:
        assert two == pytest.approx(one, rel=1e-6)
