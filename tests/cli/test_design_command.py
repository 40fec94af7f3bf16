"""ppdm design, ppdm figures and ppdm compare from the command line."""

import json

import pytest

from ppdm_formal.cli import run

PLAN = ["design", "--transactions", "5000000", "--rho1", "5%", "--rho2", "50%", "--itemsets", "3"]


def test_the_papers_optimum_for_five_items(tmp_path, capsys):
    target = tmp_path / "plan.json"
    assert run([*PLAN, "--sizes", "5", "--paper", "--form", "paper", "-o", str(target)]) == 0
    plan = json.loads(target.read_text())
    assert (plan["format"], plan["rho1"], plan["rho2"], plan["gamma"]) == (
        "ppdm-plan/1",
        "1/20",
        "1/2",
        "19",
    )
    (entry,) = plan["sizes"]
    assert entry["cutoff"] == 4
    assert entry["amplification"] == "19"
    assert entry["lds"]["3"].startswith("0.00495")
    assert entry["certificate"]["verdict"] == "breached"
    assert "breach exists" in capsys.readouterr().out


def test_a_page_of_so_few_baskets_that_one_level_alone_sees_anything(tmp_path, capsys):
    """A line of one point is not drawn; it used to end as a division by zero."""
    page = tmp_path / "plan.html"
    few = ["--sizes", "3", "--transactions", "5", "--itemsets", "2", "--html", str(page)]
    assert run(["design", "--rho1", "5%", "--rho2", "50%", *few]) == 0
    assert "against privacy" in page.read_text()
    capsys.readouterr()


def test_a_plan_is_certified_for_every_size(tmp_path, capsys):
    folder = tmp_path / "certificates"
    assert run([*PLAN, "--sizes", "3,4", "--certificates", str(folder), "--json", "-"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert [entry["size"] for entry in plan["sizes"]] == [3, 4]
    assert {entry["certificate"]["verdict"] for entry in plan["sizes"]} == {"certified"}
    assert run(["check", *map(str, folder.glob("*.json"))]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["--sizes", "0..3"], "sizes go from 1"),
        (["--sizes", "many"], "3..10"),
        (["--sizes", "2"], "fit in no transaction"),
        (["--sizes", "5", "--rho1", "60%"], "rho1 < rho2"),
        (["--sizes", "5", "--rho1", "five"], "not a number"),
        (["--sizes", "5", "--items", "3"], "items"),
        (["--sizes", "5", "--bits", "99"], "bits"),
        (["--sizes", "5", "--transactions", "0"], "transactions"),
    ],
)
def test_bad_parameters_are_explained(change, says, capsys):
    assert run([*PLAN, *change]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "Traceback" not in message


def test_a_plan_from_baskets_says_what_it_shows_of_them(tmp_path, capsys):
    data, plan = tmp_path / "shop.dat", tmp_path / "plan.json"
    data.write_text("0 1\n2\n" * 5000)
    level = ["--rho1", "5%", "--rho2", "50%", "--itemsets", "1", "--form", "paper"]
    assert run(["design", "--data", str(data), *level, "-o", str(plan)]) == 0
    shown = json.loads(plan.read_text())["shown"]
    assert {one["status"] for one in shown} == {"not protected"}
    assert "No breach level covers those baskets" in " ".join(capsys.readouterr().out.split())
    histogram = tmp_path / "sizes.csv"
    histogram.write_text("1,5000\n2,5000\n")
    stated = ["--histogram", str(histogram), "--items", "3"]
    assert run(["design", *stated, *level, "-o", str(plan)]) == 0
    assert {one["status"] for one in json.loads(plan.read_text())["shown"]} == {"public"}
    capsys.readouterr()


def test_too_few_transactions_are_explained(capsys):
    few = ["--transactions", "10", "--rho1", "5%", "--rho2", "50%", "--itemsets", "1"]
    assert run(["design", "--sizes", "5", *few]) == 0
    assert "too few" in capsys.readouterr().out


def test_figures_are_written(tmp_path, capsys, monkeypatch):
    from ppdm_formal.certify.statement.loader import load_module

    figures = load_module("egs03", "figures")
    figure = figures.figure2([3, 4])
    for name in ("figure1", "figure2", "figure3"):
        monkeypatch.setattr(figures, name, lambda: figure)
    assert run(["figures", "egs03", "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "figure2.svg").read_text().startswith("<svg ")
    assert (tmp_path / "out" / "figure2.csv").read_text() == figure.csv()
    assert run(["figures", "nonsense", "--out", str(tmp_path)]) == 2
    capsys.readouterr()


def test_compare_shows_operators_side_by_side(tmp_path, capsys):
    page = tmp_path / "compare.html"
    assert run(["compare", "--example", "example2", "--html", str(page)]) in (0, 1)
    shown = capsys.readouterr().out
    assert "Flip" in shown
    assert "Erase" in shown
    assert "<html" in page.read_text()


ITEM = ["design", "--transactions", "5000000", "--sizes", "2,5", "--item-breach", "50%"]


def test_an_item_level_plan_says_what_it_does_not_promise(tmp_path, capsys):
    target = tmp_path / "plan.json"
    bounds = ["--support-bounds", "5%,1%,0.2%"]
    assert run([*ITEM, *bounds, "-o", str(target), "--html", str(tmp_path / "plan.html")]) == 0
    shown = capsys.readouterr().out
    assert (
        "Plan for item-level breaches of 50% (gamma up to 1,847: against all priors from" in shown
    )
    assert "0.0541% only" in shown
    assert "best" not in shown  # other forms answer another question: they are not compared
    assert "1,847" in shown  # the amplification of 5 items, in the table and in the note
    assert "not certified against all priors" in shown
    plan = json.loads(target.read_text())
    assert (plan["form"], plan["rho2"]) == ("item", "1/2")
    assert [entry["cut_and_paste"] for entry in plan["sizes"]] == [2, 5]
    assert {entry["certificate"]["verdict"] for entry in plan["sizes"]} == {"certified"}
    assert run(["audit", str(target)]) == 0
    assert "1,847" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ([], "--item-breach and --support-bounds go together"),
        (["--support-bounds", "5%", "--rho1", "5%"], "instead of --rho1 and --rho2"),
        (["--support-bounds", "5%,much"], "'much' is not a number"),
        (["--support-bounds", "1%,5%"], "may not have more support"),
        (["--support-bounds", "60%"], "that likely before anything is seen"),
        (["--support-bounds", "5%", "--paper"], "sizes stay public"),
        (["--support-bounds", "5%", "--hide-sizes", "pad"], "sizes stay public"),
        (["--support-bounds", "5%", "--form", "lifted"], "--form is for plans with --rho1"),
        (["--support-bounds", "5%", "--sizes", "25"], "made for 1 to 20 items"),
    ],
)
def test_item_level_requests_that_make_no_sense(more, says, capsys):
    assert run([*ITEM, *more]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_neither_kind_of_breach(capsys):
    assert run(["design", "--sizes", "3", "--transactions", "100"]) == 2
    assert "give --rho1 and --rho2, or --item-breach" in " ".join(capsys.readouterr().err.split())
