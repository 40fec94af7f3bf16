"""ppdm mine from the command line: plain transactions, and releases."""

import csv
import hashlib
import json
import os
import re

import pytest

from ppdm_formal.cli import run
from ppdm_formal.infer.baskets import chunks, mine_files
from ppdm_formal.infer.baskets.engine import LocalEngine
from ppdm_formal.run.release import signed

BASKETS = "bread,milk\nbread,milk,tea\nmilk\ntea,milk\nbread\n"


@pytest.fixture
def baskets(tmp_path):
    file = tmp_path / "baskets.csv"
    file.write_text(BASKETS)
    return file


def mine(*arguments):
    return run(["mine", *map(str, arguments)])


def table_of(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_json_has_everything(baskets, capsys):
    options = ("--min-support", "40%", "--min-confidence", "70%", "--json", "-")
    assert mine(baskets, "--plain", *options) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "ppdm-mine/1"
    assert found["source"] == {"files": ["baskets.csv"]}
    assert {key: found[key] for key in found if key.startswith(("min", "max", "kind", "tr"))} == {
        "kind": "exact",
        "transactions": 5,
        "min_support": "2/5",
        "min_count": 2,
        "max_size": None,
        "min_confidence": "7/10",
    }
    exact = {"se": "0", "significant": True}
    assert found["itemsets"] == [
        {"items": ["bread"], "count": 3, "support": "0.6", **exact},
        {"items": ["milk"], "count": 4, "support": "0.8", **exact},
        {"items": ["tea"], "count": 2, "support": "0.4", **exact},
        {"items": ["bread", "milk"], "count": 2, "support": "0.4", **exact},
        {"items": ["milk", "tea"], "count": 2, "support": "0.4", **exact},
    ]
    assert found["rules"] == [
        {
            "antecedent": ["tea"],
            "consequent": ["milk"],
            "count": 2,
            "support": "0.4",
            "confidence": "1",
            "lift": "1.25",
        }
    ]


def test_files_and_terminal(baskets, tmp_path, capsys):
    pq = pytest.importorskip("pyarrow.parquet")
    names = [str(tmp_path / name) for name in ("out.json", "out.csv", "out.parquet")]
    options = ("--json", names[0], "--csv", names[1], "--parquet", names[2])
    assert mine(baskets, "--plain", "--min-support", "2", "--min-confidence", "2/3", *options) == 0
    shown = capsys.readouterr().out
    assert "5 transactions; an itemset is frequent from 2 transactions on" in shown
    assert "{bread, milk}" in shown
    assert "{tea} => {milk}" in shown
    assert [line for line in shown.splitlines() if line.startswith("Wrote")] == [
        f"Wrote {tmp_path / name}"
        for name in ("out.json", "out.csv", "out.parquet", "out.rules.csv", "out.rules.parquet")
    ]
    rows = table_of(tmp_path / "out.csv")
    assert rows[0] == ["items", "count", "support", "se", "significant"]
    assert rows[4] == ["bread,milk", "2", "0.4", "0", "true"]
    rules = table_of(tmp_path / "out.rules.csv")
    assert rules[1] == ["tea", "milk", "2", "0.4", "1", "1.25"]
    assert rules[2] == ["bread", "milk", "2", "0.4", "0.666666666667", "0.833333333333"]
    table = pq.read_table(names[2]).to_pylist()
    assert table[3] == {
        "items": ["bread", "milk"], "count": 2, "support": 0.4, "se": 0.0, "significant": True,
    }  # fmt: skip
    table = pq.read_table(tmp_path / "out.rules.parquet").to_pylist()
    assert table[0]["antecedent"] == ["tea"]
    assert table[0]["lift"] == 1.25
    assert len(json.loads((tmp_path / "out.json").read_text())["itemsets"]) == len(rows) - 1 == 5


def test_the_page_of_plain_transactions(baskets, tmp_path):
    page = tmp_path / "out.html"
    assert mine(baskets, "--plain", "--min-support", "40%", "--html", page) == 0
    shown = page.read_text()
    assert "<h4>Supports of the most frequent itemsets of two or more items</h4><svg" in shown
    assert "least support, 40%" in shown
    assert "95% interval" not in shown
    assert mine(baskets, "--plain", "--min-support", "100%", "--html", page) == 0
    assert "<svg" not in page.read_text()


def test_without_confidence_there_are_no_rules(baskets, tmp_path, capsys):
    target = tmp_path / "out.csv"
    options = ("--json", "-", "--csv", target, "--max-size", 1)
    assert mine(baskets, "--plain", "--min-support", "1", *options) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rules"] is None
    assert found["max_size"] == 1
    assert [one["items"] for one in found["itemsets"]] == [["bread"], ["milk"], ["tea"]]
    assert sorted(os.listdir(tmp_path)) == ["baskets.csv", "out.csv"]


def test_many_rows_are_written_in_pieces(tmp_path, monkeypatch, capsys):
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(mine_files, "AT_ONCE", 10)
    file = tmp_path / "some.dat"
    file.write_text("1 2 3 4 5 6\n")
    names = [tmp_path / name for name in ("o.json", "o.csv", "o.parquet")]
    options = ("--json", names[0], "--csv", names[1], "--parquet", names[2])
    assert mine(file, "--plain", "--min-support", "1", "--min-confidence", "0", *options) == 0
    assert len(json.loads(names[0].read_text())["itemsets"]) == 63
    assert len(names[1].read_text().splitlines()) == 64
    assert pq.read_table(names[2]).num_rows == 63
    rules = 3**6 - 2 * 2**6 + 1
    assert pq.read_table(tmp_path / "o.rules.parquet").num_rows == rules
    assert "20 of 57;" in capsys.readouterr().out


def test_names_are_harmless(tmp_path, capsys):
    file = tmp_path / "names.csv"
    file.write_text('"a,""b",\x1b[31mred\n' * 2, newline="")
    target = tmp_path / "out.csv"
    assert mine(file, "--plain", "--min-support", "2", "--csv", target) == 0
    assert "\x1b[31m" not in capsys.readouterr().out
    rows = table_of(target)
    assert next(csv.reader([rows[3][0]])) == ["\x1b[31mred", 'a,"b']


def test_nothing_found_is_said(baskets, capsys):
    assert mine(baskets, "--plain", "--min-support", "5", "--min-confidence", "50%") == 0
    shown = capsys.readouterr().out
    assert "no item is in that many transactions" in shown
    assert "no rule has a confidence of 1/2 or more" in shown
    assert mine(baskets, "--plain", "--min-support", "100%", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["itemsets"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--min-support", "1"), "original transactions need --plain"),
        (("--plain", "--min-support", "1", "--truth", "x.dat"), "for releases"),
        (("--plain", "--min-support", "1", "--lowered", "2"), "for releases"),
        (("--min-support", "1", "--column", "x"), "--column is for original"),
        (("b.csv", "--plain", "--min-support", "1"), "b.csv: No such file"),
        (("--plain", "--min-support", "1", "--engine", "dask"), "for releases"),
        (("--plain", "--min-support", "1", "--resume", "x"), "for releases"),
        (("--min-support", "1", "--scheduler", "tcp://x:1"), "for --engine dask"),
        (("--min-support", "1", "--resume", "baskets.csv"), "would destroy it"),
        (("--min-support", "1", "--resume", "a", "--json", "a"), "the same file"),
        (("--plain",), "--min-support"),
        (("--plain", "--min-support", "0"), "at least 1"),
        (("--plain", "--min-support", "2.5"), "a whole number such as 50"),
        (("--plain", "--min-support", "many"), "not a number"),
        (("--plain", "--min-support", "1", "--min-confidence", "2"), "between 0 and 1"),
        (("--plain", "--min-support", "1", "--max-size", "0"), "--max-size"),
        (("--plain", "--min-support", "1", "--column", "x"), "only a Parquet file"),
        (("--plain", "--min-support", "1", "--csv", "-"), "only --json, --html and --markdown"),
        (("--plain", "--min-support", "1", "--csv", "baskets.csv"), "would destroy it"),
        (("--plain", "--min-support", "1", "--csv", "a", "--json", "a"), "the same file"),
        (("--plain", "--min-support", "1", "--csv", "no/a.csv"), "no"),
    ],
)
def test_bad_usage(baskets, arguments, message, capsys, monkeypatch):
    monkeypatch.chdir(baskets.parent)
    assert mine("baskets.csv", *arguments) == 2
    assert message in capsys.readouterr().err
    assert baskets.read_text() == BASKETS
    assert os.listdir(baskets.parent) == ["baskets.csv"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.dat", None, "No such file"),
        ("empty.dat", b"", "no transactions"),
        ("bad.dat", b"1\n\xff\n", "line 2: not UTF-8"),
        ("some.txt", b"1\n", "transactions are in .dat"),
    ],
)
def test_bad_files(tmp_path, name, content, message, capsys):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    target = tmp_path / "out.json"
    assert mine(file, "--plain", "--min-support", "1", "--json", target) == 2
    assert message in capsys.readouterr().err
    assert not target.exists()


