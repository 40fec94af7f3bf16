"""Plans in rounds: noise against exact laws, what is asked against brute force, files, rounds."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction as F

import numpy as np
import pytest

from ppdm_formal.declare.families.fixed_size import fixed_size
from ppdm_formal.declare.families.pad_and_sample import pad_and_sample
from ppdm_formal.design.plan import PlanError
from ppdm_formal.design.planned import read_planned, write_planned
from ppdm_formal.design.rounds.asked import RoundsAsked
from ppdm_formal.design.rounds.continuing import Answer, continued_rounds
from ppdm_formal.design.rounds.guess import corrected_aim, in_doubt, products, promising, shrunk
from ppdm_formal.design.rounds.lengths import CLASSES, Lengths
from ppdm_formal.design.rounds.noise import best_noise, fixed_sizes, pad_and_samples, select_a_sizes
from ppdm_formal.design.rounds.outline import Request, outlined, plan_of_outline
from ppdm_formal.design.rounds.plan import Goal
from ppdm_formal.run.baskets import Baskets

GAMMA = F(19)


def request(**changed):
    given = {"histogram": {1: 3000, 2: 4000, 4: 2500, 9: 500}, "items": 40, "goal": Goal(top=10)}
    return Request(F(1, 20), F(1, 2), **(given | changed))


# -- families: from the definitions, by listing ---------------------------------------------------


def privset(items, basket, chosen, gamma):
    """Every report by its weight, from the definition."""
    reports = [frozenset(r) for r in itertools.combinations(range(items), chosen)]
    weights = [gamma if r & basket else F(1) for r in reports]
    return {r: w / sum(weights) for r, w in zip(reports, weights, strict=True)}


@pytest.mark.parametrize(("items", "size", "chosen"), [(5, 2, 1), (6, 2, 3), (6, 3, 2), (4, 2, 4)])
def test_fixed_size_is_privset(items, size, chosen):
    operator = fixed_size(items, size, chosen, gamma=GAMMA)
    for basket in operator.inputs:
        row = privset(items, basket, chosen, GAMMA)
        assert {y: operator.probability(basket, y) for y in operator.outputs} == row


@pytest.mark.parametrize(("items", "size", "chosen"), [(5, 2, 1), (6, 3, 2), (6, 2, 3)])
def test_pad_and_sample_is_a_random_item_through_subset_selection(items, size, chosen):
    operator = pad_and_sample(items, size, GAMMA, chosen=chosen)
    reports = [frozenset(r) for r in itertools.combinations(range(items), chosen)]
    for basket in operator.inputs:
        row = dict.fromkeys(reports, F(0))
        for item in basket:
            weights = [GAMMA if item in r else F(1) for r in reports]
            for r, w in zip(reports, weights, strict=True):
                row[r] += w / sum(weights) / size
        assert {y: operator.probability(basket, y) for y in operator.outputs} == row


def test_hashing_is_a_random_item_through_independent_buckets():
    operator = pad_and_sample(4, 2, 3, buckets=4)
    keep = F(3, 3 + 4 - 1)
    for basket, report in itertools.product(operator.inputs, operator.outputs):
        chance = F(0)
        for item in basket:
            bits = [keep if i == item else F(1, 4) for i in range(4)]
            one = F(1)
            for i, p in enumerate(bits):
                one *= p if i in report else 1 - p
            chance += one / 2
        assert operator.probability(basket, report) == chance


def test_the_amplification_over_all_baskets_padded_and_cut_is_gamma():
    """Baskets of any size, padded with dummies: the largest ratio over all of them, by listing."""
    for chosen in (1, 2, 3):
        operator = fixed_size(6, 2, chosen, gamma=GAMMA)  # 4 items and 2 dummies
        rows = []
        for many in range(3):
            for basket in itertools.combinations(range(4), many):
                padded = frozenset(basket) | frozenset(range(4, 6 - many))
                rows.append([operator.probability(padded, y) for y in operator.outputs])
        ratios = [a / b for one in rows for two in rows for a, b in zip(one, two, strict=True)]
        assert max(ratios) == GAMMA


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"gamma": 19, "cutoff": 2}, "the cutoff must be one of 0..1"),
        ({"gamma": -1}, "could not be shown to be at least 0"),
        ({}, "either gamma"),
        ({"gamma": 2, "balance": [(F(1), 3)]}, "either gamma"),
        ({"balance": [(F(1), 2)]}, "does not have 3 weights"),
        ({"balance": [(F(1), 2), (F(-1), 1)]}, "could not be shown to be at least 0"),
    ],
)
def test_bad_weights_are_refused(weights, says):
    with pytest.raises(ValueError, match=says):
        fixed_size(6, 2, 2, **weights)


# -- noise ----------------------------------------------------------------------------------------


def test_noise_is_that_of_the_exact_law():
    for values, size in ((30, 1), (30, 3), (200, 5)):
        every = [
            *list(fixed_sizes(values, size, GAMMA))[::7],
            *list(pad_and_samples(values, size, GAMMA))[::11],
            *list(select_a_sizes(size, GAMMA))[::23],
        ]
        for noise in every:
            operator = noise.form.operator(values + size, size)
            support = operator.law.support()
            assert noise.held == pytest.approx(float(support.own), rel=1e-9)
            assert noise.other == pytest.approx(float(support.other), rel=1e-9)
            (view,) = operator.views()[:1]
            assert max(c.likelihood for c in view.classes) <= GAMMA * min(
                c.likelihood for c in view.classes
            )


def test_noise_at_support_0_is_as_the_issue_says():
    """4 L / (gamma - 1) and 4 gamma L^2 / (gamma - 1)^2, for many values."""
    for size in (1, 3, 8):
        fixed = best_noise("fixed", 100_000, size, GAMMA, 0.0).variance(0.0)
        assert fixed == pytest.approx(4 * size / 18, rel=0.15)
        hashed = [n for n in pad_and_samples(100_000, size, GAMMA) if "buckets" in n.form.arguments]
        assert hashed[0].variance(0.0) == pytest.approx(4 * 19 * size**2 / 18**2, rel=0.01)
        assert best_noise("sample", 100_000, size, GAMMA, 0.0).variance(0.0) >= fixed * 0.999


# -- what is asked --------------------------------------------------------------------------------


def test_itemsets_held_are_those_within_the_basket():
    chance = random.Random(5)
    drawn = [chance.sample(range(9), k) for k in (1, 2, 3) for _ in range(4)]
    sets = tuple(sorted({tuple(sorted(one)) for one in drawn}))
    asked = RoundsAsked("itemsets", sets)
    baskets = [chance.sample(range(12), chance.randint(0, 9)) for _ in range(60)]
    every = Baskets.of(baskets).distinct()
    found = Baskets.joined(*asked.held(every.items, every.offsets)).lists()
    assert found == [[n for n, one in enumerate(sets) if set(one) <= set(b)] for b in baskets]
    lengths = RoundsAsked("lengths", None, (0, 1, 2, 5))
    assert lengths.classes(np.arange(8)).tolist() == [0, 1, 2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({"kind": "items"}, "has the keys"),
        ({"kind": "all", "sets": None, "least": None}, "items, itemsets or lengths"),
        ({"kind": "itemsets", "sets": [], "least": None}, "from 1 to"),
        ({"kind": "itemsets", "sets": [[1, 0]], "least": None}, "do not rise"),
        ({"kind": "itemsets", "sets": [[0, 1], [0, 1]], "least": None}, "asked twice"),
        ({"kind": "itemsets", "sets": [[True, 2]], "least": None}, "whole numbers"),
        ({"kind": "lengths", "sets": None, "least": None}, "by classes"),
        ({"kind": "lengths", "sets": None, "least": [1, 2]}, "the first from 0"),
        ({"kind": "items", "sets": [[0, 1]], "least": None}, "items are not"),
    ],
)
def test_what_is_asked_is_checked(written, says):
    with pytest.raises(ValueError, match=says):
        RoundsAsked.of(written)


# -- files ----------------------------------------------------------------------------------------


def plan():
    return plan_of_outline(outlined(request()), at_hand=False)


def test_a_plan_is_read_as_it_was_written():
    assert read_planned(write_planned(plan())) == plan()
    assert plan().rounds == 3
    assert [group.pending for group in plan().groups] == [False, False, True, True, True, True]


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (("groups", 1, "share"), "1/2", "do not sum to 1"),
        (("groups", 1, "share"), "2", "not between 0 and 1"),
        (("groups", 1, "asked"), None, "asked nothing"),
        (("groups", 1, "kind"), "all", "neither items"),
        (("groups", 0, "size"), 2, "a client has one length"),
        (("groups", 1, "law", "family"), "replace_items", "no family"),
        (("groups", 1, "law", "arguments"), {"gamma": "19", "chosen": 10**6}, "can be chosen"),
        (("groups", 1, "law", "arguments"), {"gamma": "x"}, "gamma of group"),
        (("groups", 1, "law", "arguments"), {"other": 1}, "other arguments"),
        (("groups", 1, "name"), "lengths", "or one twice"),
        (("groups", 2, "round"), 7, "rounds of the plan are not"),
        (("rho1",), "3/4", "0 < rho1 < rho2 < 1"),
        (("items",), 0, "the number of items"),
        (("top",), None, "either how many"),
        (("learned",), 3, "not an object"),
    ],
)
def test_a_damaged_plan_is_refused(place, value, says):
    content = json.loads(write_planned(plan()))
    inside = content
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    with pytest.raises(PlanError, match=says):
        read_planned(json.dumps(content))


def test_a_plan_says_of_baskets_their_sizes_alone():
    """Two sets of baskets of equal sizes have one plan."""
    content = json.loads(write_planned(plan()))
    assert set(content) == {
        "format", "rho1", "rho2", "gamma", "items", "find", "top", "min_support", "groups",
        "clients", "histogram", "shown", "learned", "notes", "shuffled",
    }  # fmt: skip
    assert content["learned"] is None


# -- lengths and guesses --------------------------------------------------------------------------


def test_what_a_cut_takes_is_given_back():
    law = Lengths.of({0: 10, 1: 30, 3: 40, 10: 15, 40: 5})
    for size in (1, 2, 5, 13):
        cut = law.cut(size)
        supports = np.array([0.0005, 0.01, 0.1, 0.3])
        kept = np.array([cut.kept(s) for s in supports])
        assert (kept <= supports * (1 + 1e-9)).all()
        assert cut.whole(kept) == pytest.approx(supports, rel=0.02)
    assert law.cut(40).kept(0.1) == pytest.approx(0.1)


def test_lengths_told_are_a_law():
    found = Lengths.told(np.array([0.5, -0.1, 0.4, 0.3]), (0, 1, 2, 5))
    assert found.shares.sum() == pytest.approx(1)
    assert (found.shares >= 0).all()
    assert found.sizes[0] == 0
    assert list(found.sizes) == sorted(found.sizes)


def test_the_aim_is_not_what_noise_makes_of_it():
    """The winner's curse: corrected, the aim is nearer to the true one, over 40 draws."""
    supports = np.maximum(0.3 / np.arange(1, 401), 0.002)
    errors = np.full(400, 0.006)
    exact = corrected_aim(supports, errors * 0, 60, 50, np.random.default_rng(0))
    naive, mended = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        seen = supports + errors * rng.standard_normal(400)
        naive.append(corrected_aim(seen, errors * 0, 60, 50, rng) - exact)
        mended.append(corrected_aim(seen, errors, 60, 50, rng) - exact)
    assert np.mean(naive) > 0.2 * exact
    assert abs(np.mean(mended)) < abs(np.mean(naive)) / 2


