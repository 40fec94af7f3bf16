"""Pooled estimates over sizes, and what remains of supports where baskets are cut."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_plans import written_plan

from ppdm_formal.design.cut import remaining, stays
from ppdm_formal.design.forecast import FALSE_ALARM, Pool, best_pools, pools
from ppdm_formal.design.lds import lowest_discoverable_support
from ppdm_formal.design.plan_file import plan_content, plan_of
from ppdm_formal.design.planning import plan_for
from ppdm_formal.design.recovery import Recovery, SizedPart, mixed_variance
from ppdm_formal.design.request import Request

F = Fraction
LEVELS = {"rho1": F(1, 20), "rho2": F(1, 2)}


@pytest.fixture(scope="module")
def plan():
    request = Request(**LEVELS, histogram={0: 50, 1: 400, 2: 300, 3: 150, 4: 100}, itemsets=3)
    return plan_for(request)


def by_enumeration(randomization, items, held, itemset):
    """Mean and variance of one basket's estimate, over all outputs and choices of what stays."""
    keep, rho, size = randomization.keep, randomization.insert, randomization.size
    recovery = Recovery.of(randomization, len(itemset))
    others = [item for item in range(items) if item not in held]
    mean = square = F(0)
    for j, p in enumerate(keep):
        for stay in itertools.combinations(held, j):
            for inserted in itertools.product((0, 1), repeat=len(others)):
                chance = p / math.comb(size, j)
                for coin in inserted:
                    chance *= rho if coin else 1 - rho
                output = {*stay, *(o for o, coin in zip(others, inserted, strict=True) if coin)}
                weight = recovery.Q[-1][len(output & set(itemset))]
                mean += chance * weight
                square += chance * weight**2
    return mean, square - mean**2


def test_the_pooled_variance_is_that_of_the_estimator_by_enumeration(plan):
    """Each size holds the pair {0, 1} in the same share of its baskets; the others, none of it."""
    pool = next(pool for pool in pools(plan) if pool.itemset == 2)
    whole = 1000
    assert pool.clients == whole
    assert pool.noise.reach == F(550, whole)
    counts = {2: 300, 3: 150, 4: 100}
    share = F(1, 5)  # of the baskets that are large enough
    variance = F(0)
    for size, count in counts.items():
        law = plan.only.at(size).randomization
        mean, with_it = by_enumeration(law, 6, range(size), (0, 1))
        assert mean == 1
        mean, without = by_enumeration(law, 6, range(6 - size, 6), (0, 1))
        assert mean == 0
        variance += count * (share * with_it + (1 - share) * without) / whole**2
    # Noise is rounded up to fractions over 2^64.
    assert 0 <= pool.variance(share * pool.noise.reach) - variance < F(1, 2**60)


def test_the_pooled_variance_is_the_mixed_one(plan):
    for pool in pools(plan):
        parts = [SizedPart(450 if pool.itemset == 2 else 0, None)]
        parts += [
            SizedPart(int(p.baskets), Recovery.of(plan.only.at(p.size).randomization, pool.itemset))
            for p in pool.parts
        ]
        missing = 1000 - sum(part.transactions for part in parts)
        parts[0] = SizedPart(parts[0].transactions + missing, None)
        s = pool.noise.reach / 3
        held = [F(2, 3), *[F(0)] * (pool.itemset - 1), F(1, 3)]
        exact = mixed_variance(parts, [held] * len(parts))
        assert 0 <= pool.variance(s) - exact < F(1, 2**60)


def test_one_size_is_the_papers_lds():
    content = written_plan(Request(**LEVELS, histogram={5: 5_000_000}, itemsets=3, alike=True))
    read = plan_of(content)
    for pool in pools(read):
        recovery = Recovery.of(read.only.at(5).randomization, pool.itemset)
        exact = lowest_discoverable_support(recovery, 5_000_000)
        assert 0 <= pool.lowest.scaled(15) - exact.scaled(15) <= 1
        assert content["sizes"][0]["lds"][str(pool.itemset)] == exact.decimal()


def test_the_root_solves_its_equation(plan):
    for pool in pools(plan):
        s = F(pool.lowest.decimal(30))
        assert abs(s**2 - 16 * pool.variance(s)) < F(1, 10**25)