@pytest.mark.parametrize("what", ["mined_csv", "mined_parquet"])
def test_stopped_while_writing_nothing_is_left(baskets, tmp_path, what, monkeypatch, capsys):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(mine_files, what, stop)
    old = tmp_path / "out.json"
    old.write_text("old")
    options = ("--json", old, "--csv", tmp_path / "o.csv", "--parquet", tmp_path / "o.parquet")
    assert mine(baskets, "--plain", "--min-support", "1", "--min-confidence", "0", *options) == 130
    assert "stopped" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == ["baskets.csv", "out.json"]
    assert old.read_text() == "old"


PLAN = {
    "format": "ppdm-plan/1",
    "rho1": "5%",
    "rho2": "96%",
    "items": 4,
    "itemsets": 2,
    "sizes": [{"size": 2, "insert": "1/8", "keep": ["1/10", "3/10", "6/10"]}],
}


@pytest.fixture
def release(tmp_path):
    """3,000 baskets through a plan, in a folder with their original."""
    (tmp_path / "shop.dat").write_text("0 1\n" * 1500 + "0 2\n" * 900 + "1 3\n" * 600)
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    target = tmp_path / "out.dat"
    options = ["--plan", str(tmp_path / "plan.json"), "-o", str(target), "--simulate", "1"]
    assert run(["randomize", str(tmp_path / "shop.dat"), *options]) == 0
    return target


