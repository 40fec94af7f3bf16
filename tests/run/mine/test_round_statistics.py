"""From rounds to supports: against enumeration, a linear program, and repeated collections."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from how_many import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from ppdm_formal.infer.baskets.answers import answers
from ppdm_formal.infer.baskets.associations import Sides, leverages
from ppdm_formal.infer.baskets.consistent import consistent
from ppdm_formal.infer.baskets.discovered import as_normal, chances, discovered
from ppdm_formal.infer.baskets.lengths import UNEVEN, Lengths, Uncut, unimodal
from ppdm_formal.infer.baskets.missing import lacking
from ppdm_formal.infer.baskets.rounds import Round, measured, together
from ppdm_formal.infer.baskets.shrunken import critical, missed, shrunken, worst_missed

HIT, MISS = 0.5, 0.2


def binomial(many, chance):
    return [comb(many, k) * chance**k * (1 - chance) ** (many - k) for k in range(many + 1)]


@pytest.mark.parametrize("holders", range(5))
def test_no_bias_and_the_variance_of_all_coins_enumerated(holders):
    people, hit, miss = 4, Fraction(1, 2), Fraction(1, 5)
    law = [Fraction(0)] * (people + 1)
    first, second = binomial(holders, hit), binomial(people - holders, miss)
    for (a, p), (b, q) in product(enumerate(first), enumerate(second)):
        law[a + b] += p * q
    found = measured(np.arange(people + 1), people, float(hit), float(miss), people)
    x = [(Fraction(y, people) - miss) / (hit - miss) for y in range(people + 1)]
    assert found.estimates.tolist() == pytest.approx([float(one) for one in x])
    mean = sum(p * one for p, one in zip(law, x, strict=True))
    spread = sum(p * (one - mean) ** 2 for p, one in zip(law, x, strict=True))
    assert mean == Fraction(holders, people)
    told = found.variance.at(np.full(people + 1, float(mean)), "clients")
    assert told.tolist() == pytest.approx([float(spread)] * (people + 1))


def collection(rng, supports, people, clients):
    """Rounds' counts for candidates that so many of all clients hold."""
    holding = rng.hypergeometric(
        np.round(supports * clients).astype(int),
        clients - np.round(supports * clients).astype(int),
        people,
    )
    return rng.binomial(holding, HIT) + rng.binomial(people - holding, MISS)


def test_raw_intervals_cover_and_rounds_combined_by_least_variance_do():
    rng = np.random.default_rng(5)
    clients, supports = 4000, np.linspace(0.0, 0.9, 40)
    true = np.round(supports * clients) / clients
    inside, better = [], []
    for _ in range(cases(150, 1500)):
        one = measured(collection(rng, supports, 900, clients), 900, HIT, MISS, clients)
        two = measured(collection(rng, supports, 1500, clients), 1500, HIT, MISS, clients)
        both = together([one, two], [np.arange(40)] * 2, 40)
        for found in (one, both):
            low, high = found.intervals().T
            inside.append(((low <= true) & (true <= high)).mean())
        better.append(
            both.deviations(true)[3] < min(one.deviations(true)[3], two.deviations(true)[3])
        )
    assert 0.94 <= np.mean(inside) <= 0.96
    assert all(better)


def test_rounds_refuse_what_cannot_be():
    sets = np.array([[0], [1]])
    with pytest.raises(ValueError, match="rows of items"):
        Round(sets, np.array([1]), 5, HIT, MISS)
    with pytest.raises(ValueError, match="more often"):
        Round(sets, np.array([1, 2]), 5, MISS, HIT)
    with pytest.raises(ValueError, match="no more reports"):
        Round(sets, np.array([1, 6]), 5, HIT, MISS)