def test_pairs_in_doubt_are_those_near_the_last():
    supports = np.linspace(0.1, 0.01, 60)
    doubt = in_doubt(supports, np.full(60, 1e-6), 20, np.random.default_rng(1))
    assert set(doubt) <= set(range(17, 23))
    assert {19, 20} <= set(doubt)
    assert len(in_doubt(supports, np.full(60, 1e-6), 60, np.random.default_rng(1))) == 60
    sure = in_doubt(supports, np.full(60, 1e-12), 20, np.random.default_rng(1), fewest=4)
    assert sure.tolist() == [18, 19, 20, 21]


def test_measures_are_drawn_towards_guesses_as_far_as_they_are_noisy():
    guess = np.array([0.1, 0.1])
    found, left = shrunk(np.array([0.2, 0.2]), np.array([1e-8, 1.0]), guess)
    assert found == pytest.approx([0.2, 0.1], abs=0.001)
    assert left[0] < left[1] <= (0.5 * 0.1) ** 2


# -- rounds ---------------------------------------------------------------------------------------


def answers(known, number, supports, sets=None):
    """What a round would tell without noise, nothing being cut."""
    (values,) = [g for g in known.of_round(number) if g.kind != "lengths"]
    (own,) = [g for g in known.of_round(number) if g.kind == "lengths"]
    shares = np.zeros(len(own.asked.least))
    shares[1] = 1.0  # everyone holds one: nothing is cut
    support = values.support(known.items)
    a, b = float(support.own), float(support.other)
    return [
        Answer(own.asked, shares, 10**9, 0.9, 0.1, 1),
        Answer(values.asked, supports, 10**9, a, b, values.size),
    ]