def test_a_release_is_mined_with_errors(release, tmp_path, capsys):
    pq = pytest.importorskip("pyarrow.parquet")
    capsys.readouterr()
    names = {kind: tmp_path / f"found.{kind}" for kind in ("json", "csv", "parquet", "html")}
    options = [part for kind, name in names.items() for part in (f"--{kind}", name)]
    asked = ("--min-support", "20%", "--min-confidence", "50%", "--truth", tmp_path / "shop.dat")
    assert mine(release, *asked, *options) == 0
    shown = capsys.readouterr().out
    assert "3,000 randomized transactions" in shown
    assert "Against the original transactions" in shown
    assert "it protects nobody" in shown
    found = json.loads(names["json"].read_text())
    assert (found["kind"], found["simulated"], found["transactions"]) == ("sampled", True, 3000)
    sets = {tuple(one["items"]): one for one in found["itemsets"]}
    truth = {("0",): 0.8, ("1",): 0.7, ("2",): 0.3, ("0", "1"): 0.5, ("0", "2"): 0.3}
    for itemset, support in truth.items():
        one = sets[itemset]
        assert abs(float(one["support"]) - support) < 4.5 * float(one["se"])
        assert 0 < float(one["se"]) <= float(one["se_population"])
        assert float(one["lo"]) < float(one["support"]) < float(one["hi"])
        assert one["significant"] is True
    assert found["truth"]["sizes"][1]["true_positives"] == 2 + (("1", "3") in sets)
    rules = {(*one["antecedent"], "=>", *one["consequent"]): one for one in found["rules"]}
    one = rules["1", "=>", "0"]
    assert abs(float(one["confidence"]) - 5 / 7) < 4.5 * float(one["confidence_se"])
    assert abs(float(one["lift"]) - 5 / 7 / 0.8) < 4.5 * float(one["lift_se"])
    rows = table_of(names["csv"])
    assert rows[0] == [
        "items", "support", "se", "se_population", "lo", "hi", "consistent", "significant",
    ]  # fmt: skip
    assert len(rows) == 1 + len(sets) == 1 + pq.read_table(names["parquet"]).num_rows
    rows = table_of(tmp_path / "found.rules.csv")
    assert rows[0] == [
        "antecedent", "consequent", "support", "se", "confidence", "confidence_se", "lift",
        "lift_se", "leverage", "leverage_se",
    ]  # fmt: skip
    assert len(rows) == 1 + len(rules)
    page = names["html"].read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "What to know" in page
    for title in ("Supports of the most", "Estimated against true supports", "Found and missed"):
        assert re.search(f"<h4>{title}[^<]*</h4><svg", page)
    assert "least support, 20%" in page
    assert "Picture" not in shown
    assert (
        found["truth"]["sizes"][0]["supported"][3] == found["truth"]["sizes"][0]["true_positives"]
    )


