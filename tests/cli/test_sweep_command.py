"""--set with several values: one table and one picture of an audit, or of a comparison."""

import json

import pytest

from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import example_path

MODEL = """
domain Value = 0..3
param p in (0, 1)
param eps in (0, 5) = 1
operator Free = randomized_response(values: 4, keep: p)
operator Fixed = randomized_response(values: 4, keep: 1/2)
audit Free, Fixed { forbid breach 1/4 -> 1/2 }
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.ppdm"
    path.write_text(MODEL)
    return path


def test_one_table_and_one_picture(model, tmp_path, capsys):
    page, data = tmp_path / "page.html", tmp_path / "data.json"
    values = "p=3/10..5/10:1/10,9/10"
    assert (
        run(["audit", str(model), "--set", values, "--html", str(page), "--json", str(data)]) == 1
    )
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    free = [row for row in rows if row[1:2] == ["Free"]]
    assert [row[0] for row in free] == ["3/10", "2/5", "1/2", "9/10"]
    assert [row[-1] for row in free] == ["holds", "holds", "fails", "fails"]
    assert [row[0] for row in rows if row[1:2] == ["Fixed"]] == ["any"]
    text = page.read_text()
    assert "Epsilon along p" in text
    assert "Privacy against accuracy" in text
    document = json.loads(data.read_text())
    assert document["format"] == "ppdm-sweep/1"
    assert [one["model"]["set"]["p"] for one in document["audits"]] == [
        "3/10",
        "2/5",
        "1/2",
        "9/10",
    ]
    alone = tmp_path / "alone.json"
    assert run(["audit", str(model), "--set", "p=9/10", "--json", str(alone)]) == 1
    assert document["audits"][-1] == json.loads(alone.read_text())


def test_exit_code_is_the_worst_of_all(model):
    assert run(["audit", str(model), "--set", "p=3/10,2/5"]) == 1  # Fixed fails at any value
    assert run(["audit", "--example", "warner", "--set", "p=3/5,7/10"]) == 0
    assert run(["audit", "--example", "warner", "--set", "p=3/5,99/100"]) == 1


def test_two_parameters(capsys):
    assert run(["audit", "--example", "k_ary", "--set", "p=1/4,1/2", "--set", "eps=1,2"]) == 1
    shown = capsys.readouterr().out
    assert "4 values of p, eps" in shown


def test_comparison_over_values(tmp_path, capsys):
    page = tmp_path / "page.html"
    command = ["compare", str(example_path("warner")), "--set", "p=3/5,7/10", "--html", str(page)]
    assert run(command) == 0
    shown = capsys.readouterr().out
    for name in ("Warner at p = 3/5", "Warner at p = 7/10"):
        assert name in shown
    assert "Epsilon along p" in page.read_text()


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ("p=1/2..9/10", "needs a step"),
        ("p=9/10..1/2:1/10", "a range goes up"),
        ("p=0..1:0", "a range goes up"),
        ("p=0..1:1e-9", "more than 200 values"),
        ("p=1/2,", "not a number"),
        ("p=1/2,x", "not a number"),
        ("=1/2,1/3", "is not of the form"),
        ("p=1/2,3/2", "outside (0, 1)"),
        ("q=1/2,1/3", "no parameter q"),
    ],
)
def test_values_that_are_wrong(model, values, problem, capsys):
    assert run(["audit", str(model), "--set", values]) == 2
    assert problem in capsys.readouterr().err


def test_too_many_combinations(model, capsys):
    many = ",".join(f"{k}/1000" for k in range(1, 160))
    assert run(["audit", str(model), "--set", f"p={many}", "--set", "eps=1,2"]) == 2
    assert "more than 200 combinations" in capsys.readouterr().err


def test_certificates_need_one_value(model, tmp_path, capsys):
    folder = tmp_path / "certificates"
    command = ["audit", str(model), "--set", "p=1/2,1/3", "--certificates", str(folder)]
    assert run(command) == 2
    assert "one value for each parameter" in capsys.readouterr().err
    assert not folder.exists()
