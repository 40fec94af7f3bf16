"""ppdm value from the command line."""

import json

import pytest

from ppdm_formal.cli import run

MAJORITY = "coalition,payoff\nA,0\nB,0\nC,0\nA+B,1\nA+C,1\nB+C,1\nA + B+C,1\n"
WARNER = """param p in (0, 1)
operator R(x: 0..1) -> 0..1 {
    with p { return x } else { return 1 - x }
}
"""


@pytest.fixture
def game(tmp_path):
    def write(text):
        path = tmp_path / "game.csv"
        path.write_text(text)
        return ["value", "--game", str(path)]

    return write


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "warner.ppdm"
    path.write_text(WARNER)
    return ["value", "--model", str(path), "--set", "p=3/4"]


def test_an_empty_core_is_refuted_with_its_collection(game, capsys):
    assert run([*game(MAJORITY), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "ppdm-value/1"
    assert found["shapley"]["shares"] == {"A": "1/3", "B": "1/3", "C": "1/3"}
    assert found["core"]["empty"] is True
    assert found["core"]["point"] is None
    assert found["core"]["least_total"] == "3/2"
    assert sorted((*one["coalition"], one["weight"]) for one in found["core"]["collection"]) == [
        ("A", "B", "1/2"),
        ("A", "C", "1/2"),
        ("B", "C", "1/2"),
    ]
    assert run(game(MAJORITY)) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for part in ("The core is empty", "B + C", "1/2", "3/2", "1/3"):
        assert part in shown


def test_a_page(game, tmp_path, capsys):
    page = tmp_path / "value.html"
    assert run([*game(MAJORITY.replace("A", "<b>")), "--html", str(page)]) == 0
    text = page.read_text()
    assert "The core is empty" in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text


def test_a_point_in_the_core(game, capsys):
    text = "coalition,payoff\nL,0\nR,0\nL+R,10.5\n"
    assert run([*game(text), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["payoff"] == "21/2"
    assert found["shapley_in_core"] is True
    assert found["core"]["empty"] is False
    assert found["core"]["collection"] is None
    assert run(game(text)) == 0
    assert "The core is not empty" in capsys.readouterr().out


def test_providers_of_answers(model, capsys):
    people = ["--people", "2000,1500,1000", "--error", "2%"]
    assert run([*model, *people, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["core"]["least_total"] == "3/2"  # any two have the 2,500 answers it takes
    assert run([*model, *people]) == 0
    assert "2,500 answers" in capsys.readouterr().out
    assert run([*model, "--people", "3000,500", "--worth", "5%:1,2%:4", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shapley"]["shares"] == {"1": "7/2", "2": "1/2"}
    assert found["core"]["empty"] is True


def test_many_providers_are_sampled(model, capsys):
    many = ",".join(["120"] * 20)
    few = ["--orders", "100"]
    assert run([*model, *few, "--people", many, "--error", "2.05%", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["shapley"]["trust"] == "sampled"
    assert set(found["shapley"]["standard_errors"]) == set(found["players"])
    assert found["core"]["empty"] is False  # everybody is needed
    assert found["core"]["point"]["1"] == "1/20"
    assert run([*model, *few, "--people", many, "--error", "5%"]) == 0
    assert "The core is empty: apart from each other" in capsys.readouterr().out
    assert run([*model, *few, "--people", many, "--error", "2.3%"]) == 3
    assert "undecided" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ("A,0\nB,0\n", 'expected "coalition,payoff"'),
        ("coalition,payoff\n", "no coalition"),
        ("coalition,payoff\nA,0\nA+B,1\n", "such as B"),
        ("coalition,payoff\nA,0\nB,0\n", "the coalition of all 2 players"),
        ("coalition,payoff\nA,0\nA,1\n", "line 3: this coalition has a payoff already"),
        ("coalition,payoff\nA+A,0\n", "named twice"),
        ("coalition,payoff\nA+,0\n", "name is empty"),
        ("coalition,payoff\nA,much\n", "line 2: 'much' is not a number"),
        ("coalition,payoff\nA,1,2\n", "3 cells"),
        ('coalition,payoff\nA,"1\n', "not CSV"),
        ("coalition,payoff\n,1\nA,1\n", "must be 0"),
        ("coalition,payoff\n" + "+".join(f"p{i}" for i in range(17)) + ",1\n", "more than 16"),
    ],
)
def test_games_that_are_none(text, says, game, capsys):
    assert run(game(text)) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "Traceback" not in message


def test_missing_coalitions_may_earn_nothing(game, capsys):
    assert run([*game("coalition,payoff\nA+B,1\n"), "--missing-zero", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["shapley"]["shares"] == {"A": "1/2", "B": "1/2"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ([], "--people"),
        (["--people", "10,x", "--error", "1%"], "counts such as"),
        (["--people", "10,0", "--error", "1%"], "at least one person"),
        (["--people", "10,5"], "either --error or --worth"),
        (["--people", "10,5", "--error", "1%", "--worth", "1%:1"], "either --error or --worth"),
        (["--people", "10,5", "--error", "0"], "above 0"),
        (["--people", "10,5", "--worth", "1%"], "ERROR:WORTH"),
        (["--people", "10,5", "--worth", "1%:2,2%:3"], "smaller standard error"),
        (["--people", "10,5", "--error", "1%", "--operator", "S"], "one of: R"),
        (["--people", "10,5", "--error", "1%", "--prior", "X"], "no prior X"),
        (["--people", "10,5", "--error", "1%", "--game", "g.csv"], "either --game"),
    ],
)
def test_bad_options_are_explained(change, says, model, capsys):
    assert run([*model, *change]) == 2
    assert says in capsys.readouterr().err


def test_free_parameters_and_operators_that_hide_everything(model, capsys):
    rest = ["--people", "10,5", "--error", "1%"]
    assert run([*model[:3], *rest]) == 2
    assert "give them values" in capsys.readouterr().err
    assert run([*model[:3], "--set", "p=0.5", *rest]) == 2