def test_supports_that_the_plan_cannot_see_are_said(release, tmp_path, capsys):
    capsys.readouterr()
    original = tmp_path / "other.dat"
    original.write_text("0 1\n")
    assert mine(release, "--min-support", "0.1%", "--truth", original) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "cannot be told from zero by four standard errors" in shown
    assert "The original data have 1 transaction, the release 3,000 transactions" in shown


def test_the_page_or_the_json_can_go_to_standard_output(release, capsys):
    for option, begin in (("--json", "{"), ("--html", "<!")):
        capsys.readouterr()
        assert mine(release, "--min-support", "30%", "--max-size", 1, option, "-") == 0
        assert capsys.readouterr().out.startswith(begin)


def test_bad_releases(release, tmp_path, capsys):
    asked = ("--min-support", "10%", "--json", tmp_path / "found.json")
    before = sorted(os.listdir(tmp_path))
    assert mine(release, release, *asked) == 2
    assert "out.dat again" in capsys.readouterr().err
    assert mine(release, "--min-support", "10%", "--json", f"{release}.release.json") == 2
    assert "would destroy it" in capsys.readouterr().err
    release.write_text(release.read_text() + "0\n")
    assert mine(release, *asked) == 2
    assert "their digest is another" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == before
    table = tmp_path / "table.csv"
    table.write_text("x\n1\n0\n")
    (tmp_path / "m.ppdm").write_text(
        "domain X = 0..1\noperator R = randomized_response(values: 2, keep: 3/4)\n"
        "audit R { forbid breach 1/20 -> 1/2 }\n"
    )
    done = tmp_path / "done.csv"
    options = ["--model", str(tmp_path / "m.ppdm"), "--operator", "R=x", "-o", str(done)]
    assert run(["randomize", str(table), *options]) == 0
    assert mine(done, *asked) == 2
    assert "transactions" in capsys.readouterr().err


def test_transactions_left_out_or_cut_are_said(release, tmp_path, capsys):
    """Supports are then about something else than all that was collected."""
    long = tmp_path / "long.dat"
    long.write_text("0 1\n" * 900 + "0 1 2\n" * 100)
    options = ["--plan", str(tmp_path / "plan.json"), "--simulate", "1"]
    said = {
        "drop": "100 collected transactions were not released: supports are of the others alone",
        "sample": "supports are of these parts, and smaller than in the whole transactions",
    }
    for longer, words in said.items():
        out = tmp_path / f"{longer}.dat"
        assert run(["randomize", str(long), "-o", str(out), "--longer", longer, *options]) == 0
        capsys.readouterr()
        assert mine(out, "--min-support", "30%", "--json", tmp_path / "found.json") == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert words in shown
        found = json.loads((tmp_path / "found.json").read_text())
        assert (found["left_out"], found["cut"]) == (100 * (longer == "drop"), longer == "sample")
        assert sum(other in shown for other in said.values()) == 1


def test_several_files_of_one_plan(release, tmp_path, capsys):
    """Two days of a shop: as many baskets as both have, against both originals."""
    again = tmp_path / "again.dat"
    options = ["--plan", str(tmp_path / "plan.json"), "-o", str(again), "--simulate", "2"]
    assert run(["randomize", str(tmp_path / "shop.dat"), *options]) == 0
    capsys.readouterr()
    truth = ("--truth", tmp_path / "shop.dat", "--truth", tmp_path / "shop.dat")
    assert mine(release, again, "--min-support", "20%", *truth, "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["transactions"], found["truth"]["transactions"]) == (6000, 6000)
    assert found["source"]["files"] == ["out.dat", "again.dat"]
    plain = ("--plain", "--min-support", "20%", "--json", "-")
    assert mine(tmp_path / "shop.dat", tmp_path / "shop.dat", *plain) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["transactions"], found["itemsets"][0]["count"]) == (6000, 4800)


