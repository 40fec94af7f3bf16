"""The best form: against brute force over b and rho, and what is said where it is not proved."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.families.select_a_size import Randomization, cutoff_ratios, from_balance
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design import optimum, optimum_proof
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.lds import lds_grid
from ppdm_formal.design.optimum import best_form
from ppdm_formal.design.optimum_evidence import recheck

F = Fraction
N = 5_000_000


def largest_lds(b, rho, itemsets, transactions):
    """The largest LDS, from exact noises."""
    found = moments(Randomization(len(b) - 1, rho, from_balance(b, rho)), max(itemsets))
    worst = 0.0
    for k in itemsets:
        if not found.recoverable(k):
            return math.inf
        noise = found.noise(k)
        slope = float(16 * (noise[-1] - noise[0]) / transactions)
        offset = float(16 * noise[0] / transactions)
        worst = max(worst, (slope + math.sqrt(slope**2 + 4 * offset)) / 2)
    return worst


OPTIMA = (0.2309, 0.3377, 0.4956, 0.6870, 0.8822, 1.0980, 1.3332, 1.5865)


@pytest.mark.parametrize(("m", "percent"), list(enumerate(OPTIMA, start=3)))
def test_figures_at_gamma_19(m, percent):
    best = best_form(m, F(19), (1, 2, 3), N)
    assert round(100 * best.real.support, 4) == percent
    assert best.real.support <= best.lds <= 1.0002 * best.real.support
    assert best.evidence == "proved"
    assert best.lower_bound >= 0.995 * best.lds
    assert best.gap == 1 - best.lower_bound / best.lds
    assert best.insert.denominator <= 2**16
    assert best.insert <= F(1, 2)
    assert min(best.ratios) == 1
    assert max(best.ratios) == 19
    assert largest_lds(best.ratios, best.insert, (1, 2, 3), N) == pytest.approx(best.lds, rel=1e-9)
    recheck(best.proof)


def test_long_transactions_are_bounded_by_their_largest_itemsets():
    """The best for triples alone is the best for all: no other size has a larger LDS there."""
    best = best_form(60, F(19), (1, 2, 3), N)
    assert (best.evidence, best.proof.goal.itemsets) == ("proved", (3,))
    assert round(100 * best.real.support, 2) == 25.99
    assert best.gap < 0.002
    assert largest_lds(best.ratios, best.insert, (1, 2, 3), N) == pytest.approx(best.lds, rel=1e-9)
    recheck(best.proof)


@pytest.mark.parametrize(
    ("m", "gamma", "itemsets", "transactions"),
    [
        (2, F(3), (1, 2), 10**5),
        (3, F(19), (1, 2, 3), N),
        (3, F(3, 2), (1, 2), 10**6),
        (3, F(99), (2,), 10**4),
        (4, F(6), (1, 3), 10**7),
    ],
)
def test_no_point_of_a_dense_grid_is_below_the_bound(m, gamma, itemsets, transactions):
    best = best_form(m, gamma, itemsets, transactions)
    assert best.evidence == "proved"
    assert best.gap < 0.005
    levels = np.exp(np.linspace(0, np.log(float(gamma)), 6 if m < 4 else 4))
    b = np.array(list(itertools.product(levels, repeat=m + 1)))
    rho = np.linspace(0.005, 0.995, 199)
    values = np.concatenate(
        [lds_grid(b[:, None, :], one[None, :], itemsets, transactions) for one in rho[:, None]],
        axis=1,
    )
    assert values.min() >= best.lower_bound
    assert values.min() >= best.lds * (1 - 1e-4)
    assert values.min() < best.lds * 1.1


def test_no_vertex_is_below_the_bound_exactly():
    gamma, m, itemsets = F(9), 4, (1, 2, 3)
    best = best_form(m, gamma, itemsets, N)
    worst = math.inf
    for b in itertools.product((F(1), gamma), repeat=m + 1):
        if len(set(b)) > 1:
            worst = min(worst, *(largest_lds(b, F(a, 24), itemsets, N) for a in range(1, 24)))
    assert best.lower_bound <= best.lds <= worst


@pytest.mark.parametrize("m", [1, 2, 4, 7])
def test_single_items_have_statement_2s_form(m):
    best = best_form(m, F(19), (1,), N)
    assert best.evidence == "proved"
    assert best.gap < 0.002
    assert best.cutoff is not None
    assert best.ratios == cutoff_ratios(m, best.cutoff, F(19))


def test_all_itemsets_of_a_transaction():
    best = best_form(4, F(19), (1, 2, 3, 4), N)
    assert best.evidence == "proved"
    assert best.gap < 0.05
    assert best.lds >= best_form(4, F(19), (1, 2, 3), N).lds * (1 - 1e-6)


def test_a_wider_goal_is_no_easier():
    found = [best_form(3, F(19), tuple(range(1, k + 1)), N) for k in (1, 2, 3)]
    assert all(a.lower_bound <= b.lds for a, b in itertools.pairwise(found))
    looser = best_form(3, F(50), (1, 2, 3), N)
    assert looser.lds < found[-1].lower_bound


def test_few_transactions_find_nothing():
    best = best_form(3, F(19), (1, 2, 3), 5)
    assert best.lds > 1
    assert 0.9 < best.lower_bound < 1


def test_bits_are_kept():
    best = best_form(3, F(19), (1, 2, 3), N, bits=3)
    assert best.insert == F(1, 8)
    assert best.cheaper == ()
    free = best_form(3, F(19), (1, 2, 3), N)
    assert free.lds < best.lds
    spent = [each.bits for each in (*free.cheaper, free)]
    assert spent == sorted(set(spent))
    assert all(each.lds > free.lds for each in free.cheaper)
    assert best.lower_bound == free.lower_bound
    assert best.gap > free.gap


def test_no_time_is_no_proof():
    best = best_form(3, F(19), (1, 2, 3), N, deadline=Deadline.after(0))
    assert best.evidence == "best found"
    assert best.proof is None
    assert best.lower_bound == 0
    assert best.gap == 1
    assert round(100 * best.lds, 4) == 0.2309


def test_a_proof_without_end_is_left_at_the_deadline(monkeypatch):
    def endless(self, node, sides, i):
        return [node]

    monkeypatch.setattr(optimum_proof.Finder, "_settled", lambda *_: False)
    monkeypatch.setattr(optimum_proof.Finder, "_divide", endless)
    monkeypatch.setattr(optimum, "MAX_BOXES", 10**9)
    best = best_form(3, F(19), (1, 2, 3), N, deadline=Deadline.after(1))
    assert best.evidence == "best found"


def test_many_boxes_are_too_many(monkeypatch):
    monkeypatch.setattr(optimum, "MAX_BOXES", 10)
    assert best_form(3, F(19), (1, 2, 3), N).evidence == "best found"


def test_a_poor_search_is_mended_by_the_proof(monkeypatch):
    full = optimum.search

    def poor(land, least, _deadline):
        rho = np.array([0.4])
        worse = optimum.best_at(land, rho / (1 - rho))
        assert worse[0].support > 1.02 * full(land, least)[0].support
        return worse

    monkeypatch.setattr(optimum, "search", poor)
    best = best_form(3, F(19), (1, 2, 3), N)
    assert best.evidence == "proved"
    assert best.lds < 0.002309 * 1.002


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, F(19), (4,), N), "no itemset size"),
        ((3, F(1), (1,), N), "nothing to learn"),
        ((3, F(19), (1,), 0), "at least one"),
        ((3, F(19), (1,), N, 17), "1 to 16 bits, not 17"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        best_form(*arguments)
