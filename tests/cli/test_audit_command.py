"""ppdm audit and ppdm new from the command line, as a user runs them."""

import json
import os
import subprocess
import sys

import pytest

from ppdm_formal.checker.main import main as check_alone
from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import example_path

MODEL = """
domain Bit = {0, 1}
param p in [0, 1]
operator Flip(x: Bit) -> Bit {
    [x -> y] = p if y == x | 1 - p otherwise
}
audit Flip { forbid breach 1/4 -> 1/2 }
"""


@pytest.fixture
def flip(tmp_path):
    path = tmp_path / "flip.ppdm"
    path.write_text(MODEL)
    return path


def test_audit_prints_the_papers_tables(capsys):
    assert run(["audit", str(example_path("example1"))]) == 1
    shown = capsys.readouterr().out
    for expected in ("250/349", "5/104", "3005/102302", "28961501/40920800", "1202/201"):
        assert expected in shown
    for expected in ("1.27111", "2.31594", "0.549074", "3.90292", "0.488963", "infinity"):
        assert expected in shown
    assert "certified    R3: forbid breach 1/7 -> 1/2" in shown
    assert "breached     R1: forbid breach 1/7 -> 1/2" in shown


def test_json_has_the_keys_of_the_design(tmp_path, capsys):
    target = tmp_path / "audit.json"
    assert run(["audit", "--example", "example1", "--json", str(target)]) == 1
    data = json.loads(target.read_text())
    assert data["format"] == "ppdm-audit/1"
    assert data["model"]["file"] == "example1.ppdm"
    assert len(data["model"]["sha256"]) == 64
    first, _, third = data["operators"]
    assert (first["name"], first["inputs"], first["outputs"], first["views"]) == (
        "R1",
        1001,
        1001,
        1,
    )
    assert first["amplification"] == {"value": "250", "output": "0", "likely": "0", "unlikely": "1"}
    assert first["posteriors"][0] == {
        "prior": "X",
        "property": "zero",
        "given": "0",
        "before": "1/100",
        "after": "250/349",
    }
    information = third["information"][0]
    assert information["prior"] == "X"
    assert information["unit"] == "bit"
    assert information["mutual"]["lo"].startswith("0.5490")
    certificate = third["certificates"][0]
    assert certificate["claim"] == {
        "text": "forbid breach 1/7 -> 1/2",
        "kind": "breach",
        "direction": "both",
        "rho1": "1/7",
        "rho2": "1/2",
        "under": "all priors",
        "for": None,
        "knowing": None,
    }
    assert certificate["verdict"] == "certified"
    assert certificate["trust"] == "re-checked exactly"
    assert certificate["thresholds"] == {"rho2_above": "601/1204", "rho1_below": "201/1403"}
    assert certificate["witness"] is None
    assert first["certificates"][0]["witness"]["after"] == "125/128"
    assert capsys.readouterr().out


def test_written_files_are_said(tmp_path, capsys):
    page, text = str(tmp_path / "a.html"), str(tmp_path / "a.md")
    written = f"Wrote {page}\nWrote {text}\n"
    asked = ["audit", "--example", "warner", "--set", "p=3/4", "--html", page, "--markdown", text]
    assert run(asked) == 0
    assert written in capsys.readouterr().out
    assert run([*asked, "--json", "-"]) == 0
    shown = capsys.readouterr()
    json.loads(shown.out)
    assert shown.err == written


def test_json_to_standard_output_is_json_alone(capsys):
    run(["audit", "--example", "example2", "--json", "-"])
    assert json.loads(capsys.readouterr().out)["operators"][0]["name"] == "Flip"


def test_the_same_audit_twice_is_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        run(["audit", "--example", "geometric", "--json", str(tmp_path / name)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(("value", "code"), [("3/5", 0), ("0.75", 1), ("90%", 1)])
def test_set_decides_at_that_value(flip, value, code, capsys):
    assert run(["audit", str(flip), "--set", f"p={value}"]) == code


def test_a_free_parameter_gets_its_region(flip, capsys):
    assert run(["audit", str(flip)]) == 1
    assert "1/4 < p < 3/4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("0.6,0.4\n40%,3/5\n", 0),
        (",a,b\nx,19/20,1/20\ny,1/20,19/20\n", 1),
    ],
)
def test_a_bare_csv_matrix(tmp_path, content, code, capsys):
    path = tmp_path / "matrix.csv"
    path.write_text(content)
    assert run(["audit", str(path), "--forbid", "1/20:1/2"]) == code
    assert "forbid breach 1/20 -> 1/2" in capsys.readouterr().out


