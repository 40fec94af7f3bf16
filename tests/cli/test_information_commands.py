"""ppdm leakage and ppdm rate from the command line."""

import json
from pathlib import Path

import pytest

from ppdm_formal.cli import run

MODEL = """
param p in (1/2, 1)
operator Sum(x: {0,1}^2) -> 0..2 { with 1/2 { return x.1 + x.2 } else { return uniform(0..2) } }
operator R(x: 0..4) -> 0..4 { with 1/2 { return x } else { return uniform(0..4) } }
operator Free(x: 0..1) -> 0..1 { with p { return x } else { return 1 - x } }
operator Words(x: {yes, no}) -> {yes, no} { [x -> y] = exp(-1) if x != y | 1 - exp(-1) otherwise }
prior X on 0..4 { 0: 1/2; 1..4: 1/8 each }
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.ppdm"
    path.write_text(MODEL)
    return ["leakage", str(path)]


@pytest.fixture
def loss(tmp_path):
    path = tmp_path / "loss.csv"
    path.write_text("0,1,2\n1,0,1\n2,1,0\n")
    return ["rate", str(path)]


def said(arguments, capsys):
    assert run([*arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_knowledge_gain(model, capsys):
    found = said([*model, "--operator", "R", "--prior", "X"], capsys)
    assert found["format"] == "ppdm-leakage/1"
    assert found["knowledge_gain"]["bayes_risk"] == {
        "before": "1/2",
        "after": "2/5",
        "gain": "1/10",
    }
    assert found["knowledge_gain"]["variance"]["gain"] == "50/91"
    assert len(found["people"]) == 1
    found = said([*model, "--operator", "Sum"], capsys)
    assert "variance" not in found["knowledge_gain"]
    assert [one["person"] for one in found["people"]] == [1, 2]
    assert run([*model, "--operator", "Sum"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "mutual-information differential privacy" in shown
    assert "free-lunch privacy" in shown


def test_a_mechanism_for_a_loss(loss, tmp_path, capsys):
    target = tmp_path / "mechanism.csv"
    assert run([*loss, "--max-loss", "0.3", "-o", str(target)]) == 0
    shown = capsys.readouterr().out
    assert "0.363889..." in shown
    assert run(["audit", str(target)]) == 0
    capsys.readouterr()
    found = said([*loss, "--max-loss", "0.3"], capsys)
    assert found["format"] == "ppdm-rate/1"
    assert found["nats"]["lo"].startswith("0.363889")
    free = said([*loss, "--max-loss", "2"], capsys)
    assert (free["nats"]["hi"], free["amplification"]) == ("0", "1")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ([], "--operator must be one of"),
        (["--operator", "R", "--prior", "Y"], "no prior Y"),
        (["--operator", "Free"], "free parameters"),
        (["--operator", "Words"], "exponentials"),
        (["--operator", "Sum", "--prior", "X"], "Sum"),
    ],
)
def test_bad_models_are_explained(change, says, model, capsys):
    assert run([*model, *change]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert "Traceback" not in message


@pytest.mark.parametrize(
    ("text", "change", "says"),
    [
        ("", ["--max-loss", "1"], "no losses"),
        ("0,1\n1\n", ["--max-loss", "1"], "1 cells; expected 2"),
        ("0,1\n1,x\n", ["--max-loss", "1"], "line 2"),
        ("0,-1\n1,0\n", ["--max-loss", "1"], "not below 0"),
        ("1,2\n2,1\n", ["--max-loss", "0"], "expected loss below 1"),
        ("0,1\n1,0\n", ["--max-loss", "1", "--prior", "1/2,1/3"], "sum to 1"),
        ("0,1\n1,0\n", ["--max-loss", "1", "--prior", "1"], "a row for each input"),
        ("a,b\n0,1\n1,0\n", ["--max-loss", "-1"], "expected loss below 0"),
    ],
)
def test_bad_losses_are_explained(text, change, says, loss, capsys):
    Path(loss[1]).write_text(text)
    assert run([*loss, *change]) == 2
    assert says in capsys.readouterr().err


def test_labels_are_left_out(loss, capsys):
    Path(loss[1]).write_text(",near,far\nhere,0,1\nthere,1,0\n")
    found = said([*loss, "--max-loss", "1/4"], capsys)
    assert found["nats"]["lo"].startswith("0.1308120")
