"""Matrices whose rows miss 1 by rounding: the ways to read them, in every command."""

from __future__ import annotations

import json

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


def test_a_damaged_number_is_no_header(folder, capsys):
    """Read as names of outputs, the first line would leave a breach out of sight."""
    (folder / "hd.csv").write_text("0.999,0.00l\n0.5,0.5\n0.4,0.6\n")
    (folder / "n.csv").write_text("v,w\n0,0\n1,1\n")
    claim = ["--forbid", "5%:50%"]
    commands = [
        ["audit", "hd.csv", *claim],
        ["compare", "hd.csv"],
        ["randomize", "n.csv", "-o", "o.csv", "--model", "hd.csv", "--operator", "hd=v", *claim],
        ["client", "hd.csv", "--operator", "hd", "--language", "python", "-o", "c.py", *claim],
        ["leakage", "hd.csv"],
        ["value", "--model", "hd.csv", "--people", "10,20", "--error", "10%"],
        ["anonymity", "n.csv", "--quasi", "v", "--sensitive", "w", "--model", "hd.csv"],
        ["rate", "hd.csv", "--max-loss", "0.3"],
    ]
    for command in commands:
        for said in ([], ["--no-header"]):
            assert run([*command, *said]) == 2
            assert "0.00l" in capsys.readouterr().err
    (folder / "hd.csv").write_text("0.999,0.001\n0.5,0.5\n0.4,0.6\n")
    assert run(["audit", "hd.csv", *claim]) == 1
    assert "read as 3 inputs and 2 outputs, with numbers only" in capsys.readouterr().out


def test_certificates_say_how_the_first_line_was_read(folder, capsys):
    (folder / "hd.csv").write_text("0.6,0.4\n0.5,0.5\n0.4,0.6\n")
    claim = ["--forbid", "5%:50%", "--certificates", "c"]
    assert run(["audit", "hd.csv", "--header", *claim]) == 0
    said = json.loads((folder / "c" / "hd-1.json").read_text())["model"]["read"]
    assert said == {"way": "exact", "digits": None, "index": None, "header": True}
    assert "2 inputs and 2 outputs, with outputs in its first line" in capsys.readouterr().out


def test_narrow_terminals(folder, capsys, monkeypatch):
    """No line is wider than the terminal, no number is broken, and what goes on is indented."""
    monkeypatch.setenv("COLUMNS", "40")
    assert run(["audit", "m.csv", "--normalize", "--forbid", "1/10:1/2", "--no-solver"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 40
    at = next(k for k, text in enumerate(lines) if "certified" in text)
    assert lines[at + 1].startswith("  ")
    # ln(4/3), as low gives a with 1/3 and high with 1/4
    assert any(text.split() == ["epsilon", "(nat)", "0.287682..."] for text in lines)