def test_a_csv_row_that_does_not_sum_to_one(tmp_path, capsys):
    path = tmp_path / "matrix.csv"
    path.write_text("1/2,1/2\n1/2,1/3\n")
    assert run(["audit", str(path)]) == 2
    message = capsys.readouterr().err
    assert "matrix.csv:2:1" in message
    assert "5/6" in message


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["audit"], "name either a model file"),
        (["audit", "x.ppdm", "--example", "warner"], "name either a model file"),
        (["audit", "--example", "warner", "--set", "=1"], "NAME=VALUE"),
        (["new", ""], "needs a name"),
        (["audit", "no-such.ppdm"], "No such file"),
        (["audit", "--example", "nonsense"], "example1"),
        (["audit", "--example", "warner", "--set", "p"], "NAME=VALUE"),
        (["audit", "--example", "warner", "--set", "q=1/2"], "parameters: p"),
        (["audit", "--example", "warner", "--set", "p=2"], "outside (1/2, 1)"),
        (["audit", "--example", "warner", "--set", "p=__import__"], "not a number"),
        (["audit", "--example", "warner", "--forbid", "1/2:1/4"], "rho1 < rho2"),
        (["audit", "--example", "warner", "--forbid", "half"], "R1:R2"),
        (["audit", "--example", "example2", "--json", "/no/such/folder/x.json"], "No such file"),
        (["audit", "--example", "example2", "--digits", "0"], "digits"),
        (["nonsense"], "No such command"),
    ],
)
def test_bad_usage_is_exit_code_2_and_says_what_to_do(arguments, says, capsys):
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert "Traceback" not in captured.err


def test_a_model_without_an_operator_has_nothing_to_audit(tmp_path, capsys):
    path = tmp_path / "empty.ppdm"
    path.write_text("domain A = {a, b}\n")
    assert run(["audit", str(path)]) == 2
    assert "no operator" in capsys.readouterr().err


def test_constraints_that_no_prior_satisfies_are_bad_input(tmp_path, capsys):
    path = tmp_path / "family.ppdm"
    path.write_text(
        "domain A = {a, b}\n"
        "property first on A = x == a\n"
        "operator R(x: A) -> A { [x -> y] = 3/4 if y == x | 1/4 otherwise }\n"
        "audit R { forbid breach 1/4 -> 1/2 under { mass(first) <= 1/4; mass(first) >= 1/2 } }\n"
    )
    assert run(["audit", str(path)]) == 2
    assert "no prior satisfies" in capsys.readouterr().err


def test_certificates_of_operators_with_other_letters_do_not_collide(tmp_path, capsys):
    path = tmp_path / "letters.ppdm"
    rule = "(x: {0, 1}) -> {0, 1} { [x -> y] = 3/5 if y == x | 2/5 otherwise }\n"
    path.write_text(f"operator é{rule}operator è{rule}audit é, è {{ forbid breach 1/4 -> 1/2 }}\n")
    folder = tmp_path / "certificates"
    assert run(["audit", str(path), "--certificates", str(folder)]) == 0
    assert len(list(folder.glob("*.json"))) == 2
    assert "Wrote 2 certificates" in capsys.readouterr().out


def test_a_failed_write_leaves_nothing_behind(tmp_path, capsys):
    target = tmp_path / "folder"
    target.mkdir()
    assert run(["audit", "--example", "example2", "--json", str(target)]) == 2
    assert list(tmp_path.iterdir()) == [target]
    assert list(target.iterdir()) == []


def test_an_internal_error_is_exit_code_5_without_a_stack_trace(monkeypatch, capsys):
    import ppdm_formal.certify.audit.audit

    def broken(*_, **__):
        raise RuntimeError("boom")

    monkeypatch.setattr(ppdm_formal.certify.audit.audit, "audit", broken)
    assert run(["audit", "--example", "example2"]) == 5
    message = capsys.readouterr().err
    assert "internal error: RuntimeError: boom" in message
    assert "Traceback" not in message


