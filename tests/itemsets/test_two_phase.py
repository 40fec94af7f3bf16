"""Two phases: projected sizes, screening, shares, and the plan that is continued."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from written_plans import written_continued, written_plan

from ppdm_formal.certify import certify
from ppdm_formal.cli import run
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.design.at_hand import (
    MOST,
    AtHand,
    chances,
    expected_sizes,
    independent_sizes,
    whole_counts,
)
from ppdm_formal.design.cut import KeptShares, item_shares
from ppdm_formal.design.forecast import pools
from ppdm_formal.design.item_form import best_item_form
from ppdm_formal.design.lifted import lifted_group
from ppdm_formal.design.optimum import best_form
from ppdm_formal.design.plan_file import plan_of, read_plan, write_plan
from ppdm_formal.design.planning import plan_for
from ppdm_formal.design.request import Request
from ppdm_formal.design.two_phase import (
    Screen,
    cut_sizes,
    most_projected,
    screening_clients,
    second_phase,
    two_phase_design,
)
from ppdm_formal.design.two_phase_plan import designed_for, first_cut, two_phase_plan

F = Fraction
GAMMA = F(19) * (1 - F(1, 10**6))


def market(baskets: int, seed: int = 1) -> AtHand:
    """40 items, item i in a basket with chance 0.4 / (1 + i); items 0 and 1 often together."""
    drawn = np.random.default_rng(seed)
    held = drawn.random((baskets, 40)) < 0.4 / (1 + np.arange(40))
    held[:, 1] |= held[:, 0] & (drawn.random(baskets) < 0.5)
    return AtHand.of(40, [np.flatnonzero(row).tolist() for row in held])


DATA = market(5_000)


def request(data: AtHand | None = DATA, **more: object) -> Request:
    given = {
        "rho1": F(1, 20),
        "rho2": F(1, 2),
        "histogram": {m: 400 * n for m, n in (data or DATA).histogram.items()},
        "itemsets": 2,
        "items": 40,
        "form": "two-phase",
        "data": data,
    }
    return Request(**{**given, **more})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def content() -> dict[str, object]:
    return written_plan(request())


def test_projected_sizes_by_enumeration_of_all_choices():
    data = AtHand.of(4, [[0, 1, 3], [2], [], [0, 1, 2, 3], [1, 3]])
    q = [0.9, 0.25, 0.0, 0.5]
    expected = dict.fromkeys(range(5), 0.0)
    for choice in product((False, True), repeat=4):
        chance = math.prod(p if yes else 1 - p for p, yes in zip(q, choice, strict=True))
        for basket in ([0, 1, 3], [2], [], [0, 1, 2, 3], [1, 3]):
            expected[sum(choice[item] for item in basket)] += chance
    found = expected_sizes(data, np.array(q))
    assert found == pytest.approx({m: x for m, x in expected.items() if x})


def test_projected_sizes_of_long_baskets_end_at_the_most():
    data = AtHand.of(MOST + 9, [list(range(MOST + 9)), [0]])
    found = expected_sizes(data, np.ones(MOST + 9))
    assert found == pytest.approx({1: 1.0, MOST: 1.0})


def test_certain_choices_are_the_projection_itself():
    chosen = [0, 3, 17]
    coins = np.zeros(40)
    coins[chosen] = 1
    assert expected_sizes(DATA, coins) == pytest.approx(DATA.projected(chosen).histogram)


def test_sizes_of_independent_items():
    found = independent_sizes([0.5, 0.25, 1.0, -0.1], 1000)
    assert found == pytest.approx({1: 375.0, 2: 500.0, 3: 125.0})
    assert sum(whole_counts(found, 77).values()) == 77


def test_the_chance_to_be_chosen_is_that_of_simulated_estimates():
    """An item with support 2% of 30,000 clients with 3 items each; normal within 2%."""
    group = lifted_group({3: 30_000}, GAMMA, 1, 0.02)
    screen = Screen(group.noise, 30_000, 2.5)
    form = group.sizes[0].form
    drawn = np.random.default_rng(3)
    held = 200
    sent = drawn.binomial(held, float(form.stay), 4000) + drawn.binomial(
        30_000 - held, float(form.insert), 4000
    )
    estimates = (sent / 30_000 - float(form.insert)) / float(form.gain)
    missed = (estimates < screen.threshold).mean()
    assert missed == pytest.approx(screen.missed(held / 30_000), abs=0.03)
    assert screen.missed(screen.threshold) == pytest.approx(0.5)
    assert screen.let_in == pytest.approx(0.0062, abs=1e-4)


@pytest.mark.parametrize("missed", [F(1, 2), F(1, 10), F(1, 100)])
def test_enough_clients_miss_as_seldom_as_asked(missed):
    noise = lifted_group({3: 1000, 6: 1000}, GAMMA, 1, 0.02).noise
    clients = screening_clients(noise, 2.5, missed)(0.03)
    assert Screen(noise, clients, 2.5).missed(0.03) == pytest.approx(float(missed), rel=1e-6)


def test_what_is_found_and_what_is_seen_are_equal():
    wanted = request()
    found = two_phase_design(
        wanted.histogram,
        lambda chosen: expected_sizes(DATA, chances(DATA, chosen)),
        GAMMA,
        3,
    )
    assert sum(found.shares) == 1
    assert list(found.supports) == [2, 3]
    assert list(found.supports.values()) == pytest.approx([found.largest] * 2, rel=5e-3)
    assert found.found == pytest.approx(found.largest, rel=2e-2)  # shares over 2^8
    stricter = two_phase_design(
        wanted.histogram,
        lambda chosen: expected_sizes(DATA, chances(DATA, chosen)),
        GAMMA,
        3,
        missed=F(1, 20),
    )
    assert stricter.largest > found.largest
    assert stricter.shares[0] > found.shares[0]


def test_projected_sizes_are_those_of_the_threshold_that_the_shares_give():
    """Few clients, long baskets: where shares and sizes chase each other, neither may win."""
    long = AtHand.of(30, [list(range(i % 7, i % 7 + 3 + i % 11)) for i in range(900)])

    def projection(chosen):
        return expected_sizes(long, chances(long, chosen))

    found = two_phase_design(
        {m: 10 * n for m, n in long.histogram.items()}, projection, GAMMA, 3, strictness=[2.5]
    )
    screen = found.screen
    assert screen.clients == float(found.shares[0]) * 9000
    again = whole_counts(projection(screen.chosen), 9000)
    assert again == found.projected


def test_no_other_shares_are_better():
    """All shares over 64 for one threshold: phase one and pairs."""
    sizes = {0: 2000.0, 1: 5000.0, 2: 2500.0, 3: 500.0}
    found = two_phase_design({4: 100_000}, lambda chosen: sizes, GAMMA, 2, strictness=[2.5])
    needed = screening_clients(found.items.noise, 2.5, F(1, 2))
    pairs = found.groups[0].noise
    s = found.largest * 0.998  # what a lower support needs, it does not get: needs fall with s
    for top in range(1, 64):
        share = top / 64
        assert needed(s) > share * 100_000 or pairs.clients(s) > (1 - share) * 100_000


def test_cutting_in_phase_one_is_paid_for():
    """Half of a support remains: items must be twice as frequent to be found as before."""
    sizes = {1: 5000.0, 2: 5000.0}
    whole, half = (
        two_phase_design({4: 10**6}, lambda chosen: sizes, GAMMA, 2, strictness=[2.5], kept=kept)
        for kept in (None, KeptShares.alike(0.5))
    )
    assert half.shares[0] > whole.shares[0]
    assert half.missed_at(half.found).mean == pytest.approx(0.5)
    assert half.screen.threshold == pytest.approx(half.found / 2)
    assert half.screen.chosen(0.1) == pytest.approx(1 - half.screen.missed(0.1))


def test_what_remains_of_an_item_is_the_mean_over_all_parts_of_its_baskets():
    baskets = [[0], [0, 1, 2, 3], [1, 3], [0, 2, 3], []]
    shares = item_shares(AtHand.of(5, baskets), 2)
    for item in range(4):
        held = F(0)
        for basket in baskets:
            parts = list(combinations(basket, min(2, len(basket))))
            held += F(sum(item in part for part in parts), len(parts))
        whole = sum(item in basket for basket in baskets)
        assert shares[item] == pytest.approx(float(held / whole))
    assert shares[4] == 1


def test_items_of_long_baskets_are_missed_as_often_as_the_plan_says():
    """Two kinds of items, alike but for their baskets: of one kind half is cut away.

    The chances stated are those of simulated estimates; "evenly" 3/4 of each would remain.
    """
    short = [[1 + i % 3, 4, 5, 6] for i in range(2000)]
    long = [[7 + i % 3, *range(10, 17)] for i in range(2000)]
    data = AtHand.of(17, short + long)
    asked = request(data=data, histogram={4: 200_000, 8: 200_000}, longest=4, items=17)
    found = designed_for(asked, hidden=False)
    support = 2000 / 3 / 4000
    near = found.kept.around(support)
    assert (near.least, near.mean, near.most) == pytest.approx((0.5, 0.75, 1.0))
    form = found.items.sizes[0].form
    clients = round(found.screen.clients)
    drawn = np.random.default_rng(5)
    for share, place in ((1.0, 0.3), (0.5, 0.3)):
        s = found.screen.threshold * (1 + place) / share
        held = drawn.binomial(clients, s * share, 3000)
        sent = drawn.binomial(held, float(form.stay))
        sent += drawn.binomial(clients - held, float(form.insert))
        estimates = (sent / clients - float(form.insert)) / float(form.gain)
        missed = (estimates < found.screen.threshold).mean()
        assert missed == pytest.approx(found.screen.missed(s * share), abs=0.04)
    said = json.loads(write_plan(two_phase_plan(asked)))
    for one in said["two_phase"]["missed"]:
        s = float(one["support"])
        ends = [found.screen.missed(s), found.screen.missed(s / 2)]
        assert [float(end) for end in one["between"]] == pytest.approx(ends)
    assert "at least ~" in said["notes"][0]
    assert "50% to 100% remains in the baskets at hand" in said["notes"][1]


def test_the_size_that_phase_one_is_cut_to_is_the_best():
    asked = request(hidden="cut")
    chosen = first_cut(asked).longest
    values = {}
    for size in range(2, asked.largest + 1):
        kept = sum(n * min(1, F(size, m)) for m, n in asked.histogram.items() if m)
        noise = float(best_item_form(size, GAMMA).noise_absent)
        values[size] = noise / float(kept) ** 2
    assert values[chosen] == min(values.values())
    plan = plan_for(asked)
    assert plan.groups[0].sizes[0].size == chosen
    assert plan.groups[0].hidden == "cut"


def test_cutting_is_paid_for():
    """Padded or cut to two chosen items: one set each, and a known part of supports remains."""
    sizes = {0: 1000.0, 2: 1000.0, 4: 2000.0}
    found = two_phase_design({6: 10**6}, lambda chosen: sizes, GAMMA, 2, hidden=True)
    assert found.hidden
    if found.most == 2:
        assert found.remains == {2: F(1, 3) * (1 + 2 * F(1, 6))}
    assert found.supports[2] == pytest.approx(float(found.lds[2]) / float(found.remains[2]))
    wider = two_phase_design({6: 10**6}, lambda chosen: {4: 1.0}, GAMMA, 2, hidden=False)
    assert wider.remains == {2: 1}


def test_limits_of_projected_baskets():
    assert math.comb(most_projected(3), 3) <= 1000 < math.comb(most_projected(3) + 1, 3)
    assert cut_sizes({1: 5, 4: 2, 9: 3}, 4) == {1: 5, 4: 5}
    long = second_phase({2: 10, 50: 10}, GAMMA, 2, most_projected(2), False, 0.02)
    assert [part.size for part in long[0].sizes] == [2, 45]


def test_the_plan_waits_and_is_continued(content):
    plan = plan_of(content)
    assert [(g.name, g.phase, g.lifted, g.pending) for g in plan.groups] == [
        ("items", 1, 1, False),
        ("pairs", 2, 2, True),
    ]
    assert [one["chance"] for one in content["two_phase"]["missed"]] == sorted(
        (one["chance"] for one in content["two_phase"]["missed"]), key=float, reverse=True
    )
    assert set(content["two_phase"]["projected"]) == {"public", "hidden"}
    chosen = [5, 0, 1, 2]
    done = written_continued(content, chosen, None, DATA)
    second = plan_of(done).groups[1]
    assert second.chosen == (0, 1, 2, 5)
    # A basket that holds all four is cut: its public size would tell everything.
    assert [part.size for part in second.sizes] == [2, 3]
    for part in second.sizes:
        found = certify(second.operator(part.size, 40), BreachClaim(F(1, 20), F(1, 2)))
        assert (found.verdict.value, found.vacuous) == ("certified", False)
    assert plan_of(done).groups[0] == plan.groups[0]
    assert second.share == plan.groups[1].share
    # What is expected is what the data hold, scaled to the clients.
    projected = DATA.projected([0, 1, 2, 5]).histogram
    counted = {part.size: part.baskets for part in second.sizes}
    projected[3] += projected.pop(4, 0)
    for size in (2, 3):
        assert counted[size] == pytest.approx(float(second.share) * 400 * projected[size], abs=2)
    # With so many clients phase one is predicted to find all items, and then sees what it said.
    whole = plan_of(written_continued(content, range(40), None, DATA))
    (pool,) = [p for p in pools(whole) if p.group.name == "pairs"]
    predicted = float(content["two_phase"]["projected"]["public"]["lds"]["2"])
    assert float(pool.lowest) == pytest.approx(predicted, rel=0.03)


def test_without_data_items_count_as_independent(content):
    done = written_continued(content, [0, 1, 2], [0.5, 0.5, 0.0], None)
    (part,) = plan_of(done).groups[1].sizes
    whole = content["clients"] * F(content["groups"][1]["share"])
    assert part.baskets == pytest.approx(float(whole) / 4, rel=1e-3)
    again = written_continued(content, [0, 1, 2, 3], None, None)  # supports unknown: as predicted
    assert [p.size for p in plan_of(again).groups[1].sizes] == [2, 3]


def test_hidden_sizes_stay_hidden():
    content = written_plan(request(hidden="cut", longest=3))
    done = plan_of(written_continued(content, [0, 1, 2, 3], None, DATA))
    assert [group.hidden for group in done.groups] == ["cut", "cut"]
    (part,) = done.groups[1].sizes
    assert done.groups[1].items(40) == 4 + part.size


def test_predicted_noise_of_pairs_is_that_of_simulated_reports(content):
    """Phase two of a continued plan, all clients of the group drawn anew 300 times."""
    done = written_continued(content, [0, 1, 2, 39], None, DATA)
    second = plan_of(done).groups[1]
    projected = DATA.projected([0, 1, 2, 39])
    sizes = projected.sizes
    pair = np.array(
        [{0, 1} <= set(projected.members[a:b].tolist()) for a, b in
         zip(projected.offsets[:-1], projected.offsets[1:], strict=True)]
    )  # fmt: skip
    drawn = np.random.default_rng(11)
    estimates = np.zeros(300)
    exact = 0.0
    for part in second.sizes:
        law = part.randomization
        stay = float(sum(j * p for j, p in enumerate(law.keep))) / law.size
        rho = float(law.insert)
        held = int((pair & (sizes == part.size)).sum())
        rest = int((sizes == part.size).sum()) - held
        sent = drawn.binomial(held, stay, 300) + drawn.binomial(rest, rho, 300)
        estimates += (sent - (held + rest) * rho) / (stay - rho)
        exact += (held * stay * (1 - stay) + rest * rho * (1 - rho)) / (stay - rho) ** 2
    estimates /= len(DATA)
    exact /= len(DATA) ** 2
    assert estimates.mean() == pytest.approx(pair.mean(), abs=4 * math.sqrt(exact / 300))
    assert estimates.var() == pytest.approx(exact, rel=0.35)
    (pool,) = [p for p in pools(plan_of(done)) if p.group.name == "pairs"]
    predicted = pool.variance(F(float(pair.mean()))) * pool.clients / len(DATA)
    assert float(predicted) == pytest.approx(exact, rel=0.25)


def test_forms_suit_each_size(content):
    done = written_continued(content, list(range(8)), None, DATA)
    for part in plan_of(done).groups[1].sizes:
        sets = math.comb(part.size, 2)
        best = best_item_form(sets, GAMMA)
        assert part.randomization.size == sets
        assert float(part.randomization.insert) == pytest.approx(float(best.insert), rel=0.6)


@pytest.mark.parametrize(("size", "gamma"), [(3, F(6)), (4, F(19)), (3, F(99))])
def test_lifted_sets_beat_the_best_reports_of_items(size, gamma):
    """Also after the split; against the optimum over all rho and p[j] for sets of 2 and 3."""
    many = 10**12
    best = best_form(size, gamma, (2, 3), many, deadline=Deadline.after(0.1))
    lifted = sum(best_item_form(math.comb(size, k), gamma).noise_absent for k in (2, 3))
    assert lifted < best.lds**2 * many / 16


def test_at_small_gamma_items_are_reported_in_phase_two():
    """rho1 = 40%, rho2 = 50%: gamma = 3/2, where one report for all sizes of sets is better."""
    small = AtHand.of(5, [[0, 1, 2, 3], [0, 1, 2], [1, 2, 4]] * 100)
    asked = request(small, rho1=F(2, 5), itemsets=3, items=5)
    sizes = {m: 10**6 * n for m, n in small.histogram.items()}
    content = written_plan(replace(asked, histogram=sizes))
    assert [g["lifted"] for g in content["groups"]] == [1, 1]
    assert content["two_phase"]["projected"]["public"]["reports"] == "items"
    done = plan_of(written_continued(content, range(5), None, small))
    second = done.groups[1]
    assert (second.name, second.lifted, second.phase) == ("sets", 1, 2)
    assert [part.size for part in second.sizes] == [2, 3, 4]
    for part in second.sizes:
        assert part.randomization.size == part.size
        assert amplification(second.operator(part.size, 5)).value <= F(3, 2)
        assert amplification(second.witness(part.size)).value <= F(3, 2)
    seen = {p.itemset: float(p.lowest) for p in pools(done) if p.group.name == "sets"}
    predicted = content["two_phase"]["projected"]["public"]["lds"]
    for k in (2, 3):
        assert seen[k] == pytest.approx(float(predicted[str(k)]), rel=0.02)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda c: written_continued(c, [0, 7], None, None), "2 items were chosen.* at least 3"),
        (lambda c: written_continued(c, [0, 40], None, None), "not among the plan's 40 items"),
        (lambda c: written_continued(c, [-1, 4], None, None), "not among the plan's 40 items"),
        (lambda c: written_continued(c, [], None, None), "not among the plan's 40 items"),
        (
            lambda c: written_continued(
                written_continued(c, [0, 1, 2], None, None), [2, 3, 4], None, None
            ),
            "no second phase that waits",
        ),
        (lambda c: written_plan(request(data=None)), "give --data"),
        (lambda c: written_plan(request(itemsets=1)), "at least 2 items"),
        (lambda c: written_plan(request(missed=F(3, 4))), "at most 1/2"),
        (lambda c: written_plan(request(missed=F(0))), "at most 1/2"),
        (
            lambda c: two_phase_design({4: 5}, lambda chosen: {3: 9.0}, GAMMA, 3),
            "5 clients are too few",
        ),
        (
            lambda c: two_phase_design({4: 1000}, lambda chosen: {0: 9.0, 1: 1.0}, GAMMA, 2),
            "too few items would be found",
        ),
    ],
)
def test_bad_input(call, said, content):
    with pytest.raises(ValueError, match=said):
        call(content)


@pytest.mark.parametrize(
    "damage",
    [
        {"two_phase": {}},
        {"two_phase": None},
        {"sizes": {"x": 1}},
        {"sizes": {"-2": 1}},
        {"sizes": {"2": "nan"}},
        {"sizes": {"2": 0}},
        {"missed": []},
        {"missed": [{"support": "-1", "chance": "0.5"}]},
        {"missed": [{"support": "nan", "chance": "0.5"}]},
        {"histogram": {}},
        {"histogram": {"1": 5}},
        {"gamma_used": "1/0"},
        {"gamma_used": "1"},
    ],
)
def test_damaged_predictions_are_refused(damage, content):
    if not set(damage) <= set(content):  # of what is predicted
        damage = {"two_phase": {**content["two_phase"], **damage}}
    with pytest.raises(ValueError, match="is damaged"):
        written_continued({**content, **damage}, [0, 1, 2], None, None)


@pytest.mark.parametrize("clients", [10, 60])
def test_few_clients_are_planned_for(clients):
    """Nothing is discoverable, and the plan says so instead of failing."""
    found = two_phase_design(
        {4: clients}, lambda chosen: {0: 1.0, 2: 1.0, 3: 1.0}, GAMMA, 3, strictness=[2.5]
    )
    assert sum(found.shares) == 1
    assert min(found.shares) > 0
    assert found.largest > 0.3


def written(path, data):
    rows = (
        " ".join(map(str, data.members[a:b].tolist()))
        for a, b in zip(data.offsets[:-1], data.offsets[1:], strict=True)
        if b > a
    )
    path.write_text("\n".join(rows) + "\n")
    return path


def test_from_the_command_line(tmp_path, capsys):
    baskets = written(tmp_path / "market.dat", market(3000))
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    asked = ["--rho1", "5%", "--rho2", "50%", "--items", "40", "--itemsets", "2"]
    assert (
        run(["design", "--data", str(baskets), *asked, "--form", "two-phase", "-o", str(first)])
        == 0
    )
    said = " ".join(capsys.readouterr().out.split())
    assert "hidden projected sizes" in said
    assert "public projected sizes" in said
    assert "misses an item that has a support of" in said
    result = tmp_path / "found.json"
    found = [
        {"items": ["0"], "support": "0.4"},
        {"items": ["1"], "support": "0.3"},
        {"items": ["4"], "support": "0.1"},
        {"items": ["0", "1"], "support": "0.2"},
    ]
    result.write_text(json.dumps({"format": "ppdm-mine/1", "itemsets": found}))
    assert run(["design", "--continue", str(first), str(result), "-o", str(second)]) == 0
    assert "onto 3 items" in " ".join(capsys.readouterr().out.split())
    plan = read_plan(second.read_text())
    assert plan.groups[1].chosen == (0, 1, 4)
    content = json.loads(second.read_text())
    verdicts = {e["certificate"]["verdict"] for g in content["groups"] for e in g["sizes"]}
    assert verdicts == {"certified"}
    for more, why in (
        (["--rho1", "5%"], "--rho1 is decided by the plan"),
        (["--form", "lifted"], "--form is decided by the plan"),
    ):
        assert run(["design", "--continue", str(first), str(result), *more]) == 2
        assert why in " ".join(capsys.readouterr().err.split())
    for text, why in (
        ("41\n", "line 1: this is not one of the 40 items"),
        ("milk\n", "names of items are given by --items FILE"),
        ("1\n\n1\n", "line 3: an item again"),
        ("", "there are no items"),
        ('{"format": "ppdm-mine/2"}', "not a result of format ppdm-mine/1"),
        ('{"format": "ppdm-mine/1", "itemsets": [{"items": [3]}]}', "not a list of names"),
        ('{"format": "ppdm-mine/1", "itemsets": [{"items": ["3"], "support": 1}]}', "as text"),
        ("{", "not JSON"),
        ("7\n", "1 items were chosen"),
    ):
        result.write_text(text)
        assert run(["design", "--continue", str(first), str(result)]) == 2
        assert why in " ".join(capsys.readouterr().err.split())


def test_a_plan_of_items_names_the_best_form(tmp_path, capsys):
    baskets = written(tmp_path / "market.dat", market(3000))
    asked = ["--rho1", "5%", "--rho2", "50%", "--items", "40", "--itemsets", "2"]
    plan = tmp_path / "plan.json"
    assert run(["design", "--data", str(baskets), *asked, "-o", str(plan)]) == 0
    assert "is the best: its largest LDS is" in " ".join(capsys.readouterr().out.split())
    forms = {one["form"]: one for one in json.loads(plan.read_text())["compared"]}
    assert {"lifted", "two-phase"} < set(forms)
    pairs = list(combinations(forms, 2))
    assert len(pairs) == 3
