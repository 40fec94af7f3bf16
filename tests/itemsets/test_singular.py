"""Statement 2's form: its moments are Krawtchouk polynomials, and where they vanish."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.rational_matrix import Singular
from ppdm_formal.declare.families.select_a_size import Randomization, from_balance, optimal_keep
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.krawtchouk import cutoff_moment, krawtchouk
from ppdm_formal.design.recovery import Recovery, singular_insertions

F = Fraction


@pytest.mark.parametrize("m", range(1, 11))
def test_the_theorem_for_free_rho_and_gamma(m):
    """W lambda_i as polynomials in rho: the definition, summed, against docs/closed-form.md.

    lambda_i W is linear in gamma and 0 for gamma = 1, so gamma = 2 shows it for every gamma.
    """
    ring, rho, z = sympy.ring("rho, z", sympy.ZZ)
    kept, gone = 1 + (1 - rho) * z, 1 - rho * z
    for cutoff in range(m):
        tail = ring.zero
        for j in range(cutoff + 1, m + 1):
            tail += math.comb(m, j) * (rho * kept) ** j * ((1 - rho) * gone) ** (m - j)
        front = math.comb(m - 1, cutoff) * rho ** (cutoff + 1) * (1 - rho) ** (m - cutoff)
        assert tail.diff(z) == m * front * kept**cutoff * gone ** (m - 1 - cutoff)


@pytest.mark.parametrize("m", range(1, 6))
def test_moments_of_statement_2_identically(m):
    rho, gamma = sympy.symbols("rho gamma", real=True)
    for cutoff in range(m):
        k = min(m, 4)
        found = moments(Randomization(m, rho, optimal_keep(m, rho, cutoff, gamma)), k)
        for i in range(1, k + 1):
            claimed = cutoff_moment(m, cutoff, gamma, rho, i)
            assert sympy.cancel(sympy.together(found.lambdas[i] - claimed)) == 0


@given(
    st.integers(1, 25),
    st.data(),
    st.fractions(F(1, 40), F(39, 40), max_denominator=40),
    st.fractions(F(1), F(30), max_denominator=9),
)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_moments_of_statement_2_at_rational_points(m, data, rho, gamma):
    cutoff = data.draw(st.integers(0, m - 1))
    found = moments(Randomization(m, rho, optimal_keep(m, rho, cutoff, gamma)), m)
    for i in range(1, m + 1):
        assert found.lambdas[i] == cutoff_moment(m, cutoff, gamma, rho, i)


def test_krawtchouk_values_are_means_of_products():
    rho = F(2, 7)
    for n in range(5):
        for j, i in itertools.product(range(n + 1), range(n + 1)):
            y = [1] * j + [0] * (n - j)
            products = [
                math.prod((x - rho for x in chosen), start=F(1))
                for chosen in itertools.combinations(y, i)
            ]
            assert krawtchouk(n, i, j, rho) == sum(products) / len(products)
    with pytest.raises(ValueError, match="needs 0 <= i <= n"):
        krawtchouk(3, 4, 0, rho)


@pytest.mark.parametrize("gamma", [F(2), F(7, 2), F(19)])
@pytest.mark.parametrize("m", [3, 4, 5, 6])
def test_recovery_fails_exactly_at_the_zeros_whatever_gamma(m, gamma):
    rho = sympy.Symbol("rho")
    for cutoff in range(m):
        assert singular_insertions(m, cutoff, 1) == []
        found = singular_insertions(m, cutoff, 2)
        assert found == [c for c in [sympy.Rational(cutoff, m - 1)] if 0 < c < 1]
        second = cutoff * (cutoff - 1) - 2 * cutoff * (m - 2) * rho + (m - 1) * (m - 2) * rho**2
        zeros = {z for z in sympy.roots(second, rho) if z.is_real and 0 < z < 1}
        assert set(singular_insertions(m, cutoff, 3)) == zeros
        for k, at in itertools.product(range(1, m + 1), (F(1, 3), F(1, 2), F(3, 4))):
            r = Randomization(m, at, optimal_keep(m, at, cutoff, gamma))
            if any(
                z == sympy.Rational(*at.as_integer_ratio())
                for z in singular_insertions(m, cutoff, k)
            ):
                with pytest.raises(Singular, match=f"lambda_{k} = 0"):
                    Recovery.of(r, k)
            else:
                Recovery.of(r, k)


def test_first_and_last_cutoff_are_always_recoverable():
    for m, k in ((4, 3), (7, 7), (12, 5)):
        assert singular_insertions(m, 0, k) == singular_insertions(m, m - 1, k) == []
    with pytest.raises(ValueError, match=r"must be one of 0\.\.3"):
        singular_insertions(4, 4, 2)
    with pytest.raises(ValueError, match="no itemsets of 5"):
        singular_insertions(4, 1, 5)


def test_a_support_without_its_partial_supports():
    """The issue's plan: P is singular, pairs are recoverable, single items are not."""
    half = F(1, 2)
    r = Randomization(5, half, from_balance([F(b) for b in (19, 1, 1, 1, 1, 19)], half))
    pairs = Recovery.of(r, 2)
    assert not pairs.recovers_partial
    assert pairs.weights == (F(17, 9), F(-17, 9), F(17, 9))
    # Randomized shares as P gives them on average: the support comes back.
    supports = (F(1, 5), F(1, 2), F(3, 10))
    after = [sum(p * s for p, s in zip(row, supports, strict=True)) for row in pairs.P]
    assert pairs.support(after) == F(3, 10)
    assert pairs.variance_estimate(after, 100) == pairs.variance(supports, 100)
    with pytest.raises(Singular, match=r"partial supports of 2-itemsets.*supports alone are"):
        pairs.estimate(after)
    with pytest.raises(Singular, match="stay exactly as often"):
        Recovery.of(r, 1)
