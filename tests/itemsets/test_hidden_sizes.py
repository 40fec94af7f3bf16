"""Hidden sizes, complements and the cost of reports."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction

import pytest
from written_plans import written_design, written_plan

from ppdm_formal.declare.families.select_a_size import Randomization, balance, optimal_keep
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.design import mirrored, sends_most
from ppdm_formal.design.hidden_sizes import best_cut, one_size, public_sizes, searched_with, ways
from ppdm_formal.design.levels import report_cost
from ppdm_formal.design.plan_facts import Way
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.design.request import Request

F = Fraction
LEVELS = {"rho1": F(1, 20), "rho2": F(1, 2)}
HISTOGRAM = {1: 30_000, 2: 40_000, 3: 20_000, 5: 9_000, 8: 1_000}


def likelihood(law, items, held, output):
    """p[t -> t'] by its definition."""
    kept = len(held & output)
    inserted, absent = len(output - held), items - len(held | output)
    chance = law.keep[kept] / math.comb(law.size, kept)
    return chance * law.insert**inserted * (1 - law.insert) ** absent


def amplification(laws, items, baskets):
    """Over all baskets, by enumeration; laws: of each basket, the set that is sent through it."""
    worst = F(1)
    for size in range(items + 1):
        for output in map(frozenset, itertools.combinations(range(items), size)):
            found = [likelihood(law, items, held, output) for law, held in baskets]
            if min(found) == 0 < max(found):
                return math.inf
            worst = max(worst, max(found) / min(found))
    assert laws
    return worst


@pytest.mark.parametrize(("items", "most"), [(3, 2), (3, 3), (4, 2)])
def test_padded_baskets_of_all_sizes_keep_the_certified_amplification(items, most):
    content = written_plan(
        Request(**LEVELS, histogram=dict.fromkeys(range(most + 1), 1000), itemsets=1, items=items,
                hidden="pad")
    )  # fmt: skip
    (entry,) = content["sizes"]
    assert (content["hidden"], entry["size"], content["items"]) == ("pad", most, items)
    law = plan_of(content).only.at(most).randomization
    baskets = []
    for size in range(most + 1):
        for held in itertools.combinations(range(items), size):
            dummies = range(items, items + most - size)
            baskets.append((law, frozenset({*held, *dummies})))
    found = amplification([law], items + most, baskets)
    assert found <= F(entry["amplification"]) < 19
    assert content["over_all_sizes"] == [
        {"group": "all", "sizes": "pad", "amplification": entry["amplification"]}
    ]
    assert F(entry["expected_size"]) == law.expected_size(items + most)


def test_public_sizes_tell_baskets_of_different_sizes_apart():
    content = written_plan(Request(**LEVELS, histogram={1: 1000, 2: 1000}, itemsets=1, items=4))
    assert content["over_all_sizes"][0]["amplification"] == "infinity"
    one = written_plan(Request(**LEVELS, histogram={2: 1000}, itemsets=1, items=4))
    assert one["over_all_sizes"][0]["amplification"] == one["sizes"][0]["amplification"]
    empty = written_plan(Request(**LEVELS, histogram={0: 5, 2: 1000}, itemsets=1, items=4))
    assert empty["over_all_sizes"][0]["amplification"] == "infinity"


def test_the_best_cut_is_the_best_of_all():
    request = Request(**LEVELS, histogram=HISTOGRAM, itemsets=2)
    tried = [one_size(request, size) for size in range(2, 9)]
    best = min(tried, key=lambda way: way.worst)
    assert best_cut(request) == best
    cut = written_plan(Request(**LEVELS, histogram=HISTOGRAM, itemsets=2, hidden="cut"))
    assert cut["sizes"][0]["size"] == best.size
    assert cut["sizes"][0]["baskets"] == cut["clients"] == 100_000
    for entry in cut["pooled"]:
        k = entry["itemset"]
        assert float(entry["lds"]) == pytest.approx(best.lds[k], rel=1e-6)
        needed = float(entry["lds"]) / float(F(entry["remains"]["evenly"]))
        assert needed == pytest.approx(best.needed[k], rel=1e-6)


def test_ways_compare_public_padded_and_cut():
    request = Request(**LEVELS, histogram=HISTOGRAM, itemsets=2)
    public, pad, cut = ways(request)
    assert (public.sizes, public.size) == ("public", None)
    assert (pad.sizes, pad.size) == ("pad", 8)
    assert cut.sizes == "cut"
    assert public == public_sizes(request)
    # Padding asks every basket the price of the largest; public sizes are the cheaper ones.
    assert all(public.lds[k] < pad.lds[k] for k in (1, 2))
    content = written_plan(request)
    for entry in content["pooled"]:
        assert float(entry["lds"]) == pytest.approx(public.lds[entry["itemset"]], rel=1e-6)
    assert [way["sizes"] for way in content["hiding"]] == ["public", "pad", "cut"]


def test_a_plan_is_not_lost_for_want_of_time_to_compare():
    late = Deadline(60.0, time.monotonic() + 15.0)
    content = written_plan(Request(**LEVELS, histogram={2: 900, 3: 500}, itemsets=1, deadline=late))
    assert content["hiding"] is None
    assert content["pooled"][0]["lds"] is not None
    assert content["notes"] == ["Not compared with other ways, for want of time (--timeout)."]


def test_longest_baskets_are_cut_with_public_sizes_too():
    content = written_plan(Request(**LEVELS, histogram=HISTOGRAM, itemsets=2, longest=3))
    assert [entry["size"] for entry in content["sizes"]] == [1, 2, 3]
    assert content["sizes"][2]["baskets"] == 30_000
    assert [entry["remains"] is not None for entry in content["pooled"]] == [True, True]


def test_a_hopeless_size_is_designed_for_the_supports_that_a_pool_sees():
    gamma = F(19)
    few = 300
    assert searched_with(3, gamma, 2, 10**6) == 10**6
    assumed = searched_with(12, gamma, 3, few)
    assert assumed > few
    content = written_plan(Request(**LEVELS, histogram={3: few - 10, 12: 10}, itemsets=3))
    entry = content["sizes"][1]
    assert entry["searched_with"] == assumed
    assert (entry["transactions"], entry["baskets"]) == (few, 10)
    found = moments(plan_of(content).only.at(12).randomization, 3)
    alone = written_design([12], few, "5%", "50%", 3)
    assert alone["sizes"][0]["itemsets"] < 3  # by itself, that size is for smaller itemsets
    other = moments(plan_of(alone).only.at(12).randomization, 3)
    assert found.noise(3)[0] < other.noise(3)[0]


def test_complements_lose_nothing():
    rho, gamma = F(3, 4), F(7)
    for size, cutoff in ((1, 0), (3, 1), (4, 3)):
        law = Randomization(size, rho, optimal_keep(size, rho, cutoff, gamma))
        other = mirrored(law)
        assert sends_most(law)
        assert not sends_most(other)
        assert mirrored(other) == law
        b, turned = balance(law.keep, law.insert), balance(other.keep, other.insert)
        assert [x / turned[0] for x in turned] == [x / b[-1] for x in reversed(b)]
        for k in range(1, size + 1):
            if moments(law, k).recoverable(k):
                assert moments(law, k).noise(k) == moments(other, k).noise(k)
        items = size + 2
        held = frozenset(range(size))
        everything = frozenset(range(items))
        for width in range(items + 1):
            for output in map(frozenset, itertools.combinations(range(items), width)):
                before = likelihood(law, items, held, output)
                assert likelihood(other, items, held, everything - output) == before
        assert other.expected_size(items) == items - law.expected_size(items)


def test_plans_send_complements_where_most_items_would_be_sent():
    request = {"histogram": {6: 10**6}, "itemsets": 3, "items": 1000, **LEVELS}
    (entry,) = written_plan(Request(**request))["sizes"]
    assert entry["complement_of"]["cutoff"] == 5
    assert F(entry["insert"]) == 1 - F(entry["complement_of"]["insert"]) < F(1, 2)
    assert F(entry["expected_size"]) < 500
    straight = written_design([6], 10**6, "5%", "50%", 3, items=1000, form="paper")["sizes"][0]
    assert entry["lds"] == straight["lds"]
    assert F(entry["expected_size"]) == 1000 - F(straight["expected_size"])
    (paper,) = written_plan(Request(**request, paper=True))["sizes"]
    assert "complement_of" not in paper
    assert paper["cutoff"] == 5


def test_compressed_reports_are_chosen_only_where_they_are_shorter():
    law = Randomization(2, F(1, 4), optimal_keep(2, F(1, 4), 1, F(19)))
    small, large = report_cost(law, 17, 60), report_cost(law, 100_000, 600)
    assert not small.worthwhile
    assert small.bits == small.plain == 17
    assert large.worthwhile
    assert large.bits == 600
    rare = Randomization(2, F(1, 2**16), optimal_keep(2, F(1, 2**16), 0, F(19)))
    listed = report_cost(rare, 100_000, None)
    assert listed.plain == listed.listed == listed.mean_size * 17 == listed.bits
    assert not listed.worthwhile


def test_a_way_that_sees_nothing_of_some_size_needs_more_than_any_other():
    assert Way("public", None, {}, {1: 0.25, 2: 0.5}).worst == 0.5
    assert Way("pad", 3, {}, {1: 0.25, 2: None}).worst == math.inf
