"""ppdm count from the command line."""

import json

import pytest

from ppdm_formal.cli import run


def said(arguments, capsys, code=0):
    assert run([*arguments, "--json", "-"]) == code
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def baskets(tmp_path):
    path = tmp_path / "b.dat"
    path.write_text("1 2\n1\n2 3\n1 2 3\n" * 200)
    return ["count", str(path), "--epsilon", "2", "--simulate", "1"]


def test_private_counts(baskets, capsys):
    found = said([*baskets, "--itemset", "1,2", "--itemset", "9"], capsys)
    assert found["format"] == "ppdm-count/1"
    assert found["epsilon"] == {"each": "2", "all": "4"}
    both, none = found["counts"]
    assert float(both["interval_95"]["lo"]) < 0.5 < float(both["interval_95"]["hi"])
    assert abs(float(none["share"])) < 4 * float(none["standard_error"])
    assert run([*baskets, "--itemset", "1,2"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "row pays epsilon 2" in shown
    assert "the itemsets that were asked about being public" in shown
    assert {one["status"] for one in found["shown"]} == {"public"}


def test_exact_counts(capsys):
    exact = ["count", "--epsilon", "1", "--exact", "480,520"]
    found = said([*exact, "--prior", "1/2,1/2"], capsys)
    assert found["safe_priors"][0] == {
        "low": "12/(25*exp(1))",
        "high": "(-13 + 25*exp(1))/(25*exp(1))",
    }
    assert (found["safe"], found["known_rows"]) == (True, 362)
    assert (found["safe_counts"]["low"], found["safe_counts"]["high"]) == (184, 816)
    assert said([*exact, "--prior", "1/10,9/10"], capsys, code=1)["safe"] is False
    assert said(exact, capsys)["safe"] is None
    assert run(["count", "--epsilon", "1", "--exact", "5,5,0", "--prior", "1/3,1/3,1/3"]) == 1
    assert "NOT safe" in capsys.readouterr().out


def test_rows_that_differ(tmp_path, capsys):
    path = tmp_path / "rows.txt"
    path.write_text("1/2\n0.5\n50%\n1/4\n")
    arguments = ["count", "--epsilon", "1", "--exact", "2,2", "--priors", str(path)]
    found = said(arguments, capsys)
    # others of row 1 make 2 with probability 5/16, against 3/8 for all rows
    assert (found["safe"], found["worst_row"], found["ratio"]) == (True, 1, "6/5")
    assert run(arguments) == 0
    assert "1-dependent" in capsys.readouterr().out
    assert said([*arguments, "--exact", "4,0"], capsys, code=1)["ratio"] == "infinity"
    for change, says in (
        (["--exact", "2,3"], "two counts of them"),
        (["--prior", "1/2,1/2"], "exclude each other"),
        (["--epsilon", "0"], "above 0"),
    ):
        assert run([*arguments, *change]) == 2
        assert says in capsys.readouterr().err
    path.write_text("1/2\nhalf\n")
    assert run(arguments) == 2
    assert "line 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ([], "either a FILE"),
        (["--exact", "5"], "two values or more"),
        (["--exact", "0,0"], "two values or more"),
        (["--exact", "5,x"], "counts such as"),
        (["--exact", "5,5", "--epsilon", "0"], "above 0"),
        (["--exact", "5,5", "--epsilon", "-1"], "above 0"),
        (["--exact", "5,5", "--prior", "1/2"], "a share for each count"),
        (["--exact", "5,5", "--prior", "1/2,1/3"], "1 in all"),
        (["--exact", "5,5", "--prior", "2,-1"], "not below 0"),
        (["--exact", "5,5", "--itemset", "1"], "are for a FILE"),
    ],
)
def test_bad_exact_counts(change, says, capsys):
    assert run(["count", "--epsilon", "1", *change]) == 2
    assert says in capsys.readouterr().err


def test_bad_private_counts(baskets, capsys):
    for change, says in (
        ([], "needs --itemset"),
        (["--itemset", "1,,2"], "expected names"),
        (["--itemset", "1", "--epsilon", "0"], "above 0"),
        (["--itemset", "1", "--prior", "1/2,1/2"], "are for --exact"),
    ):
        assert run([*baskets, *change]) == 2
        assert says in capsys.readouterr().err
