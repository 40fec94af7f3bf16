"""Mining plans in rounds, from a plan's file to the page; measured and guessed stay apart."""

import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from ppdm_formal.cli import run
from ppdm_formal.infer.baskets.mined_rounds import in_rounds, mine_rounds
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release
from ppdm_formal.run.told import told

ITEMS, CLIENTS = 12, 9000
LEAST = [0, 1, 2, 3, 4, 6]
PAIRS = [[0, 1], [0, 2], [0, 4], [1, 2], [2, 3], [3, 4]]


def shop():
    """Baskets where 2 and 3 go together, and 0 and 4 never do."""
    rng = np.random.default_rng(1)
    chances = np.array([0.55, 0.4, 0.3, 0.1, 0.2, *[0.03] * (ITEMS - 5)])
    hold = rng.random((CLIENTS, ITEMS)) < chances
    hold[:, 3] |= hold[:, 2] & (rng.random(CLIENTS) < 0.7)
    hold[:, 4] &= ~hold[:, 0]
    hold[~hold.any(axis=1), 1] = True
    return hold


HOLD = shop()


def group(name, share, number, kind, size, chosen, asked):
    law = {"family": "fixed_size", "arguments": {"chosen": chosen, "gamma": "98", "cutoff": 0}}
    return {
        "name": name, "share": share, "round": number, "kind": kind, "size": size, "law": law,
        "asked": {"kind": kind, "sets": None, "least": None, **asked},
    }  # fmt: skip


