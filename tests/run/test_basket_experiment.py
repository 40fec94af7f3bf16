"""The experiment of benchmarks/baskets.py, on a small made-up shop."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import baskets as experiment
from ppdm_formal.run.baskets import Baskets


def shop():
    """20,000 baskets of 1 to 6 of 12 items; a few items, and two pairs, are bought often."""
    rng = np.random.Generator(np.random.PCG64(8))
    rows = []
    for _ in range(20_000):
        basket = set(rng.integers(3, 12, 1 + rng.binomial(3, 0.4)).tolist())
        if rng.random() < 0.35:
            basket |= {0, 1}
        if rng.random() < 0.25:
            basket |= {1, 2}
        rows.append(sorted(basket))
    return experiment.Data("shop", Baskets.of(rows), 12, 0.3)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return experiment.Experiment(shop(), tmp_path_factory.mktemp("plans"))


def test_true_supports_of_cut_baskets():
    """Against all parts of each basket, one by one."""
    from itertools import combinations

    rows = [(0, 1, 2, 3), (0, 1), (1, 2, 3), (2,), (0, 1, 2)]
    sets = np.array([[0, 1], [1, 2], [2, 3]])
    expected = np.zeros(3)
    for row in rows:
        parts = list(combinations(row, min(2, len(row))))
        expected += [sum(set(one) <= set(p) for p in parts) / len(parts) for one in sets.tolist()]
    found = experiment.true_supports(Baskets.of(rows), 4, sets, 2)
    assert found == pytest.approx(expected / 5)
    whole = [sum(set(one) <= set(row) for row in rows) / 5 for one in sets.tolist()]
    assert experiment.true_supports(Baskets.of(rows), 4, sets) == pytest.approx(whole)


@pytest.mark.parametrize("form", ["paper", "lifted"])
def test_plans_find_what_is_bought_often(small, monkeypatch, form):
    monkeypatch.setattr(experiment, "REPETITIONS", 8)
    items, pairs = small.measured(form)
    inside = np.concatenate([*items.inside, *pairs.inside])
    assert len(inside) == 8 * (len(small.items) + len(small.pairs))
    assert 0.92 < inside.mean() < 0.98
    # Items 1, 0 and 2 and the pair of 0 and 1 are far above the threshold, as measured in sigmas.
    frequent = small.true_items >= small.data.threshold + items.four_sigma
    assert np.mean(items.found) >= frequent.sum() > 0
    assert np.mean(items.missed) < 2
    clear = small.true_pairs >= small.data.threshold + 2 * pairs.four_sigma
    assert np.mean(pairs.found) >= clear.sum()
    assert items.four_sigma < 0.1


def test_what_is_reported_is_judged():
    from ppdm_formal.run.estimated_supports import Supports, Variance

    errors = np.full(4, 0.01**2)
    nothing = np.zeros(4)
    found = Supports(
        ((0,), (1,), (2,), (3,)), np.array([0.3, 0.21, 0.19, 0.25]),
        Variance(errors, nothing, nothing, nothing), ((),) * 4,
    )  # fmt: skip
    score = experiment.Scores(0.2)
    reported = score.judge(found, np.ones(4, dtype=bool), np.array([0.28, 0.18, 0.22, 0.2]))
    assert reported.tolist() == [True, True, False, True]
    assert (score.found, score.missed, score.invented) == ([2], [1], [1])
    score.compare(found, np.array([0.28, 0.18, 0.22, 0.2]))
    assert score.inside[0].tolist() == [False, False, False, False]
    assert score.four_sigma == pytest.approx(4 * 0.03)
    third = score.judge(found.take(np.array([0])), np.array([True, False, False, False]), reported)
    assert third.tolist() == [True, False, False, False]