def test_rounds_follow_from_what_was_told():
    known = plan()
    supports = np.full(known.items, 1e-4)
    supports[[3, 7, 11, 20]] = 0.4, 0.3, 0.2, 0.1
    second = continued_rounds(known, 1, answers(known, 1, supports))
    assert read_planned(write_planned(second)) == second
    asked = next(g.asked for g in second.of_round(2) if g.kind == "itemsets")
    assert asked.sets[:3] == ((3, 7), (3, 11), (7, 11))
    assert [g for g in second.groups if g.phase == 1] == list(known.of_round(1))
    assert [g.share for g in second.groups] == [g.share for g in known.groups]
    found = np.array([0.3 if one == (3, 7) else 0.02 for one in asked.sets])
    third = continued_rounds(second, 2, answers(second, 2, found))
    last = next(g.asked for g in third.of_round(3) if g.kind == "itemsets")
    assert set(last.sets) <= set(asked.sets)
    assert (3, 7) not in last.sets  # it is no longer in doubt
    with pytest.raises(ValueError, match="no round 4"):
        continued_rounds(third, 3, answers(third, 3, np.zeros(len(last.sets))))


def test_promising_pairs_have_the_largest_products():
    supports = np.array([0.5, 0.01, 0.4, 0.3])
    pairs = promising(supports, np.zeros(4), 4, 3)
    assert pairs.tolist() == [[0, 2], [0, 3], [2, 3]]
    assert products(supports, pairs) == pytest.approx([0.24, 0.18, 0.144])


def test_the_classes_of_lengths_rise_from_0():
    assert CLASSES[0] == 0
    assert list(CLASSES) == sorted(set(CLASSES))
