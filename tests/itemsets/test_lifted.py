"""Lifted select-a-size: law and certificate by enumeration, variance, shares, and limits."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ppdm_formal.declare.families.select_a_size import SelectASize, from_balance, select_a_size
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.design.item_form import ItemForm
from ppdm_formal.design.itemset_numbers import all_numbers_of, number_of
from ppdm_formal.design.lifted import lifted_design, lifted_group
from ppdm_formal.run.simulation import Simulation

F = Fraction


def client_law(n, m, k, rho, keep):
    """p[t -> report] of the real client, from the definition: every basket, every report.

    A report is the tuple, set by set, of whether it is sent.
    """
    sets = list(combinations(range(n), k))
    M = math.comb(m, k)
    law = {}
    for basket in combinations(range(n), m):
        held = [set(s) <= set(basket) for s in sets]
        assert sum(held) == M
        row = {}
        for report in product((False, True), repeat=len(sets)):
            j = sum(sent and there for sent, there in zip(report, held, strict=True))
            inserted = sum(report) - j
            coins = rho**inserted * (1 - rho) ** (len(sets) - M - inserted)
            row[report] = keep[j] / math.comb(M, j) * coins
        law[basket] = row
    return sets, law


CASES = [
    (4, 2, 2, F(1, 20), [F(1), F(19)]),
    (4, 3, 2, F(1, 10), [F(1), F(19), F(19), F(19)]),
    (5, 3, 2, F(1, 3), [F(1), F(1), F(19), F(1)]),
    (5, 4, 3, F(1, 7), [F(1), F(2), F(3), F(1), F(5)]),
    (5, 2, 1, F(1, 4), [F(1), F(3), F(19)]),
]


@pytest.mark.parametrize(("n", "m", "k", "rho", "ratios"), CASES)
def test_law_and_certificate_by_enumeration(n, m, k, rho, ratios):
    keep = from_balance(ratios, rho)
    sets, law = client_law(n, m, k, rho, keep)
    lifted = select_a_size(len(sets), math.comb(m, k), rho, keep=keep)
    numbers = [number_of(s) for s in sets]
    reports = list(next(iter(law.values())))
    for basket, row in law.items():
        assert sum(row.values()) == 1
        inside = frozenset(number_of(s) for s in combinations(basket, k))
        for report in reports[:: max(1, len(reports) // 50)]:
            sent = frozenset(i for i, there in zip(numbers, report, strict=True) if there)
            assert lifted.probability(inside, sent) == row[report]
    worst = max(
        max(row[report] for row in law.values()) / min(row[report] for row in law.values())
        for report in reports
    )
    known = amplification(lifted).value
    assert worst <= known == max(ratios) / min(ratios)


def test_baskets_can_show_less_than_all_collections_of_sets():
    """Two baskets of 4 of 6 items share a pair: no report holds all of one's and none of another's.

    Up to a factor of the report p[t -> t'] is b[j], so overlaps tell all.
    """
    sets = list(combinations(range(6), 2))
    held = np.array([[set(s) <= set(t) for s in sets] for t in combinations(range(6), 4)])
    reports = (np.arange(2**15)[:, None] >> np.arange(15)) & 1
    overlaps = reports @ held.T
    assert (overlaps.max(axis=1) - overlaps.min(axis=1)).max() == 5
    ratios = [F(2) ** j for j in range(7)]
    keep = from_balance(ratios, F(1, 5))
    assert amplification(select_a_size(15, 6, F(1, 5), keep=keep)).value == 2**6


@pytest.mark.parametrize(("n", "m", "k"), [(4, 3, 2), (5, 3, 2), (4, 2, 2), (4, 3, 3)])
def test_the_estimator_is_unbiased_with_the_stated_variance(n, m, k):
    form = ItemForm(math.comb(m, k), F(1, 16), 0, F(19))
    sets, law = client_law(n, m, k, form.insert, form.randomization().keep)
    for basket, row in law.items():
        for place, one in enumerate(sets):
            values = {
                sent: ((1 if sent else 0) - form.insert) / form.gain for sent in (False, True)
            }
            mean = sum(chance * values[report[place]] for report, chance in row.items())
            square = sum(chance * values[report[place]] ** 2 for report, chance in row.items())
            inside = set(one) <= set(basket)
            assert mean == int(inside)
            assert square - mean**2 == (form.noise_held if inside else form.noise_absent)


def test_noise_at_gamma_19_and_baskets_of_five():
    """1.2, 2.4 and 2.4 a reporting client, 6.0 for each k after the best split."""
    found = lifted_design({5: 10**12}, F(19), 3)
    noise = [float(group.noise.absent) for group in found.groups]
    assert noise == pytest.approx([1.2, 2.4, 2.4], abs=0.01)
    after = [v / float(share) for v, share in zip(noise, found.shares, strict=True)]
    assert after == pytest.approx([6.0, 6.0, 6.0], abs=0.03)
    assert sum(found.shares) == 1


def test_long_baskets_gain_and_short_ones_do_not():
    """Against 1.816% and 1.5865% (m = 10), 0.2309% (m = 3) for k <= 3 of 5 million."""
    long = lifted_design({10: 5_000_000}, F(19), 3)
    assert 100 * long.largest == pytest.approx(1.2227, abs=1e-3)
    many = lifted_design({10: 5 * 10**12}, F(19), 3)  # where only v_0 counts
    assert 100 * many.largest * 1000 == pytest.approx(1.16, abs=3e-3)
    assert 0.2309 < 100 * lifted_design({3: 5_000_000}, F(19), 3).largest < 0.2335


def test_single_items_alone_are_the_papers_form():
    found = lifted_design({1: 5_000_000}, F(19), 1)
    assert found.shares == (F(1),)
    assert 100 * found.largest == pytest.approx(0.0868, abs=1e-4)


def test_pooled_variance_is_that_of_simulated_reports():
    """Baskets of 1, 3 and 4 of 7 items report pairs through the operator itself, many times."""
    group = lifted_group({1: 100, 3: 300, 4: 200}, F(19), 2, 0.05)
    assert [part.size for part in group.sizes] == [3, 4]
    chosen = np.random.default_rng(5)
    baskets = {
        size: np.array([chosen.permutation(7)[:size] for _ in range(count)])
        for size, count in ((1, 100), (3, 300), (4, 200))
    }
    pair = number_of((2, 5))
    rounds = 1500
    estimates = np.zeros(rounds)
    truth = 0
    for part in group.sizes:
        form = part.form
        members = all_numbers_of(baskets[part.size], 2).astype(np.int64)
        truth += int((members == pair).any(axis=1).sum())
        law = SelectASize(math.comb(7, 2), form.present, form.insert, form.randomization().keep)
        bits = Simulation(part.size)
        for r in range(rounds):
            sent = law.held(members, bits)[:, pair]
            estimates[r] += float(((sent - float(form.insert)) / float(form.gain)).sum())
    estimates /= 600
    support = truth / 600
    exact = 0.0
    for part in group.sizes:
        inside = np.array([{2, 5} <= set(b.tolist()) for b in baskets[part.size]])
        exact += float(part.form.noise_held) * int(inside.sum())
        exact += float(part.form.noise_absent) * int((~inside).sum())
    exact /= 600**2
    assert estimates.mean() == pytest.approx(support, abs=4 * math.sqrt(exact / rounds))
    # The variance of a sample variance is about 2/rounds of its square.
    assert estimates.var() == pytest.approx(exact, rel=4 * math.sqrt(2.5 / rounds))
    # The prediction spreads the support evenly over sizes 3 and 4; here nearly so.
    part = support / float(group.noise.reach)
    predicted = part * float(group.noise.held) + (1 - part) * float(group.noise.absent)
    assert predicted / 600 == pytest.approx(exact, rel=0.1)


def test_more_bits_for_shares_lose_less():
    ideal = lifted_design({8: 10**6}, F(19), 3).ideal
    for bits in (2, 4, 8, 12):
        found = lifted_design({8: 10**6}, F(19), 3, share_bits=bits)
        assert all(share > 0 and (1 << bits) % share.denominator == 0 for share in found.shares)
        assert sum(found.shares) == 1
        assert found.largest >= ideal * 0.999
    assert found.largest <= ideal * 1.001


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: lifted_design({}, F(19), 2), "no baskets"),
        (lambda: lifted_design({3: 0}, F(19), 2), "no baskets"),
        (lambda: lifted_design({3: -1}, F(19), 2), "negative"),
        (lambda: lifted_design({-3: 1}, F(19), 2), "negative"),
        (lambda: lifted_design({2: 100}, F(19), 3), "fit in no basket"),
        (lambda: lifted_design({2: 100}, F(19), 0), "at least 1"),
        (lambda: lifted_design({2: 1}, F(19), 2), "too few for 2 groups"),
        (lambda: lifted_design({76: 100}, F(19), 3), "70300 sets of 3 items"),
        (lambda: lifted_design({5: 100}, F(1), 2), "nothing to learn"),
        (lambda: lifted_design({5: 100}, F(19), 2, share_bits=21), "1 to 20 bits"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(ValueError, match=said):
        call()