@given(st.lists(st.floats(-0.3, 1), min_size=2, max_size=8), st.integers(0, 10**6))
@settings(max_examples=60)
def test_laws_of_lengths_rise_then_fall_and_none_is_nearer(raw, seed):
    raw = np.array(raw)
    found = unimodal(raw, np.ones(len(raw)))
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    top = int(np.argmax(found))
    assert (np.diff(found[: top + 1]) >= -1e-12).all()
    assert (np.diff(found[top:]) <= 1e-12).all()
    if (raw <= 0).all():
        return
    scale = minimize(lambda c: ((c[0] * found - raw) ** 2).sum(), [max(raw.sum(), 0.1)]).x[0]
    ours = ((scale * found - raw) ** 2).sum()
    rng = np.random.default_rng(seed)
    for _ in range(20):
        drawn = np.sort(rng.random(len(raw)) * 1.2)
        peak = rng.integers(len(raw))
        other = np.concatenate([drawn[:peak], np.sort(drawn[peak:])[::-1]])
        if (np.diff(other[: peak + 1]) >= 0).all():
            assert ((other - raw) ** 2).sum() >= ours - 1e-9


def test_lengths_told_by_few_clients():
    rng = np.random.default_rng(2)
    edges = np.array([0, 1, 2, 3, 4, 6, 9, 14, 21, 40])
    true = np.array([0.1, 0.25, 0.2, 0.15, 0.15, 0.08, 0.05, 0.015, 0.005])
    shares, means = [], []
    for _ in range(30):
        held = rng.multinomial(1000, true)
        counts = rng.binomial(held, 0.6) + rng.binomial(1000 - held, 0.05)
        found = Lengths.told(counts, 1000, 0.6, 0.05, edges)
        shares.append(found.shares)
        means.append((found.shares * found.middles).sum())
    assert np.abs(np.mean(shares, axis=0) - true).max() < 0.02
    middles = found.middles
    assert np.mean(means) == pytest.approx((true * middles).sum(), rel=0.08)


@given(st.integers(1, 12), st.lists(st.integers(0, 30), min_size=3, max_size=12))
@settings(max_examples=60)
def test_cuts_are_undone_where_the_model_holds(cut, lengths):
    if max(lengths) == 0:
        return
    law = Lengths.of(np.array(lengths))
    undo = Uncut.of(law, cut)
    rate = 0.05
    held = 1 - np.exp(-rate * law.middles)
    whole = float((held * law.shares).sum())
    kept = float((held * law.shares * np.minimum(1, cut / np.maximum(law.middles, 1))).sum())
    assert float(undo.support(np.array([kept]))[0]) == pytest.approx(whole, rel=1e-3)
    assert float(undo.remains(np.array([whole]))[0]) == pytest.approx(kept, rel=1e-3)
    doubt = float(undo.doubt(np.array([kept]))[0])
    assert doubt == pytest.approx(UNEVEN * (whole - kept), rel=1e-2, abs=1e-4)


def test_answers_of_clients_who_cut_their_baskets():
    """Client by client: baskets, cuts, reports; intervals of whole supports cover."""
    rng = np.random.default_rng(8)
    clients, items, cut = 3000, 30, 3
    rates = rng.exponential(0.06, items)
    sizes = rng.geometric(0.35, clients)
    hold = rng.random((clients, items)) < 1 - np.exp(-np.outer(sizes, rates))
    true = hold.mean(axis=0)
    law = Lengths.of(hold.sum(axis=1))
    inside, errors = [], []
    for _ in range(40):
        order = np.where(hold, rng.random(hold.shape), 2.0).argsort(axis=1).argsort(axis=1)
        kept = hold & (order < cut)
        report = rng.random(hold.shape) < np.where(kept, HIT, MISS)
        asked = Round(np.arange(items)[:, None], report.sum(axis=0), clients, HIT, MISS, cut)
        found = answers([asked], [law], clients, 0.05)
        low, high = found.intervals().T
        inside.append((low <= true) & (true <= high))
        errors.append(found.support - true)
    assert np.mean(inside) >= 0.94
    bias = np.abs(np.mean(errors, axis=0))
    assert (bias <= 3 * found.doubt + 4 * found.noise / 40**0.5).all()
    assert (np.abs(found.kept) <= np.abs(found.support) + 1e-12).all()


