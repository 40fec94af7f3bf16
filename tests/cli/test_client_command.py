"""ppdm client from end to end: files that run, refusals, and nothing written where it refuses."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import shipped

EXAMPLE = str(shipped("models") / "example1.ppdm")
WARNER = str(shipped("models") / "warner.ppdm")


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "plan.json"
    asked = ["--sizes", "2..3", "--transactions", "100000", "--rho1", "5%", "--rho2", "50%"]
    assert run(["design", *asked, "--itemsets", "2", "--items", "30", "-o", str(path)]) == 0
    return path


def test_a_python_client_runs_by_itself_and_names_its_certificates(tmp_path, capsys):
    target, folder = tmp_path / "r3.py", tmp_path / "certificates"
    asked = ["client", EXAMPLE, "--operator", "R3", "--language", "python", "-o", str(target)]
    assert run([*asked, "--certificates", str(folder)]) == 0
    assert "48 cases" in capsys.readouterr().out
    done = subprocess.run(
        [sys.executable, "-I", str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "self-test passed: 48 cases\n"
    digests = {json.loads(path.read_text())["sha256"] for path in folder.glob("*.json")}
    header = target.read_text().split("\n\n")[0]
    assert len(digests) == 3
    assert all(digest in header for digest in digests)


def test_twenty_thousand_values_make_a_small_client(tmp_path):
    """Weights that decay are told by a few coins, however many values there are."""
    model = tmp_path / "line.ppdm"
    model.write_text(
        "operator E = exponential_mechanism(values: 20000, epsilon: 1)\n"
        "audit E { forbid breach 1/10 -> 1/2 }\n"
    )
    target = tmp_path / "line.py"
    asked = ["client", str(model), "--operator", "E", "--language", "python", "-o", str(target)]
    assert run(asked) == 0
    assert len(target.read_text()) < 40_000
    done = subprocess.run(
        [sys.executable, "-I", str(target)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "self-test passed: 8 cases\n"


def test_a_javascript_client_of_a_plan(tmp_path, plan):
    target = tmp_path / "baskets.mjs"
    asked = ["client", "--plan", str(plan), "--language", "javascript", "-o", str(target)]
    assert run(asked) == 0
    text = target.read_text()
    assert "transactions of 2, 3 items, out of items 0 to 29" in text
    assert "not hidden" in text
    assert text.count("// certified:") == 2
    assert "export function randomize" in text


def test_standard_output_holds_the_client_alone(capsys):
    asked = ["client", WARNER, "--operator", "Warner", "--set", "p=3/4", "--language", "python"]
    assert run([*asked, "-o", "-"]) == 0
    out = capsys.readouterr().out
    compile(out, "client", "exec")
    assert "p = 3/4" in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([EXAMPLE, "--operator", "R1"], 1, "a breached claim"),
        ([WARNER, "--operator", "Warner", "--set", "p=19/20"], 1, "a breached claim"),
        ([WARNER, "--operator", "Warner"], 2, "--set"),
        ([EXAMPLE, "--operator", "R9"], 2, "R1, R2, R3"),
        ([EXAMPLE], 2, "--operator"),
        ([], 2, "--plan"),
        (["missing.ppdm", "--operator", "R"], 2, "missing.ppdm"),
        ([EXAMPLE, "--operator", "R3", "--items", "3"], 2, "--items"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(tmp_path, capsys, arguments, code, said):
    target = tmp_path / "client.py"
    assert run(["client", *arguments, "--language", "python", "-o", str(target)]) == code
    assert said in capsys.readouterr().err
    assert not target.exists()


def test_no_claim_is_no_clearance(tmp_path, capsys):
    model = tmp_path / "coin.ppdm"
    model.write_text("operator Coin(x: {0, 1}) -> {0, 1} { return uniform({0, 1}) }\n")
    target = tmp_path / "client.py"
    asked = ["client", str(model), "--operator", "Coin", "--language", "python", "-o", str(target)]
    assert run(asked) == 3
    assert "no claim" in capsys.readouterr().err
    assert not target.exists()
    assert run([*asked, "--forbid", "1/3:1/2"]) == 0
    assert target.exists()


def test_certificates_of_a_refused_client_are_written_and_said(tmp_path, capsys):
    target, folder = tmp_path / "client.py", tmp_path / "certificates"
    asked = ["client", EXAMPLE, "--operator", "R1", "--language", "python", "-o", str(target)]
    assert run([*asked, "--certificates", str(folder)]) == 1
    shown = capsys.readouterr().err
    assert f"Wrote 3 certificates to {folder}" in shown
    assert "No client was written" in shown
    assert len(list(folder.glob("*.json"))) == 3
    assert not target.exists()


def test_an_override_is_said(tmp_path, capsys):
    target = tmp_path / "client.py"
    asked = ["client", EXAMPLE, "--operator", "R1", "--language", "python", "--although-breached"]
    assert run([*asked, "-o", str(target)]) == 0
    shown = capsys.readouterr().out
    assert "NOT CLEARED: the audit of R1 has a breached claim (--although-breached)" in shown
    assert "  breached: forbid" in shown
    assert run([*asked, "-o", "-"]) == 0
    shown = capsys.readouterr()
    compile(shown.out, "client", "exec")
    assert "NOT CLEARED: the audit of R1" in shown.err
    assert "  breached: forbid" in shown.err
    cleared = ["client", EXAMPLE, "--operator", "R3", "--language", "python", "-o", str(target)]
    assert run(cleared) == 0
    shown = capsys.readouterr().out
    assert "  certified: forbid" in shown
    assert "NOT CLEARED" not in shown


def test_an_override_is_written_into_the_client(tmp_path):
    target = tmp_path / "client.py"
    asked = ["client", EXAMPLE, "--operator", "R1", "--language", "python", "-o", str(target)]
    assert run([*asked, "--although-breached"]) == 0
    header = target.read_text().split("\n\n")[0]
    assert "NOT CLEARED" in header
    assert "breached" in header


def test_the_model_is_never_overwritten(tmp_path, capsys):
    model = tmp_path / "m.ppdm"
    model.write_text((shipped("models") / "warner.ppdm").read_text())
    asked = ["client", str(model), "--operator", "Warner", "--set", "p=3/4", "--language", "python"]
    assert run([*asked, "-o", str(model)]) == 2
    assert "destroy" in capsys.readouterr().err
    assert model.read_text() == (shipped("models") / "warner.ppdm").read_text()


@pytest.mark.parametrize(
    "arguments", [["--items", "7"], ["--operator", "R"], ["--forbid", "1/20:1/2"]]
)
def test_a_plan_takes_no_options_of_a_model_and_keeps_its_items(tmp_path, plan, capsys, arguments):
    target = tmp_path / "client.py"
    asked = ["client", "--plan", str(plan), *arguments, "--language", "python", "-o", str(target)]
    assert run(asked) == 2
    assert not target.exists()
