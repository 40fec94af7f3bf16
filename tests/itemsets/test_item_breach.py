"""Item-level breaches: the 98% example of Evf02, and the worst case under bounds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.families.cut_and_paste import cut_and_paste_keep
from ppdm_formal.declare.families.select_a_size import Randomization
from ppdm_formal.design.item_breach import (
    breaching_itemset,
    challenging_supports,
    expected_counts,
    item_posterior,
    whole_itemset_posterior,
    worst_item_breach,
)
from ppdm_formal.design.recovery import replacement_matrix, transition_matrix

F = Fraction


def test_the_98_percent_example():
    """Evf02 section 4: 10,000 items, 10 million transactions of 10 items, 80% replaced."""
    P = replacement_matrix(10_000, 10, F(1, 5), 3)
    posteriors = []
    for one, zero in ((F(94, 100), F(0)), (F(0), F(94, 100))):  # s_1 + s_0 = 94% is all we know
        supports = (zero, one, F(5, 100), F(1, 100))
        counts = expected_counts(P, supports, 10**7)
        assert counts[3] == 800
        assert float(counts[2]) == pytest.approx(12.8, abs=0.02)
        assert counts[0] + counts[1] < F(104, 100)  # the paper's bound is 1.04
        posteriors.append(whole_itemset_posterior(P, supports))
        assert posteriors[-1] == counts[3] / sum(counts)
        assert breaching_itemset(supports, P, F(98, 100))
        assert item_posterior(P, supports) > posteriors[-1]
    assert F(983, 1000) < posteriors[0] < posteriors[1] < F(985, 1000)
    # The paper's own rounded numbers: 800 of about 814.
    assert round(100 * 800 / (800 + 12.8 + 1.04)) == 98


def test_the_paper_estimate_is_close_for_independent_replacements_too():
    """Each replaced item drawn from all n items: P[A in R(t)] by inclusion and exclusion."""
    n, m, keep = 10_000, 10, F(1, 5)
    q = (1 - keep) / n

    def hit(held):
        return sum(
            (-1) ** (a + b)
            * math.comb(held, a)
            * math.comb(3 - held, b)
            * (1 - keep - (a + b) * q) ** a
            * (1 - (a + b) * q) ** (m - a)
            for a in range(held + 1)
            for b in range(4 - held)
        )

    mass = [F(0), F(94, 100) * hit(1), F(5, 100) * hit(2), F(1, 100) * hit(3)]
    assert F(983, 1000) < mass[3] / sum(mass) < F(984, 1000)


def joint_posterior(P, distribution, k):
    """P[0 in t given A in R(t)] from a distribution over t ∩ A."""
    seen = sum(p * P[k][len(t)] for t, p in distribution.items())
    return sum(p * P[k][len(t)] for t, p in distribution.items() if 0 in t) / seen


def largest_supports(distribution, k):
    return [
        max(
            sum(p for t, p in distribution.items() if set(chosen) <= t)
            for chosen in itertools.combinations(range(k), count)
        )
        for count in range(1, k + 1)
    ]


@given(st.lists(st.integers(0, 20), min_size=8, max_size=8).filter(any))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_no_distribution_beats_the_worst_case_of_its_own_bounds(weights):
    k, rho = 3, F(1, 5)
    P = transition_matrix(Randomization(4, rho, cut_and_paste_keep(4, 2, rho)), k)
    sets = [frozenset(i for i in range(k) if code >> i & 1) for code in range(8)]
    distribution = {t: F(w, sum(weights)) for t, w in zip(sets, weights, strict=True)}
    bounds = largest_supports(distribution, k)
    worst = worst_item_breach(P, bounds)
    assert joint_posterior(P, distribution, k) <= worst.posterior
    # The worst case is attained: spread its masses evenly over sets and recompute.
    attained = {}
    for t in sets:
        with_zero = 0 in t
        mass = (worst.with_item if with_zero else worst.without_item)[len(t)]
        ways = math.comb(k - 1, len(t) - with_zero)
        attained[t] = mass / ways
    assert sum(attained.values()) == 1
    assert min(attained.values()) >= 0
    assert joint_posterior(P, attained, k) == worst.posterior
    for bound, found in zip(bounds, largest_supports(attained, k), strict=True):
        assert found <= bound


def test_challenging_supports():
    supports = challenging_supports([F(1, 10), F(1, 20), F(1, 50)])
    assert sum(supports) == 1
    assert supports[3] == F(1, 50)
    for count, sigma in ((1, F(1, 10)), (2, F(1, 20))):
        mean = sum(math.comb(held, count) * s for held, s in enumerate(supports))
        assert mean == math.comb(3, count) * sigma
    with pytest.raises(ValueError, match="no itemset has all these supports"):
        challenging_supports([F(9, 10), F(9, 10), F(1, 10)])
    with pytest.raises(ValueError, match="give 2 bounds"):
        worst_item_breach(transition_matrix(Randomization(2, F(1, 2), (0, 0, F(1))), 2), [F(1)])


def test_more_insertion_lowers_the_breach():
    bounds = [F(5, 100), F(1, 100)]
    found = []
    for rho in (F(1, 10), F(1, 3), F(1, 2)):
        P = transition_matrix(Randomization(5, rho, cut_and_paste_keep(5, 3, rho)), 2)
        found.append(worst_item_breach(P, bounds).posterior)
    assert found == sorted(found, reverse=True)