@pytest.mark.parametrize("reach", [1.5, 1.8, 2.5, 4.0])
@pytest.mark.parametrize("square", [0.0, 0.05, 0.7, 3.0, 12.0])
def test_the_worst_law_of_biases_by_a_linear_program(reach, square):
    grid = np.linspace(0, (reach + 8) ** 2, 3001)
    misses = np.array([missed(t**0.5, reach) for t in grid])
    moments = np.stack([grid, np.ones(len(grid))])
    worst = linprog(-misses, A_eq=moments, b_eq=[square, 1])
    assert worst_missed(square, reach) == pytest.approx(-worst.fun, abs=2e-5)


def test_critical_values_are_what_they_say():
    for square in (0.0, 0.3, 2.0, 30.0):
        assert worst_missed(square, critical(square, 0.95)) == pytest.approx(0.05, abs=1e-6)
    assert critical(0.0, 0.95) == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize("law", ["normal", "two points", "heavy"])
def test_shrunken_intervals_hold_whatever_the_law_of_supports(law):
    rng = np.random.default_rng(4)
    inside, raw, ours = [], 0.0, 0.0
    for _ in range(cases(40, 300)):
        guesses = np.sort(rng.lognormal(-4.5, 0.7, 150))[::-1]
        away = {
            "normal": rng.normal(0, 0.4, 150),
            "two points": np.where(rng.random(150) < 0.05, 2.0, -0.1),
            "heavy": np.clip(0.25 * rng.standard_t(3, 150), -1, 6),
        }[law]
        true = np.maximum(guesses * 1.2 * (1 + away), 0)
        errors = np.full(150, 0.006)
        x = true + rng.normal(0, errors)
        found = shrunken(x, errors, guesses)
        inside.append((found.ends[:, 0] <= true) & (true <= found.ends[:, 1]))
        raw += ((x - true) ** 2).sum()
        ours += ((found.estimates - true) ** 2).sum()
    assert np.mean(inside) >= 0.94
    assert ours < raw


def test_lists_keep_their_false_discovery_rate_and_correct_for_the_best():
    """200 collections: most candidates far below the least support, some at it, some above."""
    rng = np.random.default_rng(11)
    true = np.concatenate([np.full(800, 0.001), np.full(60, 0.0195), np.linspace(0.02, 0.08, 25)])
    least, clients = 0.02, 20_000
    wrong, found_right, naive = [], [], []
    for _ in range(200):
        counts = collection(rng, true, 10_000, clients)
        told = measured(counts, 10_000, HIT, MISS, clients)
        there = np.sqrt(told.variance.at(np.full(len(true), least), "clients"))
        listed = discovered(chances(told.estimates, least, there))
        wrong.append((true[listed] < least).mean() if listed.any() else 0.0)
        found_right.append((true[listed] >= least).sum())
        reach = told.estimates >= least
        naive.append((true[reach] < least).mean())
    assert np.mean(wrong) <= 0.05 + 2 * np.std(wrong) / 200**0.5
    assert np.mean(found_right) >= 5
    assert np.mean(naive) > 0.5  # what listing by estimates alone would do


@given(st.lists(st.floats(0, 1), max_size=12), st.sampled_from([0.01, 0.05, 0.3]))
@settings(max_examples=100)
def test_lists_by_their_definition(p, rate):
    some = [2 * one for one in p if one <= 0.5]
    most = max(
        (k for k in range(len(some) + 1) if k == 0 or sorted(some)[k - 1] <= rate * k / len(some)),
        default=0,
    )
    listed = discovered(np.array(p), rate)
    assert listed.sum() == most
    if most:
        assert sorted(np.array(p)[listed]) == pytest.approx(sorted(p)[:most])


