"""Typed plans: what a plan file may say, what is refused, and the operators of its groups."""

from __future__ import annotations

import copy
import itertools
import json
import math
from fractions import Fraction

import pytest
from written_plans import written_design

from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.design.plan import MAX_SETS, MAX_SIZE, SizePlan
from ppdm_formal.design.plan_file import balance_json, plan_content, plan_of, read_plan

F = Fraction
HALF = ["1/2", "1/2"]


def entry(size, sets=None):
    """Half of everything: the law that says nothing, on C(size, k) sets."""
    sets = size if sets is None else sets
    return {"size": size, "insert": "1/2", "balance": [["1", sets + 1]]}


def group(name, share, lifted=1, phase=1, chosen=None, hidden=None, sizes=None):
    parts = [entry(m, math.comb(m, lifted)) for m in sizes or (3, 4)]
    return {
        "name": name,
        "share": share,
        "lifted": lifted,
        "phase": phase,
        "chosen": chosen,
        "hidden": hidden,
        "sizes": parts,
    }


GROUPS = {
    "format": "ppdm-plan/1",
    "rho1": "5%",
    "rho2": "1/2",
    "items": 10,
    "itemsets": 3,
    "groups": [
        group("items", "1/2"),
        group("pairs", "1/4", 2, 2, [1, 4, 5, 7]),
        group("triples", "1/4", 3, 2, [1, 4, 5, 7], "pad", [4]),
    ],
}


def test_a_plan_without_groups_is_one_group_of_all_clients():
    content = written_design([1, 3], 1000, "5%", "50%", 2, items=20)
    plan = read_plan(json.dumps(content))
    assert (plan.rho1, plan.rho2, plan.items, plan.itemsets) == (F(1, 20), F(1, 2), 20, 2)
    assert plan.flat
    all_clients = plan.only
    assert (all_clients.name, all_clients.share, all_clients.lifted) == ("all", 1, 1)
    assert (all_clients.phase, all_clients.chosen, all_clients.hidden) == (1, None, None)
    assert [part.size for part in all_clients.sizes] == [1, 3]
    operator = all_clients.operator(3, 20)
    assert operator.name == "size 3"
    assert (operator.inputs.items, operator.inputs.members) == (20, 3)
    assert plan_content(plan) == content


def test_groups_have_their_own_universes():
    plan = read_plan(json.dumps(GROUPS))
    items, pairs, triples = plan.groups
    assert not plan.flat
    with pytest.raises(ValueError, match="divides clients into groups"):
        _ = plan.only
    assert items.universe(10) == 10
    assert pairs.universe(10) == math.comb(4, 2)  # chosen items only
    assert triples.universe(10) == math.comb(4 + 4, 3)  # and dummies
    assert triples.dummies == 4
    held = pairs.operator(3, 10).inputs
    assert (held.items, held.members) == (6, 3)
    assert pairs.operator(3, 10).name == "pairs, size 3"
    assert triples.operator(4, 10).name == "triples, up to 4 items"
    assert not any(found.pending for found in plan.groups)


def test_a_second_phase_without_items_is_pending():
    content = copy.deepcopy(GROUPS)
    content["groups"][1]["chosen"] = None
    assert [found.pending for found in plan_of(content).groups] == [False, True, False]


def test_groups_of_all_items_named_otherwise_are_flat_too():
    content = {**GROUPS, "groups": [group("all", "1")]}
    assert plan_of(content).flat


@pytest.mark.parametrize("hidden", ["pad", "cut"])
def test_a_flat_plan_may_hide_sizes(hidden):
    content = {key: GROUPS[key] for key in ("format", "rho1", "rho2", "items")}
    plan = plan_of({**content, "hidden": hidden, "sizes": [entry(4)]})
    assert plan.only.hidden == hidden
    assert plan.only.universe(10) == 14
    assert plan.itemsets == 1  # not said


def test_the_witness_shows_every_ratio_that_any_universe_shows():
    keep = optimal_keep(3, F(1, 3), 1, F(7))
    plan = {**GROUPS, "groups": [group("all", "1", sizes=[3])]}
    plan["groups"][0]["sizes"] = [
        {"size": 3, "insert": "1/3", "keep": [str(p) for p in keep]},
    ]
    only = plan_of(plan).only
    assert amplification(only.witness(3)).text == "7"
    for items in range(3, 9):
        shown = F(amplification(only.operator(3, items)).text)
        assert shown <= 7
        assert (shown == 7) == (items > 3)


def test_probabilities_too_long_to_read_are_kept_as_their_balance():
    short = Randomization(3, F(1, 4), optimal_keep(3, F(1, 4), 1, F(19)))
    assert SizePlan.spelled(3, short).ratios is None
    rho = F(5, 2**16)
    long = Randomization(200, rho, optimal_keep(200, rho, 2, F(19)))
    found = SizePlan.spelled(200, long)
    assert balance_json(found.ratios) == [["1", 3], ["19", 198]]
    content = {**GROUPS, "items": 1000, "groups": [group("all", "1", sizes=[200])]}
    runs = [["1", 3], ["19", 198]]
    content["groups"][0]["sizes"] = [{"size": 200, "insert": "5/65536", "balance": runs}]
    assert read_plan(json.dumps(content)).only.at(200).randomization == long