PLAN = {
    "format": "ppdm-rounds/1", "rho1": "5%", "rho2": "84%", "items": ITEMS, "find": "pairs",
    "top": 5,
    "groups": [
        group("lengths", "1/10", 1, "lengths", 1, 1, {"least": LEAST}),
        group("items", "4/10", 1, "items", 3, 2, {}),
        group("pair lengths", "1/10", 2, "lengths", 1, 1, {"least": LEAST, "sets": PAIRS}),
        group("pairs", "4/10", 2, "itemsets", 2, 2, {"sets": PAIRS}),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("rounds")
    rows = [" ".join(map(str, np.flatnonzero(row))) for row in HOLD]
    (made / "shop.dat").write_text("\n".join(rows) + "\n")
    (made / "plan.json").write_text(json.dumps(PLAN))
    for number in (1, 2):
        asked = ["randomize", str(made / "shop.dat"), "-o", str(made / f"{number}.dat")]
        how = ["--plan", str(made / "plan.json"), "--phase", str(number), "--group-by", "place"]
        assert run([*asked, *how, "--simulate", "3"]) == 0
    return made


@pytest.fixture(scope="module")
def releases(folder):
    return [Release.read(folder / f"{number}.dat") for number in (1, 2)]


@pytest.fixture(scope="module")
def found(releases):
    return mine_rounds(releases, "10%", "20%")


def true(items):
    return float(HOLD[:, [int(item) for item in items]].all(axis=1).mean())


def test_estimates_are_of_the_shop(found):
    assert found.transactions == CLIENTS
    assert found.reports == CLIENTS
    assert len(found.measured) == ITEMS + len(PAIRS)
    away = [(one.support - true(one.items)) / one.se for one in found.measured]
    assert np.abs(away).max() < 4.5
    assert np.mean(np.square(away)) < 2.5
    inside = [one.shrunken_low <= true(one.items) <= one.shrunken_high for one in found.measured]
    assert np.mean(inside) > 0.8


def test_lists_are_of_sets_that_reach_the_least_support(found):
    listed = {one.items for one in found.itemsets()}
    assert {("0",), ("1",), ("2",), ("2", "3")} <= listed
    assert all(true(items) >= 0.09 for items in listed)
    assert len(found) == len(listed)
    assert all(one.support >= 0.1 and one.chance < 0.05 for one in found.itemsets())


def test_supports_are_consistent_and_no_confidence_is_above_all(found):
    known = {one.items: one.consistent for one in found.measured}
    for items, support in known.items():
        assert 0 <= support <= 1
        for part in combinations(items, 1):
            assert support <= known[part]
    rules = list(found.rules())
    assert rules
    for rule in rules:
        assert rule.confidence == pytest.approx(rule.whole.consistent / rule.antecedent.consistent)
        assert 0.2 <= rule.confidence <= 1
        raw = rule.antecedent.support * rule.consequent.support
        assert rule.leverage == pytest.approx(rule.whole.support - raw)


def test_links_are_ranked_by_what_is_sure(found):
    links = list(found.links())
    assert len(links) == len(PAIRS)
    assert links[0].items == ("2", "3")
    assert links[0].sure
    known = {one.items: one for one in links}
    assert not known["0", "4"].sure
    assert known["0", "4"].leverage < 0 < known["2", "3"].low
    for one in links:
        lever = true(one.items) - true(one.items[:1]) * true(one.items[1:])
        assert abs(one.leverage - lever) < 4.5 * one.se


def test_what_is_guessed_was_not_measured(releases):
    found = mine_rounds(releases, "3%")
    asked = {one.items for one in found.measured}
    assert found.guesses
    single = {one.items[0]: one for one in found.measured if len(one.items) == 1}
    for one in found.guesses:
        assert one.items not in asked
        a, b = (single[item] for item in one.items)
        assert a.listed
        assert b.listed
        product = 1.2 * min(a.support, 1) * min(b.support, 1)
        assert one.guess == pytest.approx(min(product, a.support, b.support))
        assert one.guess >= 0.03


def test_the_command_writes_what_was_found(folder, capsys):
    page, out = folder / "m.html", folder / "m.json"
    files = [str(folder / "1.dat"), str(folder / "2.dat")]
    more = ["--min-support", "10%", "--min-confidence", "20%", "--truth", str(folder / "shop.dat")]
    table = folder / "m.csv"
    asked = ["--html", str(page), "--json", str(out), "--csv", str(table)]
    assert run(["mine", *files, *more, *asked]) == 0
    said = capsys.readouterr().out
    assert "Guessed, not measured" in said
    assert "forbid breach 1/20 -> 21/25: certified" in said
    read = json.loads(out.read_text())
    assert read["format"] == "ppdm-mine/1"
    assert {one["kind"] for one in read["measured"]} == {"measured"}
    assert len(read["measured"]) == len(PAIRS)
    assert all(one["kind"] == "guess from items alone" for one in read["guesses"])
    for one in read["measured"]:
        exact = Fraction(int(HOLD[:, [int(k) for k in one["items"]]].all(axis=1).sum()), CLIENTS)
        assert float(one["true"]) == pytest.approx(float(exact), abs=1e-9)
    pairs = read["truth"]["sizes"][1]
    enough = HOLD.T.astype(int) @ HOLD >= 0.1 * CLIENTS
    assert pairs["frequent"] == int(np.triu(enough, 1).sum())
    assert pairs["below_half"] == 0
    assert table.read_text().startswith("items,support,se,")
    shown = page.read_text()
    assert "Items and links" in shown
    assert 'class="disc"' in shown


def test_one_round_counts_that_rounds_reports(releases):
    alone = mine_rounds(releases[0], "10%")
    here = [one for one in told(releases[0]) if one.asked.kind == "items"]
    assert [seen.people for seen in alone.seen] == [here[0].people]
    assert {len(one.items) for one in alone.measured} == {1}
    assert list(alone.links()) == []
    assert alone.guesses
    assert "No pair was measured." in document_html(alone.document())
    with pytest.raises(ReleaseError, match="give all rounds"):
        mine_rounds(releases[1], "10%")
    assert in_rounds(releases)


def test_without_lengths_supports_are_of_what_is_left(releases, monkeypatch):
    from ppdm_formal.infer.baskets import mined_rounds

    kept = [one for one in told(releases) if one.asked.kind != "lengths"]
    monkeypatch.setattr(mined_rounds, "told", lambda every: kept)
    found = mine_rounds(releases, "10%")
    assert not found.uncut
    assert all(one.support == one.kept for one in found.measured)
    assert "what was left after cutting" in document_html(found.document())


def test_bad_rates_and_options(releases, folder, capsys):
    with pytest.raises(ValueError, match="between 0 and 1"):
        mine_rounds(releases, "10%", false_discoveries=1.0)
    files = [str(folder / "1.dat"), "--min-support", "10%"]
    assert run(["mine", *files, "--lowered", "2"]) == 2
    assert "--lowered is not for plans in rounds" in capsys.readouterr().err
    assert run(["mine", str(folder / "shop.dat"), "--plain", "--min-support", "10%",
                "--false-discoveries", "5%"]) == 2  # fmt: skip
