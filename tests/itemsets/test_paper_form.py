"""The best of Statement 2's form: its grids, and that nothing on a dense grid is better."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.families.select_a_size import Randomization, cutoff_ratios, optimal_keep
from ppdm_formal.design.lds import lds_grid, lowest_discoverable_support
from ppdm_formal.design.paper_form import (
    best_cutoffs,
    best_paper_form,
    cutoff_lds_grid,
    cutoff_moments_grid,
    discoverable_itemsets,
)
from ppdm_formal.design.recovery import Recovery

F = Fraction


@pytest.mark.parametrize(("m", "k"), [(1, 1), (2, 2), (5, 3), (9, 9), (40, 4)])
def test_all_cutoffs_at_once_are_the_general_grid(m, k):
    rho = np.array([0.011, 0.3, 0.5, 0.77])
    found = cutoff_lds_grid(m, 19.0, rho, range(1, k + 1), 5_000_000)
    for cutoff in range(m):
        ratios = np.array([float(b) for b in cutoff_ratios(m, cutoff, F(19))])
        one = lds_grid(np.tile(ratios, (len(rho), 1)), rho, range(1, k + 1), 5_000_000)
        seen = one < 10  # where noise is astronomical, digits are lost: nobody looks there
        assert found[seen, cutoff] == pytest.approx(one[seen], rel=1e-7)
        assert (found[~seen, cutoff] > 9).all()
    pairs = np.array([[0], [m - 1]])
    some = cutoff_moments_grid(m, 19.0, np.tile(rho, (2, 1)), k, pairs)
    whole = cutoff_moments_grid(m, 19.0, rho, k)
    assert some[0] == pytest.approx(whole[:, 0])
    assert some[1] == pytest.approx(whole[:, m - 1])


@pytest.mark.parametrize("gamma", [F(3, 2), F(6), F(19), F(99)])
@pytest.mark.parametrize(("m", "k"), [(1, 1), (3, 3), (6, 3), (10, 7), (16, 2)])
def test_no_point_of_a_dense_grid_is_better(m, k, gamma):
    best = best_cutoffs(m, float(gamma), range(1, k + 1), 10**7)[0]
    rho = np.arange(1, 4000) / 4000
    dense = cutoff_lds_grid(m, float(gamma), rho, range(1, k + 1), 10**7)
    assert best.lds <= dense.min() * (1 + 1e-12)
    assert best.lds >= dense.min() * 0.99  # the best is where the grid says, not an artefact
    exact = Randomization(m, F(best.insert), optimal_keep(m, F(best.insert), best.cutoff, gamma))
    largest = max(
        float(lowest_discoverable_support(Recovery.of(exact, i), 10**7)) for i in range(1, k + 1)
    )
    assert best.lds == pytest.approx(largest, rel=1e-9)


def test_more_bits_come_closer():
    found = best_paper_form(5, F(19), (1, 2, 3), 5_000_000)
    assert (found.chosen.insert, found.chosen.cutoff) == (F(131, 256), 4)
    assert [d.bits for d in found.cheaper] == sorted({d.bits for d in found.cheaper})
    assert all(d.lds > found.chosen.lds >= found.real.lds * (1 - 1e-12) for d in found.cheaper)
    assert all(d.insert.denominator <= 2**d.bits for d in found.cheaper)
    given = [best_paper_form(5, F(19), (1, 2, 3), 5_000_000, bits) for bits in (1, 8, 10, 11, 30)]
    assert [g.chosen.bits for g in given] == [1, 8, 10, 11, 30]
    losses = [g.chosen.lds / found.real.lds - 1 for g in given]
    assert losses[0] > losses[1] >= losses[3] > losses[4] >= -1e-12
    assert losses[4] < 1e-9


def test_each_bit_is_the_best_of_all():
    rho = np.arange(1, 64) / 64
    values = cutoff_lds_grid(7, 9.0, rho, (1, 2, 3), 10**6)
    row, cutoff = np.unravel_index(values.argmin(), values.shape)
    found = best_paper_form(7, F(9), (1, 2, 3), 10**6, 6).chosen
    assert (found.insert, found.cutoff) == (F(int(row) + 1, 64), cutoff)
    assert found.lds == values.min()


def test_which_itemsets_can_be_discovered():
    def count(transactions):
        return discoverable_itemsets(12, F(19), range(1, 13), transactions)

    counts = [count(10**e) for e in range(1, 15)]
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] == 12
    for e in (3, 6):
        n = 10**e
        for k, seen in ((counts[e - 1], True), (counts[e - 1] + 1, False)):
            if 1 <= k <= 12:
                best = best_cutoffs(12, 19.0, range(1, k + 1), n)[0]
                assert (best.lds <= 1) is seen


@pytest.mark.parametrize("m", [150, 400])
def test_long_transactions_are_searched_without_overflow(m):
    found = best_cutoffs(m, 19.0, (1, 2), 10**9)[0]
    rho = F(found.insert)
    exact = Recovery.of(Randomization(m, rho, optimal_keep(m, rho, found.cutoff, F(19))), 2)
    assert float(lowest_discoverable_support(exact, 10**9)) == pytest.approx(found.lds, rel=1e-6)