def test_skewed_noise_is_taken_for_no_more_than_it_is():
    rng = np.random.default_rng(3)
    drawn = (rng.gamma(16, 1, 200_000) - 16) / 4  # skewness 1/2
    for z in (2.0, 3.0):
        share = (drawn >= z).mean()
        told = chances(np.array([z]), 0.0, np.ones(1), 0.5)[0]
        assert 0.9 * share <= told <= 2 * share
        assert chances(np.array([z]), 0.0, np.ones(1))[0] < 0.8 * share
    assert as_normal(np.array([1.5]), 0.0).tolist() == [1.5]


@pytest.mark.parametrize("seed", range(4))
def test_consistent_supports_are_the_nearest(seed):
    rng = np.random.default_rng(seed)
    edges, many = [], 6
    for i in range(6):
        for j in range(i):
            edges += [(i, many), (j, many)]
            many += 1
    x = np.concatenate([rng.normal(0.3, 0.3, 6), rng.normal(0.2, 0.3, many - 6)])
    v, rows = rng.uniform(0.01, 1, many), np.array(edges)
    found = consistent(x, v, rows)
    oracle = minimize(
        lambda f: ((f - x) ** 2 / v).sum(),
        np.full(many, 0.2),
        jac=lambda f: 2 * (f - x) / v,
        bounds=[(0, 1)] * many,
        constraints={"type": "ineq", "fun": lambda f: f[rows[:, 0]] - f[rows[:, 1]]},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert np.abs(found - oracle.x).max() < 1e-5
    assert (found[rows[:, 1]] <= found[rows[:, 0]]).all()
    assert ((found >= 0) & (found <= 1)).all()


def test_leverages_cover_and_independent_pairs_are_rarely_links():
    rng = np.random.default_rng(6)
    many, spread = 60_000, (0.02, 0.03, 0.04)
    first, second = rng.uniform(0.1, 0.6, (2, many))
    true = np.where(np.arange(many) % 2, 0.05, 0.0)
    drawn = [
        level + rng.normal(0, error, many)
        for level, error in zip((first * second + true, first, second), spread, strict=True)
    ]
    found = leverages(Sides.apart(*drawn, tuple(np.full(many, e**2) for e in spread)))
    low, high = found.ends.T
    assert np.mean((low <= true) & (true <= high)) == pytest.approx(0.95, abs=0.005)
    assert (found.chance[true == 0] <= 0.05).mean() == pytest.approx(0.05, abs=0.008)
    assert (found.leverage - true).mean() == pytest.approx(0, abs=0.001)
    wrong = found.sure(0.05)
    assert (true[wrong] == 0).mean() <= 0.05
    order = found.order()
    lower = found.leverage[order] - 2 * found.se[order]
    assert (np.diff(lower) <= 0).all()
    inside = (found.lift_ends[:, 0] <= 1 + true / (first * second)) & (
        1 + true / (first * second) <= found.lift_ends[:, 1]
    )
    assert inside[(first > 0.3) & (second > 0.3)].mean() >= 0.93


def test_what_may_be_missing_is_what_is():
    """Supports drawn from the posterior that is told: as many reach the least as is said."""
    rng = np.random.default_rng(9)
    estimates, errors, least = rng.uniform(0, 0.04, 200), np.full(200, 0.01), 0.02
    listed = estimates > 0.035
    found = lacking(estimates, errors, least, listed, 10_000)
    true = estimates + rng.normal(size=(2000, 200)) * errors
    reach = (true >= least)[:, ~listed].sum(axis=1).mean()
    assert found.unlisted == pytest.approx(reach, rel=0.02)
    assert found.more_clients is not None
    needed = ((estimates[listed] - least) / errors[listed]).min()
    times = 1 + found.more_clients / 10_000
    again = true + rng.normal(size=true.shape) * errors / times**0.5
    seen = (again >= least + max(2, needed) * errors / times**0.5)[:, ~listed].sum(axis=1).mean()
    assert seen >= 10
    nothing = lacking(np.zeros(5), np.full(5, 1e-3), 0.5, np.zeros(5, dtype=bool), 100)
    assert (round(nothing.unlisted, 6), nothing.more_clients) == (0, None)