def test_new_writes_a_model_that_audits(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["new", "survey"]) == 0
    assert run(["audit", "survey.ppdm"]) in (0, 1)
    before = (tmp_path / "survey.ppdm").read_text()
    assert run(["new", "survey"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "survey.ppdm").read_text() == before


def test_the_installed_command_answers():
    found = subprocess.run(
        [sys.executable, "-m", "ppdm_formal.cli", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("ppdm, version ")


def test_every_command_has_help(capsys):
    from ppdm_formal.cli import cli

    for name in cli.list_commands(None):
        assert run([name, "--help"]) == 0
        assert "Usage: ppdm" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--json", "--html", "--markdown"])
def test_the_model_is_never_overwritten(flip, option, capsys):
    before = flip.read_text()
    assert run(["audit", str(flip), option, str(flip)]) == 2
    assert "destroy" in capsys.readouterr().err
    assert flip.read_text() == before


def test_two_outputs_need_two_places(flip, tmp_path, capsys):
    target = str(tmp_path / "out")
    assert run(["audit", str(flip), "--json", target, "--html", target]) == 2
    assert run(["audit", str(flip), "--json", "-", "--markdown", "-"]) == 2
    capsys.readouterr()


def test_links_are_followed_and_devices_stay_devices(flip, tmp_path, capsys):
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    assert run(["audit", str(flip), "--json", str(link)]) == 1
    assert link.is_symlink()
    assert json.loads(target.read_text())["format"] == "ppdm-audit/1"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert run(["audit", str(flip), "--json", str(pipe)]) == 1
    assert json.loads(reader.communicate(timeout=30)[0])["format"] == "ppdm-audit/1"
    assert pipe.is_fifo()
    capsys.readouterr()


def test_a_label_that_the_terminal_lacks_is_escaped(tmp_path):
    path = tmp_path / "letters.ppdm"
    path.write_text('operator R(x: {"é", b}) -> {"é", b} { return x }\n')
    command = [sys.executable, "-m", "ppdm_formal.cli", "audit", str(path)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    found = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (found.returncode, found.stderr) == (0, "")
    assert "\\xe9" in found.stdout
    piped = subprocess.run([*command, "--json", "-"], capture_output=True, env=environment)
    assert json.loads(piped.stdout.decode())["operators"][0]["name"] == "R"


def test_a_claim_without_a_case_says_so(tmp_path, capsys):
    path = tmp_path / "vacuous.ppdm"
    path.write_text(
        "domain A = {yes, no}\n"
        "prior P on A { yes : 1/10; no : 9/10 }\n"
        "property guilty on A = x == yes\n"
        "operator R(x: A) -> A { [x -> y] = 9/10 if y == x | 1/10 otherwise }\n"
        "audit R { forbid upward breach 1/20 -> 1/4 under P for guilty }\n"
    )
    folder = tmp_path / "certificates"
    assert run(["audit", str(path), "--certificates", str(folder)]) == 3
    shown = " ".join(capsys.readouterr().out.split())
    assert "Says nothing: beforehand no belief in the property guilty" in shown
    assert "It would say something with rho1 at least 10% (1/10)." in shown
    assert "10% (1/10) becomes 50% (1/2) (output yes)" in shown
    assert run(["audit", str(path), "--allow-vacuous"]) == 0
    [certificate] = map(str, folder.glob("*.json"))
    capsys.readouterr()
    assert run(["check", certificate]) == 3
    assert "the claim says nothing" in capsys.readouterr().out
    assert run(["check", certificate, "--allow-vacuous"]) == 0
    assert check_alone([certificate]) == 3
    assert check_alone([certificate, "--allow-vacuous"]) == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e10"])
@pytest.mark.parametrize("command", ["audit", "compare", "prove"])
def test_absurd_time_limits_are_refused(command, seconds, capsys):
    example = [] if command == "prove" else ["--example", "example2"]
    assert run([command, *example, "--timeout", seconds]) == 2
    assert "timeout" in capsys.readouterr().err
