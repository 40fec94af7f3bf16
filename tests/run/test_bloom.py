"""Texts found in Bloom filters: filters, the bound on scores, and whole collections."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from how_many import cases

from ppdm_formal.declare.families.rappor import rappor, reported
from ppdm_formal.infer.undoing.bloom import _bounds, found_texts
from ppdm_formal.infer.undoing.cohorts import Cohorts
from ppdm_formal.run.simulation import Simulation


def test_filters_have_as_many_bits_as_the_operator_takes():
    cohorts = Cohorts(8, 16, 3)
    table = cohorts.table([f"text {k}" for k in range(200)])
    assert table.shape == (200, 8, 3)
    assert (np.diff(table, axis=2) > 0).all()
    assert 0 <= table.min() <= table.max() < 16
    # Each bit is set as often as any other, up to chance.
    counts = np.bincount(table.ravel(), minlength=16)
    expected = table.size / 16
    assert ((counts - expected) ** 2 / expected).sum() < 45


@pytest.mark.parametrize("hashes", [1, 2])
def test_the_bound_holds_for_all_filters_enumerated(hashes):
    """Every choice of bits in every cohort, which are as likely as any other."""
    draw = np.random.default_rng(2)
    left = draw.normal(size=(3, 5))
    left -= left.mean(axis=1, keepdims=True)
    weights = np.array([0.5, 0.3, 0.2])
    each = list(itertools.combinations(range(5), hashes))
    filters = np.array(list(itertools.product(each, repeat=3)))
    scores = sum((left[c] * weights[c])[filters[:, c]].sum(axis=1) for c in range(3))
    bounds = _bounds(filters, left, weights)
    for score, bound in zip(scores, bounds, strict=True):
        assert bound >= (scores >= score - 1e-12).mean() - 1e-12
    assert bounds.min() < 0.4


def collection(cohorts, operator, texts, shares, people, seed):
    """Counts of bits by cohort, as the certified operator draws them, and how many reports."""
    draw, bits = np.random.default_rng(seed), Simulation(seed)
    who = draw.choice(len(shares), size=people, p=shares)
    which = draw.integers(cohorts.cohorts, size=people)
    table = cohorts.table(texts)
    counts = np.zeros((cohorts.cohorts, cohorts.bits), dtype=np.int64)
    for cohort in range(cohorts.cohorts):
        filters = table[who[which == cohort], cohort]
        offsets = np.arange(len(filters) + 1) * cohorts.hashes
        items, _ = operator.law.draw_sets(filters.ravel(), offsets, bits)
        counts[cohort] = np.bincount(items, minlength=cohorts.bits)
    return table, counts, np.bincount(which, minlength=cohorts.cohorts)


def test_frequent_texts_are_found_with_few_that_nobody_has():
    cohorts, f = Cohorts(16, 32, 2), Fraction(1, 4)
    operator = rappor(32, 2, f)
    other, own = map(float, reported(f, Fraction(0), Fraction(1)))
    texts = [f"text {k}" for k in range(500)]
    shares = np.array([0.3, 0.2, 0.15, 0.1, 0.05] + [0.2 / 15] * 15)
    false, rounds = 0.0, cases(3, 30)
    for seed in range(rounds):
        table, counts, sizes = collection(cohorts, operator, texts, shares, 20_000, seed)
        found = found_texts(table, counts, sizes, own, other, Fraction(1, 20))
        assert set(found.places.tolist()) >= {0, 1, 2, 3, 4}
        for place, share, error in zip(found.places, found.shares, found.errors, strict=True):
            if place < 5:
                assert abs(share - shares[place]) < 6 * error
        false += float((found.places >= 20).mean())
    assert false / rounds < 0.05 + 0.1 / rounds**0.5


def test_nothing_is_found_where_nothing_is():
    cohorts = Cohorts(8, 16, 2)
    table = cohorts.table([f"text {k}" for k in range(300)])
    sizes = np.full(8, 1000)
    counts = np.random.default_rng(4).binomial(1000, 0.4, size=(8, 16))
    found = found_texts(table, counts, sizes, 0.7, 0.3, Fraction(1, 20))
    assert len(found.places) == 0
