"""Mining releases: against Apriori on single estimates, for every kind of plan."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, pairwise
from types import SimpleNamespace

import numpy as np
import plan_cases
import pytest
from engines import ENGINES, engine
from plan_cases import group, plan, write
from release_oracle import mined

from ppdm_formal.cli import run
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.infer.baskets import chunks, randomized, release_counts, reports
from ppdm_formal.infer.baskets.chunks import ChunkPart
from ppdm_formal.infer.baskets.compare import compared
from ppdm_formal.infer.baskets.engine import LocalEngine
from ppdm_formal.infer.baskets.estimated_rules import coefficients, covariance
from ppdm_formal.infer.baskets.ledger import Ledger
from ppdm_formal.infer.baskets.levels import skewness
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.randomized import mine_release
from ppdm_formal.run.basket_files import Items
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.found_items import read_found_items
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize
from ppdm_formal.run.supports import supports

ITEMS = 6
DRAW = np.random.default_rng(3)
SHOP = [
    sorted({*([0, 2, 4] if k % 3 else []), *DRAW.permutation(ITEMS)[: 1 + k % 3].tolist()})[:3]
    for k in range(6000)
]
LAW = {"insert": "1/8", "gamma": 60}
PLANS = {
    "one group": plan(group("all", cutoff=1, **LAW), itemsets=3, rho2="80%"),
    "sets of items": plan(
        group("items", "1/3", **LAW),
        group("pairs", "1/3", (2, 3), 2, **LAW),
        group("triples", "1/3", (3,), 3, **LAW),
        itemsets=3,
        rho2="80%",
    ),
    "hidden sizes": plan(
        group("all", "1", (3,), hidden="pad", cutoff=1, **LAW), itemsets=3, rho2="80%"
    ),
}
LATER = plan(
    group("items", "1/2", cutoff=1, **LAW),
    group("pairs", "1/2", (2, 3), 2, 2, [0, 2, 4, 5], **LAW),
    itemsets=3,
    rho2="80%",
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.dat").write_text("".join(" ".join(map(str, r)) + "\n" for r in SHOP))
    return folder


def randomize(folder, content, name, *more):
    path = write(folder, content)
    asked = ["randomize", str(folder / "shop.dat"), "-o", str(folder / name), "--plan", str(path)]
    assert run([*asked, "--simulate", "1", *more]) == 0
    return Release.read(folder / name)


def lines(path):
    return path.read_text().splitlines()


def check(releases, found, least, **how):
    """The same sets as the oracle lists, with the same numbers."""
    needed = defaultdict(lambda: 2.0, {seen.size: seen.credible for seen in found.seen})
    assert all(2 <= number < 2.6 for number in needed.values())
    skewed = defaultdict(float, {seen.size: seen.skewness for seen in found.seen})
    listed, pursued = mined(releases, ITEMS, least, needed, skewed, **how)
    assert len(pursued) >= len(listed) > ITEMS
    sets = {tuple(map(int, one.items)): one for one in found.itemsets()}
    assert set(sets) == set(listed)
    for itemset, one in sets.items():
        truth = listed[itemset]
        assert one.support == pytest.approx(truth.estimate, abs=1e-12)
        assert one.se == pytest.approx(truth.clients, abs=1e-12)
        assert one.se_population == pytest.approx(truth.population, abs=1e-12)
        assert one.significant == (truth.estimate >= 4 * truth.clients)
        assert 0 <= one.consistent <= 1
        assert all(
            one.consistent <= sets[part].consistent for part in sets if set(part) < set(itemset)
        )
    by_size = [sum(len(one) == seen.size for one in pursued) for seen in found.seen]
    assert [seen.pursued for seen in found.seen] == by_size
    assert sum(seen.listed for seen in found.seen) == len(found) == len(listed)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("file", ["out.dat", "out.parquet", "out.seeds"])
def test_apriori_on_every_kind_of_plan(shop, name, file):
    release = randomize(shop, PLANS[name], file, *(["--compress"] if file == "out.seeds" else []))
    assert release.sent_seeds == (file == "out.seeds")
    check(release, mine_release(release, "15%", lowered=1.5), 0.15, lowered=1.5)


def test_lowered_thresholds_pursue_more(shop):
    release = randomize(shop, PLANS["one group"], "out.dat")
    few, many = (mine_release(release, "20%", lowered=by) for by in (0, 3))
    check(release, many, 0.2, lowered=3)
    assert [seen.pursued for seen in few.seen] >= [seen.listed for seen in few.seen]
    assert sum(seen.pursued for seen in many.seen) > sum(seen.listed for seen in many.seen)
    assert {one.items for one in few.itemsets()} <= {one.items for one in many.itemsets()}


def test_both_phases(shop):
    both = [
        randomize(shop, LATER, f"{k}.dat", "--phase", str(k), "--group-by", "place") for k in (1, 2)
    ]
    check(both, mine_release(both, "15%", lowered=0), 0.15, lowered=0)
    first = mine_release(both[0], "15%", "10%", lowered=0)
    check(both[0], first, 0.15, lowered=0)
    assert (first.transactions, first.reports) == (6000, len(lines(shop / "1.dat")))
    assert 2700 < first.reports < 3300  # the coins of half of the clients
    lead = first.document().lead
    assert lead.startswith(f"{first.reports:,} randomized transactions, a random part of those of")
    with pytest.raises(ReleaseError, match="give both releases"):
        mine_release(both[1], "15%")
    with pytest.raises(ReleaseError, match=r"1\.dat again"):
        mine_release([both[0], both[0]], "15%")


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("file", ["out.dat", "out.seeds"])
def test_little_memory_changes_nothing(shop, name, file, monkeypatch):
    more = ["--compress"] if file == "out.seeds" else []
    release = randomize(shop, PLANS["sets of items"], file, *more)
    whole = mine_release(release, "10%", "20%")
    monkeypatch.setattr(chunks, "PIECE_ROWS", 100)
    monkeypatch.setattr(chunks, "CHUNK_ROWS", 999)
    monkeypatch.setattr(reports, "AT_ONCE", 1)
    with engine(name):
        again = mine_release(release, "10%", "20%", memory=0)
    assert list(again.itemsets()) == list(whole.itemsets())
    assert list(again.rules()) == list(whole.rules())
    assert len(list(whole.rules())) > 10


def test_rules_are_ratios_of_supports(shop):
    release = randomize(shop, PLANS["one group"], "out.dat")
    found = mine_release(release, "15%", "50%")
    known = {one.items: one.consistent for one in found.itemsets()}
    rules = list(found.rules())
    expected = 0
    for whole, support in known.items():
        for size in range(1, len(whole)):
            for first in combinations(whole, size):
                expected += first in known and support / known[first] >= 0.5
    assert len(rules) >= expected > 5
    for rule in rules:
        both = set(rule.antecedent.items) | set(rule.consequent.items)
        assert both == set(rule.whole.items)
        whole, first, second = rule.whole, rule.antecedent, rule.consequent
        assert rule.confidence == pytest.approx(whole.consistent / first.consistent)
        assert rule.lift == pytest.approx(rule.confidence / second.consistent)
        assert rule.confidence <= 1
        raw = whole.support - first.support * second.support
        assert rule.leverage == pytest.approx(raw, abs=rule.leverage_se**2)
        assert rule.confidence >= 0.5
        assert rule.confidence_se > 0
        assert rule.lift_se > 0
    order = [2 * rule.leverage_se - rule.leverage for rule in rules]
    assert order == sorted(order)
    assert list(found.rules(3)) == rules[:3]


def test_a_second_phase_takes_items_by_their_estimates(shop):
    """As its plan counts on: not only those that surely reach the least support."""
    found = mine_release(
        randomize(shop, LATER, "1.dat", "--phase", "1", "--group-by", "place"), "30%"
    )
    written = shop / "found.json"
    written.write_text("".join(found.json_text()))
    chosen = read_found_items(written, Items(ITEMS)).positions
    estimates = {int(one.items[0]): one.support for one in found.reaching()}
    assert chosen == tuple(sorted(estimates))
    assert all(support >= 0.3 for support in estimates.values())
    assert {int(one.items[0]) for one in found.itemsets() if len(one.items) == 1} <= set(chosen)


def test_frames(shop):
    found = mine_release(randomize(shop, PLANS["one group"], "out.dat"), "15%", "50%")
    sets, rules = found.to_pandas(), found.rules_to_pandas()
    assert sets.columns.tolist()[:2] == ["support", "itemsets"]
    expected = [frozenset(one.items) for one in found.itemsets()]
    assert sets["itemsets"].tolist() == expected
    assert sets["se"].tolist() == [one.se for one in found.itemsets()]
    assert rules.columns.tolist() == [
        "antecedents", "consequents", "antecedent support", "consequent support", "support",
        "confidence", "lift", "confidence se", "lift se",
        "leverage", "leverage se",
    ]  # fmt: skip
    assert rules["lift"].tolist() == [rule.lift for rule in found.rules()]
    assert len(rules) == len(list(found.rules())) > 0


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("basket", [(0, 1), (0, 2, 3), (1, 2, 3), (0, 1, 2)])
def test_covariances_of_coins_have_no_bias(size, basket):
    """All reports of a client: the mean of what is added up is the covariance of x_W and x_A."""
    (made,) = plan_of(plan(group("all", "1", (2, 3), cutoff=1), items=4)).groups
    long = len(basket)
    part = ChunkPart(0, None, ReleasedSize(long, 1, made.operator(long, 4)))
    law = plan_cases.law(made, long, basket, 4)
    whole = tuple(range(size))
    randomization = made.at(long).randomization

    def x(report, items):
        if len(items) > long:
            return 0
        weights = moments(randomization, len(items)).weights(len(items))
        return weights[len(set(report) & set(items))]

    subsets = np.zeros((1, 1 << size), dtype=np.int64)
    for mask in range(1, (1 << size) - 1):
        first = [item for item in whole if mask >> item & 1]
        second = [item for item in whole if not mask >> item & 1]
        for nested, sides in ((True, (whole, first)), (False, (first, second))):
            means = [sum(p * x(r, side) for r, p in law.items()) for side in sides]
            both = sum(p * x(r, sides[0]) * x(r, sides[1]) for r, p in law.items())
            found = 0.0
            each = coefficients(part, mask, subsets, nested)
            for report, mass in law.items():
                holds = [
                    all(item in report for item in whole if some >> item & 1)
                    for some in range(1 << size)
                ]
                found += float(mass) * float(each @ np.array(holds))
            assert found == pytest.approx(float(both - means[0] * means[1]), abs=1e-9)


def test_errors_of_rules_are_the_scatter_over_releases():
    """150 collections of the same 4,000 baskets, drawn here: the errors said are those seen."""
    from ppdm_formal.infer.baskets.levels import Levels
    from ppdm_formal.run.baskets import Baskets

    (made,) = plan_of(plan(group("all", "1", (2,), insert="1/8", gamma=60), items=4)).groups
    part = made.at(2).randomization
    draw = np.random.default_rng(8)
    baskets = np.array([[0, 1]] * 2000 + [[0, 2]] * 800 + [[1, 3]] * 1200)
    seen = []
    for _ in range(150):
        held = draw.random((len(baskets), 4)) < float(part.insert)
        kept = draw.choice(3, size=len(baskets), p=[float(p) for p in part.keep])
        mixed = draw.permuted(baskets, axis=1)
        for place in range(2):
            held[np.arange(len(baskets)), mixed[:, place]] = place < kept
        reports_ = Baskets.joined(np.nonzero(held)[1], held.sum(axis=1))
        counter = _Counter(made, len(baskets), reports_)
        levels = Levels(counter)
        found = randomized.mine_levels(levels, 0.1, 1.0, 2)
        rules = randomized.rules_of(levels, found.estimates, found.listed, 0)
        one = np.flatnonzero((rules.antecedent == 1) & (rules.consequent == 2))
        if len(one):
            at = int(one[0])
            seen.append(
                [rules.confidence[at], rules.confidence_se[at], rules.lift[at], rules.lift_se[at]]
            )
    assert len(seen) == 150
    confidence, confidence_se, lift, lift_se = np.array(seen).T
    assert confidence.mean() == pytest.approx(2000 / 2800, abs=0.02)
    assert np.sqrt((confidence_se**2).mean()) == pytest.approx(confidence.std(), rel=0.2)
    assert np.sqrt((lift_se**2).mean()) == pytest.approx(lift.std(), rel=0.2)


class _Counter(release_counts.ReleaseCounts):
    """Counts in reports at hand."""

    def __init__(self, made, rows, baskets):
        one = ReleasedGroup("all", (ReleasedSize(2, rows, made.operator(2, 4)),))
        tally = SimpleNamespace(rows_out=rows, dropped={(None, "phase"): 0})
        found = SimpleNamespace(groups=(one,), names=None)
        self.phases = [SimpleNamespace(tally=tally, transactions=found)]
        self.items = 4
        self.parts = [ChunkPart(0, one, one.sizes[0])]
        self._share = float
        self._ledger = Ledger()
        self._ledger.open(str, 1)
        self._engine = LocalEngine(_AtHand(baskets))


class _AtHand:
    """One chunk."""

    chunks = (None,)

    def __init__(self, baskets):
        self._baskets = baskets

    def rows_of(self, number):
        return {0: len(self._baskets)}

    def reports(self, chunks, lifted=1):
        for chunk in chunks:
            yield chunk, iter([(0, reports.Lists(self._baskets))] if lifted == 1 else [])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_skewness_is_that_of_the_noise(size):
    """Of a client that holds none of the items, from all of its reports."""
    (made,) = plan_of(plan(group("all", "1", (3,), cutoff=1), items=6)).groups
    weights = moments(made.at(3).randomization, size).weights(size)
    second = third = 0
    for report, mass in plan_cases.law(made, 3, (3, 4, 5), 6).items():
        x = weights[len(set(report) & set(range(size)))]
        second, third = second + mass * x**2, third + mass * x**3
    one = ReleasedGroup("all", (ReleasedSize(3, 100, made.operator(3, 6)),))
    assert skewness(one, size) == pytest.approx(abs(float(third)) / float(second) ** 1.5 / 10)


def test_groups_whose_noise_jumps_are_not_asked(shop):
    """Few insertions: a report that holds a pair by chance is rare, and would count much."""
    content = plan(group("all", insert="1/128", gamma=60), itemsets=2, rho2="80%")
    release = randomize(shop, content, "rare.dat")
    found = mine_release(release, "5%")
    assert [seen.size for seen in found.seen] == [1]
    assert [seen.pursued for seen in found.seen] == [ITEMS]


def test_groups_that_report_sets_are_asked_about_these_however_their_noise_jumps(shop, monkeypatch):
    monkeypatch.setattr("ppdm_formal.infer.baskets.levels.MAX_SKEWNESS", 0.0)
    release = randomize(shop, PLANS["sets of items"], "out.dat")
    found = mine_release(release, "5%")
    assert [seen.size for seen in found.seen] == [1, 2, 3]
    for size, name in ((2, "pairs"), (3, "triples")):
        nodes = list(found.levels.trie.nodes(size))
        asked = [group.name for _, group in found.levels.groups]
        assert found.estimates.shares[nodes].tolist() == [[float(n == name) for n in asked]] * len(
            nodes
        )
    others = mine_release(randomize(shop, PLANS["one group"], "out.dat"), "5%")
    assert [seen.size for seen in others.seen] == [1]


def test_coins_of_groups_that_report_sets_are_left_out_of_covariances():
    """Two pairs, which both groups estimate: reports of items count, those of pairs do not."""
    content = plan(group("items", "1/2", (4,), cutoff=1), group("pairs", "1/2", (4,), 2), items=5)
    rows = {"items": 30, "pairs": 70}
    groups = [
        ReleasedGroup(
            made.name, (ReleasedSize(4, rows[made.name], made.operator(4, 5)),), lifted=made.lifted
        )
        for made in plan_of(content).groups
    ]
    parts = [ChunkPart(0, one, one.sizes[0]) for one in groups]
    counts = [np.array([30, *range(20, 5, -1)]), np.array([70, *[0] * 15])]
    levels = SimpleNamespace(
        groups=[(0, one) for one in groups],
        counter=SimpleNamespace(parts=parts),
        counts=counts,
        clients=100,
    )
    shares = np.tile([0.25, 0.75], (16, 1))
    subsets, mask, spread = np.arange(16)[None, :], 3, np.array([0.04])
    pair = (np.array([3]), np.array([12]))
    found = covariance(levels, SimpleNamespace(shares=shares), subsets, mask, pair, spread)
    coins = 0.25**2 * counts[0] @ coefficients(parts[0], mask, subsets, False) / 30**2
    drawn = (0.25**2 / 30 + 0.75**2 / 70 - 1 / 100) * 0.04
    assert abs(coins) > 1e-3
    assert found.tolist() == pytest.approx([coins + drawn], rel=1e-12)


def test_sets_that_cannot_be_told_from_zero_are_not_pursued(shop):
    """A tiny least support: without the limit every set of every size would be a candidate."""
    release = randomize(shop, plan(group("all", cutoff=2), itemsets=3), "noisy.dat")
    found = mine_release(release, 1)
    assert found.seen[-1].candidates < 20
    assert sum(seen.unclear for seen in found.seen) > 0
    assert all(one.support >= 2 * one.se for one in found.itemsets())


def test_against_the_original_transactions(shop):
    release = randomize(shop, PLANS["one group"], "out.dat")
    truth = PlainData.read(shop / "shop.dat")
    held = {
        one: sum(set(one) <= set(row) for row in SHOP)
        for size in range(1, 4)
        for one in combinations(range(ITEMS), size)
    }
    drops = inventions = 0
    for least in (10, 15, 19, 21, 25, 33):
        found = mine_release(release, f"{least}%", false_discoveries=0.9)
        against = compared(found, truth)
        assert against.transactions == 6000
        true = {one for one, count in held.items() if 100 * count >= 6000 * least}
        listed = {tuple(map(int, one.items)) for one in found.itemsets()}
        for part in against.sizes:
            own = {one for one in true if len(one) == part.size}
            got = {one for one in listed if len(one) == part.size}
            assert (part.frequent, part.listed) == (len(own), len(got))
            assert part.true_positives == len(own & got)
            assert part.false_drops == len(own - got)
            assert part.false_positives == len(got - own)
            dropped = max((held[one] for one in own - got), default=None)
            invented = min((held.get(one, 0) for one in got - own), default=None)
            assert part.largest_dropped == (None if dropped is None else Fraction(dropped, 6000))
            expected = None if invented is None else Fraction(invented, 6000)
            assert part.smallest_invented == expected
            drops, inventions = drops + part.false_drops, inventions + part.false_positives
            _check_ranges(release, part, own, [held.get(one, 0) for one in got], least)
        assert len(against.judged) == len(true | listed)
    assert min(drops, inventions) > 0


def _check_ranges(release, part, frequent, listed, least):
    """Estimates of frequent sets, and counts of listed ones, in shares of the least support."""
    ends = (-9, 0.5, 0.75, 1, 9e9)
    told = [supports(release, [one])[0].estimate * 100 / least for one in frequent]
    true = [count * 100 / 6000 / least for count in listed]
    for shares, found in ((told, part.estimated), (true, part.supported)):
        expected = [sum(a <= share < b for share in shares) for a, b in pairwise(ends)]
        assert found == tuple(expected)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"lowered": -1.0}, "lowered"),
        ({"lowered": float("nan")}, "lowered"),
        ({"max_size": 0}, "at least one item"),
        ({"min_confidence": "2"}, "least confidence"),
    ],
)
def test_bad_questions(shop, wrong, message):
    release = randomize(shop, PLANS["one group"], "out.dat")
    with pytest.raises(ValueError, match=message):
        mine_release(release, "10%", **wrong)


def test_limits(shop, monkeypatch):
    release = randomize(shop, PLANS["one group"], "out.dat")
    monkeypatch.setattr(randomized, "MAX_ITEMSETS", 14)
    with pytest.raises(DataError, match="more than 14 candidate itemsets of 2 items"):
        mine_release(release, "1%")
    assert len(mine_release(release, "1%", max_size=1).seen) == 1