def test_an_interrupted_run_is_resumed(release, tmp_path, monkeypatch, capsys):
    """Ctrl-C while pairs are counted: no output, and the state; then the rest."""
    monkeypatch.setattr(chunks, "CHUNK_ROWS", 500)
    out, state = tmp_path / "found.json", tmp_path / "state"
    asked = ("--min-support", "20%", "--min-confidence", "50%", "--json", out)
    assert mine(release, *asked) == 0
    whole = out.read_text()
    out.unlink()
    asked = (*asked, "--resume", state)
    count, done = LocalEngine.count, []

    def interrupted(self, candidates, missing):
        for place, found in enumerate(count(self, candidates, missing)):
            if place == 2 and not done:
                done.append(place)
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(LocalEngine, "count", interrupted)
    before = sorted(os.listdir(tmp_path))
    assert mine(release, *asked) == 130
    assert f"What has been counted is in {state}" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "state"])
    assert mine(release, *asked) == 0
    assert out.read_text() == whole
    assert not state.exists()
    state.write_text("something else")
    assert mine(release, *asked) == 2
    assert "not a state of ppdm mine" in capsys.readouterr().err
    assert state.read_text() == "something else"


def test_sets_that_a_plan_is_not_for_are_said(release, tmp_path, capsys):
    """Seeds of which two items are independent say nothing of three."""
    content = {
        **PLAN,
        "items": 6,
        "sizes": [{"size": 3, "insert": "1/4", "keep": ["0.1", "0.3", "0.3", "0.3"]}],
    }
    (tmp_path / "three.json").write_text(json.dumps(content))
    (tmp_path / "three.dat").write_text("0 1 2\n" * 2000)
    out = tmp_path / "three.seeds"
    options = ["--plan", str(tmp_path / "three.json"), "--simulate", "1", "--compress"]
    assert run(["randomize", str(tmp_path / "three.dat"), "-o", str(out), *options]) == 0
    capsys.readouterr()
    assert mine(out, "--min-support", "30%", "--json", tmp_path / "found.json") == 0
    assert "Itemsets of 3 and more items: the reports do not tell enough" in " ".join(
        capsys.readouterr().out.split()
    )
    assert json.loads((tmp_path / "found.json").read_text())["beyond"] == 3


def test_data_that_are_not_what_the_description_says(release, tmp_path, capsys):
    """Another plan's description, no data, and items outside the plan: nothing is written."""
    beside = tmp_path / "out.dat.release.json"
    original, data = beside.read_text(), release.read_text()
    asked = ("--min-support", "10%", "--json", tmp_path / "found.json")
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**PLAN, "items": 9}))
    options = ["--plan", str(other), "-o", str(tmp_path / "o.dat"), "--simulate", "3"]
    assert run(["randomize", str(tmp_path / "shop.dat"), *options]) == 0
    swapped = (tmp_path / "o.dat.release.json").read_text()
    for text, content, message in (
        (swapped, data, "digest is another"),
        (original, "", "digest is another"),
        (signed_for(original, "0 1 77\n" * 3000), "0 1 77\n" * 3000, "line 1: not such items"),
        (signed_for(original, data + "0\n"), data + "0\n", "not the number of transactions"),
        (signed_for(original, ""), "", "not the number of transactions"),
    ):
        beside.write_text(text)
        release.write_text(content)
        capsys.readouterr()
        assert mine(release, *asked) == 2
        assert message in capsys.readouterr().err
        assert not (tmp_path / "found.json").exists()


def signed_for(description, data):
    """The description with the digests of other data, as an attacker would write it."""
    found = json.loads(description)
    found.pop("sha256")
    found["data"]["sha256"] = hashlib.sha256(data.encode()).hexdigest()
    return json.dumps(signed(found))


def test_a_count_beyond_all_transactions_is_refused(tmp_path, capsys):
    (tmp_path / "shop.dat").write_text("1 2\n1\n")
    asked = ["mine", str(tmp_path / "shop.dat"), "--plain", "--min-support", "9" * 400]
    assert run(asked) == 2
    assert "at most 1,000,000,000,000,000,000" in " ".join(capsys.readouterr().err.split())
