"""Item-level design: its breaches by linear programs and by hand, and the figures of the print."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from written_plans import written_plan

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste_keep
from ppdm_formal.declare.families.select_a_size import Randomization
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.item_breach import ItemGoal, item_design
from ppdm_formal.design.item_plan import broken_bounds, certified_prior
from ppdm_formal.design.lds import lowest_support_of
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.design.request import Request

F = Fraction
GOAL = ItemGoal(F(1, 2), (F(1, 20), F(1, 100), F(1, 500)))
MILLIONS = 5_000_000


def pasted(size, cutoff, rho):
    return Randomization(size, rho, cut_and_paste_keep(size, cutoff, rho))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6])
def test_the_quick_program_agrees_with_the_whole_one(size):
    seen = set()
    for top, level in itertools.product((1, 5, 13, 30, 45, 60, 90), (F(1, 10), F(1, 4), F(1, 2))):
        goal = ItemGoal(level, GOAL.bounds)
        law = pasted(size, size, F(top, 128))
        for k in range(1, size + 1):
            breached = goal.breached(law, k)
            assert breached is (goal.worst(law, k).posterior >= level)
            seen.add(breached)
    assert seen == {True, False}


def test_where_kept_items_are_rarer_than_inserted_ones():
    """F_l < rho^l: transactions without the item do most harm elsewhere than at l = 0."""
    law = Randomization(2, F(3, 4), (F(1, 2), F(1, 4), F(1, 4)))
    for level in (F(6, 100), F(1, 10), F(1, 3)):
        goal = ItemGoal(level, GOAL.bounds)
        assert goal.breached(law, 2) is (goal.worst(law, 2).posterior >= level)


def test_single_items_by_hand():
    """P[a in t given a in R(t)] = s F_1 / (s F_1 + (1 - s) rho), largest at the bound."""
    law = pasted(1, 1, F(7, 256))
    kept = law.kept_together(1)
    posterior = F(1, 20) * kept / (F(1, 20) * kept + F(19, 20) * F(7, 256))
    assert GOAL.worst(law, 1).posterior == posterior < F(1, 2)
    assert item_design(1, GOAL, (1,), MILLIONS).randomization == law
    assert GOAL.breached(pasted(1, 1, F(6, 256)), 1)


@pytest.mark.parametrize("size", [2, 4, 5])
def test_no_less_insertion_is_safe_and_no_distribution_breaches(size):
    found = item_design(size, GOAL, (1, 2), MILLIONS)
    law = found.randomization
    assert all(each.posterior < GOAL.level for each in found.worst)
    less = pasted(size, found.cutoff, law.insert - F(1, 256))
    assert any(GOAL.worst(less, k).posterior >= GOAL.level for k in range(1, size + 1))
    draw = random.Random(4)
    for k in range(1, size + 1):
        chances = [law.kept_together(held) * law.insert ** (k - held) for held in range(k + 1)]
        for _ in range(200):  # no itemset of such supports: the most likely item stays below
            held = draw.randint(1, k)
            share = draw.randint(1, 99) * GOAL.bound(held) / 99 * F(1, max(1, 2 * (held < k)))
            posterior = share * chances[held] / (share * chances[held] + (1 - share) * chances[0])
            assert posterior <= found.worst[k - 1].posterior


def test_the_figures_of_2002():
    """Supports of 0.2% at 5 items, deviations of 0.05% to 0.07% for 5 to 7 items: as printed."""
    figures = {}
    for size in (5, 7, 10):
        found = item_design(size, GOAL, (1, 2, 3), MILLIONS)
        noise = moments(found.randomization, 3)
        lds = max(float(lowest_support_of(noise.noise(k), MILLIONS)) for k in (1, 2, 3))
        deviation = max((float(noise.noise(k)[0]) / MILLIONS) ** 0.5 for k in (1, 2, 3))
        figures[size] = (100 * lds, 100 * deviation, float(found.amplification))
    assert figures[5] == pytest.approx((0.1980, 0.0495, 1846.5), rel=1e-3)
    assert figures[7] == pytest.approx((0.2766, 0.0691, 2892.8), rel=1e-3)
    assert figures[10] == pytest.approx((0.5661, 0.1414, 4284.0), rel=1e-3)


def test_itemsets_of_all_sizes_are_checked():
    """Checked for triples alone, ten items would get rho = 15/128: a report tells ten of them."""
    law = pasted(10, 10, F(15, 128))
    assert not any(GOAL.breached(law, k) for k in (1, 2, 3))
    assert GOAL.worst(law, 10).posterior > F(99, 100)


def seen_with(law, items, chances):
    """[A]: P[A in R(t)] and, by item a, P[a in t and A in R(t)], over all t and their chances."""
    rho, found = law.insert, {}
    for size in range(1, items + 1):
        for itemset in map(frozenset, itertools.combinations(range(items), size)):
            whole, by_item = F(0), dict.fromkeys(itemset, F(0))
            for t, chance in chances.items():
                held = len(t & itemset)
                seen = chance * law.kept_together(held) * rho ** (size - held)
                whole += seen
                for item in t & itemset:
                    by_item[item] += seen
            found[itemset] = (whole, by_item)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_no_distribution_of_baskets_exceeds_the_bounds_on_posteriors(seed):
    """Random baskets of 2 or 3 of 5 items; their own largest supports as bounds."""
    draw = random.Random(seed)
    size, items = draw.choice([2, 3]), 5
    law = pasted(size, draw.randint(1, size), F(draw.randint(1, 60), 64))
    baskets = [frozenset(t) for t in itertools.combinations(range(items), size)]
    weights = [draw.choice([0, 0, 1, 5, 40]) for _ in baskets]
    weights[0] += 1
    chances = {t: F(w, sum(weights)) for t, w in zip(baskets, weights, strict=True) if w}
    tops = [
        max(
            sum(chance for t, chance in chances.items() if set(part) <= t)
            for part in itertools.combinations(range(items), k)
        )
        for k in range(1, size + 1)
    ]
    if tops[0] == 1:
        chances = {t: c * F(9, 10) for t, c in chances.items()} | {frozenset({7, 8, 9}): F(1, 10)}
        tops = [top * F(9, 10) for top in tops]
    goal = ItemGoal(F(999, 1000), tuple(tops))
    worst = [goal.worst(law, k).posterior for k in range(1, size + 1)]
    for itemset, (whole, by_item) in seen_with(law, items, chances).items():
        for seen in by_item.values():
            assert seen / whole <= goal.any_size(law)
            if len(itemset) <= size:
                assert seen / whole <= worst[len(itemset) - 1]


def test_larger_itemsets_show_more_and_that_is_said():
    """Twenty items around one, five at a time: within the bounds, and an item is 94% likely."""
    law = item_design(5, GOAL, (1, 2, 3), MILLIONS).randomization
    share, others = F(1, 20), 20
    for i in range(1, 6):  # subsets with the item: one of C(20, i - 1) sets of others
        support = share * math.comb(4, i - 1) / math.comb(others, i - 1)
        assert support <= GOAL.bound(i)
    assert share * F(math.comb(4, 1), others) <= GOAL.bound(1)  # and one of the others alone
    held, none = law.kept_together(5) * law.insert**16, law.insert**21
    posterior = share * held / (share * held + (1 - share) * none)
    assert posterior == GOAL.any_size(law)
    assert 0.94 < posterior < 0.95


def request(**more):
    base = {"rho1": F(1, 2), "rho2": F(1, 2), "histogram": {3: MILLIONS, 5: MILLIONS}}
    return Request(**base, itemsets=3, item=GOAL, items=1000, **more)


def test_the_plan_certifies_what_it_says_and_no_more():
    content = written_plan(request())
    plan = plan_of(content)
    assert plan.item_level
    assert plan.rho2 == F(1, 2)
    assert content["item_breach"] == {"level": "1/2", "bounds": ["1/20", "1/100", "1/500"]}
    for part in plan.only.sizes:
        (entry,) = (e for e in content["sizes"] if e["size"] == part.size)
        assert F(entry["amplification"]) == part.amplification <= F(content["gamma_used"])
        assert all(F(p) < F(1, 2) for p in entry["item_posteriors"].values())
        assert len(entry["item_posteriors"]) == part.size
        operator = plan.only.operator(part.size, 1000)
        assert certify(operator, BreachClaim(plan.rho1, plan.rho2)).verdict is Verdict.CERTIFIED
    largest = plan.only.operator(5, 1000)
    beyond = BreachClaim(plan.rho1 * F(101, 100), plan.rho2)
    assert certify(largest, beyond).verdict is Verdict.BREACHED
    assert (
        "not certified against all priors: the amplification is up to 1,847" in content["notes"][1]
    )
    assert "0.0541%" in content["notes"][1]


def test_data_that_break_the_bounds():
    rare = [[i, i + 100] for i in range(100)]
    data = AtHand.of(300, [*rare, *[[0, 1]] * 4])  # 0 in 5 of 104, both in 4
    item, pair = F(5, 104), F(4, 104)
    level = F(1, 2)
    assert broken_bounds(ItemGoal(level, (item, pair)), data) == []
    (one,) = broken_bounds(ItemGoal(level, (item - F(1, 10**6), pair)), data)
    assert (one.items, one.above) == (1, 2)
    (two,) = broken_bounds(ItemGoal(level, (item, pair - F(1, 10**6))), data)
    assert (two.items, two.above, two.most) == (2, 1, pair)
    assert broken_bounds(GOAL, None) == []
    content = written_plan(
        Request(level, level, data.histogram, itemsets=2, item=GOAL, items=300, data=data)
    )
    said = [note for note in content["notes"] if "BREAK" in note]
    assert len(said) == len(broken_bounds(GOAL, data))
    assert any(
        "BREAK A BOUND: 1 of their itemsets of 2 items have more support than 1%, up to ~3.85%"
        in note
        for note in said
    )


def test_the_prior_is_rounded_down():
    for gamma in (F(19), F(1847), F(10**9, 7)):
        for level in (F(1, 2), F(1, 5), F(9, 10)):
            low = certified_prior(gamma, level)
            bound = level * (1 - low) / (low * (1 - level))
            assert gamma < bound < gamma * F(102, 100)


@pytest.mark.parametrize(
    ("level", "bounds", "says"),
    [
        ("0", ("1/20",), "not between 0 and 1"),
        ("1", ("1/20",), "not between 0 and 1"),
        ("1/2", (), "above 0 and at most 1"),
        ("1/2", ("1/20", "0"), "above 0 and at most 1"),
        ("1/2", ("1/20", "1/10"), "itemsets of 2 items may not have more support"),
        ("1/20", ("1/20",), "that likely before anything is seen"),
    ],
)
def test_goals_that_make_no_sense(level, bounds, says):
    with pytest.raises(ValueError, match=says):
        ItemGoal(F(level), tuple(map(F, bounds)))


def test_what_is_refused():
    with pytest.raises(ValueError, match="made for 1 to 20 items"):
        item_design(21, GOAL, (1,), 1000)
    close = ItemGoal(F(1, 2), (F(49, 100),))
    with pytest.raises(ValueError, match="no insertion probability of 1 bits"):
        item_design(2, close, (1, 2), 1000, bits=1)
    with pytest.raises(ValueError, match="sizes stay public"):
        request(hidden="pad")
    with pytest.raises(ValueError, match="sizes stay public"):
        request(paper=True)
