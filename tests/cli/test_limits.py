"""Time limits, interrupts and exit codes, as a user meets them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

import ppdm_formal.certify
from ppdm_formal import Verdict
from ppdm_formal.cli import run

SLOW = """
operator Slow(x: 0..3000) -> 0..2000 {
    a ~ uniform(0..1000)
    b ~ uniform(0..1000)
    return a + b
}
audit Slow { forbid breach 1/4 -> 1/2 }
"""
THREE = """
operator R = randomized_response(values: 4, keep: 1/2)
audit R { forbid breach 1/4 -> 3/4; require amplification <= 3; require amplification <= 4 }
"""
PLAN = ["--transactions", "5000000", "--rho1", "5%", "--rho2", "50%", "--itemsets", "3"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # in a destructor
@pytest.mark.parametrize("command", ["audit", "compare"])
def test_compiling_keeps_the_time_limit(command, tmp_path, capsys):
    """A legal program of three thousand million steps."""
    model = tmp_path / "slow.ppdm"
    model.write_text(SLOW)
    assert run([command, str(model), "--timeout", "0.5"]) == 3
    shown = capsys.readouterr().err
    assert "slow.ppdm: not compiled within 0.5 s" in shown
    assert "--timeout" in shown


def test_the_steps_of_an_audit_share_its_time_limit(monkeypatch, tmp_path, capsys):
    """At least a quarter of what is left for each, all of it for the last; otherwise 60 s each."""
    certify, given = ppdm_formal.certify.certify, []

    def noted(operator, claim, **limits):
        given.append(limits["timeout"])
        return certify(operator, claim, **limits)

    monkeypatch.setattr(ppdm_formal.certify, "certify", noted)
    model = tmp_path / "three.ppdm"
    model.write_text(THREE)
    assert run(["audit", str(model), "--timeout", "900"]) == 0
    assert given[0] <= 300
    assert given[1] <= 450
    assert 450 < given[2] <= 900
    given.clear()
    assert run(["audit", str(model)]) == 0
    assert given == [60, 60, 60]
    capsys.readouterr()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_design_keeps_the_time_limit(monkeypatch, capsys):
    def endless(*_args, **_kwargs):
        while True:
            sum(range(100))

    monkeypatch.setattr("ppdm_formal.design.planning.design", endless)
    assert run(["design", *PLAN, "--sizes", "3", "--timeout", "0.2"]) == 3
    assert "no plan was found within 0.2 s" in capsys.readouterr().err


def test_a_plan_that_is_not_decided_is_unknown(monkeypatch, capsys):
    """3, not 1: nothing was found against it."""
    certify = ppdm_formal.certify.certify

    def undecided(operator, claim, **limits):
        found = certify(operator, claim, **limits)
        return replace(found, finding=replace(found.finding, verdict=Verdict.UNKNOWN))

    monkeypatch.setattr(ppdm_formal.certify, "certify", undecided)
    assert run(["design", *PLAN, "--sizes", "3"]) == 3
    capsys.readouterr()


STOPPED = """
import os, sys, time
from ppdm_formal import cli

def slowly(handle):
    print("writing", flush=True)
    time.sleep(60)

os.fsync = slowly
cli.main(["new", "start.ppdm"])
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_leaves_no_file_behind(number, tmp_path, signals_as_usual):
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert "start.ppdm" not in os.listdir(tmp_path)  # it has no name until it is whole
        process.send_signal(number)
        _, problems = process.communicate(timeout=30)
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[number]
    assert "Traceback" not in problems
    assert os.listdir(tmp_path) == []
