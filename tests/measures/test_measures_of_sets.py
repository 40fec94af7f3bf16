"""Measures under a prior where outputs are sets: as on all views, and in closed form on many."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.derive.measures import of_sets
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.discovery import all_measures
from ppdm_formal.derive.measures.information import information
from ppdm_formal.derive.measures.record import Asked
from ppdm_formal.derive.measures.total_variation import MEASURE as TOTAL_VARIATION

MILLION = 10**6


def some_case(rng):
    values = rng.randint(2, 7)
    if rng.random() < 0.5:
        keep, flip = (Fraction(rng.randint(1, 9), 10) for _ in range(2))
        operator = unary_encoding(values, keep=keep, flip=flip)
    else:
        gamma = Fraction(rng.randint(1, 20), 5)
        operator = subset_selection(values, gamma=gamma, chosen=rng.randint(1, values - 1))
    weights = [rng.choice([0, 1, 1, 2, 5]) for _ in range(values)]
    weights[0] += not sum(weights)
    shares = {x: Fraction(weight, sum(weights)) for x, weight in enumerate(weights)}
    return operator, Prior.of(operator.inputs, shares, "X")


def meet(one, other):
    """Two enclosures of one number have it in common."""
    return one.lo <= other.hi and other.lo <= one.hi


@pytest.mark.parametrize("states", [1, 2000])  # by moments alone, and by going through all
def test_small_operators_as_on_all_views(states, monkeypatch):
    monkeypatch.setattr(of_sets, "MAX_STATES", states)
    rng = random.Random(8)
    for _ in range(25):
        operator, prior = some_case(rng)
        (sets,) = operator.value_sets(prior)
        whole = information(operator, prior)
        mutual = of_sets.mutual_information(sets)
        assert meet(mutual, whole.mutual)
        if states > 1:
            assert mutual.width < Fraction(1, 10**12)
        for shape, theirs in (
            (of_sets.divergence, whole.worst_case),
            (of_sets.inverse_divergence, whole.inverse_worst_case),
        ):
            assert meet(of_sets.peak(sets, shape, "bit").value, theirs.value)
        exact = TOTAL_VARIATION.measure(Asked(operator, prior)).value
        assert of_sets.peak(sets, of_sets.variation).value.contains(exact)
        assert of_sets.dependence(sets).ratio == dependence(operator, prior).ratio


def test_moments_enclose_closely_where_values_are_many(monkeypatch):
    monkeypatch.setattr(of_sets, "MAX_STATES", 2)
    for operator in (unary_encoding(400, gamma=3), subset_selection(400, gamma=3)):
        codes = (np.arange(400) > 0) * 1
        prior = Prior(operator.inputs, codes, [Fraction(1, 10), Fraction(9, 10) / 399], "X")
        (sets,) = operator.value_sets(prior)
        found, whole = of_sets.mutual_information(sets), information(operator, prior).mutual
        assert meet(found, whole)
        assert found.width < Fraction(1, 10**8)


def test_a_million_values():
    operator = subset_selection(MILLION, gamma=3)
    prior = Prior.uniform(operator.inputs, "X")
    found = {
        one.name: one.measure(Asked(operator, prior)).value
        for one in all_measures()
        if one.of_sets is not None
    }
    # Every set has a quarter of the mass: h = 2, l = 2/3, half of the sets hold x.
    told = math.log2(2) / 2 + math.log2(2 / 3) / 2
    for name in ("mutual_information", "worst_case_information"):
        assert isinstance(found[name], Enclosure)
        assert abs(float(found[name].lo) - told) < 1e-12 > float(found[name].width)
    assert found["total_variation"].contains(Fraction(1, 4))
    assert abs(float(found["dependence"].lo) - math.log(2)) < 1e-12
    assert len(found) == 5
