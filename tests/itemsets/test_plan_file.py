"""Plans as files: what is written is read again, and what is damaged is taken as not said."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.families.select_a_size import Randomization
from ppdm_formal.design.cut import Around, Remains
from ppdm_formal.design.item_breach import ItemGoal
from ppdm_formal.design.plan import ALL, Group, Plan, SizePlan, everyone
from ppdm_formal.design.plan_facts import (
    BestFacts,
    Certified,
    CheaperForm,
    Complemented,
    Continued,
    FormFacts,
    FormSeen,
    ItemFacts,
    MissedItem,
    OtherForm,
    PooledForecast,
    ProjectedForecast,
    RealForm,
    SizeFacts,
    TwoPhaseForecast,
    Way,
)
from ppdm_formal.design.plan_file import plan_content, plan_of, read_plan, write_plan

F = Fraction
wholes = st.integers(0, 10**9)
counts = st.integers(1, 10**9)
words = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=30)
exact = st.fractions(0, 100, max_denominator=10**6)
inside = st.fractions(F(1, 1000), F(999, 1000), max_denominator=1000)
floats = st.floats(allow_nan=False, allow_infinity=False)
shares = st.floats(0, 1)
rounded = st.integers(0, 10**14).map(lambda n: Decimal(n).scaleb(-12))
ending = st.integers(1, 10**6).map(lambda n: F(n, 10**6))


def perhaps(values):
    return st.none() | values


def by_size(values):
    return st.dictionaries(st.integers(1, 20), values, max_size=3)


forms = st.builds(
    FormFacts,
    counts,
    st.sampled_from(["best", "paper"]),
    by_size(perhaps(rounded)),
    st.builds(RealForm, floats, floats),
    st.lists(st.builds(CheaperForm, wholes, exact, perhaps(wholes), floats), max_size=2).map(tuple),
    perhaps(
        st.builds(
            BestFacts,
            floats,
            floats,
            floats,
            st.sampled_from(["proved", "best found"]),
            st.builds(OtherForm, exact, wholes, floats),
        )
    ),
    perhaps(st.builds(Complemented, exact, perhaps(wholes))),
    perhaps(counts),
)
items_searched = st.builds(
    ItemFacts, counts, by_size(perhaps(rounded)), counts, by_size(ending), ending
)


@st.composite
def facts(draw, searched):
    found = draw(searched)
    means = exact if found is not None else st.integers(0, 10**9).map(lambda n: Decimal(n) / 100)
    means = means.map(lambda x: x.quantize(Decimal("0.01")) if isinstance(x, Decimal) else x)
    cutoff = None if isinstance(found, ItemFacts) else draw(perhaps(wholes))
    return SizeFacts(
        draw(exact),
        draw(by_size(perhaps(rounded))),
        cutoff,
        draw(perhaps(means)),
        draw(perhaps(wholes)),
        found,
    )


@st.composite
def parts(draw, size, searched, sets=None):
    insert = draw(inside)
    many = size if sets is None else sets
    if sets is None and draw(st.booleans()):
        weights = draw(st.lists(st.integers(0, 9), min_size=many + 1, max_size=many + 1))
        weights[0] += 1
        law = tuple(F(weight, sum(weights)) for weight in weights)
        part = SizePlan(size, Randomization(size, insert, law))
    else:
        above = st.fractions(F(1, 9), 9, max_denominator=9)
        ratios = draw(st.lists(above, min_size=many + 1, max_size=many + 1))
        part = SizePlan.by_ratios(size, insert, ratios)
    return replace(
        part,
        baskets=draw(perhaps(wholes)),
        transactions=draw(perhaps(wholes)),
        facts=draw(perhaps(facts(searched))),
        certificate=draw(perhaps(st.builds(Certified, words, words, words))),
    )


@st.composite
def groups_alike(draw):
    searched = draw(st.sampled_from([forms, items_searched]))
    hidden = draw(st.sampled_from([None, "pad", "cut"]))
    sizes = draw(st.sets(st.integers(1, 4), min_size=1, max_size=3 if hidden is None else 1))
    return (everyone(tuple(draw(parts(m, searched)) for m in sorted(sizes)), hidden),)


@st.composite
def groups_of_sets(draw):
    pairs = Group(
        "pairs", F(1, 3), 2, 2, draw(st.sampled_from([None, (0, 2, 5)])), None,
        (draw(parts(2, st.none(), 1)), draw(parts(3, st.none(), 3))),
    )  # fmt: skip
    return Group("items", F(2, 3), 1, 1, None, None, (draw(parts(3, st.none(), 3)),)), pairs


around = st.builds(Around, floats, floats, floats)
missed = st.builds(MissedItem, floats, floats) | st.builds(
    MissedItem, floats, floats, st.tuples(floats, floats), around
)
figures = st.builds(
    ProjectedForecast,
    st.just(True),
    wholes,
    exact,
    floats,
    st.sampled_from(["items", "sets"]),
    by_size(perhaps(floats)),
    by_size(floats),
)
predictions = st.builds(
    TwoPhaseForecast,
    floats,
    floats,
    floats,
    perhaps(floats),
    st.lists(missed, max_size=3).map(tuple),
    rounded,
    by_size(wholes),
    st.tuples(figures) | st.tuples(figures, figures.map(lambda f: replace(f, hidden=False))),
    perhaps(st.builds(Continued, wholes, by_size(wholes))),
)


@st.composite
def pooled(draw):
    k = draw(st.integers(1, 20))
    kept = draw(perhaps(st.builds(Remains, st.just(k), exact, exact)))
    return PooledForecast(draw(words), k, draw(exact), draw(floats), draw(perhaps(rounded)), kept)


ways = st.builds(
    Way,
    st.sampled_from(["public", "pad", "cut"]),
    perhaps(wholes),
    by_size(perhaps(shares)),
    by_size(perhaps(shares)),
)
goals = st.just(ItemGoal(F(1, 2), (F(1, 20), F(1, 100))))
plans = st.builds(
    Plan,
    st.fractions(F(1, 100), F(1, 2), max_denominator=100),
    st.fractions(F(51, 100), F(99, 100), max_denominator=100),
    st.sampled_from([10, 1000]),
    st.integers(1, 20),
    groups_alike() | groups_of_sets(),
    perhaps(counts),
    perhaps(st.dictionaries(st.integers(0, 9), counts, min_size=1, max_size=3)),
    perhaps(words),
    perhaps(exact.filter(bool)),
    st.booleans(),
    perhaps(goals),
    perhaps(wholes),
    perhaps(st.lists(pooled(), max_size=2).map(tuple)),
    perhaps(st.lists(ways, max_size=2).map(tuple)),
    perhaps(
        st.lists(
            st.builds(FormSeen, perhaps(wholes), words, perhaps(floats), perhaps(words)), max_size=2
        ).map(tuple)
    ),
    perhaps(st.booleans()),
    perhaps(predictions),
    st.lists(words, max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(plans)
def test_what_is_written_is_read_again(plan):
    text = write_plan(plan)
    again = read_plan(text)
    assert again == plan
    assert write_plan(again) == text


def _keys(words):
    return words.split()


BESIDE = _keys(
    "form gamma gamma_used paper transactions deviations assumption notes two_phase histogram "
    "pooled over_all_sizes hiding compared shown"
)
BESIDE_SIZE = _keys(
    "transactions itemsets form bits amplification lds lds_worst cutoff best_real cheaper largest "
    "lower_bound gap evidence paper_form expected_size compressed_bits complement_of "
    "searched_with certificate cut_and_paste item_posteriors"
)
json_values = st.sampled_from(
    [None, True, -1, 2.5, "", "nan", "1e999", "1/0", "x" * 50, [], [1], {}, {"1": 1}, [{}], 10**40]
)


@settings(max_examples=40, deadline=None)
@given(plans, st.sampled_from(BESIDE), st.sampled_from(BESIDE_SIZE), json_values)
def test_what_is_said_besides_may_be_damaged_and_changes_nothing_that_runs(plan, key, part, value):
    content = plan_content(plan)
    sizes = content["sizes"] if plan.groups[0].name == ALL else content["groups"][0]["sizes"]
    for damaged in ({**content, key: value}, {k: v for k, v in content.items() if k != key}):
        again = plan_of(copy.deepcopy(damaged))
        assert running(again) == running(plan)
        read_plan(write_plan(again))
    sizes[0][part] = value
    again = plan_of(content)
    assert running(again) == running(plan)
    read_plan(write_plan(again))


def running(plan):
    """What is run of a plan."""
    return (
        (plan.rho1, plan.rho2, plan.items, plan.itemsets),
        [
            (g.name, g.share, g.lifted, g.phase, g.chosen, g.hidden, [
                (part.size, part.randomization, part.baskets) for part in g.sizes
            ])
            for g in plan.groups
        ],
    )  # fmt: skip


def test_what_a_plan_promises_instead_is_not_left_out():
    """A plan for item-level breaches that lost its level would be shown as another promise."""
    part = SizePlan(1, Randomization(1, F(1, 4), (F(1, 2), F(1, 2))))
    goal = ItemGoal(F(1, 2), (F(1, 20),))
    plan = Plan(F(1, 20), F(1, 2), 10, 1, (everyone((part,)),), item_breach=goal)
    content = json.loads(write_plan(plan))
    assert plan_of(content).item_level
    for wrong in (None, {}, {"level": "1/2"}, {"level": "1/2", "bounds": ["1"]}):
        with pytest.raises(ValueError, match="item_breach of the plan"):
            plan_of({**content, "item_breach": wrong})