def test_balances_are_run_lengths():
    for ratios in itertools.product((F(1), F(7, 2)), repeat=4):
        runs = balance_json(ratios)
        assert [F(b) for b, count in runs for _ in range(count)] == list(ratios)
        assert all(a[0] != b[0] for a, b in itertools.pairwise(runs))


def changed(path, value):
    content = copy.deepcopy(GROUPS)
    *parents, last = path
    inside = content
    for key in parents:
        inside = inside[key]
    if value is KeyError:
        del inside[last]
    else:
        inside[last] = value
    return content


ITEMS, PAIRS, TRIPLES = (("groups", place) for place in range(3))
SIZE = (*ITEMS, "sizes", 0)

WRONG = [
    (("rho1",), KeyError, "lacks rho1"),
    (("rho2",), 0.5, "lacks rho2"),
    (("rho1",), "0", "strictly between"),
    (("rho1",), "1/2", "rho1 < rho2"),
    (("items",), 0, "at least 1"),
    (("items",), "10", "not a whole number"),
    (("items",), 7, "items that the plan does not have"),
    (("items",), None, "items that the plan does not have"),
    (("itemsets",), 0, "at least 1"),
    (("itemsets",), True, "not a whole number"),
    (("groups",), [], "1 to 1000 groups"),
    (("groups",), {}, "1 to 1000 groups"),
    (("groups",), [1], "not an object"),
    (("sizes",), [], "sizes beside them"),
    (("hidden",), "pad", "sizes beside them"),
    ((*ITEMS, "name"), KeyError, "no name"),
    ((*ITEMS, "name"), "a\nb", "printable"),
    ((*ITEMS, "name"), "x" * 61, "1 to 60"),
    ((*ITEMS, "name"), "pairs", "a group twice"),
    ((*ITEMS, "share"), "1/3", "do not sum to 1"),
    ((*ITEMS, "share"), "0", "between 0 and 1"),
    ((*ITEMS, "share"), 0.5, "number as text"),
    ((*ITEMS, "share"), "half", "not a number"),
    ((*ITEMS, "lifted"), 0, "from 1 to 20"),
    ((*ITEMS, "lifted"), 4, "no sets of 4 items"),
    ((*ITEMS, "lifted"), 2, "does not have 7 values"),
    ((*ITEMS, "lifted"), None, "not a whole number"),
    ((*ITEMS, "phase"), 3, "from 1 to 2"),
    ((*ITEMS, "chosen"), [1, 2, 3, 4], "of the first phase"),
    ((*ITEMS, "hidden"), "padded", "neither null, pad nor cut"),
    ((*ITEMS, "hidden"), "pad", "more than one"),
    ((*ITEMS, "sizes"), KeyError, "no transaction sizes"),
    ((*ITEMS, "sizes"), [entry(3), entry(3)], "a size twice"),
    ((*ITEMS, "sizes"), [entry(11)], "more than its 10 items"),
    ((*PAIRS, "chosen"), [], "not a list of items"),
    ((*PAIRS, "chosen"), "all", "not a list of items"),
    ((*PAIRS, "chosen"), [1, 1, 2, 3], "do not rise"),
    ((*PAIRS, "chosen"), [-1, 1, 2, 3], "at least 0"),
    ((*PAIRS, "chosen"), [1, 2, 3, 10], "items that the plan does not have"),
    ((*PAIRS, "chosen"), [1, 2], "more than its 2 items"),
    ((*SIZE, "size"), 0, "from 1 to"),
    ((*SIZE, "size"), MAX_SIZE + 1, f"from 1 to {MAX_SIZE}"),
    ((*SIZE, "size"), True, "not a whole number"),
    ((*SIZE, "insert"), "1", "strictly between"),
    ((*SIZE, "insert"), None, "lacks insert"),
    ((*SIZE, "keep"), HALF, "lacks insert, or one of"),
    ((*SIZE, "balance"), KeyError, "lacks insert, or one of"),
    ((*SIZE, "balance"), {}, r"list of \[value, count\]"),
    ((*SIZE, "balance"), [["1"]], r"list of \[value, count\]"),
    ((*SIZE, "balance"), [["0", 4]], "above 0"),
    ((*SIZE, "balance"), [["1", 3]], "does not have 4 values"),
    ((*SIZE, "balance"), [["1", 4], ["2", 1]], "does not have 4 values"),
    ((*SIZE, "balance"), [["1", 10**9]], "from 1 to 4"),
    ((*SIZE, "balance"), [[1, 4]], "number as text"),
]


@pytest.mark.parametrize(("path", "value", "says"), WRONG)
def test_wrong_plans_are_refused_in_a_sentence(path, value, says):
    with pytest.raises(ValueError, match=says):
        read_plan(json.dumps(changed(path, value)))


def test_more_sets_than_are_read_are_refused_before_they_are_made():
    many = next(m for m in range(1, 1000) if math.comb(m, 2) > MAX_SETS)
    content = {**GROUPS, "items": 5000, "groups": [group("pairs", "1", 2, sizes=[many - 1])]}
    assert plan_of(content).groups[0].sizes[0].randomization.size <= MAX_SETS
    content["groups"] = [group("pairs", "1", 2, sizes=[many])]
    with pytest.raises(ValueError, match=f"at most {MAX_SETS} are read"):
        plan_of(content)


def test_deeply_nested_text_is_no_plan():
    with pytest.raises(ValueError, match="nested too deeply"):
        read_plan("[" * 100_000)
