"""Supports from releases: exact counts, no bias by enumeration, pooled errors, refusals, phases."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import plan_cases
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_cases import entry, group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.design.recovery import Randomization, Recovery
from ppdm_formal.run import itemset_counts
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.estimated_supports import Supports, Variance, quantile
from ppdm_formal.run.group_reports import silent_below
from ppdm_formal.run.itemset_counts import OverlapCounter
from ppdm_formal.run.release import Release, ReleasedGroup, ReleasedSize
from ppdm_formal.run.supports import GroupAnswer, GroupQuestion, _slopes, combined, supports

ROWS = st.lists(st.sets(st.integers(0, 6)), max_size=40)


@given(
    blocks=st.lists(ROWS, max_size=4), width=st.integers(1, 4), cells=st.sampled_from([1, 64, 512])
)
def test_counts_of_overlaps(blocks, width, cells):
    """In blocks of any size, against counting one by one."""
    sets = np.array(list(combinations(range(7), width))[::3])
    counter = OverlapCounter(7, sets)
    before, itemset_counts.BLOCK_CELLS = itemset_counts.BLOCK_CELLS, cells
    try:
        for rows in blocks:
            counter.add(Baskets.of(map(sorted, rows)))
        found = counter.counts()
    finally:
        itemset_counts.BLOCK_CELLS = before
    everything = [row for rows in blocks for row in rows]
    for asked, counts in zip(sets.tolist(), found.tolist(), strict=True):
        held = [len(row & set(asked)) for row in everything]
        assert counts == [held.count(k) for k in range(width + 1)]


def test_a_table_of_columns_counts_alike():
    rng = np.random.Generator(np.random.PCG64(5))
    held = rng.random((100, 5)) < 0.4
    sets = np.array([[0, 2], [1, 4], [2, 4]])
    one, two = OverlapCounter(5, sets), OverlapCounter(5, sets)
    one.add(Baskets.of([np.flatnonzero(row).tolist() for row in held]))
    two.add_columns(held[:, two.asked])
    assert one.counts().tolist() == two.counts().tolist()
    packed = np.packbits(held[:, two.asked], axis=0, bitorder="little").T
    words = np.zeros((len(packed), 2), dtype=np.uint64)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    three = OverlapCounter(1 << 60, sets)
    three.add_packed(100, words)
    assert one.counts().tolist() == three.counts().tolist()


def released(made, items, rows):
    """A group as a release has it, with so many rows of each size."""
    sizes = [
        ReleasedSize(p.size, rows.get(p.size, 0), made.operator(p.size, items)) for p in made.sizes
    ]
    return ReleasedGroup(made.name, tuple(sizes), made.share, made.lifted, made.chosen, made.hidden)


CASES = {
    "items": (group("all", "1", (3,)), 4, (0, 1, 3), 1),
    "pairs of items": (group("all", "1", (3,), cutoff=1), 4, (0, 1, 3), 2),
    "triples of items": (group("all", "1", (3,), cutoff=2), 4, (0, 1, 3), 3),
    "lifted pairs": (group("pairs", "1", (3,), 2), 3, (0, 1, 2), 2),
    "lifted pairs, some held": (group("pairs", "1", (2,), 2), 4, (0, 3), 2),
    "padded items": (group("all", "1", (2,), hidden="pad"), 3, (1,), 1),
    "padded pairs": (group("pairs", "1", (2,), 2, hidden="pad"), 2, (0, 1), 2),
    "projected pairs": (group("later", "1", (2,), 1, 2, [1, 3, 4], cutoff=1), 6, (1, 4), 2),
    "projected, lifted": (group("later", "1", (2,), 2, 2, [1, 3, 4]), 6, (1, 4), 2),
}


@pytest.mark.parametrize("name", CASES)
def test_the_estimate_has_no_bias(name):
    """All reports of a client, each with its exact probability: the mean is 1 where A is held."""
    written, items, basket, itemset = CASES[name]
    (made,) = plan_of(plan(written, items=items)).groups
    size = made.sizes[0].size
    held = plan_cases.members(made, basket, items)
    known = range(items) if made.chosen is None else made.chosen
    sets = np.array(list(combinations(known, itemset)))
    one = released(made, items, {size: 1})
    question = GroupQuestion.of(one, items, sets)
    mean, second = np.zeros(len(sets)), np.zeros(len(sets))
    for report, mass in plan_cases.law(made, size, held, items).items():
        counter = OverlapCounter(made.universe(items), question.sets)
        counter.add(Baskets.of([report]))
        answer = GroupAnswer.of(question, {size: counter.counts()})
        found = combined([answer], 1, sets)
        mean += float(mass) * found.estimates
        second += float(mass) * found.estimates**2
    expected = [float(set(asked) <= set(basket)) for asked in sets.tolist()]
    assert mean == pytest.approx(expected, abs=1e-9)
    # The noise lies where the answer says it does, and is `alone` where no item is held.
    noise = second - mean**2
    absent = [not set(asked) & set(basket) for asked in sets.tolist()]
    if made.lifted > 1:
        absent = [not set(asked) <= set(basket) for asked in sets.tolist()]
    assert noise[absent] == pytest.approx(np.full(sum(absent), answer.alone))


def test_two_groups_are_combined_without_bias():
    """Two clients, one in each group: all pairs of reports."""
    content = plan(group("items", "1/2", (2,), cutoff=1), group("pairs", "1/2", (2,), 2), items=3)
    groups = plan_of(content).groups
    baskets = [(0, 1), (0, 2)]
    sets = np.array([[0, 1], [0, 2], [1, 2]])
    questions = [GroupQuestion.of(released(g, 3, {2: 1}), 3, sets) for g in groups]
    laws = [
        plan_cases.law(g, 2, plan_cases.members(g, basket, 3), 3)
        for g, basket in zip(groups, baskets, strict=True)
    ]
    mean, square, said = np.zeros(3), np.zeros(3), np.zeros(3)
    for one, other in product(laws[0].items(), laws[1].items()):
        answers = []
        for g, question, (report, _) in zip(groups, questions, (one, other), strict=True):
            counter = OverlapCounter(g.universe(3), question.sets)
            counter.add(Baskets.of([report]))
            answers.append(GroupAnswer.of(question, {2: counter.counts()}))
        found = combined(answers, 2, sets)
        mass = float(one[1] * other[1])
        mean += mass * found.estimates
        square += mass * found.estimates**2
        said += mass * found.clients**2
    weights = np.array([1 / answer.alone for answer in answers])
    weights /= weights.sum()
    holds = np.array([[set(a) <= set(basket) for a in sets.tolist()] for basket in baskets])
    assert mean == pytest.approx(weights @ holds)
    assert (found.groups[0], len(found)) == (("items", "pairs"), 3)


def test_one_size_is_what_recovery_says(tmp_path):
    """The estimate and its coin error agree with the exact matrices of EGS03 section 4.2."""
    law = Randomization(3, Fraction(1, 4), tuple(map(Fraction, ("1/8", "1/8", "1/4", "1/2"))))
    recovery = Recovery.of(law, 2)
    held = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4]])
    counts = np.round(1000 * held @ np.array(recovery.P, dtype=float).T).astype(np.int64)
    operator = plan_of(plan(group("all", "1", (3,)))).groups[0].operator(3, 6)
    operator = replace_law(operator, law)
    one = ReleasedGroup("all", (ReleasedSize(3, 1000, operator),))
    sets = np.array([[0, 1], [2, 3]])
    answer = GroupAnswer.of(GroupQuestion.of(one, 6, sets), {3: counts})
    found = combined([answer], 1000, sets)
    for place, row in enumerate(counts.tolist()):
        shares = [Fraction(c, 1000) for c in row]
        assert found.estimates[place] == pytest.approx(float(recovery.support(shares)))
        variance = recovery.variance_estimate(shares, 1000)
        assert found.clients[place] ** 2 == pytest.approx(float(variance))


@pytest.mark.parametrize("about", ["clients", "population"])
def test_the_ends_of_intervals_are_just_within_their_deviations(about):
    """(estimate - s)^2 = z^2 variance(s) at both ends, also beyond 0 and 1."""
    rng = np.random.Generator(np.random.PCG64(1))
    estimates = np.concatenate([rng.normal(0.1, 0.15, 200), rng.normal(0.9, 0.15, 200)])
    zero = rng.uniform(1e-4, 1e-2, 400)
    slope = zero * rng.uniform(-0.9, 8, 400)
    spread = Variance(zero, slope, rng.uniform(0, 0.01, 400), rng.uniform(0.01, 0.02, 400))
    found = Supports(tuple((k,) for k in range(400)), estimates, spread, ((),) * 400)
    ends = found.intervals(0.9, about)
    assert (ends[:, 0] < estimates).all()
    assert (estimates < ends[:, 1]).all()
    for end in ends.T:
        away = np.abs(end - estimates) / np.sqrt(spread.at(end, about))
        good = np.isclose(away, quantile(0.9))
        assert good.mean() > 0.97  # where an end falls on 0 or 1 the two forms may not meet
    assert found[3].low == pytest.approx(found.intervals()[3, 0])


def replace_law(operator, law):
    from ppdm_formal.declare.families.select_a_size import select_a_size

    return select_a_size(operator.law.items, law.size, law.insert, keep=law.keep)


def test_the_error_for_a_population_is_the_scatter_of_the_clients(tmp_path):
    """Where nothing is kept within bounds, it is the sample variance of x over n."""
    (made,) = plan_of(plan(group("all", "1", (2,), insert="1/3"))).groups
    one = released(made, 6, {2: 5000})
    sets = np.array([[3]])
    counts = np.array([[3000, 2000]])
    answer = GroupAnswer.of(GroupQuestion.of(one, 6, sets), {2: counts})
    from ppdm_formal.design.closed_form import moments

    weights = [float(w) for w in moments(made.sizes[0].randomization, 1).weights(1)]
    x = np.repeat(weights, counts[0])
    found = combined([answer], 5000, sets)
    assert found.estimates[0] == pytest.approx(x.mean())
    assert found.population[0] ** 2 == pytest.approx(x.var(ddof=1) / 5000, rel=1e-3)
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile(1)


RNG = np.random.Generator(np.random.PCG64(11))
SHOP = [
    sorted({*([0, 2] if k % 3 == 0 else []), *RNG.permutation(6)[: 1 + k % 3].tolist()})[:3]
    for k in range(3000)
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.dat").write_text("".join(" ".join(map(str, r)) + "\n" for r in SHOP))
    return folder


def randomize(folder, content, name, *more, seed=1):
    path = write(folder, content)
    asked = ["randomize", str(folder / "shop.dat"), "-o", str(folder / name), "--plan", str(path)]
    assert run([*asked, "--simulate", str(seed), *more]) == 0
    return Release.read(folder / name)


def truth(itemset):
    return sum(set(itemset) <= set(row) for row in SHOP) / len(SHOP)


ASKED = [(0,), (5,), (0, 2), (1, 4), (0, 2, 3)]
PAIRS_LATER = plan(
    group("items", "1/3", (1, 2, 3)), group("pairs", "2/3", (2, 3), 2, 2, [0, 1, 2, 4])
)


@pytest.mark.parametrize(
    "content",
    [
        plan(group("all", cutoff=2)),
        plan(group("items", "1/3"), group("pairs", "1/3", (2, 3), 2), group("t", "1/3", (3,), 3)),
        plan(group("all", "1", (3,), hidden="pad", cutoff=2)),
    ],
    ids=["plain", "lifted", "padded"],
)
def test_estimates_of_released_data_are_near_the_truth(shop, content):
    release = randomize(shop, content, "out.dat")
    found = supports(release, ASKED)
    for one in found:
        assert one.clients <= one.population
        assert abs(one.estimate - truth(one.itemset)) < 4.5 * one.clients
    assert found[0].groups == (release.transactions.groups[0].name,)
    names = [found[place].groups for place in range(len(found))]
    lifted = "pairs" in {g.name for g in release.transactions.groups}
    if lifted:
        assert names[2] == ("items", "pairs")


@pytest.mark.parametrize("name", ["out.seeds", "out.parquet"])
@pytest.mark.parametrize(
    "content",
    [
        plan(group("all", cutoff=2)),
        plan(group("items", "1/3"), group("pairs", "1/3", (2, 3), 2), group("t", "1/3", (3,), 3)),
        plan(group("all", "1", (3,), hidden="pad", cutoff=2)),
    ],
    ids=["plain", "lifted", "padded"],
)
def test_seeds_give_the_estimates_of_their_transactions(shop, content, name):
    """Counted straight from seeds, from the same seeds written out, and near the truth."""
    release = randomize(shop, {**content, "itemsets": 3}, name, "--compress")
    assert release.sent_seeds
    found = supports(release, ASKED)
    assert run(["expand", str(shop / name), "-o", str(shop / "whole.dat")]) == 0
    whole = Release.read(shop / "whole.dat")
    assert not whole.sent_seeds
    again = supports(whole, ASKED)
    for one, other in zip(found, again, strict=True):
        assert one == other
        assert abs(one.estimate - truth(one.itemset)) < 4.5 * one.clients


def test_sets_larger_than_the_seeds_are_for_are_refused(shop):
    """Q = m + 1: pairs of items are not distributed as the operator says."""
    content = {**plan(group("all", cutoff=2)), "itemsets": 1}
    release = randomize(shop, content, "out.seeds", "--compress")
    assert abs(supports(release, [(0,)])[0].estimate - truth((0,))) < 0.2
    with pytest.raises(ReleaseError, match="says anything"):
        supports(release, [(0, 2)])
    assert run(["expand", str(shop / "out.seeds"), "-o", str(shop / "whole.dat")]) == 0
    with pytest.raises(ReleaseError, match="says anything"):
        supports(Release.read(shop / "whole.dat"), [(0, 2)])


def test_lifted_sets_too_many_to_write_out_are_sent_as_seeds(shop):
    """2,000 items have 1.3 * 10^9 triples."""
    content = plan(group("t", "1", (3,), 3), items=2000)
    (shop / "many.dat").write_text("5 7 1999\n" * 2000)
    path = write(shop, content)
    asked = ["randomize", str(shop / "many.dat"), "--plan", str(path), "--simulate", "1"]
    assert run([*asked, "-o", str(shop / "out.dat")]) == 2
    assert run([*asked, "-o", str(shop / "many.seeds"), "--compress"]) == 0
    release = Release.read(shop / "many.seeds")
    one, other = supports(release, [(5, 7, 1999), (5, 7, 1998)])
    assert abs(one.estimate - 1) < 4.5 * one.clients
    assert abs(other.estimate) < 4.5 * other.clients
    assert run(["expand", str(shop / "many.seeds"), "-o", str(shop / "whole.dat")]) == 2


def test_both_phases_together(shop):
    runs = [
        randomize(shop, PAIRS_LATER, f"{k}.dat", "--phase", str(k), "--group-by", "place")
        for k in (1, 2)
    ]
    found = supports(runs, [(0,), (0, 2), (1, 5)])
    assert [one.groups for one in found] == [("items",), ("items", "pairs"), ("items",)]
    for one in found:
        assert abs(one.estimate - truth(one.itemset)) < 4.5 * one.clients
    alone = supports(runs[0], [(0, 2)])
    assert found[1].clients < alone[0].clients
    for wrong in ([runs[0], runs[0]], [], [runs[1], runs[1]]):
        with pytest.raises(ReleaseError, match=r"two phases of one plan|releases of transactions"):
            supports(wrong, [(0, 2)])
    with pytest.raises(ReleaseError, match=r"nothing|says anything about the itemset \(1, 5\)"):
        supports(runs[1], [(0, 2), (1, 5)])


@pytest.mark.parametrize(
    ("itemsets", "why"),
    [
        ([(0, 6)], "of those that there are"),
        ([(-1,)], "of those that there are"),
        ([(1, 1)], "of those that there are"),
        ([()], "needs an item"),
        ([(0,), (0, 1, 2, 3)], "says anything"),
    ],
)
def test_itemsets_that_make_no_sense_are_refused(shop, itemsets, why):
    content = plan(group("items", "1/2", (1, 2, 3), hidden=None), group("p", "1/2", (2, 3), 2))
    if "anything" in why:
        content = plan(group("p", "1", (2, 3), 2))
    release = randomize(shop, content, "out.dat")
    with pytest.raises(ReleaseError, match=why):
        supports(release, itemsets)


def test_a_set_larger_than_all_baskets_is_not_there(shop):
    """Public sizes say so: the estimate is 0 for certain."""
    release = randomize(shop, plan(group("all", cutoff=2)), "out.dat")
    (found,) = supports(release, [(0, 1, 2, 3)])
    assert (found.estimate, found.population) == (0, 0)


@pytest.mark.parametrize(("hidden", "asked"), [(None, True), ("pad", False), ("cut", False)])
def test_sets_larger_than_a_hidden_size_are_not_asked_for(hidden, asked):
    """Baskets of three items may have been cut to two: that nobody sent three says nothing."""
    (made,) = plan_of(plan(group("all", "1", (2,), hidden=hidden), items=4)).groups
    one = released(made, 4, {2: 5})
    assert GroupQuestion.of(one, 4, np.array([[0, 1]])) is not None
    assert (GroupQuestion.of(one, 4, np.array([[0, 1, 2]])) is not None) == asked


def test_what_cannot_be_recovered_is_said(shop):
    """At m = 3, rho = 1/2, j* = 1 lambda_2 = 0: single items are estimated, pairs are not."""
    sizes = [entry(1, insert="1/2"), entry(2, insert="1/2"), entry(3, insert="1/2", cutoff=1)]
    content = plan({**group("all"), "sizes": sizes})
    release = randomize(shop, content, "out.dat")
    assert abs(supports(release, [(0,)])[0].estimate - truth((0,))) < 0.2
    with pytest.raises(ReleaseError, match="says anything"):
        supports(release, [(0, 1)])


def test_a_table_has_no_supports(tmp_path):
    from ppdm_formal.run.release import DataFile
    from ppdm_formal.run.tally import Tally

    table = Release(DataFile("out.csv", "csv", None), Tally())
    with pytest.raises(ReleaseError, match="releases of transactions"):
        supports(table, [(0,)])


def test_what_few_hold_is_trusted_by_how_sure_it_is():
    """At four deviations what was seen and what is usual count alike; far above, what was seen."""
    alone, usual = 9.0, 1.0
    summed = np.array([12.0, 12_000.0, -5.0])
    found = _slopes(summed, 3 * summed, usual, alone)
    assert found[0] == pytest.approx(2.0)  # half way from 1 to 3
    assert found[1] == pytest.approx(3.0, abs=1e-5)
    assert found[2] == usual


@pytest.mark.parametrize(
    ("lifted", "chosen", "least"),
    [(1, None, 0), (2, None, 2), (3, None, 3), (1, (4, 7), 2), (3, (4, 7), 3)],
)
def test_baskets_that_hold_no_set_that_is_asked_for_are_silent(lifted, chosen, least):
    assert silent_below(SimpleNamespace(lifted=lifted, chosen=chosen)) == least
