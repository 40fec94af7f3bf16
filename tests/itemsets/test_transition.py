"""P[l', l] against enumeration of the operators, its determinant, and where it is singular."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from select_a_size_cases import outcomes

from ppdm_formal.declare.arithmetic.rational_matrix import Singular, inverse, multiply
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste_keep
from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.recovery import (
    Recovery,
    partial_supports,
    replacement_matrix,
    transition_matrix,
)

F = Fraction


def replaced(t, n, stay):
    outside = [a for a in range(n) if a not in t]
    for j in range(len(t) + 1):
        for kept in itertools.combinations(sorted(t), j):
            news = list(itertools.combinations(outside, len(t) - j))
            for new in news:
                p = stay**j * (1 - stay) ** (len(t) - j) / len(news)
                yield frozenset(kept) | frozenset(new), p


def brute(n, m, k, draw):
    """Column l from a transaction that holds l items of A = {0..k-1}."""
    itemset = frozenset(range(k))
    columns = []
    for held in range(k + 1):
        t = frozenset(range(held)) | frozenset(range(k, k + m - held))
        column = [F(0)] * (k + 1)
        for after, p in draw(t):
            column[len(after & itemset)] += p
        columns.append(tuple(column))
    return tuple(zip(*columns, strict=True))


def determinant(matrix):
    rows = [list(row) for row in matrix]
    value = F(1)
    for i in range(len(rows)):
        pivot = next((r for r in range(i, len(rows)) if rows[r][i] != 0), None)
        if pivot is None:
            return F(0)
        if pivot != i:
            rows[i], rows[pivot] = rows[pivot], rows[i]
            value = -value
        value *= rows[i][i]
        for r in range(i + 1, len(rows)):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return value


KEEPS = {
    1: (F(1, 3), F(2, 3)),
    2: (F(1, 2), F(1, 6), F(1, 3)),
    3: (F(1, 10), F(0), F(2, 5), F(1, 2)),
}


@pytest.mark.parametrize(("m", "k"), [(m, k) for m in KEEPS for k in range(1, m + 1)])
def test_select_a_size_matrix_equals_enumeration(m, k):
    n, rho = m + k, F(2, 7)
    P = transition_matrix(Randomization(m, rho, KEEPS[m]), k)
    assert brute(n, m, k, lambda t: outcomes(t, n, rho, KEEPS[m])) == P
    # More items do not matter: each is inserted on its own.
    assert brute(n + 1, m, k, lambda t: outcomes(t, n + 1, rho, KEEPS[m])) == P
    assert all(sum(column) == 1 for column in zip(*P, strict=True))


@pytest.mark.parametrize(("m", "k"), [(m, k) for m in KEEPS for k in range(1, m + 1)])
def test_replacement_matrix_equals_enumeration(m, k):
    n = max(2 * m, m + k) + 1
    P = replacement_matrix(n, m, F(1, 5), k)
    assert brute(n, m, k, lambda t: replaced(t, n, F(1, 5))) == P


weights = st.lists(st.integers(0, 9), min_size=2, max_size=6).filter(any)


@given(weights, st.fractions(F(1, 50), F(49, 50), max_denominator=50), st.integers(1, 4))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_determinant_is_the_product_of_the_eigenvalues(parts, rho, k):
    m = len(parts) - 1
    k = min(k, m)
    r = Randomization(m, rho, tuple(F(part, sum(parts)) for part in parts))
    P = transition_matrix(r, k)
    lambdas = moments(r, k).lambdas
    product = math.prod(lambdas, start=F(1))
    assert determinant(P) == product
    if product:
        Q = inverse(P)
        identity = tuple(tuple(F(int(i == j)) for j in range(k + 1)) for i in range(k + 1))
        assert multiply(Q, P) == identity
        assert multiply(P, Q) == identity
        assert Recovery.of(r, k).Q == Q
    elif lambdas[k]:
        with pytest.raises(Singular, match=r"P is singular.*supports alone are recoverable"):
            Recovery.of(r, k).Q  # noqa: B018 - raises
    else:
        with pytest.raises(Singular, match=f"supports of {k}-itemsets are not recoverable"):
            Recovery.of(r, k)


def test_singular_parameters_are_named():
    rho = F(1, 4)
    r = Randomization(5, rho, optimal_keep(5, rho, 1, F(19)))
    Recovery.of(r, 1)
    with pytest.raises(Singular, match=r"2-itemsets are not recoverable.*m = 5, rho = 1/4, p = \["):
        Recovery.of(r, 2)
    default = Randomization(2, F(1, 2), (F(1, 4), F(1, 2), F(1, 4)))
    with pytest.raises(Singular, match="stay exactly as often"):
        Recovery.of(default, 1)
    long = Randomization(13, F(1, 3), optimal_keep(13, F(1, 3), 4, F(19)))
    with pytest.raises(Singular, match=r"m = 13, rho = 1/3, p = \[\.\.\.\]"):
        Recovery.of(long, 2)


def test_cut_and_paste_of_nothing_is_singular():
    keep = cut_and_paste_keep(3, 0, F(1, 3))
    with pytest.raises(Singular):
        Recovery.of(Randomization(3, F(1, 3), keep), 1)


def test_bad_parameters_are_refused():
    half = F(1, 2)
    with pytest.raises(ValueError, match="sum to 3/4"):
        Randomization(1, half, (half, F(1, 4)))
    with pytest.raises(ValueError, match="insert = 3/2 is not between 0 and 1"):
        Randomization(1, F(3, 2), (half, half))
    with pytest.raises(ValueError, match=r"need p\[0\.\.2\]"):
        Randomization(2, half, (half, half))
    with pytest.raises(ValueError, match=r"p\[0\] = 3/2 is not between"):
        Randomization(1, half, (F(3, 2), F(-1, 2)))
    with pytest.raises(ValueError, match="hold no itemsets of 3 items"):
        transition_matrix(Randomization(2, half, KEEPS[2]), 3)


def test_partial_supports_and_means():
    data = [frozenset({0, 1}), frozenset({0, 2}), frozenset({2, 3}), frozenset({0, 1})]
    assert partial_supports(data, frozenset({0, 1})) == (F(1, 4), F(1, 4), F(1, 2))
    r = Randomization(2, F(1, 3), KEEPS[2])
    mean = sum(p * len(after) for after, p in outcomes(frozenset({0, 1}), 5, F(1, 3), KEEPS[2]))
    assert r.expected_size(5) == mean
    assert r.expected_kept == F(5, 6)
    assert r.kept_together(2) == F(1, 3)
