"""Matrices whose rows miss 1 by rounding: the ways to read them, in every command."""

from __future__ import annotations

import pytest

from ppdm_formal.cli import run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "m.csv").write_text("x,a,b\nlow,0.333,0.666\nhigh,0.25,0.75\n")
    (tmp_path / "d.csv").write_text("v\nlow\nhigh\nlow\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_says_the_remedy_and_takes_it(folder, capsys):
    claim = ["--forbid", "1/10:1/2"]
    applied = ["--model", "m.csv", "--operator", "m=v", *claim]
    commands = [
        ["compare", "m.csv"],
        ["randomize", "d.csv", "-o", "out.csv", *applied],
        ["client", "m.csv", "--operator", "m", "--language", "python", "-o", "c.py", *claim],
    ]
    for command in commands:
        assert run(command) == 2
        assert "--normalize" in capsys.readouterr().err
        assert run([*command, "--normalize"]) == 0
    assert run(["estimate", "out.csv", "--model", "m.csv"]) != 0
    assert "misses 1" in capsys.readouterr().err
    assert run(["estimate", "out.csv", "--model", "m.csv", "--normalize"]) == 0
    capsys.readouterr()


def test_compare_takes_all_matrices_that_round_to_one(folder, capsys):
    (folder / "w.ppdm").write_text("operator W = randomized_response(values: 2, keep: 3/4)")
    assert run(["compare", "m.csv", "w.ppdm", "--rounded", "3"]) == 0
    assert "Comparison of 2 operators" in capsys.readouterr().out
    assert run(["compare", "w.ppdm", "--rounded", "3"]) == 2
    assert "for a bare matrix" in capsys.readouterr().err


def test_these_options_are_not_for_plans(folder, capsys):
    assert run(["randomize", "d.csv", "-o", "o.csv", "--plan", "p.json", "--normalize"]) == 2
    assert "--normalize is not for transactions" in capsys.readouterr().err
    assert run(["randomize", "d.csv", "-o", "o.csv", "--plan", "p.json", "--no-index"]) == 2
    assert "--index is not for transactions" in capsys.readouterr().err
