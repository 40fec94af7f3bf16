"""The checker that is extracted from the proofs agrees with check.py; differential.py does more."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import every_certificate
import pytest
from differential import changed, compared, covered
from every_certificate import FOLDER, EveryCertificate
from every_certificate import question as asked
from how_many import cases
from test_mutations import genuine

from ppdm_formal.cli import run

GOLDEN = Path(__file__).parent.parent / "check" / "golden"


def answers(checker, *lines):
    said = subprocess.run([checker], input="\n".join(lines), capture_output=True, text=True)
    assert said.returncode == 0
    return said.stdout.splitlines()


def test_both_checkers_agree(checker):
    many = cases(900, 3000)
    starts = covered(json.loads(json.dumps(one)) for one in genuine())
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in GOLDEN.glob("*.json")]
    counts = compared(checker, [*kept, *starts, *changed(starts, many, seed=3)])
    assert not [what for what in counts if what.split(":")[0].isupper()], counts
    assert counts["accepted by both"] >= many * 2 / 5
    assert counts["rejected by both"] >= many / 6
    assert counts["rejected, evidence right"] >= many / 15


@pytest.mark.parametrize(
    ("rho2", "question", "came", "status"),
    [
        ("1/2", None, "accepted by both", 0),
        ("3/20", None, "rejected by both", 0),
        ("1/2", "(all (check_all_priors () 1/2 1/4))", "DIFFERENCE: false, by a test", 1),
        ("1/2", "no question: KeyError", "DIFFERENCE: no question: KeyError, by a test", 1),
        ("1/2", "not covered", "not covered", 0),
    ],
)
def test_a_difference_fails_the_run(
    checker, monkeypatch, tmp_path_factory, rho2, question, came, status
):
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setenv("PPDM_THEOREMS", str(checker.parent))
    monkeypatch.setattr(every_certificate, "question", lambda d: question or asked(d))
    plugin = EveryCertificate()
    monkeypatch.delenv(FOLDER)
    document = json.loads((GOLDEN / "Survey-1.json").read_text(encoding="utf-8"))
    document["claim"]["rho2"] = rho2
    plugin.target.write_text("".join(plugin.row("a test", document)), encoding="utf-8")
    config = SimpleNamespace(_tmp_path_factory=tmp_path_factory)
    session = SimpleNamespace(config=config, exitstatus=0)
    plugin.pytest_sessionfinish(session)
    assert (plugin.counts, session.exitstatus) == ({came: 1}, status)


VIEW = "((Cls 1/2 3 1 0 ()) (Cls 1/4 2 1 0 ()))"


def test_it_computes(checker):
    asked = [f"(all (check_all_priors ({VIEW}) 1/4 {rho2}))" for rho2 in ("2/5", "21/50")]
    assert answers(checker, *asked) == ["false", "true"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "not one question"),
        ("(all", "not one question"),
        ("(all))", "a parenthesis too many"),
        ("(all)", "no such checker, or other arguments: all"),
        ("(check_nothing 1)", "no such checker, or other arguments: check_nothing"),
        (f"(check_all_priors ({VIEW}) 1/0 1/2)", "a denominator that is not positive"),
        (f"(check_all_priors ({VIEW}) 1/-4 1/2)", "a denominator that is not positive"),
        (f"(check_all_priors ({VIEW}) a 1/2)", "not a number: a"),
        ("(check_all_priors (((Cls 1/2 -3 1 0 ()))) 1/4 1/2)", "a negative count"),
        ("(check_all_priors (((Cls 1/2 3 1 0))) 1/4 1/2)", "not a class"),
    ],
)
def test_what_cannot_be_read_is_not_true(checker, line, why):
    assert answers(checker, line + "\n") == [f"unreadable: {why}"]


def test_the_command_writes_its_question(checker, tmp_path):
    target = tmp_path / "question"
    certificate = str(GOLDEN / "Survey-1.json")
    assert run(["theorem", certificate, "--plain", "-o", str(target)]) == 0
    assert answers(checker, target.read_text(encoding="utf-8")) == ["true"]
