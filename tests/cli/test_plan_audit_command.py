"""ppdm audit PLAN, and what ppdm design writes beside a plan."""

from __future__ import annotations

import json
import re

import pytest

from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

LEVEL = ["--rho1", "5%", "--rho2", "50%", "--form", "paper"]
HISTOGRAM = "size,count\n0,50\n1,3000\n2,5500\n3,6000\n4,200\n"
BASKETS = ["0 1 2", "1 2", "2", "3 4 5", "1 2", "0 1 2 3", ""] * 300


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "sizes.csv").write_text(HISTOGRAM)
    (tmp_path / "old.dat").write_text("\n".join(BASKETS) + "\n")
    return tmp_path


def designed(shop, *arguments, ends=0):
    target = shop / "plan.json"
    assert run(["design", *LEVEL, "-o", str(target), *arguments]) == ends
    return target


def from_histogram(shop, *arguments):
    given = ["--histogram", str(shop / "sizes.csv"), "--items", "40", "--itemsets", "2"]
    return designed(shop, *given, *arguments)


def test_a_plan_is_audited_as_a_model_is(shop, capsys):
    target = from_histogram(shop)
    capsys.readouterr()
    folder = shop / "certificates"
    assert run(["audit", str(target), "--json", "-", "--certificates", str(folder)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "ppdm-audit/1"
    assert found["model"]["file"] == "plan.json"
    assert [op["name"] for op in found["operators"]] == ["size 1", "size 2", "size 3", "size 4"]
    for operator in found["operators"]:
        (certificate,) = operator["certificates"]
        assert certificate["verdict"] == "certified"
        assert certificate["claim"]["text"] == "forbid breach 1/20 -> 1/2"
        assert operator["amplification"]["value"] == "18999981/1000000"
    plan = found["plan"]
    assert (plan["clients"], plan["items"]) == (14750, 40)
    assert plan["groups"][0]["sizes"] == "public"
    assert plan["groups"][0]["amplification_over_all_sizes"] == "infinity"
    written = json.loads(target.read_text())
    assert [p["lds"] for p in plan["pooled"]] == [p["lds"] for p in written["pooled"]]
    for size, entry in zip(plan["sizes"], written["sizes"], strict=True):
        for k, lds in entry["lds"].items():
            assert float(size["lds"][k]) == pytest.approx(float(lds), rel=1e-9)
    assert run(["check", *map(str, folder.glob("*.json")), "--model", str(target)]) == 0
    capsys.readouterr()


def test_sizes_alone_are_each_for_their_own_baskets(shop, capsys):
    """--sizes 4,5 --transactions N is two of the paper's figures: N baskets of each size."""
    page = shop / "plan.html"
    target = designed(shop, "--sizes", "4,5", "--transactions", "5000000", "--html", str(page))
    shown = " ".join(capsys.readouterr().out.split())
    assert "LDS by the items of an itemset, from its own baskets" in shown
    assert "0.338%" in shown
    assert "0.496%" in shown
    assert "of the baskets of each size by themselves" in page.read_text()
    assert run(["audit", str(target), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)["plan"]
    for size, entry in zip(found["sizes"], json.loads(target.read_text())["sizes"], strict=True):
        assert size["clients"] == 5_000_000
        for k, lds in entry["lds"].items():
            assert float(size["lds"][k]) == pytest.approx(float(lds), rel=1e-9)


def test_certificates_of_a_design_belong_to_its_plan(shop, capsys):
    folder = shop / "certificates"
    target = from_histogram(shop, "--certificates", str(folder))
    certificates = [str(path) for path in folder.glob("*.json")]
    assert len(certificates) == 4
    assert run(["check", *certificates, "--model", str(target)]) == 0
    content = json.loads(target.read_text())
    content["sizes"][0]["keep"] = ["1/2", "1/2"]
    target.write_text(json.dumps(content))
    assert run(["check", *certificates, "--model", str(target)]) == 4
    capsys.readouterr()


def test_a_breached_plan_is_found_whatever_its_file_says(shop, capsys):
    target = from_histogram(shop)
    content = json.loads(target.read_text())
    content["sizes"][1] |= {"insert": "1/100", "keep": ["0", "0", "1"]}
    target.write_text(json.dumps(content))
    assert content["sizes"][1]["certificate"]["verdict"] == "certified"
    capsys.readouterr()
    assert run(["audit", str(target)]) == 1
    shown = capsys.readouterr().out
    assert "not safe" in shown.lower()
    assert "Claims that do not hold" in shown


@pytest.mark.parametrize("way", ["pad", "cut"])
def test_hidden_sizes_are_certified_over_all_baskets(shop, capsys, way):
    target = from_histogram(shop, "--hide-sizes", way)
    shown = capsys.readouterr().out
    assert "Sizes are hidden" in shown
    assert "PUBLIC" not in shown
    assert run(["audit", str(target), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    (group,) = found["plan"]["groups"]
    assert (group["sizes"], group["amplification_over_all_sizes"]) == (way, "18999981/1000000")
    (size,) = found["plan"]["sizes"]
    assert size["operator"] == f"up to {size['size']} items"


def test_public_sizes_are_said_wherever_a_plan_is_shown(shop, capsys):
    page = shop / "plan.html"
    target = from_histogram(shop, "--html", str(page))
    plan = json.loads(target.read_text())
    assert plan["over_all_sizes"][0]["amplification"] == "infinity"
    for shown in (capsys.readouterr().out, page.read_text()):
        assert "PUBLIC" in shown
        assert "infinite" in shown


def test_the_table_fits_a_terminal_of_80_columns(shop, capsys, monkeypatch):
    import ppdm_formal.report.formats.terminal as terminal

    monkeypatch.setattr(terminal, "PLAIN_WIDTH", 80)
    designed(shop, "--histogram", str(shop / "sizes.csv"), "--items", "16470", "--itemsets", "3")
    shown = capsys.readouterr().out.splitlines()
    lines = [line for line in shown if not line.startswith("Wrote ")]  # with a path of any length
    assert max(map(len, lines)) <= 80
    head = next(line for line in lines if re.search(r"size +baskets +rho", line))
    assert re.search(r"LDS 3 +sent +bits", head)


def test_data_give_sizes_items_and_what_would_be_found(shop, capsys):
    data = shop / "old.dat"
    page = shop / "plan.html"
    target = designed(shop, "--data", str(data), "--form", "best", "--html", str(page))
    plan = json.loads(target.read_text())
    assert plan["items"] == 6
    assert plan["histogram"] == {"0": 300, "1": 300, "2": 600, "3": 600, "4": 300}
    assert "What would be found" in capsys.readouterr().out
    assert "The chance to be seen, by support" in page.read_text()
    assert run(["audit", str(target), "--data", str(data), "--json", "-"]) == 0
    seen = json.loads(capsys.readouterr().out)["plan"]["seen"]
    assert [part["itemset"] for part in seen] == [1, 2, 3]
    assert float(seen[0]["largest_support"]) == pytest.approx(5 / 7)
    assert float(seen[1]["largest_support"]) == pytest.approx(4 / 7)


def test_names_of_items_come_from_a_file_or_the_data(shop, capsys):
    (shop / "old.csv").write_text("bread,milk\nmilk\n'a b',milk,bread\n" * 50)
    (shop / "items.txt").write_text("bread\nmilk\n'a b'\nsoap\n")
    # a basket of all three items, with its size public, is known: its claim says nothing
    target = designed(shop, "--data", str(shop / "old.csv"), "--itemsets", "1", ends=3)
    assert json.loads(target.read_text())["items"] == 3
    given = ["--data", str(shop / "old.csv"), "--items", str(shop / "items.txt")]
    target = designed(shop, *given, "--itemsets", "1")
    assert json.loads(target.read_text())["items"] == 4
    (shop / "items.txt").write_text("bread\nmilk\n")
    assert run(["design", *LEVEL, *given]) == 2
    said = capsys.readouterr().err
    assert "line 3" in said
    assert "a b" not in said


def test_baskets_that_are_cut_say_what_is_lost(shop, capsys):
    from_histogram(shop, "--longest", "3")
    shown = capsys.readouterr().out
    assert "needed before cutting" in shown
    assert "Cutting makes estimates too small" in shown


def test_few_transactions_see_nothing(shop, capsys):
    (shop / "sizes.csv").write_text("4,20\n")
    from_histogram(shop)
    assert "none" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "one of --data, --histogram"),
        (["--sizes", "3"], "go together"),
        (["--transactions", "3"], "one of --data, --histogram"),
        (["--histogram", "sizes.csv", "--transactions", "3"], "go together"),
        (["--histogram", "sizes.csv", "--sizes", "3", "--transactions", "5"], "one of --data"),
        (["--histogram", "sizes.csv", "--column", "x"], "--column is for --data"),
        (["--histogram", "none.csv"], "No such file"),
        (["--histogram", "old.dat"], "line 1: not a size and a count"),
        (["--histogram", "sizes.csv", "--items", "0"], "at least 1"),
        (["--histogram", "sizes.csv", "--items", "3"], "items"),
        (["--histogram", "sizes.csv", "--itemsets", "5"], "fit in no transaction"),
        (["--histogram", "sizes.csv", "--longest", "2"], "fit in no transaction"),
        (["--histogram", "sizes.csv", "--hide-sizes", "pad", "--longest", "3"], "padding takes"),
        (["--histogram", "sizes.csv", "-o", "sizes.csv"], "would destroy it"),
        (["--histogram", "sizes.csv", "--html", "a", "-o", "a"], "same file"),
        (["--data", "sizes.txt"], "transactions are in .dat"),
        (["--data", "empty.dat"], "no items"),
    ],
)
def test_options_that_do_not_fit_are_refused_in_a_sentence(
    shop, capsys, monkeypatch, arguments, says
):
    monkeypatch.chdir(shop)
    (shop / "empty.dat").write_text("\n\n")
    assert run(["design", *LEVEL, *arguments]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["audit", "plan.json", "--set", "p=1/2"], "no parameters to --set"),
        (["audit", "plan.json", "--html", "plan.json"], "would destroy it"),
        (["audit", "other.json"], "not a plan"),
        (["audit", "bad.json"], "not JSON"),
        (["audit", "--example", "example1", "--data", "old.dat"], "--data is for plans"),
        (["compare", "other.json"], "not a plan"),
    ],
)
def test_other_files_than_plans_are_refused(shop, capsys, monkeypatch, arguments, says):
    monkeypatch.chdir(shop)
    from_histogram(shop)
    (shop / "other.json").write_text('{"format": "ppdm-mine/1"}')
    (shop / "bad.json").write_text("{")
    capsys.readouterr()
    assert run(arguments) == 2
    assert says in capsys.readouterr().err