def test_empty_and_small_baskets_dilute():
    """Half of the clients hold nothing: supports over all clients halve, and so does the LDS."""
    some = plan_for(Request(**LEVELS, histogram={3: 10**6}, itemsets=1))
    content = written_plan(Request(**LEVELS, histogram={0: 10**6, 3: 10**6}, itemsets=1, bits=8))
    content["sizes"][0].update({k: plan_content(some)["sizes"][0][k] for k in ("insert", "keep")})
    (alone,), (diluted,) = pools(some), pools(plan_of(content))
    assert diluted.lowest.scaled(15) * 2 == pytest.approx(alone.lowest.scaled(15), abs=4)


def test_too_few_baskets_see_nothing():
    content = written_plan(Request(**LEVELS, histogram={5: 20}, itemsets=2))
    assert [entry["lds"] for entry in content["pooled"]] == [None, None]
    # 100 baskets of size 1 among a million empty ones: the root is below 1, yet above 100/N.
    content = written_plan(Request(**LEVELS, histogram={0: 1_000_000, 1: 3}, itemsets=1))
    (pool,) = pools(plan_of(content))
    assert pool.lowest.discoverable
    assert not pool.discoverable
    assert content["pooled"][0]["lds"] is None


def test_the_chance_to_be_seen(plan):
    pool = best_pools(plan)[1]
    seen = [pool.chance(s / 100) for s in range(0, 101, 5)]
    assert seen == sorted(seen)
    assert seen[0] == pytest.approx(FALSE_ALARM) == pytest.approx(3.167e-5, rel=1e-3)
    assert pool.chance(4 * pool.deviation) == pytest.approx(0.5)
    assert seen[-1] == 1.0


def test_groups_report_the_itemsets_that_they_are_for():
    flat = written_plan(Request(**LEVELS, histogram={3: 1000}, itemsets=3))
    (size3,) = flat["sizes"]
    pairs = {
        "name": "pairs",
        "share": "1/4",
        "lifted": 2,
        "phase": 1,
        "chosen": None,
        "hidden": None,
        "sizes": [{"size": 3, "insert": size3["insert"], "keep": size3["keep"], "baskets": 250}],
    }
    items = {**pairs, "name": "items", "share": "3/4", "lifted": 1}
    items["sizes"] = [{**pairs["sizes"][0], "baskets": 750}]
    content = {k: flat[k] for k in ("format", "rho1", "rho2", "itemsets", "clients")}
    plan = plan_of({**content, "groups": [items, pairs]})
    found = pools(plan)
    kinds = [(pool.group.name, pool.itemset, pool.clients) for pool in found]
    assert kinds == [("items", 1, 750), ("items", 3, 750), ("pairs", 2, 250)]
    # C(3, 2) = 3 sets are held of many: the same law as that of 3 items, for single ones.
    assert found[2].noise.absent == found[0].noise.absent
    assert isinstance(best_pools(plan)[2], Pool)


def test_plans_that_say_no_counts_have_no_forecast(plan):
    entries = [{k: v for k, v in e.items() if k != "baskets"} for e in plan_content(plan)["sizes"]]
    assert pools(plan_of({**plan_content(plan), "sizes": entries})) == ()


def test_itemsets_that_cannot_be_estimated_have_no_forecast(plan):
    """At rho = 1/2 and b = 1, 1, 19, 1 ... lambda_2 is 0: pairs are lost, items are not."""
    content = plan_content(plan)
    entry = content["sizes"][1]
    assert entry["size"] == 2
    del entry["keep"]
    entry |= {"insert": "1/2", "balance": [["1", 1], ["2", 1], ["3", 1]]}
    assert [pool.itemset for pool in pools(plan_of(content))] == [1, 3]


def test_what_remains_by_enumeration():
    for size, most, k in itertools.product(range(1, 6), range(1, 6), range(1, 4)):
        if k > size:
            continue
        parts = list(itertools.combinations(range(size), min(size, most)))
        kept = sum(set(range(k)) <= set(part) for part in parts)
        assert stays(size, most, k) == F(kept, len(parts))


@given(
    st.dictionaries(st.integers(0, 9), st.integers(1, 50), min_size=1),
    st.integers(1, 9),
    st.integers(1, 3),
)
def test_what_remains_is_a_share_and_grows_with_the_cut(histogram, most, k):
    found = remaining(histogram, most, k)
    assert 0 <= found.least <= found.evenly <= 1
    more = remaining(histogram, most + 1, k)
    assert found.evenly <= more.evenly
    assert (found.evenly == 1) == (max(histogram) <= most or max(histogram) < k)
    large = Counter({m: n for m, n in histogram.items() if m >= k})
    if large:
        exact = sum(n * stays(m, most, k) for m, n in large.items()) / large.total()
        assert found.evenly == exact
