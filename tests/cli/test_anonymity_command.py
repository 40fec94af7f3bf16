"""ppdm anonymity from the command line."""

import json

import pytest

from ppdm_formal.cli import run

TABLE = """age,zip,disease,pay
2*,130,flu,3
2*,130,cold,5
2*,130,flu,4
3*,148,flu,9
3*,148,cancer,8
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    return ["anonymity", str(path), "--quasi", "age,zip"]


def found(arguments, capsys, code=0):
    assert run([*arguments, "--json", "-"]) == code
    return json.loads(capsys.readouterr().out)


def test_the_numbers(table, capsys):
    said = found([*table, "--sensitive", "disease,pay", "--ordered", "pay"], capsys)
    assert said["format"] == "ppdm-anonymity/1"
    assert (said["rows"], said["classes"]) == (5, 2)
    assert said["k_anonymity"] == {"k": 2, "at": 5}
    disease, pay = said["sensitive"]
    assert disease["l_diversity"]["distinct"]["l"] == 2
    assert disease["l_diversity"]["entropy"]["l"] == 1
    assert disease["l_diversity"]["recursive"] == [{"l": 2, "c_above": "2", "at": 2}]
    assert disease["t_closeness"] == {"distance": "equal", "t": "3/10", "at": 5}
    assert disease["ratio_closeness"]["t"] == "infinity"
    # running sums of {8, 9} and of the table differ by 1/5, 2/5, 3/5, 3/10: 3/2 in 4 steps
    assert pay["t_closeness"] == {"distance": "ordered", "t": "3/8", "at": 5}
    assert run([*table, "--sensitive", "disease"]) == 0
    shown = capsys.readouterr().out
    for part in ("k = 2", "l = 2", "3/10", "line 5", "infinity"):
        assert part in shown
    assert "cancer" not in shown
    assert "148" not in shown


def test_a_page(table, tmp_path, capsys):
    page = tmp_path / "anonymity.html"
    assert run([*table, "--sensitive", "disease", "--html", str(page)]) == 0
    assert "l-diversity" in page.read_text()
    assert "cancer" not in page.read_text()


def test_requirements_decide_the_exit_code(table, capsys):
    assert found([*table, "--sensitive", "disease", "--k", "2", "--l", "2"], capsys)["failed"] == []
    said = found([*table, "--sensitive", "disease", "--k", "3", "--t", "0.2"], capsys, code=1)
    assert said["failed"] == ["k", "t:disease"]
    assert run([*table, "--k", "3"]) == 1
    assert "Not as required: k is too small" in capsys.readouterr().out


def test_a_randomized_column_and_a_sample(table, tmp_path, capsys):
    model = tmp_path / "m.ppdm"
    model.write_text(
        "domain Disease = {flu, cold, cancer}\n"
        "operator R(x: Disease) -> Disease {\n"
        "    [x -> y] = 1/2 if x == y | 1/4 otherwise\n}\n"
    )
    said = found([*table, "--sensitive", "disease", "--model", str(model)], capsys)
    assert said["sensitive"][0]["stochastic_closeness"] == {"operator": "R", "t": "5/4", "at": 5}
    said = found([*table, "--sample", "1/4", "--epsilon", "1", "--k", "2"], capsys)
    assert said["sampled_k_anonymity"]["k"] == 2
    assert said["sampled_k_anonymity"]["delta"]["lo"].startswith("0.0")
    assert run([*table, "--sensitive", "pay", "--model", str(model)]) == 2
    message = capsys.readouterr().err
    assert "name no input of operator R" in message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (["--sensitive", "name"], "no column named name"),
        (["--sensitive", "zip"], "both --quasi and --sensitive"),
        (["--quasi", "age,,zip"], "different names"),
        (["--quasi", "age,age"], "different names"),
        (["--l", "2"], "needs --sensitive"),
        (["--ordered", "pay"], "not among --sensitive"),
        (["--sensitive", "disease", "--ordered", "disease"], "not every cell is a number"),
        (["--sample", "1/2"], "belong together"),
        (["--sample", "1/2", "--epsilon", "0"], "above 0"),
        (["--sample", "1/2", "--epsilon", "-1"], "above 0"),
        (["--operator", "R"], "need --model"),
        (["--k", "0"], "--k"),
        (["--t", "far"], "not a number"),
    ],
)
def test_bad_input_is_explained(change, says, table, capsys):
    assert run([*table, *change]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "cancer" not in message


def test_files_that_are_no_table(tmp_path, capsys):
    for name, text, says in (
        ("a.csv", "", "empty"),
        ("b.csv", "q,s\n", "no rows"),
        ("c.csv", "q,s\n1\n", "1 cells"),
        ("d.txt", "q,s\n1,2\n", ".csv"),
    ):
        path = tmp_path / name
        path.write_text(text)
        assert run(["anonymity", str(path), "--quasi", "q"]) == 2
        assert says in capsys.readouterr().err
