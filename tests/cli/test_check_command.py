"""ppdm check from the command line: genuine certificates pass, changed ones do not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ppdm_formal
from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import example_path

pytestmark = pytest.mark.usefixtures("one_checker")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    assert run(["audit", "--example", "example1", "--certificates", str(folder)]) == 1
    return folder


def test_genuine_certificates_are_accepted(certificates, capsys):
    files = sorted(map(str, certificates.glob("*.json")))
    assert len(files) == 9
    assert run(["check", *files]) == 1  # some are breaches
    model = ["--model", str(example_path("example1"))]
    assert run(["check", *files, *model, "--allow-breached"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("accepted") == 18
    assert "the claim is broken" in shown
    assert "the claim holds" in shown


def test_it_runs_alone_on_the_standard_library(certificates):
    checker = Path(ppdm_formal.__file__).parent / "check.py"
    files = sorted(map(str, certificates.glob("*.json")))
    found = subprocess.run(
        [sys.executable, "-I", "-S", str(checker), "--allow-breached", *files],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_changed_certificate_is_exit_code_4(certificates, tmp_path, capsys):
    original = (certificates / "R3-7.json").read_text()
    changed = tmp_path / "changed.json"
    changed.write_text(original.replace('"601/1204"', '"600/1204"', 1))
    assert run(["check", str(changed)]) == 4
    assert "rejected" in capsys.readouterr().out


def test_another_operators_model_is_rejected(certificates, capsys):
    name = str(certificates / "R3-7.json")
    assert run(["check", name, "--model", str(example_path("example2"))]) == 4
    assert "R3" in capsys.readouterr().out


def test_a_model_that_changed_since_is_rejected(certificates, tmp_path, capsys):
    model = tmp_path / "example1.ppdm"
    text = example_path("example1").read_text()
    model.write_text(text.replace("with 1/2 { return R2(x) }", "with 2/3 { return R2(x) }"))
    assert run(["check", str(certificates / "R3-7.json"), "--model", str(model)]) == 4


@pytest.mark.parametrize("example", ["warner", "k_ary"])
def test_free_parameters_are_verified_without_a_solver(tmp_path, example, monkeypatch, capsys):
    def none(name):
        raise AssertionError("a solver was asked for")

    monkeypatch.setattr("ppdm_formal.certify.solver.solver.solver", none)
    run(["audit", "--example", example, "--certificates", str(tmp_path), "--no-solver"])
    capsys.readouterr()
    names = sorted(map(str, tmp_path.glob("*.json")))
    free = [n for n in names if json.loads(Path(n).read_text())["operator"]["parameters"]]
    assert free
    model = ["--model", str(example_path(example))]
    assert run(["check", *names, *model, "--allow-breached"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("re-checked exactly") == len(names)
    assert shown.count("it holds exactly for ") == len(free)


TOUCH = """
# Where p = q the amplification is 2 exactly: no boxes show that it is nowhere more.
param p in (0, 1)
param q in (0, 1)
operator Touch(x: {yes, no}) -> {yes, no} {
    matrix { yes : (1/2) (1/2)
             no : (1/4 + (p - q)^2/8) (3/4 - (p - q)^2/8) }
}
audit Touch { require amplification <= 2 }
"""


def test_solver_trusted_needs_permission(tmp_path, capsys):
    model = tmp_path / "touch.ppdm"
    model.write_text(TOUCH)
    run(["audit", str(model), "--certificates", str(tmp_path)])
    (name,) = map(str, tmp_path.glob("*.json"))
    assert json.loads(Path(name).read_text())["trust"].startswith("solver-trusted")
    assert run(["check", name]) == 3
    assert run(["check", name, "--allow-solver-trusted"]) == 0
    assert run(["check", name, "--allow-solver-trusted", "--model", str(model)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"format": 1}'])
def test_what_is_no_certificate_is_rejected(tmp_path, content, capsys):
    path = tmp_path / "no.json"
    path.write_bytes(content)
    assert run(["check", str(path)]) == 4
    assert run(["check", str(path), "--model", str(example_path("example2"))]) == 4
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe\x00\x80", "not a certificate: not text in UTF-8"),
        (b"\n", "not a certificate: not JSON from line 2, column 1 on"),
        (b'{"a":\n  x}\n', "not a certificate: not JSON from line 2, column 3 on"),
        (b"[" * 100_000, "nested deeper than"),
    ],
)
def test_what_is_no_certificate_is_said_in_plain_words(tmp_path, capsys, content, why):
    path = tmp_path / "c.json"
    path.write_bytes(content)
    assert run(["check", str(path)]) == 4
    shown = capsys.readouterr().out
    assert f"rejected: {why}" in shown
    assert "Error" not in shown


def test_a_missing_file_is_bad_input(tmp_path, capsys):
    assert run(["check", str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_an_undecided_claim_writes_no_certificate(tmp_path, capsys):
    model = tmp_path / "two.ppdm"
    model.write_text(
        "param p in (0, 1)\n"
        "operator R(x: {a, b, c}) -> {a, b, c} {\n"
        "    [x -> y] = p if y == x | (1 - p)/2 otherwise\n"
        "}\n"
        "prior X on {a, b, c} { a : 1/2; b : 1/3; c : 1/6 }\n"
        "audit R { require worst_case_information(X) <= 1/2 bit }\n"
    )
    folder = tmp_path / "certificates"
    assert run(["audit", str(model), "--certificates", str(folder)]) == 3
    assert not list(folder.glob("*.json"))
    assert "Not decided" in capsys.readouterr().out
